//! Random-turn chess (Larsson & Wästlund, “Endgames in bidding chess”, §2): before every move a fair coin decides who makes it, and
//! the king is captured. A coin is thrown only when the move before it stands.

use std::{fmt, str::FromStr};

use num_rational::Ratio;
use rand::{Rng, RngExt};
use serde::{Deserialize, Serialize};

use super::{
    Actor, Diagram, End, Endgame, Outcome, Range, Refusal, Rules, Seat, Setting, Step, Turn, Viewer,
    chess::seat_of,
    course,
    endgame::Asked,
    regicide::{self, BOARD, Deed, Hunt, QUIET},
};
use crate::board::{Color, START, pgn::Pgn};

/// The options of a game of random-turn chess.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RandomTurn {
    /// So many turns without a capture or a pawn move make a draw.
    pub no_progress: i64,
    /// Whether the players may look at the endgame tables during the game.
    pub panel: bool,
    /// The position to begin from; empty for the usual one. Its side to move means nothing.
    pub fen: String,
}

impl Default for RandomTurn {
    fn default() -> Self {
        RandomTurn { no_progress: QUIET, panel: false, fen: String::new() }
    }
}

/// A throw of the coin, or what its winner does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// The coin gives a colour the move.
    Coin(Color),
    /// A move, or passing.
    Deed(Deed),
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Coin(color) => write!(f, "coin {}", color.name()),
            Action::Deed(deed) => deed.fmt(f),
        }
    }
}

impl FromStr for Action {
    type Err = Refusal;
    fn from_str(text: &str) -> Result<Self, Refusal> {
        match text.strip_prefix("coin ") {
            Some(color) => match color.parse() {
                Ok(color) => Ok(Action::Coin(color)),
                Err(_) => Err(Refusal::at(5, "the coin says white or black")),
            },
            None => text.parse().map(Action::Deed),
        }
    }
}

/// A game in progress.
#[derive(Clone, PartialEq, Debug)]
pub struct State {
    hunt: Hunt,
    /// Who has won the toss and not moved yet.
    mover: Option<Color>,
}

/// What anybody sees: everything.
#[derive(PartialEq, Debug, Serialize)]
pub struct View {
    diagram: Diagram,
    /// Who has won the toss and is to move.
    pub mover: Option<Seat>,
    /// How often each seat has won the toss.
    pub tosses: [usize; 2],
    /// Turns left before the game is drawn, if none of them is a capture or a pawn move.
    pub left: i64,
}

impl AsRef<Diagram> for View {
    fn as_ref(&self) -> &Diagram {
        &self.diagram
    }
}

impl Rules for RandomTurn {
    const KEY: &'static str = "random-turn";
    const TITLE: &'static str = "Random-turn chess";
    const SUMMARY: &'static str = "Before every move a coin decides who makes it; take the king to win.";
    type State = State;
    type Action = Action;
    type View = View;

    fn presets() -> Vec<(&'static str, Self)> {
        vec![("standard", RandomTurn::default())]
    }

    fn settings() -> &'static [Setting] {
        &[
            Setting {
                key: "no_progress",
                words: "Turns without a capture or a pawn move that make a draw",
                range: Range::Whole(20, 3000),
            },
            Setting { key: "panel", words: "Both players may look at the endgame tables", range: Range::Flag },
            Setting { key: "fen", words: "Start from this position (FEN)", range: Range::Text(START) },
        ]
    }

    fn validate(&self) -> Result<(), Refusal> {
        regicide::check_start(&self.fen)
    }

    fn last_position(game: &Pgn) -> Result<String, Refusal> {
        regicide::last_position(game)
    }

    fn start(&self) -> State {
        State { hunt: Hunt::new(&self.fen), mover: None }
    }

    fn turn(&self, state: &State) -> Turn {
        match (state.hunt.outcome, state.mover) {
            (Some(outcome), _) => Turn::Over(outcome),
            (None, Some(mover)) => Turn::One(seat_of(mover)),
            (None, None) => Turn::Chance,
        }
    }

    fn phase(&self, state: &State) -> &'static str {
        if state.mover.is_some() { "move" } else { "coin" }
    }

    fn check(&self, state: &State, actor: Actor, action: &Action) -> Result<(), Refusal> {
        match (actor, action, state.mover) {
            (Actor::Seat(_), Action::Deed(deed), Some(_)) => state.hunt.check(*deed),
            (Actor::Chance, Action::Coin(_), None) => Ok(()),
            (Actor::Seat(_), Action::Coin(_), _) => {
                Err(Refusal::at(0, "only chance throws the coin; write a move such as e2e4"))
            }
            (Actor::Seat(_) | Actor::Chance | Actor::Server, _, _) => {
                Err(Refusal::new("first chance throws the coin, then its winner moves"))
            }
        }
    }

    fn apply(&self, state: &mut State, step: Step<Action>) {
        let State { hunt, mover } = state;
        hunt.steps += 1;
        match step {
            Step::Chance(action @ Action::Coin(color)) => {
                *mover = Some(color);
                hunt.face(color);
                hunt.note(None, action.to_string(), Some(action.to_string()), String::new());
            }
            Step::One(_, Action::Deed(deed)) => {
                *mover = None;
                hunt.act(deed, String::new(), self.no_progress);
            }
            Step::End(outcome) => hunt.outcome = Some(outcome),
            Step::Chance(Action::Deed(_)) | Step::One(_, Action::Coin(_)) | Step::Both(_) => {
                unreachable!("steps are checked first")
            }
        }
    }

    fn end(&self, _state: &State, seat: Seat, end: End) -> Result<Outcome, Refusal> {
        match end {
            End::Resign => Ok(Outcome::Win(!seat, "resignation")),
            End::ResignMatch => Err(Refusal::new("this is a single game, not a match: write resign")),
            End::Agree => Ok(Outcome::Draw("agreement")),
            End::Claim => Err(Refusal::new(format!(
                "random-turn chess grants no draw on claim, only by agreement or after {} turns without a capture or a pawn move",
                self.no_progress
            ))),
            End::Flag => Ok(Outcome::Win(!seat, "time")),
        }
    }

    fn score(&self, state: &State) -> [Ratio<i64>; 2] {
        state.hunt.outcome.map_or([Ratio::ZERO; 2], Outcome::points)
    }

    fn view(&self, state: &State, viewer: Viewer) -> View {
        let mut diagram = state.hunt.diagram(self.panel || viewer.is_none());
        if viewer.is_some_and(|seat| self.turn(state) == Turn::One(seat)) {
            diagram.choices = Some(state.hunt.choices());
        }
        diagram.tags = state.hunt.tags("RandomTurn");
        let tosses = Color::BOTH.map(|color| {
            let coin = Action::Coin(color).to_string();
            state.hunt.sheet.iter().filter(|entry| entry.text == coin).count()
        });
        let left = self.no_progress - i64::from(state.hunt.course.position.halfmove);
        View { diagram, mover: state.mover.map(seat_of), tosses, left }
    }

    fn endgame(&self, state: &State) -> Option<Endgame> {
        let asked = state.mover.map_or(Asked::Toss, Asked::Move);
        let position = state.hunt.course.position;
        let left = self.no_progress - i64::from(position.halfmove);
        state.hunt.covered().then_some(Endgame { position, asked, chips: None, negative: true, left })
    }

    fn redeal(&self, state: &State, _seat: Seat, _rng: &mut dyn Rng) -> State {
        state.clone()
    }

    fn draw(&self, _state: &State, rng: &mut dyn Rng) -> Action {
        Action::Coin(if rng.random() { Color::White } else { Color::Black })
    }

    fn candidates(&self, state: &State, _seat: Seat, _rng: &mut dyn Rng) -> Vec<Action> {
        state.hunt.sensible().into_iter().map(Action::Deed).collect()
    }

    fn standing(&self, state: &State) -> [i64; 2] {
        course::material(&BOARD, &state.hunt.course.position)
    }
}
