//! Bounds of α and β are drawn together here, with every mean rounded outward.
//!
//! With Φ(x) = (max over White's moves + min over Black's) / 2 rounded down, what grows from 0 stays below α, the least solution of x = Φ(x); rounded
//! up, what shrinks from 1 stays above β, the greatest one; in whichever order the positions are taken, because Φ is monotone. From the other
//! side any z ≥ Φ(z) bounds α from above and any y ≤ Φ(y) bounds β from below.

use super::{
    bounds::{Bounds, down, narrow, up},
    steps::Steps,
};
use crate::mechanism::ONE;

/// Bounds that are so near each other need not be drawn together any more.
const ENOUGH: u64 = 64;
/// So many rounds are never needed.
const MOST_ROUNDS: usize = 1_000_000;

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
