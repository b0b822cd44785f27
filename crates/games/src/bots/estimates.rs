//! The latest estimates of moments: a search comes to many of them again and again, and an estimate costs more than a look here.

/// Estimates by the keys of their moments, each of them in one word: the key without its lowest bits, which say the place, and there
/// the estimate.
pub(super) struct Estimates {
    places: Vec<u64>,
}

/// The bits of a word that hold the estimate.
const LOW: u64 = 0xffff;

impl Estimates {
    /// The number of places, a power of two: the bits of a key that choose one are among those that its word leaves out.
    const PLACES: usize = 1 << 15;

    /// Nothing has been estimated yet.
    pub(super) fn new() -> Self {
        Estimates { places: vec![0; Self::PLACES] }
    }

    /// The estimate of a moment, found anew if it is not known.
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
