//! The fields of a FEN: the text taken apart, and what is said about a field that is wrong.

/// An error in a FEN: what is wrong, where, and what would be right.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{field}, character {}: {why}", at + 1)]
pub struct FenError {
    /// The field of the FEN in words.
    pub field: &'static str,
    /// Offset of the first wrong byte in the whole text.
    pub at: usize,
    /// The fault, and what to write instead.
    pub why: String,
}

/// A piece of the text and where it begins.
#[derive(Clone, Copy)]
pub(super) struct Field<'t> {
    pub(super) name: &'static str,
    pub(super) text: &'t str,
    pub(super) at: usize,
}

impl Field<'_> {
    /// The fault of the field at an offset in it.
    pub(super) fn error<T>(&self, offset: usize, why: impl Into<String>) -> Result<T, FenError> {
        Err(FenError { field: self.name, at: self.at + offset, why: why.into() })
    }
}

/// The longest text that is read as a FEN, in bytes.
pub const LONGEST: usize = 256;

/// The fields in words.
pub(super) const FIELDS: [&str; 6] =
    ["piece placement", "side to move", "castling rights", "en passant square", "half-move clock", "move number"];

/// The placement, and the fields behind it as far as there are any.
pub(super) type Fields<'t> = (Field<'t>, [Option<Field<'t>>; FIELDS.len() - 1]);

/// Takes a text apart.
pub(super) fn fields(text: &str) -> Result<Fields<'_>, FenError> {
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

/// A field that is a whole number, no less than this.
pub(super) fn number(field: Field, least: u16) -> Result<u16, FenError> {
    match field.text.parse::<u16>() {
        Ok(number) if number >= least && field.text.bytes().all(|byte| byte.is_ascii_digit()) => Ok(number),
        Ok(_) | Err(_) => {
            field.error(0, format!("“{}” is not a whole number from {least} to {}", field.text, u16::MAX))
        }
    }
}
