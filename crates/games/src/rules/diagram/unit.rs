//! The pieces on a board and beside it, and what is told of them.

use std::sync::Arc;

use serde::Serialize;

use crate::{
    board::{Betza, Kind, Locus},
    rules::{Side, choice::square},
};

/// A unit on the board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, utoipa::ToSchema)]
pub struct Unit {
    /// Where it stands.
    #[serde(serialize_with = "square")]
    #[schema(value_type = String)]
    pub square: Locus,
    /// Whose it is.
    pub color: Side,
    /// Its name in words.
    pub name: String,
    /// Its moves, in Betza notation; empty on a board of levels, which that notation knows nothing of.
    pub betza: String,
}

/// The things that a unit does, on a board where no notation says it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Deeds {
    /// Where it stands.
    pub square: Locus,
    /// Where it may go without capturing.
    pub moves: Vec<Locus>,
    /// Where it captures what stands there.
    pub captures: Vec<Locus>,
    /// Its moves in words.
    pub words: &'static str,
}

/// A designed piece: inventions give the same text another meaning in another game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Designed {
    /// The piece's text.
    pub betza: String,
    /// Its way of moving.
    pub piece: Arc<Betza>,
}

/// A piece off the board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, utoipa::ToSchema)]
#[schema(as = HeldPieces)]
pub struct Held {
    /// Its name in words.
    pub name: String,
    /// Its moves, in Betza notation.
    pub betza: String,
    /// The number of them.
    pub count: u32,
}

impl Held {
    /// So many pieces of a kind.
    pub fn new(kind: &Kind, count: u32) -> Held {
        Held { name: kind.name.clone(), betza: kind.betza.clone(), count }
    }
}
