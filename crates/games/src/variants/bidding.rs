//! Bidding chess (Larsson & Wästlund, “Endgames in bidding chess”, §1; Develin & Payne, “Discrete bidding games”): the players bid chips for every
//! move, and the mover pays the opponent. Capturing the king wins. Bids are open, as the source suggests, or sealed.

mod action;
mod auction;
mod bids;
mod options;
mod view;

pub use action::{Action, MOST};
pub use auction::{Account, State};
pub use options::{Bidding, Scheme};
pub use view::View;

use std::sync::Arc;

use num_rational::Ratio;
use rand::{Rng, RngExt};

use super::{
    chess960::Array,
    king_capture::{self, KingCapture, MoveOrPass},
};
use crate::{
    board::{Color, Position, pgn::Pgn},
    rules::{
        ActionForm, Actor, BotSupport, Describe, End, Endgame, GameControl, GamePhase, HiddenInfo, Input, OptionSpec,
        Outcome, PgnTag, PresetDescription, Refusal, Rules, RulesVersion, SearchProblem, Seat, Step, Support, TaskHelp,
        Turn, VariantInfo, Viewer, chesslike::Deal,
    },
};
use auction::{Auction, AuctionStage, Decision};
use options::SETTINGS;

/// Value of all chips together in centipawns, for bots that look only a few plies ahead.
const ALL_CHIPS: i64 = 2_000;

impl Rules for Bidding {
    const INFO: VariantInfo = VariantInfo {
        pgn_tag: PgnTag::Variant("Bidding"),
        auction: Support::No("its moves are auctioned already"),
        handicap: Support::No("neither side has the first move: every move is bid for"),
        ..VariantInfo::new(
            "bidding",
            "Bidding chess",
            "Bid chips for every move, and pay your opponent when you move. Capture the king to win.",
        )
    };
    type Terms = Position;
    type State = State;
    type Action = Action;
    type View = View;

    fn terms(&self, version: RulesVersion) -> Result<Position, Refusal> {
        let mut start = king_capture::start(version, self.base, &self.fen)?;
        start.halfmove = 0;
        Ok(start)
    }

    fn start(&self, start: &Position) -> State {
        let auction = Auction::new([self.white, self.black], Seat::of(self.holder.into()));
        let play = KingCapture::new(self.base, *start, self.base.dealt() && self.fen.is_empty());
        let mut state = State { play, auction, keys: Vec::new() };
        state.keys.push(Arc::new(self.standing_now(&state)));
        state
    }

    fn turn(&self, state: &State) -> Turn {
        match (state.play.outcome, state.auction.stage, self.scheme) {
            (Some(outcome), _, _) => Turn::Over(outcome),
            (None, _, _) if state.play.undealt => Turn::Chance,
            (None, AuctionStage::Coin(_), _) => Turn::Chance,
            (None, AuctionStage::Bid, Scheme::Secret) => Turn::Both,
            (None, AuctionStage::Bid | AuctionStage::Answer(_) | AuctionStage::Tie(_) | AuctionStage::Move(_), _) => {
                Turn::One(self.asked(state))
            }
        }
    }

    fn phase(&self, state: &State) -> GamePhase {
        match state.auction.stage {
            AuctionStage::Bid => GamePhase::Bid,
            AuctionStage::Answer(_) => GamePhase::Answer,
            AuctionStage::Tie(_) => GamePhase::Tie,
            AuctionStage::Coin(_) => GamePhase::Coin,
            AuctionStage::Move(_) => GamePhase::Move,
        }
    }

    fn check(&self, state: &State, actor: Actor, action: &Action) -> Result<(), Refusal> {
        let asked = state.auction.stage;
        match (actor, asked, action) {
            (Actor::Chance, _, Action::Deal(_)) if state.play.undealt => Ok(()),
            (Actor::Seat(_), _, Action::Deal(_)) => Err(Refusal::at(0, "only chance deals the first rank")),
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
                Err(Refusal::at(0, format!("you cannot pay for a bid of {bid}: you have {own} chips")))
            }
            (Actor::Seat(_), AuctionStage::Move(_), Action::Act(action)) => state.play.check(*action),
            (Actor::Chance, AuctionStage::Coin(_), Action::Coin(_)) => Ok(()),
            (Actor::Seat(_), _, Action::Coin(_)) => Err(Refusal::at(0, "only chance tosses the coin")),
            (Actor::Seat(_) | Actor::Chance | Actor::Server, _, _) => Err(Refusal::at(
                0,
                match asked {
                    AuctionStage::Bid => "it is time to bid: write bid and a number of chips, as in bid 40",
                    AuctionStage::Answer(_) => "answer the bid first: write accept or reject",
                    AuctionStage::Tie(_) => "the bids are equal: write take or give",
                    AuctionStage::Coin(_) => "the bids are equal: wait for the coin toss",
                    AuctionStage::Move(_) => "it is time to move: write a move such as e2e4",
                },
            )),
        }
    }

    fn apply(&self, state: &mut State, step: Step<Action>) {
        state.play.steps += 1;
        match step {
            Step::One(_, Action::Act(action)) => {
                state.play.act(action, state.auction.payment_text(), self.no_progress);
                let said = state.play.entries.last().map(|entry| entry.text.clone());
                if let Some(account) = state.auction.accounts.last_mut() {
                    account.said = said;
                }
                state.auction.stage = AuctionStage::Bid;
                let standing = self.standing_now(state);
                state.keys.push(Arc::new(standing));
            }
            Step::One(seat, action) => self.apply_bid(state, seat, action),
            Step::Chance(Action::Deal(array)) => {
                state.play.deal(array);
                state.keys = vec![Arc::new(self.standing_now(state))];
            }
            Step::Both([Action::Bid(one), Action::Bid(two)]) => {
                self.opened(&mut state.auction, [one, two]);
                let first = Action::Bid(one).to_string();
                state.play.note(Some(Color::White), first.clone(), Some(first), String::new());
                self.note(state, Some(Seat::Two), Action::Bid(two));
            }
            Step::Chance(action @ Action::Coin(color)) => {
                if let AuctionStage::Coin(bid) = state.auction.stage {
                    self.pay(&mut state.auction, Seat::of(color), bid, Some(Decision::Coin));
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
        self.seen(state, viewer)
    }

    fn draw(&self, state: &State, rng: &mut dyn Rng) -> Action {
        if state.play.undealt {
            return Action::Deal(Array::draw(rng));
        }
        Action::Coin(if rng.random() { Color::White } else { Color::Black })
    }
}

impl Describe for Bidding {
    fn presets() -> Vec<(&'static str, Self)> {
        options::presets()
    }

    fn ways() -> &'static [PresetDescription] {
        options::WAYS
    }

    fn task_help() -> &'static [TaskHelp] {
        options::LESSONS
    }

    fn settings() -> &'static [OptionSpec] {
        SETTINGS
    }

    fn last_position(game: &Pgn) -> Result<String, Refusal> {
        king_capture::last_position(game)
    }

    fn action_forms() -> &'static [ActionForm] {
        options::PHRASES
    }
}

impl Input for Bidding {
    fn listed_forms(&self, state: &State, seat: Seat) -> Vec<String> {
        match state.auction.stage {
            AuctionStage::Bid => {
                let [least, most] = state.auction.limits(seat, self.negative);
                vec![format!("bid {{{least}..{most}}}")]
            }
            AuctionStage::Answer(_) | AuctionStage::Tie(_) | AuctionStage::Coin(_) | AuctionStage::Move(_) => {
                Vec::new()
            }
        }
    }

    fn find(&self, state: &State, text: &str) -> Option<Action> {
        let moves = matches!(state.auction.stage, AuctionStage::Move(_));
        let uci = moves.then(|| state.play.history.read(state.play.board(), text)).flatten();
        uci.map(|uci| Action::Act(MoveOrPass::Move(uci)))
    }
}

impl HiddenInfo for Bidding {}

impl BotSupport for Bidding {
    fn endgame(&self, state: &State) -> Option<Endgame> {
        state.play.in_endgame_tables().then(|| self.moment(state))
    }

    fn search_problem(&self, state: &State, _seat: Seat) -> Option<SearchProblem> {
        Some(SearchProblem::Auction(self.base, self.moment(state)))
    }

    fn candidates(&self, state: &State, seat: Seat, rng: &mut dyn Rng) -> Vec<Action> {
        self.sensible(state, seat, rng)
    }

    fn rough_material(&self, state: &State) -> [i64; 2] {
        let [one, two] = state.auction.chips;
        let material = state.play.standing();
        [(material[0], one), (material[1], two)].map(|(units, chips)| units + chips * ALL_CHIPS / (one + two).max(1))
    }
}

impl GameControl for Bidding {
    fn allows_takeback_here(&self, state: &State) -> bool {
        !state.play.undealt
    }
}

impl Bidding {
    /// The outcome when `seat` stops the game this way.
    fn stopped(&self, state: &State, seat: Seat, end: End) -> Result<Outcome, Refusal> {
        KingCapture::stopped(seat, end, || {
            let repeated = self.repeated(state).then_some(Outcome::Draw("threefold repetition"));
            repeated.ok_or_else(|| {
                Refusal::new(
                    "no draw can be claimed: before the bids, the position, both stacks, and the bidder or marker holder must be the same for the third time",
                )
            })
        })
    }
}
