//! The thresholds of whole chips at one level, and their growth from level to level where bids are open and may be below zero: only positions that a
//! change affects are computed again. Thresholds are defined in `chip_solver.rs`.

use std::{ops::Range, sync::Arc};

use super::{
    move_graph::Graphs,
    position_index::{Id, won},
};
use crate::board::Color;

/// The thresholds of one level, and what the next ones need. Of a position the sum of what the moves of both sides leave is kept: the threshold
/// of the one who bids is its half rounded down, and that of the one who answers its half rounded up.
pub(super) struct Growth {
    graphs: Arc<Graphs>,
    layers: usize,
    player: Color,
    sums: Vec<u16>,
    /// The greatest sum after a move of the player, by position.
    most: Vec<u16>,
    /// The least sum after a move of the other side, and after how many of its moves it is so.
    least: Vec<(u16, u8)>,
    /// What grows at the next level, and to what.
    grows: Vec<(Id, u16)>,
    /// Set for what is to be looked at again.
    noted: Vec<bool>,
}

impl Growth {
    /// What follows from a level.
    pub(super) fn from(graphs: Arc<Graphs>, layers: usize, player: Color, sums: Vec<u16>) -> Growth {
        let mut growth = Growth {
            most: vec![0; sums.len()],
            least: vec![(0, 0); sums.len()],
            noted: vec![false; sums.len()],
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
                growth.grow(id);
            }
        }
        growth
    }

    /// The lowest level: nothing is won but what is over.
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

    /// Notes what becomes of a position, if anything does.
    fn grow(&mut self, id: Id) {
        let sum = self.most[id as usize] / 2 + self.least[id as usize].0.div_ceil(2);
        if sum != self.sums[id as usize] {
            self.grows.push((id, sum));
        }
    }

    /// Goes to the next level, if anything grows in it.
    pub(super) fn step(&mut self) -> bool {
        if self.grows.is_empty() {
            return false;
        }
        let graphs = self.graphs.clone();
        let grown = std::mem::take(&mut self.grows);
        let [own, other] = [self.player, !self.player].map(|mover| graphs.backward(mover));
        let all: Vec<Range<Id>> = graphs.needed(self.layers).map(|graph| graph.layer.ids.clone()).collect();
        let ends = [&all[0], &all[all.len() - 1]];
        // With a pawn all layers up to its own are needed, without one the first and its own.
        let needed = |id: &Id| *id < ends[1].end && (all.len() > 2 || ends.iter().any(|ids| ids.contains(id)));
        let (mut again, mut short) = (Vec::new(), Vec::new());
        for (id, sum) in &grown {
            let before = std::mem::replace(&mut self.sums[*id as usize], *sum);
            for from in own.of(*id).iter().copied().filter(needed) {
                let most = &mut self.most[from as usize];
                if *sum > *most {
                    *most = *sum;
                    if !std::mem::replace(&mut self.noted[from as usize], true) {
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
            if !std::mem::replace(&mut self.noted[id as usize], true) {
                again.push(id);
            }
        }
        for id in again {
            self.noted[id as usize] = false;
            self.grow(id);
        }
        true
    }
}

/// A player's thresholds by number of position, as the one who bids and as the one who answers, or, where bids are sealed, as the one who holds
/// the marker and as the one who does not: each one more than the greatest number of chips that the other may hold, and zero where no
/// number will do.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Level {
    /// The sums from which both thresholds follow, as [`Growth`] says.
    Sums(Vec<u16>),
    /// Both thresholds.
    Pairs(Vec<[u32; 2]>),
}

impl Level {
    /// The threshold of a numbered position in a role.
    pub(super) fn of(&self, id: Id, role: usize) -> u32 {
        match self {
            Level::Sums(sums) => (u32::from(sums[id as usize]) + role as u32) / 2,
            Level::Pairs(pairs) => pairs[id as usize][role],
        }
    }

    /// The bytes that it takes.
    pub(super) fn bytes(&self) -> usize {
        match self {
            Level::Sums(sums) => size_of_val(&**sums),
            Level::Pairs(pairs) => size_of_val(&**pairs),
        }
    }
}

/// The place of the threshold as the one who bids.
pub(super) const BIDS: usize = 0;
/// The place of the threshold as the one who answers.
pub(super) const ANSWERS: usize = 1;
