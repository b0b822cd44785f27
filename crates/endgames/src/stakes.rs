//! Whole chips at an endgame: who wins with the stacks as they are, and what to bid, answer and move for that.
//!
//! A player whose opponent holds b of T chips, and who has a threshold a with b < a·T at some level n, wins like this: he bids half
//! the difference between what his best move leaves him and what the other's best move leaves him, both at level n − 1, and if he
//! gets the move he makes that best one. Whichever way the bid goes the other then holds less than the threshold of the new
//! position at level n − 1, so his king falls within n moves. Rounding a bid to whole chips costs at most half a chip, and level 1
//! needs no rounding in the player's favour that he cannot have, so it is enough that a·T − b > (n − 1)/2. Answering a bid costs
//! nothing: of the two answers one leaves at least what there was.

use super::{
    index::Id,
    thresholds::{ALL, Thresholds, halfway},
};
use crate::board::Color;

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
