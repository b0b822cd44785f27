//! Bidding chess (Larsson & Wästlund, “Endgames in bidding chess”, §1; Develin & Payne, “Discrete bidding games”): the players bid
//! chips for every move, whoever moves pays the other, and the king is captured. Bids are open, as the source suggests, or sealed.

mod action;
mod auction;
mod options;
mod settling;
mod view;
mod words;

pub use action::{Action, MOST};
pub use auction::Account;
pub use options::{Bidding, Scheme};
pub use view::View;

use num_rational::Ratio;
use rand::{Rng, RngExt};

use super::{
    Actor, Choice, End, Endgame, Fortunes, Lesson, Outcome, Phrase, Prospect, Refusal, Rules, Seat, Setting, Step,
    Turn, Viewer, Way,
    chess960::Array,
    chesslike::Deal,
    diagram::{Amount, Pair},
    endgame::{self, Settlement, Tie},
    king_capture::{self, KingCapture, MoveOrPass},
};
use crate::board::{Color, Position, pgn::Pgn};
use auction::{Auction, AuctionStage};
use options::SETTINGS;

/// A game in progress.
#[derive(Clone, PartialEq, Debug)]
pub struct State {
    play: KingCapture,
    auction: Auction,
    seen: Vec<Standing>,
}

/// All that must be equal for a position to have stood before.
#[derive(Clone, PartialEq, Debug)]
struct Standing {
    position: Position,
    chips: [i64; 2],
    /// The bidder, or the holder of the marker.
    holder: Seat,
}

impl Bidding {
    /// The standing before a bid.
    fn standing_now(&self, state: &State) -> Standing {
        let holder = match self.scheme {
            Scheme::Open => Seat::of(state.play.last),
            Scheme::Secret if self.tie.marked() => state.auction.marker,
            Scheme::Secret => Seat::One,
        };
        Standing { position: state.play.key(), chips: state.auction.chips, holder }
    }

    /// The seat that is asked for a word about money, if one is.
    fn asked(&self, state: &State) -> Seat {
        let bidder = Seat::of(state.play.last);
        match state.auction.asked {
            AuctionStage::Bid | AuctionStage::Coin(_) => bidder,
            AuctionStage::Answer(_) => !bidder,
            AuctionStage::Tie(_) => state.auction.marker,
            AuctionStage::Move(seat) => seat,
        }
    }

    /// The words that answer a bid, or settle equal ones.
    fn answers(&self, state: &State) -> Vec<Action> {
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
    fn said(&self, state: &mut State, seat: Seat, action: Action) {
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
    fn note(&self, state: &mut State, seat: Option<Seat>, action: Action) {
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

impl Rules for Bidding {
    const KEY: &'static str = "bidding";
    const TITLE: &'static str = "Bidding chess";
    const SUMMARY: &'static str = "Bid chips for every move; whoever moves pays the other. Take the king to win.";
    const NO_AUCTION: Option<&'static str> = Some("it is an auction itself");
    const NO_HANDICAP: Option<&'static str> = Some("every move is bid for, and no side moves first");
    type Terms = Position;
    type State = State;
    type Action = Action;
    type View = View;

    fn presets() -> Vec<(&'static str, Self)> {
        options::presets()
    }

    fn ways() -> &'static [Way] {
        options::WAYS
    }

    fn lessons() -> &'static [Lesson] {
        words::LESSONS
    }

    fn settings() -> &'static [Setting] {
        SETTINGS
    }

    fn terms(&self) -> Result<Position, Refusal> {
        king_capture::start(self.base, &self.fen)
    }

    fn last_position(game: &Pgn) -> Result<String, Refusal> {
        king_capture::last_position(game)
    }

    fn start(&self, start: &Position) -> State {
        let auction = Auction::new([self.white, self.black], Seat::of(self.holder.into()));
        let play = KingCapture::new(self.base, *start, self.base.dealt() && self.fen.is_empty());
        let mut state = State { play, auction, seen: Vec::new() };
        state.seen.push(self.standing_now(&state));
        state
    }

    fn phrases() -> &'static [Phrase] {
        words::PHRASES
    }

    fn besides(&self, state: &State, seat: Seat) -> Vec<String> {
        match state.auction.asked {
            AuctionStage::Bid => {
                let [least, most] = state.auction.limits(seat, self.negative);
                vec![format!("bid {{{least}..{most}}}")]
            }
            AuctionStage::Answer(_) | AuctionStage::Tie(_) | AuctionStage::Coin(_) | AuctionStage::Move(_) => {
                Vec::new()
            }
        }
    }

    fn turn(&self, state: &State) -> Turn {
        match (state.play.outcome, state.auction.asked, self.scheme) {
            (Some(outcome), _, _) => Turn::Over(outcome),
            (None, _, _) if state.play.undealt => Turn::Chance,
            (None, AuctionStage::Coin(_), _) => Turn::Chance,
            (None, AuctionStage::Bid, Scheme::Secret) => Turn::Both,
            (None, AuctionStage::Bid | AuctionStage::Answer(_) | AuctionStage::Tie(_) | AuctionStage::Move(_), _) => {
                Turn::One(self.asked(state))
            }
        }
    }

    fn phase(&self, state: &State) -> &'static str {
        match state.auction.asked {
            AuctionStage::Bid => "bid",
            AuctionStage::Answer(_) => "answer",
            AuctionStage::Tie(_) => "tie",
            AuctionStage::Coin(_) => "coin",
            AuctionStage::Move(_) => "move",
        }
    }

    fn check(&self, state: &State, actor: Actor, action: &Action) -> Result<(), Refusal> {
        let asked = state.auction.asked;
        match (actor, asked, action) {
            (Actor::Chance, _, Action::Deal(_)) if state.play.undealt => Ok(()),
            (Actor::Seat(_), _, Action::Deal(_)) => Err(Refusal::at(0, "only chance lays out the first rank")),
            (Actor::Seat(seat), AuctionStage::Bid, Action::Bid(bid)) => {
                state.auction.check_bid(seat, *bid, self.negative)
            }
            (Actor::Seat(_), AuctionStage::Answer(_) | AuctionStage::Tie(_), action)
                if self.answers(state).contains(action) =>
            {
                Ok(())
            }
            (Actor::Seat(seat), AuctionStage::Answer(bid), Action::Accept | Action::Reject) => {
                let own = state.auction.chips[seat.index()];
                Err(Refusal::at(0, format!("the bid is {bid} and you have {own} chips: you cannot pay that")))
            }
            (Actor::Seat(_), AuctionStage::Move(_), Action::Act(action)) => state.play.check(*action),
            (Actor::Chance, AuctionStage::Coin(_), Action::Coin(_)) => Ok(()),
            (Actor::Seat(_), _, Action::Coin(_)) => Err(Refusal::at(0, "only chance throws the coin")),
            (Actor::Seat(_) | Actor::Chance | Actor::Server, _, _) => Err(Refusal::at(
                0,
                match asked {
                    AuctionStage::Bid => "a bid is asked for now: write bid and a number of chips, as in bid 40",
                    AuctionStage::Answer(_) => "an answer is asked for now: write accept or reject",
                    AuctionStage::Tie(_) => "the bids are equal: write take or give",
                    AuctionStage::Coin(_) => "the bids are equal, and the coin decides now",
                    AuctionStage::Move(_) => "a move is asked for now: write one as in e2e4",
                },
            )),
        }
    }

    fn find(&self, state: &State, text: &str) -> Option<Action> {
        let moves = matches!(state.auction.asked, AuctionStage::Move(_));
        let uci = moves.then(|| state.play.course.read(state.play.board(), text)).flatten();
        uci.map(|uci| Action::Act(MoveOrPass::Move(uci)))
    }

    fn apply(&self, state: &mut State, step: Step<Action>) {
        state.play.steps += 1;
        match step {
            Step::One(_, Action::Act(action)) => {
                state.play.act(action, state.auction.told(), self.no_progress);
                let said = state.play.sheet.last().map(|entry| entry.text.clone());
                if let Some(account) = state.auction.accounts.last_mut() {
                    account.said = said;
                }
                state.auction.asked = AuctionStage::Bid;
                let standing = self.standing_now(state);
                state.seen.push(standing);
            }
            Step::One(seat, action) => self.said(state, seat, action),
            Step::Chance(Action::Deal(array)) => {
                state.play.deal(array);
                state.seen = vec![self.standing_now(state)];
            }
            Step::Both([Action::Bid(one), Action::Bid(two)]) => {
                self.opened(&mut state.auction, [one, two]);
                let first = Action::Bid(one).to_string();
                state.play.note(Some(Color::White), first.clone(), Some(first), String::new());
                self.note(state, Some(Seat::Two), Action::Bid(two));
            }
            Step::Chance(action @ Action::Coin(color)) => {
                if let AuctionStage::Coin(bid) = state.auction.asked {
                    self.pay(&mut state.auction, Seat::of(color), bid, Some("coin"));
                }
                self.note(state, None, action);
            }
            Step::End(seat, end) => state.play.outcome = self.stopped(state, seat, end).ok(),
            Step::Both(_) | Step::Chance(_) => unreachable!("steps are checked first"),
        }
    }

    fn check_end(&self, state: &State, seat: Seat, end: End) -> Result<(), Refusal> {
        self.stopped(state, seat, end).map(|_| ())
    }

    fn score(&self, state: &State) -> [Ratio<i64>; 2] {
        state.play.outcome.map_or([Ratio::ZERO; 2], Outcome::points)
    }

    fn view(&self, state: &State, viewer: Viewer) -> View {
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
            diagram.fortunes = Some(Fortunes { unit: "chips", turns: turns.collect() });
        }
        diagram.tags = state.play.tags("Bidding");
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

    fn endgame(&self, state: &State) -> Option<Endgame> {
        state.play.covered().then(|| self.moment(state))
    }

    fn prospect(&self, state: &State, _seat: Seat) -> Option<Prospect> {
        Some(Prospect::Auction(self.base, self.moment(state)))
    }

    fn draw(&self, state: &State, rng: &mut dyn Rng) -> Action {
        if state.play.undealt {
            return Action::Deal(Array::draw(rng));
        }
        Action::Coin(if rng.random() { Color::White } else { Color::Black })
    }

    fn returnable(&self, state: &State) -> bool {
        !state.play.undealt
    }

    fn candidates(&self, state: &State, seat: Seat, rng: &mut dyn Rng) -> Vec<Action> {
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

    fn standing(&self, state: &State) -> [i64; 2] {
        let [one, two] = state.auction.chips;
        let material = state.play.standing();
        [(material[0], one), (material[1], two)].map(|(units, chips)| units + chips * ALL_CHIPS / (one + two).max(1))
    }
}

/// The worth of all the chips to a player who looks only a little ahead, in hundredths of a pawn.
const ALL_CHIPS: i64 = 2_000;

impl Bidding {
    /// The moment as those see it who ask what it is worth.
    fn moment(&self, state: &State) -> Endgame {
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

    /// The meaning of a way to stop.
    fn stopped(&self, state: &State, seat: Seat, end: End) -> Result<Outcome, Refusal> {
        KingCapture::stopped(seat, end, || {
            let repeated = self.repeated(state).then_some(Outcome::Draw("threefold repetition"));
            repeated.ok_or_else(|| {
                Refusal::new(
                    "no draw can be claimed: that takes, before the bids, the same position with the same stacks and the same bidder or holder of the marker for the third time",
                )
            })
        })
    }

    /// Tells whether the standing before the bids has come for the third time.
    fn repeated(&self, state: &State) -> bool {
        let now = state.seen.last();
        let before = matches!(state.auction.asked, AuctionStage::Bid | AuctionStage::Answer(_));
        before && state.seen.iter().filter(|seen| Some(*seen) == now).count() >= 3
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
