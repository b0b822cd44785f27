//! Bounds of α and β, multiples of 2⁻⁶³ rounded outward.
//!
//! With Φ(x) = (max over White's moves + min over Black's) / 2 rounded down, what grows from 0 stays below α, the least solution of x = Φ(x); rounded
//! up, what shrinks from 1 stays above β, the greatest one; in whichever order the positions are taken, because Φ is monotone. From the other
//! side any z ≥ Φ(z) bounds α from above and any y ≤ Φ(y) bounds β from below.

use super::steps::Steps;
use crate::richman::mechanism::ONE;

/// A lower and an upper bound of α, then of β.
pub(super) type Bounds = [u64; 4];

/// The bounds of a lost game.
pub(super) const LOST: Bounds = [0; 4];
/// The bounds of a won game.
pub(super) const WON: Bounds = [ONE; 4];

/// Bounds so near each other are as good as one.
const NARROW: u64 = 8192;
/// Bounds that are so near each other need not be drawn together any more.
const ENOUGH: u64 = 64;
/// So many rounds are never needed.
const MOST_ROUNDS: usize = 1_000_000;

/// Half of a sum, rounded down.
fn down(sum: [u64; 2]) -> u64 {
    sum[0].midpoint(sum[1])
}

/// Half of a sum, rounded up.
fn up([a, b]: [u64; 2]) -> u64 {
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

/// Repeats a sweep over some positions, there and back in turn, until nothing moves any more.
fn settle(positions: &[usize], mut draw: impl FnMut(usize) -> bool) -> Option<()> {
    for round in 0..MOST_ROUNDS {
        let mut moved = false;
        let mut one = |at: &usize| moved |= draw(*at);
        if round % 2 == 0 {
            positions.iter().for_each(&mut one);
        } else {
            positions.iter().rev().for_each(&mut one);
        }
        if !moved {
            return Some(());
        }
    }
    None
}

/// The bounds of all positions; nothing if the sweeps do not come to an end.
pub(super) fn enclose(steps: &Steps) -> Option<Vec<Bounds>> {
    let mut outer = vec![[0, ONE]; steps.len()];
    let all: Vec<usize> = (0..steps.len()).collect();
    settle(&all, |at| {
        let [low, high] = outer[at];
        if high - low <= ENOUGH {
            return false;
        }
        let grown = down(steps.reached(at, 0, |to| outer[to][0])).max(low);
        let shrunk = up(steps.reached(at, 3, |to| outer[to][1])).min(high);
        outer[at] = [grown, shrunk];
        [grown, shrunk] != [low, high]
    })?;
    let mut found: Vec<Bounds> = outer.iter().map(|[low, high]| [*low, *high, *low, *high]).collect();
    let wide: Vec<usize> = all.into_iter().filter(|at| !narrow(&found[*at])).collect();
    for at in &wide {
        let [low, high] = outer[*at];
        found[*at] = [low, low, high, high];
    }
    settle(&wide, |at| {
        let bounds = found[at];
        let alpha = up(steps.reached(at, 1, |to| found[to][1])).max(bounds[1]);
        let beta = down(steps.reached(at, 2, |to| found[to][2])).min(bounds[2]);
        found[at] = [bounds[0], alpha, beta, bounds[3]];
        found[at] != bounds
    })?;
    Some(found)
}
