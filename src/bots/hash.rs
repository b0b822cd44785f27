//! Numbers that tell moments apart, for tables and repetitions.

use std::hash::{Hash, Hasher};

use crate::board::Position;

/// A hash of positions, for speed and not for safety.
#[derive(Default)]
pub(super) struct Folded(u64);

impl Folded {
    fn fold(&mut self, word: u64) {
        let product = u128::from(self.0 ^ word ^ 0x2d35_8dcc_aa6c_78a5) * 0x9e37_79b9_7f4a_7c15_u128;
        self.0 = (product >> 64) as u64 ^ (product as u64).rotate_left(23);
    }
}

impl Hasher for Folded {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for word in bytes.chunks(8) {
            let mut eight = [0; 8];
            eight[..word.len()].copy_from_slice(word);
            self.fold(u64::from_le_bytes(eight));
        }
    }

    fn write_u8(&mut self, word: u8) {
        self.fold(u64::from(word));
    }

    fn write_u16(&mut self, word: u16) {
        self.fold(u64::from(word));
    }

    fn write_u64(&mut self, word: u64) {
        self.fold(word);
    }

    fn write_usize(&mut self, word: usize) {
        self.fold(word as u64);
    }

    fn write_isize(&mut self, word: isize) {
        self.fold(word as u64);
    }
}

/// The key of a position, without its counts of moves.
pub(super) fn key(position: &Position) -> u64 {
    let mut plain = *position;
    (plain.halfmove, plain.fullmove) = (0, 0);
    let mut folded = Folded::default();
    plain.hash(&mut folded);
    folded.finish()
}
