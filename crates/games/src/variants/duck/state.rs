//! State of a duck chess game, and its actions. An action is a whole turn: the move and the duck's square together.

use std::{
    fmt,
    str::FromStr,
    sync::{Arc, LazyLock},
};

use crate::{
    board::{Board, Move, Position, SanError, Square, Squares, Uci},
    rules::{Entry, Outcome, Refusal, Seat, endings::Ending, move_history::MoveHistory},
    variants::king_capture,
};

/// The orthodox board with capturable kings and the duck.
pub static BOARD: LazyLock<Board> = LazyLock::new(|| {
    let mut board = king_capture::BOARD.clone();
    board.duck = true;
    board
});

/// A game in progress.
#[derive(Clone, PartialEq, Debug)]
pub struct State {
    /// The moves so far and the current position.
    pub(super) history: MoveHistory,
    /// The move list.
    pub(super) entries: Vec<Arc<Entry>>,
    /// Number of steps applied.
    pub(super) steps: usize,
    /// The outcome, once the game is over.
    pub(super) outcome: Option<Outcome>,
}

impl State {
    /// Starts a game from a position. In the usual one the duck is not on the board yet.
    pub(super) fn new(start: Position) -> State {
        let mut state =
            State { history: MoveHistory::new(&BOARD, start), entries: Vec::new(), steps: 0, outcome: None };
        state.judge();
        state
    }

    /// Whether a move captures the king, in which case the duck is not moved.
    pub(super) fn takes_king(&self, mv: Move) -> bool {
        let captured = BOARD.captured(&self.history.position, mv);
        captured.is_some_and(|(_, piece)| BOARD.kind(piece.kind).design.royal)
    }

    /// Squares to which the duck may go after a move: every empty square except its own.
    pub(super) fn duck_squares(&self, mv: Move) -> Squares {
        BOARD.size().squares() & !BOARD.after(&self.history.position, mv).occupied()
    }

    /// Checks a turn and returns its move, or the reason why the turn is illegal.
    pub(super) fn check(&self, action: Action) -> Result<Move, Refusal> {
        let mv = self.history.find(&BOARD, action.mv)?;
        let at = action.mv.to_string().len();
        match action.duck {
            None if self.takes_king(mv) => Ok(mv),
            None => {
                Err(Refusal::at(at, format!("the duck has to move too: add its square, as in {}", self.example(mv))))
            }
            Some(_) if self.takes_king(mv) => Err(Refusal::at(
                at,
                format!("capturing the king ends the game and the duck stays: write {}", action.mv),
            )),
            Some(square) if self.duck_squares(mv).has(square) => Ok(mv),
            Some(square) if self.history.position.duck.has(square) => {
                Err(Refusal::at(at + 1, format!("the duck is on {square} already and has to go to another square")))
            }
            Some(square) => Err(Refusal::at(at + 1, format!("{square} is not empty: put the duck on an empty square"))),
        }
    }

    /// An example of a turn with this move, for error messages.
    fn example(&self, mv: Move) -> Action {
        Action { mv: BOARD.uci(mv), duck: self.duck_squares(mv).first() }
    }

    /// All legal turns, in a fixed order.
    pub(super) fn actions(&self) -> impl Iterator<Item = Action> + '_ {
        BOARD.moves(&self.history.position).into_iter().flat_map(|mv| {
            let uci = BOARD.uci(mv);
            let ducks = if self.takes_king(mv) { Squares::EMPTY } else { self.duck_squares(mv) };
            let alone = ducks.is_empty().then_some(Action { mv: uci, duck: None });
            alone.into_iter().chain(ducks.map(move |square| Action { mv: uci, duck: Some(square) }))
        })
    }

    /// Reads a turn from a game record: `e4@d5`, or `e4 d5`.
    pub(super) fn read(&self, text: &str) -> Result<Action, SanError> {
        let (san, duck) = match text.rsplit_once(['@', ' ']) {
            Some((san, square)) => (san, Some(square.trim_end_matches(['+', '#', '!', '?']))),
            None => (text, None),
        };
        let mv: Uci = BOARD.uci(BOARD.parse_san(&self.history.position, san)?);
        let wrong = |_| SanError { at: san.len() + 1, why: "write the duck’s square here, as in e4@d5".to_owned() };
        Ok(Action { mv, duck: duck.map(str::parse::<Square>).transpose().map_err(wrong)? })
    }

    /// Plays a turn written as in a game record.
    pub(super) fn play_san(mut self, text: &str) -> Result<State, SanError> {
        let action = self.read(text)?;
        if let Err(refusal) = self.check(action) {
            let duck = refusal.at.is_some_and(|at| at >= action.mv.to_string().len());
            let at = if duck { text.find('@').map_or(text.len(), |at| at + 1) } else { 0 };
            return Err(SanError { at, why: refusal.why });
        }
        self.steps += 1;
        self.play(action);
        Ok(self)
    }

    /// Plays a turn that has been checked.
    pub(super) fn play(&mut self, action: Action) {
        let mv = self.check(action).expect("turns are checked before they are played");
        let mover = self.history.position.turn;
        self.history.play(&BOARD, mv, self.steps);
        if let Some(square) = action.duck {
            self.history.put_duck(&BOARD, square);
        }
        let entry = self.history.played.last().map(|played| played.entry(Seat::of(mover)));
        self.entries.extend(entry.map(|entry| Arc::new(Entry { action: Some(action.to_string()), ..entry })));
        self.judge();
    }

    fn judge(&mut self) {
        let position = &self.history.position;
        let ending = if BOARD.royals(position, position.turn).is_empty() {
            Ending::win(!position.turn, "king captured")
        } else if !BOARD.has_move(position) {
            Ending::win(position.turn, "no move left")
        } else if self.history.occurrences() >= 3 {
            Ending::draw("threefold repetition")
        } else if position.halfmove >= 100 {
            Ending::draw("50 moves without a capture or a pawn move")
        } else {
            return;
        };
        self.outcome = Some(ending.outcome(Seat::of));
    }
}

/// A turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Action {
    /// The move.
    pub mv: Uci,
    /// The duck's new square; `None` if the move captures the king.
    pub duck: Option<Square>,
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.mv.fmt(f)?;
        self.duck.map_or(Ok(()), |square| write!(f, " {square}"))
    }
}

/// Error message for a malformed turn.
const TURN: &str = "write a move and the duck’s square, as in e2e4 d5";

/// Reads `e2e4 d5`, or the engine notation `e2e4,e4d5`, which repeats the destination of the move before the duck's square.
impl FromStr for Action {
    type Err = Refusal;
    fn from_str(text: &str) -> Result<Self, Refusal> {
        let Some(at) = text.find([' ', ',']) else {
            return Ok(Action { mv: parse_move(text)?, duck: None });
        };
        let (mv, rest) = (parse_move(&text[..at])?, &text[at + 1..]);
        let arrived = mv.to.to_string();
        let (place, said) = match rest.strip_prefix(&arrived) {
            _ if text[at..].starts_with(' ') => (at + 1, rest),
            Some(said) => (at + 1 + arrived.len(), said),
            None => {
                let why = format!(
                    "after the comma write the destination of the move and the duck’s square, as in {mv},{arrived}d5"
                );
                return Err(Refusal::at(at + 1, why));
            }
        };
        Ok(Action { mv, duck: Some(said.parse().map_err(|_| Refusal::at(place, TURN))?) })
    }
}

fn parse_move(text: &str) -> Result<Uci, Refusal> {
    text.parse::<Uci>().map_err(|bad| Refusal::at(bad.at, TURN))
}
