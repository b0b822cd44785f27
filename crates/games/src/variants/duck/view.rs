//! The game as everybody sees it.

use std::sync::Arc;

use serde::Serialize;

use super::{
    DuckChess,
    state::{BOARD, State},
};
use crate::{
    board::{Locus, START, Square},
    rules::{Diagram, Rules, Seat, move_history::Course},
};

/// The view of a game, in which anybody sees everything. What may be said are too many turns to be listed on a board: there they are put
/// together from a move and the duck's square.
#[derive(PartialEq, Debug, Serialize, utoipa::ToSchema)]
pub struct View {
    pub(super) diagram: Diagram,
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
        view.diagram.last.extend(duck.map(Locus::from));
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
    pub(super) fn after(state: &State, course: &Course) -> View {
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
