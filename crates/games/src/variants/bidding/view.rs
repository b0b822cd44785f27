//! The view of a game of bidding chess. Bids are seen once they are open, and everything else at once; sealed bids never come here.

use num_rational::Ratio;
use serde::Serialize;

use super::{
    State,
    auction::{Account, AuctionStage},
    options::{Bidding, Scheme},
};
use crate::rules::{
    Choice, Diagram, MoneyHistory, Rules, Seat, Side, Turn, Viewer,
    auction_game::Base,
    diagram::{Amount, Pair},
};

/// The game as anybody sees it.
#[derive(PartialEq, Debug, Serialize, utoipa::ToSchema)]
pub struct View {
    diagram: Diagram,
    /// The game on the board.
    pub base: Base,
    /// Bids are open; else they are sealed.
    pub open: bool,
    /// The way equal sealed bids are settled.
    pub tie: &'static str,
    /// Open bids: who bids for the next move.
    pub bidder: Option<Seat>,
    /// The bid that waits for an answer, or the equal bids that wait for a choice.
    pub bid: Option<i64>,
    /// The side that holds the marker, or did not get the last move, where equal bids hang on that.
    pub marker: Option<Side>,
    /// The chips that have gone to the bank.
    pub banked: i64,
    /// The seat that has the move.
    pub mover: Option<Seat>,
    /// The chips of both seats.
    #[schema(inline)]
    pub chips: Pair<i64>,
    /// The least and the greatest bid of each seat.
    #[schema(inline, value_type = Pair<Vec<i64>>)]
    pub limits: Pair<[i64; 2]>,
    /// The stacks at the start.
    #[schema(inline)]
    pub start: Pair<i64>,
    /// Every bidding that is settled.
    pub accounts: Vec<Account>,
    /// True if whoever is asked may claim a draw.
    pub claimable: bool,
    /// Turns left before the game is drawn, if none of them is a capture or a pawn move.
    pub left: i64,
}

impl AsRef<Diagram> for View {
    fn as_ref(&self) -> &Diagram {
        &self.diagram
    }
}

impl AsMut<Diagram> for View {
    fn as_mut(&mut self) -> &mut Diagram {
        &mut self.diagram
    }
}

/// So many biddings stand in the ledger of a page; the sheet has all of them.
const LATEST: usize = 40;

/// Holes in the pegboard of both stacks together.
const HOLES: i64 = 20;

impl View {
    /// The number of pegs, of twenty, that stand for a seat’s chips; nobody who has a chip has none.
    pub fn pegs(&self, seat: &Seat) -> i64 {
        let own = *self.chips.of(*seat);
        (own * HOLES / self.total()).max(i64::from(own > 0))
    }

    /// The numbers of the holes in one seat’s pegboard.
    pub fn holes(&self) -> std::ops::Range<i64> {
        0..HOLES
    }

    /// The least and the greatest bid of a seat.
    pub fn least(&self, seat: &Seat) -> i64 {
        self.limits.of(*seat)[0]
    }

    /// See [`Self::least`].
    pub fn most(&self, seat: &Seat) -> i64 {
        self.limits.of(*seat)[1]
    }

    /// The chips of both seats together at the start.
    pub fn total(&self) -> i64 {
        (self.start.one + self.start.two).max(1)
    }

    /// The latest biddings that are settled, each with its number.
    pub fn latest(&self) -> impl Iterator<Item = (usize, &Account)> {
        let earlier = self.accounts.len().saturating_sub(LATEST);
        (earlier + 1..).zip(&self.accounts[earlier..])
    }

    /// The sealed bids that were opened for the move which is due: White’s and Black’s.
    pub fn opened(&self) -> Option<(i64, i64)> {
        let last = self.accounts.last().filter(|account| account.said.is_none())?;
        last.bids.one.zip(last.bids.two)
    }

    /// What decided between them if they were equal.
    pub fn decided(&self) -> &'static str {
        match self.accounts.last().and_then(|last| last.settled) {
            Some("take" | "give") => "the holder of the marker chose",
            Some("coin") => "the coin decided",
            Some("side") => "one side has the move then, as was agreed",
            Some("loser") => "the move goes to whoever did not get the one before",
            Some(_) | None => "the marker decided, and has changed hands",
        }
    }

    /// Tells whether the ledger leaves out earlier biddings.
    pub fn abridged(&self) -> bool {
        self.accounts.len() > LATEST
    }

    /// White’s chips from bidding to bidding.
    pub fn stacks(&self) -> Vec<i64> {
        std::iter::once(self.start.one).chain(self.accounts.iter().map(|account| account.chips.one)).collect()
    }
}

impl Bidding {
    /// Makes the view of a viewer.
    pub(super) fn seen(&self, state: &State, viewer: Viewer) -> View {
        let auction = &state.auction;
        let mut diagram = state.play.diagram(self.panel || viewer.is_none());
        diagram.purses = Some(auction.chips.map(|chips| Some(Amount(Ratio::from_integer(chips)))).into());
        if viewer.is_some_and(|seat| self.turn(state) == Turn::One(seat)) {
            diagram.choices = self.listed(state);
        }
        if state.play.outcome.is_some() {
            let turns = std::iter::once([self.white, self.black].into())
                .chain(auction.accounts.iter().map(|account| account.chips.clone()))
                .map(|chips: Pair<i64>| Pair::from([chips.one, chips.two].map(|chips| Amount(chips.into()))));
            diagram.fortunes = Some(MoneyHistory { unit: "chips", turns: turns.collect() });
        }
        diagram.tags = state.play.tags(&Bidding::INFO);
        diagram.tags.extend([
            ("Scheme", if self.scheme == Scheme::Open { "open".to_owned() } else { self.tie.name().to_owned() }),
            ("WhiteChips", self.white.to_string()),
            ("BlackChips", self.black.to_string()),
        ]);
        let open = self.scheme == Scheme::Open;
        View {
            diagram,
            base: self.base,
            open,
            tie: self.tie.name(),
            bidder: (open && auction.asked == AuctionStage::Bid).then(|| self.asked(state)),
            bid: match auction.asked {
                AuctionStage::Answer(bid) | AuctionStage::Tie(bid) | AuctionStage::Coin(bid) => Some(bid),
                AuctionStage::Bid | AuctionStage::Move(_) => None,
            },
            marker: (!open && self.tie.marked()).then(|| auction.marker.color().into()),
            banked: auction.accounts.iter().map(|account| account.banked).sum(),
            mover: match auction.asked {
                AuctionStage::Move(seat) => Some(seat),
                AuctionStage::Bid | AuctionStage::Answer(_) | AuctionStage::Tie(_) | AuctionStage::Coin(_) => None,
            },
            chips: auction.chips.into(),
            limits: Seat::BOTH.map(|seat| auction.limits(seat, self.negative)).into(),
            start: [self.white, self.black].into(),
            accounts: auction.accounts.clone(),
            claimable: state.play.outcome.is_none() && self.repeated(state),
            left: self.no_progress - i64::from(state.play.course.position.halfmove),
        }
    }

    /// All that can be said, where it can be listed.
    fn listed(&self, state: &State) -> Option<Vec<Choice>> {
        match state.auction.asked {
            AuctionStage::Bid | AuctionStage::Coin(_) => None,
            AuctionStage::Move(_) => Some(state.play.choices()),
            AuctionStage::Answer(_) | AuctionStage::Tie(_) => {
                Some(self.answers(state).iter().map(|answer| Choice::word(answer.to_string())).collect())
            }
        }
    }
}
