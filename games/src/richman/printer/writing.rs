//! Texts that are kept to be copied, and an answer while it is put together from them.

use std::{cell::Cell, hint::black_box};

use bytes::{Bytes, BytesMut};

use super::packed::Packed;
use crate::board::{Board, Move, Position};

/// Bytes that are copied in one go.
pub(super) const BLOCK: usize = 64;

/// Where a text begins, in blocks, and below that its length.
#[derive(Clone, Copy, Default)]
pub(super) struct TextAt(u32);

/// Bits of a length.
const LENGTH: u32 = 10;

impl TextAt {
    #[inline]
    pub(super) fn length(self) -> usize {
        (self.0 & ((1 << LENGTH) - 1)) as usize
    }
}

/// A part of a text, in one line of the processor's caches.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Block([u8; BLOCK]);

/// Texts one behind the other, each from the beginning of a block on.
pub(super) struct Texts(Vec<Block>);

impl Texts {
    /// Room for so many texts, of three blocks each; what of it is not used takes no memory.
    pub(super) fn for_some(texts: usize) -> Texts {
        Texts(Vec::with_capacity(3 * texts))
    }

    /// Adds a text. Panics if it has a thousand bytes, or the others have more than 256 MB.
    pub(super) fn push(&mut self, text: &str) -> TextAt {
        let first = self.0.len();
        assert!(text.len() < 1 << LENGTH && first < 1 << (u32::BITS - LENGTH), "there is no place for a text");
        for part in text.as_bytes().chunks(BLOCK) {
            let mut block = Block([0; BLOCK]);
            block.0[..part.len()].copy_from_slice(part);
            self.0.push(block);
        }
        TextAt((first as u32) << LENGTH | text.len() as u32)
    }

    #[inline]
    fn blocks(&self, at: TextAt) -> &[Block] {
        let first = (at.0 >> LENGTH) as usize;
        &self.0[first..first + at.length().div_ceil(BLOCK)]
    }

    /// Reads a byte of every block of a text, so that many texts are fetched at once before they are copied one by one.
    #[inline]
    pub(super) fn fetch(&self, at: TextAt) {
        for block in self.blocks(at) {
            black_box(block.0[0]);
        }
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

/// The bytes that most answers need.
const ROOM: usize = 8 << 10;

thread_local! {
    /// Room for the next answer of a thread: that of the last one, if it has been sent by then. An allocator takes longer to find as much.
    static NEXT: Cell<BytesMut> = Cell::default();
}

/// An answer while it is written. Blocks of one size are copied faster than texts, and what of them is too much is written over.
pub(super) struct Writing {
    pub(super) bytes: BytesMut,
    pub(super) end: usize,
}

impl Writing {
    /// An answer that takes so many bytes at most.
    pub(super) fn of(length: usize) -> Writing {
        let mut bytes = NEXT.take();
        bytes.reserve(length.max(ROOM));
        bytes.resize(length, 0);
        Writing { bytes, end: 0 }
    }

    /// The answer as far as it was written.
    pub(super) fn finish(self) -> Bytes {
        let Writing { mut bytes, end } = self;
        bytes.truncate(end);
        let answer = bytes.split().freeze();
        NEXT.set(bytes);
        answer
    }

    /// Writes the first bytes of a block.
    #[inline]
    pub(super) fn block<const N: usize>(&mut self, block: &[u8; N], length: usize) {
        if let Some(bytes) = self.bytes[self.end..].first_chunk_mut() {
            *bytes = *block;
        }
        self.end += length;
    }

    /// Writes what has a known length, which is faster.
    #[inline]
    pub(super) fn fixed<const N: usize>(&mut self, text: &[u8; N]) {
        self.block(text, N);
    }

    #[inline]
    pub(super) fn write(&mut self, text: &str) {
        self.bytes[self.end..self.end + text.len()].copy_from_slice(text.as_bytes());
        self.end += text.len();
    }

    #[inline]
    pub(super) fn text(&mut self, texts: &Texts, at: TextAt) {
        let end = self.end + at.length();
        for Block(block) in texts.blocks(at) {
            self.block(block, BLOCK);
        }
        self.end = end;
    }

    /// Writes the beginning of a move.
    #[inline]
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
