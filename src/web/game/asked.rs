//! A unit that is pressed to learn what it does, whoever's it is and whoever is asked to move: its squares on the board, and its
//! sentence. All of it comes from the view, which says how every unit on it moves.

use crate::{
    board::{Betza, Color, Locus, Size, Squares},
    web::{
        board::{Figure, Press},
        frame::Frame,
        token,
    },
};
use std::{borrow::Cow, sync::Arc};

/// A unit that somebody asks about.
pub(super) struct AskedUnit {
    /// Its colour, name and square: `black knight on f6`.
    pub(super) title: String,
    /// The text of its moves, if there is one.
    pub(super) betza: String,
    /// Its drawing, if it has a text.
    pub(super) token: Option<Arc<str>>,
    /// Its moves in plain words.
    pub(super) words: String,
}

/// Lets every unit that cannot be taken in hand be asked what it does.
pub(super) fn askable(figure: &mut Figure) {
    for cell in figure.ranks.iter_mut().flat_map(|rank| &mut rank.cells) {
        if cell.unit.is_some() && cell.press.is_none() {
            cell.press = Some(Press { name: "about", value: cell.square.clone(), words: String::new() });
        }
    }
}

/// Marks what the unit on a square does, and says it; nothing if there is none.
pub(super) fn ask(figure: &mut Figure, frame: &Frame, text: &str) -> Option<AskedUnit> {
    let spot: Locus = text.parse().ok()?;
    let unit = frame.diagram.unit(spot)?;
    let color: Color = unit.color.into();
    let title = format!("{} {} on {spot}", color.name(), unit.name);
    if let Some(deeds) = frame.diagram.deeds.iter().find(|deeds| deeds.square == spot) {
        figure.does(&deeds.moves, &deeds.captures);
        return Some(AskedUnit { title, betza: String::new(), token: None, words: deeds.words.to_owned() });
    }
    let square = spot.level.is_none().then_some(spot.square)?;
    let piece: Cow<'_, Betza> = match frame.diagram.design(&unit.betza) {
        Some(piece) => Cow::Borrowed(piece),
        None => Cow::Owned(unit.betza.parse().ok()?),
    };
    let size = Size::new(frame.diagram.width, frame.diagram.height)?;
    let design = piece.design(size);
    let squares = |wanted: Option<Color>| -> Squares {
        let units = frame.diagram.pieces.iter();
        units
            .filter(|unit| wanted.is_none_or(|color| Color::from(unit.color) == color))
            .map(|unit| unit.square.square)
            .collect()
    };
    let duck: Squares = frame.diagram.duck.into_iter().collect();
    let occupied = squares(None) | duck;
    let attacked = design.attacks(color, square, occupied) & !squares(Some(color)) & !duck;
    figure.reach(design.quiet(color, square, occupied), attacked);
    let [token, _] = token::drawn(&piece, color);
    Some(AskedUnit { title, betza: unit.betza.clone(), token: Some(token), words: piece.in_words() })
}
