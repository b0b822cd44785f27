//! LRS chess (Drummyfish's chess page): no castling, no en passant, queens only, the king is captured, whoever cannot move loses,
//! and 1024 half-moves make a draw.

use std::{fmt, str::FromStr, sync::LazyLock};

use num_rational::Ratio;
use rand::{Rng, seq::SliceRandom};
use serde::{Deserialize, Serialize};

use super::{
    Actor, Diagram, End, Outcome, Range, Refusal, Rules, Seat, Setting, Step, Turn, Viewer,
    chess::seat_of,
    course::{self, Course},
};
use crate::board::{Board, Color, Piece, Position, Royalty, START, Square, Uci, orthodox, pgn::Pgn};

/// After this many half-moves without a result the game is drawn.
pub const LONGEST: usize = 1024;

/// The options of a game of LRS chess.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Lrs {
    /// Whether White's back row is shuffled, and Black's mirrors it.
    pub random: bool,
    /// The position to begin from; empty for the usual one.
    pub fen: String,
}

static BOARD: LazyLock<Board> = LazyLock::new(|| {
    let mut board = Board::orthodox().clone();
    board.castling = None;
    board.royalty = Royalty::Capture;
    if let Some(pawns) = &mut board.pawns {
        pawns.en_passant = false;
        pawns.promotions = vec![orthodox::QUEEN];
    }
    board
});

/// The usual start without castling rights.
const LRS_START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1";

/// A move, or chance's shuffle of the back row from the a-file to the h-file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// A player's move.
    Move(Uci),
    /// The letters of White's back row.
    Shuffle([char; 8]),
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Move(uci) => uci.fmt(f),
            Action::Shuffle(row) => write!(f, "shuffle {}", row.iter().collect::<String>()),
        }
    }
}

impl FromStr for Action {
    type Err = Refusal;
    fn from_str(text: &str) -> Result<Self, Refusal> {
        let Some(row) = text.strip_prefix("shuffle ") else { return Ok(Action::Move(text.parse()?)) };
        let letters: Vec<char> = row.chars().collect();
        let mut sorted = letters.clone();
        sorted.sort_unstable();
        match <[char; 8]>::try_from(letters) {
            Ok(row) if sorted == ['B', 'B', 'K', 'N', 'N', 'Q', 'R', 'R'] => Ok(Action::Shuffle(row)),
            Ok(_) | Err(_) => Err(Refusal::at(8, "a shuffle is an order of the eight letters RNBQKBNR")),
        }
    }
}

/// A game in progress.
#[derive(Clone, PartialEq, Debug)]
pub struct State {
    course: Course,
    shuffle: Option<[char; 8]>,
    steps: usize,
    outcome: Option<Outcome>,
}

/// What anybody sees: everything.
#[derive(PartialEq, Debug, Serialize)]
pub struct View {
    diagram: Diagram,
    /// Half-moves left before the game is drawn.
    pub left: usize,
    /// Whether the back row was shuffled.
    pub shuffled: bool,
}

impl AsRef<Diagram> for View {
    fn as_ref(&self) -> &Diagram {
        &self.diagram
    }
}

impl Lrs {
    fn judged(&self, state: &State) -> Option<Outcome> {
        let (position, mover) = (&state.course.position, state.course.position.turn);
        if BOARD.royals(position, mover).is_empty() {
            Some(Outcome::Win(seat_of(!mover), "king captured"))
        } else if !BOARD.has_move(position) {
            Some(Outcome::Win(seat_of(!mover), "no move available"))
        } else if state.course.played.len() >= LONGEST {
            Some(Outcome::Draw("1024 half-moves"))
        } else {
            None
        }
    }
}

impl Rules for Lrs {
    const KEY: &'static str = "lrs";
    const TITLE: &'static str = "LRS chess";
    const SUMMARY: &'static str = "Chess made simple: no castling, no check, take the king to win.";
    type State = State;
    type Action = Action;
    type View = View;

    fn presets() -> Vec<(&'static str, Self)> {
        vec![("standard", Lrs::default()), ("random", Lrs { random: true, ..Lrs::default() })]
    }

    fn settings() -> &'static [Setting] {
        &[
            Setting { key: "random", words: "Shuffle the back row", range: Range::Flag },
            Setting { key: "fen", words: "Start from this position (FEN)", range: Range::Text(LRS_START) },
        ]
    }

    fn validate(&self) -> Result<(), Refusal> {
        match (self.random, self.fen.is_empty()) {
            (true, false) => Err(Refusal::new("a shuffled start and a given position exclude each other: choose one")),
            (_, true) => Ok(()),
            (false, false) => {
                let position = course::start_from(&BOARD, &self.fen)?;
                let movable = BOARD.has_move(&position);
                if movable { Ok(()) } else { Err(Refusal::new("the side to move has no move in this position")) }
            }
        }
    }

    fn last_position(game: &Pgn) -> Result<String, Refusal> {
        course::last_position(&BOARD, LRS_START, game)
    }

    fn start(&self) -> State {
        let fen = if self.fen.is_empty() { LRS_START } else { &self.fen };
        let position = BOARD.parse_fen(fen).expect("options were validated");
        State { course: Course::new(&BOARD, position), shuffle: None, steps: 0, outcome: None }
    }

    fn turn(&self, state: &State) -> Turn {
        match state.outcome {
            Some(outcome) => Turn::Over(outcome),
            None if self.random && state.shuffle.is_none() => Turn::Chance,
            None => Turn::One(seat_of(state.course.position.turn)),
        }
    }

    fn phase(&self, _state: &State) -> &'static str {
        "move"
    }

    fn check(&self, state: &State, actor: Actor, action: &Action) -> Result<(), Refusal> {
        match (actor, action) {
            (Actor::Seat(_), Action::Move(uci)) => state.course.find(&BOARD, *uci).map(|_| ()),
            (Actor::Chance, Action::Shuffle(_)) => Ok(()),
            (Actor::Seat(_), Action::Shuffle(_)) => {
                Err(Refusal::at(0, "only chance shuffles; write a move such as e2e4"))
            }
            (Actor::Chance | Actor::Server, _) => Err(Refusal::new("only players move in LRS chess")),
        }
    }

    fn apply(&self, state: &mut State, step: Step<Action>) {
        match step {
            Step::One(_, Action::Move(uci)) => {
                state.steps += 1;
                let mv = state.course.find(&BOARD, uci).expect("the move was checked");
                state.course.play(&BOARD, mv, state.steps);
                state.outcome = self.judged(state);
            }
            Step::Chance(Action::Shuffle(row)) => {
                state.steps += 1;
                state.course = Course::new(&BOARD, shuffled(row));
                state.shuffle = Some(row);
            }
            Step::End(outcome) => state.outcome = Some(outcome),
            Step::One(_, Action::Shuffle(_)) | Step::Chance(Action::Move(_)) | Step::Both(_) => {
                unreachable!("steps are checked first")
            }
        }
    }

    fn end(&self, _state: &State, seat: Seat, end: End) -> Result<Outcome, Refusal> {
        match end {
            End::Resign => Ok(Outcome::Win(!seat, "resignation")),
            End::ResignMatch => Err(Refusal::new("this is a single game, not a match: write resign")),
            End::Agree => Ok(Outcome::Draw("agreement")),
            End::Claim => {
                Err(Refusal::new("LRS chess grants no draw on claim, only by agreement or after 1024 half-moves"))
            }
            End::Flag => Ok(Outcome::Win(!seat, "time")),
        }
    }

    fn score(&self, state: &State) -> [Ratio<i64>; 2] {
        state.outcome.map_or([Ratio::ZERO; 2], Outcome::points)
    }

    fn view(&self, state: &State, viewer: Viewer) -> View {
        let mut diagram = state.course.diagram(&BOARD, seat_of);
        if viewer.is_some_and(|seat| self.turn(state) == Turn::One(seat)) {
            diagram.choices = Some(state.course.choices(&BOARD));
        }
        if self.random || !self.fen.is_empty() {
            diagram.tags = vec![("SetUp", "1".to_owned()), ("FEN", BOARD.fen(&state.course.start))];
        }
        diagram.tags.push(("Variant", "LRS".to_owned()));
        View { diagram, left: LONGEST - state.course.played.len(), shuffled: state.shuffle.is_some() }
    }

    fn redeal(&self, state: &State, _seat: Seat, _rng: &mut dyn Rng) -> State {
        state.clone()
    }

    fn draw(&self, _state: &State, mut rng: &mut dyn Rng) -> Action {
        let mut row = ['R', 'N', 'B', 'Q', 'K', 'B', 'N', 'R'];
        row.shuffle(&mut rng);
        Action::Shuffle(row)
    }

    fn candidates(&self, state: &State, _seat: Seat, _rng: &mut dyn Rng) -> Vec<Action> {
        BOARD.moves(&state.course.position).into_iter().map(|mv| Action::Move(BOARD.uci(mv))).collect()
    }

    fn standing(&self, state: &State) -> [i64; 2] {
        course::material(&BOARD, &state.course.position)
    }

    fn returnable(&self, state: &State) -> bool {
        !self.random || state.shuffle.is_some()
    }
}

/// The usual start with another back row for White, mirrored by Black.
fn shuffled(row: [char; 8]) -> Position {
    let mut position = BOARD.parse_fen(START.split(' ').next().unwrap_or(START)).expect("the usual start");
    for (file, letter) in row.into_iter().enumerate() {
        let kind = BOARD.kind_of(letter).expect("a letter of RNBQK");
        for color in Color::BOTH {
            position.put(&BOARD, Square::new(file as u8, BOARD.size().rank_of(color, 0)), Piece { color, kind });
        }
    }
    position
}
