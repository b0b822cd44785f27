//! A look back at one moment of a game that is over, in the words of its players.

use crate::rules::Seat;

/// A look back at a moment, and at the step that followed. Chances are estimates, from 0 to 1.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Judged {
    /// Seat one's chance, if the searches know one.
    pub chance: Option<f64>,
    /// What each seat said.
    pub said: [Option<Told>; 2],
    /// What each seat should have said, where that is something else.
    pub better: [Option<Remark>; 2],
}

/// An action, for programs and for people.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Told {
    /// The action's text.
    pub action: String,
    /// The same as players write it.
    pub label: String,
}

/// What a seat should have said.
#[derive(Clone, PartialEq, Debug)]
pub struct Remark {
    /// The action.
    pub told: Told,
    /// The chance that was given away, if that can be told before it is known what followed.
    pub lost: Option<f64>,
}

impl Judged {
    /// A moment of which nothing is said but the chance.
    pub fn of(chance: Option<f64>) -> Judged {
        Judged { chance, ..Judged::default() }
    }

    /// What a seat said, if it was asked.
    pub fn of_seat(&self, seat: Seat) -> Option<&Told> {
        self.said[seat.index()].as_ref()
    }
}
