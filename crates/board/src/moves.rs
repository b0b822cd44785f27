//! Moves, as a board makes them and as texts name them.

use super::square::Square;

/// The effect of a move beyond going from one square to another.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Special {
    /// Nothing.
    Plain,
    /// A pawn steps twice.
    Double,
    /// A pawn captures in passing.
    EnPassant,
    /// The king castles with the rook on the move's `to` square.
    Castle,
    /// A piece of this kind comes from the mover's holdings.
    Drop(u8),
}

/// A move of a unit on the board, or of a piece from the holdings.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Move {
    /// Where the unit stands; for a drop where it comes.
    pub from: Square,
    /// Where it goes; for castling the square of the rook.
    pub to: Square,
    /// The kind that a pawn becomes.
    pub promotion: Option<u8>,
    /// Its further effect.
    pub special: Special,
}
