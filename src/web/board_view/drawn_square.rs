//! One square of a drawn board: its piece, its marks, its description, and what a press on it sends.

use crate::{board::Color, web::piece_token::Drawings};

/// One square.
#[derive(Clone, Debug)]
pub struct Cell {
    /// Its name, as `e4`.
    pub square: String,
    /// Set if it is dark, as a1 is.
    pub dark: bool,
    /// The piece on it.
    pub unit: Option<DrawnPiece>,
    /// Set if the duck stands on it, which is nobody's.
    pub duck: bool,
    /// The drawing of what stands on it where the sprite has none: a designed piece, as one `<svg>` element, and the same as the other
    /// side of the board shows it.
    pub token: Option<Drawings>,
    /// Its states of this moment, in the order in which they were marked.
    pub marks: Vec<Mark>,
    /// The field that pressing it sends, if it can be pressed.
    pub press: Option<Press>,
    /// The amount that stands on it.
    pub tag: Option<Tag>,
}

/// A piece of a colour.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DrawnPiece {
    /// Whose it is.
    pub color: Color,
    /// The kind's name, as `knight`; with the colour before it, the name of its drawing.
    pub name: String,
}

/// The field that a square sends when it is pressed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Press {
    /// The field.
    pub name: &'static str,
    /// Its value.
    pub value: String,
    /// The effect, in words that follow what the square says of itself; may be empty.
    pub words: String,
}

/// The amount that stands on a square: what it costs to go there, or what it earns to have known that.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tag {
    /// The amount.
    pub amount: i64,
    /// Set if that is more than there is.
    pub dear: bool,
}

impl Cell {
    /// Gives what a reader says of it, whatever is in hand: `e4, white knight, the last move ended here`.
    pub fn said(&self) -> String {
        let mut said = self.square.clone();
        if let Some(unit) = &self.unit {
            said.push_str(", ");
            said.push_str(unit.color.name());
            said.push(' ');
            said.push_str(&unit.name);
        }
        if self.duck {
            said.push_str(", duck");
        }
        for mark in self.marks.iter().filter(|mark| !mark.passing()) {
            said.push_str(", ");
            said.push_str(mark.words());
        }
        said
    }

    /// Tells whether there is something to say beyond that.
    pub fn hints(&self) -> bool {
        !self.hint().is_empty()
    }

    /// Gives what a reader says after that while something is in hand: `, can be reached: Nf3`.
    pub fn hint(&self) -> String {
        let mut hint = String::new();
        for mark in self.marks.iter().filter(|mark| mark.passing()) {
            hint.push_str(", ");
            hint.push_str(mark.words());
        }
        if let Some(press) = self.press.as_ref().filter(|press| !press.words.is_empty()) {
            hint.push_str(": ");
            hint.push_str(&press.words);
        }
        hint
    }
}

impl DrawnPiece {
    /// Tells whether the sprite has a drawing of its own for this kind; any other is drawn as a token with its name.
    pub fn drawn(&self) -> bool {
        ["king", "queen", "rook", "bishop", "knight", "pawn", "unicorn"].contains(&self.name.as_str())
    }
}

/// A state of a square: a class for the eye, words for the ear.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    /// The piece here was pressed and waits for its target.
    Selected,
    /// The pressed piece may go here.
    Target,
    /// The pressed piece may capture here.
    Capture,
    /// The last move began here.
    From,
    /// The last move ended here.
    To,
    /// The royal piece here is attacked.
    Check,
    /// The viewer may not see what is here.
    Fog,
    /// The piece that is asked about both moves and captures here.
    Does,
    /// It only moves here.
    Moves,
    /// It only captures here.
    Captures,
    /// A text speaks of this square.
    Pointed,
}

impl Mark {
    /// The class that style.css draws.
    pub fn class(self) -> &'static str {
        match self {
            Mark::Selected => "selected",
            Mark::Target => "target",
            Mark::Capture => "capture",
            Mark::From => "last-from",
            Mark::To => "last-to",
            Mark::Check => "check",
            Mark::Fog => "fog",
            Mark::Does => "does",
            Mark::Moves => "moves-only",
            Mark::Captures => "captures-only",
            Mark::Pointed => "pointed",
        }
    }

    /// Tells whether it lasts only while something is in hand.
    fn passing(self) -> bool {
        match self {
            Mark::Selected | Mark::Target | Mark::Capture => true,
            Mark::From
            | Mark::To
            | Mark::Check
            | Mark::Fog
            | Mark::Does
            | Mark::Moves
            | Mark::Captures
            | Mark::Pointed => false,
        }
    }

    /// The same in words, to follow the square and its unit.
    pub fn words(self) -> &'static str {
        match self {
            Mark::Selected => "selected",
            Mark::Target => "can be reached",
            Mark::Capture => "can be captured",
            Mark::From => "the last move began here",
            Mark::To => "the last move ended here",
            Mark::Check => "in check",
            Mark::Fog => "hidden",
            Mark::Does => "the piece may move or capture here",
            Mark::Moves => "the piece only moves here",
            Mark::Captures => "the piece only captures here",
            Mark::Pointed => "pointed out",
        }
    }
}
