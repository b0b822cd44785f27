//! The 64 characters that carry a board in a link. They keep pawns and kings from a mere glance and nothing more, as the source
//! says, so the key is public and a link works on every installation; what they do promise is that a code with a wrong character is
//! refused and never opens another board. Whose turn it is and the optional rules travel beside the code.

use std::{fmt, str::FromStr};

use aes_siv::{KeyInit, Tag, siv::Aes256Siv};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};

use super::{
    board,
    deal::{self, BadBoard},
};
use crate::board::{Color, Piece, Position, Square};

/// The number of characters in a code.
const LENGTH: usize = 64;
/// The synthetic initialization vector stands before the board.
const VECTOR: usize = 16;
/// Half a byte for every square.
const BOARD: usize = 32;
const KEY: [u8; 64] = key();
const ASSOCIATED: &[u8] = b"bookie/v1";

const fn key() -> [u8; 64] {
    let mut key = [0; 64];
    let mut index = 0;
    while index < key.len() {
        key[index] = index as u8;
        index += 1;
    }
    key
}

/// A board and its code: 64 characters `A`–`Z`, `a`–`z`, `0`–`9`, `-` and `_`, which are 48 bytes of AES-SIV (RFC 5297), the
/// 16-byte vector first, then half a byte for every square from a8 to h1: 0 empty, 1 to 6 for PNBRQK, 7 to 12 for pnbrqk. One board
/// has exactly one code.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Code {
    text: [u8; LENGTH],
    position: Position,
}

/// Why a text is no code, or a board can have none.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CodeError {
    /// The text is longer or shorter than a code.
    #[error(
        "a position’s code has exactly {LENGTH} characters, and this text has {found}; copy the whole link again, from the first character of the code to the last"
    )]
    Length {
        /// The number of characters in the text.
        found: usize,
    },
    /// A character that is in no code.
    #[error(
        "character {} is {}, and a code has only letters A–Z and a–z, digits, - and _; copy the link again", at + 1, shown(*found)
    )]
    Alphabet {
        /// The number of characters before it.
        at: usize,
        /// The character.
        found: char,
    },
    /// Well written, but never made from a board.
    #[error(
        "no position has this code: at least one of its {LENGTH} characters is wrong; copy the link again, or ask for a new position"
    )]
    Tag,
    /// Made with the public key from a board that cannot have been dealt.
    #[error("this is no position of Bookie Chess: {why}; ask for a new position")]
    Board {
        /// The fault of the board.
        why: String,
    },
}

fn shown(found: char) -> String {
    if found.is_control() || found.is_whitespace() {
        format!("U+{:04X}", u32::from(found))
    } else {
        format!("“{found}”")
    }
}

impl From<BadBoard> for CodeError {
    fn from(BadBoard(why): BadBoard) -> Self {
        CodeError::Board { why }
    }
}

impl Code {
    /// The code of a board that can have been dealt. The side to move and the clocks are left aside: a code stands for the units.
    pub fn seal(position: &Position) -> Result<Code, CodeError> {
        deal::check(position)?;
        let mut bytes = [0; VECTOR + BOARD];
        let (vector, squares) = bytes.split_at_mut(VECTOR);
        for (index, byte) in squares.iter_mut().enumerate() {
            *byte = nibble(position, 2 * index) << 4 | nibble(position, 2 * index + 1);
        }
        let tag = cipher()
            .encrypt_inout_detached([ASSOCIATED], squares.into())
            .expect("only more than 126 pieces of associated data are refused");
        vector.copy_from_slice(&tag);
        let mut text = [0; LENGTH];
        URL_SAFE_NO_PAD.encode_slice(bytes, &mut text).expect("48 bytes are 64 characters");
        let mut units = Position::EMPTY;
        for (square, piece) in position.pieces() {
            units.put(board(), square, piece);
        }
        Ok(Code { text, position: units })
    }

    /// The board, with White to move.
    pub fn open(&self) -> Position {
        self.position
    }

    /// The 64 characters.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.text).unwrap_or_default()
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for Code {
    type Err = CodeError;

    fn from_str(code: &str) -> Result<Self, CodeError> {
        let Ok(text) = <[u8; LENGTH]>::try_from(code.as_bytes()) else {
            // As many bytes as a code has can be fewer characters, but then one of them is none of a code’s.
            let found = code.chars().count();
            return Err(if found == LENGTH { alphabet(code) } else { CodeError::Length { found } });
        };
        let mut bytes = [0; VECTOR + BOARD];
        URL_SAFE_NO_PAD.decode_slice(text, &mut bytes).map_err(|_| alphabet(code))?;
        let (vector, squares) = bytes.split_at_mut(VECTOR);
        let tag = Tag::try_from(&*vector).map_err(|_| CodeError::Tag)?;
        cipher().decrypt_inout_detached([ASSOCIATED], (&mut *squares).into(), &tag).map_err(|_| CodeError::Tag)?;
        let mut position = Position::EMPTY;
        for (index, byte) in squares.iter().enumerate() {
            for (half, nibble) in [byte >> 4, byte & 15].into_iter().enumerate() {
                if nibble != 0 {
                    position.put(board(), square(2 * index + half), piece(nibble)?);
                }
            }
        }
        deal::check(&position)?;
        Ok(Code { text, position })
    }
}

/// The first character that is in no code, in a text that has one.
fn alphabet(code: &str) -> CodeError {
    let legal = |found: char| found.is_ascii_alphanumeric() || found == '-' || found == '_';
    match code.chars().enumerate().find(|(_, found)| !legal(*found)) {
        Some((at, found)) => CodeError::Alphabet { at, found },
        None => CodeError::Tag,
    }
}

fn cipher() -> Aes256Siv {
    Aes256Siv::new(&KEY.into())
}

/// The square of an index in FEN order: a8 is 0, h1 is 63.
fn square(index: usize) -> Square {
    Square::at(index ^ 56)
}

fn nibble(position: &Position, index: usize) -> u8 {
    position.piece(square(index)).map_or(0, |piece| piece.kind + 1 + 6 * piece.color.index() as u8)
}

fn piece(nibble: u8) -> Result<Piece, CodeError> {
    match nibble {
        1..=6 => Ok(Piece { color: Color::White, kind: nibble - 1 }),
        7..=12 => Ok(Piece { color: Color::Black, kind: nibble - 7 }),
        _ => Err(CodeError::Board { why: format!("{nibble} stands for no piece") }),
    }
}
