//! The share of the money that a player may leave to the other and still be sure to win within n moves, for n up to [`LEVELS`].
//!
//! These are the α_n of U. Larsson and J. Wästlund, “Endgames in bidding chess”, §5, for White, and 1 − β_n for Black: 0 at first, 1
//! where the other king has been captured, and from then on half of (the best for the player among his own moves + the worst
//! among the other's moves). They are kept in fixed point and always rounded down, so that each step of the recursion holds as
//! an inequality for the very numbers that are kept: that is all that winning play needs.
//!
//! Where bids below zero are not allowed a player who would like to be paid for moving can only bid nothing; then his threshold is
//! the least that he can make sure of so: what his own best move leaves.

use std::{borrow::Cow, sync::Arc};

use super::{
    graph::Graphs,
    index::{Id, won},
    table::Table,
};
use crate::board::Color;

/// The greatest number of moves that is looked ahead. After a hundred, no threshold of the ordinary board differs from its limit by
/// more than a hundred-thousandth.
pub const LEVELS: usize = 128;

/// All the money, in fixed point.
pub(super) const ALL: u32 = 1 << 31;

/// The thresholds of one board, at every `stride`-th level; those between are worked out again when they are needed.
pub struct Thresholds {
    graphs: Arc<Graphs>,
    kept: [Vec<Vec<u32>>; 2],
    stride: usize,
    negative: bool,
}

/// Half of what a player can reach with the move and what is left to him without it.
pub(super) fn halfway(own: u32, other: u32, negative: bool) -> u32 {
    if own < other && !negative { own } else { ((u64::from(own) + u64::from(other)) / 2) as u32 }
}

impl Thresholds {
    /// Works out all levels and keeps every `stride`-th; `negative` says whether bids may be below zero. Computes for about half a
    /// second, and keeps a megabyte and a half for every level.
    pub fn solve(table: &Table, stride: usize, negative: bool) -> Thresholds {
        let graphs = table.graphs();
        let count = graphs.ids();
        let mut thresholds =
            Thresholds { graphs, kept: [Vec::new(), Vec::new()], stride: stride.clamp(1, LEVELS), negative };
        for player in Color::BOTH {
            let mut level = vec![0; count];
            level[won(player) as usize] = ALL;
            let mut kept = vec![level.clone()];
            for n in 1..=LEVELS {
                level = thresholds.step(player, &level, thresholds.graphs.len());
                if n % thresholds.stride == 0 {
                    kept.push(level.clone());
                }
            }
            thresholds.kept[player.index()] = kept;
        }
        thresholds
    }

    /// Tells whether bids may be below zero.
    pub fn negative(&self) -> bool {
        self.negative
    }

    /// The next level of a player, for the first `layers` layers and what they can turn into.
    fn step(&self, player: Color, level: &[u32], layers: usize) -> Vec<u32> {
        let mut next = level.to_vec();
        for graph in self.graphs.needed(layers) {
            for at in 0..graph.len() {
                let of = |mover: Color| graph.options(mover, at).iter().map(|id| level[*id as usize]);
                let own = of(player).max().unwrap_or_default();
                let other = of(!player).min().unwrap_or_default();
                next[graph.id(at) as usize] = halfway(own, other, self.negative);
            }
        }
        next
    }

    /// Goes through the levels of a player from the lowest on, as they bear on positions that come from `id`, until `tell` finds
    /// what it looks for. What it finds at a level it must also find in greater thresholds under the same number, and, from 1
    /// on, under a lower one.
    pub(super) fn find<T>(&self, player: Color, id: Id, tell: impl Fn(usize, &[u32]) -> Option<T>) -> Option<T> {
        let layers = self.graphs.up_to(id)?;
        let kept = &self.kept[player.index()];
        let mut at = 0;
        while let Some(first) = kept.get(at) {
            // Thresholds only grow from level to level: what cannot be told from later ones cannot be told from those between.
            let number = (at * self.stride).max(1);
            let hopeless = |next: usize| kept.get(next).is_some_and(|top| tell(number, top).is_none());
            if let Some(leap) = [16, 1].into_iter().find(|leap| hopeless(at + leap)) {
                at += leap;
                continue;
            }
            let mut level = Cow::Borrowed(first.as_slice());
            let between = if at + 1 < kept.len() { self.stride } else { 1 };
            for n in at * self.stride..at * self.stride + between {
                if let Some(found) = tell(n, &level) {
                    return Some(found);
                }
                if n + 1 < at * self.stride + between {
                    level = Cow::Owned(self.step(player, &level, layers));
                }
            }
            at += 1;
        }
        None
    }

    /// The levels that are kept, with their numbers.
    pub(super) fn kept(&self, player: Color) -> impl Iterator<Item = (usize, &[u32])> {
        self.kept[player.index()].iter().enumerate().map(|(at, level)| (at * self.stride, level.as_slice()))
    }
}
