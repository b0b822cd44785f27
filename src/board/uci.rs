//! Moves as the Universal Chess Interface writes them: two squares and, for a promotion, a letter.

use std::{fmt, str::FromStr};

use super::square::Square;

/// A move as the Universal Chess Interface writes it: `e2e4`, `e7e8q`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Uci {
    /// From where.
    pub from: Square,
    /// To where; for castling the king's target, or the rook's square in Chess960.
    pub to: Square,
    /// The lower-case letter of the kind that a pawn becomes.
    pub promotion: Option<char>,
}

impl fmt::Display for Uci {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)?;
        self.promotion.map_or(Ok(()), |letter| write!(f, "{letter}"))
    }
}

/// A text that is no UCI move; `at` is the byte where it goes wrong.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a move is written as two squares and, for a promotion, a letter, as in e2e4 or e7e8q")]
pub struct BadUci {
    /// Offset in bytes.
    pub at: usize,
}

impl FromStr for Uci {
    type Err = BadUci;
    fn from_str(text: &str) -> Result<Self, BadUci> {
        let square = |at: usize| text.get(at..at + 2).and_then(|square| square.parse().ok()).ok_or(BadUci { at });
        let (from, to) = (square(0)?, square(2)?);
        let promotion = match &text.as_bytes()[4..] {
            [] => None,
            [letter] if letter.is_ascii_lowercase() => Some(*letter as char),
            _ => return Err(BadUci { at: 4 }),
        };
        Ok(Uci { from, to, promotion })
    }
}
