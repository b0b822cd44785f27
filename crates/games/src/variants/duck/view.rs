//! View of a duck chess game, the same for every viewer, and the draft of a turn: first the move, then the duck's square on the resulting board.

use std::sync::Arc;

use serde::Serialize;

use super::{
    Action, DuckChess,
    state::{BOARD, State},
};
use crate::{
    board::{BoardLocation, Move, START, Square, Uci},
    rules::{Choice, ChoiceKind, Diagram, Dropped, Rules, Seat, move_history::MoveHistory},
};

/// View of a duck chess game. Nothing is hidden. There are too many legal turns to list them all, so a page builds a turn in two steps, from a
/// move and the duck's square.
#[derive(PartialEq, Debug, Serialize, utoipa::ToSchema)]
pub struct View {
    diagram: Diagram,
    /// Move of the turn that the viewer is drafting, in standard algebraic notation.
    #[serde(skip)]
    pub begun: Option<String>,
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

impl View {
    /// The view of the current position.
    pub(super) fn of(state: &State) -> View {
        let mut view = View::after(state, &state.history);
        let duck = state.history.position.duck.only().filter(|_| !state.entries.is_empty());
        view.diagram.last.extend(duck.map(BoardLocation::from));
        view
    }

    /// Text of the unfinished turn that the viewer is drafting.
    pub fn draft(&self) -> Option<&str> {
        self.diagram.draft.as_deref()
    }

    /// The duck's square, once it is on the board.
    pub fn duck(&self) -> Option<Square> {
        self.diagram.duck
    }

    /// The view with the board after `course`, which may continue the game by an unfinished turn.
    pub(super) fn after(state: &State, course: &MoveHistory) -> View {
        let start = BOARD.fen(&state.history.start);
        let mut tags = DuckChess::INFO.pgn_tags();
        if start != START {
            tags.extend([("SetUp", "1".to_owned()), ("FEN", start)]);
        }
        let mut diagram = course.diagram(&BOARD, Seat::of);
        diagram.sheet = Arc::new(state.entries.iter().map(|entry| (**entry).clone()).collect());
        diagram.fen = Some(BOARD.fen(&state.history.position));
        diagram.tags = tags;
        View { diagram, begun: None }
    }
}

/// Shows the board after the legal part of an unfinished turn, with the ways to continue. The rest of `text` is ignored.
pub(super) fn draft(state: &State, text: &str) -> View {
    let uci = text.split_whitespace().next().and_then(|word| word.parse::<Uci>().ok());
    let found = uci.and_then(|uci| BOARD.find(&state.history.position, uci));
    match found.filter(|mv| !state.takes_king(*mv)) {
        Some(mv) => duck(state, mv),
        None => moves(state),
    }
}

/// The current board with the moves to choose from. A king capture is a whole turn.
fn moves(state: &State) -> View {
    let mut view = View::of(state);
    let position = &state.history.position;
    let choice = |mv: Move| Choice { whole: state.takes_king(mv), ..Choice::of_move(&BOARD, position, mv) };
    view.diagram.choices = Some(BOARD.moves(position).into_iter().map(choice).collect());
    view.diagram.draft = Some(String::new());
    view
}

/// The board after a move, with the squares to choose from for the duck.
fn duck(state: &State, mv: Move) -> View {
    let mut course = state.history.clone();
    course.play(&BOARD, mv, state.steps);
    let mut view = View::after(state, &course);
    let kind = |to: Square| match course.position.duck.only() {
        Some(from) => ChoiceKind::plain(from, to),
        None => ChoiceKind::Drop { piece: duck_in_hand(state), to: to.into() },
    };
    let uci = BOARD.uci(mv);
    let whole = |to| Action { mv: uci, duck: Some(to) }.to_string();
    let choice = |to| Choice { whole: true, ..Choice::new(whole(to), format!("duck to {to}"), kind(to)) };
    view.diagram.choices = Some(state.duck_squares(mv).map(choice).collect());
    view.diagram.draft = Some(uci.to_string());
    view.begun = Some(BOARD.san(&state.history.position, mv));
    view
}

/// The duck before it is on the board. It is neutral; the player to move places it.
fn duck_in_hand(state: &State) -> Dropped {
    Dropped {
        said: "@".to_owned(),
        words: "Put the duck on the board".to_owned(),
        lead: None,
        name: "duck".to_owned(),
        betza: String::new(),
        color: state.history.position.turn.into(),
        alone: None,
        amount: None,
    }
}
