//! Evaluation of the orthodox army on an orthodox board, for games won by mate. Interpolates between an opening and an endgame
//! value as pieces leave the board. In hundredths of a pawn.

use super::piece_square::{
    PawnStructure, Stages, Values, ahead, file_of, files_about, pawns_guard, ranks_before, steps,
};
use crate::board::{
    Board, Color, MoveObligation, Position, RoyalRule, Size, Square, Squares,
    orthodox::{BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK},
};

/// Game-phase weight of each piece type.
const EARLY: [i32; 6] = [0, 1, 1, 2, 4, 0];
/// Game phase with all officers on the board.
const FULL: i32 = 24;
/// The squares of the colour of a1.
const DARK: Squares = Squares(0xaa55_aa55_aa55_aa55);
/// Weight of an officer's attack on the squares around the king, from knight to queen, in addition to one for each square.
const ASSAULT: [usize; 4] = [2, 2, 3, 4];
/// Weight of a possible check from a square where the officer is safe, in the same order.
const CHECK: [usize; 4] = [4, 2, 5, 4];

/// Evaluation weights of the orthodox army.
pub(super) struct Army {
    values: Values,
    /// Value of a piece on a square, by colour and type.
    placed: [[[Stages; 64]; 6]; 2],
    /// Each square with its neighbours.
    ring: [Squares; 64],
}

/// Divisor of a lead without pawns and with at most a minor piece more than the opponent.
const BARREN: i32 = 4;

/// Pieces of both sides, by colour and type.
type Sets = [[Squares; 6]; 2];

/// Pieces and attacks of one side.
struct Side {
    worth: Stages,
    early: i32,
    /// Squares attacked by pawns, by each officer type from knight to queen, and by all pieces except the king.
    pawns: Squares,
    officers: [Squares; 4],
    all: Squares,
    /// Squares attacked by all pieces including the king.
    whole: Squares,
    /// Weight of the attacks on the squares around the enemy king.
    assault: usize,
    /// Passed pawns.
    passed: Squares,
}

fn add(sum: &mut Stages, pair: Stages, times: i32) {
    *sum = [sum[0] + pair[0] * times, sum[1] + pair[1] * times];
}

impl Army {
    /// Whether a board has the orthodox size, pieces and rules, without drops.
    pub(super) fn serves(board: &Board) -> bool {
        let usual = Board::orthodox();
        let alike = board.kinds().iter().zip(usual.kinds()).all(|(kind, usual)| kind.betza == usual.betza);
        board.size() == Size::ORTHODOX
            && board.kinds().len() == usual.kinds().len()
            && alike
            && board.pawns.as_ref().is_some_and(|pawns| pawns.kind == PAWN && !pawns.promotions.is_empty())
            && (board.royalty, board.duty) == (RoyalRule::Check, MoveObligation::None)
            && !(board.holdings || board.duck || board.horde.is_some())
    }

    /// An army with these weights.
    pub(super) fn of(values: Values) -> Army {
        let placed = |color: Color, kind: usize, index: usize| {
            let square = Square::at(index);
            let rank = usize::from(Size::ORTHODOX.rank_of(color, square.rank()));
            let file = usize::from(square.file().min(7 - square.file()));
            let mut pair = values.worth.get(kind).copied().unwrap_or_default();
            add(&mut pair, values.squares[kind][rank * 4 + file], 1);
            pair
        };
        let king = &Board::orthodox().kind(KING).design;
        Army {
            placed: Color::BOTH
                .map(|color| std::array::from_fn(|kind| std::array::from_fn(|index| placed(color, kind, index)))),
            ring: std::array::from_fn(|index| {
                king.attacks(Color::White, Square::at(index), Squares::EMPTY) | Square::at(index).set()
            }),
            values,
        }
    }

    /// White's lead over Black.
    pub(super) fn lead(&self, board: &Board, position: &Position) -> i32 {
        let mut sets: Sets = [[Squares::EMPTY; 6]; 2];
        for color in Color::BOTH {
            for square in position.of(color) {
                let kind = position.piece(square).map_or(PAWN, |piece| piece.kind);
                sets[color.index()][usize::from(kind)] |= square.set();
            }
        }
        let sides = Color::BOTH.map(|color| self.side(board, position, &sets, color));
        let mut lead = [0; 2];
        for color in Color::BOTH {
            let (us, sign) = (color.index(), if color == Color::White { 1 } else { -1 });
            add(&mut lead, sides[us].worth, sign);
            add(&mut lead, self.danger(board, position, &sets, &sides, color), sign);
            add(&mut lead, self.threats(position, &sets, &sides, color), sign);
            add(&mut lead, self.runners(position, &sets, &sides, color), sign);
            add(&mut lead, Self::hunt(position, &sets, color), sign);
        }
        add(&mut lead, self.values.tempo, if position.turn == Color::White { 1 } else { -1 });
        let early = (sides[0].early + sides[1].early).min(FULL);
        let lead = (lead[0] * early + lead[1] * (FULL - early)) / FULL;
        let (us, them) = if lead > 0 { (0, 1) } else { (1, 0) };
        let barren = sets[us][usize::from(PAWN)].is_empty() && sides[us].early <= sides[them].early + 1;
        if barren { lead / BARREN } else { lead }
    }

    /// Pieces, attacks and values of one side.
    fn side(&self, board: &Board, position: &Position, sets: &Sets, color: Color) -> Side {
        let (us, them) = (color.index(), (!color).index());
        let (own, hostile, values) = (&sets[us], &sets[them], &self.values);
        let (pawns, occupied) = (own[usize::from(PAWN)], position.occupied());
        let guarded = pawns_guard(!color, hostile[usize::from(PAWN)]);
        let ring = hostile[usize::from(KING)].first().map_or(Squares::EMPTY, |king| self.ring[king.index()]);
        let attacked = pawns_guard(color, pawns);
        let (mut sum, mut early, mut assault, mut officers) = ([0; 2], 0, 0, [Squares::EMPTY; 4]);
        for square in pawns {
            add(&mut sum, self.placed[us][usize::from(PAWN)][square.index()], 1);
        }
        for kind in [KNIGHT, BISHOP, ROOK, QUEEN] {
            let (index, officer) = (usize::from(kind), usize::from(kind - KNIGHT));
            let design = &board.kind(kind).design;
            for square in own[index] {
                add(&mut sum, self.placed[us][index][square.index()], 1);
                early += EARLY[index];
                let reach = design.attacks(color, square, occupied);
                officers[officer] |= reach;
                let mobile = (reach & !position.of(color) & !guarded).len() as usize;
                add(&mut sum, values.mobility[officer][mobile], 1);
                assault += Self::assault(officer, (reach & ring).len() as usize);
                add(&mut sum, self.standing(kind, square, sets, color), 1);
            }
        }
        if own[usize::from(BISHOP)].len() > 1 {
            add(&mut sum, values.bishops, 1);
        }
        let all = officers.into_iter().fold(attacked, |all, reach| all | reach);
        let mut whole = all;
        if let Some(king) = own[usize::from(KING)].first() {
            whole |= self.ring[king.index()];
            add(&mut sum, self.placed[us][usize::from(KING)][king.index()], 1);
            add(&mut sum, self.shelter(king, sets, color), 1);
        }
        let shape = PawnStructure::of(values, color, pawns, hostile[usize::from(PAWN)]);
        add(&mut sum, shape.worth, 1);
        Side { worth: sum, early, pawns: attacked, officers, all, whole, assault, passed: shape.passed }
    }

    /// Value of an officer's place in the pawn structure.
    fn standing(&self, kind: u8, square: Square, sets: &Sets, color: Color) -> Stages {
        let (own, hostile) = (sets[color.index()][usize::from(PAWN)], sets[(!color).index()][usize::from(PAWN)]);
        let (values, file) = (&self.values, file_of(square.file()));
        let mut sum = [0; 2];
        match kind {
            KNIGHT | BISHOP => {
                if kind == BISHOP {
                    let alike = if square.dark() { own & DARK } else { own & !DARK };
                    add(&mut sum, values.bad_bishop, alike.len() as i32);
                }
                let drivers = hostile & files_about(square.file()) & !file & ranks_before(color, square.rank());
                if pawns_guard(color, own).has(square) && drivers.is_empty() {
                    add(&mut sum, values.outpost[usize::from(kind - KNIGHT)], 1);
                }
            }
            ROOK if (own & file).is_empty() => {
                add(&mut sum, values.open_file[usize::from((hostile & file).is_empty())], 1);
            }
            _ => {}
        }
        sum
    }

    /// Weight of an officer's attack on `hits` of the squares around the king.
    fn assault(officer: usize, hits: usize) -> usize {
        if hits > 0 { ASSAULT[officer] + hits } else { 0 }
    }

    /// Bonus for mating a bare king: it should be on the edge, with the other king close.
    fn hunt(position: &Position, sets: &Sets, color: Color) -> Stages {
        let kings = [color, !color].map(|side| sets[side.index()][usize::from(KING)]);
        match kings.map(Squares::first) {
            [Some(hunter), Some(prey)] if position.of(!color) == kings[1] => {
                let inner = |line: u8| i32::from(line.min(7 - line));
                let edge = 6 - 2 * inner(prey.file()).min(inner(prey.rank()));
                [0, 10 * edge + 8 * (7 - steps(hunter, prey))]
            }
            _ => [0, 0],
        }
    }

    /// Value of a side's attack on the enemy king.
    fn danger(&self, board: &Board, position: &Position, sets: &Sets, sides: &[Side; 2], color: Color) -> Stages {
        let (side, other) = (&sides[color.index()], &sides[(!color).index()]);
        let Some(king) = sets[(!color).index()][usize::from(KING)].first() else { return [0; 2] };
        // Squares guarded by the king alone. An officer is as safe there as on unguarded squares if another piece supports it.
        let bare = self.ring[king.index()] & side.all & !other.all;
        let safe = !position.of(color) & (!other.whole | bare);
        let from = |kind: u8| board.kind(kind).design.attacks(!color, king, position.occupied());
        let (straight, slanted) = (from(ROOK), from(BISHOP));
        let ways = [from(KNIGHT), slanted, straight, straight | slanted];
        let mut weight = side.assault + bare.len() as usize;
        for officer in 0..4 {
            if !(side.officers[officer] & ways[officer] & safe).is_empty() {
                weight += CHECK[officer];
            }
        }
        let worths: &[Stages] = match sets[color.index()][usize::from(QUEEN)].first() {
            Some(_) => &self.values.danger,
            None => &self.values.siege,
        };
        worths[(weight / 2).min(worths.len() - 1)]
    }

    /// Value of the pawns in front of a king.
    fn shelter(&self, king: Square, sets: &Sets, color: Color) -> Stages {
        let (own, hostile) = (sets[color.index()][usize::from(PAWN)], sets[(!color).index()][usize::from(PAWN)]);
        let before = ranks_before(color, king.rank());
        let centre = king.file().clamp(1, 6);
        let away = |pawns: Squares| {
            let nearest =
                if color == Color::White { pawns.0.trailing_zeros() } else { 63 - pawns.0.leading_zeros().min(63) };
            (nearest as u8 / 8).abs_diff(king.rank())
        };
        let mut sum = [0; 2];
        for file in centre - 1..=centre + 1 {
            let near = own & file_of(file) & before;
            let place = if near.is_empty() { 0 } else { usize::from(away(near).min(3)) };
            add(&mut sum, self.values.shelter[place], 1);
            let storm = hostile & file_of(file) & before;
            let place = if storm.is_empty() { 0 } else { usize::from(away(storm).clamp(1, 5)) };
            add(&mut sum, self.values.storm[place], 1);
        }
        sum
    }

    /// Value of a side's threats against enemy pieces.
    fn threats(&self, position: &Position, sets: &Sets, sides: &[Side; 2], color: Color) -> Stages {
        let (side, other, hostile) = (&sides[color.index()], &sides[(!color).index()], &sets[(!color).index()]);
        let [pawns, knights, bishops, rooks, queens, king] = *hostile;
        let (values, mut sum) = (&self.values, [0; 2]);
        let mut count = |pair: Stages, squares: Squares| add(&mut sum, pair, squares.len() as i32);
        let minors = side.officers[0] | side.officers[1];
        count(values.pawn_threat[0], side.pawns & (knights | bishops));
        count(values.pawn_threat[1], side.pawns & (rooks | queens));
        count(values.threat[0], minors & rooks);
        count(values.threat[1], minors & queens);
        count(values.threat[2], side.officers[2] & queens);
        let loose = side.whole & !other.whole;
        count(values.loose[0], loose & pawns);
        count(values.loose[1], loose & position.of(!color) & !pawns & !king);
        let free = !position.occupied();
        let push = |pawns: Squares| match color {
            Color::White => Squares(pawns.0 << 8) & free,
            Color::Black => Squares(pawns.0 >> 8) & free,
        };
        let once = push(sets[color.index()][usize::from(PAWN)]);
        let twice = push(once & Squares::rank(if color == Color::White { 2 } else { 5 }));
        let safe = (once | twice) & !other.pawns & (side.whole | !other.whole);
        count(values.push_threat, pawns_guard(color, safe) & (knights | bishops | rooks | queens) & !side.pawns);
        sum
    }

    /// Value of passed pawns in addition to their rank.
    fn runners(&self, position: &Position, sets: &Sets, sides: &[Side; 2], color: Color) -> Stages {
        let other = &sides[(!color).index()];
        let mut sum = [0; 2];
        for square in sides[color.index()].passed {
            let rank = Size::ORTHODOX.rank_of(color, square.rank());
            let height = i32::from(rank);
            let next = ahead(color, square);
            if position.occupied().has(next) {
                add(&mut sum, self.values.blocked, height - 1);
            }
            let way = file_of(square.file()) & ranks_before(color, square.rank());
            if (way & (other.whole | position.of(!color))).is_empty() {
                add(&mut sum, self.values.free[usize::from(rank)], 1);
            }
            for (escort, side) in [color, !color].into_iter().enumerate() {
                if let Some(king) = sets[side.index()][usize::from(KING)].first() {
                    add(&mut sum, self.values.escort[escort], (height - 1) * steps(king, next).min(5));
                }
            }
        }
        sum
    }
}
