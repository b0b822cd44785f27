//! The piece in hand on the page of a game, and where it can be put down: pieces of the board, and pieces from elsewhere. Knows the
//! choices that a view lists, and no rules.

use crate::{
    board::Locus,
    rules::{Choice, ChoiceKind, Dropped},
    web::{
        board::{Figure, Mark, Press, Tag, Unit},
        frame::Frame,
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
    /// The number of them, where the viewer holds several.
    pub(super) several: Option<u32>,
    /// Set if it costs more than there is.
    pub(super) dear: bool,
}

impl HandPiece {
    fn new(piece: &Dropped, dear: bool, frame: &Frame) -> HandPiece {
        let unit = Unit { color: piece.color.into(), name: piece.name.clone() };
        let design = frame.diagram.design(&piece.betza);
        let token = design.map(|design| {
            let [drawing, _] = token::drawn(design, piece.color.into());
            drawing
        });
        let held = frame.viewer.map(|seat| frame.diagram.reserves.of(seat).as_slice()).unwrap_or_default();
        let several =
            held.iter().find(|held| held.betza == piece.betza).map(|held| held.count).filter(|held| *held > 1);
        HandPiece { unit: Some(unit).filter(Unit::drawn), token, several, dear, piece: piece.clone() }
    }

    /// Says what is done with it but for the piece, where a picture shows that.
    pub(super) fn lead(&self) -> Option<&'static str> {
        self.piece.lead.filter(|_| self.unit.is_some())
    }
}

/// The pieces from elsewhere that choices name, each once; then those that are too dear.
pub(super) fn hand(frame: &Frame, choices: &[Choice], dear: &[Choice]) -> Vec<HandPiece> {
    let mut hand: Vec<HandPiece> = Vec::new();
    let priced = choices.iter().map(|choice| (choice, false)).chain(dear.iter().map(|choice| (choice, true)));
    for (choice, dear) in priced {
        match &choice.kind {
            ChoiceKind::Drop { piece, .. } if hand.iter().all(|known| known.piece.said != piece.said) => {
                hand.push(HandPiece::new(piece, dear, frame));
            }
            ChoiceKind::Drop { .. } | ChoiceKind::Move { .. } | ChoiceKind::Word { .. } => {}
        }
    }
    hand
}

/// The piece that was pressed, and where it goes once that is chosen.
pub(super) struct Pick {
    /// The piece in hand, by its square, or by what is said of it if it comes from elsewhere.
    pub(super) start: String,
    /// Where it goes, if that is chosen and only the way is not.
    to: Option<Locus>,
}

impl Pick {
    /// Reads what a text means among these choices: `e2`, `N@`, or `e7e8` where several things can happen on the way.
    pub(super) fn read(text: &str, choices: &[Choice], dear: &[Choice]) -> Option<Pick> {
        choices.iter().chain(dear).find_map(|choice| {
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

    /// The piece that is in hand without being pressed: all that is left to say is where it goes.
    pub(super) fn given(choices: &[Choice]) -> Option<Pick> {
        let pick = Pick { start: start(choices.first()?)?.into_owned(), to: None };
        choices.iter().all(|choice| choice.whole && pick.takes(choice)).then_some(pick)
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

/// The field in which a choice is sent: to be done, to be added to what is being put together, or to be done whatever has been put together.
pub(super) fn says(frame: &Frame, whole: bool) -> &'static str {
    match (&frame.draft, whole) {
        (None, _) => "action",
        (Some(_), false) => "add",
        (Some(_), true) => "whole",
    }
}

/// Marks what can be pressed and what it costs or earns, and returns what has to be chosen between beside the board.
pub(super) fn press(
    figure: &mut Figure,
    frame: &Frame,
    choices: &[Choice],
    dear: &[Choice],
    pick: Option<&Pick>,
) -> Vec<Choice> {
    if !frame.asked {
        return Vec::new();
    }
    let all = || choices.iter().chain(dear);
    for choice in all() {
        if let ChoiceKind::Move { from, .. } = choice.kind
            && let Some(cell) = figure.cell(from).filter(|cell| cell.press.is_none())
        {
            cell.press = Some(Press { name: "from", value: from.to_string(), words: String::new() });
            let own = |choice: &&Choice| matches!(choice.kind, ChoiceKind::Move { from: other, .. } if other == from);
            cell.tag = tag(choices.iter().filter(own), false).or_else(|| tag(dear.iter().filter(own), true));
            cell.tag = cell.tag.filter(|_| pick.is_none());
        }
    }
    let Some(pick) = pick else { return Vec::new() };
    let selected: Option<Locus> = all().find_map(|choice| match choice.kind {
        ChoiceKind::Move { from, .. } if pick.takes(choice) => Some(from),
        ChoiceKind::Move { .. } | ChoiceKind::Drop { .. } | ChoiceKind::Word { .. } => None,
    });
    if let Some(cell) = selected.and_then(|square| figure.cell(square)) {
        cell.marks.push(Mark::Selected);
        cell.press = Some(Press { name: "from", value: String::new(), words: "put it back".to_owned() });
    }
    let priced = choices.iter().map(|choice| (choice, false)).chain(dear.iter().map(|choice| (choice, true)));
    let mine: Vec<(Locus, &Choice, bool)> = priced
        .filter(|(choice, _)| pick.takes(choice))
        .filter_map(|(choice, dear)| Some((choice.kind.to()?, choice, dear)))
        .collect();
    let mut branches = Vec::new();
    for (to, choice, dear) in &mine {
        let words = if *dear { format!("too dear, {}", choice.label) } else { choice.label.clone() };
        let says = || Press { name: says(frame, choice.whole), value: choice.action.clone(), words };
        let there = || mine.iter().filter(|(other, ..)| other == to);
        let ways = there().count();
        if ways > 1 && pick.to.is_none_or(|wanted| wanted == *to) {
            branches.push((*choice).clone());
        }
        let Some(cell) = figure.cell(*to) else { continue };
        cell.tag = tag(there().map(|(_, choice, _)| *choice), there().all(|(.., dear)| *dear));
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

/// The least amount of some choices, where they have any.
fn tag<'c>(choices: impl Iterator<Item = &'c Choice>, dear: bool) -> Option<Tag> {
    choices.map(|choice| choice.amount).min()?.map(|amount| Tag { amount, dear })
}
