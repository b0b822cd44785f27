//! Moves, and their form in the Universal Chess Interface (UCI): two squares and a promotion letter, or for a drop the
//! piece's letter, an @ and the square.

use std::{fmt, str::FromStr};

use super::{board::Board, position::Position, square::Square};

/// Special effect of a move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Special {
    /// None.
    Plain,
    /// A pawn's double step.
    Double,
    /// An en passant capture.
    EnPassant,
    /// Castling with the rook on the move's `to` square.
    Castle,
    /// A drop of this piece type from the mover's reserve.
    Drop(u8),
}

/// A move of a piece on the board, or a drop.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Move {
    /// Origin; for a drop, the target.
    pub from: Square,
    /// Target; for castling, the rook's square.
    pub to: Square,
    /// Index of the promotion piece.
    pub promotion: Option<u8>,
    /// Special effect.
    pub special: Special,
}

/// A move in UCI: `e2e4`, `e7e8q`, `N@f3`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Uci {
    /// Origin; for a drop, the target.
    pub from: Square,
    /// Target; for castling, the king's target or, in Chess960, the rook's square.
    pub to: Square,
    /// Lower-case letter of the promotion piece.
    pub promotion: Option<char>,
    /// Upper-case letter of the dropped piece.
    pub dropped: Option<char>,
}

impl fmt::Display for Uci {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(letter) = self.dropped {
            return write!(f, "{letter}@{}", self.to);
        }
        write!(f, "{}{}", self.from, self.to)?;
        self.promotion.map_or(Ok(()), |letter| write!(f, "{letter}"))
    }
}

/// Error for a text that is not a UCI move.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{why}")]
pub struct BadUci {
    /// Byte offset of the error.
    pub at: usize,
    /// The correct form.
    pub why: &'static str,
}

const MOVE: &str = "a move is written as two squares and, for a promotion, a letter, as in e2e4 or e7e8q";
const DROP: &str = "a drop is written as a letter, an @ and a square, as in N@f3";

impl FromStr for Uci {
    type Err = BadUci;
    fn from_str(text: &str) -> Result<Self, BadUci> {
        let letter = text.split_once('@').map(|(letter, _)| letter);
        let why = if letter.is_some() { DROP } else { MOVE };
        let bad = |at: usize| BadUci { at, why };
        let square = |at: usize| text.get(at..at + 2).and_then(|square| square.parse().ok()).ok_or(bad(at));
        if let Some(letter) = letter {
            let &[letter @ b'A'..=b'Z'] = letter.as_bytes() else { return Err(bad(0)) };
            let to = square(2)?;
            return match text.len() {
                4 => Ok(Uci { from: to, to, promotion: None, dropped: Some(char::from(letter)) }),
                _ => Err(bad(4)),
            };
        }
        let (from, to) = (square(0)?, square(2)?);
        let promotion = match &text.as_bytes()[4..] {
            [] => None,
            [letter] if letter.is_ascii_lowercase() => Some(*letter as char),
            _ => return Err(bad(4)),
        };
        Ok(Uci { from, to, promotion, dropped: None })
    }
}

impl Board {
    /// Converts a move to UCI.
    pub fn uci(&self, mv: Move) -> Uci {
        let promotion = mv.promotion.map(|kind| self.kind(kind).letter.to_ascii_lowercase());
        let dropped = match mv.special {
            Special::Drop(kind) => Some(self.kind(kind).letter),
            Special::Plain | Special::Double | Special::EnPassant | Special::Castle => None,
        };
        Uci { from: mv.from, to: self.target(mv), promotion, dropped }
    }

    /// Finds the legal move for a UCI text.
    pub fn find(&self, position: &Position, uci: Uci) -> Option<Move> {
        self.find_among(&self.moves(position), uci)
    }

    /// Finds the move in `moves` for a UCI text. Castling also accepts the king taking its own rook, and the king's
    /// target if that is too far for an ordinary king move.
    pub fn find_among(&self, moves: &[Move], uci: Uci) -> Option<Move> {
        let exact = moves.iter().find(|mv| self.uci(**mv) == uci);
        let castles = |mv: &&Move| {
            let ends = mv.to == uci.to || self.castled_far(**mv) == Some(uci.to);
            mv.special == Special::Castle && mv.from == uci.from && uci.promotion.is_none() && ends
        };
        exact.or_else(|| moves.iter().find(castles)).copied()
    }
}
