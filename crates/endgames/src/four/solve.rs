//! Solving a pair.

use super::{
    columns::Columns,
    drawn::{FourProgress, columns, draw},
    fence::Fence,
    file::FourTable,
    outside::{Three, fill, fill_promoted},
    pair::Pair,
    walk::Walk,
};
use crate::table::Table;

/// The room that all lists may take, in places of four bytes.
const ROOM: usize = 100 << 20;

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
    let fence = Fence::new(&walk, ROOM);
    fill(&walk, &Three::new(table), promoted, &mut |place, bounds| fence.set(place, bounds))?;
    draw(&fence, progress);
    // What lies between the bounds of other tables is between those of this one.
    let between = || fill_promoted(&walk, promoted, FourTable::between, &mut |place, bounds| fence.set(place, bounds));
    let Columns { low, span, wide } = columns(&fence, between)?;
    let Walk { numbering, .. } = walk;
    Ok(FourTable { pair, numbering, low, span, wide })
}
