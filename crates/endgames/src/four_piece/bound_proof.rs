//! Bounds that prove themselves. Bounds from 0 and from 1 are tightened until none of them moves; in whichever order the positions are taken, they
//! come to rest at the same bounds.
//!
//! A lower bound y is proved if every position with y > 0 has a label. A position with y = 0, and one outside the table, has the label 0. Any other has
//! one if White has a move m to a labelled position with y(m) + min over Black's moves ≥ 2 y, or if all of Black's moves lead to labelled positions and
//! White has some move with that sum. White, who makes such moves, then keeps y on average at least, and from every labelled position there is a run of
//! the coin of bounded length after which the game is outside the table or nothing is left to prove: so it comes there with probability 1 and y ≤ α.
//! For an upper bound the same holds with colours changed. This is Proposition 2 of U. Larsson and J. Wästlund, “Endgames in bidding chess”, with ≥ in the
//! place of =.
//!
//! A rounded bound may be without a label, a last bit away from having one. Such bounds are loosened until every position has a label.

use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicU8, Ordering::Relaxed},
};

use super::{
    NARROW, ONE,
    bound_table::{BoundTable, StateSpace, TAKEN, down, up},
    columns::{Columns, LargeGap, span},
};
use crate::board::Color;

/// Labels of one player: set where there is one.
struct Labels<'f, 'w, G> {
    fence: &'f BoundTable<'w, G>,
    player: Color,
    set: Vec<AtomicU8>,
}

impl<G: StateSpace> Labels<'_, '_, G> {
    /// The player's own bound, as the player's chance.
    #[inline(always)]
    fn worth(&self, place: usize) -> u64 {
        let [low, high] = self.fence.of(place);
        match self.player {
            Color::White => low,
            Color::Black => ONE - high,
        }
    }

    #[inline(always)]
    fn has(&self, place: usize) -> bool {
        place >= self.set.len() || self.set[place].load(Relaxed) != 0 || self.worth(place) == 0
    }

    /// The least worth after a move of the other side, and whether all of them lead to labels.
    #[inline(always)]
    fn other(&self, spot: G::Spot) -> (u64, bool) {
        let (mut least, mut all) = (ONE, true);
        self.fence.walk.options(!self.player, spot, |place| {
            least = least.min(self.worth(place));
            all &= self.has(place);
        });
        (least, all)
    }

    /// The most that a position can be worth by moves to labels.
    fn given(&self, spot: G::Spot) -> u64 {
        let (least, all) = self.other(spot);
        let mut most = None;
        self.fence.walk.options(self.player, spot, |place| {
            if all || self.has(place) {
                most = most.max(Some(self.worth(place)));
            }
        });
        most.map_or(0, |most| down(most, least))
    }

    /// Labels whatever follows, and gives back what does not, with what it can be worth.
    fn close(&self) -> Vec<(usize, u64)> {
        let mut back = false;
        loop {
            let grown = self.fence.sweep(back, |place, spot| {
                let labelled = !self.has(place) && self.given(spot) >= self.worth(place);
                if labelled {
                    self.set[place].store(1, Relaxed);
                }
                usize::from(labelled)
            });
            back = !back;
            if grown == 0 {
                break;
            }
        }
        let left = Mutex::new(Vec::new());
        self.fence.sweep(false, |place, spot| {
            if self.has(place) {
                return 0;
            }
            left.lock().unwrap_or_else(PoisonError::into_inner).push((place, self.given(spot)));
            1
        });
        left.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Gives way where a bound does not prove itself, until all do.
pub(super) fn settle<G: StateSpace>(fence: &BoundTable<'_, G>) {
    for player in Color::BOTH {
        loop {
            let set = (0..fence.walk.len()).map(|_| AtomicU8::new(0)).collect();
            let left = Labels { fence, player, set }.close();
            if left.is_empty() {
                break;
            }
            for (place, worth) in left {
                let [low, high] = fence.of(place);
                match player {
                    Color::White => fence.set(place, [low.min(worth), high]),
                    Color::Black => fence.set(place, [low, high.max(ONE - worth)]),
                }
            }
        }
    }
}

/// Bounds of α from above and of β from below, where the others are not near each other: what does not grow under Φ when it is rounded up is not
/// below α, and what does not shrink when it is rounded down is not above β. Outside the table the lower of both bounds has to be one of β, and the
/// upper one of α. The places are in order.
pub(super) fn inner<G: StateSpace>(fence: &BoundTable<'_, G>, wide: &[usize]) -> Vec<[u64; 2]> {
    let mut found = vec![[0; 2]; wide.len()];
    fence.list(|place| wide.binary_search(&place).is_ok());
    for end in 0..2 {
        // Everywhere else the bound on the far side does: there both are as good as one.
        let far = 1 - end;
        let kept: Vec<[u64; 2]> = wide.iter().map(|place| fence.of(*place)).collect();
        for place in wide {
            let mut bounds = fence.of(*place);
            bounds[far] = bounds[end];
            fence.set(*place, bounds);
        }
        let mut back = false;
        loop {
            let moved = fence.sweep_listed(back, |listed| {
                let [most, least] = listed.reached(|place| fence.of(place));
                let mut bounds = fence.of(listed.place);
                let new = match end {
                    0 => bounds[far].max(up(most[far], least[far])),
                    _ => bounds[far].min(down(most[far], least[far])),
                };
                let moved = new != bounds[far];
                bounds[far] = new;
                fence.set(listed.place, bounds);
                usize::from(moved)
            });
            back = !back;
            if moved == 0 {
                break;
            }
        }
        for ((place, kept), found) in wide.iter().zip(kept).zip(&mut found) {
            found[end] = fence.of(*place)[far];
            fence.set(*place, kept);
        }
    }
    found
}

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
pub(crate) fn draw<G: StateSpace>(fence: &BoundTable<'_, G>, progress: &mut dyn FnMut(FourProgress)) {
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
pub(crate) fn columns<G: StateSpace, E>(
    fence: &BoundTable<'_, G>,
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
    let wide = far.iter().zip(inner(fence, &far)).zip(high).map(|((place, [alpha, beta]), high)| LargeGap {
        place: *place as u32,
        alpha: alpha.min(ONE),
        beta,
        high,
    });
    Ok(Columns { wide: wide.collect(), low, span: spans })
}
