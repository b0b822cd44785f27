//! Bids and their answers: their effects, their lines in the move list, the position as endgame tables and bots see it, and candidate bids.

use rand::{Rng, RngExt};

use super::{
    Action, Scheme, State,
    auction::{AuctionStage, Decision},
    options::Bidding,
};
use crate::{
    board::Color,
    rules::{
        Seat,
        endgame::{self, Endgame, Settlement, Tie},
    },
};

impl Bidding {
    /// Legal answers to an open bid, or choices between equal bids.
    pub(super) fn answers(&self, state: &State) -> Vec<Action> {
        match state.auction.stage {
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

    /// Applies a bid or an answer of a player.
    pub(super) fn apply_bid(&self, state: &mut State, seat: Seat, action: Action) {
        let auction = &mut state.auction;
        let (mover, price, decision) = match (auction.stage, action) {
            (AuctionStage::Bid, Action::Bid(bid)) => {
                auction.bids[seat.index()] = Some(bid);
                auction.stage = AuctionStage::Answer(bid);
                return self.note(state, Some(seat), action);
            }
            (AuctionStage::Answer(bid), Action::Accept) => (!seat, bid, Decision::Accept),
            (AuctionStage::Answer(bid), Action::Reject) => (seat, bid, Decision::Reject),
            (AuctionStage::Tie(bid), Action::Take) => {
                auction.marker = !seat;
                (seat, bid, Decision::Take)
            }
            (AuctionStage::Tie(bid), Action::Give) => (!seat, bid, Decision::Give),
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
        self.pay(auction, mover, price, Some(decision));
        self.note(state, Some(seat), action);
    }

    /// Adds a bid, an answer or a toss to the move list with its consequence. A player who got the move becomes the side to move.
    pub(super) fn note(&self, state: &mut State, seat: Option<Seat>, action: Action) {
        let notes = match state.auction.stage {
            AuctionStage::Move(mover) => {
                state.play.give_move(mover.color());
                state.auction.payment_text()
            }
            AuctionStage::Tie(_) | AuctionStage::Coin(_) => "a tie".to_owned(),
            AuctionStage::Bid if state.auction.ties > 0 && seat == Some(Seat::Two) => {
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

    /// The state as endgame tables and bots evaluate it.
    pub(super) fn moment(&self, state: &State) -> Endgame {
        let bidder = state.play.last;
        let asked = match (state.auction.stage, self.scheme) {
            (AuctionStage::Bid, Scheme::Open) => endgame::NextStep::Offer(bidder),
            (AuctionStage::Bid, Scheme::Secret) => endgame::NextStep::Sealed,
            (AuctionStage::Answer(bid), _) => endgame::NextStep::Answer { bidder, bid },
            (AuctionStage::Tie(bid), _) => endgame::NextStep::Tie { holder: state.auction.marker.color(), bid },
            (AuctionStage::Coin(bid), _) => endgame::NextStep::Coin(bid),
            (AuctionStage::Move(seat), _) => endgame::NextStep::Move(seat.color()),
        };
        let (position, chips) = (state.play.history.position, Some(state.auction.chips));
        let left = self.no_progress - i64::from(position.halfmove);
        let holder = if self.tie == Tie::Side { self.holder.into() } else { state.auction.marker.color() };
        let settlement = Settlement { tie: self.tie, price: self.price, holder };
        let sealed = (self.scheme == Scheme::Secret).then_some(settlement);
        Endgame {
            position,
            next_step: asked,
            chips,
            sealed,
            bank: self.bank,
            negative: self.negative,
            turns_left: left,
        }
    }

    /// Some reasonable actions of a seat to act.
    pub(super) fn sensible(&self, state: &State, seat: Seat, rng: &mut dyn Rng) -> Vec<Action> {
        let hot = Color::BOTH.into_iter().any(|color| state.play.threatens(color));
        match state.auction.stage {
            AuctionStage::Move(_) => state.play.candidates().into_iter().map(Action::Act).collect(),
            AuctionStage::Bid => self.bids(state, seat, hot, rng).into_iter().map(Action::Bid).collect(),
            // With a king en prise, a player never leaves the move to the opponent.
            AuctionStage::Answer(_) | AuctionStage::Tie(_) | AuctionStage::Coin(_) => {
                let answers = self.answers(state);
                let greedy = |answer: &Action| matches!(answer, Action::Reject | Action::Take);
                match answers.iter().find(|answer| hot && greedy(answer)) {
                    Some(answer) => vec![*answer],
                    None => answers,
                }
            }
        }
    }

    /// Some reasonable bids: fractions of the stack, and just more than the opponent can bid. With a king en prise, only the high ones.
    fn bids(&self, state: &State, seat: Seat, hot: bool, rng: &mut dyn Rng) -> Vec<i64> {
        let (own, theirs) = (state.auction.chips[seat.index()], state.auction.chips[(!seat).index()]);
        let beyond = own.min(theirs.saturating_add(1));
        let mut bids = vec![own, own.min(theirs), beyond];
        if !hot {
            bids.extend([0, own / 20, own / 10, own / 5, own / 3, own / 2, rng.random_range(0..=own / 4)]);
            if self.negative {
                bids.extend([-own / 20, -own / 10, -beyond]);
            }
        }
        bids.sort_unstable();
        bids.dedup();
        bids
    }
}
