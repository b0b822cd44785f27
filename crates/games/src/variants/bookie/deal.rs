//! The deal of a board, word for word as the source has it (“Extra Stuff” and rule 4), the piece-sets with their values, and the checks of a
//! board that comes from outside. Chance is an argument: every number comes from the generator that the caller holds.

use rand::{
    Rng,
    distr::{Distribution, Uniform},
};

use super::board;
use crate::board::{
    Color, Piece, Position, Size, Square, Squares,
    orthodox::{BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK},
};

/// The number of deals that are tried before giving up, while each leaves a king no square (our reading of a gap; two million deals
/// needed no second attempt).
pub const ATTEMPTS: u32 = 1000;

/// Why there is no deal.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum DealError {
    /// The officers that pawns and kings were to be dealt to cannot have been dealt.
    #[error("pawns and kings cannot be dealt to these pieces: {0}")]
    Officers(#[from] BadBoard),
    /// No attempt left both kings a square.
    #[error("no square was left for a king in {ATTEMPTS} deals; ask for another one")]
    NoKingSquare,
}

/// Deals a whole board with White to move. If a king finds no square, everything is dealt anew.
pub fn generate(rng: &mut dyn Rng) -> Result<Position, DealError> {
    until_dealt(|| {
        let officers = deal_officers(rng);
        rest(officers, rng)
    })
}

/// Deals the officers: White’s set is any of the 123 alike, Black’s any of those alike that answer White’s, and every officer
/// stands on any empty square of the board alike.
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

/// Deals pawns and kings to officers that are public already, on a board that may hold earlier pawns and kings: those go. If a
/// king finds no square, pawns and kings are dealt anew and the officers stay. The side to move stays too.
pub fn deal_rest(dealt: &Position, rng: &mut dyn Rng) -> Result<Position, DealError> {
    let officers = officers(dealt);
    check_officers(&officers)?;
    until_dealt(|| rest(officers, rng))
}

/// The part of a position that is seen before the reveal: the knights, bishops, rooks and queens, and the side to move.
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

/// Pawns and kings to officers alone, in the source’s order; nothing if a king finds no square.
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

/// Puts `count` pieces on empty squares of `field`, all choices alike. The field always has room: there are at most sixteen
/// officers on 64 squares, sixteen beside eight white pawns on 32, and 24 beside eight black pawns on 40.
fn scatter(position: &mut Position, field: Squares, piece: Piece, count: u32, rng: &mut dyn Rng) {
    for _ in 0..count {
        let square = any_of(field & !position.occupied(), rng);
        position.put(board(), square, piece);
    }
}

/// One member of a set that is not empty, all alike.
fn any_of(squares: Squares, rng: &mut dyn Rng) -> Square {
    let mut rest = squares.0;
    for _ in 0..below(squares.len(), rng) {
        rest &= rest - 1;
    }
    Square::at(rest.trailing_zeros() as usize)
}

/// One member of a list that is not empty, all alike.
fn one_of(sets: &[PieceSet], rng: &mut dyn Rng) -> PieceSet {
    sets[below(sets.len() as u32, rng) as usize]
}

/// A number from 0 to below `count`, which is not 0, all exactly alike: [`Uniform`] rejects what would favour some of them, while
/// a generator’s own ranges may be off by a hair.
fn below(count: u32, rng: &mut dyn Rng) -> u32 {
    Uniform::new(0, count).expect("a choice among none is never asked for").sample(rng)
}

/// The kinds of officer, in the order in which a [`PieceSet`] counts them.
pub const OFFICERS: [u8; 4] = [KNIGHT, BISHOP, ROOK, QUEEN];
/// The values that the source gives a knight, bishop, rook and queen.
const VALUES: [u32; 4] = [6, 7, 10, 18];
/// The least and the greatest value of a piece-set.
const WORTH: [u32; 2] = [12, 53];
/// At most so many officers of one kind.
const OF_A_KIND: u8 = 4;
/// By how much the value of Black’s set may exceed that of White’s.
const ADVANTAGE: u32 = 4;
/// The least and the most pawns that each side may have.
const PAWNS: [u32; 2] = [2, 8];
/// The ranks on which pawns are dealt: White’s 2 to 5, Black’s 3 to 7.
const PAWN_RANKS: [Squares; 2] = [ranks(1, 4), ranks(2, 6)];

const fn ranks(first: u8, last: u8) -> Squares {
    let (mut set, mut rank) = (0, first);
    while rank <= last {
        set |= Squares::rank(rank).0;
        rank += 1;
    }
    Squares(set)
}

/// The officers of one side: how many knights, bishops, rooks and queens, at most four of each and worth 12 to 53 together.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct PieceSet([u8; 4]);

/// All piece-sets there are, by rising value.
pub static SETS: [PieceSet; 123] = all();

const fn all() -> [PieceSet; 123] {
    let mut sets = [PieceSet([0; 4]); 123];
    let (mut found, mut value) = (0, WORTH[0]);
    while value <= WORTH[1] {
        let mut index = 0;
        // The counts are the digits of the index to the base five, the queens first so that the knights vary fastest.
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
    /// The numbers of knights, bishops, rooks and queens, each 0..=4.
    pub const fn counts(self) -> [u8; 4] {
        self.0
    }

    /// Six for a knight, seven for a bishop, ten for a rook and eighteen for a queen: 12 to 53 together.
    pub const fn value(self) -> u32 {
        worth(self.0)
    }

    /// The number of officers in the set, 1 to 8.
    pub fn size(self) -> u32 {
        self.0.iter().map(|count| u32::from(*count)).sum()
    }

    /// The sets that Black may have when White has this one: as much worth or up to four points more, and never over 53.
    pub fn replies(self) -> &'static [PieceSet] {
        let value = self.value();
        let first = SETS.partition_point(|set| set.value() < value);
        let end = SETS.partition_point(|set| set.value() <= value + ADVANTAGE);
        &SETS[first..end]
    }

    /// The set of `color`’s officers on a board.
    pub fn of(position: &Position, color: Color) -> Result<PieceSet, BadBoard> {
        let mut counts = [0u8; 4];
        for (count, kind) in counts.iter_mut().zip(OFFICERS) {
            let found = position.of_kind(color, kind).len();
            if found > u32::from(OF_A_KIND) {
                let name = NAMES[usize::from(kind)];
                return bad(format!("{} has {found} {name}s, and a side has at most {OF_A_KIND}", color.name()));
            }
            *count = found as u8;
        }
        let value = worth(counts);
        if value < WORTH[0] || value > WORTH[1] {
            let [least, most] = WORTH;
            return bad(format!(
                "{}’s pieces are worth {value}, and a side’s are worth {least} to {most}",
                color.name()
            ));
        }
        Ok(PieceSet(counts))
    }
}

/// The names of the kinds by index.
const NAMES: [&str; 6] = ["pawn", "knight", "bishop", "rook", "queen", "king"];

/// Why a board cannot have been dealt, in words.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct BadBoard(pub String);

fn bad<T>(why: String) -> Result<T, BadBoard> {
    Err(BadBoard(why))
}

/// Checks that the officers of a board, whatever else stands on it, are a pair of piece-sets that can be dealt: White’s set,
/// Black’s set.
pub fn check_officers(position: &Position) -> Result<[PieceSet; 2], BadBoard> {
    let white = PieceSet::of(position, Color::White)?;
    let black = PieceSet::of(position, Color::Black)?;
    if !(white.value()..=white.value() + ADVANTAGE).contains(&black.value()) {
        return bad(format!(
            "white’s pieces are worth {} and black’s {}, and black’s are worth the same or up to {ADVANTAGE} more",
            white.value(),
            black.value()
        ));
    }
    Ok([white, black])
}

/// Checks that a whole board can have been dealt: a pair of piece-sets, as many pawns on both sides, 2 to 8 and on their ranks, one
/// king each, and neither in check.
pub fn check(position: &Position) -> Result<(), BadBoard> {
    check_officers(position)?;
    let mut pawns = [0; 2];
    for color in Color::BOTH {
        let own = position.of_kind(color, PAWN);
        if let Some(square) = (own & !PAWN_RANKS[color.index()]).first() {
            return bad(format!("{} has a pawn on {square}, where none is dealt", color.name()));
        }
        pawns[color.index()] = own.len();
        let kings = position.of_kind(color, KING).len();
        if kings != 1 {
            return bad(format!("{} has {kings} kings instead of one", color.name()));
        }
    }
    let [least, most] = PAWNS;
    if pawns[0] != pawns[1] || !(least..=most).contains(&pawns[0]) {
        return bad(format!(
            "white has {} pawns and black {}, and both have the same number, {least} to {most}",
            pawns[0], pawns[1]
        ));
    }
    match Color::BOTH.into_iter().find(|color| super::board().in_check(position, *color)) {
        Some(color) => bad(format!("{} is in check, and no game begins with a check", color.name())),
        None => Ok(()),
    }
}
