//! Raumschach: Maack's chess in a cube of five levels (1907). The board and its moves are `board::space`; what ends a game is as in
//! chess, but that only bare kings are a dead position.

mod action;
mod state;

pub use action::Action;
pub use state::State;

use num_rational::Ratio;
use rand::Rng;
use serde::{Deserialize, Serialize};

use crate::{
    board::{Color, FenError, pgn::Pgn, space},
    rules::{
        Actor, BotSupport, Describe, End, GameControl, HiddenInfo, Input, Lesson, Outcome, PgnTag, Phrase, Prospect,
        Range, Refusal, Rules, Seat, Setting, Step, Support, Turn, VariantInfo, Viewer,
        chesslike::{NoTally, View},
        endings::{Ending, Endings, Stuck, Winnable},
        search_problem::Cube,
        start_position,
    },
};

/// The endings that it shares with chess.
const ENDINGS: Endings = Endings { winnable: Winnable::ByAnyPiece, quiet: true, repetition: true, stuck: Stuck::Draws };

static PHRASES: [Phrase; 1] = [Phrase { phases: &["move"], text: "{cells}", words: "A unit moves through the cube." }];

/// The options of a game of Raumschach.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Raumschach {
    /// The position to begin from; empty for the usual one.
    pub fen: String,
}

fn read(fen: &str) -> Result<space::CubePosition, Refusal> {
    space::CubePosition::parse(fen).map_err(|error: FenError| Refusal::at(error.at, error.to_string()))
}

impl Rules for Raumschach {
    const INFO: VariantInfo = VariantInfo {
        pgn_tag: PgnTag::Variant("Raumschach"),
        auction: Support::No("its board has five levels, and an auction is played on one"),
        handicap: Support::No("in its cube nobody knows what moving first is worth, nor a unit"),
        ..VariantInfo::new(
            "raumschach",
            "Raumschach",
            "Chess in a cube of five levels: rooks go through faces, bishops through edges, unicorns through corners.",
        )
    };

    type Terms = space::CubePosition;
    type State = State;
    type Action = Action;
    type View = View<NoTally>;

    fn terms(&self) -> Result<space::CubePosition, Refusal> {
        read(if self.fen.is_empty() { space::START } else { &self.fen })
    }

    fn start(&self, terms: &space::CubePosition) -> State {
        State::new(*terms)
    }

    fn turn(&self, state: &State) -> Turn {
        match state.outcome {
            Some(outcome) => Turn::Over(outcome),
            None => Turn::One(Seat::of(state.position.turn)),
        }
    }

    fn check(&self, state: &State, actor: Actor, action: &Action) -> Result<(), Refusal> {
        match actor {
            Actor::Seat(_) => state.check(action.0),
            Actor::Chance | Actor::Server => Err(Refusal::new("only players move in Raumschach")),
        }
    }

    fn apply(&self, state: &mut State, step: Step<Action>) {
        state.steps += 1;
        match step {
            Step::One(_, action) => state.play(action.0),
            Step::End(seat, end) => state.outcome = state.stopped(seat, end).ok(),
            Step::Chance(_) | Step::Both(_) => unreachable!("steps are checked first"),
        }
    }

    fn check_end(&self, state: &State, seat: Seat, end: End) -> Result<(), Refusal> {
        state.stopped(seat, end).map(|_| ())
    }

    fn score(&self, state: &State) -> [Ratio<i64>; 2] {
        state.outcome.map_or([Ratio::ZERO; 2], Outcome::points)
    }

    fn view(&self, state: &State, viewer: Viewer) -> View<NoTally> {
        state.view(viewer.is_some_and(|seat| self.turn(state) == Turn::One(seat)))
    }
}

impl Describe for Raumschach {
    fn presets() -> Vec<(&'static str, Self)> {
        vec![("standard", Raumschach::default())]
    }

    fn settings() -> &'static [Setting] {
        &[Setting { key: "fen", words: "Start from this position (FEN)", range: Range::Position(space::START) }]
    }

    fn lessons() -> &'static [Lesson] {
        &[Lesson {
            task: "move",
            lines: [
                "The five boards lie one above the other, A at the bottom: press a piece, and its cells on all of them are marked.",
                "Pawns also climb towards the enemy. Mate the king, who steps to every cell around him.",
            ],
        }]
    }

    fn phrases() -> &'static [Phrase] {
        &PHRASES
    }

    fn last_position(game: &Pgn) -> Result<String, Refusal> {
        let start = read(start_position::fen(space::START, game)?).map_err(start_position::in_tag)?;
        let after = |position: space::CubePosition, text: &str| Ok(position.after(position.parse_san(text)?));
        Ok(start_position::replay(start, game, |position| position.turn, after)?.fen())
    }
}

impl Input for Raumschach {
    fn find(&self, state: &State, text: &str) -> Option<Action> {
        state.position.parse_san(text).ok().map(Action)
    }
}

impl HiddenInfo for Raumschach {}

impl BotSupport for Raumschach {
    fn candidates(&self, state: &State, _seat: Seat, _rng: &mut dyn Rng) -> Vec<Action> {
        state.position.moves().into_iter().map(Action).collect()
    }

    fn standing(&self, state: &State) -> [i64; 2] {
        Color::BOTH.map(|color| {
            let own = state.position.pieces().filter(|(_, piece)| piece.color == color);
            own.map(|(_, piece)| piece.kind.worth()).sum()
        })
    }

    fn prospect(&self, state: &State, _seat: Seat) -> Option<Prospect> {
        Some(Prospect::Cube(Cube { position: state.position, before: state.before() }))
    }
}

impl GameControl for Raumschach {}

impl State {
    /// The end that the position brings of itself.
    fn ending(&self) -> Option<Ending> {
        let (position, us) = (&self.position, self.position.turn);
        if !position.has_move() {
            let mated = position.in_check(us);
            return Some(if mated { Ending::win(!us, "checkmate") } else { Ending::draw("stalemate") });
        }
        if Color::BOTH.into_iter().all(|color| position.bare(color)) {
            return Some(crate::rules::endings::DEAD);
        }
        ENDINGS.drawn(|| self.occurrences(), position.halfmove)
    }
}
