//! Forsyth–Edwards notation for boards of any size. Errors name the field and character.

use std::iter::repeat_n;

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

/// Size of the board in a FEN.
pub fn shape(text: &str) -> Result<Size, FenError> {
    let (placement, _) = fields(text)?;
    let rows = 1 + placement.text.bytes().filter(|letter| *letter == b'/').count();
    let mut width = 0usize;
    for letter in placement.text.chars().take_while(|letter| *letter != '/').filter(|letter| *letter != DRESS) {
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

impl Board {
    /// Parses a FEN. Trailing fields may be missing, and `_` or `+` may replace spaces. The position need not be legal:
    /// see [`Board::validate`].
    pub fn parse_fen(&self, text: &str) -> Result<Position, FenError> {
        let (placement, [side, rights, passant, halfmove, fullmove]) = fields(text)?;
        let mut position = self.placed(placement)?;
        if let Some(field) = side {
            position.turn = match field.text {
                "w" => Color::White,
                "b" => Color::Black,
                other => return field.error(0, format!("“{other}” is not a side; write w or b")),
            };
        }
        if let Some(field) = rights {
            position.rights = self.rights(field, &position)?;
        }
        if let Some(field) = passant.filter(|field| field.text != "-") {
            position.en_passant = self.passant(field, &position)?;
        }
        if let Some(field) = halfmove {
            position.halfmove = number(field, 0)?;
        }
        if let Some(field) = fullmove {
            position.fullmove = number(field, 1)?;
        }
        Ok(position)
    }

    /// Parses the first field: the placement, followed by both sides' reserves in brackets or as an extra rank.
    fn placed(&self, field: Field) -> Result<Position, FenError> {
        let Some(end) = self.holdings.then(|| self.end_of_ranks(field.text)).flatten() else {
            return self.placement(field);
        };
        let mut position = self.placement(Field { text: &field.text[..end], ..field })?;
        let bracket = field.text[end..].starts_with('[');
        let letters = &field.text[end + 1..];
        let letters = match letters.strip_suffix(']') {
            Some(inside) if bracket => inside,
            None if bracket => return field.error(field.text.len(), "the reserve must end with ]"),
            Some(_) | None => letters,
        };
        let wrong = |(at, why): (usize, String)| FenError { field: field.name, at: field.at + end + 1 + at, why };
        self.read_holdings(letters, &mut position).map_err(wrong)?;
        Ok(position)
    }

    /// Offset at which the ranks end and the reserve begins, if there is one.
    fn end_of_ranks(&self, text: &str) -> Option<usize> {
        let rank = || text.match_indices('/').nth(usize::from(self.size().height()) - 1).map(|(at, _)| at);
        text.find('[').or_else(rank)
    }

    fn placement(&self, field: Field) -> Result<Position, FenError> {
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
                    position.promoted |= square.set();
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

    /// Parses castling rights into rook squares: `KQkq` for the outermost rooks, file letters, or `-`.
    fn rights(&self, field: Field, position: &Position) -> Result<Squares, FenError> {
        let mut rooks = Squares::EMPTY;
        if field.text == "-" {
            return Ok(rooks);
        }
        let Some(castling) = self.castling_layer() else {
            return field.error(0, "this game has no castling; write -");
        };
        for (at, letter) in field.text.char_indices() {
            let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
            let rank = self.size().rank_of(color, 0);
            let back = Squares::rank(rank);
            let Some(king) = self.home(position, color) else {
                let name = color.name();
                let why = match (position.of_kind(color, castling.king) & back).first() {
                    None => format!("{name}’s king is not on its first rank, so {letter} is impossible"),
                    Some(_) => format!(
                        "{name} has several kings on the first rank and none on {}, so the castling king is ambiguous; \
                         write -",
                        Square::new(USUAL_FILE, rank)
                    ),
                };
                return field.error(at, why);
            };
            let own = position.of_kind(color, castling.rook) & back;
            let rook = match letter.to_ascii_lowercase() {
                'k' => own.filter(|rook| rook.file() > king.file()).last(),
                'q' => own.into_iter().find(|rook| rook.file() < king.file()),
                file @ 'a'..='h' => own.into_iter().find(|rook| rook.file() == file as u8 - b'a'),
                _ => {
                    return field.error(
                        at,
                        format!("“{letter}” is not a castling right; write letters of KQkq, files as in HAha, or -"),
                    );
                }
            };
            let Some(rook) = rook else {
                return field.error(at, format!("there is no rook to castle with for “{letter}”"));
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
        let Ok(square) = field.text.parse::<Square>() else {
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
        let placement = |why: String| Err(FenError { field: FIELDS[0], at: 0, why });
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

/// A field with its offset.
#[derive(Clone, Copy)]
struct Field<'t> {
    name: &'static str,
    text: &'t str,
    at: usize,
}

impl Field<'_> {
    /// An error at an offset in the field.
    fn error<T>(&self, offset: usize, why: impl Into<String>) -> Result<T, FenError> {
        Err(FenError { field: self.name, at: self.at + offset, why: why.into() })
    }
}

/// Maximum length of a FEN, in bytes.
pub const LONGEST: usize = 256;

/// Names of the fields.
const FIELDS: [&str; 6] =
    ["piece placement", "side to move", "castling rights", "en passant square", "half-move clock", "move number"];

/// The placement, and the following fields as far as they are present.
type Fields<'t> = (Field<'t>, [Option<Field<'t>>; FIELDS.len() - 1]);

/// Splits a FEN into its fields.
fn fields(text: &str) -> Result<Fields<'_>, FenError> {
    if text.len() > LONGEST {
        return Err(FenError { field: FIELDS[0], at: LONGEST, why: format!("a FEN has at most {LONGEST} characters") });
    }
    let (mut at, mut names) = (0, FIELDS.into_iter());
    let (mut first, mut behind) = (None, [None; FIELDS.len() - 1]);
    let mut rest = behind.iter_mut();
    for part in text.split([' ', '_', '+']) {
        if !part.is_empty() {
            let place = if first.is_none() { Some(&mut first) } else { rest.next() };
            let (Some(name), Some(place)) = (names.next(), place) else {
                return Err(FenError {
                    field: FIELDS[5],
                    at,
                    why: "a FEN has six fields, and this is a seventh".to_owned(),
                });
            };
            *place = Some(Field { name, text: part, at });
        }
        at += part.len() + 1;
    }
    let empty = || FenError {
        field: FIELDS[0],
        at: 0,
        why: "the text is empty; write the ranks from the top, as in 4k3/8/8/8/8/8/8/4K3".to_owned(),
    };
    Ok((first.ok_or_else(empty)?, behind))
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
