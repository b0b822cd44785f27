//! The share of the money that a player may leave to the other and still be sure to win within n moves, for n up to [`LEVELS`].
//!
//! These are the α_n of U. Larsson and J. Wästlund, “Endgames in bidding chess”, §5, for White, and 1 − β_n for Black: 0 at first, 1
//! where the other king has been captured, and from then on half of (the best for the player among his own moves + the worst
//! among the other's moves). They are kept in fixed point and always rounded down, so that each step of the recursion holds as
//! an inequality for the very numbers that are kept: that is all that winning play needs.
//!
//! Where bids below zero are not allowed a player who would like to be paid for moving can only bid nothing; then his threshold is
//! the least that he can make sure of so: what his own best move leaves.
//!
//! # Whole chips
//!
//! A player whose opponent holds b of T chips, and who has a threshold a with b < a·T at some level n, wins like this: he bids half
//! the difference between what his best move leaves him and what the other's best move leaves him, both at level n − 1, and if he
//! gets the move he makes that best one. Whichever way the bid goes the other then holds less than the threshold of the new
//! position at level n − 1, so his king falls within n moves. Rounding a bid to whole chips costs at most half a chip, and level 1
//! needs no rounding in the player's favour that he cannot have, so it is enough that a·T − b > (n − 1)/2. Answering a bid costs
//! nothing: of the two answers one leaves at least what there was.

use std::{borrow::Cow, sync::Arc};

use super::{
    move_graph::Graphs,
    position_index::{Id, won},
    table::Table,
};
use crate::board::Color;

/// The greatest number of moves that is looked ahead. After a hundred, no threshold of the ordinary board differs from its limit by
/// more than a hundred-thousandth.
pub const LEVELS: usize = 128;

/// All the money, in fixed point.
const ALL: u32 = 1 << 31;

/// The thresholds of one board, at every `stride`-th level; those between are worked out again when they are needed.
pub struct Thresholds {
    graphs: Arc<Graphs>,
    kept: [Vec<Vec<u32>>; 2],
    stride: usize,
    negative: bool,
}

/// Half of what a player can reach with the move and what is left to him without it.
fn halfway(own: u32, other: u32, negative: bool) -> u32 {
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
    fn kept(&self, player: Color) -> impl Iterator<Item = (usize, &[u32])> {
        self.kept[player.index()].iter().enumerate().map(|(at, level)| (at * self.stride, level.as_slice()))
    }
}

/// One side's view of a position: where its own moves and the other's lead. A side without a move stays where it is.
pub(super) struct Paths {
    pub(super) player: Color,
    pub(super) here: Id,
    pub(super) own: Vec<Id>,
    pub(super) other: Vec<Id>,
}

/// The side that will move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mover {
    /// Whoever wins the bidding.
    Open,
    /// The player.
    Own,
    /// The other side.
    Other,
}

/// A win that is sure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Plan {
    /// Within so many moves from here.
    pub(super) within: usize,
    /// The bid, if there is a bidding.
    pub(super) bid: i64,
    /// The player's best move by this plan, as a place among his own.
    pub(super) mv: usize,
}

impl Paths {
    /// The best that the player's own moves lead to at a level, and its place; the first among equals.
    fn best(&self, level: &[u32]) -> (u32, usize) {
        let worth = |at: usize| level[self.own[at] as usize];
        let at = (0..self.own.len()).rev().max_by_key(|at| worth(*at)).unwrap_or_default();
        (worth(at), at)
    }

    fn worst(&self, level: &[u32]) -> u32 {
        self.other.iter().map(|id| level[*id as usize]).min().unwrap_or_default()
    }

    /// Plans how the player is sure to win, with whoever is the mover and `theirs` of `total` chips in the other's hands, within
    /// `left` turns.
    pub(super) fn plan(&self, levels: &Thresholds, mover: Mover, theirs: i64, total: i64, left: i64) -> Option<Plan> {
        levels.find(self.player, self.here, |n, level| {
            let ((own, mv), other) = (self.best(level), self.worst(level));
            let (worth, after) = match mover {
                Mover::Open => (halfway(own, other, levels.negative()), n + 1),
                Mover::Own => (own, n),
                Mover::Other => (other, n),
            };
            let turns = if mover == Mover::Open { after } else { after + 1 };
            let sure = proved(after, worth, theirs, total) && turns as i64 <= left;
            sure.then(|| Plan { within: turns, bid: bid(own, other, total, levels.negative()), mv })
        })
    }

    /// The least number of chips in all with which the win would be sure if the shares were the same; nothing if the other's
    /// share is beyond all thresholds.
    pub(super) fn enough(&self, levels: &Thresholds, mover: Mover, theirs: i64, total: i64) -> Option<i64> {
        let (theirs, total) = (i128::from(theirs), i128::from(total));
        let needed = levels.kept(self.player).filter_map(|(n, level)| {
            let ((own, _), other) = (self.best(level), self.worst(level));
            let (worth, after) = match mover {
                Mover::Open => (halfway(own, other, levels.negative()), n + 1),
                Mover::Own => (own, n),
                Mover::Other => (other, n),
            };
            let ahead = i128::from(worth) * total - theirs * i128::from(ALL);
            let slack = i128::try_from(after).ok()?.saturating_sub(1).max(1);
            (ahead > 0).then(|| slack * i128::from(ALL) * total / (2 * ahead) + 1)
        });
        needed.min().and_then(|chips| i64::try_from(chips).ok())
    }
}

/// Tells whether a threshold at level n proves the win.
fn proved(n: usize, worth: u32, theirs: i64, total: i64) -> bool {
    let slack = n as i128 - 1;
    worth == ALL
        || n > 0 && 2 * i128::from(worth) * i128::from(total) > i128::from(ALL) * (2 * i128::from(theirs) + slack)
}

/// Half the difference of two thresholds in whole chips, halves rounded up.
fn bid(own: u32, other: u32, total: i64, negative: bool) -> i64 {
    let twice = (i64::from(own) - i64::from(other)) * total;
    let whole = twice.div_euclid(i64::from(ALL));
    // ⌊twice / (2·ALL) + 1/2⌋ = ⌊(⌊twice / ALL⌋ + 1) / 2⌋.
    let bid = (whole + 1).div_euclid(2);
    if negative { bid } else { bid.max(0) }
}
