//! The exact values of a single position of four pieces.
//!
//! From the position on only those moves are followed that may be the best by the proved bounds of what they lead to. On what is reached so, moves are
//! chosen, the values x that they give are computed in fractions, and better moves are taken until there is none. Then x is the mean of the best moves
//! everywhere among them, and no other move is better: its bounds say so, because x lies between those of its own position, which is checked.
//!
//! x is α if White's labels are everywhere where x > 0: a position has one if one of White's best moves leads to a labelled position or out of what is
//! reached, or all of Black's do. White, who plays best moves towards the end, then keeps x on average until the game leaves what was reached, and it
//! does so with probability 1; where it leaves by a move that is not followed, α is even more than was needed. So x ≤ α. Then z = x there, and α
//! elsewhere, is nowhere above α, so Φ(z) ≤ z: α, the least such z, is not above x. β is the same with the colours changed.

mod reach;
mod strategies;

use dashu_ratio::RBig;

use super::{columns::WrongFile, files::FourFiles};
use crate::{
    Stop,
    board::{Color, Position},
    table::Table,
};
use reach::{Reach, Threshold};

/// What may be asked of a position: how many positions are followed, and how many of them may lead into each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FourLimits {
    /// The positions that are reached by moves that may be the best.
    pub reached: usize,
    /// Those among them that lead to each other by the moves that are chosen.
    pub circle: usize,
}

impl FourLimits {
    /// What is found in some seconds.
    pub const BRIEF: FourLimits = FourLimits { reached: 20_000, circle: 300 };
}

/// The exact thresholds of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FourExact {
    /// α.
    pub alpha: RBig,
    /// β.
    pub beta: RBig,
    /// (max over White's moves − min over Black's moves) / 2, where α = β.
    pub bid: Option<RBig>,
    /// The number of positions that were solved for both together.
    pub solved: usize,
}

/// The exact thresholds of a position of four pieces; nothing where no file tells of it or of what it leads to, where they are beyond the limits, or where `stop` says so.
///
/// # Errors
/// If a file cannot be used.
pub(super) fn thresholds(
    table: &Table,
    files: &FourFiles,
    position: &Position,
    limits: FourLimits,
    stop: Stop,
) -> Result<Option<FourExact>, WrongFile> {
    let reached = |threshold| -> Result<Option<Reach<'_>>, WrongFile> {
        let mut reach = Reach::new(table, files, threshold);
        Ok(reach.follow(position, limits.reached, stop)?.map(|()| reach))
    };
    let Some(reach) = reached(Threshold::Alpha)? else { return Ok(None) };
    let Some(values) = reach.settled(limits.circle).filter(|values| reach.proved(values, Color::White)) else {
        return Ok(None);
    };
    let (alpha, solved) = (values[0].clone(), values.len());
    if !reach.wide && reach.proved(&values, Color::Black) {
        return Ok(Some(FourExact { beta: alpha.clone(), alpha, bid: Some(reach.bid(&values)), solved }));
    }
    let Some(reach) = reached(Threshold::Beta)? else { return Ok(None) };
    let found = reach.settled(limits.circle).filter(|values| reach.proved(values, Color::Black));
    Ok(found.map(|values| {
        // What the best moves lead to has the same mean for both thresholds, and no α above its β: where the means are one, so are all.
        let bid = (alpha == values[0]).then(|| reach.bid(&values));
        FourExact { alpha, beta: values[0].clone(), bid, solved: solved + values.len() }
    }))
}
