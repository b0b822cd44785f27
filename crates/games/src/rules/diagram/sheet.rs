//! The lines of a score sheet.

use std::sync::Arc;

use serde::Serialize;

use crate::{
    board::{Betza, Color},
    rules::seat::Seat,
};

/// One line of the score sheet.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, utoipa::ToSchema)]
#[schema(as = SheetLine)]
pub struct Entry {
    /// The number of steps applied when this had happened.
    pub ply: usize,
    /// The seat that did it; nobody for chance.
    pub seat: Option<Seat>,
    /// The event, as a player writes it: `Nf3`.
    pub text: String,
    /// The same in words, where players do not write it.
    #[serde(skip)]
    pub told: Option<String>,
    /// The action's own text, if the viewer may know it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action: Option<String>,
    /// The notes beside it: bids, payments, draws.
    pub notes: String,
    /// The number of the deal to which it belongs, from 1, in a game that has deals.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deal: Option<usize>,
    /// Where it stands in a record of moves alone.
    #[serde(skip)]
    pub place: Place,
    /// The designed piece that it is about, to be shown in the place of its text.
    #[serde(skip)]
    pub about: Option<About>,
}

impl Entry {
    /// The event as an account tells it.
    pub fn said(&self) -> &str {
        self.told.as_deref().unwrap_or(&self.text)
    }
}

/// A line of a score sheet about a designed piece, for people: what is said before it, the piece, and what is said after.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct About {
    /// The words before the piece: `buys`.
    pub before: String,
    /// The piece's name, or its text if nobody has named it.
    pub name: String,
    /// Its meaning.
    pub piece: Arc<Betza>,
    /// Whose it is.
    pub color: Color,
    /// The words after it: `on e3`.
    pub after: String,
}

/// Where a line of the score sheet stands in a record that holds moves alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// It is a move of this colour.
    Move(Color),
    /// It goes beside the move before it.
    After,
    /// It goes beside the move after it: what was tried and undone, beside what stands instead.
    Before,
}
