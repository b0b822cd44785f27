//! What a level sees of turns that are paid for.

use super::super::search::Effort;
use crate::rules::prospect::Makeup;

/// What is seen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Vision {
    /// The turns of most parts that are thought of, by whomever they are played.
    pub(super) most: Makeup,
    /// What the other side may buy is seen.
    pub(super) answers: bool,
}

impl Vision {
    /// What is seen with such an effort.
    pub(super) fn of(effort: Effort) -> Self {
        let most = match effort.depth {
            ..=1 => Makeup::Single,
            2 => Makeup::Moves,
            3 => Makeup::Strike,
            4.. => Makeup::Assault,
        };
        Vision { most, answers: effort.depth > 8 }
    }
}
