//! Moves as a board makes them and as the Universal Chess Interface writes them: two squares and, for a promotion, a letter; or for a drop the
//! piece's letter, an @ and the square.

use std::{fmt, str::FromStr};

use super::{board::Board, position::Position, square::Square};

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

/// A move as the Universal Chess Interface writes it: `e2e4`, `e7e8q`, `N@f3`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Uci {
    /// From where; a piece that is dropped comes from nowhere, and this is where it goes.
    pub from: Square,
    /// To where; for castling the king's target, or the rook's square in Chess960.
    pub to: Square,
    /// The lower-case letter of the kind that a pawn becomes.
    pub promotion: Option<char>,
    /// The upper-case letter of the kind that is dropped.
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

/// A text that is no UCI move; `at` is the byte where it goes wrong.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{why}")]
pub struct BadUci {
    /// Offset in bytes.
    pub at: usize,
    /// What to write instead.
    pub why: &'static str,
}

/// How moves are written, and drops.
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
    /// The move in UCI.
    pub fn uci(&self, mv: Move) -> Uci {
        let promotion = mv.promotion.map(|kind| self.kind(kind).letter.to_ascii_lowercase());
        let dropped = match mv.special {
            Special::Drop(kind) => Some(self.kind(kind).letter),
            Special::Plain | Special::Double | Special::EnPassant | Special::Castle => None,
        };
        Uci { from: mv.from, to: self.target(mv), promotion, dropped }
    }

    /// The legal move that a UCI text means in this position.
    pub fn find(&self, position: &Position, uci: Uci) -> Option<Move> {
        self.meant(&self.moves(position), uci)
    }

    /// The move of some that a UCI text means. Castling may always be said as the king taking his own rook, and as the king going to where he
    /// ends, if that is far enough to be no ordinary move.
    pub fn meant(&self, moves: &[Move], uci: Uci) -> Option<Move> {
        let exact = moves.iter().find(|mv| self.uci(**mv) == uci);
        let castles = |mv: &&Move| {
            let ends = mv.to == uci.to || self.castled_far(**mv) == Some(uci.to);
            mv.special == Special::Castle && mv.from == uci.from && uci.promotion.is_none() && ends
        };
        exact.or_else(|| moves.iter().find(castles)).copied()
    }
}
