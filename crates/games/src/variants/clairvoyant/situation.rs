//! The mover's situation: where a turn begins, under which terms, and with how much money.

use super::{options::Terms, trial::Trial};
use crate::board::{Position, Square};

/// The situation in which a turn is put together.
pub(super) struct Situation<'s> {
    /// The agreed terms.
    pub terms: &'s Terms,
    /// Where the turn begins.
    pub position: Position,
    /// The kings that the castling rights belong to, by colour.
    pub homes: [Option<Square>; 2],
    /// The mover's money.
    pub purse: i64,
}

impl Situation<'_> {
    /// An empty turn to be put together.
    pub(super) fn trial(&self) -> Trial<'_> {
        Trial::new(self.terms, &self.position, self.homes, self.purse)
    }
}
