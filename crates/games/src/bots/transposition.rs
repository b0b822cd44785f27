//! Position hashes, the transposition table, and a cache of evaluations.

use std::hash::Hasher;

use super::game_tree::near;
use crate::board::Position;

/// Relation of a stored score to the true score.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bound {
    /// The score is exact.
    Exact,
    /// The true score is at least this.
    AtLeast,
    /// The true score is at most this.
    AtMost,
}

/// An entry of the transposition table.
#[derive(Clone, Debug)]
pub(super) struct TableEntry<M> {
    key: u64,
    /// Search depth, in plies.
    pub(super) depth: i32,
    /// The score.
    pub(super) score: i32,
    /// Relation to the true score.
    pub(super) bound: Bound,
    /// The best move, if there was one.
    pub(super) mv: Option<M>,
}

impl<M> TableEntry<M> {
    /// The score, if it is decisive for the window from `alpha` to `beta`.
    pub(super) fn holds(&self, alpha: i32, beta: i32, ply: usize) -> Option<i32> {
        let score = near(self.score, ply);
        let holds = match self.bound {
            Bound::Exact => true,
            Bound::AtLeast => score >= beta,
            Bound::AtMost => score <= alpha,
        };
        holds.then_some(score)
    }
}

/// The transposition table. A new entry replaces an old one unless it was searched less deeply. The table grows with its content,
/// so that a short search uses little memory.
pub(super) struct TranspositionTable<M> {
    places: Vec<Option<TableEntry<M>>>,
    held: usize,
}

impl<M: Clone> TranspositionTable<M> {
    /// Fewest places, as a power of two.
    const FEWEST: u32 = 10;
    /// Most places, as a power of two.
    const MOST: u32 = 20;

    /// An empty table.
    pub(super) fn new() -> Self {
        TranspositionTable { places: vec![None; 1 << Self::FEWEST], held: 0 }
    }

    fn place(&self, key: u64) -> usize {
        key as usize & (self.places.len() - 1)
    }

    /// The entry of a key.
    pub(super) fn find(&self, key: u64) -> Option<&TableEntry<M>> {
        self.places[self.place(key)].as_ref().filter(|known| known.key == key)
    }

    /// Stores a search result.
    pub(super) fn keep(&mut self, key: u64, depth: i32, score: i32, bound: Bound, mv: Option<M>) {
        if self.held * 2 > self.places.len() && self.places.len() < 1 << Self::MOST {
            self.grow();
        }
        let place = self.place(key);
        let known = self.places[place].as_ref();
        if known.is_none_or(|known| known.key != key || depth + 2 >= known.depth || bound == Bound::Exact) {
            self.held += usize::from(known.is_none());
            let mv = mv.or_else(|| known.filter(|known| known.key == key).and_then(|known| known.mv.clone()));
            self.places[place] = Some(TableEntry { key, depth, score, bound, mv });
        }
    }

    /// Quadruples the table. Entries never collide, as a larger table uses more bits of the key.
    fn grow(&mut self) {
        let places = vec![None; self.places.len() * 4];
        for known in std::mem::replace(&mut self.places, places).into_iter().flatten() {
            let place = self.place(known.key);
            self.places[place] = Some(known);
        }
    }
}

/// Fast hasher for positions. Not resistant to attacks.
#[derive(Default)]
pub(super) struct PositionHasher(u64);

impl PositionHasher {
    fn fold(&mut self, word: u64) {
        let product = u128::from(self.0 ^ word ^ 0x2d35_8dcc_aa6c_78a5) * 0x9e37_79b9_7f4a_7c15_u128;
        self.0 = (product >> 64) as u64 ^ (product as u64).rotate_left(23);
    }
}

impl Hasher for PositionHasher {
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

/// Pseudorandom constants, one for each word of a position (SplitMix64).
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

/// Hash key of a position without its move counters. Sums independent products of salted words, so that they can run in parallel.
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

/// Cache of recent evaluations. Searches revisit many positions, and an evaluation costs more than a lookup.
///
/// Each entry is one word: the upper bits of the key, and the evaluation in place of the lower bits.
pub(super) struct Estimates {
    places: Vec<u64>,
}

/// Bits of an entry that hold the evaluation.
const LOW: u64 = 0xffff;

impl Estimates {
    /// Number of places, a power of two. The bits of a key that choose a place are among those that the entry omits.
    const PLACES: usize = 1 << 15;

    /// An empty cache.
    pub(super) fn new() -> Self {
        Estimates { places: vec![0; Self::PLACES] }
    }

    /// The evaluation of a key, from the cache or from `estimate`.
    pub(super) fn find(&mut self, key: u64, estimate: impl FnOnce() -> i32) -> i32 {
        let place = &mut self.places[key as usize % Self::PLACES];
        if *place & !LOW == key & !LOW && *place & LOW != 0 {
            return (*place & LOW) as i32 - 0x8000;
        }
        let found = estimate();
        if found.abs() < 0x8000 {
            *place = key & !LOW | (found + 0x8000) as u64;
        }
        found
    }
}
