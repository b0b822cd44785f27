//! A turn that was carried out, and the moves that were made in it.

use crate::{
    board::{Move, Position, Square, Squares},
    variants::clairvoyant::action::{Part, Turn},
};

/// The most moves that any turn can have: a free one and two bought ones, if the game allows that.
pub(super) const MOVES: usize = 3;

/// A move of a turn that was made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Done {
    /// The unit, by the square on which it stood before the turn, or on which it was dropped.
    pub unit: Square,
    /// The move.
    pub mv: Move,
    /// Where the unit came to.
    pub landing: Square,
    /// The move was bought.
    pub bought: bool,
    /// The kind of the unit.
    pub(super) kind: u8,
    /// The move was a capture.
    pub(super) captured: bool,
    /// The opponent's only king stood in check when it was made.
    pub(super) checks: bool,
    /// The square that a pawn stepped over.
    pub(super) skipped: Squares,
}

/// A turn that was carried out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayedTurn {
    /// The turn as it was said.
    pub turn: Turn,
    /// The moves in it, in order.
    pub moves: [Option<Done>; MOVES],
    /// The price paid for it.
    pub price: i64,
    /// Where it led.
    pub after: Position,
}

impl PlayedTurn {
    /// The squares that the turn touched, for marking on a board.
    pub fn touched(&self) -> Vec<Square> {
        let mut squares = Vec::new();
        for part in &self.turn.parts {
            match part {
                Part::Drop(_, square) => squares.push(*square),
                Part::Move(uci) => squares.extend([uci.from, uci.to]),
            }
        }
        squares
    }
}
