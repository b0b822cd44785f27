//! Fog of war (Jens Bæk Nielsen and Torben Osted, 1989, as “dark chess”; chess.com's and pychess's rules): each player sees their own pieces and
//! the squares to which these could move, with anything on them. Capturing the king wins. There is no check, so castling ignores attacks.
//! Players cannot see enough to claim draws, so the server declares them: stalemate, the third repetition and 50 moves without a capture or a
//! pawn move (our reading).

mod determinization;
mod state;

pub use state::{Action, State, View};

use num_rational::Ratio;
use rand::Rng;
use serde::{Deserialize, Serialize};

use super::king_capture::{self, BOARD};
use crate::{
    board::{Position, START, pgn::Pgn},
    rules::{
        ActionForm, Actor, BotSupport, Describe, End, GameControl, HiddenInfo, Input, OptionSpec, Outcome, PgnTag,
        Refusal, Rules, RulesVersion, START_SETTING, SearchProblem, Seat, Step, Support, TaskHelp, Turn, VariantInfo,
        Viewer,
        auction_game::Base,
        endings::{self, StalemateRule},
        grammar,
        search_problem::{Aim, BoardProblem},
        start_position,
    },
};

/// Options of a fog-of-war game.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FogOfWar {
    /// Starting position as FEN, known to both players; empty for the usual one.
    pub fen: String,
}

impl Rules for FogOfWar {
    const INFO: VariantInfo = VariantInfo {
        pgn_tag: PgnTag::Variant("Fog of War"),
        auction: Support::No("bids for a move would reveal what the fog hides"),
        random_since: Some(RulesVersion::FIRST),
        ..VariantInfo::new(
            "fog-of-war",
            "Fog of war",
            "You see only the squares your pieces can reach. Find the king and capture it.",
        )
    };
    type Terms = Position;
    type State = State;
    type Action = Action;
    type View = View;

    fn terms(&self, version: RulesVersion) -> Result<Position, Refusal> {
        let mut start = king_capture::start(version, Base::chess(), &self.fen)?;
        if version < RulesVersion::THIRD {
            start.halfmove = 0;
        }
        if BOARD.castles_elsewhere(&start) {
            return Err(Refusal::new(
                "in fog of war castling needs the king on the e-file and the rook in the corner: any other castling right would reveal hidden squares",
            ));
        }
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
            Actor::Seat(_) => state.find(action.0).map(|_| ()),
            Actor::Chance | Actor::Server => Err(Refusal::new("only players move in fog of war")),
        }
    }

    fn apply(&self, state: &mut State, step: Step<Action>) {
        state.steps += 1;
        match step {
            Step::One(_, Action(uci)) => state.play(uci),
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

    fn view(&self, state: &State, viewer: Viewer) -> View {
        View::of(state, viewer)
    }
}

impl Describe for FogOfWar {
    fn presets() -> Vec<(&'static str, Self)> {
        vec![("standard", FogOfWar::default())]
    }

    fn task_help() -> &'static [TaskHelp] {
        &[TaskHelp {
            task: "move",
            lines: [
                "Hatched squares are in the fog: you see neither the pieces there nor the moves that happen there.",
                "There is no check, and no warning before your king is captured. Capture theirs first.",
            ],
        }]
    }

    fn settings() -> &'static [OptionSpec] {
        &[START_SETTING]
    }

    fn action_forms() -> &'static [ActionForm] {
        &grammar::MOVES
    }

    fn last_position(game: &Pgn) -> Result<String, Refusal> {
        start_position::last_position(&BOARD, START, game)
    }
}

impl Input for FogOfWar {
    fn find(&self, state: &State, text: &str) -> Option<Action> {
        state.history.read(&BOARD, text).map(Action)
    }
}

impl HiddenInfo for FogOfWar {
    fn visible_action(
        &self,
        state: &State,
        _step: usize,
        _actor: Actor,
        action: &Action,
        _viewer: Viewer,
    ) -> Option<Action> {
        state.open().then_some(*action)
    }

    fn has_hidden_info(&self, state: &State) -> bool {
        !state.open()
    }

    fn reveal_all(&self, state: &mut State) {
        state.opened = true;
    }

    fn redeal(&self, state: &State, seat: Seat, rng: &mut dyn Rng) -> State {
        if state.open() { state.clone() } else { determinization::determinize(state, seat.color(), rng) }
    }
}

impl BotSupport for FogOfWar {
    fn candidates(&self, state: &State, _seat: Seat, _rng: &mut dyn Rng) -> Vec<Action> {
        let position = &state.history.position;
        let kings = BOARD.royals(position, !position.turn);
        let moves = BOARD.moves(position);
        let fatal = moves.iter().find(|mv| BOARD.captured(position, **mv).is_some_and(|(on, _)| kings.has(on)));
        match fatal {
            Some(mv) => vec![Action(BOARD.uci(*mv))],
            None => moves.into_iter().map(|mv| Action(BOARD.uci(mv))).collect(),
        }
    }

    fn rough_material(&self, state: &State) -> [i64; 2] {
        endings::count_material(&BOARD, &state.history.position)
    }

    fn search_problem(&self, state: &State, _seat: Seat) -> Option<SearchProblem> {
        let (position, before) = (state.history.position, state.history.recent());
        let board = std::borrow::Cow::Borrowed(&*BOARD);
        let aim = Aim::Capture(StalemateRule::Draws);
        Some(SearchProblem::Moves(BoardProblem { board, position, before, aim, draws: None, quiet: true }))
    }
}

impl GameControl for FogOfWar {
    /// A move reveals squares to the player who made it, so moves are never taken back.
    fn allows_takeback_here(&self, _state: &State) -> bool {
        false
    }
}

/// The outcome when `seat` stops the game this way.
fn stopped(seat: Seat, end: End) -> Result<Outcome, Refusal> {
    king_capture::KingCapture::stopped(seat, end, || {
        Err(Refusal::new(
            "draws cannot be claimed in fog of war: the third repetition and 50 moves without a capture or a pawn move end the game automatically",
        ))
    })
}
