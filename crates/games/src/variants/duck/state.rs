//! A game of duck chess: the moves with the duck's squares, and the actions of players, a move and the duck's square in one.

use std::{fmt, str::FromStr, sync::LazyLock};

use crate::{
    board::{Board, Move, Position, SanError, Square, Squares, Uci},
    rules::{Entry, Outcome, Refusal, Seat, endings::Ending, move_history::MoveHistory},
    variants::king_capture,
};

/// Ordinary pieces whose king is captured, and the duck.
pub static BOARD: LazyLock<Board> = LazyLock::new(|| {
    let mut board = king_capture::BOARD.clone();
    board.duck = true;
    board
});

/// A game in progress.
#[derive(Clone, PartialEq, Debug)]
pub struct State {
    /// The moves and where they led.
    pub(super) course: MoveHistory,
    /// The score sheet.
    pub(super) sheet: Vec<Entry>,
    /// Steps applied.
    pub(super) steps: usize,
    /// The outcome of the game, once it has one.
    pub(super) outcome: Option<Outcome>,
}

impl State {
    /// A game from a position; in the usual one the duck is not on the board yet.
    pub(super) fn new(start: Position) -> State {
        let mut state = State { course: MoveHistory::new(&BOARD, start), sheet: Vec::new(), steps: 0, outcome: None };
        state.judge();
        state
    }

    /// Tells whether a move captures the king, so that the duck stays where it is.
    pub(super) fn takes_king(&self, mv: Move) -> bool {
        let captured = BOARD.captured(&self.course.position, mv);
        captured.is_some_and(|(_, piece)| BOARD.kind(piece.kind).design.royal)
    }

    /// Where the duck may come after a move: on every empty square but its own.
    pub(super) fn room(&self, mv: Move) -> Squares {
        BOARD.size().squares() & !BOARD.after(&self.course.position, mv).occupied()
    }

    /// The move of a turn that may be played, or why it may not.
    pub(super) fn check(&self, action: Action) -> Result<Move, Refusal> {
        let mv = self.course.find(&BOARD, action.mv)?;
        let at = action.mv.to_string().len();
        match action.duck {
            None if self.takes_king(mv) => Ok(mv),
            None => {
                Err(Refusal::at(at, format!("the duck moves too: write its square behind, as in {}", self.example(mv))))
            }
            Some(_) if self.takes_king(mv) => Err(Refusal::at(
                at,
                format!("the king is captured and the game is over, so the duck stays: write {}", action.mv),
            )),
            Some(square) if self.room(mv).has(square) => Ok(mv),
            Some(square) if self.course.position.duck.has(square) => {
                Err(Refusal::at(at + 1, format!("the duck stands on {square} and has to go to another square")))
            }
            Some(square) => Err(Refusal::at(at + 1, format!("{square} is not empty, so the duck cannot come there"))),
        }
    }

    /// A turn that begins with a move.
    fn example(&self, mv: Move) -> Action {
        Action { mv: BOARD.uci(mv), duck: self.room(mv).first() }
    }

    /// All turns that may be played now, in a fixed order.
    pub(super) fn actions(&self) -> impl Iterator<Item = Action> + '_ {
        BOARD.moves(&self.course.position).into_iter().flat_map(|mv| {
            let uci = BOARD.uci(mv);
            let ducks = if self.takes_king(mv) { Squares::EMPTY } else { self.room(mv) };
            let alone = ducks.is_empty().then_some(Action { mv: uci, duck: None });
            alone.into_iter().chain(ducks.map(move |square| Action { mv: uci, duck: Some(square) }))
        })
    }

    /// The turn that score sheets write so: `e4@d5`, or `e4 d5`.
    pub(super) fn read(&self, text: &str) -> Result<Action, SanError> {
        let (san, duck) = match text.rsplit_once(['@', ' ']) {
            Some((san, square)) => (san, Some(square.trim_end_matches(['+', '#', '!', '?']))),
            None => (text, None),
        };
        let mv: Uci = BOARD.uci(BOARD.parse_san(&self.course.position, san)?);
        let wrong = |_| SanError { at: san.len() + 1, why: "here stands the duck’s square, as in e4@d5".to_owned() };
        Ok(Action { mv, duck: duck.map(str::parse::<Square>).transpose().map_err(wrong)? })
    }

    /// Plays a turn as score sheets write it.
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

    /// Plays a turn that was checked.
    pub(super) fn play(&mut self, action: Action) {
        let mv = self.check(action).expect("the turn was checked");
        let mover = self.course.position.turn;
        self.course.play(&BOARD, mv, self.steps);
        if let Some(square) = action.duck {
            self.course.put_duck(&BOARD, square);
        }
        let entry = self.course.played.last().map(|played| played.entry(Seat::of(mover)));
        self.sheet.extend(entry.map(|entry| Entry { action: Some(action.to_string()), ..entry }));
        self.judge();
    }

    fn judge(&mut self) {
        let position = &self.course.position;
        let ending = if BOARD.royals(position, position.turn).is_empty() {
            Ending::win(!position.turn, "king captured")
        } else if !BOARD.has_move(position) {
            Ending::win(position.turn, "no move left")
        } else if self.course.occurrences() >= 3 {
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
    /// Where the duck comes; nothing where the king is captured.
    pub duck: Option<Square>,
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.mv.fmt(f)?;
        self.duck.map_or(Ok(()), |square| write!(f, " {square}"))
    }
}

/// How a turn is written.
const TURN: &str = "a turn is written as a move and the duck’s square, as in e2e4 d5";

/// Reads `e2e4 d5`, or `e2e4,e4d5` as engines write it: behind the comma stands first where the unit has come.
impl FromStr for Action {
    type Err = Refusal;
    fn from_str(text: &str) -> Result<Self, Refusal> {
        let Some(at) = text.find([' ', ',']) else {
            return Ok(Action { mv: unit(text)?, duck: None });
        };
        let (mv, rest) = (unit(&text[..at])?, &text[at + 1..]);
        let arrived = mv.to.to_string();
        let (place, said) = match rest.strip_prefix(&arrived) {
            _ if text[at..].starts_with(' ') => (at + 1, rest),
            Some(said) => (at + 1 + arrived.len(), said),
            None => {
                let why =
                    format!("behind the comma come the square of the move and the duck’s, as in {mv},{arrived}d5");
                return Err(Refusal::at(at + 1, why));
            }
        };
        Ok(Action { mv, duck: Some(said.parse().map_err(|_| Refusal::at(place, TURN))?) })
    }
}

fn unit(text: &str) -> Result<Uci, Refusal> {
    text.parse::<Uci>().map_err(|bad| Refusal::at(bad.at, TURN))
}
