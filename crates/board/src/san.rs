//! Standard algebraic notation for any board: writes legal moves and finds the legal move for a text.

use super::{
    board::{Board, RoyalRule},
    moves::{Move, Special},
    position::Position,
    square::Square,
};

/// Error for a text that is not a legal move.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("character {}: {why}", at + 1)]
pub struct SanError {
    /// Byte offset of the error.
    pub at: usize,
    /// Description of the error and how to correct it.
    pub why: String,
}

fn error<T>(at: usize, why: impl Into<String>) -> Result<T, SanError> {
    Err(SanError { at, why: why.into() })
}

/// Parsed text of a move that is neither castling nor a drop.
struct SanText {
    kind: u8,
    file: Option<u8>,
    rank: Option<u8>,
    takes: Option<usize>,
    to: Square,
    /// Byte offset of `to`.
    to_at: usize,
    promotion: Option<u8>,
}

impl Board {
    /// Writes a legal move in standard algebraic notation: `Nbd7`, `exd6`, `e8=Q+`, `O-O#`, `N@f3`.
    ///
    /// Under [`RoyalRule::Check`], `+` and `#` mark check and checkmate. Under [`RoyalRule::Capture`], `#` marks the
    /// capture of a royal piece. Under [`RoyalRule::Ordinary`] neither is written.
    pub fn san(&self, position: &Position, mv: Move) -> String {
        self.san_among(position, mv, &self.moves(position))
    }

    /// Writes one of `moves`, which must be all legal moves. Faster than [`Board::san`] for many moves.
    pub fn san_among(&self, position: &Position, mv: Move, moves: &[Move]) -> String {
        let mut text = match mv.special {
            Special::Castle if mv.to.file() > mv.from.file() => "O-O".to_owned(),
            Special::Castle => "O-O-O".to_owned(),
            Special::Drop(kind) => format!("{}@{}", self.kind(kind).letter, mv.to),
            Special::Plain | Special::Double | Special::EnPassant => self.san_body(position, mv, moves),
        };
        match self.royalty {
            RoyalRule::Check => {
                let after = self.after(position, mv);
                if self.explosions && self.royals(&after, after.turn).is_empty() {
                    text.push('#');
                } else if self.in_check(&after, after.turn) {
                    text.push(if self.has_move(&after) { '+' } else { '#' });
                }
            }
            RoyalRule::Capture => {
                let royal = |(_, piece): (Square, super::Piece)| self.kind(piece.kind).design.royal;
                if self.captured(position, mv).is_some_and(royal) {
                    text.push('#');
                }
            }
            RoyalRule::Ordinary => {}
        }
        text
    }

    fn san_body(&self, position: &Position, mv: Move, moves: &[Move]) -> String {
        let kind = position.kind(mv.from);
        let pawn = self.is_pawn(kind);
        let takes = self.captured(position, mv).is_some();
        let rivals: Vec<Square> = moves
            .iter()
            .filter(|other| {
                other.to == mv.to
                    && other.from != mv.from
                    && matches!(other.special, Special::Plain | Special::Double | Special::EnPassant)
                    && position.kind(other.from) == kind
            })
            .map(|other| other.from)
            .collect();
        let (mut file, mut rank) = (pawn && takes, false);
        if !rivals.is_empty() {
            let same_file = rivals.iter().any(|rival| rival.file() == mv.from.file());
            let same_rank = rivals.iter().any(|rival| rival.rank() == mv.from.rank());
            rank = same_file;
            file |= !same_file || same_rank;
        }
        let mut text = String::new();
        if !pawn {
            text.push(self.kind(kind).letter);
        }
        let from = mv.from.to_string();
        if file {
            text.push_str(&from[..1]);
        }
        if rank {
            text.push_str(&from[1..]);
        }
        if takes {
            text.push('x');
        }
        text.push_str(&mv.to.to_string());
        if let Some(kind) = mv.promotion {
            text.push('=');
            text.push(self.kind(kind).letter);
        }
        text
    }

    /// Finds the legal move for a text in standard algebraic notation.
    ///
    /// Parsing is lenient. It accepts zeros or the squares of king and rook for castling, `:`, `-` or nothing for `x`,
    /// `e8Q` or `e8/Q` for `e8=Q`, a pawn's letter, a longer origin than necessary, UCI moves, and any `+`, `#`, `!` and `?` at
    /// the end.
    pub fn parse_san(&self, position: &Position, text: &str) -> Result<Move, SanError> {
        if let Some(at) = text.bytes().position(|byte| !byte.is_ascii_graphic()) {
            return error(at, "write a move in letters, digits and signs without spaces, as in Nf3 or exd5");
        }
        let body = text.trim_end_matches(['+', '#', '!', '?']);
        match body {
            "O-O" | "0-0" => return self.castle(position, true),
            "O-O-O" | "0-0-0" => return self.castle(position, false),
            "--" => return error(0, "a null move passes the turn, which this game does not allow"),
            drop if drop.contains('@') => {
                return self.parse_drop(position, drop).map_err(|(at, why)| SanError { at, why });
            }
            _ => {}
        }
        // A full origin without a letter names any piece: g1f3, g1-f3, e1g1, e7e8q.
        let origin = |body: &str| body.get(..2).is_some_and(|from| from.parse::<Square>().is_ok());
        let pair = match body.get(2..3) {
            Some("-" | "x" | ":") => format!("{}{}", &body[..2], &body[3..]),
            _ => body.to_owned(),
        };
        if let Some(mv) = pair.parse().ok().filter(|_| origin(&pair)).and_then(|uci| self.find(position, uci))
            && (!self.is_pawn(position.kind(mv.from)) || body == pair)
        {
            return Ok(mv);
        }
        let said = self.parse_body(body)?;
        let fits = |mv: &Move| {
            matches!(mv.special, Special::Plain | Special::Double | Special::EnPassant)
                && mv.to == said.to
                && position.kind(mv.from) == said.kind
                && said.file.is_none_or(|file| file == mv.from.file())
                && said.rank.is_none_or(|rank| rank == mv.from.rank())
        };
        let fitting: Vec<Move> = self.moves(position).into_iter().filter(fits).collect();
        self.choose(position, &said, &fitting, fits)
    }

    fn castle(&self, position: &Position, right: bool) -> Result<Move, SanError> {
        let castles = |mv: &Move| mv.special == Special::Castle && (mv.to.file() > mv.from.file()) == right;
        match self.moves(position).into_iter().find(castles) {
            Some(mv) => Ok(mv),
            None => error(0, format!("{} cannot castle on that side now", position.turn.name())),
        }
    }

    /// Picks the move from the legal moves that fit, or explains why there is not exactly one.
    fn choose(
        &self,
        position: &Position,
        said: &SanText,
        fitting: &[Move],
        fits: impl Fn(&Move) -> bool,
    ) -> Result<Move, SanError> {
        let (name, to) = (&self.kind(said.kind).name, said.to);
        let Some(first) = fitting.first() else {
            let meant = self.pseudo_moves(position).into_iter().find(fits);
            return match meant.map(|mv| self.illegality_reason(position, mv)) {
                Some(Some(why)) => error(0, why),
                Some(None) => error(0, format!("that move leaves the {} attacked", self.royal_name())),
                None => error(0, format!("no {name} of {} can go there ({to})", position.turn.name())),
            };
        };
        if let Some(other) = fitting.iter().find(|mv| mv.from != first.from) {
            let (one, two) = (self.san(position, *first), self.san(position, *other));
            return error(0, format!("more than one {name} can go to {to}; write {one} or {two}"));
        }
        if let Some(at) = said.takes.filter(|_| self.captured(position, *first).is_none()) {
            return error(at, format!("nothing is captured on {to}; leave the x out"));
        }
        match (fitting.iter().find(|mv| mv.promotion == said.promotion), said.promotion, first.promotion) {
            (Some(mv), _, _) => Ok(*mv),
            (None, None, _) => {
                let choices: Vec<String> = fitting.iter().map(|mv| self.san(position, *mv)).collect();
                error(said.to_at + 2, format!("the {name} must promote; write {}", choices.join(" or ")))
            }
            (None, Some(_), None) => error(said.to_at + 2, format!("the {name} does not promote on {to}")),
            (None, Some(kind), Some(_)) => {
                error(said.to_at + 2, format!("the {name} cannot promote to a {}", self.kind(kind).name))
            }
        }
    }

    fn royal_name(&self) -> &str {
        self.kinds().iter().find(|kind| kind.design.royal).map_or("royal piece", |kind| kind.name.as_str())
    }

    /// Parses a text that is neither castling nor a drop and has only a promotion after its target.
    fn parse_body(&self, body: &str) -> Result<SanText, SanError> {
        let bytes = body.as_bytes();
        let mut start = 0;
        let kind = match bytes.first() {
            None => return error(0, "the move is missing; write one, as in Nf3 or exd5"),
            Some(letter) if letter.is_ascii_uppercase() => {
                start = 1;
                self.letter(body, 0)?
            }
            Some(_) => match &self.pawns {
                Some(pawns) => pawns.kind,
                None => return error(0, "this game has no pawns, so a move begins with the letter of a piece"),
            },
        };
        let mut end = bytes.len();
        let mut promotion = None;
        if end > start && bytes[end - 1].is_ascii_alphabetic() {
            promotion = Some(self.letter(body, end - 1)?);
            end -= 1;
            if matches!(bytes[..end].last(), Some(b'=' | b'/')) {
                end -= 1;
            }
        }
        let square = end.checked_sub(2).filter(|at| *at >= start).and_then(|at| {
            let to = body[at..end].parse::<Square>().ok()?;
            Some((to, at))
        });
        let Some((to, to_at)) = square else {
            // The error is at the first character that cannot be part of a move.
            let odd = |byte: &u8| !matches!(byte, b'a'..=b'h' | b'1'..=b'8' | b'x' | b':' | b'-');
            let at = bytes[start..end].iter().position(odd).map_or(end, |index| start + index);
            return error(at, "the target square is missing here; write it as a letter a–h and a digit 1–8");
        };
        if to.step(0, 0, self.size()).is_none() {
            return error(to_at, format!("{to} is not on this board of {}", self.size()));
        }
        let (mut at, mut file, mut rank, mut takes) = (start, None, None, None);
        if let Some(letter @ b'a'..=b'h') = bytes[at..to_at].first() {
            file = Some(letter - b'a');
            at += 1;
        }
        if let Some(digit @ b'1'..=b'8') = bytes[at..to_at].first() {
            rank = Some(digit - b'1');
            at += 1;
        }
        if let Some(sign @ (b'x' | b':' | b'-')) = bytes[at..to_at].first() {
            takes = (*sign != b'-').then_some(at);
            at += 1;
        }
        if at != to_at {
            return error(at, format!("“{}” does not belong before {to}", &body[at..to_at]));
        }
        Ok(SanText { kind, file, rank, takes, to, to_at, promotion })
    }

    fn letter(&self, body: &str, at: usize) -> Result<u8, SanError> {
        let letter = body.as_bytes()[at] as char;
        match self.kind_of(letter) {
            Some(kind) => Ok(kind),
            None => {
                let known: String = self.kinds().iter().map(|kind| kind.letter).collect();
                error(at, format!("“{letter}” is not a piece; the pieces are {known}"))
            }
        }
    }
}
