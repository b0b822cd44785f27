//! Whole-chip thresholds of one level, and their growth from level to level in open auctions with negative bids. Only positions that a change
//! affects are recomputed. Thresholds are defined in `chip_solver.rs`.

use std::{ops::Range, sync::Arc};

use super::{
    move_graph::Graphs,
    position_index::{Id, won},
};
use crate::board::Color;

/// Thresholds of one level, and the data needed to compute the next one. For each position it keeps the sum of the thresholds after both sides' best
/// moves. Half of this sum, rounded down, is the bidder's threshold; rounded up, it is the answerer's.
pub(super) struct Growth {
    graphs: Arc<Graphs>,
    layers: usize,
    player: Color,
    sums: Vec<u16>,
    /// Greatest sum after a move of the player, by position.
    most: Vec<u16>,
    /// Least sum after a move of the opponent, and the number of moves with that sum.
    least: Vec<(u16, u8)>,
    /// Positions that grow at the next level, with their new sums.
    grows: Vec<(Id, u16)>,
    /// Marks positions that are queued for recomputation.
    queued: Vec<bool>,
}

impl Growth {
    /// Prepares growth from a level.
    pub(super) fn from(graphs: Arc<Graphs>, layers: usize, player: Color, sums: Vec<u16>) -> Growth {
        let mut growth = Growth {
            most: vec![0; sums.len()],
            least: vec![(0, 0); sums.len()],
            queued: vec![false; sums.len()],
            graphs: graphs.clone(),
            layers,
            player,
            sums,
            grows: Vec::new(),
        };
        for graph in graphs.needed(layers) {
            for at in 0..graph.len() {
                let id = graph.id(at);
                let own = graph.options(player, at).iter().map(|id| growth.sums[*id as usize]);
                growth.most[id as usize] = own.max().unwrap_or_default();
                growth.least[id as usize] = growth.least_of(graph.options(!player, at));
                growth.queue_growth(id);
            }
        }
        growth
    }

    /// Lowest level: only finished games are won.
    pub(super) fn begin(graphs: &Graphs, player: Color, both: u16) -> Vec<u16> {
        let mut sums = vec![0; graphs.ids()];
        sums[won(player) as usize] = both;
        sums
    }

    pub(super) fn sums(&self) -> &[u16] {
        &self.sums
    }

    fn least_of(&self, options: &[Id]) -> (u16, u8) {
        options.iter().fold((u16::MAX, 0), |(least, count), id| match self.sums[*id as usize] {
            sum if sum < least => (sum, 1),
            sum if sum == least => (least, count + 1),
            _ => (least, count),
        })
    }

    /// Queues a position whose sum changes.
    fn queue_growth(&mut self, id: Id) {
        let sum = self.most[id as usize] / 2 + self.least[id as usize].0.div_ceil(2);
        if sum != self.sums[id as usize] {
            self.grows.push((id, sum));
        }
    }

    /// Advances to the next level. Returns false if nothing grows.
    pub(super) fn step(&mut self) -> bool {
        if self.grows.is_empty() {
            return false;
        }
        let graphs = self.graphs.clone();
        let grown = std::mem::take(&mut self.grows);
        let [own, other] = [self.player, !self.player].map(|mover| graphs.backward(mover));
        let all: Vec<Range<Id>> = graphs.needed(self.layers).map(|graph| graph.layer.ids.clone()).collect();
        let ends = [&all[0], &all[all.len() - 1]];
        // A pawn layer needs all layers up to its own. A piece layer needs the first layer and its own.
        let needed = |id: &Id| *id < ends[1].end && (all.len() > 2 || ends.iter().any(|ids| ids.contains(id)));
        let (mut again, mut short) = (Vec::new(), Vec::new());
        for (id, sum) in &grown {
            let before = std::mem::replace(&mut self.sums[*id as usize], *sum);
            for from in own.of(*id).iter().copied().filter(needed) {
                let most = &mut self.most[from as usize];
                if *sum > *most {
                    *most = *sum;
                    if !std::mem::replace(&mut self.queued[from as usize], true) {
                        again.push(from);
                    }
                }
            }
            for from in other.of(*id).iter().copied().filter(needed) {
                let (least, count) = &mut self.least[from as usize];
                if before == *least {
                    *count -= 1;
                    if *count == 0 {
                        short.push(from);
                    }
                }
            }
        }
        for id in short {
            self.least[id as usize] = self.least_of(graphs.options(!self.player, id));
            if !std::mem::replace(&mut self.queued[id as usize], true) {
                again.push(id);
            }
        }
        for id in again {
            self.queued[id as usize] = false;
            self.queue_growth(id);
        }
        true
    }
}

/// Thresholds of a player by position number: as bidder and answerer, or in sealed auctions with and without the marker. Each is one more than the
/// greatest number of chips that the opponent may hold, and zero if no number suffices.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Level {
    /// Sums that determine both thresholds, as in [`Growth`].
    Sums(Vec<u16>),
    /// Both thresholds.
    Pairs(Vec<[u32; 2]>),
}

impl Level {
    /// Threshold of a numbered position in a role.
    pub(super) fn of(&self, id: Id, role: usize) -> u32 {
        match self {
            Level::Sums(sums) => (u32::from(sums[id as usize]) + role as u32) / 2,
            Level::Pairs(pairs) => pairs[id as usize][role],
        }
    }

    /// Memory size in bytes.
    pub(super) fn bytes(&self) -> usize {
        match self {
            Level::Sums(sums) => size_of_val(&**sums),
            Level::Pairs(pairs) => size_of_val(&**pairs),
        }
    }
}

/// Index of the bidder's threshold.
pub(super) const BIDDER: usize = 0;
/// Index of the answerer's threshold.
pub(super) const ANSWERER: usize = 1;
