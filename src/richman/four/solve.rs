//! Solving a pair: bounds from 0 and from 1, drawn together until none of them moves. In whichever order the positions are taken, they come to
//! rest at the same bounds.

use super::{
    NARROW, ONE,
    fence::Fence,
    file::{FourTable, Wide, span},
    outside::{Three, fill, fill_promoted},
    pair::Pair,
    settle::{inner, settle},
    walk::Walk,
};
use crate::richman::table::Table;

/// How far the solving of a pair is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FourProgress {
    /// The times that all positions were gone through.
    pub round: usize,
    /// The positions whose bounds are still far from each other.
    pub open: usize,
    /// All positions.
    pub positions: usize,
}

/// Solves a pair with the exact table of three pieces on the ordinary board; `promoted` gives the tables of four that a promotion leads to.
///
/// # Errors
/// As `promoted`.
pub fn solve_four<E>(
    pair: Pair,
    table: &Table,
    promoted: &mut dyn FnMut(Pair) -> Result<FourTable, E>,
    progress: &mut dyn FnMut(FourProgress),
) -> Result<FourTable, E> {
    let walk = Walk::new(pair);
    let fence = Fence::new(&walk);
    fill(&walk, &Three::new(table), promoted, &mut |place, bounds| fence.set(place, bounds))?;
    let positions = fence.sweep(false, |_, _| 1);
    for round in 1.. {
        let [moved, open] = fence.draw(round);
        progress(FourProgress { round, open, positions });
        if moved == 0 {
            break;
        }
    }
    settle(&fence);
    let stands = |place: usize| walk.stands(walk.numbering.spot(place));
    let bounds = |place: usize| if stands(place) { fence.of(place) } else { [0; 2] };
    let all: Vec<[u64; 2]> = (0..walk.len).map(bounds).collect();
    let far: Vec<usize> = (0..walk.len).filter(|place| all[*place][1] - all[*place][0] > NARROW).collect();
    // What lies between the bounds of other tables is between those of this one.
    fill_promoted(&walk, promoted, FourTable::between, &mut |place, bounds| fence.set(place, bounds))?;
    let wide = far.iter().zip(inner(&fence, &far)).map(|(place, [alpha, beta])| Wide {
        place: *place as u32,
        alpha: alpha.min(ONE),
        beta,
        high: all[*place][1],
    });
    let (wide, low, span) = (
        wide.collect(),
        all.iter().map(|bounds| bounds[0]).collect(),
        all.iter().map(|bounds| span(*bounds)).collect(),
    );
    let Walk { numbering, .. } = walk;
    Ok(FourTable { pair, numbering, low, span, wide })
}
