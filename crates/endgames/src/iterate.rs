//! Approximate values by iteration. They only propose strategies; what is served is computed and checked exactly.

use super::graph::Graph;
use crate::board::Color;

/// The number of sweeps after which the iteration stops even if the last digits still move.
pub(super) const SWEEPS: usize = 1000;

/// Sweeps over a layer in place, in alternating direction, until nothing changes: x = (max over White's options + min over
/// Black's) / 2. `values` holds the layer's start and the final values of all earlier layers.
pub(super) fn settle(graph: &Graph, values: &mut [f64], sweeps: usize) {
    for sweep in 0..sweeps {
        let mut changed = false;
        for step in 0..graph.len() {
            let at = if sweep % 2 == 0 { step } else { graph.len() - 1 - step };
            let value = (best(graph, values, Color::White, at) + best(graph, values, Color::Black, at)) / 2.0;
            let own = &mut values[graph.id(at) as usize];
            changed |= *own != value;
            *own = value;
        }
        if !changed {
            return;
        }
    }
}

/// The best value among `mover`'s options: White's greatest, Black's least.
#[inline]
pub(super) fn best(graph: &Graph, values: &[f64], mover: Color, at: usize) -> f64 {
    let options = graph.options(mover, at).iter().map(|id| values[*id as usize]);
    match mover {
        Color::White => options.fold(0.0, |best: f64, value| if value > best { value } else { best }),
        Color::Black => options.fold(1.0, |best: f64, value| if value < best { value } else { best }),
    }
}
