//! Duck chess (Tim Paulden, 2016; pychess's rules): a turn is a move and then the duck, which belongs to nobody, put on another empty square.
//! Nothing captures the duck or goes through it. The king is captured, which ends the game before the duck is moved; castling asks nobody
//! whether its squares are attacked; and whoever has no move has won. The third repetition, the duck's square included, and 50 moves
//! without a capture or a pawn move end the game by themselves (our reading).

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

/// The options of a game with the duck.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DuckChess {
    /// The position to begin from, with a `*` where the duck stands; empty for the usual one.
    pub fen: String,
}

/// What is said: the capture of the king alone, or a move with the duck's square behind it.
static PHRASES: [ActionForm; 2] = [
    ActionForm {
        phases: &["move"],
        text: "{move} {square}",
        words: "A unit moves, and the duck comes to that square.",
    },
    ActionForm { phases: &["move"], text: "{move}", words: "A unit captures the king, and the duck stays." },
];

impl Rules for DuckChess {
    const INFO: VariantInfo = VariantInfo {
        pgn_tag: PgnTag::Variant("Duck"),
        auction: Support::No("the duck is put in the way of the very next turn, and nobody knows whose that is"),
        random_since: Some(RulesVersion::FIRST),
        ..VariantInfo::new(
            "duck",
            "Duck chess",
            "After every move you put a duck in the other side’s way; take the king.",
        )
    };
    type Terms = Position;
    type State = State;
    type Action = Action;
    type View = View;

    fn terms(&self, _version: RulesVersion) -> Result<Position, Refusal> {
        start_position::start_from(&BOARD, if self.fen.is_empty() { START } else { &self.fen })
    }

    fn start(&self, start: &Position) -> State {
        State::new(*start)
    }

    fn turn(&self, state: &State) -> Turn {
        match state.outcome {
            Some(outcome) => Turn::Over(outcome),
            None => Turn::One(Seat::of(state.course.position.turn)),
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

    fn lessons() -> &'static [TaskHelp] {
        &[TaskHelp {
            task: "move",
            lines: [
                "First make a move, then press another empty square: the duck comes there, and nothing but a knight gets past it.",
                "Nobody is in check here. Take the king to win, and put the duck between yours and whatever attacks it.",
            ],
        }]
    }

    fn settings() -> &'static [OptionSpec] {
        &[START_SETTING]
    }

    fn phrases() -> &'static [ActionForm] {
        &PHRASES
    }

    fn last_position(game: &Pgn) -> Result<String, Refusal> {
        let start = BOARD.parse_fen(start_position::fen(START, game)?);
        let start = start.map_err(|wrong| start_position::in_tag(Refusal::new(wrong.to_string())))?;
        let last =
            start_position::replay(State::new(start), game, |state| state.course.position.turn, State::play_san)?;
        Ok(BOARD.fen(&last.course.position))
    }
}

impl Input for DuckChess {
    fn besides(&self, state: &State, _seat: Seat) -> Vec<String> {
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
    /// Captures of the king alone, where there are any; else every move, each with one square for the duck.
    fn candidates(&self, state: &State, _seat: Seat, rng: &mut dyn Rng) -> Vec<Action> {
        let moves = BOARD.moves(&state.course.position);
        if let Some(fatal) = moves.iter().find(|mv| state.takes_king(**mv)) {
            return vec![Action { mv: BOARD.uci(*fatal), duck: None }];
        }
        let action = |mv| Action { mv: BOARD.uci(mv), duck: state.room(mv).choose(rng) };
        moves.into_iter().map(action).collect()
    }

    fn standing(&self, state: &State) -> [i64; 2] {
        endings::count_material(&BOARD, &state.course.position)
    }

    fn prospect(&self, state: &State, _seat: Seat) -> Option<SearchProblem> {
        let (position, before) = (state.course.position, state.course.recent());
        let board = Cow::Borrowed(&*BOARD);
        let aim = Aim::Capture(StalemateRule::Wins);
        Some(SearchProblem::Duck(BoardProblem { board, position, before, aim, draws: None, quiet: true }))
    }
}

impl GameControl for DuckChess {}

/// The meaning of a way to stop.
fn stopped(seat: Seat, end: End) -> Result<Outcome, Refusal> {
    KingCapture::stopped(seat, end, || {
        Err(Refusal::new(
            "in duck chess nobody claims a draw: the third repetition and 50 moves without a capture or a pawn move end the game by themselves",
        ))
    })
}
