//! Whole chips in sealed auctions: what a player can be sure of whatever the opponent bids, as if the opponent knew the player's bid.
//!
//! For a player with the marker, and for one without it, a threshold is the greatest number of chips that the opponent may hold while the player
//! still forces a win within n moves. Let the opponent hold s chips. The player needs a bid b that wins, by the thresholds for n − 1 moves, in three
//! cases:
//!
//! - The opponent bids less. The player pays b (or the lower bid, where that is the price) and makes the best move.
//! - The opponent bids more. The worst case is the higher bid with the least payment.
//! - The opponent bids the same, if the opponent has enough chips, and the tie rule decides (Develin and Payne, “Discrete bidding games”, for the
//!   marker).
//!
//! All conditions are comparisons with b. So the least sufficient bid is the least legal bid or an end of one of the comparisons.
//!
//! If equal bids are repeated until a coin decides, a player can be sure of no more than if the coin decided at once, since repeating changes
//! nothing. If the side that did not get the last move wins equal bids, that side in effect holds a marker.
//!
//! At most one side can be sure to win. If neither is, the result depends on randomly drawn bids, and there is no verdict.

use serde::Serialize;

use crate::endgame::{Price, Tie};

/// Index of the threshold with the marker, or of the side that moves on all equal bids.
pub(super) const WITH_MARKER: usize = 0;
/// Index of the threshold without the marker.
pub(super) const WITHOUT_MARKER: usize = 1;

/// Range of bids, both ends included.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Bids {
    /// Least bid.
    pub from: i64,
    /// Greatest bid.
    pub to: i64,
}

/// A player's limits for the bids on the next move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct SealedReach {
    /// Most chips that the opponent may hold after the player's best move, with and without the marker in the player's hands.
    pub(super) most: [i64; 2],
    /// Most chips that the opponent may hold after the opponent's own best move, with and without the marker in the player's hands.
    pub(super) least: [i64; 2],
    /// Rule for equal bids.
    pub(super) tie: Tie,
    /// Bid that is paid.
    pub(super) price: Price,
    /// Whether bids may be negative.
    pub(super) negative: bool,
    /// Total chips of both sides.
    pub(super) total: i64,
}

impl SealedReach {
    /// Least legal bid of a side with `chips` chips.
    fn lowest(&self, chips: i64) -> i64 {
        if self.negative { -chips } else { 0 }
    }

    /// Returns whether the player wins by moving for `price`. `role` says whether the player then has the marker.
    fn takes(&self, theirs: i64, price: i64, role: usize) -> bool {
        theirs + price <= self.most[if self.tie == Tie::Loser { WITHOUT_MARKER } else { role }]
    }

    /// Returns whether the player wins if the opponent moves for `price`. `role` says whether the player then has the marker.
    fn gives(&self, theirs: i64, price: i64, role: usize) -> bool {
        theirs - price <= self.least[if self.tie == Tie::Loser { WITH_MARKER } else { role }]
    }

    /// Returns whether the player wins if both bid this amount and the tie rule decides.
    pub(super) fn tied(&self, theirs: i64, bid: i64, role: usize) -> bool {
        let takes = |role: usize| self.takes(theirs, bid, role);
        let gives = |role: usize| self.gives(theirs, bid, role);
        match (self.tie, role) {
            (Tie::Marker, WITH_MARKER) => takes(WITHOUT_MARKER),
            (Tie::Marker, _) => gives(WITH_MARKER),
            (Tie::Choice, WITH_MARKER) => takes(WITHOUT_MARKER) || gives(WITH_MARKER),
            (Tie::Choice, _) => takes(WITHOUT_MARKER) && gives(WITH_MARKER),
            (Tie::Coin | Tie::Rebid, role) => takes(role) && gives(role),
            (Tie::Side | Tie::Loser, WITH_MARKER) => takes(WITH_MARKER),
            (Tie::Side | Tie::Loser, _) => gives(WITHOUT_MARKER),
        }
    }

    /// Returns whether a bid wins whatever the opponent bids.
    pub(super) fn keeps(&self, theirs: i64, bid: i64, role: usize) -> bool {
        let lowest = self.lowest(theirs);
        // Worst payments for the player: after a lower bid of the opponent, and after a higher one.
        let (won, lost) = match self.price {
            Price::First => (bid, lowest.max(bid + 1)),
            Price::Second => (theirs.min(bid - 1), bid),
        };
        let paid = bid <= lowest || self.takes(theirs, won, role);
        let outbid = bid >= theirs || self.gives(theirs, lost, role);
        let tied = bid < lowest || bid > theirs || self.tied(theirs, bid, role);
        paid && outbid && tied
    }

    /// Least bid that wins whatever the opponent bids.
    pub(super) fn bid(&self, theirs: i64, role: usize) -> Option<i64> {
        let own = self.total - theirs;
        let lowest = self.lowest(own);
        let ends = [
            lowest,
            theirs,
            theirs + 1,
            theirs - self.least[WITH_MARKER] - 1,
            theirs - self.least[WITH_MARKER],
            theirs - self.least[WITHOUT_MARKER] - 1,
            theirs - self.least[WITHOUT_MARKER],
        ];
        let serves = |bid: &i64| (lowest..=own).contains(bid) && self.keeps(theirs, *bid, role);
        ends.into_iter().filter(serves).min()
    }

    /// Bids that win whatever the opponent bids: the least one and those after it without a gap.
    pub(super) fn bids(&self, theirs: i64, role: usize) -> Option<Bids> {
        let from = self.bid(theirs, role)?;
        let further = (from + 1..=self.total - theirs).take_while(|bid| self.keeps(theirs, *bid, role));
        Some(Bids { from, to: further.last().unwrap_or(from) })
    }

    /// The range of bids without a gap that includes `bids` and wins whatever the opponent bids.
    pub(super) fn bids_around(&self, theirs: i64, role: usize, bids: Bids) -> Bids {
        let own = self.total - theirs;
        let keeps = |bid: &i64| self.keeps(theirs, *bid, role);
        let lower = (self.lowest(own)..bids.from).rev().take_while(keeps).last();
        let higher = (bids.to + 1..=own).take_while(keeps).last();
        Bids { from: lower.unwrap_or(bids.from), to: higher.unwrap_or(bids.to) }
    }

    /// One more than the most chips that the opponent may hold while the player still wins. It is at least `known`.
    pub(super) fn chips(&self, known: u32, role: usize) -> u32 {
        let most = u32::try_from(self.total).unwrap_or_default() + 1;
        let wins = |count: u32| self.bid(i64::from(count) - 1, role).is_some();
        // A win against some number of chips is also one against fewer. So search in growing leaps, then by bisection.
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
