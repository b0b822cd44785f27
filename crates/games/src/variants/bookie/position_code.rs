//! The 64-character code of a board in a link. As the source says, it hides pawns and kings only from a casual glance. So the key is public, and a
//! link works on every installation. A code with a wrong character is an error and never opens another board. The side to move and the options
//! travel next to the code.

use std::{fmt, str::FromStr};

use aes_siv::{KeyInit, Tag, siv::Aes256Siv};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};

use super::{
    board,
    deal::{self, BadBoard},
};
use crate::board::{Color, Piece, Position, Square};

/// Number of characters of a code.
const LENGTH: usize = 64;
/// Length of the synthetic initialization vector, which comes first, in bytes.
const VECTOR: usize = 16;
/// Length of the board in bytes, with half a byte per square.
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

/// A board and its code: 64 characters from `A`–`Z`, `a`–`z`, `0`–`9`, `-` and `_`. They encode 48 bytes of AES-SIV (RFC 5297): the 16-byte vector,
/// then half a byte for every square from a8 to h1: 0 empty, 1 to 6 for PNBRQK, 7 to 12 for pnbrqk. One board has exactly one code.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Code {
    text: [u8; LENGTH],
    position: Position,
}

/// Error of a text that is no code, or a board that has none.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CodeError {
    /// The text is longer or shorter than a code.
    #[error("a position’s code has exactly {LENGTH} characters, but this text has {found}; copy the whole link again")]
    Length {
        /// The number of characters in the text.
        found: usize,
    },
    /// A character that no code contains.
    #[error(
        "character {} is {}, but a code has only the letters A–Z and a–z, digits, - and _; copy the link again", at + 1, shown(*found)
    )]
    Alphabet {
        /// Number of characters before it.
        at: usize,
        /// The character.
        found: char,
    },
    /// Well formed, but not the code of any board.
    #[error(
        "no position has this code: at least one of its {LENGTH} characters is wrong; copy the link again, or request a new position"
    )]
    Tag,
    /// Made with the public key from a board that cannot have been dealt.
    #[error("this is not a position of Bookie Chess: {why}; request a new position")]
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
    /// Encodes a board that can have been dealt. The code has only the pieces, not the side to move or the counters.
    pub fn seal(position: &Position) -> Result<Code, CodeError> {
        deal::check(position)?;
        let mut bytes = [0; VECTOR + BOARD];
        let (vector, squares) = bytes.split_at_mut(VECTOR);
        for (index, byte) in squares.iter_mut().enumerate() {
            *byte = nibble(position, 2 * index) << 4 | nibble(position, 2 * index + 1);
        }
        let tag = cipher()
            .encrypt_inout_detached([ASSOCIATED], squares.into())
            .expect("encryption fails only with more than 126 pieces of associated data");
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
            // A text with the length of a code in bytes can have fewer characters, but then one of them cannot be in a code.
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

/// The error for the first character that no code contains.
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
        _ => Err(CodeError::Board { why: format!("{nibble} is not the number of a piece") }),
    }
}
