//! The deal of a board, word for word as the source has it (“Extra Stuff” and rule 4). Chance is an argument: every number comes
//! from the generator that the caller holds.

use rand::{
    Rng,
    distr::{Distribution, Uniform},
};

use super::{
    board,
    sets::{self, BadBoard, OFFICERS, PAWN_RANKS, PAWNS, PieceSet, SETS},
};
use crate::board::{
    Color, Piece, Position, Size, Square, Squares,
    orthodox::{KING, PAWN},
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
    sets::check_officers(&officers)?;
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
