//! The columns of a file of bounds, as a proof reads them.

use sha2::{Digest, Sha256};

/// 1 in multiples of 2⁻⁶³.
pub(super) const ONE: u64 = 1 << 63;
const FAR: u16 = u16::MAX;

/// What a file says of all its places.
pub(super) struct Columns {
    /// By place.
    pub(super) bounds: Vec<[u64; 2]>,
    /// Place, what α is not above, what β is not below.
    pub(super) apart: Vec<(usize, [u64; 2])>,
    /// The greatest distance of bounds that are near each other.
    pub(super) widest: u64,
}

pub(super) fn little(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |all, byte| all << 8 | u64::from(*byte))
}

impl Columns {
    /// Reads so many places, of which so many are wide, behind a header of 32 bytes.
    pub(super) fn read(bytes: &[u8], places: usize, wides: usize) -> Result<Columns, &'static str> {
        let (spans, far) = (32 + places * 8, 32 + places * 10);
        if bytes.len() != far + wides * 28 + 32 {
            return Err("the file is not as long as it says");
        }
        let (body, sum) = bytes.split_at(bytes.len() - 32);
        if Sha256::digest(body)[..] != *sum {
            return Err("the checksum is wrong: the file has been damaged");
        }
        let (mut widest, mut wide) = (0, bytes[far..].chunks(28).take(wides));
        let (mut bounds, mut apart) = (Vec::with_capacity(places), Vec::new());
        for place in 0..places {
            let low = little(&bytes[32 + place * 8..][..8]);
            let span = little(&bytes[spans + place * 2..][..2]) as u16;
            let high = if span != FAR {
                widest = widest.max(u64::from(span));
                low.checked_add(u64::from(span))
            } else {
                let entry = wide.next().filter(|entry| little(&entry[..4]) as usize == place);
                let entry = entry.ok_or("a place whose bounds are far apart is not listed in order")?;
                apart.push((place, [little(&entry[4..12]), little(&entry[12..20])]));
                Some(little(&entry[20..28]))
            };
            let high = high.filter(|high| low <= *high && *high <= ONE);
            bounds.push([low, high.ok_or("a bound is greater than 1, or than the upper one")?]);
        }
        Ok(Columns { bounds, apart, widest })
    }

    /// The number of places in which α < β.
    pub(super) fn differ(&self) -> usize {
        self.apart.iter().filter(|(_, [alpha, beta])| alpha < beta).count()
    }
}
