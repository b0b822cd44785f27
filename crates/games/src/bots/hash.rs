//! Numbers that tell moments apart, for tables and repetitions.

use std::hash::Hasher;

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

/// Numbers without a pattern, one for each word of a position (SplitMix64).
const SALTS: [u64; 16] = {
    let (mut salts, mut at) = ([0; 16], 0);
    while at < 16 {
        let mut salt = (at as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        salt = (salt ^ salt >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        salt = (salt ^ salt >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        salts[at] = salt ^ salt >> 31;
        at += 1;
    }
    salts
};

/// The key of a position, without its counts of moves: products of salted words, none of which waits for another.
pub(super) fn key(position: &Position) -> u64 {
    let words = position.words();
    let product = |at: usize| {
        let product = u128::from(words[at] ^ SALTS[at]) * u128::from(words[at + 1] ^ SALTS[at + 1]);
        (product >> 64) as u64 ^ product as u64
    };
    let (mut sum, mut at) = (0_u64, 0);
    while at < 16 {
        sum = sum.wrapping_add(product(at));
        at += 2;
    }
    sum.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
}
