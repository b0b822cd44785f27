//! Moves of the cube as text: said as two cells, and as score sheets write them.

use std::{fmt, str::FromStr};

use super::{CubeCell, CubeKind, CubeMove, CubePosition};
use crate::san::SanError;

/// A text that is no move; `at` is the byte where it goes wrong.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a move is written as two cells and, for a promotion, a letter, as in Ab2Bb2 or Ec4Ec5q")]
pub struct BadMove {
    /// Offset in bytes.
    pub at: usize,
}

/// A move as it is said: `Ab2Bb2`, `Ec4Ec5q`.
impl fmt::Display for CubeMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let CubeMove { from, to, promotion } = *self;
        write!(f, "{from}{to}")?;
        promotion.map_or(Ok(()), |kind| write!(f, "{}", kind.letter().to_ascii_lowercase()))
    }
}

impl FromStr for CubeMove {
    type Err = BadMove;
    fn from_str(text: &str) -> Result<Self, BadMove> {
        let cell = |at: usize| text.get(at..at + 3).and_then(|cell| cell.parse().ok()).ok_or(BadMove { at });
        let (from, to) = (cell(0)?, cell(3)?);
        let promotion = match &text.as_bytes()[6..] {
            [] => None,
            [letter @ b'a'..=b'z'] => {
                Some(CubeKind::of_letter(char::from(letter.to_ascii_uppercase())).ok_or(BadMove { at: 6 })?)
            }
            _ => return Err(BadMove { at: 6 }),
        };
        Ok(CubeMove { from, to, promotion })
    }
}

impl CubePosition {
    /// A legal move as score sheets write it: the piece’s letter, none for a pawn; the cell it leaves where another of its kind
    /// could go there too, and whenever a pawn captures; `x`; the cell; what a pawn becomes; `+` or `#`: `NBc3`, `Bb4xCb5`, `Ee5=Q`.
    pub fn san(&self, mv: CubeMove) -> String {
        let CubeMove { from, to, promotion } = mv;
        let mut text = String::new();
        let Some(piece) = self.piece(from) else { return text };
        let takes = self.piece(to).is_some();
        let pawn = piece.kind == CubeKind::Pawn;
        if !pawn {
            text.push(piece.kind.letter());
        }
        let rival = |other: CubeCell| other != from && self.piece(other) == Some(piece) && self.goes(other, to);
        if (pawn && takes) || self.of(piece.color).any(rival) {
            text.push_str(&from.to_string());
        }
        if takes {
            text.push('x');
        }
        text.push_str(&to.to_string());
        text.extend(promotion.into_iter().flat_map(|kind| ['=', kind.letter()]));
        let after = self.after(mv);
        if after.in_check(after.turn) {
            text.push(if after.has_move() { '+' } else { '#' });
        }
        text
    }

    /// The legal move that a score sheet’s text means.
    pub fn parse_san(&self, text: &str) -> Result<CubeMove, SanError> {
        let bad = |at: usize| SanError {
            at,
            why: "a move is written as a piece’s letter and a cell, as in NBc3, Bc3 for a pawn, or Bb4xCb5".to_owned(),
        };
        let body = text.trim_end_matches(['+', '#', '!', '?']);
        let (body, promotion) = match body.split_once('=') {
            None => (body, None),
            Some((rest, letter)) => {
                let kind = letter.chars().next().filter(|_| letter.len() == 1).and_then(CubeKind::of_letter);
                (rest, Some(kind.ok_or_else(|| bad(rest.len() + 1))?))
            }
        };
        let end = body.len().checked_sub(3).ok_or_else(|| bad(0))?;
        let cell = |at: usize| -> Option<CubeCell> { body.get(at..at + 3)?.parse().ok() };
        let to = cell(end).ok_or_else(|| bad(end))?;
        let head = body[..end].trim_end_matches('x');
        let (kind, from) = match head.len() {
            0 | 3 => (CubeKind::Pawn, 0),
            1 | 4 => (head.chars().next().and_then(CubeKind::of_letter).ok_or_else(|| bad(0))?, 1),
            _ => return Err(bad(0)),
        };
        let from = match head.len() - from {
            0 => None,
            _ => Some(cell(from).ok_or_else(|| bad(from))?),
        };
        let fits = |mv: &CubeMove| {
            mv.to == to
                && mv.promotion == promotion
                && from.is_none_or(|from| from == mv.from)
                && self.piece(mv.from).is_some_and(|piece| piece.kind == kind)
        };
        let mut found = self.moves().into_iter().filter(fits);
        let name = kind.name();
        match (found.next(), found.next()) {
            (Some(mv), None) => Ok(mv),
            (None, _) => Err(SanError { at: 0, why: format!("no {name} of the side to move can go to {to} so") }),
            (Some(_), Some(_)) => {
                let why = format!("several {name}s can go to {to}; write the cell it leaves too, as in NAb1Bb3");
                Err(SanError { at: 0, why })
            }
        }
    }
}
