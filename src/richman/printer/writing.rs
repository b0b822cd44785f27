//! Texts that are kept to be copied, and an answer while it is put together from them.

use super::packed::Packed;
use crate::board::{Board, Move, Position};

/// The place of a text among others.
pub(super) type TextAt = u32;

/// Bytes that are copied in one go.
pub(super) const BLOCK: usize = 64;

/// Texts one behind the other, each after its length, and a block behind the last.
#[derive(Default)]
pub(super) struct Texts(Vec<u8>);

impl Texts {
    pub(super) fn push(&mut self, text: &str) -> TextAt {
        let mark = self.0.len() as TextAt;
        self.0.extend_from_slice(&(text.len() as u16).to_le_bytes());
        self.0.extend_from_slice(text.as_bytes());
        mark
    }

    pub(super) fn finish(&mut self) {
        self.0.extend_from_slice(&[0; BLOCK]);
        self.0.shrink_to_fit();
    }

    /// Where a text begins, and its length.
    pub(super) fn at(&self, mark: TextAt) -> (usize, usize) {
        let at = mark as usize;
        (at + 2, u16::from_le_bytes([self.0[at], self.0[at + 1]]).into())
    }
}

/// Different moves from and to the same squares: a king's, one of five pieces', and a pawn becomes one of four.
const ACTS: usize = 1 + 5 + 4;
/// The ways of capturing that SAN tells apart: nothing, a piece, the king.
pub(super) const CAPTURES: usize = 3;

/// The beginnings of moves after a comma, up to their values, by what moves and what is captured.
#[derive(Default)]
pub(super) struct Beginnings([Option<Beginning>; ACTS * CAPTURES]);

/// One of them, in which the squares are written anew.
struct Beginning {
    letters: [u8; 48],
    length: u8,
    /// Where in it the file of the move's origin is written once more, as where a pawn captures.
    file: Option<u8>,
    /// Where its target is written once more.
    to: u8,
}

/// What stands before a move in UCI.
const UCI: &str = ",{\"uci\":\"";

impl Beginnings {
    /// Writes that of moves like one of these, unless it is known.
    pub(super) fn learn(&mut self, alike: usize, board: &Board, position: &Position, mv: Move) {
        if self.0[alike].is_some() {
            return;
        }
        // No other unit of its side is of its kind, so that nothing else bears on its SAN.
        let (uci, san) = (board.uci(mv).to_string(), board.san_among(position, mv, &[mv]));
        let text = format!("{UCI}{uci}\",\"san\":\"{san}\",\"value\":");
        let before = text.len() - san.len() - "\",\"value\":".len();
        let to = san.rfind(&mv.to.to_string()).unwrap_or_default();
        let mut letters = [0; 48];
        letters[..text.len()].copy_from_slice(text.as_bytes());
        self.0[alike] = Some(Beginning {
            letters,
            length: text.len() as u8,
            file: (to > 0 && san.starts_with(|letter: char| letter.is_ascii_lowercase())).then_some(before as u8),
            to: (before + to) as u8,
        });
    }
}

/// An answer while it is written. Blocks of one size are copied faster than texts, and what of them is too much is written over.
pub(super) struct Writing {
    pub(super) bytes: Vec<u8>,
    pub(super) end: usize,
}

impl Writing {
    /// Writes the first bytes of a block.
    pub(super) fn block<const N: usize>(&mut self, block: &[u8; N], length: usize) {
        if let Some(bytes) = self.bytes[self.end..].first_chunk_mut() {
            *bytes = *block;
        }
        self.end += length;
    }

    pub(super) fn write(&mut self, parts: &[&str]) {
        for part in parts {
            self.bytes[self.end..self.end + part.len()].copy_from_slice(part.as_bytes());
            self.end += part.len();
        }
    }

    pub(super) fn text(&mut self, texts: &Texts, mark: TextAt) {
        let (from, length) = texts.at(mark);
        let end = self.end + length;
        for from in (from..from + length).step_by(BLOCK) {
            if let Some(block) = texts.0[from..].first_chunk::<BLOCK>() {
                self.block(block, BLOCK);
            }
        }
        self.end = end;
    }

    /// Writes the beginning of a move.
    pub(super) fn beginning(&mut self, beginnings: &Beginnings, alike: usize, packed: Packed) {
        let Some(beginning) = &beginnings.0[alike] else { return };
        let at = self.end;
        self.block(&beginning.letters, beginning.length.into());
        let name = |square: u8| [b'a' + square / 8, b'1' + square % 8];
        let (from, to) = (name(packed.from()), name(packed.to()));
        let squares = at + UCI.len();
        self.bytes[squares..squares + 4].copy_from_slice(&[from[0], from[1], to[0], to[1]]);
        if let Some(file) = beginning.file {
            self.bytes[at + usize::from(file)] = from[0];
        }
        let again = at + usize::from(beginning.to);
        self.bytes[again..again + 2].copy_from_slice(&to);
    }
}
