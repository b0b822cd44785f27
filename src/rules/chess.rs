//! Ordinary chess (FIDE Laws of Chess): mate, stalemate, the claims and the automatic draws.

use std::{fmt, str::FromStr};

use num_rational::Ratio;
use rand::Rng;
use serde::{Deserialize, Serialize};

use super::{
    Actor, Diagram, End, Outcome, Range, Refusal, Rules, Seat, Setting, Step, Turn, Viewer,
    course::{self, Course},
    fide,
};
use crate::board::{Board, Color, START, Uci};

/// The options of a game of chess.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Chess {
    /// The position to begin from; empty for the usual one.
    pub fen: String,
}

/// A move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Action(pub Uci);

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Action {
    type Err = Refusal;
    fn from_str(text: &str) -> Result<Self, Refusal> {
        Ok(Action(text.parse()?))
    }
}

/// A game in progress.
#[derive(Clone, PartialEq, Debug)]
pub struct State {
    course: Course,
    outcome: Option<Outcome>,
}

/// What anybody sees: everything.
#[derive(PartialEq, Debug, Serialize)]
pub struct View {
    diagram: Diagram,
    /// Whether the side to move may claim a draw.
    pub claimable: bool,
}

impl AsRef<Diagram> for View {
    fn as_ref(&self) -> &Diagram {
        &self.diagram
    }
}

/// The seat that plays a colour where colours are fixed.
pub fn seat_of(color: Color) -> Seat {
    match color {
        Color::White => Seat::One,
        Color::Black => Seat::Two,
    }
}

/// The colour that a seat plays where colours are fixed.
pub fn color_of(seat: Seat) -> Color {
    match seat {
        Seat::One => Color::White,
        Seat::Two => Color::Black,
    }
}

/// The end that the position brings of itself.
fn judged(course: &Course) -> Option<Outcome> {
    fide::ending(Board::orthodox(), course).map(|ending| ending.outcome(seat_of))
}

impl Rules for Chess {
    const KEY: &'static str = "chess";
    const TITLE: &'static str = "Chess";
    const SUMMARY: &'static str = "The game that the others are made of: mate the king.";
    type State = State;
    type Action = Action;
    type View = View;

    fn presets() -> Vec<(&'static str, Self)> {
        vec![("standard", Chess::default())]
    }

    fn settings() -> &'static [Setting] {
        &[Setting { key: "fen", words: "Start from this position (FEN)", range: Range::Text(START) }]
    }

    fn validate(&self) -> Result<(), Refusal> {
        if self.fen.is_empty() { Ok(()) } else { course::start_from(Board::orthodox(), &self.fen).map(|_| ()) }
    }

    fn start(&self) -> State {
        let fen = if self.fen.is_empty() { START } else { &self.fen };
        let position = Board::orthodox().parse_fen(fen).expect("options were validated");
        let course = Course::new(Board::orthodox(), position);
        let outcome = judged(&course);
        State { course, outcome }
    }

    fn turn(&self, state: &State) -> Turn {
        match state.outcome {
            Some(outcome) => Turn::Over(outcome),
            None => Turn::One(seat_of(state.course.position.turn)),
        }
    }

    fn phase(&self, _state: &State) -> &'static str {
        "move"
    }

    fn check(&self, state: &State, actor: Actor, action: &Action) -> Result<(), Refusal> {
        match actor {
            Actor::Seat(_) => state.course.find(Board::orthodox(), action.0).map(|_| ()),
            Actor::Chance | Actor::Server => Err(Refusal::new("only players move in chess")),
        }
    }

    fn apply(&self, state: &mut State, step: Step<Action>) {
        match step {
            Step::One(_, Action(uci)) => {
                let mv = state.course.find(Board::orthodox(), uci).expect("the move was checked");
                let ply = state.course.played.len() + 1;
                state.course.play(Board::orthodox(), mv, ply);
                state.outcome = judged(&state.course);
            }
            Step::End(outcome) => state.outcome = Some(outcome),
            Step::Both(_) | Step::Chance(_) => unreachable!("chess asks one seat at a time"),
        }
    }

    fn end(&self, state: &State, seat: Seat, end: End) -> Result<Outcome, Refusal> {
        match end {
            End::Resign => Ok(Outcome::Win(!seat, "resignation")),
            End::ResignMatch => Err(Refusal::new("this is a single game, not a match: write resign")),
            End::Agree => Ok(Outcome::Draw("agreement")),
            End::Claim => fide::claim(&state.course).map(|ending| ending.outcome(seat_of)),
            End::Flag => Ok(fide::flag(Board::orthodox(), &state.course, color_of(seat)).outcome(seat_of)),
        }
    }

    fn score(&self, state: &State) -> [Ratio<i64>; 2] {
        state.outcome.map_or([Ratio::ZERO; 2], Outcome::points)
    }

    fn view(&self, state: &State, viewer: Viewer) -> View {
        let board = Board::orthodox();
        let mut diagram = state.course.diagram(board, seat_of);
        if viewer.is_some_and(|seat| self.turn(state) == Turn::One(seat)) {
            diagram.choices = Some(state.course.choices(board));
        }
        if state.course.start != board.parse_fen(START).expect("the usual start") {
            diagram.tags = vec![("SetUp", "1".to_owned()), ("FEN", board.fen(&state.course.start))];
        }
        View { diagram, claimable: state.outcome.is_none() && fide::claim(&state.course).is_ok() }
    }

    fn redeal(&self, state: &State, _seat: Seat, _rng: &mut dyn Rng) -> State {
        state.clone()
    }

    fn draw(&self, _state: &State, _rng: &mut dyn Rng) -> Action {
        unreachable!("chance has no part in chess")
    }

    fn candidates(&self, state: &State, _seat: Seat, _rng: &mut dyn Rng) -> Vec<Action> {
        let board = Board::orthodox();
        board.moves(&state.course.position).into_iter().map(|mv| Action(board.uci(mv))).collect()
    }

    fn standing(&self, state: &State) -> [i64; 2] {
        course::material(Board::orthodox(), &state.course.position)
    }
}
