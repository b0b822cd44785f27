//! A game in progress: the board, the auction, and what has stood before the bids.

use super::{
    auction::{Auction, AuctionStage},
    options::{Bidding, Scheme},
};
use crate::{board::Position, rules::Seat, variants::king_capture::KingCapture};

/// A game in progress.
#[derive(Clone, PartialEq, Debug)]
pub struct State {
    /// The play on the board.
    pub(super) play: KingCapture,
    /// The stacks, and who is asked for what.
    pub(super) auction: Auction,
    /// Every standing before the bids.
    pub(super) seen: Vec<Standing>,
}

/// All that must be equal for a position to have stood before.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Standing {
    position: Position,
    chips: [i64; 2],
    /// The bidder, or the holder of the marker.
    holder: Seat,
}

impl Bidding {
    /// The standing before a bid.
    pub(super) fn standing_now(&self, state: &State) -> Standing {
        let holder = match self.scheme {
            Scheme::Open => Seat::of(state.play.last),
            Scheme::Secret if self.tie.marked() => state.auction.marker,
            Scheme::Secret => Seat::One,
        };
        Standing { position: state.play.key(), chips: state.auction.chips, holder }
    }

    /// The seat that is asked for a word about money, if one is.
    pub(super) fn asked(&self, state: &State) -> Seat {
        let bidder = Seat::of(state.play.last);
        match state.auction.asked {
            AuctionStage::Bid | AuctionStage::Coin(_) => bidder,
            AuctionStage::Answer(_) => !bidder,
            AuctionStage::Tie(_) => state.auction.marker,
            AuctionStage::Move(seat) => seat,
        }
    }

    /// Tells whether the standing before the bids has come for the third time.
    pub(super) fn repeated(&self, state: &State) -> bool {
        let now = state.seen.last();
        let before = matches!(state.auction.asked, AuctionStage::Bid | AuctionStage::Answer(_));
        before && state.seen.iter().filter(|seen| Some(*seen) == now).count() >= 3
    }
}
