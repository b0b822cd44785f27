//! Enclosures of the values of all positions under any mechanism, and the exact proof that they enclose them.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, PoisonError},
};

use super::{
    Stop,
    graph::{Graph, Graphs},
    index::{Id, LOST, WON},
    mechanism::{Mechanism, ONE},
};
use crate::board::Color;

/// The number of enclosures that are kept.
const KEPT: usize = 12;
/// The number of sweeps after which a layer is left as it is; its bounds hold at every time.
const SWEEPS: usize = 4000;

/// Bounds of the values under a mechanism, by number of position, as multiples of 2^−63.
pub(super) struct Intervals {
    mechanism: Mechanism,
    /// The layers that are solved, as [`Graphs::needed`] counts them.
    layers: usize,
    /// Not above α, and not above Φ of itself.
    low: Vec<u64>,
    /// Not below β, and not below Φ of itself.
    high: Vec<u64>,
}

impl Intervals {
    /// Encloses α and β: from 0 upwards and from 1 downwards, in place and in alternating direction, rounding outward. Whatever order
    /// the positions are taken in, what comes of a lower bound is one, because Φ is monotone.
    fn solve(graphs: &Graphs, mechanism: Mechanism, layers: usize, stop: Stop) -> Option<Intervals> {
        let (mut low, mut high) = (vec![0; graphs.ids()], vec![ONE; graphs.ids()]);
        low[WON as usize] = ONE;
        high[LOST as usize] = 0;
        for graph in graphs.needed(layers) {
            settle(graph, &mut low, stop, |own, a, b| mechanism.balance(a, b)[0].max(own))?;
            settle(graph, &mut high, stop, |own, a, b| mechanism.balance(a, b)[1].min(own))?;
        }
        Some(Intervals { mechanism, layers, low, high })
    }

    /// The bounds of a position.
    pub(super) fn of(&self, id: Id) -> [u64; 2] {
        [self.low[id as usize], self.high[id as usize]]
    }

    /// Tells exactly, in whole numbers, whether the lower bounds are nowhere above Φ of themselves and the upper ones nowhere below it:
    /// then β is at least the one, and α at most the other.
    pub(super) fn certified(&self, graphs: &Graphs) -> bool {
        graphs.needed(self.layers).all(|graph| {
            (0..graph.len()).all(|at| {
                let around = [&self.low, &self.high].map(|values| bests(graph, values, at));
                let [low, high] = self.mechanism.compare(self.of(graph.id(at)), around);
                low.is_le() && high.is_ge()
            })
        })
    }
}

/// The values after the best moves of White and of Black.
fn bests(graph: &Graph, values: &[u64], at: usize) -> [u64; 2] {
    let of = |mover| graph.options(mover, at).iter().map(|id| values[*id as usize]);
    [of(Color::White).max().unwrap_or(0), of(Color::Black).min().unwrap_or(ONE)]
}

/// Sweeps over a layer until nothing changes; none when stopped.
fn settle(graph: &Graph, values: &mut [u64], stop: Stop, next: impl Fn(u64, u64, u64) -> u64) -> Option<()> {
    for sweep in 0..SWEEPS {
        if stop() {
            return None;
        }
        let mut changed = false;
        for step in 0..graph.len() {
            let at = if sweep % 2 == 0 { step } else { graph.len() - 1 - step };
            let [a, b] = bests(graph, values, at);
            let own = &mut values[graph.id(at) as usize];
            let value = next(*own, a, b);
            changed |= *own != value;
            *own = value;
        }
        if !changed {
            break;
        }
    }
    Some(())
}

/// The enclosures that are kept, those that were asked about last at the end.
#[derive(Default)]
pub(super) struct Solved(Mutex<VecDeque<Arc<Intervals>>>);

impl Solved {
    /// The enclosures under a mechanism, as they bear on a position; none for a game that is over, and none when stopped.
    pub(super) fn of(&self, graphs: &Graphs, mechanism: Mechanism, id: Id, stop: Stop) -> Option<Arc<Intervals>> {
        let layers = graphs.up_to(id)?;
        let found = {
            let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let at = all.iter().position(|known| (known.mechanism, known.layers) == (mechanism, layers));
            at.and_then(|at| all.remove(at)).inspect(|found| all.push_back(found.clone()))
        };
        if found.is_some() {
            return found;
        }
        let made = Arc::new(Intervals::solve(graphs, mechanism, layers, stop)?);
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.push_back(made.clone());
        while all.len() > KEPT {
            all.pop_front();
        }
        Some(made)
    }
}
