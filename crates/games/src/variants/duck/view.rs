//! The game as every viewer sees it, and a turn that is put together: first the move, then the duck's square on the board as the move leaves it.

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

/// The view of a game, in which anybody sees everything. What may be said are too many turns to be listed on a board: there they are put
/// together from a move and the duck's square.
#[derive(PartialEq, Debug, Serialize, utoipa::ToSchema)]
pub struct View {
    diagram: Diagram,
    /// The move of a turn that the viewer puts together, as score sheets write it.
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
    /// The game as it stands.
    pub(super) fn of(state: &State) -> View {
        let mut view = View::after(state, &state.course);
        let duck = state.course.position.duck.only().filter(|_| !state.sheet.is_empty());
        view.diagram.last.extend(duck.map(BoardLocation::from));
        view
    }

    /// As much as there is of a turn that the viewer puts together.
    pub fn draft(&self) -> Option<&str> {
        self.diagram.draft.as_deref()
    }

    /// Where the duck stands, once it is on the board.
    pub fn duck(&self) -> Option<Square> {
        self.diagram.duck
    }

    /// The game with the board as it stands on a course that has gone on.
    pub(super) fn after(state: &State, course: &MoveHistory) -> View {
        let start = BOARD.fen(&state.course.start);
        let mut tags = DuckChess::INFO.pgn_tags();
        if start != START {
            tags.extend([("SetUp", "1".to_owned()), ("FEN", start)]);
        }
        let mut diagram = course.diagram(&BOARD, Seat::of);
        diagram.sheet = Arc::new(state.sheet.clone());
        diagram.fen = Some(BOARD.fen(&state.course.position));
        diagram.tags = tags;
        View { diagram, begun: None }
    }
}

/// Shows the board after as much of a turn as there is, with what may follow. What cannot be played is left out.
pub(super) fn draft(state: &State, text: &str) -> View {
    let uci = text.split_whitespace().next().and_then(|word| word.parse::<Uci>().ok());
    let found = uci.and_then(|uci| BOARD.find(&state.course.position, uci));
    match found.filter(|mv| !state.takes_king(*mv)) {
        Some(mv) => duck(state, mv),
        None => moves(state),
    }
}

/// The board as it stands: a move is to be chosen, and a captured king is the whole of a turn.
fn moves(state: &State) -> View {
    let mut view = View::of(state);
    let position = &state.course.position;
    let choice = |mv: Move| Choice { whole: state.takes_king(mv), ..Choice::of_move(&BOARD, position, mv) };
    view.diagram.choices = Some(BOARD.moves(position).into_iter().map(choice).collect());
    view.diagram.draft = Some(String::new());
    view
}

/// The board after a move: a square for the duck is to be chosen.
fn duck(state: &State, mv: Move) -> View {
    let mut course = state.course.clone();
    course.play(&BOARD, mv, state.steps);
    let mut view = View::after(state, &course);
    let kind = |to: Square| match course.position.duck.only() {
        Some(from) => ChoiceKind::plain(from, to),
        None => ChoiceKind::Drop { piece: unplaced(state), to: to.into() },
    };
    let uci = BOARD.uci(mv);
    let whole = |to| Action { mv: uci, duck: Some(to) }.to_string();
    let choice = |to| Choice { whole: true, ..Choice::new(whole(to), format!("the duck to {to}"), kind(to)) };
    view.diagram.choices = Some(state.room(mv).map(choice).collect());
    view.diagram.draft = Some(uci.to_string());
    view.begun = Some(BOARD.san(&state.course.position, mv));
    view
}

/// The duck before it stands on the board. It is nobody's; whoever moves puts it there.
fn unplaced(state: &State) -> Dropped {
    Dropped {
        said: "@".to_owned(),
        words: "Put the duck on the board".to_owned(),
        lead: None,
        name: "duck".to_owned(),
        betza: String::new(),
        color: state.course.position.turn.into(),
        alone: None,
        amount: None,
    }
}
