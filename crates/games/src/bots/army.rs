//! The worth of a position of the ordinary army on the ordinary board, for the games that are won by mate: a worth early in the game
//! and one late, and what lies between as the officers leave the board. In hundredths of a pawn.

mod king;
mod threats;

use super::{
    shape::{Shape, file_of, files_about, pawns_guard, ranks_before},
    values::{Stages, Values},
};
use crate::board::{
    Board, Color, Duty, Position, Royalty, Size, Square, Squares,
    orthodox::{BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK},
};

/// How much each kind counts for the game being early.
const EARLY: [i32; 6] = [0, 1, 1, 2, 4, 0];
/// The same of all officers of both sides at the beginning.
const FULL: i32 = 24;
/// The squares of the colour of a1.
const DARK: Squares = Squares(0xaa55_aa55_aa55_aa55);

/// The worths of the ordinary army.
pub(super) struct Army {
    values: Values,
    /// What a unit is worth on a square, by colour and kind.
    placed: [[[Stages; 64]; 6]; 2],
    /// The squares around each square, and it.
    ring: [Squares; 64],
}

/// A lead counts the less by this where it has no pawn and no more than a knight or bishop beyond what the other side has.
const BARREN: i32 = 4;

/// The units of both sides, by colour and kind.
type Sets = [[Squares; 6]; 2];

/// What one side has and attacks.
struct Side {
    worth: Stages,
    early: i32,
    /// What pawns attack, each kind of officer from the knight to the queen, and all units together but the king.
    pawns: Squares,
    officers: [Squares; 4],
    all: Squares,
    /// The same with the king.
    whole: Squares,
    /// The weight of the attacks on the squares around the other king.
    assault: usize,
    /// The pawns that no pawn can stop.
    passed: Squares,
}

fn add(sum: &mut Stages, pair: Stages, times: i32) {
    *sum = [sum[0] + pair[0] * times, sum[1] + pair[1] * times];
}

impl Army {
    /// Tells whether a board is the usual one, with the usual kinds and nothing to be dropped.
    pub(super) fn serves(board: &Board) -> bool {
        let usual = Board::orthodox();
        let alike = board.kinds().iter().zip(usual.kinds()).all(|(kind, usual)| kind.betza == usual.betza);
        board.size() == Size::ORTHODOX
            && board.kinds().len() == usual.kinds().len()
            && alike
            && board.pawns.as_ref().is_some_and(|pawns| pawns.kind == PAWN && !pawns.promotions.is_empty())
            && (board.royalty, board.duty) == (Royalty::Check, Duty::None)
            && !(board.holdings || board.duck || board.horde.is_some())
    }

    /// An army with these worths.
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

    /// What one side has.
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
        let shape = Shape::of(values, color, pawns, hostile[usize::from(PAWN)]);
        add(&mut sum, shape.worth, 1);
        Side { worth: sum, early, pawns: attacked, officers, all, whole, assault, passed: shape.passed }
    }

    /// What the place of an officer adds, as the pawns stand.
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
}
