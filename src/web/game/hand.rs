//! The piece in hand on the page of a game, and where it can be put down: pieces of the board, and pieces from elsewhere. Knows the
//! choices that a view lists, and no rules.

use crate::{
    board::Square,
    game::Frame,
    rules::{Choice, ChoiceKind, Dropped},
    web::{
        board::{Figure, Mark, Press, Unit},
        token,
    },
};
use std::{borrow::Cow, sync::Arc};

/// A piece from elsewhere, with a button that takes it in hand.
pub(super) struct HandPiece {
    /// The piece as the choices have it.
    pub(super) piece: Dropped,
    /// The unit that it is, if the sprite has a picture of it.
    pub(super) unit: Option<Unit>,
    /// Its drawing, if it has no picture.
    pub(super) token: Option<Arc<str>>,
}

impl HandPiece {
    fn new(piece: &Dropped, frame: &Frame) -> HandPiece {
        let unit = Unit { color: piece.color.into(), name: piece.name.clone() };
        let design = frame.diagram.design(&piece.betza);
        let token = design.map(|design| {
            let [drawing, _] = token::drawn(design, piece.color.into());
            drawing
        });
        HandPiece { unit: Some(unit).filter(Unit::drawn), token, piece: piece.clone() }
    }

    /// Says what is done with it but for the piece, where a picture shows that.
    pub(super) fn lead(&self) -> Option<&'static str> {
        self.piece.lead.filter(|_| self.unit.is_some())
    }
}

/// The pieces from elsewhere that choices name, each once.
pub(super) fn hand(frame: &Frame, choices: &[Choice]) -> Vec<HandPiece> {
    let mut hand: Vec<HandPiece> = Vec::new();
    for choice in choices {
        match &choice.kind {
            ChoiceKind::Drop { piece, .. } if hand.iter().all(|known| known.piece.said != piece.said) => {
                hand.push(HandPiece::new(piece, frame));
            }
            ChoiceKind::Drop { .. } | ChoiceKind::Move { .. } | ChoiceKind::Word { .. } => {}
        }
    }
    hand
}

/// The piece that was pressed, and where it goes once that is chosen.
pub(super) struct Pick {
    /// The piece in hand, by its square, or by what is said of it if it comes from elsewhere.
    start: String,
    /// Where it goes, if that is chosen and only the way is not.
    to: Option<Square>,
}

impl Pick {
    /// Reads what a text means among these choices: `e2`, `N@`, or `e7e8` where several things can happen on the way.
    pub(super) fn read(text: &str, choices: &[Choice]) -> Option<Pick> {
        choices.iter().find_map(|choice| {
            let (start, to) = (start(choice)?, choice.kind.to()?);
            let rest = text.strip_prefix(start.as_ref())?;
            let to = match rest {
                "" => None,
                rest if *rest == to.to_string() => Some(to),
                _ => return None,
            };
            Some(Pick { start: start.into_owned(), to })
        })
    }

    fn takes(&self, choice: &Choice) -> bool {
        start(choice).as_deref() == Some(&self.start)
    }
}

/// Says what has to be in hand for a choice.
fn start(choice: &Choice) -> Option<Cow<'_, str>> {
    match &choice.kind {
        ChoiceKind::Move { from, .. } => Some(from.to_string().into()),
        ChoiceKind::Drop { piece, .. } => Some(piece.said.as_str().into()),
        ChoiceKind::Word { .. } => None,
    }
}

/// The field in which a choice is sent: to be done, or to be added to what is being put together.
pub(super) fn says(frame: &Frame) -> &'static str {
    if frame.draft.is_some() { "add" } else { "action" }
}

/// Marks what can be pressed, and returns what has to be chosen between beside the board.
pub(super) fn press(figure: &mut Figure, frame: &Frame, choices: &[Choice], pick: Option<&Pick>) -> Vec<Choice> {
    if !frame.asked {
        return Vec::new();
    }
    for choice in choices {
        if let ChoiceKind::Move { from, .. } = choice.kind
            && let Some(cell) = figure.cell(from).filter(|cell| cell.press.is_none())
        {
            cell.press = Some(Press { name: "from", value: from.to_string(), words: String::new() });
        }
    }
    let Some(pick) = pick else { return Vec::new() };
    let selected: Option<Square> = choices.iter().find_map(|choice| match choice.kind {
        ChoiceKind::Move { from, .. } if pick.takes(choice) => Some(from),
        ChoiceKind::Move { .. } | ChoiceKind::Drop { .. } | ChoiceKind::Word { .. } => None,
    });
    if let Some(cell) = selected.and_then(|square| figure.cell(square)) {
        cell.marks.push(Mark::Selected);
        cell.press = Some(Press { name: "from", value: String::new(), words: "put it back".to_owned() });
    }
    let mine: Vec<(Square, &Choice)> = choices
        .iter()
        .filter(|choice| pick.takes(choice))
        .filter_map(|choice| Some((choice.kind.to()?, choice)))
        .collect();
    let mut branches = Vec::new();
    for (to, choice) in &mine {
        let says = || Press { name: says(frame), value: choice.action.clone(), words: choice.label.clone() };
        let ways = mine.iter().filter(|(other, _)| other == to).count();
        if ways > 1 && pick.to.is_none_or(|wanted| wanted == *to) {
            branches.push((*choice).clone());
        }
        let Some(cell) = figure.cell(*to) else { continue };
        if cell.marks.iter().any(|mark| matches!(mark, Mark::Target | Mark::Capture)) {
            continue;
        }
        if selected == Some(*to) {
            // Pressed twice: what the unit does without going anywhere.
            cell.press = Some(says());
            continue;
        }
        cell.marks.push(if cell.unit.is_some() { Mark::Capture } else { Mark::Target });
        cell.press = Some(match ways {
            1 => says(),
            _ => Press { name: "from", value: format!("{}{to}", pick.start), words: "choose how".to_owned() },
        });
    }
    branches
}
