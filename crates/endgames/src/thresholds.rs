//! The share of the money that a player may leave to the opponent and still be sure to win within n moves, for n up to [`LEVELS`].
//!
//! For White these are the α_n of U. Larsson and J. Wästlund, “Endgames in bidding chess”, §5; for Black they are 1 − β_n. Level 0 is 0, and 1 where
//! the opponent's king has been captured. Each further level is half of the best value after the player's own moves plus the worst value after the
//! opponent's moves. Values are in fixed point and always rounded down. So each step of the recursion holds as an inequality for the stored numbers
//! themselves, which is all that winning play needs.
//!
//! If bids may not be negative, a player who would like to be paid for moving can only bid zero. The threshold is then the value that this
//! guarantees: the one after the player's own best move.
//!
//! # Whole chips
//!
//! Let the opponent hold b of T chips, and let the player have a threshold a with b < a·T at some level n. The player bids half the difference
//! between the thresholds after both sides' best moves, both at level n − 1. A player who gets the move makes the best one. Either way the opponent
//! then holds less than the threshold of the new position at level n − 1, so the opponent's king is captured within n moves.
//!
//! Rounding a bid to whole chips costs at most half a chip. Level 1 needs no rounding in the player's favour beyond the player's stack. So a·T − b >
//! (n − 1)/2 suffices. Answering a bid costs nothing, because one of the two answers leaves at least as much as before.

use std::{borrow::Cow, sync::Arc};

use super::{
    move_graph::Graphs,
    position_index::{Id, won},
    table::Table,
};
use crate::board::Color;

/// Maximum number of moves to look ahead. After a hundred moves, no threshold of the 8×8 board differs from its limit by more than 1/100,000.
pub const LEVELS: usize = 128;

/// All the money, in fixed point.
const ALL: u32 = 1 << 31;

/// Thresholds of one board at every `stride`-th level. Levels between them are recomputed when needed.
pub struct Thresholds {
    graphs: Arc<Graphs>,
    kept: [Vec<Vec<u32>>; 2],
    stride: usize,
    negative: bool,
}

/// Half of the player's threshold with the move plus the threshold without it.
fn halfway(own: u32, other: u32, negative: bool) -> u32 {
    if own < other && !negative { own } else { ((u64::from(own) + u64::from(other)) / 2) as u32 }
}

impl Thresholds {
    /// Computes all levels and keeps every `stride`-th; `negative` allows negative bids. Takes about half a second, and a megabyte and a half per
    /// stored level.
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

    /// Returns whether bids may be negative.
    pub fn negative(&self) -> bool {
        self.negative
    }

    /// Next level of a player, for the layers that [`Graphs::needed`] lists.
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

    /// Searches the levels of a player from the lowest up, as far as they cover positions after `id`, until `tell` returns a result. `tell` must be
    /// monotone: a result for some thresholds implies one for greater thresholds under the same number and, from number 1 on, under a lower number.
    pub(super) fn find<T>(&self, player: Color, id: Id, tell: impl Fn(usize, &[u32]) -> Option<T>) -> Option<T> {
        let layers = self.graphs.up_to(id)?;
        let kept = &self.kept[player.index()];
        let mut at = 0;
        while let Some(first) = kept.get(at) {
            // Thresholds grow from level to level: if a later level gives no result, no level before it does.
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

    /// Stored levels with their numbers.
    fn kept(&self, player: Color) -> impl Iterator<Item = (usize, &[u32])> {
        self.kept[player.index()].iter().enumerate().map(|(at, level)| (at * self.stride, level.as_slice()))
    }
}

/// A player's view of a position: the positions after both sides' moves. A side without a move keeps the position.
pub(super) struct Paths {
    pub(super) player: Color,
    pub(super) here: Id,
    pub(super) own: Vec<Id>,
    pub(super) other: Vec<Id>,
}

/// Side that will move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mover {
    /// The winner of the auction.
    Open,
    /// The player.
    Own,
    /// The opponent.
    Other,
}

/// Plan that is sure to win.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Plan {
    /// Number of moves to the win from here.
    pub(super) within: usize,
    /// Bid, if the next step is one.
    pub(super) bid: i64,
    /// The player's best move by this plan, as an index into the player's moves.
    pub(super) mv: usize,
}

impl Paths {
    /// Best threshold after the player's own moves at a level, and the index of the first such move.
    fn best(&self, level: &[u32]) -> (u32, usize) {
        let worth = |at: usize| level[self.own[at] as usize];
        let at = (0..self.own.len()).rev().max_by_key(|at| worth(*at)).unwrap_or_default();
        (worth(at), at)
    }

    fn worst(&self, level: &[u32]) -> u32 {
        self.other.iter().map(|id| level[*id as usize]).min().unwrap_or_default()
    }

    /// Plans a sure win within `left` turns, while the opponent holds `theirs` of `total` chips.
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

    /// Least total number of chips with which the win would be sure at the same shares. Returns `None` if the opponent's share exceeds all
    /// thresholds.
    pub(super) fn needed_total(&self, levels: &Thresholds, mover: Mover, theirs: i64, total: i64) -> Option<i64> {
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

/// Returns whether a threshold at level n proves the win.
fn proved(n: usize, worth: u32, theirs: i64, total: i64) -> bool {
    let slack = n as i128 - 1;
    worth == ALL
        || n > 0 && 2 * i128::from(worth) * i128::from(total) > i128::from(ALL) * (2 * i128::from(theirs) + slack)
}

/// Half the difference of two thresholds in whole chips, rounded half up.
fn bid(own: u32, other: u32, total: i64, negative: bool) -> i64 {
    let twice = (i64::from(own) - i64::from(other)) * total;
    let whole = twice.div_euclid(i64::from(ALL));
    // ⌊twice / (2·ALL) + 1/2⌋ = ⌊(⌊twice / ALL⌋ + 1) / 2⌋.
    let bid = (whole + 1).div_euclid(2);
    if negative { bid } else { bid.max(0) }
}
