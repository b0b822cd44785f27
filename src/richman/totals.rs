//! The thresholds of whole chips for one total: how many the other may hold so that a player still wins by force within n moves, for every n up
//! to where nothing grows any more. What they are `chips.rs` says. A few totals are kept, for a game asks about its own again and again.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, PoisonError},
};

use super::{
    graph::{Graph, Graphs},
    index::{Id, won},
    sealed::{HOLDS, LACKS, SealedReach},
};
use crate::{
    board::Color,
    rules::endgame::{Price, Tie},
};

/// Every so-manieth level is kept, and the last one; those between are worked out again.
const STRIDE: usize = 8;
/// The bytes that all kept levels may take together.
const ROOM: usize = 96 << 20;

/// A player's thresholds by number of position, as the one who bids and as the one who answers, or, where bids are sealed, as the one who holds
/// the marker and as the one who does not: each one more than the greatest number of chips that the other may hold, and zero where no
/// number will do.
pub(super) type Level = Vec<[u32; 2]>;
/// The place of the threshold as the one who bids.
pub(super) const BIDS: usize = 0;
/// The place of the threshold as the one who answers.
pub(super) const ANSWERS: usize = 1;

/// The rule of an auction of whole chips.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct BidRule {
    /// Bids may be below zero.
    pub(super) negative: bool,
    /// The way equal sealed bids are settled and the bid that is paid; nothing where bids are open.
    pub(super) sealed: Option<(Tie, Price)>,
}

/// A question that the same levels answer: the chips in all, the player, the layers that the position can turn into, and the bids.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Key {
    total: u32,
    player: Color,
    layers: usize,
    rule: BidRule,
}

/// The levels of one player for one total.
pub(super) struct Levels {
    key: Key,
    graphs: Arc<Graphs>,
    kept: Vec<(usize, Level)>,
    /// Those of pages that were never written to are not counted.
    bytes: usize,
}

/// The totals that are kept, those that were asked about last at the end.
#[derive(Default)]
pub(super) struct Totals(Mutex<VecDeque<Arc<Levels>>>);

impl Totals {
    /// The levels of a player for a total, as they bear on a position; nothing for a game that is over.
    pub(super) fn of(
        &self,
        graphs: &Arc<Graphs>,
        player: Color,
        total: u32,
        rule: BidRule,
        id: Id,
    ) -> Option<Arc<Levels>> {
        let key = Key { total, player, layers: graphs.up_to(id)?, rule };
        if let Some(known) = self.known(key) {
            return Some(known);
        }
        let made = Arc::new(Levels::solve(graphs.clone(), key));
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.push_back(made.clone());
        while all.len() > 1 && all.iter().map(|levels| levels.bytes).sum::<usize>() > ROOM {
            all.pop_front();
        }
        Some(made)
    }

    fn known(&self, key: Key) -> Option<Arc<Levels>> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = all.iter().position(|levels| levels.key == key)?;
        let found = all.remove(at)?;
        all.push_back(found.clone());
        Some(found)
    }
}

impl Levels {
    fn solve(graphs: Arc<Graphs>, key: Key) -> Levels {
        let positions: usize = graphs.needed(key.layers).map(|graph| graph.len()).sum();
        let mut levels = Levels { key, graphs, kept: Vec::new(), bytes: 0 };
        let mut level = levels.begin();
        let mut n = 0;
        loop {
            let (next, grown) = levels.step(&level);
            if !grown || n % STRIDE == 0 {
                levels.kept.push((n, level));
                levels.bytes += positions * size_of::<[u32; 2]>();
            }
            if !grown {
                return levels;
            }
            (level, n) = (next, n + 1);
        }
    }

    /// Nothing is won but what is over. What is never written to takes no memory.
    fn begin(&self) -> Level {
        let mut level = vec![[0; 2]; self.graphs.ids()];
        level[won(self.key.player) as usize] = [self.key.total + 1; 2];
        level
    }

    /// The next level, and whether anything has grown.
    fn step(&self, level: &Level) -> (Level, bool) {
        let (mut next, mut grown) = (self.begin(), false);
        for graph in self.graphs.needed(self.key.layers) {
            for at in 0..graph.len() {
                let id = graph.id(at) as usize;
                next[id] = match self.key.rule.sealed {
                    None => self.open(graph, at, level),
                    Some(settled) => self.sealed(graph, at, level, settled),
                };
                grown |= next[id] != level[id];
            }
        }
        (next, grown)
    }

    /// The thresholds where bids are open.
    fn open(&self, graph: &Graph, at: usize, level: &Level) -> [u32; 2] {
        let player = self.key.player;
        let of = |mover: Color, role: usize| graph.options(mover, at).iter().map(move |id| level[*id as usize][role]);
        let most = of(player, BIDS).max().unwrap_or_default();
        let least = of(!player, ANSWERS).min().unwrap_or_default();
        if most < least && !self.key.rule.negative {
            [most, least]
        } else {
            [(most + least) / 2, (most + least).div_ceil(2)]
        }
    }

    /// The thresholds where bids are sealed.
    fn sealed(&self, graph: &Graph, at: usize, level: &Level, (tie, price): (Tie, Price)) -> [u32; 2] {
        let player = self.key.player;
        let of = |mover: Color, role: usize| graph.options(mover, at).iter().map(move |id| level[*id as usize][role]);
        let roles = [HOLDS, LACKS];
        let reach = SealedReach {
            most: roles.map(|role| i64::from(of(player, role).max().unwrap_or_default()) - 1),
            least: roles.map(|role| i64::from(of(!player, role).min().unwrap_or_default()) - 1),
            tie,
            price,
            negative: self.key.rule.negative,
            total: i64::from(self.key.total),
        };
        let known = level[graph.id(at) as usize];
        roles.map(|role| reach.chips(known[role], role))
    }

    /// The level from which on nothing grows: what can be reached at all.
    pub(super) fn last(&self) -> Option<&Level> {
        self.kept.last().map(|(_, level)| level)
    }

    /// The first level at which `tell` finds what it looks for, with its number; what it finds there it also finds in all greater thresholds.
    pub(super) fn find<T>(&self, tell: impl Fn(&Level) -> Option<T>) -> Option<(usize, T)> {
        let first = self.kept.partition_point(|(_, level)| tell(level).is_none());
        let (last, found) = self.kept.get(first)?;
        let Some((from, before)) = first.checked_sub(1).and_then(|at| self.kept.get(at)) else {
            return Some((*last, tell(found)?));
        };
        let mut level = self.step(before).0;
        for n in from + 1..*last {
            if let Some(told) = tell(&level) {
                return Some((n, told));
            }
            level = self.step(&level).0;
        }
        Some((*last, tell(found)?))
    }
}
