//! The deal of a board, exactly as in the source (“Extra Stuff” and rule 4), the piece-sets with their values, and the checks of a board from
//! outside. The caller supplies the random generator.

use rand::{
    Rng,
    distr::{Distribution, Uniform},
};

use super::board;
use crate::board::{
    Color, Piece, Position, Size, Square, Squares,
    orthodox::{BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK},
};

/// Maximum number of attempts to deal a board with a square for each king (our reading of a gap). Two million simulated deals needed no
/// second attempt.
pub const ATTEMPTS: u32 = 1000;

/// Error of a failed deal.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum DealError {
    /// The given officers cannot have been dealt.
    #[error("pawns and kings cannot be dealt to these pieces: {0}")]
    Officers(#[from] BadBoard),
    /// No attempt left both kings a square.
    #[error("no square was left for a king in {ATTEMPTS} deals; request another position")]
    NoKingSquare,
}

/// Deals a whole board with White to move. If a king has no square, everything is dealt again.
pub fn generate(rng: &mut dyn Rng) -> Result<Position, DealError> {
    until_dealt(|| {
        let officers = deal_officers(rng);
        rest(officers, rng)
    })
}

/// Deals the officers. White’s set is uniform over all 123 sets, Black’s over the sets that may answer White’s, and every officer is on a uniformly
/// random empty square of the whole board.
pub fn deal_officers(rng: &mut dyn Rng) -> Position {
    let white = one_of(&SETS, rng);
    let black = one_of(white.replies(), rng);
    let mut position = Position::EMPTY;
    for (color, set) in [(Color::White, white), (Color::Black, black)] {
        for (kind, count) in OFFICERS.into_iter().zip(set.counts()) {
            scatter(&mut position, Size::ORTHODOX.squares(), Piece { color, kind }, u32::from(count), rng);
        }
    }
    position
}

/// Deals pawns and kings to officers that are public already. Earlier pawns and kings are removed. If a king has no square, pawns and kings are
/// dealt again, but the officers stay. The side to move stays too.
pub fn deal_rest(dealt: &Position, rng: &mut dyn Rng) -> Result<Position, DealError> {
    let officers = officers(dealt);
    check_officers(&officers)?;
    until_dealt(|| rest(officers, rng))
}

/// The part of a position that is visible before the reveal: knights, bishops, rooks and queens, and the side to move.
pub fn officers(position: &Position) -> Position {
    let mut officers = Position::EMPTY;
    officers.turn = position.turn;
    for (square, piece) in position.pieces().filter(|(_, piece)| OFFICERS.contains(&piece.kind)) {
        officers.put(board(), square, piece);
    }
    officers
}

fn until_dealt(mut attempt: impl FnMut() -> Option<Position>) -> Result<Position, DealError> {
    (0..ATTEMPTS).find_map(|_| attempt()).ok_or(DealError::NoKingSquare)
}

/// Deals pawns and kings to bare officers, in the source’s order; `None` if a king has no square.
fn rest(mut position: Position, rng: &mut dyn Rng) -> Option<Position> {
    let [least, most] = PAWNS;
    let pawns = least + below(most - least + 1, rng);
    for color in Color::BOTH {
        scatter(&mut position, PAWN_RANKS[color.index()], Piece { color, kind: PAWN }, pawns, rng);
    }
    for color in Color::BOTH {
        let safe = Size::ORTHODOX.squares() & !position.occupied() & !board().attacks(&position, !color);
        if safe.is_empty() {
            return None;
        }
        position.put(board(), any_of(safe, rng), Piece { color, kind: KING });
    }
    Some(position)
}

/// Puts `count` pieces on uniformly random empty squares of `field`. The field always has room: at most 16 officers on 64 squares, 16 pieces
/// and eight white pawns on 32, and 24 pieces and eight black pawns on 40.
fn scatter(position: &mut Position, field: Squares, piece: Piece, count: u32, rng: &mut dyn Rng) {
    for _ in 0..count {
        let square = any_of(field & !position.occupied(), rng);
        position.put(board(), square, piece);
    }
}

/// A uniformly random member of a non-empty set.
fn any_of(squares: Squares, rng: &mut dyn Rng) -> Square {
    let mut rest = squares.0;
    for _ in 0..below(squares.len(), rng) {
        rest &= rest - 1;
    }
    Square::at(rest.trailing_zeros() as usize)
}

/// A uniformly random member of a non-empty list.
fn one_of(sets: &[PieceSet], rng: &mut dyn Rng) -> PieceSet {
    sets[below(sets.len() as u32, rng) as usize]
}

/// A number in `0..count` with an exactly uniform distribution; `count` must not be 0. [`Uniform`] rejects biased samples, while the ranges of
/// a generator may be slightly biased.
fn below(count: u32, rng: &mut dyn Rng) -> u32 {
    Uniform::new(0, count).expect("the count is never 0").sample(rng)
}

/// The types of officers, in the order in which a [`PieceSet`] counts them.
pub const OFFICERS: [u8; 4] = [KNIGHT, BISHOP, ROOK, QUEEN];
/// The source’s values of knight, bishop, rook and queen.
const VALUES: [u32; 4] = [6, 7, 10, 18];
/// Lowest and highest value of a piece-set.
const WORTH: [u32; 2] = [12, 53];
/// Most officers of one type.
const OF_A_KIND: u8 = 4;
/// Most by which the value of Black’s set may exceed the value of White’s.
const ADVANTAGE: u32 = 4;
/// Fewest and most pawns of each side.
const PAWNS: [u32; 2] = [2, 8];
/// The ranks for pawns: White’s 2 to 5, Black’s 3 to 7.
const PAWN_RANKS: [Squares; 2] = [ranks(1, 4), ranks(2, 6)];

const fn ranks(first: u8, last: u8) -> Squares {
    let (mut set, mut rank) = (0, first);
    while rank <= last {
        set |= Squares::rank(rank).0;
        rank += 1;
    }
    Squares(set)
}

/// The officers of one side: the numbers of knights, bishops, rooks and queens, at most four each, with a total value of 12 to 53.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct PieceSet([u8; 4]);

/// All piece-sets, by rising value.
pub static SETS: [PieceSet; 123] = all();

const fn all() -> [PieceSet; 123] {
    let mut sets = [PieceSet([0; 4]); 123];
    let (mut found, mut value) = (0, WORTH[0]);
    while value <= WORTH[1] {
        let mut index = 0;
        // The counts are the base-5 digits of the index; the queens come first, so that the knights vary fastest.
        while index < 625 {
            let counts = [(index % 5) as u8, (index / 5 % 5) as u8, (index / 25 % 5) as u8, (index / 125) as u8];
            if worth(counts) == value {
                sets[found] = PieceSet(counts);
                found += 1;
            }
            index += 1;
        }
        value += 1;
    }
    assert!(found == sets.len());
    sets
}

const fn worth(counts: [u8; 4]) -> u32 {
    let (mut sum, mut kind) = (0, 0);
    while kind < 4 {
        sum += counts[kind] as u32 * VALUES[kind];
        kind += 1;
    }
    sum
}

impl PieceSet {
    /// Numbers of knights, bishops, rooks and queens, each 0 to 4.
    pub const fn counts(self) -> [u8; 4] {
        self.0
    }

    /// Total value, 12 to 53: a knight counts 6, a bishop 7, a rook 10 and a queen 18.
    pub const fn value(self) -> u32 {
        worth(self.0)
    }

    /// Number of officers in the set, 1 to 8.
    pub fn size(self) -> u32 {
        self.0.iter().map(|count| u32::from(*count)).sum()
    }

    /// The sets that Black may get against this one: worth the same or up to four points more, and never over 53.
    pub fn replies(self) -> &'static [PieceSet] {
        let value = self.value();
        let first = SETS.partition_point(|set| set.value() < value);
        let end = SETS.partition_point(|set| set.value() <= value + ADVANTAGE);
        &SETS[first..end]
    }

    /// The set of a colour’s officers on a board.
    pub fn of(position: &Position, color: Color) -> Result<PieceSet, BadBoard> {
        let mut counts = [0u8; 4];
        for (count, kind) in counts.iter_mut().zip(OFFICERS) {
            let found = position.of_kind(color, kind).len();
            if found > u32::from(OF_A_KIND) {
                let name = NAMES[usize::from(kind)];
                return bad(format!("{} has {found} {name}s; the limit is {OF_A_KIND}", color.name()));
            }
            *count = found as u8;
        }
        let value = worth(counts);
        if value < WORTH[0] || value > WORTH[1] {
            let [least, most] = WORTH;
            return bad(format!("{}’s pieces are worth {value}; the range is {least} to {most}", color.name()));
        }
        Ok(PieceSet(counts))
    }
}

/// Names of the piece types by index.
const NAMES: [&str; 6] = ["pawn", "knight", "bishop", "rook", "queen", "king"];

/// Reason why a board cannot have been dealt.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct BadBoard(pub String);

fn bad<T>(why: String) -> Result<T, BadBoard> {
    Err(BadBoard(why))
}

/// Checks that the officers of a board are a pair of piece-sets that can be dealt. Ignores all other pieces. Returns White’s set and Black’s set.
pub fn check_officers(position: &Position) -> Result<[PieceSet; 2], BadBoard> {
    let white = PieceSet::of(position, Color::White)?;
    let black = PieceSet::of(position, Color::Black)?;
    if !(white.value()..=white.value() + ADVANTAGE).contains(&black.value()) {
        return bad(format!(
            "white’s pieces are worth {} and black’s {}; black’s must be worth the same or up to {ADVANTAGE} more",
            white.value(),
            black.value()
        ));
    }
    Ok([white, black])
}

/// Checks that a whole board can have been dealt: a legal pair of piece-sets, the same number of pawns on both sides, 2 to 8 on their ranks, one
/// king each, and no king in check.
pub fn check(position: &Position) -> Result<(), BadBoard> {
    check_officers(position)?;
    let mut pawns = [0; 2];
    for color in Color::BOTH {
        let own = position.of_kind(color, PAWN);
        if let Some(square) = (own & !PAWN_RANKS[color.index()]).first() {
            return bad(format!("{} has a pawn on {square}, where no pawn is ever dealt", color.name()));
        }
        pawns[color.index()] = own.len();
        let kings = position.of_kind(color, KING).len();
        if kings != 1 {
            return bad(format!("{} must have one king, not {kings}", color.name()));
        }
    }
    let [least, most] = PAWNS;
    if pawns[0] != pawns[1] || !(least..=most).contains(&pawns[0]) {
        return bad(format!(
            "white has {} pawns and black {}; both must have the same number, {least} to {most}",
            pawns[0], pawns[1]
        ));
    }
    match Color::BOTH.into_iter().find(|color| super::board().in_check(position, *color)) {
        Some(color) => bad(format!("{} is in check, but no king is ever dealt in check", color.name())),
        None => Ok(()),
    }
}
