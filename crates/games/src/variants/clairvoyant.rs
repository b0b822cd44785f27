//! Clairvoyant Chess (Jim Aikin, 2004): chess in which a player earns zorkmids by guessing the opponent's next turn, and spends
//! them on pieces, on extra moves and on forcing retractions.

mod action;
mod algebraic;
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
        ActionForm, Actor, BotSupport, Describe, End, GameControl, GamePhase, HiddenInfo, Input, OptionSpec, Outcome,
        PgnTag, PresetDescription, Refusal, Rules, RulesVersion, SearchProblem, Seat, Step, Support, TaskHelp,
        Turn as Asked, VariantInfo, Viewer, endings, start_position,
    },
};

pub use action::{Action, Part, Turn};
pub use guess_sheet::{Guess, Sheet};
pub use options::{Clairvoyant, Lock, PostDrop, Terms};
pub use state::{Phase, Retraction, State};
pub use view::View;

/// Value of a zorkmid relative to material, in centipawns: a new pawn costs three zorkmids, a queen twenty-five.
const ZORKMID: i64 = 30;

/// Help for each task of a turn.
static LESSONS: [TaskHelp; 3] = [
    TaskHelp {
        task: "guess",
        lines: [
            "Guess your opponent’s turn: choose a piece and its destination, or choose it twice if you only expect it to move.",
            "The numbers are the zorkmids (Z) for a correct guess. Wrong guesses cost nothing.",
        ],
    },
    TaskHelp {
        task: "play",
        lines: [
            "One move is free: choose a piece, then its destination. Your opponent is guessing it, so be unpredictable.",
            "Spend zorkmids (Z) on a second move, or on new pieces instead of the free move.",
        ],
    },
    TaskHelp {
        task: "answer",
        lines: [
            "Accept the turn: your guesses are opened and paid.",
            "Or pay to force it back: your opponent must play another turn, and your guesses count for that one.",
        ],
    },
];

impl Rules for Clairvoyant {
    const INFO: VariantInfo = VariantInfo {
        pgn_tag: PgnTag::Variant("Clairvoyant"),
        auction: Support::No(
            "guesses are about the opponent’s next turn, and in an auction either player may move next",
        ),
        handicap: Support::No("its options set the starting money of each side instead"),
        ..VariantInfo::new(
            "clairvoyant",
            "Clairvoyant Chess",
            "Guess your opponent’s moves to earn zorkmids. Spend them on pieces, extra moves and forcing turns back.",
        )
    };
    type Terms = Arc<Terms>;
    type State = State;
    type Action = Action;
    type View = View;

    fn terms(&self, version: RulesVersion) -> Result<Arc<Terms>, Refusal> {
        let terms = self.agreed()?;
        start_position::check_castling(version, Board::orthodox(), &terms.start)?;
        Ok(Arc::new(terms))
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

    fn phase(&self, state: &State) -> GamePhase {
        match state.phase {
            Phase::Both => GamePhase::Guess,
            Phase::Turn => GamePhase::Turn,
            Phase::Response => GamePhase::Response,
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
            Step::Chance(_) => unreachable!("Clairvoyant Chess has no chance events"),
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
            Action::Guess(_) => unreachable!("a sheet is always submitted together with a turn"),
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
                words: "Earnings are public, and so are the guesses about a turn once it is over.",
                options: &["guesses_per_move", "post_drop", "bought_after_free"],
            },
            PresetDescription {
                preset: "blind",
                words: "A player’s guesses and balance stay hidden until that player spends.",
                options: &["blind", "guesses_per_move"],
            },
        ]
    }

    fn task_help() -> &'static [TaskHelp] {
        &LESSONS
    }

    fn settings() -> &'static [OptionSpec] {
        &options::SETTINGS
    }

    fn last_position(game: &Pgn) -> Result<String, Refusal> {
        turn_history::last_position(game)
    }

    fn action_forms() -> &'static [ActionForm] {
        legality::PHRASES
    }
}

impl Input for Clairvoyant {
    fn listed_forms(&self, state: &State, seat: Seat) -> Vec<String> {
        legality::unlisted_actions(state, seat)
    }

    fn task(&self, state: &State, seat: Seat) -> &'static str {
        match state.phase {
            Phase::Both if seat != state.mover() => "guess",
            Phase::Both | Phase::Turn => "play",
            Phase::Response => "answer",
        }
    }

    fn find(&self, state: &State, text: &str) -> Option<Action> {
        algebraic::read(state, text)
    }

    fn draft(&self, state: &State, seat: Seat, text: &str) -> Option<View> {
        draft::draft(state, seat, text)
    }
}

impl HiddenInfo for Clairvoyant {
    /// A sheet becomes visible when the turn that settled it is opened; locked guesses when the turn that they belong to is opened.
    fn visible_action(
        &self,
        state: &State,
        step: usize,
        actor: Actor,
        action: &Action,
        _viewer: Viewer,
    ) -> Option<Action> {
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

    /// At the end everything is opened, except a sheet and locked guesses that were still sealed, and in blind games the number of guesses
    /// on a sheet.
    fn has_hidden_info(&self, state: &State) -> bool {
        state.outcome.is_none() || state.sheet.is_some() || state.open().is_some() || state.terms.blind
    }

    fn redeal(&self, state: &State, seat: Seat, rng: &mut dyn Rng) -> State {
        bot_support::redeal(state, seat, rng)
    }
}

impl BotSupport for Clairvoyant {
    fn search_problem(&self, state: &State, seat: Seat) -> Option<SearchProblem> {
        bot_support::prospect(state, seat)
    }

    fn candidates(&self, state: &State, seat: Seat, rng: &mut dyn Rng) -> Vec<Action> {
        bot_support::candidates(state, seat, rng)
    }

    fn rough_material(&self, state: &State) -> [i64; 2] {
        let material = endings::count_material(Board::orthodox(), state.board_position());
        Seat::BOTH.map(|seat| material[seat.color().index()] + ZORKMID * state.purses[seat.index()])
    }
}

impl GameControl for Clairvoyant {}
