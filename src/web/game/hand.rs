//! What is in hand on the page of a game, and where it can be put down: pieces of the board, and pieces from elsewhere. Knows the
//! choices that a view lists, and no rules.

use crate::{
    board::{Color, Square},
    game::Frame,
    rules::Choice,
    web::{
        board::{Figure, Mark, Press, Unit},
        token,
    },
};
use std::sync::Arc;

/// A piece from elsewhere.
pub(super) struct Drop {
    /// What is said of it but for the square: `N@`, `transfer WF`.
    pub(super) said: String,
    /// What it is, if it stands in the reserve under its own text.
    pub(super) unit: Option<Unit>,
    /// Its drawing, if it has no picture.
    pub(super) token: Option<Arc<str>>,
    /// What is done with it, where the choice's own words say so: `Buy a knight on f5` for every square.
    deed: Option<String>,
}

impl Drop {
    pub(super) fn new(said: String, choice: &Choice, frame: &Frame) -> Drop {
        let held = frame.viewer.and_then(|seat| {
            let text = said.rsplit(' ').next()?;
            let held = frame.diagram.reserves.of(seat).iter().find(|held| held.betza == text)?;
            Some((held, *frame.diagram.colors.as_ref()?.of(seat)))
        });
        let token = held.and_then(|(held, color)| {
            let [drawing, _] = token::drawn(frame.diagram.design(&held.betza)?, color.into());
            Some(drawing)
        });
        let unit = held.map(|(held, color)| Unit { color: color.into(), name: held.name.clone() });
        let deed = choice.label.split_once(" on ").map(|(deed, _)| deed.to_owned()).filter(|_| said.ends_with('@'));
        let pictured = deed.as_ref().and_then(|deed| deed.rsplit_once(' ')).map(|(_, name)| {
            let black = frame.diagram.fen.as_ref().is_some_and(|fen| fen.contains(" b "));
            Unit { color: if black { Color::Black } else { Color::White }, name: name.to_owned() }
        });
        Drop { said, unit: unit.or(pictured.filter(Unit::drawn)), token, deed }
    }

    /// What is done with it but for the piece, where a picture shows that.
    pub(super) fn lead(&self) -> Option<&str> {
        self.unit.as_ref()?;
        self.deed.as_deref()?.rsplit_once(' ').map(|(lead, _)| lead)
    }

    /// The words on its button.
    pub(super) fn words(&self) -> String {
        if let Some(deed) = &self.deed {
            return deed.clone();
        }
        if self.said.ends_with('@') {
            return format!("Put {}", self.said);
        }
        let (first, rest) = self.said.split_at(self.said.chars().next().map_or(0, char::len_utf8));
        first.to_uppercase() + rest
    }
}

/// What was pressed.
pub(super) struct Pick {
    pub(super) square: Option<Square>,
    /// What is said of a piece from elsewhere but for the square, as `N@`.
    pub(super) drop: Option<String>,
    pub(super) to: Option<Square>,
}

impl Pick {
    pub(super) fn read(text: &str) -> Option<Pick> {
        match text.get(..2).and_then(|square| square.parse().ok()) {
            Some(square) if !text.ends_with('@') => {
                Some(Pick { square: Some(square), drop: None, to: text.get(2..).and_then(|to| to.parse().ok()) })
            }
            Some(_) | None => Some(Pick { square: None, drop: Some(text.to_owned()), to: None }),
        }
    }

    pub(super) fn takes(&self, choice: &Choice) -> bool {
        match (&self.square, &self.drop) {
            (Some(square), _) => choice.from == Some(*square) && choice.to.is_some(),
            (None, Some(drop)) => hand(choice).as_deref() == Some(drop),
            (None, None) => false,
        }
    }
}

/// What is said of a piece that comes from elsewhere, but for the square to which it comes.
pub(super) fn hand(choice: &Choice) -> Option<String> {
    let to = choice.to.filter(|_| choice.from.is_none())?.to_string();
    match choice.action.split_once('@') {
        Some((piece, _)) => Some(format!("{piece}@")),
        None => choice.action.strip_suffix(&to).map(|said| said.trim_end().to_owned()),
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
    let mut starts: Vec<Square> =
        choices.iter().filter_map(|choice| choice.from.filter(|_| choice.to.is_some())).collect();
    starts.sort_unstable();
    starts.dedup();
    for from in starts {
        if let Some(cell) = figure.cell(from) {
            cell.press = Some(Press { name: "from", value: from.to_string(), words: String::new() });
        }
    }
    let Some(pick) = pick else { return Vec::new() };
    let mine: Vec<&Choice> = choices.iter().filter(|choice| pick.takes(choice)).collect();
    if mine.is_empty() {
        return Vec::new();
    }
    let start = pick.square.map_or_else(|| pick.drop.clone().unwrap_or_default(), |square| square.to_string());
    if let Some(square) = pick.square
        && let Some(cell) = figure.cell(square)
    {
        cell.marks.push(Mark::Selected);
        cell.press = Some(Press { name: "from", value: String::new(), words: "put it back".to_owned() });
    }
    let mut branches = Vec::new();
    for choice in &mine {
        let Some(to) = choice.to else { continue };
        let ways = mine.iter().filter(|other| other.to == Some(to)).count();
        if ways > 1 && pick.to.is_none_or(|wanted| wanted == to) {
            branches.push((*choice).clone());
        }
        let Some(cell) = figure.cell(to) else { continue };
        if cell.marks.iter().any(|mark| matches!(mark, Mark::Target | Mark::Capture)) {
            continue;
        }
        if pick.square == Some(to) {
            // Pressed twice: what the unit does without going anywhere.
            cell.press = Some(Press { name: says(frame), value: choice.action.clone(), words: choice.label.clone() });
            continue;
        }
        cell.marks.push(if cell.unit.is_some() { Mark::Capture } else { Mark::Target });
        cell.press = Some(if ways > 1 {
            Press { name: "from", value: format!("{start}{to}"), words: "choose how".to_owned() }
        } else {
            Press { name: says(frame), value: choice.action.clone(), words: choice.label.clone() }
        });
    }
    branches
}
