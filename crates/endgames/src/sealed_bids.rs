//! Whole chips where both sides bid sealed: what a player can be sure of, whatever the other bids, as if the other knew the bid.
//!
//! For a player who holds the marker, and for one who does not, let a threshold be the greatest number of chips that the other may hold so that
//! the player still wins by force within n moves. With the other's s chips he needs a bid b after which, by the thresholds within n − 1
//! moves, he wins in all three cases: any lower bid of the other, so that he pays b, or the lower bid where that is the price, and makes the best
//! of his moves; any higher one, of which the one that is paid least takes most from him; and an equal one, as far as the other can bid it, by
//! the rule about ties (Develin and Payne, “Discrete bidding games”, for the marker). All these are comparisons with b, so that the least bid
//! that serves is the least that may be bid or an end of one of the comparisons.
//!
//! Where equal bids are made again and a coin decides after some times, as little is sure as where the coin decides at once: nothing has changed
//! when they are made again. Where the side moves at equal bids that did not get the move before, it is as if that side held a marker.
//!
//! Nothing is sure for both sides at once. Where nothing is sure for either, what comes of it hangs on bids that are drawn by lot, and
//! is no verdict.

use serde::Serialize;

use crate::endgame::{Price, Tie};

/// The place of the threshold of whoever holds the marker, or moves at all equal bids.
pub(super) const HOLDS: usize = 0;
/// The place of the threshold of whoever does not.
pub(super) const LACKS: usize = 1;

/// Bids from the least to the greatest.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Bids {
    /// The least.
    pub from: i64,
    /// The greatest.
    pub to: i64,
}

/// What a player needs of the bids on the next move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct SealedReach {
    /// The most chips that the other side may hold once the player has made the best move; with the marker in his hand, and without it.
    pub(super) most: [i64; 2],
    /// The most that it may hold once it has made its own best move, likewise.
    pub(super) least: [i64; 2],
    /// The way equal bids are settled.
    pub(super) tie: Tie,
    /// The bid that is paid.
    pub(super) price: Price,
    /// Bids may be below zero.
    pub(super) negative: bool,
    /// The chips of both sides.
    pub(super) total: i64,
}

impl SealedReach {
    /// The least bid of a side with so many chips.
    fn lowest(&self, chips: i64) -> i64 {
        if self.negative { -chips } else { 0 }
    }

    /// Tells whether the player wins if it moves for a price, with the marker in its hand or not.
    fn takes(&self, theirs: i64, price: i64, role: usize) -> bool {
        theirs + price <= self.most[if self.tie == Tie::Loser { LACKS } else { role }]
    }

    /// Tells whether the player wins if the other moves for a price.
    fn gives(&self, theirs: i64, price: i64, role: usize) -> bool {
        theirs - price <= self.least[if self.tie == Tie::Loser { HOLDS } else { role }]
    }

    /// Tells whether the player wins if both bid this and the rule decides.
    pub(super) fn tied(&self, theirs: i64, bid: i64, role: usize) -> bool {
        let takes = |role: usize| self.takes(theirs, bid, role);
        let gives = |role: usize| self.gives(theirs, bid, role);
        match (self.tie, role) {
            (Tie::Marker, HOLDS) => takes(LACKS),
            (Tie::Marker, _) => gives(HOLDS),
            (Tie::Choice, HOLDS) => takes(LACKS) || gives(HOLDS),
            (Tie::Choice, _) => takes(LACKS) && gives(HOLDS),
            (Tie::Coin | Tie::Rebid, role) => takes(role) && gives(role),
            (Tie::Side | Tie::Loser, HOLDS) => takes(HOLDS),
            (Tie::Side | Tie::Loser, _) => gives(LACKS),
        }
    }

    /// Tells whether a bid wins whatever the other bids.
    pub(super) fn keeps(&self, theirs: i64, bid: i64, role: usize) -> bool {
        let lowest = self.lowest(theirs);
        // The dearest of the other's bids that are lower, and the cheapest of those that are higher, as they are paid.
        let (won, lost) = match self.price {
            Price::First => (bid, lowest.max(bid + 1)),
            Price::Second => (theirs.min(bid - 1), bid),
        };
        let paid = bid <= lowest || self.takes(theirs, won, role);
        let outbid = bid >= theirs || self.gives(theirs, lost, role);
        let tied = bid < lowest || bid > theirs || self.tied(theirs, bid, role);
        paid && outbid && tied
    }

    /// The least bid that wins whatever the other bids.
    pub(super) fn bid(&self, theirs: i64, role: usize) -> Option<i64> {
        let own = self.total - theirs;
        let lowest = self.lowest(own);
        let ends = [
            lowest,
            theirs,
            theirs + 1,
            theirs - self.least[HOLDS] - 1,
            theirs - self.least[HOLDS],
            theirs - self.least[LACKS] - 1,
            theirs - self.least[LACKS],
        ];
        let serves = |bid: &i64| (lowest..=own).contains(bid) && self.keeps(theirs, *bid, role);
        ends.into_iter().filter(serves).min()
    }

    /// The bids that win whatever the other bids, from the least on as far as there is no gap.
    pub(super) fn bids(&self, theirs: i64, role: usize) -> Option<Bids> {
        let from = self.bid(theirs, role)?;
        let further = (from + 1..=self.total - theirs).take_while(|bid| self.keeps(theirs, *bid, role));
        Some(Bids { from, to: further.last().unwrap_or(from) })
    }

    /// One more than the most chips that the other side may hold while the player still wins; it is known to be no less than `known`.
    pub(super) fn chips(&self, known: u32, role: usize) -> u32 {
        let most = u32::try_from(self.total).unwrap_or_default() + 1;
        let wins = |count: u32| self.bid(i64::from(count) - 1, role).is_some();
        // What serves with so many chips serves with more: first in growing leaps, then by halves.
        let (mut sure, mut leap) = (known, 1);
        while sure + leap <= most && wins(sure + leap) {
            sure += leap;
            leap *= 2;
        }
        let mut beyond = (sure + leap).min(most + 1);
        while beyond - sure > 1 {
            let middle = sure + (beyond - sure) / 2;
            if wins(middle) {
                sure = middle;
            } else {
                beyond = middle;
            }
        }
        sure
    }
}
