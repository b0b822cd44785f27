//! Bookie Chess (sharkfeeder's page): the deal of a board, the code that carries it, the score, and the match. A match is one or more deals, each
//! with sealed bids followed by play for the stakes that the bids set. Pawns and kings are drawn only after both bids are open, so undealt pieces
//! cannot leak.

mod action;
mod alterations;
mod deal;
mod match_play;
mod options;
mod position_code;
mod score;
mod state;
mod view;

pub use action::Action;
pub use alterations::{Handicap, Handicapped, OptionError, Options, amount, decimal};
pub use deal::{
    ATTEMPTS, BadBoard, DealError, OFFICERS, PieceSet, SETS, check, check_officers, deal_officers, deal_rest, generate,
    officers,
};
pub use options::{Bookie, Favoured, TIES, Terms, Tie};
pub use position_code::{Code, CodeError};
pub use score::{BadWord, Bid, Bids, Decided, Decision, Stakes, Verdict, Wager, WagerError};
pub use state::State;
pub use view::{SettledDeal, View};

use std::sync::{Arc, LazyLock};

use num_rational::Ratio;
use rand::{Rng, RngExt};

use crate::{
    board::{Board, Color},
    rules::{
        ActionForm, Actor, BotSupport, Describe, End, Entry, GameControl, GamePhase, HiddenInfo, Input, OptionSpec,
        PresetDescription, Refusal, Rules, RulesVersion, SearchProblem, Seat, Step, Support, TaskHelp, Turn,
        VariantInfo, Viewer, endings,
    },
};
use state::{Round, Stage};

static BOARD: LazyLock<Board> = LazyLock::new(|| {
    let mut board = Board::orthodox().clone();
    board.castling = None;
    board
});

/// The board of Bookie Chess: ordinary chess without castling, even with king and rook on their home squares. Only pawns on their usual rank may
/// step twice, wherever they were dealt (both are our reading of a gap: the source says “play out the game”).
pub fn board() -> &'static Board {
    &BOARD
}

impl Rules for Bookie {
    const INFO: VariantInfo = VariantInfo {
        auction: Support::No("it is a bet on a game with alternating turns, and has its own stakes"),
        handicap: Support::No("its own bids decide the colours"),
        ..VariantInfo::new(
            "bookie",
            "Bookie Chess",
            "Bet on a position you only half see, then play it out for the stakes.",
        )
    };
    type Terms = Arc<Terms>;
    type State = State;
    type Action = Action;
    type View = View;

    fn terms(&self, version: RulesVersion) -> Result<Arc<Terms>, Refusal> {
        self.agreement(version).map(Arc::new)
    }

    fn start(&self, terms: &Arc<Terms>) -> State {
        let round = terms.code.as_ref().map_or_else(Round::new, Round::of);
        State { terms: terms.clone(), rounds: vec![round], sheet: Vec::new(), outcome: None, steps: 0 }
    }

    fn turn(&self, state: &State) -> Turn {
        let round = state.round();
        match (state.outcome, round.stage) {
            (Some(outcome), _) => Turn::Over(outcome),
            (None, Stage::Officers | Stage::Colors | Stage::First | Stage::Deal) => Turn::Chance,
            (None, Stage::Bid | Stage::Decide) => Turn::Both,
            (None, Stage::Play) => Turn::One(view::mover(round)),
        }
    }

    fn phase(&self, state: &State) -> GamePhase {
        match state.round().stage {
            Stage::Officers => GamePhase::Officers,
            Stage::Bid => GamePhase::Bid,
            Stage::Colors | Stage::First => GamePhase::Coin,
            Stage::Deal => GamePhase::Deal,
            Stage::Decide => GamePhase::Stakes,
            Stage::Play => GamePhase::Move,
        }
    }

    fn check(&self, state: &State, actor: Actor, action: &Action) -> Result<(), Refusal> {
        match_play::check(state, actor, action)
    }

    fn apply(&self, state: &mut State, step: Step<Action>) {
        state.steps += 1;
        let ply = state.steps;
        match step {
            Step::Chance(action) => {
                let round = state.round_mut();
                match (action, round.bids) {
                    (Action::Officers(position), _) => {
                        round.officers = Some(position);
                        round.stage = Stage::Bid;
                    }
                    (Action::Colors(color), Some(bids)) => {
                        let white = if color == Color::White { Seat::One } else { Seat::Two };
                        self.colored(state, bids, white);
                    }
                    (Action::First(color), _) => match_play::set_first_mover(state, color),
                    (Action::Deal(position), _) => match_play::reveal(state, position),
                    (Action::Colors(_) | Action::Bid(_) | Action::Decide(_) | Action::Move(_), _) => {
                        unreachable!("steps are checked first")
                    }
                }
                state.note(None, &action, String::new());
            }
            Step::Both([Action::Bid(one), Action::Bid(two)]) => {
                self.opened(state, Bids { one, two });
                for (seat, bid) in Seat::BOTH.into_iter().zip([one, two]) {
                    let (action, notes) = (Action::Bid(bid), format!("{} on Black", bid.on(Color::Black)));
                    state.note(Some(seat), &action, notes);
                }
            }
            Step::Both([Action::Decide(one), Action::Decide(two)]) => {
                for (seat, decision) in Seat::BOTH.into_iter().zip([one, two]) {
                    let action = Action::Decide(decision);
                    state.note(Some(seat), &action, String::new());
                }
                let round = state.round_mut();
                let decided = round.wager.map(|wager| wager.decide([one, two]));
                match decided {
                    Some(Decided::Over(Verdict::Draw)) => {
                        self.settle(state, Some(Verdict::Draw), "both conceded", false);
                    }
                    Some(Decided::Over(verdict)) => self.settle(state, Some(verdict), "conceded", false),
                    Some(Decided::Play) | None => {
                        round.stakes = Stakes::Grown;
                        round.stage = Stage::Play;
                    }
                }
            }
            Step::One(seat, Action::Move(uci)) => {
                let deal = Some(state.rounds.len());
                if let Some(course) = &mut state.round_mut().history {
                    let mv = course.find(board(), uci).expect("moves are checked before they are played");
                    course.play(board(), mv, ply);
                    let entry = course.played.last().map(|played| Entry { deal, ..played.entry(seat) });
                    state.sheet.extend(entry);
                }
            }
            Step::One(seat, action @ Action::Decide(Decision::Concede)) => {
                state.note(Some(seat), &action, String::new());
                let verdict = state.round().wager.map(|wager| Verdict::Win(!wager.color(seat)));
                self.settle(state, verdict, "conceded", false);
            }
            Step::End(seat, end) => {
                if let Ok((verdict, reason)) = match_play::stopped(state, seat, end) {
                    self.settle(state, verdict, reason, match_play::stops_match(end));
                }
            }
            Step::Both(_) | Step::One(..) => unreachable!("steps are checked first"),
        }
        self.judge(state);
    }

    fn check_end(&self, state: &State, seat: Seat, end: End) -> Result<(), Refusal> {
        match_play::stopped(state, seat, end).map(|_| ())
    }

    fn score(&self, state: &State) -> [Ratio<i64>; 2] {
        state.points()
    }

    fn view(&self, state: &State, viewer: Viewer) -> View {
        View::of(self, state, viewer)
    }

    fn draw(&self, state: &State, rng: &mut dyn Rng) -> Action {
        let color = if rng.random() { Color::White } else { Color::Black };
        match (state.round().stage, &state.round().officers) {
            (Stage::Colors, _) => Action::Colors(color),
            (Stage::First, _) => Action::First(color),
            (Stage::Deal, Some(officers)) => Action::Deal(
                deal_rest(officers, rng).expect("a thousand failed deals in a row are practically impossible"),
            ),
            (Stage::Officers | Stage::Bid | Stage::Deal | Stage::Decide | Stage::Play, _) => {
                Action::Officers(deal_officers(rng))
            }
        }
    }
}

impl Describe for Bookie {
    fn presets() -> Vec<(&'static str, Self)> {
        options::presets()
    }

    fn ways() -> &'static [PresetDescription] {
        options::WAYS
    }

    fn task_help() -> &'static [TaskHelp] {
        &[
            TaskHelp {
                task: "bid",
                lines: [
                    "How likely is a win for White? Pawns and kings appear when both bids are in.",
                    "The higher bid plays White. A win pays what your opponent bid on their own colour.",
                ],
            },
            TaskHelp {
                task: "stakes",
                lines: [
                    "The whole board is open. Play on for higher stakes, or concede at the current ones.",
                    "Both players decide in secret, and the decisions are opened together.",
                ],
            },
            TaskHelp {
                task: "move",
                lines: [
                    "From here it is chess: choose a piece, then its destination.",
                    "A win pays the stakes shown next to the board.",
                ],
            },
        ]
    }

    fn settings() -> &'static [OptionSpec] {
        options::SETTINGS
    }

    fn revealed_options() -> &'static [&'static str] {
        &["code"]
    }

    fn action_forms() -> &'static [ActionForm] {
        &[
            ActionForm {
                phases: &["bid"],
                text: "bid {0..100}",
                words: "Bids this percentage on White and the rest of 100 on Black. The word bid is optional.",
            },
            ActionForm { phases: &["stakes"], text: "play", words: "Plays on for higher stakes." },
            ActionForm { phases: &["stakes"], text: "concede", words: "Concedes the deal at the current stakes." },
            ActionForm { phases: &["move"], text: "{move}", words: "Makes a move." },
            ActionForm {
                phases: &["move"],
                text: "concede",
                words: "Concedes the deal; legal at any move, but not listed among the choices.",
            },
        ]
    }
}

impl Input for Bookie {
    fn listed_forms(&self, state: &State, _seat: Seat) -> Vec<String> {
        match state.round().stage {
            Stage::Bid => vec!["bid {0..100}".to_owned()],
            Stage::Officers | Stage::Colors | Stage::First | Stage::Deal | Stage::Decide | Stage::Play => Vec::new(),
        }
    }

    fn find(&self, state: &State, text: &str) -> Option<Action> {
        state.round().history.as_ref()?.read(board(), text).map(Action::Move)
    }
}

impl HiddenInfo for Bookie {
    fn redeal(&self, state: &State, _seat: Seat, rng: &mut dyn Rng) -> State {
        let mut other = state.clone();
        let round = other.round_mut();
        if let Some(hidden) = &mut round.hidden {
            // If no deal works, which is next to impossible, the board stays as it is.
            *hidden = deal_rest(hidden, rng).unwrap_or(*hidden);
        }
        other
    }
}

impl BotSupport for Bookie {
    fn candidates(&self, state: &State, _seat: Seat, rng: &mut dyn Rng) -> Vec<Action> {
        match_play::candidates(state.round(), rng)
    }

    fn rough_material(&self, state: &State) -> [i64; 2] {
        match (&state.round().history, &state.round().wager) {
            (Some(course), Some(wager)) => {
                let units = endings::count_material(board(), &course.position);
                Seat::BOTH.map(|seat| units[wager.color(seat).index()])
            }
            (Some(_) | None, _) => [0; 2],
        }
    }

    fn search_problem(&self, state: &State, seat: Seat) -> Option<SearchProblem> {
        self.decision(state, seat)
    }
}

impl GameControl for Bookie {
    fn is_between_deals(&self, state: &State) -> bool {
        let round = state.round();
        state.rounds.len() > 1 && round.stage == Stage::Bid && round.tied.is_empty()
    }

    fn is_setting_terms(&self, state: &State) -> bool {
        state.round().stage != Stage::Play
    }

    fn allows_takeback_here(&self, state: &State) -> bool {
        state.round().stage == Stage::Play
    }
}
