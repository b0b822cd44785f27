//! Multiples of 2⁻⁶³ from −1 to 1 as decimal numbers with eighteen decimals, rounded outward, as `Enclosure` tells them.

use super::writing::Writing;

/// 10 to the number of decimals.
const SCALE: u64 = 1_000_000_000_000_000_000;
/// The bits of a multiple of 2⁻⁶³ behind the point.
const BITS: u32 = 63;

/// Three digits of every number below a thousand; the fourth byte means nothing.
static DIGITS: [[u8; 4]; 1000] = {
    let mut digits = [[0; 4]; 1000];
    let mut number = 0;
    while number < 1000 {
        let [hundreds, tens, ones] = [number / 100, number / 10 % 10, number % 10];
        digits[number] = [b'0' + hundreds as u8, b'0' + tens as u8, b'0' + ones as u8, 0];
        number += 1;
    }
    digits
};

/// A number from 0 to 1 in multiples of 10⁻¹⁸, rounded down or up.
#[inline]
fn scaled(bound: u64, up: bool) -> u64 {
    let exact = u128::from(bound) * u128::from(SCALE);
    (exact >> BITS) as u64 + u64::from(up && exact & ((1 << BITS) - 1) != 0)
}

impl Writing {
    /// Writes a number in multiples of 10⁻¹⁸.
    #[inline]
    fn decimals(&mut self, scaled: u64) {
        let mut text = *b"0.000000000000000000    ";
        text[0] += (scaled / SCALE) as u8;
        let rest = scaled % SCALE;
        for (at, half) in [(2, (rest / 1_000_000_000) as usize), (11, (rest % 1_000_000_000) as usize)] {
            for (at, group) in [(at, half / 1_000_000), (at + 3, half / 1000 % 1000), (at + 6, half % 1000)] {
                text[at..at + 4].copy_from_slice(&DIGITS[group]);
            }
        }
        self.block(&text, 20);
    }

    /// Writes two numbers from 0 to 1 as an enclosure.
    #[inline]
    pub(super) fn enclosure(&mut self, [low, high]: [u64; 2]) {
        self.fixed(b"{\"lo\":\"");
        self.decimals(scaled(low, false));
        self.fixed(b"\",\"hi\":\"");
        self.decimals(scaled(high, true));
        self.fixed(b"\"}");
    }

    /// The same of numbers from −1 to 1.
    pub(super) fn signed_enclosure(&mut self, [low, high]: [i64; 2]) {
        self.fixed(b"{\"lo\":\"");
        self.signed(low, false);
        self.fixed(b"\",\"hi\":\"");
        self.signed(high, true);
        self.fixed(b"\"}");
    }

    fn signed(&mut self, bound: i64, up: bool) {
        let scaled = scaled(bound.unsigned_abs(), up == (bound > 0));
        if bound < 0 && scaled > 0 {
            self.fixed(b"-");
        }
        self.decimals(scaled);
    }
}
