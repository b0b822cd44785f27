//! How sealed bids are settled: who gets the move between equal ones, and what is paid for it.

use std::cmp::Ordering;

use super::{
    auction::{Auction, AuctionStage},
    options::Bidding,
};
use crate::rules::{
    Seat,
    endgame::{Price, Tie},
};

/// So many equal bids for one move are settled by the coin where bids are made again.
const TIES: usize = 3;

impl Bidding {
    /// Both bids are in.
    pub(super) fn opened(&self, auction: &mut Auction, [one, two]: [i64; 2]) {
        auction.bids = [Some(one), Some(two)];
        let price = match self.price {
            Price::First => one.max(two),
            Price::Second => one.min(two),
        };
        match (one.cmp(&two), self.tie) {
            (Ordering::Greater, _) => self.pay(auction, Seat::One, price, None),
            (Ordering::Less, _) => self.pay(auction, Seat::Two, price, None),
            (Ordering::Equal, Tie::Marker) => {
                let holder = auction.marker;
                self.pay(auction, holder, one, Some("marker"));
                auction.marker = !holder;
            }
            (Ordering::Equal, Tie::Loser) => self.pay(auction, auction.marker, one, Some("loser")),
            (Ordering::Equal, Tie::Choice) => auction.asked = AuctionStage::Tie(one),
            (Ordering::Equal, Tie::Rebid) if auction.again + 1 < TIES => auction.again += 1,
            (Ordering::Equal, Tie::Coin | Tie::Rebid) => auction.asked = AuctionStage::Coin(one),
            (Ordering::Equal, Tie::Side) => self.pay(auction, Seat::of(self.holder.into()), one, Some("side")),
        }
    }

    /// The move goes to a seat for a price.
    pub(super) fn pay(&self, auction: &mut Auction, mover: Seat, price: i64, settled: Option<&'static str>) {
        auction.pay(mover, price, self.bank, settled);
        if self.tie == Tie::Loser {
            auction.marker = !mover;
        }
    }
}
