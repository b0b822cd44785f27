//! The letters of the orthodox pieces, as drops and purchases are written with them.

use crate::board::Board;

/// The letter of an orthodox kind: `N`.
pub(super) fn letter(kind: u8) -> char {
    Board::orthodox().kind(kind).letter
}

/// The kind of an upper-case letter.
pub(super) fn kind_of(letter: char) -> Option<u8> {
    letter.is_ascii_uppercase().then(|| Board::orthodox().kind_of(letter)).flatten()
}
