//! Sensible things to say, for players that choose among some.

use rand::{Rng, RngExt};

use super::{Action, State, auction::AuctionStage, options::Bidding};
use crate::{board::Color, rules::Seat};

impl Bidding {
    /// Some sensible actions of a seat that is asked.
    pub(super) fn sensible(&self, state: &State, seat: Seat, rng: &mut dyn Rng) -> Vec<Action> {
        let hot = Color::BOTH.into_iter().any(|color| state.play.threatens(color));
        match state.auction.asked {
            AuctionStage::Move(_) => state.play.sensible().into_iter().map(Action::Act).collect(),
            AuctionStage::Bid => self.bids(state, seat, hot, rng).into_iter().map(Action::Bid).collect(),
            // Where a king hangs, nobody leaves the move to the other.
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

    /// Some bids worth thinking of: shares of the stack, just enough to be beyond the other’s means, and, where a king hangs,
    /// nothing less than that.
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
