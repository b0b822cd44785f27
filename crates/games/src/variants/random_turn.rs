//! Random-turn chess (Larsson & Wästlund, “Endgames in bidding chess”, §2): before every move a fair coin decides who makes it. Capturing the king
//! wins. The coin is tossed only after the previous move is committed. Some other variants can be played in the same way (our reading).

use std::{fmt, str::FromStr};

use num_rational::Ratio;
use rand::{Rng, RngExt};
use serde::{Deserialize, Serialize};

use super::{
    chess960::Array,
    king_capture::{self, DEFAULT_NO_PROGRESS, KingCapture, MoveOrPass},
};
use crate::{
    board::{Color, Position, pgn::Pgn},
    rules::{
        ActionForm, Actor, BotSupport, Capability, Describe, Diagram, End, Endgame, GameControl, GamePhase, HiddenInfo,
        Input, OptionRange, OptionSpec, Outcome, PgnTag, PresetDescription, Refusal, Rules, RulesVersion,
        START_SETTING, SearchProblem, Seat, Step, Support, TaskHelp, Turn, VariantInfo, Viewer,
        auction_game::Base,
        chesslike::Deal,
        diagram::Pair,
        endgame::{Bank, NextStep},
        protocol,
    },
};

/// Options of a random-turn game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RandomTurn {
    /// The variant on the board.
    pub base: Base,
    /// Number of plies without a capture or a pawn move that make a draw.
    pub no_progress: i64,
    /// Both players may use the endgame tables during the game.
    pub panel: bool,
    /// Starting position as FEN; empty for the usual one. Its side to move has no meaning.
    pub fen: String,
}

impl Default for RandomTurn {
    fn default() -> Self {
        RandomTurn { base: Base::chess(), no_progress: DEFAULT_NO_PROGRESS, panel: false, fen: String::new() }
    }
}

/// A game in progress.
#[derive(Clone, PartialEq, Debug)]
pub struct State {
    play: KingCapture,
    /// The side that won the toss and has not moved yet.
    mover: Option<Color>,
}

/// View of a game. Nothing is hidden.
#[derive(PartialEq, Debug, Serialize, utoipa::ToSchema)]
pub struct View {
    diagram: Diagram,
    /// The variant on the board.
    pub base: Base,
    /// The seat that won the toss and is to move.
    pub mover: Option<Seat>,
    /// Number of tosses that each seat has won.
    #[schema(inline)]
    pub tosses_won: Pair<usize>,
    /// Former form of `tosses_won`, seat one first.
    pub tosses: [usize; 2],
    /// Number of plies left before the game is drawn, unless one of them is a capture or a pawn move.
    pub left: i64,
}

impl AsRef<Diagram> for View {
    fn as_ref(&self) -> &Diagram {
        &self.diagram
    }
}

impl AsMut<Diagram> for View {
    fn as_mut(&mut self) -> &mut Diagram {
        &mut self.diagram
    }
}

impl RandomTurn {
    /// The state as endgame tables and bots evaluate it.
    fn endgame_state(&self, state: &State) -> Endgame {
        let asked = state.mover.map_or(NextStep::Toss, NextStep::Move);
        let position = state.play.history.position;
        let left = self.no_progress - i64::from(position.halfmove);
        Endgame {
            position,
            next_step: asked,
            chips: None,
            sealed: None,
            bank: Bank::Nothing,
            negative: true,
            turns_left: left,
        }
    }

    /// The outcome when `seat` stops the game this way.
    fn stopped(&self, seat: Seat, end: End) -> Result<Outcome, Refusal> {
        KingCapture::stopped(seat, end, || {
            Err(Refusal::new(format!(
                "draws cannot be claimed in random-turn chess: a game is drawn by agreement or after {} turns without a capture or a pawn move",
                self.no_progress
            )))
        })
    }
}

impl Rules for RandomTurn {
    const INFO: VariantInfo = VariantInfo {
        pgn_tag: PgnTag::Variant("RandomTurn"),
        auction: Support::No("a coin already decides who moves"),
        handicap: Support::No("neither side has the first move: a coin decides every move"),
        ..VariantInfo::new(
            "random-turn",
            "Random-turn chess",
            "Before every move a coin decides who makes it. Capture the king to win.",
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
        State { play: KingCapture::new(self.base, *start, self.base.dealt() && self.fen.is_empty()), mover: None }
    }

    fn turn(&self, state: &State) -> Turn {
        match (state.play.outcome, state.mover) {
            (Some(outcome), _) => Turn::Over(outcome),
            (None, Some(mover)) => Turn::One(Seat::of(mover)),
            (None, None) => Turn::Chance,
        }
    }

    fn phase(&self, state: &State) -> GamePhase {
        if state.mover.is_some() { GamePhase::Move } else { GamePhase::Coin }
    }

    fn check(&self, state: &State, actor: Actor, action: &Action) -> Result<(), Refusal> {
        match (actor, action, state.mover) {
            (Actor::Seat(_), Action::Act(action), Some(_)) => state.play.check(*action),
            (Actor::Chance, Action::Coin(_), None) if !state.play.undealt => Ok(()),
            (Actor::Chance, Action::Deal(_), None) if state.play.undealt => Ok(()),
            (Actor::Seat(_), Action::Coin(_) | Action::Deal(_), _) => {
                Err(Refusal::at(0, "only chance tosses the coin and deals; write a move such as e2e4"))
            }
            (Actor::Seat(_) | Actor::Chance | Actor::Server, _, _) => {
                Err(Refusal::new("wait for the coin toss: its winner moves next"))
            }
        }
    }

    fn apply(&self, state: &mut State, step: Step<Action>) {
        let State { play, mover } = state;
        play.steps += 1;
        match step {
            Step::Chance(Action::Deal(array)) => play.deal(array),
            Step::Chance(action @ Action::Coin(color)) => {
                *mover = Some(color);
                play.give_move(color);
                play.toss(color, action.to_string(), String::new());
            }
            Step::One(_, Action::Act(action)) => {
                *mover = None;
                play.act(action, String::new(), self.no_progress);
            }
            Step::End(seat, end) => play.outcome = self.stopped(seat, end).ok(),
            Step::Chance(Action::Act(_)) | Step::One(_, Action::Coin(_) | Action::Deal(_)) | Step::Both(_) => {
                unreachable!("steps are checked first")
            }
        }
    }

    fn check_end(&self, _state: &State, seat: Seat, end: End) -> Result<(), Refusal> {
        self.stopped(seat, end).map(|_| ())
    }

    fn score(&self, state: &State) -> [Ratio<i64>; 2] {
        state.play.outcome.map_or([Ratio::ZERO; 2], Outcome::points)
    }

    fn view(&self, state: &State, viewer: Viewer) -> View {
        let mut diagram = state.play.diagram(self.panel || viewer.is_none());
        if viewer.is_some_and(|seat| self.turn(state) == Turn::One(seat)) {
            diagram.choices = Some(state.play.choices());
        }
        diagram.tags = state.play.tags(&RandomTurn::INFO);
        let tosses = Color::BOTH.map(|color| {
            let coin = Action::Coin(color).to_string();
            state.play.entries.iter().filter(|entry| entry.action.as_ref() == Some(&coin)).count()
        });
        let left = self.no_progress - i64::from(state.play.history.position.halfmove);
        View { diagram, base: self.base, mover: state.mover.map(Seat::of), tosses_won: tosses.into(), tosses, left }
    }

    fn draw(&self, state: &State, rng: &mut dyn Rng) -> Action {
        if state.play.undealt {
            return Action::Deal(Array::draw(rng));
        }
        Action::Coin(if rng.random() { Color::White } else { Color::Black })
    }
}

impl Describe for RandomTurn {
    fn presets() -> Vec<(&'static str, Self)> {
        let of = |key: &'static str| {
            let base = Base::find(key).expect("every preset names a variant that can be auctioned");
            (key, RandomTurn { base, ..RandomTurn::default() })
        };
        vec![("standard", RandomTurn::default()), of("antichess"), of("crazyhouse"), of("chess960")]
    }

    fn ways() -> &'static [PresetDescription] {
        &[
            PresetDescription {
                preset: "standard",
                words: "A coin decides who moves. Capture the king to win.",
                options: &["base"],
            },
            PresetDescription {
                preset: "antichess",
                words: "The winner of the toss must capture if possible. Lose all your pieces to win.",
                options: &[],
            },
            PresetDescription {
                preset: "crazyhouse",
                words: "Captured pieces change sides and can be dropped when you win the toss.",
                options: &[],
            },
            PresetDescription {
                preset: "chess960",
                words: "The pieces of the first rank are shuffled before the first toss.",
                options: &[],
            },
        ]
    }

    fn task_help() -> &'static [TaskHelp] {
        &[TaskHelp {
            task: "move",
            lines: [
                "You won the toss: choose a piece, then its destination.",
                "The coin is tossed again before the next move. There is no check: capture the king, or reach the variant’s own goal.",
            ],
        }]
    }

    fn settings() -> &'static [OptionSpec] {
        &[
            OptionSpec { key: "base", words: "The game on the board", range: OptionRange::Game(Capability::Auction) },
            OptionSpec {
                key: "no_progress",
                words: "Turns without a capture or a pawn move that make a draw",
                range: OptionRange::Whole(20, 3000),
            },
            OptionSpec { key: "panel", words: "Both players may use the endgame tables", range: OptionRange::Flag },
            START_SETTING,
        ]
    }

    fn last_position(game: &Pgn) -> Result<String, Refusal> {
        king_capture::last_position(game)
    }

    fn action_forms() -> &'static [ActionForm] {
        &[
            ActionForm { phases: &["move"], text: "{move}", words: "Makes a move." },
            ActionForm { phases: &["move"], text: "{drop}", words: "Drops a captured piece, in variants with drops." },
            ActionForm { phases: &["move"], text: "pass", words: "Passes; only legal without a move." },
        ]
    }
}

impl Input for RandomTurn {
    fn find(&self, state: &State, text: &str) -> Option<Action> {
        let uci = state.mover.and_then(|_| state.play.history.read(state.play.board(), text));
        uci.map(|uci| Action::Act(MoveOrPass::Move(uci)))
    }
}

impl HiddenInfo for RandomTurn {}

impl BotSupport for RandomTurn {
    fn endgame(&self, state: &State) -> Option<Endgame> {
        state.play.in_endgame_tables().then(|| self.endgame_state(state))
    }

    fn search_problem(&self, state: &State, _seat: Seat) -> Option<SearchProblem> {
        Some(SearchProblem::Auction(self.base, self.endgame_state(state)))
    }

    fn candidates(&self, state: &State, _seat: Seat, _rng: &mut dyn Rng) -> Vec<Action> {
        state.play.candidates().into_iter().map(Action::Act).collect()
    }

    fn rough_material(&self, state: &State) -> [i64; 2] {
        state.play.standing()
    }
}

impl GameControl for RandomTurn {
    fn allows_takeback_here(&self, state: &State) -> bool {
        !state.play.undealt
    }
}

/// An action: a coin toss or deal by chance, or the decision of the player to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// Chance deals the first rank.
    Deal(Array),
    /// The coin gives a colour the move.
    Coin(Color),
    /// A move or a pass.
    Act(MoveOrPass),
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Deal(array) => write!(f, "{} {array}", Array::WORD),
            Action::Coin(color) => write!(f, "{} {}", protocol::COIN, color.name()),
            Action::Act(action) => action.fmt(f),
        }
    }
}

impl FromStr for Action {
    type Err = Refusal;
    fn from_str(text: &str) -> Result<Self, Refusal> {
        match text.split_once(' ') {
            Some((protocol::COIN, color)) => protocol::coin_color(protocol::COIN.len() + 1, color).map(Action::Coin),
            Some((Array::WORD, number)) => number.parse().map(Action::Deal),
            Some(_) | None => text.parse().map(Action::Act),
        }
    }
}
