//! The two sorts of collections.

use crate::board::{Color, Size, Square};

/// What belongs together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sort {
    /// The six designs of a player.
    Set,
    /// Two ranks, from a1 to h2.
    Army,
}

impl Sort {
    /// The number of its places.
    pub(super) const fn places(self) -> usize {
        match self {
            Sort::Set => 6,
            Sort::Army => 16,
        }
    }

    /// Where its page is.
    pub(super) const fn path(self) -> &'static str {
        match self {
            Sort::Set => "/betza/set",
            Sort::Army => "/betza/army",
        }
    }

    /// What its page is called.
    pub(super) const fn title(self) -> &'static str {
        match self {
            Sort::Set => "A set of six designs",
            Sort::Army => "An army of two ranks",
        }
    }

    /// The pieces that stand there before anything is chosen: those of csipgs chess, and those of chess.
    pub(super) const fn usual(self) -> &'static [&'static str] {
        match self {
            Sort::Set => &["B", "RB", "mfWcfF", "N", "R", "royal-WF"],
            Sort::Army => &[
                "R", "N", "B", "RB", "royal-WF", "B", "N", "R", "mfWcfF", "mfWcfF", "mfWcfF", "mfWcfF", "mfWcfF",
                "mfWcfF", "mfWcfF", "mfWcfF",
            ],
        }
    }

    /// What a place is called.
    pub(super) fn place(self, index: usize) -> String {
        match self {
            Sort::Set => format!("Design {}", index + 1),
            Sort::Army => square(index, Color::White).to_string(),
        }
    }
}

/// The square of a place in a side's army.
pub(super) fn square(index: usize, color: Color) -> Square {
    Square::new((index % 8) as u8, Size::ORTHODOX.rank_of(color, (index / 8) as u8))
}
