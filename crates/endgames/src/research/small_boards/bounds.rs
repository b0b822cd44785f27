//! A bound of α and β is a multiple of 2⁻⁶³ and rounded outward.

use crate::mechanism::ONE;

/// A lower and an upper bound of α, then of β, as multiples of 2⁻⁶³.
pub type Bounds = [u64; 4];

/// The bounds of a lost game.
pub(super) const LOST: Bounds = [0; 4];
/// The bounds of a won game.
pub(super) const WON: Bounds = [ONE; 4];

/// Bounds so near each other are as good as one.
const NARROW: u64 = 8192;

/// Half of a sum, rounded down.
pub(super) fn down(sum: [u64; 2]) -> u64 {
    sum[0].midpoint(sum[1])
}

/// Half of a sum, rounded up.
pub(super) fn up([a, b]: [u64; 2]) -> u64 {
    (a | b) - ((a ^ b) >> 1)
}

/// Tells whether both thresholds are as good as one.
pub(super) fn narrow(bounds: &Bounds) -> bool {
    bounds[3] - bounds[0] <= NARROW
}

/// Tells whether α < β is proved.
pub(super) fn apart(bounds: &Bounds) -> bool {
    bounds[1] < bounds[2]
}
