//! The rule layers that lie over the steps of pieces: pawns, castling, what attacks on royal pieces mean, and what the side to move has to do.

use super::square::{Color, Size, Square, Squares};

/// The rule layers over a pawn's steps.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pawns {
    /// Which kind is the pawn.
    pub kind: u8,
    /// From where a pawn may step twice, by colour; empty for no double step.
    pub double_from: [Squares; 2],
    /// A pawn that stepped twice may be captured in passing.
    pub en_passant: bool,
    /// The kinds that a pawn on its last rank may become, in the order in which they are offered; empty for no promotion.
    pub promotions: Vec<u8>,
}

impl Pawns {
    /// Tells whether a pawn that steps twice from a square may be captured in passing: not from its first rank, where only a horde has
    /// pawns.
    pub(super) fn passes(&self, us: Color, from: Square, size: Size) -> bool {
        self.en_passant && self.double_from[us.index()].has(from) && from.rank() != size.rank_of(us, 0)
    }
}

/// The rule layer of castling.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Castling {
    /// Which kind castles.
    pub king: u8,
    /// With which kind.
    pub rook: u8,
    /// The king may castle only out of, through and into squares that are not attacked.
    pub safe: bool,
    /// The move is written as the king taking its own rook, as in Chess960.
    pub king_takes_rook: bool,
}

/// The meaning of being attacked for a royal piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Royalty {
    /// A side's only royal piece must not be left attacked; two or more may.
    Check,
    /// Royal pieces may be left attacked, and captured.
    Capture,
    /// No piece is royal: kings are pieces like any other.
    Ordinary,
}

/// A duty of the side to move, beside keeping its royal piece safe.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Duty {
    /// None.
    None,
    /// To capture if it can, in passing too; it is free to choose which capture.
    Capture,
    /// To give no check. Nothing is said of what promotions attack: who has this duty has no pawns.
    Peace,
}
