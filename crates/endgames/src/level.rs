//! The thresholds of whole chips at one level: how far chips reach within so many moves.

use super::index::Id;

/// A player's thresholds by number of position, as the one who bids and as the one who answers, or, where bids are sealed, as the one who holds
/// the marker and as the one who does not: each one more than the greatest number of chips that the other may hold, and zero where no
/// number will do.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Level {
    /// The sums from which both thresholds follow, as [`Growth`](super::growth::Growth) says.
    Sums(Vec<u16>),
    /// Both thresholds.
    Pairs(Vec<[u32; 2]>),
}

impl Level {
    /// The threshold of a numbered position in a role.
    pub(super) fn of(&self, id: Id, role: usize) -> u32 {
        match self {
            Level::Sums(sums) => (u32::from(sums[id as usize]) + role as u32) / 2,
            Level::Pairs(pairs) => pairs[id as usize][role],
        }
    }

    /// The bytes that it takes.
    pub(super) fn bytes(&self) -> usize {
        match self {
            Level::Sums(sums) => size_of_val(&**sums),
            Level::Pairs(pairs) => size_of_val(&**pairs),
        }
    }
}

/// The place of the threshold as the one who bids.
pub(super) const BIDS: usize = 0;
/// The place of the threshold as the one who answers.
pub(super) const ANSWERS: usize = 1;
