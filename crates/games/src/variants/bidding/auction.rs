//! The auction of bidding chess: who bids and who answers, what may be bid, how sealed bids are settled and what is paid. Chips only change
//! hands, or go to the bank. The state of a game holds the auction, the board, and what has stood before the bids.

use std::cmp::Ordering;

use serde::Serialize;

use super::options::{Bidding, Scheme};
use crate::{
    board::Position,
    rules::{
        Refusal, Seat, Side,
        diagram::Pair,
        endgame::{Bank, Price, Tie},
    },
    variants::king_capture::KingCapture,
};

/// The stage of an auction: what is asked for next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum AuctionStage {
    /// A bid: of the seat that moved last, or of both.
    Bid,
    /// Open bids: the other seat accepts or rejects this one.
    Answer(i64),
    /// Both bid this; the holder of the marker chooses.
    Tie(i64),
    /// Both bid this; the coin decides.
    Coin(i64),
    /// This seat has the move.
    Move(Seat),
}

/// One bidding and what came of it, as the ledger shows it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, utoipa::ToSchema)]
#[schema(as = BiddingAccount)]
pub struct Account {
    /// The bid of each seat; nothing from the one that answered.
    #[schema(inline)]
    pub bids: Pair<Option<i64>>,
    /// The means that settled it beside the bids: `accept`, `reject`, `marker`, `take`, `give`, `coin`, `side`, or `loser` where the move went to
    /// whoever did not get the one before.
    pub settled: Option<&'static str>,
    /// The seat that got the move.
    pub mover: Seat,
    /// The mover's payment; below zero what the other paid for the mover to move.
    pub paid: i64,
    /// The part of the payment that went to the bank.
    pub banked: i64,
    /// Both stacks after that.
    #[schema(inline)]
    pub chips: Pair<i64>,
    /// The move as players write it, once it is made.
    pub said: Option<String>,
}

/// Both stacks and the bidding that is going on.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Auction {
    /// The stage: what is asked for.
    pub asked: AuctionStage,
    /// The chips of both seats.
    pub chips: [i64; 2],
    /// The seat that holds the marker.
    pub marker: Seat,
    /// The open bids on the next move.
    pub bids: [Option<i64>; 2],
    /// How often both have bid the same for the next move and were asked again.
    pub again: usize,
    /// The ledger of all biddings that are settled.
    pub accounts: Vec<Account>,
}

impl Auction {
    /// The stacks at the start.
    pub(super) fn new(chips: [i64; 2], marker: Seat) -> Self {
        Auction { asked: AuctionStage::Bid, chips, marker, bids: [None; 2], again: 0, accounts: Vec::new() }
    }

    /// The least and the greatest bid of a seat: what it has, and down to minus that if bids below zero are allowed. A richer
    /// player can so force the other to move as well as buy the move.
    pub(super) fn limits(&self, seat: Seat, negative: bool) -> [i64; 2] {
        let own = self.chips[seat.index()];
        [if negative { -own } else { 0 }, own]
    }

    /// Checks whether a seat may bid this.
    pub(super) fn check_bid(&self, seat: Seat, bid: i64, negative: bool) -> Result<(), Refusal> {
        let [least, most] = self.limits(seat, negative);
        if bid < 0 && !negative {
            Err(Refusal::at(4, format!("bids below zero are not allowed in this game: bid 0 to {most}")))
        } else if (least..=most).contains(&bid) {
            Ok(())
        } else {
            Err(Refusal::at(4, format!("you have {most} chips: bid {least} to {most}")))
        }
    }

    /// Tells whether the bidder can be paid, or paid by, the seat that lets him move for `bid`: it must have what a bid below zero
    /// asks.
    pub(super) fn may_accept(&self, responder: Seat, bid: i64) -> bool {
        bid >= -self.chips[responder.index()]
    }

    /// Tells whether a seat can pay `bid` itself and move.
    pub(super) fn may_reject(&self, responder: Seat, bid: i64) -> bool {
        bid <= self.chips[responder.index()]
    }

    /// The move goes to `mover`, who pays the other and the bank its part. Of a price below zero the other pays, and the bank takes its part too.
    pub(super) fn pay(&mut self, mover: Seat, price: i64, bank: Bank, settled: Option<&'static str>) {
        let payer = if price < 0 { !mover } else { mover };
        let banked = bank.part(price.abs());
        self.chips[payer.index()] -= price.abs();
        self.chips[(!payer).index()] += price.abs() - banked;
        (self.asked, self.again) = (AuctionStage::Move(mover), 0);
        let bids = std::mem::take(&mut self.bids).into();
        let chips = self.chips.into();
        self.accounts.push(Account { bids, settled, mover, paid: price, banked, chips, said: None });
    }

    /// The last payment and both stacks in words.
    pub(super) fn told(&self) -> String {
        let Some(last) = self.accounts.last() else { return String::new() };
        let name = |seat: Seat| Side::from(seat.color()).words();
        let (mover, other) = (name(last.mover), name(!last.mover));
        let paid = match last.paid {
            0 => format!("{mover} moves for nothing"),
            price if price > 0 => format!("{mover} pays {price} and moves"),
            price => format!("{other} pays {}, {mover} moves", -price),
        };
        let banked = if last.banked > 0 { format!(", {} of it to the bank", last.banked) } else { String::new() };
        format!("{paid}{banked}; White {}, Black {}", last.chips.one, last.chips.two)
    }
}

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

    /// The standing before a bid.
    pub(super) fn standing_now(&self, state: &State) -> AuctionPositionKey {
        let holder = match self.scheme {
            Scheme::Open => Seat::of(state.play.last),
            Scheme::Secret if self.tie.marked() => state.auction.marker,
            Scheme::Secret => Seat::One,
        };
        AuctionPositionKey { position: state.play.key(), chips: state.auction.chips, holder }
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

/// A game in progress.
#[derive(Clone, PartialEq, Debug)]
pub struct State {
    /// The play on the board.
    pub(super) play: KingCapture,
    /// The stacks, and who is asked for what.
    pub(super) auction: Auction,
    /// Every standing before the bids.
    pub(super) seen: Vec<AuctionPositionKey>,
}

/// All that must be equal for a position to have stood before.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct AuctionPositionKey {
    position: Position,
    chips: [i64; 2],
    /// The bidder, or the holder of the marker.
    holder: Seat,
}
