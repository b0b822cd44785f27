//! A turn that is put together: first the move, then the duck's square on the board as the move leaves it. Nothing of it is kept.

use super::{
    Action,
    state::{BOARD, State},
    view::View,
};
use crate::{
    board::{Move, Square, Uci},
    rules::{Choice, ChoiceKind, Dropped},
};

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
