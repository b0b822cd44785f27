//! What a square is marked with at a moment.

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
    pub(super) fn passing(self) -> bool {
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
