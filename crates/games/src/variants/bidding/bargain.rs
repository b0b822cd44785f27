//! What is said about money: the words that answer a bid, what each word comes to, and how the sheet tells it.

use super::{Action, State, auction::AuctionStage, options::Bidding};
use crate::rules::Seat;

impl Bidding {
    /// The words that answer a bid, or settle equal ones.
    pub(super) fn answers(&self, state: &State) -> Vec<Action> {
        match state.auction.asked {
            AuctionStage::Answer(bid) => {
                let seat = self.asked(state);
                let accept = state.auction.may_accept(seat, bid).then_some(Action::Accept);
                let reject = state.auction.may_reject(seat, bid).then_some(Action::Reject);
                accept.into_iter().chain(reject).collect()
            }
            AuctionStage::Tie(_) => vec![Action::Take, Action::Give],
            AuctionStage::Bid | AuctionStage::Coin(_) | AuctionStage::Move(_) => Vec::new(),
        }
    }

    /// A player says something about money that he was asked for.
    pub(super) fn said(&self, state: &mut State, seat: Seat, action: Action) {
        let auction = &mut state.auction;
        let (mover, price, word) = match (auction.asked, action) {
            (AuctionStage::Bid, Action::Bid(bid)) => {
                auction.bids[seat.index()] = Some(bid);
                auction.asked = AuctionStage::Answer(bid);
                return self.note(state, Some(seat), action);
            }
            (AuctionStage::Answer(bid), Action::Accept) => (!seat, bid, "accept"),
            (AuctionStage::Answer(bid), Action::Reject) => (seat, bid, "reject"),
            (AuctionStage::Tie(bid), Action::Take) => {
                auction.marker = !seat;
                (seat, bid, "take")
            }
            (AuctionStage::Tie(bid), Action::Give) => (!seat, bid, "give"),
            (
                AuctionStage::Bid
                | AuctionStage::Answer(_)
                | AuctionStage::Tie(_)
                | AuctionStage::Coin(_)
                | AuctionStage::Move(_),
                _,
            ) => {
                unreachable!("steps are checked first")
            }
        };
        self.pay(auction, mover, price, Some(word));
        self.note(state, Some(seat), action);
    }

    /// Writes a word about money on the sheet, with what it led to, and gives the move to whoever bought it.
    pub(super) fn note(&self, state: &mut State, seat: Option<Seat>, action: Action) {
        let notes = match state.auction.asked {
            AuctionStage::Move(mover) => {
                state.play.face(mover.color());
                state.auction.told()
            }
            AuctionStage::Tie(_) | AuctionStage::Coin(_) => "a tie".to_owned(),
            AuctionStage::Bid if state.auction.again > 0 && seat == Some(Seat::Two) => {
                "equal: both bid again".to_owned()
            }
            AuctionStage::Bid | AuctionStage::Answer(_) => String::new(),
        };
        let text = action.to_string();
        match action {
            Action::Coin(color) => state.play.toss(color, text, notes),
            Action::Deal(_)
            | Action::Bid(_)
            | Action::Accept
            | Action::Reject
            | Action::Take
            | Action::Give
            | Action::Act(_) => {
                state.play.note(seat.map(Seat::color), text.clone(), Some(text), notes);
            }
        }
    }
}
