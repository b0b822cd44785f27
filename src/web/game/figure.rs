//! A board in a text: a game after some words, as one pair of eyes sees it on the page of the game, with nothing to press.

use super::selection::{Pick, ask, press};
use crate::{
    board::BoardLocation,
    game::{Clocks, Live},
    registry,
    rules::{Actor, Refusal, Viewer},
    web::{
        board_view::{Figure, Mark},
        frame::Frame,
    },
};
use serde_json::{Map, Value};

/// A board in a text, as the text's own template describes it: it is put together once, and a slip in it is a fault of ours.
#[derive(Clone, Debug)]
pub struct BoardFigure {
    key: &'static str,
    options: Map<String, Value>,
    said: Vec<&'static str>,
    viewer: &'static str,
    draft: Option<&'static str>,
    from: Option<&'static str>,
    about: Option<&'static str>,
    pointed: &'static str,
}

impl BoardFigure {
    /// A game of the variant with this key, at its beginning, as everybody sees it.
    pub fn of(key: &'static str) -> BoardFigure {
        let options = Map::new();
        BoardFigure { key, options, said: Vec::new(), viewer: "", draft: None, from: None, about: None, pointed: "" }
    }

    /// The same with an option of the game, as the JSON has it.
    pub fn with(mut self, option: &str, value: impl Into<Value>) -> BoardFigure {
        self.options.insert(option.to_owned(), value.into());
        self
    }

    /// The same after another line, as `one e2e4` or `chance coin white`.
    pub fn said(mut self, line: &'static str) -> BoardFigure {
        self.said.push(line);
        self
    }

    /// The same with the eyes of a seat, `one` or `two`.
    pub fn seen(self, viewer: &'static str) -> BoardFigure {
        BoardFigure { viewer, ..self }
    }

    /// The same with as much as the viewer has put together of an action that is said in parts.
    pub fn draft(self, draft: &'static str) -> BoardFigure {
        BoardFigure { draft: Some(draft), ..self }
    }

    /// The same with the viewer's piece in hand, by what was pressed: `e2`.
    pub fn hand(self, from: &'static str) -> BoardFigure {
        BoardFigure { from: Some(from), ..self }
    }

    /// The same with the squares that the unit on a square reaches.
    pub fn about(self, square: &'static str) -> BoardFigure {
        BoardFigure { about: Some(square), ..self }
    }

    /// The same with some squares pointed out, as `d4 e4`.
    pub fn pointed(self, pointed: &'static str) -> BoardFigure {
        BoardFigure { pointed, ..self }
    }

    /// The game that is shown.
    fn game(&self) -> Result<Box<Live>, Refusal> {
        let mut game = registry::named(self.key)?.begin(&self.options, Clocks::new([None; 2]))?;
        for line in &self.said {
            let (who, text) = line.split_once(' ').unwrap_or((line, ""));
            game.act(who.parse::<Actor>()?, text, 0)?;
        }
        Ok(game)
    }

    /// The board as the page of the game draws it.
    ///
    /// # Errors
    /// If the game, the words that were said in it or the squares are none.
    pub fn drawn(&self) -> Result<Figure, Refusal> {
        let game = self.game()?;
        let viewer: Viewer = Some(self.viewer).filter(|seat| !seat.is_empty()).map(str::parse).transpose()?;
        let mut frame = Frame::of(&game, viewer, String::new());
        if let (Some(seat), Some(text)) = (viewer, self.draft) {
            let nothing = || Refusal::new(format!("“{text}” is no part of what is asked"));
            frame.diagram = game.draft(seat, text).ok_or_else(nothing)?;
            frame.draft = Some(text.to_owned());
        }
        let choices = frame.diagram.choices.clone().unwrap_or_default();
        let dear = std::mem::take(&mut frame.diagram.dear);
        let mut figure = Figure::of_diagram(&frame.diagram);
        if let Some(text) = self.from {
            let nothing = || Refusal::new(format!("nothing can be done with {text}"));
            let pick = Pick::read(text, &choices, &dear).filter(|_| frame.asked).ok_or_else(nothing)?;
            press(&mut figure, &frame, &choices, &dear, Some(&pick));
        }
        if let Some(square) = self.about {
            ask(&mut figure, &frame, square).ok_or_else(|| Refusal::new(format!("nothing stands on {square}")))?;
        }
        for square in self.pointed.split_whitespace() {
            let square: BoardLocation = square.parse().map_err(|_| Refusal::new(format!("{square} is no square")))?;
            figure.mark(square, Mark::Pointed);
        }
        for cell in figure.ranks.iter_mut().flat_map(|rank| &mut rank.cells) {
            cell.press = None;
        }
        Ok(figure)
    }

    /// The same, for a template.
    ///
    /// # Panics
    /// Where [`Plate::drawn`] refuses: the tests draw every plate there is.
    pub fn figure(&self) -> Figure {
        self.drawn().unwrap_or_else(|refusal| panic!("the plate of {} is wrong: {}", self.key, refusal.why))
    }
}
