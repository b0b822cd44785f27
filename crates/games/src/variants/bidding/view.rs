//! View of a bidding chess game, the same for every viewer. It contains open bids only; sealed bids never get here.

use num_rational::Ratio;
use serde::Serialize;

use super::{
    State,
    auction::{Account, AuctionStage, Decision},
    options::{Bidding, Scheme},
};
use crate::rules::{
    Choice, Diagram, MoneyHistory, Rules, Seat, Side, Turn, Viewer,
    auction_game::Base,
    diagram::{Amount, Pair},
    endgame::Tie,
};

/// View of a game of bidding chess.
#[derive(PartialEq, Debug, Serialize, utoipa::ToSchema)]
pub struct View {
    diagram: Diagram,
    /// The variant on the board.
    pub base: Base,
    /// Bids are open; otherwise they are sealed.
    pub open: bool,
    /// How equal sealed bids are resolved.
    #[schema(value_type = Tie)]
    pub tie: &'static str,
    /// Open bids: the seat that bids for the next move.
    pub bidder: Option<Seat>,
    /// The bid that is waiting for an answer, or the amount of two equal bids that wait for a choice or the coin.
    pub bid: Option<i64>,
    /// The side that wins the next tie: the marker holder, or the one that did not get the last move. Null where ties are resolved otherwise.
    pub marker: Option<Side>,
    /// Chips that have gone to the bank.
    pub banked: i64,
    /// The seat that has the move.
    pub mover: Option<Seat>,
    /// Chips of both seats.
    #[schema(inline)]
    pub chips: Pair<i64>,
    /// Lowest and highest bid of each seat.
    #[schema(inline, value_type = Pair<Vec<i64>>)]
    pub limits: Pair<[i64; 2]>,
    /// Chips of both seats at the start.
    #[schema(inline)]
    pub start: Pair<i64>,
    /// All settled auctions.
    pub accounts: Vec<Account>,
    /// The seat to act may claim a draw.
    pub claimable: bool,
    /// Number of plies left before the game is drawn, unless one of them is a capture or a pawn move.
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

/// Number of auctions in the ledger on a page; the move list has all of them.
const LATEST: usize = 40;

/// Number of holes in a player's pegboard.
const HOLES: i64 = 20;

impl View {
    /// Number of pegs that show a seat’s share of the chips; at least one for a seat that has any.
    pub fn pegs(&self, seat: &Seat) -> i64 {
        let own = *self.chips.of(*seat);
        (own * HOLES / self.total()).max(i64::from(own > 0))
    }

    /// Indices of the holes in a player's pegboard.
    pub fn holes(&self) -> std::ops::Range<i64> {
        0..HOLES
    }

    /// Lowest bid of a seat.
    pub fn least(&self, seat: &Seat) -> i64 {
        self.limits.of(*seat)[0]
    }

    /// Highest bid of a seat.
    pub fn most(&self, seat: &Seat) -> i64 {
        self.limits.of(*seat)[1]
    }

    /// A quarter, half and all of a seat's chips: the name, the bid and the chips left.
    pub fn shares(&self, seat: &Seat) -> [(&'static str, i64, i64); 3] {
        let most = self.most(seat);
        [("¼", most / 4), ("½", most / 2), ("All", most)].map(|(name, bid)| (name, bid, self.chips.of(*seat) - bid))
    }

    /// Number of chips of both seats together at the start.
    pub fn total(&self) -> i64 {
        (self.start.one + self.start.two).max(1)
    }

    /// The latest settled auctions, each with its number.
    pub fn latest(&self) -> impl Iterator<Item = (usize, &Account)> {
        let earlier = self.accounts.len().saturating_sub(LATEST);
        (earlier + 1..).zip(&self.accounts[earlier..])
    }

    /// White's and Black's sealed bids for the move that is due.
    pub fn opened(&self) -> Option<(i64, i64)> {
        let last = self.accounts.last().filter(|account| account.said.is_none())?;
        last.bids.one.zip(last.bids.two)
    }

    /// How equal bids were resolved.
    pub fn decided(&self) -> &'static str {
        match self.accounts.last().and_then(|last| last.settled) {
            Some(Decision::Take | Decision::Give) => "the marker holder chose",
            Some(Decision::Coin) => "the coin decided",
            Some(Decision::Side) => "one side wins all ties in this game",
            Some(Decision::Loser) => "the move went to the player who did not get the last one",
            Some(Decision::Accept | Decision::Reject | Decision::Marker) | None => {
                "the marker decided and changed hands"
            }
        }
    }

    /// Whether the ledger leaves out earlier auctions.
    pub fn abridged(&self) -> bool {
        self.accounts.len() > LATEST
    }

    /// White’s chips after each auction.
    pub fn stacks(&self) -> Vec<i64> {
        std::iter::once(self.start.one).chain(self.accounts.iter().map(|account| account.chips.one)).collect()
    }
}

impl Bidding {
    /// The view for a viewer.
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
            bidder: (open && auction.stage == AuctionStage::Bid).then(|| self.asked(state)),
            bid: match auction.stage {
                AuctionStage::Answer(bid) | AuctionStage::Tie(bid) | AuctionStage::Coin(bid) => Some(bid),
                AuctionStage::Bid | AuctionStage::Move(_) => None,
            },
            marker: (!open && self.tie.has_marker()).then(|| auction.marker.color().into()),
            banked: auction.accounts.iter().map(|account| account.banked).sum(),
            mover: match auction.stage {
                AuctionStage::Move(seat) => Some(seat),
                AuctionStage::Bid | AuctionStage::Answer(_) | AuctionStage::Tie(_) | AuctionStage::Coin(_) => None,
            },
            chips: auction.chips.into(),
            limits: Seat::BOTH.map(|seat| auction.limits(seat, self.negative)).into(),
            start: [self.white, self.black].into(),
            accounts: auction.accounts.clone(),
            claimable: state.play.outcome.is_none() && self.repeated(state),
            left: self.no_progress - i64::from(state.play.history.position.halfmove),
        }
    }

    /// All actions to choose from, where they can be listed.
    fn listed(&self, state: &State) -> Option<Vec<Choice>> {
        match state.auction.stage {
            AuctionStage::Bid | AuctionStage::Coin(_) => None,
            AuctionStage::Move(_) => Some(state.play.choices()),
            AuctionStage::Answer(_) | AuctionStage::Tie(_) => {
                Some(self.answers(state).iter().map(|answer| Choice::word(answer.to_string())).collect())
            }
        }
    }
}
