//! The auction of bidding chess: whose turn it is to bid or answer, the limits of bids, the resolution of sealed bids, and payments. Chips only
//! change hands or go to the bank. The state of a game holds the auction, the board, and the earlier positions before bids.

use std::{cmp::Ordering, sync::Arc};

use serde::Serialize;

use super::options::{Bidding, Scheme};
use crate::{
    board::Position,
    rules::{
        Refusal, Seat, Side,
        diagram::Pair,
        endgame::{Bank, Price, Tie},
    },
    text_enum,
    variants::king_capture::KingCapture,
};

/// Stage of an auction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum AuctionStage {
    /// The last mover bids, or both players bid.
    Bid,
    /// Open bids: the opponent accepts or rejects this bid.
    Answer(i64),
    /// Both bid this amount; the marker holder chooses.
    Tie(i64),
    /// Both bid this amount; the coin decides.
    Coin(i64),
    /// This seat has the move.
    Move(Seat),
}

text_enum! {
    /// Decision that settled an auction.
    #[derive(utoipa::ToSchema)]
    #[schema(as = AuctionDecision)]
    pub enum Decision {
        Accept = "accept": "the opponent took the chips, and the bidder moved",
        Reject = "reject": "the opponent paid the bid and moved",
        Marker = "marker": "after equal bids, the marker decided",
        Take = "take": "after equal bids, the holder of the marker moved",
        Give = "give": "after equal bids, the holder of the marker let the opponent move",
        Coin = "coin": "after equal bids, a coin decided",
        Side = "side": "one side moves after equal bids",
        Loser = "loser": "after equal bids, the player moved who did not get the previous move",
    }
}

/// One settled auction, as a line of the ledger.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, utoipa::ToSchema)]
#[schema(as = BiddingAccount)]
pub struct Account {
    /// Bid of each seat; null for the seat that answered an open bid.
    #[schema(inline)]
    pub bids: Pair<Option<i64>>,
    /// Decision that settled it; null where the higher sealed bid won.
    pub settled: Option<Decision>,
    /// The seat that got the move.
    pub mover: Seat,
    /// Payment of the mover; negative if the opponent paid.
    pub paid: i64,
    /// Part of the payment that went to the bank.
    pub banked: i64,
    /// Chips of both seats afterwards.
    #[schema(inline)]
    pub chips: Pair<i64>,
    /// The move in algebraic notation, once it is made.
    pub said: Option<String>,
}

/// Chips of both seats and the current auction.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Auction {
    /// Stage of the current auction.
    pub stage: AuctionStage,
    /// Chips of both seats.
    pub chips: [i64; 2],
    /// The seat that holds the marker.
    pub marker: Seat,
    /// Bids for the next move, once they are open.
    pub bids: [Option<i64>; 2],
    /// Number of equal bids for the next move that were discarded so far.
    pub ties: usize,
    /// All settled auctions.
    pub accounts: Vec<Account>,
}

impl Auction {
    /// Starts the auction for the first move.
    pub(super) fn new(chips: [i64; 2], marker: Seat) -> Self {
        Auction { stage: AuctionStage::Bid, chips, marker, bids: [None; 2], ties: 0, accounts: Vec::new() }
    }

    /// Lowest and highest bid of a seat. The highest is its stack; the lowest is minus its stack, or 0 if negative bids are not allowed. Thus a
    /// richer player can force either outcome.
    pub(super) fn limits(&self, seat: Seat, negative: bool) -> [i64; 2] {
        let own = self.chips[seat.index()];
        [if negative { -own } else { 0 }, own]
    }

    /// Checks whether a seat may make this bid.
    pub(super) fn check_bid(&self, seat: Seat, bid: i64, negative: bool) -> Result<(), Refusal> {
        let [least, most] = self.limits(seat, negative);
        if bid < 0 && !negative {
            Err(Refusal::at(4, format!("negative bids are not allowed in this game: bid 0 to {most}")))
        } else if (least..=most).contains(&bid) {
            Ok(())
        } else {
            Err(Refusal::at(4, format!("you have {most} chips: bid {least} to {most}")))
        }
    }

    /// Whether `responder` may let the bidder move for `bid`: a responder who would pay, because the bid is negative, needs enough chips.
    pub(super) fn may_accept(&self, responder: Seat, bid: i64) -> bool {
        bid >= -self.chips[responder.index()]
    }

    /// Whether `responder` has enough chips to move for `bid`.
    pub(super) fn may_reject(&self, responder: Seat, bid: i64) -> bool {
        bid <= self.chips[responder.index()]
    }

    /// Gives `mover` the move. The mover pays `price`, or the opponent pays if it is negative. The bank keeps its part of either payment.
    pub(super) fn pay(&mut self, mover: Seat, price: i64, bank: Bank, settled: Option<Decision>) {
        let payer = if price < 0 { !mover } else { mover };
        let banked = bank.part(price.abs());
        self.chips[payer.index()] -= price.abs();
        self.chips[(!payer).index()] += price.abs() - banked;
        (self.stage, self.ties) = (AuctionStage::Move(mover), 0);
        let bids = std::mem::take(&mut self.bids).into();
        let chips = self.chips.into();
        self.accounts.push(Account { bids, settled, mover, paid: price, banked, chips, said: None });
    }

    /// Describes the last payment and both stacks, for the move list.
    pub(super) fn payment_text(&self) -> String {
        let Some(last) = self.accounts.last() else { return String::new() };
        let name = |seat: Seat| Side::from(seat.color()).words();
        let (mover, other) = (name(last.mover), name(!last.mover));
        let paid = match last.paid {
            0 => format!("{mover} moves for free"),
            price if price > 0 => format!("{mover} pays {price} and moves"),
            price => format!("{other} pays {}, {mover} moves", -price),
        };
        let banked = if last.banked > 0 { format!(", {} of it to the bank", last.banked) } else { String::new() };
        format!("{paid}{banked}; White {}, Black {}", last.chips.one, last.chips.two)
    }
}

/// Number of equal bids for one move after which a coin decides instead of another round of bids.
const TIES: usize = 3;

impl Bidding {
    /// Opens both sealed bids.
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
                self.pay(auction, holder, one, Some(Decision::Marker));
                auction.marker = !holder;
            }
            (Ordering::Equal, Tie::Loser) => self.pay(auction, auction.marker, one, Some(Decision::Loser)),
            (Ordering::Equal, Tie::Choice) => auction.stage = AuctionStage::Tie(one),
            (Ordering::Equal, Tie::Rebid) if auction.ties + 1 < TIES => auction.ties += 1,
            (Ordering::Equal, Tie::Coin | Tie::Rebid) => auction.stage = AuctionStage::Coin(one),
            (Ordering::Equal, Tie::Side) => self.pay(auction, Seat::of(self.holder.into()), one, Some(Decision::Side)),
        }
    }

    /// Gives a seat the move for a price.
    pub(super) fn pay(&self, auction: &mut Auction, mover: Seat, price: i64, settled: Option<Decision>) {
        auction.pay(mover, price, self.bank, settled);
        if self.tie == Tie::Loser {
            auction.marker = !mover;
        }
    }

    /// The position before a bid, as repetition counts it.
    pub(super) fn standing_now(&self, state: &State) -> AuctionPositionKey {
        let holder = match self.scheme {
            Scheme::Open => Seat::of(state.play.last),
            Scheme::Secret if self.tie.has_marker() => state.auction.marker,
            Scheme::Secret => Seat::One,
        };
        AuctionPositionKey { position: state.play.repetition_key(), chips: state.auction.chips, holder }
    }

    /// The seat to act. The coin has no seat; then it is the last mover's.
    pub(super) fn asked(&self, state: &State) -> Seat {
        let bidder = Seat::of(state.play.last);
        match state.auction.stage {
            AuctionStage::Bid | AuctionStage::Coin(_) => bidder,
            AuctionStage::Answer(_) => !bidder,
            AuctionStage::Tie(_) => state.auction.marker,
            AuctionStage::Move(seat) => seat,
        }
    }

    /// Whether the position before the bids occurs for the third time.
    pub(super) fn repeated(&self, state: &State) -> bool {
        let now = state.keys.last();
        let before = matches!(state.auction.stage, AuctionStage::Bid | AuctionStage::Answer(_));
        before && state.keys.iter().filter(|seen| Some(*seen) == now).count() >= 3
    }
}

/// A game in progress.
#[derive(Clone, PartialEq, Debug)]
pub struct State {
    /// The moves on the board.
    pub(super) play: KingCapture,
    /// The stacks and the stage of the auction.
    pub(super) auction: Auction,
    /// Every position before bids so far.
    pub(super) keys: Vec<Arc<AuctionPositionKey>>,
}

/// Everything that must be equal for a position to count as repeated.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct AuctionPositionKey {
    position: Position,
    chips: [i64; 2],
    /// The bidder or the marker holder; always seat one where neither matters.
    holder: Seat,
}
