//! The game as one viewer sees it.

use std::sync::Arc;

use serde::Serialize;

use super::{
    FogOfWar,
    sight::Sight,
    state::{State, unheard},
};
use crate::{
    board::{Locus, START},
    rules::{Diagram, Entry, Rules, Seat, Viewer},
    variants::king_capture::BOARD,
};

/// The view of a game: to a seat what it sees, to anybody else nothing but how many moves were made. When the game is over, everything.
#[derive(PartialEq, Debug, Serialize, utoipa::ToSchema)]
pub struct View {
    diagram: Diagram,
    /// The placement as FEN has it, with `?` for every square in the fog.
    pub placement: String,
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
    /// What a viewer may see.
    pub(super) fn of(state: &State, viewer: Viewer) -> View {
        let start = BOARD.fen(&state.course.start);
        let mut tags = FogOfWar::INFO.pgn_tags();
        if start != START {
            tags.extend([("SetUp", "1".to_owned()), ("FEN", start)]);
        }
        if state.open() {
            let diagram = Diagram { tags, ..state.course.diagram(&BOARD, Seat::of) };
            let placement = BOARD.placement_fen(&state.course.position);
            return View { diagram, placement };
        }
        let position = &state.course.position;
        let sight = match viewer {
            Some(seat) => Sight::of(position, seat.color()),
            None => Sight::nothing(position),
        };
        let mut diagram =
            Diagram { fen: None, tags, fog: sight.fog().collect(), ..Diagram::of(&BOARD, &sight.position) };
        if let Some(seat) = viewer {
            diagram.last = Locus::each(state.told[seat.color().index()].iter().copied());
            diagram.captured = Seat::BOTH.map(|seat| state.captures(seat.color())).into();
            let asked = Seat::of(position.turn) == seat;
            diagram.choices = asked.then(|| state.course.choices(&BOARD));
        }
        let heard = |entry: &Entry| viewer.is_some() && entry.seat == viewer;
        let line = |entry: &Entry| if heard(entry) { entry.clone() } else { unheard(entry) };
        diagram.sheet = Arc::new(state.sheet.iter().map(line).collect());
        View { diagram, placement: sight.placement() }
    }
}
