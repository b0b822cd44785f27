//! Where the gap between α and β comes from: the quiescent cores of a table.
//!
//! With White's best move for β and Black's best move for α, the gap β − α of a position is at most the mean of the gaps after both. So it comes from
//! classes of positions that these moves never leave, and in which the gap is the same everywhere: there both sides only wait.

use super::{
    ONE,
    fence::Fence,
    file::FourTable,
    framed::Quad,
    outside::{Three, fill},
    pair::Pair,
    walk::Walk,
};
use crate::{
    board::Color,
    richman::{
        components::{OUTSIDE, components},
        table::Table,
    },
};

/// Bounds that differ by less, in multiples of 2⁻⁶³, are taken for the same when the waiting moves are chosen.
const SAME: u64 = 8192;

/// Positions that lead into each other while both sides wait.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Core {
    /// β − α, as a multiple of 2⁻⁶³.
    pub gap: u64,
    /// The positions, up to symmetry.
    pub positions: Vec<Quad>,
}

/// Where the waiting moves lead that keep most of the gap.
fn kept(fence: &Fence<'_>, reached: &[usize], player: Color) -> Option<usize> {
    let worth = |place: usize| match (player, fence.of(place)) {
        (Color::White, [_, high]) => high,
        (Color::Black, [low, _]) => ONE - low,
    };
    let gap = |place: usize| {
        let [low, high] = fence.of(place);
        high - low
    };
    let best = reached.iter().map(|place| worth(*place)).max()?;
    reached.iter().copied().filter(|place| best - worth(*place) <= SAME).max_by_key(|place| gap(*place))
}

/// All cores of a table, the widest gap first and the smaller ones first among equals. `promoted` gives the tables that a promotion leads to.
///
/// # Errors
/// As `promoted`.
pub fn cores<E>(
    table: &FourTable,
    three: &Table,
    promoted: &mut dyn FnMut(Pair) -> Result<FourTable, E>,
) -> Result<Vec<Core>, E> {
    let apart: Vec<usize> =
        table.wide.iter().filter(|wide| wide.alpha < wide.beta).map(|wide| wide.place as usize).collect();
    let walk = Walk::new(table.pair);
    let fence = Fence::new(&walk);
    fill(&walk, &Three::new(three), promoted, &mut |place, bounds| fence.set(place, bounds))?;
    (0..walk.len).for_each(|place| fence.set(place, table.at(place)));
    let number = |place: usize| apart.binary_search(&place).map_or(OUTSIDE, |number| number as u32);
    let waits = |place: &usize| {
        Color::BOTH.map(|player| {
            let mut reached = Vec::new();
            walk.options(player, walk.numbering.spot(*place), |place| reached.push(place));
            kept(&fence, &reached, player).map_or(OUTSIDE, number)
        })
    };
    let waits: Vec<[u32; 2]> = apart.iter().map(waits).collect();
    let mut found = Vec::new();
    components(&waits, |nodes| {
        let mut own = nodes.to_vec();
        own.sort_unstable();
        let stays = |node: &u32| waits[*node as usize].iter().all(|next| own.binary_search(next).is_ok());
        if own.iter().all(stays) {
            let places = own.iter().map(|node| apart[*node as usize]);
            let gap = places.clone().map(|place| table.at(place)).map(|[low, high]| high - low).max();
            let positions = places.map(|place| walk.numbering.quad(place)).collect();
            found.push(Core { gap: gap.unwrap_or_default(), positions });
        }
    });
    found.sort_by_key(|core| (std::cmp::Reverse(core.gap >> 20), core.positions.len()));
    Ok(found)
}
