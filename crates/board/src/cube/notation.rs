//! Moves and positions of the cube as text. Moves have a coordinate form and an algebraic form. A position is five
//! boards in Forsyth–Edwards notation, level A first, separated by bars, followed by the usual fields.

use std::{fmt, str::FromStr};

use super::{CubeCell, CubeKind, CubeMove, CubePiece, CubePosition, SIDE, piece_type::promotes};
use crate::{
    fen::{FenError, words},
    san::SanError,
    square::Color,
};

/// Error for a text that is not a move.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a move is written as two cells and, for a promotion, a letter, as in Ab2Bb2 or Ec4Ec5q")]
pub struct BadMove {
    /// Byte offset of the error.
    pub at: usize,
}

/// Coordinate form: `Ab2Bb2`, `Ec4Ec5q`.
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
    /// Algebraic form of a legal move: `NBc3`, `Bb4xCb5`, `Ee5=Q`. It consists of the piece's letter (none for a pawn),
    /// the origin if a piece of the same type could also reach the target or if a pawn captures, `x` for a capture, the
    /// target, the promotion, and `+` or `#`.
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

    /// Finds the legal move for a text in algebraic form.
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
            (None, _) => Err(SanError { at: 0, why: format!("no {name} of the side to move can go to {to} that way") }),
            (Some(_), Some(_)) => {
                let why = format!("several {name}s can go to {to}; add the cell it starts from, as in NAb1Bb3");
                Err(SanError { at: 0, why })
            }
        }
    }

    /// Parses a position. Trailing fields may be missing, and `_` or `+` may replace spaces. Rejects positions that no
    /// game can reach.
    pub fn parse(text: &str) -> Result<CubePosition, FenError> {
        if text.len() > LONGEST {
            return error(PLACEMENT, LONGEST, format!("a position has at most {LONGEST} characters"));
        }
        let fields: Vec<(usize, &str)> = words(text).collect();
        let mut position = placed(fields.first().copied().unwrap_or_default())?;
        if let Some((at, side)) = fields.get(1) {
            position.turn = match *side {
                "w" => Color::White,
                "b" => Color::Black,
                other => return error(SIDE_TO_MOVE, *at, format!("“{other}” is not a side; write w or b")),
            };
        }
        for ((at, none), field) in fields.iter().skip(2).zip(["castling rights", "en passant square"]) {
            if *none != "-" {
                return error(field, *at, "Raumschach does not use this field; write -");
            }
        }
        let number = |index: usize, field: &'static str, least: u16, most: u16| match fields.get(index) {
            None => Ok(least),
            Some((at, text)) => match text.parse() {
                Ok(number) if (least..=most).contains(&number) => Ok(number),
                Ok(_) | Err(_) => error(field, *at, format!("write a number from {least} to {most}")),
            },
        };
        position.halfmove = number(4, "half-move clock", 0, 150)?;
        position.fullmove = number(5, "move number", 1, 9_999)?;
        if let Some((at, _)) = fields.get(6) {
            return error("move number", *at, "a position has six fields, and this is a seventh");
        }
        if position.in_check(!position.turn) {
            let (king, mover) = (position.king(!position.turn), position.turn.name());
            return error(SIDE_TO_MOVE, 0, format!("the king on {king} can be captured with {mover} to move"));
        }
        Ok(position)
    }

    /// Writes the position in the format of [`CubePosition::parse`].
    pub fn fen(&self) -> String {
        let levels: Vec<String> = (0..SIDE).map(|level| self.level(level)).collect();
        let side = if self.turn == Color::White { 'w' } else { 'b' };
        format!("{} {side} - - {} {}", levels.join("|"), self.halfmove, self.fullmove)
    }

    fn level(&self, level: u8) -> String {
        let ranks: Vec<String> = (0..SIDE).rev().map(|rank| self.rank(level, rank)).collect();
        ranks.join("/")
    }

    fn rank(&self, level: u8, rank: u8) -> String {
        let mut text = String::new();
        let mut run = 0;
        for file in 0..SIDE {
            match self.piece(CubeCell::new(level, file, rank)) {
                None => run += 1,
                Some(piece) => {
                    if run > 0 {
                        text.push_str(&run.to_string());
                    }
                    run = 0;
                    text.push(match piece.color {
                        Color::White => piece.kind.letter(),
                        Color::Black => piece.kind.letter().to_ascii_lowercase(),
                    });
                }
            }
        }
        if run > 0 {
            text.push_str(&run.to_string());
        }
        text
    }
}

/// Starting position of Raumschach.
pub const START: &str = "5/5/5/PPPPP/RNKNR|5/5/5/PPPPP/BUQBU|5/5/5/5/5|ubqub/ppppp/5/5/5|rnknr/ppppp/5/5/5 w - - 0 1";

/// Maximum length of a position, in bytes.
const LONGEST: usize = 256;
/// Maximum number of a side's pieces, and of its pawns.
const MOST: [(usize, &str); 2] = [(20, "pieces"), (10, "pawns")];

const PLACEMENT: &str = "piece placement";
const SIDE_TO_MOVE: &str = "side to move";

fn error<T>(field: &'static str, at: usize, why: impl Into<String>) -> Result<T, FenError> {
    Err(FenError { field, at, why: why.into() })
}

/// Parses the placement, given its offset and text.
fn placed((start, text): (usize, &str)) -> Result<CubePosition, FenError> {
    let mut pieces: Vec<(CubeCell, CubePiece)> = Vec::new();
    let levels: Vec<&str> = text.split('|').collect();
    if levels.len() != usize::from(SIDE) {
        let why = format!("write five levels with | between them, A first; here {}", count(levels.len()));
        return error(PLACEMENT, start, why);
    }
    let mut at = start;
    for (level, ranks) in (0..SIDE).zip(levels) {
        let ranks: Vec<&str> = ranks.split('/').collect();
        if ranks.len() != usize::from(SIDE) {
            let why = format!("level {} must have five ranks; here {}", letter(level), count(ranks.len()));
            return error(PLACEMENT, at, why);
        }
        for (rank, row) in (0..SIDE).rev().zip(ranks) {
            let mut file = 0;
            for (offset, sign) in row.char_indices() {
                let run = sign.to_digit(10).filter(|run| (1..=u32::from(SIDE)).contains(run));
                let kind = CubeKind::of_letter(sign.to_ascii_uppercase());
                let wide = match (run, kind) {
                    (Some(run), _) => run as u8,
                    (None, Some(_)) => 1,
                    (None, None) => {
                        let why = format!(
                            "“{sign}” is not a piece; write one of PNBURQK, in lower case for Black, or 1 to 5"
                        );
                        return error(PLACEMENT, at + offset, why);
                    }
                };
                if file + wide > SIDE {
                    let why = format!("rank {} of level {} has more than five cells", rank + 1, letter(level));
                    return error(PLACEMENT, at + offset, why);
                }
                if let Some(kind) = kind {
                    let color = if sign.is_ascii_uppercase() { Color::White } else { Color::Black };
                    pieces.push((CubeCell::new(level, file, rank), CubePiece { kind, color }));
                }
                file += wide;
            }
            if file < SIDE {
                let why = format!("rank {} of level {} has {file} cells instead of five", rank + 1, letter(level));
                return error(PLACEMENT, at + row.len(), why);
            }
            at += row.len() + 1;
        }
    }
    possible(start, &pieces)
}

fn letter(level: u8) -> char {
    char::from(b'A' + level)
}

fn count(number: usize) -> String {
    if number == 1 { "is one".to_owned() } else { format!("are {number}") }
}

/// Builds a position if a game can reach it.
fn possible(start: usize, pieces: &[(CubeCell, CubePiece)]) -> Result<CubePosition, FenError> {
    let mut kings = [CubeCell::new(0, 0, 0); 2];
    for color in Color::BOTH {
        let own = || pieces.iter().filter(|(_, piece)| piece.color == color);
        let found: Vec<CubeCell> =
            own().filter(|(_, piece)| piece.kind == CubeKind::King).map(|(cell, _)| *cell).collect();
        match found.as_slice() {
            [king] => kings[color.index()] = *king,
            others => {
                let why = format!("each side must have one king, and {} has {}", color.name(), others.len());
                return error(PLACEMENT, start, why);
            }
        }
        let pawns = || own().filter(|(_, piece)| piece.kind == CubeKind::Pawn);
        if let Some((cell, _)) = pawns().find(|(cell, _)| promotes(color, *cell)) {
            return error(
                PLACEMENT,
                start,
                format!("a {} pawn cannot be on {cell}, where pawns promote", color.name()),
            );
        }
        for (found, (most, what)) in [own().count(), pawns().count()].into_iter().zip(MOST) {
            if found > most {
                let why = format!("{} has {found} {what}, and a side has at most {most}", color.name());
                return error(PLACEMENT, start, why);
            }
        }
    }
    let mut position = CubePosition::of_kings(kings);
    for (cell, piece) in pieces {
        position.put(*cell, *piece);
    }
    Ok(position)
}
