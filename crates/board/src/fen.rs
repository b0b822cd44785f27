//! Forsyth–Edwards notation for boards of any size. Errors name the field and character.
//!
//! The reader accepts the styles of other programs where their meaning is clear, and lists its changes. The writer has one style.

mod fields;

pub use fields::{CheckCount, words};

use std::iter::repeat_n;

use fields::{Field, NAMES, fields};

use super::{
    board::{Board, MoveObligation, RoyalRule},
    piece_type::PieceType,
    position::{Piece, Position},
    square::{Color, Size, Square, Squares},
};

/// The kings' usual starting file: e.
pub(super) const USUAL_FILE: u8 = 4;

/// The sign after a letter that several piece types share.
const DRESS: char = '\'';

/// The sign for the duck.
const DUCK: char = '*';

/// The sign after a promoted pawn's letter, in games with a reserve.
const PROMOTED: char = '~';

/// A position as read from a FEN.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadFen {
    /// The position. It need not be legal: see [`Board::validate`].
    pub position: Position,
    /// Counts of checks in three-check chess.
    pub checks: Option<CheckCount>,
    /// Parts that were changed or left out, one clause each.
    pub changes: Vec<String>,
}

/// Size of the board in a FEN.
pub fn shape(text: &str) -> Result<Size, FenError> {
    let (placement, _) = split_reserve(fields(text)?.placement, None)?;
    let rows = 1 + placement.text.bytes().filter(|letter| *letter == b'/').count();
    let mut width = 0usize;
    let marks = |letter: &char| matches!(*letter, DRESS | PROMOTED);
    for letter in placement.text.chars().take_while(|letter| *letter != '/').filter(|letter| !marks(letter)) {
        width += letter.to_digit(10).map_or(1, |run| run as usize);
    }
    match (u8::try_from(width), u8::try_from(rows)) {
        (Ok(width), Ok(height)) => match Size::new(width, height) {
            Some(size) => Ok(size),
            None => placement.error(
                0,
                format!("a board has 1 to 8 files and ranks, and this one has {width} files and {height} ranks"),
            ),
        },
        (Err(_), _) | (_, Err(_)) => placement.error(0, "a board has 1 to 8 files and ranks"),
    }
}

/// Splits a placement from the reserves, which follow in brackets or as an extra rank. `ranks` is the number of ranks, if it is known.
fn split_reserve<'t>(field: Field<'t>, ranks: Option<u8>) -> Result<(Field<'t>, Option<Field<'t>>), FenError> {
    let part = |from: usize, to: usize| Field { text: &field.text[from..to], at: field.at + from, ..field };
    if let Some(end) = field.text.find('[') {
        return match field.text.strip_suffix(']') {
            Some(closed) => Ok((part(0, end), Some(part(end + 1, closed.len())))),
            None => field.error(field.text.len(), "the reserve must end with ]"),
        };
    }
    let slash = match ranks {
        Some(ranks) => field.text.match_indices('/').nth(usize::from(ranks) - 1),
        None => field.text.rmatch_indices('/').next().filter(|(at, _)| {
            let last = &field.text[at + 1..];
            let ninth = field.text.bytes().filter(|letter| *letter == b'/').count() == 8;
            last.is_empty() || ninth && !last.contains(|letter: char| letter.is_ascii_digit())
        }),
    };
    Ok(match slash {
        Some((end, _)) => (part(0, end), Some(part(end + 1, field.text.len()))),
        None => (field, None),
    })
}

impl Board {
    /// Parses a FEN, and drops the list of changes: see [`Board::read_fen`].
    pub fn parse_fen(&self, text: &str) -> Result<Position, FenError> {
        let ReadFen { position, checks, changes: _ } = self.read_fen(text)?;
        match (checks, fields(text)?.checks) {
            (Some(_), Some((field, _))) => field
                .error(0, format!("“{}” counts checks, which only three-check chess does; leave it out", field.text)),
            _ => Ok(position),
        }
    }

    /// Parses a FEN or an EPD. Trailing fields may be missing, and `_` or `+` may replace spaces.
    pub fn read_fen(&self, text: &str) -> Result<ReadFen, FenError> {
        let fields = fields(text)?;
        let [side, rights, passant, halfmove, fullmove] = fields.rest;
        let mut changes = Vec::new();
        let mut position = self.placed(fields.placement, &mut changes)?;
        if let Some(field) = side {
            position.turn = match field.text {
                "w" | "W" | "white" | "White" => Color::White,
                "b" | "B" | "black" | "Black" => Color::Black,
                other => return field.error(0, format!("“{other}” is not a side; write w or b")),
            };
        }
        if let Some(field) = rights.and_then(Field::said) {
            position.rights = self.rights(field, &position, &mut changes)?;
        }
        if let Some(field) = passant.and_then(Field::said) {
            position.en_passant = self.passant(field, &position)?;
        }
        let mut counter = |field: Option<Field>, least: u16| match field.and_then(Field::said) {
            Some(field) if field.text == "0" && least == 1 => {
                changes.push("the move number 0 became 1".to_owned());
                Ok(least)
            }
            Some(field) => number(field, least),
            None => {
                changes.extend(field.map(|field| format!("the {} became {least}", field.name)));
                Ok(least)
            }
        };
        position.halfmove = counter(halfmove, 0)?;
        position.fullmove = counter(fullmove, 1)?;
        if !fields.ignored.is_empty() {
            changes.push(format!("the operations {} were left out", fields.ignored.join(", ")));
        }
        Ok(ReadFen { position, checks: fields.checks.map(|(_, count)| count), changes })
    }

    /// Parses the first field: the placement and both sides' reserves.
    fn placed(&self, field: Field, changes: &mut Vec<String>) -> Result<Position, FenError> {
        let (placement, reserve) = split_reserve(field, Some(self.size().height()))?;
        let reserve = reserve.map(|reserve| reserve.said().unwrap_or(Field { text: "", ..reserve }));
        match reserve {
            None => self.placement(placement, changes),
            Some(reserve) if reserve.text.is_empty() && !self.holdings => {
                changes.push("the empty reserve was left out".to_owned());
                self.placement(placement, changes)
            }
            Some(reserve) if !self.holdings && field.text.ends_with(']') => {
                reserve.error(0, "this game has no reserve; leave the brackets out")
            }
            Some(_) if !self.holdings => self.placement(field, changes),
            Some(reserve) => {
                let mut position = self.placement(placement, changes)?;
                let wrong = |(at, why): (usize, String)| FenError { field: reserve.name, at: reserve.at + at, why };
                self.read_holdings(reserve.text, &mut position).map_err(wrong)?;
                Ok(position)
            }
        }
    }

    fn placement(&self, field: Field, changes: &mut Vec<String>) -> Result<Position, FenError> {
        let (width, height) = (self.size().width(), self.size().height());
        let mut position = Position::EMPTY;
        let mut rows = 0;
        let mut offset = 0;
        for row in field.text.split('/') {
            if rows == height {
                return field.error(offset, format!("the board has {height} ranks, and this is one more"));
            }
            let rank = height - 1 - rows;
            let mut file = 0;
            let mut letters = row.char_indices().peekable();
            while let Some((index, letter)) = letters.next() {
                let at = offset + index;
                let dress = std::iter::from_fn(|| letters.next_if(|(_, sign)| *sign == DRESS)).count();
                if let Some(run) = letter.to_digit(10).filter(|_| dress == 0) {
                    if run == 0 || run > u32::from(width - file) {
                        return field
                            .error(at, format!("rank {} has {width} squares, and {run} do not fit here", rank + 1));
                    }
                    file += run as u8;
                    continue;
                }
                if file == width {
                    return field.error(at, format!("rank {} has {width} squares, and this is one more", rank + 1));
                }
                if letter == DUCK && self.duck && dress == 0 {
                    if !position.duck.is_empty() {
                        return field.error(at, "this is a second duck; there can only be one");
                    }
                    position.duck = Square::new(file, rank).set();
                    file += 1;
                    continue;
                }
                let Some(kind) =
                    letter.is_ascii_alphabetic().then(|| self.kind_with_apostrophes(letter, dress)).flatten()
                else {
                    let known: String = self.kinds().iter().map(PieceType::written).collect();
                    return field.error(
                        at,
                        format!("“{letter}” is not a piece; the pieces are {known}, in lower case for Black"),
                    );
                };
                let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
                let (square, piece) = (Square::new(file, rank), Piece { color, kind });
                position.put(self, square, piece);
                if self.may_be_promoted(piece) && letters.next_if(|(_, sign)| *sign == PROMOTED).is_some() {
                    if self.holdings {
                        position.promoted |= square.set();
                    } else {
                        changes.push(format!("the mark of a promoted piece on {square} was left out"));
                    }
                }
                file += 1;
            }
            if file != width {
                return field
                    .error(offset + row.len(), format!("rank {} has {file} squares instead of {width}", rank + 1));
            }
            rows += 1;
            offset += row.len() + 1;
        }
        if rows != height {
            return field.error(field.text.len(), format!("there are {rows} ranks instead of {height}"));
        }
        Ok(position)
    }

    /// The king to which castling rights in a FEN apply: the only king on the first rank, or of several the one on the
    /// e-file. `None` if neither exists.
    pub fn home(&self, position: &Position, color: Color) -> Option<Square> {
        let rank = self.size().rank_of(color, 0);
        let kings = position.of_kind(color, self.castling_layer()?.king) & Squares::rank(rank);
        kings.only().or_else(|| kings.into_iter().find(|king| king.file() == USUAL_FILE))
    }

    /// Parses castling rights into rook squares: `KQkq` for the outermost rooks, or file letters. Leaves out rights whose
    /// king or rook is not on its first rank, and all rights on a board without castling.
    fn rights(&self, field: Field, position: &Position, changes: &mut Vec<String>) -> Result<Squares, FenError> {
        let mut rooks = Squares::EMPTY;
        let known = |letter: char| matches!(letter.to_ascii_lowercase(), 'k' | 'q' | 'a'..='h');
        if let Some((at, letter)) = field.text.char_indices().find(|(_, letter)| !known(*letter)) {
            let why = format!("“{letter}” is not a castling right; write letters of KQkq, files as in HAha, or -");
            return field.error(at, why);
        }
        let Some(castling) = self.castling_layer() else {
            changes
                .push(format!("the castling rights {} were left out, because this game has no castling", field.text));
            return Ok(rooks);
        };
        let mut stale =
            |letter: char, why: &str| changes.push(format!("the castling right {letter} was left out, because {why}"));
        for (at, letter) in field.text.char_indices() {
            let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
            let rank = self.size().rank_of(color, 0);
            let back = Squares::rank(rank);
            let Some(king) = self.home(position, color) else {
                let name = color.name();
                if (position.of_kind(color, castling.king) & back).is_empty() {
                    stale(letter, &format!("{name}’s king is not on its first rank"));
                    continue;
                }
                let why = format!(
                    "{name} has several kings on the first rank and none on {}, so the castling king is ambiguous; \
                     write -",
                    Square::new(USUAL_FILE, rank)
                );
                return field.error(at, why);
            };
            let own = position.of_kind(color, castling.rook) & back;
            let rook = match letter.to_ascii_lowercase() {
                'k' => own.filter(|rook| rook.file() > king.file()).last(),
                'q' => own.into_iter().find(|rook| rook.file() < king.file()),
                file => own.into_iter().find(|rook| rook.file() == file as u8 - b'a'),
            };
            let Some(rook) = rook else {
                stale(letter, "there is no rook for it");
                continue;
            };
            let side =
                |square: &Square| own.has(*square) && (square.file() > king.file()) == (rook.file() > king.file());
            if let Some(other) = rooks.into_iter().find(side) {
                return field.error(
                    at,
                    format!(
                        "“{letter}” is a second right on the same side of the king as the rook on {other}; leave it out"
                    ),
                );
            }
            rooks |= rook.set();
        }
        Ok(rooks)
    }

    fn passant(&self, field: Field, position: &Position) -> Result<Squares, FenError> {
        let Ok(square) = field.text.to_ascii_lowercase().parse::<Square>() else {
            return field.error(0, format!("“{}” is neither a square nor -", field.text));
        };
        let Some(pawns) = self.pawns.as_ref().filter(|pawns| pawns.en_passant) else {
            return field.error(0, "this game has no en passant; write -");
        };
        let them = !position.turn;
        let step = if them == Color::White { 1 } else { -1 };
        let pawn = square.step(0, step, self.size()).and_then(|square| position.piece(square));
        let origin = square.step(0, -step, self.size());
        let fits = pawn == Some(Piece { color: them, kind: pawns.kind })
            && position.piece(square).is_none()
            && origin.is_some_and(|origin| pawns.passes(them, origin, self.size()) && position.piece(origin).is_none());
        if !fits {
            return field.error(0, format!("no {} pawn can have just passed over {square}", them.name()));
        }
        Ok(square.set())
    }

    /// Checks whether a parsed position is playable: kings, pawns on end ranks, and check on the side that is not to
    /// move.
    pub fn validate(&self, position: &Position) -> Result<(), FenError> {
        let placement = |why: String| Err(FenError { field: NAMES[0], at: 0, why });
        for color in Color::BOTH {
            let royals = self.royals(position, color).len();
            let horde = self.horde == Some(color);
            if royals != u32::from(!horde) && self.royalty != RoyalRule::Ordinary {
                let right = if horde { "none" } else { "one" };
                return placement(format!("{} has {royals} kings instead of {right}", color.name()));
            }
            if let Some(pawns) = &self.pawns {
                let first = if horde { Squares::EMPTY } else { self.size().last_rank(!color) };
                let ends = first | self.size().last_rank(color);
                if let Some(square) = (position.of_kind(color, pawns.kind) & ends).first() {
                    return placement(format!(
                        "there is a pawn on {square}; pawns cannot be on the first or last rank"
                    ));
                }
            }
        }
        if self.royalty == RoyalRule::Check && self.in_check(position, !position.turn) {
            return placement(format!("{} is in check although it is not to move", (!position.turn).name()));
        }
        if self.duty == MoveObligation::Peace && self.in_check(position, position.turn) {
            return placement(format!("{} is in check, and no move may give check here", position.turn.name()));
        }
        Ok(())
    }

    /// Writes a position as a FEN with six fields.
    pub fn fen(&self, position: &Position) -> String {
        let turn = if position.turn == Color::White { 'w' } else { 'b' };
        let passant = position.en_passant.last().map_or("-".to_owned(), |square| square.to_string());
        let (mut placement, rights) = (self.placement_fen(position), self.rights_fen(position));
        if self.holdings {
            placement += &self.holdings_fen(position);
        }
        format!("{placement} {turn} {rights} {passant} {} {}", position.halfmove, position.fullmove)
    }

    /// Writes the first field of a FEN: the ranks from the top, without reserves.
    pub fn placement_fen(&self, position: &Position) -> String {
        let mut text = String::with_capacity(72);
        let run = |text: &mut String, empty: u8| {
            if empty > 0 {
                text.push((b'0' + empty) as char);
            }
        };
        for rank in (0..self.size().height()).rev() {
            let mut next = 0;
            for square in position.occupied() & Squares::rank(rank) {
                run(&mut text, square.file() - next);
                next = square.file() + 1;
                let Some(piece) = position.piece(square) else {
                    text.push(DUCK);
                    continue;
                };
                let kind = self.kind(piece.kind);
                text.push(if piece.color == Color::White { kind.letter } else { kind.letter.to_ascii_lowercase() });
                text.extend(repeat_n(DRESS, kind.apostrophes));
                text.extend(position.promoted.has(square).then_some(PROMOTED));
            }
            run(&mut text, self.size().width() - next);
            if rank > 0 {
                text.push('/');
            }
        }
        text
    }

    /// Castling rights as X-FEN: letters of `KQkq` for outermost rooks, otherwise files.
    fn rights_fen(&self, position: &Position) -> String {
        let mut text = String::new();
        let Some(castling) = self.castling_layer() else { return "-".to_owned() };
        for color in Color::BOTH {
            let back = Squares::rank(self.size().rank_of(color, 0));
            let Some(king) = self.home(position, color) else { continue };
            let own = position.of_kind(color, castling.rook) & back;
            let mut rooks: Vec<Square> = (position.rights & own).collect();
            rooks.sort_by_key(|rook| std::cmp::Reverse(rook.file()));
            for rook in rooks {
                let right = rook.file() > king.file();
                let outer = if right { own.last() } else { own.first() };
                let letter = match (outer == Some(rook), right) {
                    (true, true) => 'k',
                    (true, false) => 'q',
                    (false, _) => (b'a' + rook.file()) as char,
                };
                text.push(if color == Color::White { letter.to_ascii_uppercase() } else { letter });
            }
        }
        if text.is_empty() { "-".to_owned() } else { text }
    }
}

/// An error in a FEN.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{field}, character {}: {why}", at + 1)]
pub struct FenError {
    /// Name of the field.
    pub field: &'static str,
    /// Byte offset of the error in the whole text.
    pub at: usize,
    /// Description of the error and how to correct it.
    pub why: String,
}

/// Parses a whole number of at least `least`.
fn number(field: Field, least: u16) -> Result<u16, FenError> {
    match field.text.parse::<u16>() {
        Ok(number) if number >= least && field.text.bytes().all(|byte| byte.is_ascii_digit()) => Ok(number),
        Ok(_) | Err(_) => {
            field.error(0, format!("“{}” is not a whole number from {least} to {}", field.text, u16::MAX))
        }
    }
}
