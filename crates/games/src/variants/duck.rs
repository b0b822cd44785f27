//! Duck chess (Tim Paulden, 2016; pychess's rules): every turn is a move followed by placing the duck, a neutral blocker, on another empty square.
//! No piece may capture the duck or pass through it. Capturing the king ends the game, and the duck then stays put. There is no check, so castling
//! ignores attacks. A player without a legal move wins. The game is drawn automatically on the third repetition (the duck's square counts as part
//! of the position) and after 50 moves without a capture or a pawn move (our reading).

mod state;
mod view;

pub use state::{Action, BOARD, State};
pub use view::View;

use std::borrow::Cow;

use num_rational::Ratio;
use rand::{Rng, seq::IteratorRandom};
use serde::{Deserialize, Serialize};

use super::king_capture::KingCapture;
use crate::{
    board::{Position, START, pgn::Pgn},
    rules::{
        ActionForm, Actor, BotSupport, Describe, End, GameControl, HiddenInfo, Input, OptionSpec, Outcome, PgnTag,
        Refusal, Rules, RulesVersion, START_SETTING, SearchProblem, Seat, Step, Support, TaskHelp, Turn, VariantInfo,
        Viewer,
        endings::{self, StalemateRule},
        search_problem::{Aim, BoardProblem},
        start_position,
    },
};

/// Options of a duck chess game.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DuckChess {
    /// Starting position as FEN, with a `*` on the duck's square; empty for the usual one.
    pub fen: String,
}

/// Grammar of a turn: a move with the duck's square after it, or a king capture alone.
static PHRASES: [ActionForm; 2] = [
    ActionForm {
        phases: &["move"],
        text: "{move} {square}",
        words: "Makes a move, then puts the duck on that square.",
    },
    ActionForm { phases: &["move"], text: "{move}", words: "Captures the king; the duck stays where it is." },
];

impl Rules for DuckChess {
    const INFO: VariantInfo = VariantInfo {
        pgn_tag: PgnTag::Variant("Duck"),
        auction: Support::No(
            "the duck is there to block the opponent’s next turn, and in an auction either player may move next",
        ),
        random_since: Some(RulesVersion::FIRST),
        ..VariantInfo::new(
            "duck",
            "Duck chess",
            "After every move you put a duck in your opponent’s way. Capture the king to win.",
        )
    };
    type Terms = Position;
    type State = State;
    type Action = Action;
    type View = View;

    fn terms(&self, version: RulesVersion) -> Result<Position, Refusal> {
        let start = start_position::start_from(&BOARD, if self.fen.is_empty() { START } else { &self.fen })?;
        start_position::check_castling(version, &BOARD, &start)?;
        Ok(start)
    }

    fn start(&self, start: &Position) -> State {
        State::new(*start)
    }

    fn turn(&self, state: &State) -> Turn {
        match state.outcome {
            Some(outcome) => Turn::Over(outcome),
            None => Turn::One(Seat::of(state.history.position.turn)),
        }
    }

    fn check(&self, state: &State, actor: Actor, action: &Action) -> Result<(), Refusal> {
        match actor {
            Actor::Seat(_) => state.check(*action).map(|_| ()),
            Actor::Chance | Actor::Server => Err(Refusal::new("only players move in duck chess")),
        }
    }

    fn apply(&self, state: &mut State, step: Step<Action>) {
        state.steps += 1;
        match step {
            Step::One(_, action) => state.play(action),
            Step::End(seat, end) => state.outcome = stopped(seat, end).ok(),
            Step::Chance(_) | Step::Both(_) => unreachable!("steps are checked first"),
        }
    }

    fn check_end(&self, _state: &State, seat: Seat, end: End) -> Result<(), Refusal> {
        stopped(seat, end).map(|_| ())
    }

    fn score(&self, state: &State) -> [Ratio<i64>; 2] {
        state.outcome.map_or([Ratio::ZERO; 2], Outcome::points)
    }

    fn view(&self, state: &State, _viewer: Viewer) -> View {
        View::of(state)
    }
}

impl Describe for DuckChess {
    fn presets() -> Vec<(&'static str, Self)> {
        vec![("standard", DuckChess::default())]
    }

    fn task_help() -> &'static [TaskHelp] {
        &[TaskHelp {
            task: "move",
            lines: [
                "Make a move, then choose an empty square for the duck. Only knights can jump over it.",
                "There is no check. Capture the king to win, and use the duck to shield your own king.",
            ],
        }]
    }

    fn settings() -> &'static [OptionSpec] {
        &[START_SETTING]
    }

    fn action_forms() -> &'static [ActionForm] {
        &PHRASES
    }

    fn last_position(game: &Pgn) -> Result<String, Refusal> {
        let start = BOARD.parse_fen(start_position::fen(START, game)?);
        let start = start.map_err(|wrong| start_position::in_tag(Refusal::new(wrong.to_string())))?;
        let last =
            start_position::replay(State::new(start), game, |state| state.history.position.turn, State::play_san)?;
        Ok(BOARD.fen(&last.history.position))
    }
}

impl Input for DuckChess {
    fn listed_forms(&self, state: &State, _seat: Seat) -> Vec<String> {
        state.actions().map(|action| action.to_string()).collect()
    }

    fn find(&self, state: &State, text: &str) -> Option<Action> {
        state.read(text).ok()
    }

    fn draft(&self, state: &State, _seat: Seat, text: &str) -> Option<View> {
        state.outcome.is_none().then(|| view::draft(state, text))
    }
}

impl HiddenInfo for DuckChess {}

impl BotSupport for DuckChess {
    /// King captures alone, if there are any; otherwise every move, each with one random square for the duck.
    fn candidates(&self, state: &State, _seat: Seat, rng: &mut dyn Rng) -> Vec<Action> {
        let moves = BOARD.moves(&state.history.position);
        if let Some(fatal) = moves.iter().find(|mv| state.takes_king(**mv)) {
            return vec![Action { mv: BOARD.uci(*fatal), duck: None }];
        }
        let action = |mv| Action { mv: BOARD.uci(mv), duck: state.duck_squares(mv).choose(rng) };
        moves.into_iter().map(action).collect()
    }

    fn rough_material(&self, state: &State) -> [i64; 2] {
        endings::count_material(&BOARD, &state.history.position)
    }

    fn search_problem(&self, state: &State, _seat: Seat) -> Option<SearchProblem> {
        let (position, before) = (state.history.position, state.history.recent());
        let board = Cow::Borrowed(&*BOARD);
        let aim = Aim::Capture(StalemateRule::Wins);
        Some(SearchProblem::Duck(BoardProblem { board, position, before, aim, draws: None, quiet: true }))
    }
}

impl GameControl for DuckChess {}

/// The outcome when `seat` stops the game this way.
fn stopped(seat: Seat, end: End) -> Result<Outcome, Refusal> {
    KingCapture::stopped(seat, end, || {
        Err(Refusal::new(
            "draws cannot be claimed in duck chess: the third repetition and 50 moves without a capture or a pawn move end the game automatically",
        ))
    })
}
