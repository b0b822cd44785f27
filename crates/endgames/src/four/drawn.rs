//! Bounds from 0 and from 1, drawn together until none of them moves. In whichever order the positions are taken, they come to rest at the same
//! bounds.

use super::{
    NARROW, ONE,
    columns::{Columns, Wide, span},
    fence::Fence,
    ground::{Ground, TAKEN},
    settle::{inner, settle},
};

/// How far the solving of a table is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FourProgress {
    /// The times that all positions were gone through.
    pub round: usize,
    /// The positions whose bounds are still far from each other.
    pub open: usize,
    /// All positions.
    pub positions: usize,
}

/// Draws bounds together until none of them moves.
pub(crate) fn draw<G: Ground>(fence: &Fence<'_, G>, progress: &mut dyn FnMut(FourProgress)) {
    let positions = fence.sweep(false, |_, _| 1);
    for round in 1.. {
        let [moved, open] = fence.draw(round);
        progress(FourProgress { round, open, positions });
        if moved == 0 {
            break;
        }
    }
}

/// Makes bounds that prove themselves of those that were drawn together. `between` puts what lies between the bounds of other tables in their places.
///
/// # Errors
/// As `between`.
pub(crate) fn columns<G: Ground, E>(
    fence: &Fence<'_, G>,
    between: impl FnOnce() -> Result<(), E>,
) -> Result<Columns, E> {
    settle(fence);
    let places = fence.walk.len();
    let (mut low, mut spans, mut far) = (vec![0; places], vec![0; places], Vec::new());
    for first in (0..places).step_by(TAKEN) {
        fence.walk.each(first..(first + TAKEN).min(places), false, |place, _| {
            let bounds = fence.of(place);
            (low[place], spans[place]) = (bounds[0], span(bounds));
            if bounds[1] - bounds[0] > NARROW {
                far.push(place);
            }
        });
    }
    let high: Vec<u64> = far.iter().map(|place| fence.of(*place)[1]).collect();
    between()?;
    let wide = far.iter().zip(inner(fence, &far)).zip(high).map(|((place, [alpha, beta]), high)| Wide {
        place: *place as u32,
        alpha: alpha.min(ONE),
        beta,
        high,
    });
    Ok(Columns { wide: wide.collect(), low, span: spans })
}
