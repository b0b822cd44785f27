//! What the mover has to do with: where a turn begins, under which terms, and with how much money.

use super::{options::Terms, trial::Trial};
use crate::board::{Position, Square};

/// The situation in which a turn is put together.
pub(super) struct Situation<'s> {
    /// What was agreed.
    pub terms: &'s Terms,
    /// Where the turn begins.
    pub position: Position,
    /// The kings that the castling rights belong to, by colour.
    pub homes: [Option<Square>; 2],
    /// What the mover owns.
    pub purse: i64,
}

impl Situation<'_> {
    /// An empty turn to be put together.
    pub(super) fn trial(&self) -> Trial<'_> {
        Trial::new(self.terms, &self.position, self.homes, self.purse)
    }
}
