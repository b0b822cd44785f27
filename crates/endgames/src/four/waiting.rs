//! A core as it is told: one of the positions in which both sides wait, and with which moves.

use super::pair::Pair;
use crate::board::Position;

/// Positions that lead to each other while both sides wait, by one of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Core {
    /// The pieces, which may be others than those of the table where a pawn has promoted before.
    pub pair: Pair,
    /// A position of the core.
    pub position: Position,
    /// α is not above this, as a multiple of 2⁻⁶³.
    pub alpha: i128,
    /// β is not below this.
    pub beta: i128,
    /// The number of positions, up to symmetry, that the moves of both sides lead to each other.
    pub positions: usize,
    /// What White and Black can do in the position.
    pub waits: [Waiting; 2],
}

/// The moves of a side in a position of a core.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Waiting {
    /// Those that change neither α nor β, in SAN.
    pub kept: Vec<String>,
    /// The greatest α and the greatest β after any other move of White's, the least ones after any other of Black's; nothing if there is no other.
    pub others: Option<[i128; 2]>,
}
