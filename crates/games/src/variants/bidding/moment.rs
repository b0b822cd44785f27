//! The moment as the endgame tables and the bots are asked about it.

use super::{Scheme, State, auction::AuctionStage, options::Bidding};
use crate::rules::endgame::{self, Endgame, Settlement, Tie};

impl Bidding {
    /// The moment as those see it who ask what it is worth.
    pub(super) fn moment(&self, state: &State) -> Endgame {
        let bidder = state.play.last;
        let asked = match (state.auction.asked, self.scheme) {
            (AuctionStage::Bid, Scheme::Open) => endgame::Asked::Offer(bidder),
            (AuctionStage::Bid, Scheme::Secret) => endgame::Asked::Sealed,
            (AuctionStage::Answer(bid), _) => endgame::Asked::Answer { bidder, bid },
            (AuctionStage::Tie(bid), _) => endgame::Asked::Tie { holder: state.auction.marker.color(), bid },
            (AuctionStage::Coin(bid), _) => endgame::Asked::Coin(bid),
            (AuctionStage::Move(seat), _) => endgame::Asked::Move(seat.color()),
        };
        let (position, chips) = (state.play.course.position, Some(state.auction.chips));
        let left = self.no_progress - i64::from(position.halfmove);
        let holder = if self.tie == Tie::Side { self.holder.into() } else { state.auction.marker.color() };
        let settlement = Settlement { tie: self.tie, price: self.price, holder };
        let sealed = (self.scheme == Scheme::Secret).then_some(settlement);
        Endgame { position, asked, chips, sealed, bank: self.bank, negative: self.negative, left }
    }
}
