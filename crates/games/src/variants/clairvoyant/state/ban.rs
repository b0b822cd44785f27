//! Turns that were forced back, and what is the same as one of them.

use crate::{
    board::Position,
    variants::clairvoyant::action::{Part, Turn},
};

/// A turn that was retracted, and where it would have led.
#[derive(Clone, PartialEq, Debug)]
pub struct Ban {
    pub(super) turn: Turn,
    pub(super) after: Position,
}

impl Ban {
    /// The part that this turn cannot begin with.
    pub fn first(&self) -> Option<&Part> {
        self.turn.parts.first()
    }

    /// Says how a turn of these parts, which leads to `after`, brings this one back; nothing if it does not.
    pub(super) fn brings_back(&self, parts: &[Part], after: &Position) -> Option<String> {
        let count = |parts: &[Part], part: &Part| parts.iter().filter(|other| *other == part).count();
        let same = |part: &Part| count(parts, part) == count(&self.turn.parts, part);
        if parts.first() == self.first() {
            return parts.first().map(begins);
        }
        if parts.len() == self.turn.parts.len() && parts.iter().all(same) {
            return Some(format!("{} was forced back, and this is the same in another order", self.turn));
        }
        let there = after.same_placement(&self.after);
        there.then(|| format!("{} was forced back, and this leads to the same board", self.turn))
    }
}

/// Says why a turn cannot begin with a part.
pub(in crate::variants::clairvoyant) fn begins(first: &Part) -> String {
    format!("{first} was forced back: begin this turn with something else")
}
