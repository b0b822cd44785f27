//! Bounds that prove themselves. Starting from 0 and 1, bounds are tightened until none changes. The result does not depend on the order of the
//! positions.
//!
//! A lower bound y is proved if every position with y > 0 has a label. Positions with y = 0 and positions outside the table have the label 0. Any
//! other position has a label if White has a move m to a labelled position with y(m) + min over Black's moves ≥ 2 y. It also has one if all of
//! Black's moves lead to labelled positions and White has some move with that sum. White plays these moves and so keeps y on average. From every
//! labelled position there is a run of coin tosses of bounded length after which the game is outside the table or y = 0. Such a run occurs with
//! probability 1, so y ≤ α. For upper bounds the same holds with colours reversed. This is Proposition 2 of U. Larsson and J. Wästlund, “Endgames
//! in bidding chess”, with ≥ in place of =.
//!
//! A rounded bound may miss its label by the last bit. Such bounds are loosened until every position has a label.

use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicU8, Ordering::Relaxed},
};

use super::{
    NARROW, ONE,
    bound_table::{BLOCK_SIZE, BoundTable, StateSpace, down, up},
    columns::{Columns, LargeGap, span},
};
use crate::board::Color;

/// Labels of one player. Non-zero means labelled.
struct Labels<'f, 'w, G> {
    table: &'f BoundTable<'w, G>,
    player: Color,
    set: Vec<AtomicU8>,
}

impl<G: StateSpace> Labels<'_, '_, G> {
    /// The player's own bound, as a chance of the player.
    #[inline(always)]
    fn worth(&self, place: usize) -> u64 {
        let [low, high] = self.table.of(place);
        match self.player {
            Color::White => low,
            Color::Black => ONE - high,
        }
    }

    #[inline(always)]
    fn has(&self, place: usize) -> bool {
        place >= self.set.len() || self.set[place].load(Relaxed) != 0 || self.worth(place) == 0
    }

    /// Least worth after a move of the opponent, and whether all the opponent's moves lead to labelled positions.
    #[inline(always)]
    fn other(&self, spot: G::Spot) -> (u64, bool) {
        let (mut least, mut all) = (ONE, true);
        self.table.walk.options(!self.player, spot, |place| {
            least = least.min(self.worth(place));
            all &= self.has(place);
        });
        (least, all)
    }

    /// Largest worth of a position that moves to labelled positions justify.
    fn provable_worth(&self, spot: G::Spot) -> u64 {
        let (least, all) = self.other(spot);
        let mut most = None;
        self.table.walk.options(self.player, spot, |place| {
            if all || self.has(place) {
                most = most.max(Some(self.worth(place)));
            }
        });
        most.map_or(0, |most| down(most, least))
    }

    /// Labels positions until no more follow. Returns the unlabelled ones with the worth that can be justified.
    fn label_all(&self) -> Vec<(usize, u64)> {
        let mut back = false;
        loop {
            let grown = self.table.sweep(back, |place, spot| {
                let labelled = !self.has(place) && self.provable_worth(spot) >= self.worth(place);
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
        self.table.sweep(false, |place, spot| {
            if self.has(place) {
                return 0;
            }
            left.lock().unwrap_or_else(PoisonError::into_inner).push((place, self.provable_worth(spot)));
            1
        });
        left.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Loosens bounds that do not prove themselves until all do.
pub(super) fn loosen<G: StateSpace>(fence: &BoundTable<'_, G>) {
    for player in Color::BOTH {
        loop {
            let set = (0..fence.walk.len()).map(|_| AtomicU8::new(0)).collect();
            let left = Labels { table: fence, player, set }.label_all();
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

/// Bounds of α from above and of β from below, for the positions with wide bounds, which are given in order. A function that does not grow under Φ
/// rounded up is nowhere below α. One that does not shrink under Φ rounded down is nowhere above β. Beyond the end of the table, the lower bound
/// must be one of β and the upper bound one of α.
pub(super) fn inner<G: StateSpace>(fence: &BoundTable<'_, G>, wide: &[usize]) -> Vec<[u64; 2]> {
    let mut found = vec![[0; 2]; wide.len()];
    fence.list(|place| wide.binary_search(&place).is_ok());
    for end in 0..2 {
        // Elsewhere the bounds are narrow, and the opposite bound serves.
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

/// Progress of solving a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FourProgress {
    /// Number of sweeps over all positions.
    pub round: usize,
    /// Number of positions whose bounds are still far apart.
    pub open: usize,
    /// Number of positions.
    pub positions: usize,
}

/// Tightens bounds until none changes.
pub(crate) fn tighten<G: StateSpace>(fence: &BoundTable<'_, G>, progress: &mut dyn FnMut(FourProgress)) {
    let positions = fence.sweep(false, |_, _| 1);
    for round in 1.. {
        let [moved, open] = fence.tighten(round);
        progress(FourProgress { round, open, positions });
        if moved == 0 {
            break;
        }
    }
}

/// Turns tightened bounds into bounds that prove themselves. `between` replaces the bounds beyond the end of the table by bounds that lie
/// between α and β: the lower one of β, the upper one of α.
///
/// # Errors
/// Those of `between`.
pub(crate) fn columns<G: StateSpace, E>(
    fence: &BoundTable<'_, G>,
    between: impl FnOnce() -> Result<(), E>,
) -> Result<Columns, E> {
    loosen(fence);
    let places = fence.walk.len();
    let (mut low, mut spans, mut far) = (vec![0; places], vec![0; places], Vec::new());
    for first in (0..places).step_by(BLOCK_SIZE) {
        fence.walk.each(first..(first + BLOCK_SIZE).min(places), false, |place, _| {
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
