//! Clairvoyant Chess (Jim Aikin, 2004): chess in which a player earns zorkmids by guessing the opponent's next turn, and spends
//! them on pieces, on extra moves and on forcing retractions.

mod action;
mod bot_support;
mod draft;
mod guess_sheet;
mod ledger;
mod legality;
mod mate_test;
mod mating_turns;
mod options;
mod predictions;
mod prices;
mod shop;
mod state;
mod turn_builder;
mod turn_generation;
mod turn_history;
mod view;

use std::sync::Arc;

use num_rational::Ratio;
use rand::Rng;

use crate::{
    board::{Board, pgn::Pgn},
    rules::{
        ActionForm, Actor, BotSupport, Describe, End, GameControl, HiddenInfo, Input, OptionSpec, Outcome, PgnTag,
        PresetDescription, Refusal, Rules, RulesVersion, SearchProblem, Seat, Step, Support, TaskHelp, Turn as Asked,
        VariantInfo, Viewer, endings,
    },
};

pub use action::{Action, Part, Turn};
pub use guess_sheet::{Guess, Sheet};
pub use options::{Clairvoyant, Lock, PostDrop, Terms};
pub use state::{Phase, Retraction, State};
pub use view::View;

/// The worth of a zorkmid beside what stands on the board, in hundredths of a pawn: a pawn costs three, a queen twenty-five.
const ZORKMID: i64 = 30;

/// What each task of a turn is about.
static LESSONS: [TaskHelp; 3] = [
    TaskHelp {
        task: "guess",
        lines: [
            "Guess the turn before you see it: press a piece, then its square; or press it twice, to guess only that it moves.",
            "The numbers are the zorkmids (Z) that a right guess earns. Wrong ones cost nothing.",
        ],
    },
    TaskHelp {
        task: "play",
        lines: [
            "One move is free: press a piece, then its square. The other side is guessing at it, so be unexpected.",
            "The zorkmids (Z) that you earn buy a second move, or new pieces instead of a move.",
        ],
    },
    TaskHelp {
        task: "answer",
        lines: [
            "Accept the turn, and your sheet is opened and paid.",
            "Or pay to force it back: then another turn must be played, and your sheet is judged on that one.",
        ],
    },
];

impl Rules for Clairvoyant {
    const INFO: VariantInfo = VariantInfo {
        pgn_tag: PgnTag::Variant("Clairvoyant"),
        auction: Support::No("the opponent’s next turn cannot be guessed where nobody knows whose the next turn is"),
        handicap: Support::No("its handicaps are the purses among its options"),
        ..VariantInfo::new(
            "clairvoyant",
            "Clairvoyant Chess",
            "Guess your opponent’s moves for zorkmids, and spend them on pieces, extra moves and forcing turns back.",
        )
    };
    type Terms = Arc<Terms>;
    type State = State;
    type Action = Action;
    type View = View;

    fn terms(&self, _version: RulesVersion) -> Result<Arc<Terms>, Refusal> {
        self.agreed().map(Arc::new)
    }

    fn start(&self, terms: &Arc<Terms>) -> State {
        State::new(terms)
    }

    fn turn(&self, state: &State) -> Asked {
        match (state.outcome, state.phase) {
            (Some(outcome), _) => Asked::Over(outcome),
            (None, Phase::Both) => Asked::Both,
            (None, Phase::Turn) => Asked::One(state.mover()),
            (None, Phase::Response) => Asked::One(state.guesser()),
        }
    }

    fn phase(&self, state: &State) -> &'static str {
        match state.phase {
            Phase::Both => "guess",
            Phase::Turn => "turn",
            Phase::Response => "response",
        }
    }

    fn check(&self, state: &State, actor: Actor, action: &Action) -> Result<(), Refusal> {
        legality::check(state, actor, action)
    }

    fn apply(&self, state: &mut State, step: Step<Action>) {
        state.steps += 1;
        let (actor, action) = match step {
            Step::One(seat, action) => (seat, action),
            Step::Both([one, two]) => {
                let (own, sheet) = match state.mover() {
                    Seat::One => (one, two),
                    Seat::Two => (two, one),
                };
                if let Action::Guess(sheet) = sheet {
                    state.keep(sheet);
                }
                state.phase = Phase::Turn;
                (state.mover(), own)
            }
            Step::End(seat, end) => {
                if let Ok(outcome) = legality::stopped(state, seat, end) {
                    state.close(outcome);
                }
                return;
            }
            Step::Chance(_) => unreachable!("chance has no part in Clairvoyant Chess"),
        };
        match action {
            Action::Turn { disclose, locks, turn } => {
                if disclose {
                    state.disclose(actor);
                }
                state.play(&turn, locks);
            }
            Action::Answer { disclose, retract } => {
                if disclose && !retract {
                    state.disclose(actor);
                }
                if retract { state.retract() } else { state.settle() }
            }
            Action::Disclose => {
                state.disclose(actor);
                if state.phase != Phase::Response {
                    state.judge();
                }
            }
            Action::Guess(_) => unreachable!("a sheet comes together with a turn"),
        }
    }

    fn check_end(&self, state: &State, seat: Seat, end: End) -> Result<(), Refusal> {
        legality::stopped(state, seat, end).map(|_| ())
    }

    fn score(&self, state: &State) -> [Ratio<i64>; 2] {
        state.outcome.map_or([Ratio::ZERO; 2], Outcome::points)
    }

    fn view(&self, state: &State, viewer: Viewer) -> View {
        view::view(state, viewer)
    }
}

impl Describe for Clairvoyant {
    fn presets() -> Vec<(&'static str, Self)> {
        let standard = Clairvoyant::default();
        vec![("standard", standard.clone()), ("blind", Clairvoyant { blind: true, ..standard })]
    }

    fn ways() -> &'static [PresetDescription] {
        &[
            PresetDescription {
                preset: "standard",
                words: "Both see what each has earned, and the guesses of a turn once it is over.",
                options: &["guesses_per_move", "post_drop", "bought_after_free"],
            },
            PresetDescription {
                preset: "blind",
                words: "Sheets and balances stay hidden until somebody spends.",
                options: &["blind", "guesses_per_move"],
            },
        ]
    }

    fn lessons() -> &'static [TaskHelp] {
        &LESSONS
    }

    fn settings() -> &'static [OptionSpec] {
        &options::SETTINGS
    }

    fn last_position(game: &Pgn) -> Result<String, Refusal> {
        turn_history::last_position(game)
    }

    fn phrases() -> &'static [ActionForm] {
        legality::PHRASES
    }
}

impl Input for Clairvoyant {
    fn besides(&self, state: &State, seat: Seat) -> Vec<String> {
        legality::besides(state, seat)
    }

    fn task(&self, state: &State, seat: Seat) -> &'static str {
        match state.phase {
            Phase::Both if seat != state.mover() => "guess",
            Phase::Both | Phase::Turn => "play",
            Phase::Response => "answer",
        }
    }

    fn draft(&self, state: &State, seat: Seat, text: &str) -> Option<View> {
        draft::draft(state, seat, text)
    }
}

impl HiddenInfo for Clairvoyant {
    /// A sheet is heard when the turn that it was judged on is open, locks with the turn that they were said with.
    fn heard(&self, state: &State, step: usize, actor: Actor, action: &Action, _viewer: Viewer) -> Option<Action> {
        let open = |index: Option<usize>| match (index, actor) {
            (Some(index), Actor::Seat(seat)) => index < state.opened[seat.index()],
            (Some(_) | None, _) => false,
        };
        let records = || state.records.iter().enumerate().filter(|(_, record)| record.ply >= step);
        match action {
            Action::Guess(_) => {
                let judged =
                    records().find(|(_, record)| matches!(record.fate, turn_history::TurnStatus::Settled { .. }));
                open(judged.map(|(index, _)| index)).then(|| action.clone())
            }
            Action::Turn { disclose, locks: 1.., turn } => {
                let played = records().find(|(_, record)| record.ply == step).map(|(index, _)| index);
                let hidden = Action::Turn { disclose: *disclose, locks: 0, turn: turn.clone() };
                Some(if open(played) { action.clone() } else { hidden })
            }
            Action::Turn { .. } | Action::Answer { .. } | Action::Disclose => Some(action.clone()),
        }
    }

    /// The end opens everything but what was still sealed then: a sheet, the locks of a turn without an answer, and in blind games
    /// how many guesses the sheet had.
    fn hides(&self, state: &State) -> bool {
        state.outcome.is_none() || state.sheet.is_some() || state.open().is_some() || state.terms.blind
    }

    fn redeal(&self, state: &State, seat: Seat, rng: &mut dyn Rng) -> State {
        bot_support::redeal(state, seat, rng)
    }
}

impl BotSupport for Clairvoyant {
    fn prospect(&self, state: &State, seat: Seat) -> Option<SearchProblem> {
        bot_support::prospect(state, seat)
    }

    fn candidates(&self, state: &State, seat: Seat, rng: &mut dyn Rng) -> Vec<Action> {
        bot_support::candidates(state, seat, rng)
    }

    fn standing(&self, state: &State) -> [i64; 2] {
        let material = endings::count_material(Board::orthodox(), state.shown());
        Seat::BOTH.map(|seat| material[seat.color().index()] + ZORKMID * state.purses[seat.index()])
    }
}

impl GameControl for Clairvoyant {}
