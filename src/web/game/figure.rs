//! A board in an article: a position of a game as one viewer sees it, without anything to press.

use super::selection::{Selection, press, show_moves};
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

/// Description of a board in an article's template. An invalid description is a bug; tests render them all.
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
    /// A game of the variant in its initial position, as spectators see it.
    pub fn of(key: &'static str) -> BoardFigure {
        let options = Map::new();
        BoardFigure { key, options, said: Vec::new(), viewer: "", draft: None, from: None, about: None, pointed: "" }
    }

    /// Sets an option of the game, with its JSON value.
    pub fn with(mut self, option: &str, value: impl Into<Value>) -> BoardFigure {
        self.options.insert(option.to_owned(), value.into());
        self
    }

    /// Adds a line of the game record, such as `one e2e4` or `chance coin white`.
    pub fn said(mut self, line: &'static str) -> BoardFigure {
        self.said.push(line);
        self
    }

    /// Sets the viewer: seat `one` or `two`.
    pub fn seen(self, viewer: &'static str) -> BoardFigure {
        BoardFigure { viewer, ..self }
    }

    /// Sets the viewer's unfinished draft of an action.
    pub fn draft(self, draft: &'static str) -> BoardFigure {
        BoardFigure { draft: Some(draft), ..self }
    }

    /// Selects the viewer's piece on a square such as `e2`.
    pub fn hand(self, from: &'static str) -> BoardFigure {
        BoardFigure { from: Some(from), ..self }
    }

    /// Marks the squares that the piece on a square reaches.
    pub fn about(self, square: &'static str) -> BoardFigure {
        BoardFigure { about: Some(square), ..self }
    }

    /// Highlights squares, such as `d4 e4`.
    pub fn pointed(self, pointed: &'static str) -> BoardFigure {
        BoardFigure { pointed, ..self }
    }

    /// Plays the recorded lines.
    fn game(&self) -> Result<Box<Live>, Refusal> {
        let mut game = registry::find_or_refuse(self.key)?.begin(&self.options, Clocks::new([None; 2]))?;
        for line in &self.said {
            let (who, text) = line.split_once(' ').unwrap_or((line, ""));
            game.act(who.parse::<Actor>()?, text, 0)?;
        }
        Ok(game)
    }

    /// Draws the board as the game page does.
    ///
    /// # Errors
    /// If the game, its recorded lines or a square are invalid.
    pub fn drawn(&self) -> Result<Figure, Refusal> {
        let game = self.game()?;
        let viewer: Viewer = Some(self.viewer).filter(|seat| !seat.is_empty()).map(str::parse).transpose()?;
        let mut frame = Frame::of(&game, viewer, String::new());
        if let (Some(seat), Some(text)) = (viewer, self.draft) {
            let nothing = || Refusal::new(format!("“{text}” is not part of a possible action"));
            frame.diagram = game.draft(seat, text).ok_or_else(nothing)?;
            frame.draft = Some(text.to_owned());
        }
        let choices = frame.diagram.choices.clone().unwrap_or_default();
        let dear = std::mem::take(&mut frame.diagram.dear);
        let mut figure = Figure::of_diagram(&frame.diagram);
        if let Some(text) = self.from {
            let nothing = || Refusal::new(format!("no action starts with {text}"));
            let pick = Selection::read(text, &choices, &dear).filter(|_| frame.asked).ok_or_else(nothing)?;
            press(&mut figure, &frame, &choices, &dear, Some(&pick));
        }
        if let Some(square) = self.about {
            show_moves(&mut figure, &frame, square).ok_or_else(|| Refusal::new(format!("no piece is on {square}")))?;
        }
        for square in self.pointed.split_whitespace() {
            let square: BoardLocation =
                square.parse().map_err(|_| Refusal::new(format!("{square} is not a square")))?;
            figure.mark(square, Mark::Pointed);
        }
        for cell in figure.ranks.iter_mut().flat_map(|rank| &mut rank.cells) {
            cell.press = None;
        }
        Ok(figure)
    }

    /// The board for a template.
    ///
    /// # Panics
    /// If [`BoardFigure::drawn`] returns an error.
    pub fn figure(&self) -> Figure {
        self.drawn().unwrap_or_else(|refusal| panic!("the board figure of {} is invalid: {}", self.key, refusal.why))
    }
}
