//! One square of a drawn board: its piece, marks, description and the form field that it sends.

use crate::{board::Color, web::piece_token::Drawings};

/// One square.
#[derive(Clone, Debug)]
pub struct Cell {
    /// Name, such as `e4`.
    pub square: String,
    /// Whether it is dark, like a1.
    pub dark: bool,
    /// Piece on the square.
    pub unit: Option<DrawnPiece>,
    /// Whether the duck is on the square.
    pub duck: bool,
    /// Drawing of a designed piece, which the sprite lacks: one `<svg>` element, and its mirror for the flipped board.
    pub token: Option<Drawings>,
    /// Marks, in the order in which they were added.
    pub marks: Vec<Mark>,
    /// Form field that a press sends, if the square can be pressed.
    pub press: Option<Press>,
    /// Amount shown on the square.
    pub tag: Option<Tag>,
}

/// A piece with its colour.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DrawnPiece {
    /// Colour of the piece.
    pub color: Color,
    /// Piece type, such as `knight`; prefixed with the colour, the name of its picture.
    pub name: String,
}

/// Form field that a press on a square sends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Press {
    /// Name of the field.
    pub name: &'static str,
    /// Value of the field.
    pub value: String,
    /// Effect in words, appended to the square's description; may be empty.
    pub words: String,
}

/// Amount shown on a square: the cost of a move there, or the reward for predicting it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tag {
    /// The amount.
    pub amount: i64,
    /// Whether it is more than the player has.
    pub dear: bool,
}

impl Cell {
    /// Description for screen readers, regardless of the selection: `e4, white knight, the last move ended here`.
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

    /// Whether the selection adds to the description.
    pub fn hints(&self) -> bool {
        !self.hint().is_empty()
    }

    /// Addition to the description while a piece is selected: `, can be reached: Nf3`.
    pub fn hint(&self) -> String {
        let mut hint = String::new();
        for mark in self.marks.iter().filter(|mark| mark.passing()) {
            hint.push_str(", ");
            hint.push_str(mark.words());
        }
        match (&self.press, self.tag) {
            (Some(press), _) if !press.words.is_empty() => hint.push_str(&format!(": {}", press.words)),
            (_, Some(Tag { amount, dear })) => {
                let unit = if amount == 1 { "zorkmid" } else { "zorkmids" };
                hint.push_str(&format!(", {}from {amount} {unit}", if dear { "too expensive, " } else { "" }));
            }
            (_, None) => {}
        }
        hint
    }
}

impl DrawnPiece {
    /// Whether the sprite has a picture of the piece type; any other type is drawn as a token with its name.
    pub fn drawn(&self) -> bool {
        ["king", "queen", "rook", "bishop", "knight", "pawn", "unicorn"].contains(&self.name.as_str())
    }
}

/// State of a square, with a class for style sheets and words for screen readers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    /// The piece here is selected.
    Selected,
    /// The selected piece can move here.
    Target,
    /// The selected piece can capture here.
    Capture,
    /// The last move started here.
    From,
    /// The last move ended here.
    To,
    /// The royal piece here is in check.
    Check,
    /// The viewer may not see this square.
    Fog,
    /// The piece that the viewer asked about can both move and capture here.
    Does,
    /// The piece that the viewer asked about can only move here.
    Moves,
    /// The piece that the viewer asked about can only capture here.
    Captures,
    /// An article or a hint refers to this square.
    Pointed,
}

impl Mark {
    /// Class in the style sheets.
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

    /// Whether the mark depends on the selection.
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

    /// Words that follow the square and its piece.
    pub fn words(self) -> &'static str {
        match self {
            Mark::Selected => "selected",
            Mark::Target => "can be reached",
            Mark::Capture => "can be captured",
            Mark::From => "the last move started here",
            Mark::To => "the last move ended here",
            Mark::Check => "in check",
            Mark::Fog => "hidden",
            Mark::Does => "the piece may move or capture here",
            Mark::Moves => "the piece only moves here",
            Mark::Captures => "the piece only captures here",
            Mark::Pointed => "highlighted",
        }
    }
}
