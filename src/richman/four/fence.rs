//! The bounds of all places of a table while it is solved, which several threads draw together.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

use super::{
    ONE,
    numbering::{BLOCK, Spot},
    walk::Walk,
};
use crate::board::Color;

/// Bounds are drawn together until they are so near each other, in multiples of 2⁻⁶³: what leads to such positions can come as near as is wanted.
const ENOUGH: u64 = 1024;
/// The positions that a thread takes at a time: those of two kings.
const TAKEN: usize = 1 << 12;

/// A lower and an upper bound of every place, inside the table and outside.
pub(super) struct Fence<'w> {
    pub(super) walk: &'w Walk,
    bounds: Vec<[AtomicU64; 2]>,
}

/// Half of a sum, rounded down; the numbers are at most 1 as multiples of 2⁻⁶³.
#[inline(always)]
pub(super) fn down(a: u64, b: u64) -> u64 {
    a.midpoint(b)
}

/// Half of a sum, rounded up.
#[inline(always)]
pub(super) fn up(a: u64, b: u64) -> u64 {
    (a | b) - ((a ^ b) >> 1)
}

impl<'w> Fence<'w> {
    /// Bounds of 0 and 1.
    pub(super) fn new(walk: &'w Walk) -> Fence<'w> {
        Fence { walk, bounds: (0..walk.all()).map(|_| [AtomicU64::new(0), AtomicU64::new(ONE)]).collect() }
    }

    #[inline(always)]
    pub(super) fn of(&self, place: usize) -> [u64; 2] {
        let [low, high] = &self.bounds[place];
        [low.load(Relaxed), high.load(Relaxed)]
    }

    #[inline(always)]
    pub(super) fn set(&self, place: usize, [low, high]: [u64; 2]) {
        let bounds = &self.bounds[place];
        bounds[0].store(low, Relaxed);
        bounds[1].store(high, Relaxed);
    }

    /// The bounds of the best that White can reach, and of the best that Black can.
    #[inline(always)]
    pub(super) fn reached(&self, spot: Spot) -> [[u64; 2]; 2] {
        let (mut most, mut least) = ([0; 2], [ONE; 2]);
        let better = |best: &mut [u64; 2], place: usize, pick: fn(u64, u64) -> u64| {
            let [low, high] = self.of(place);
            *best = [pick(best[0], low), pick(best[1], high)];
        };
        self.walk.options(Color::White, spot, |place| better(&mut most, place, u64::max));
        self.walk.options(Color::Black, spot, |place| better(&mut least, place, u64::min));
        [most, least]
    }

    /// Shows every position to `work`, which says how much it has found; gives back the sum. Positions come in the order of their places or
    /// from the last on, as far as one thread sees them.
    pub(super) fn sweep(&self, back: bool, work: impl Fn(usize, Spot) -> usize + Sync) -> usize {
        let (next, found) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let blocks = self.walk.len / TAKEN;
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let take = || {
            let mut own = 0;
            loop {
                let taken = next.fetch_add(1, Relaxed);
                if taken >= blocks {
                    break;
                }
                let first = TAKEN * if back { blocks - 1 - taken } else { taken };
                let numbering = &self.walk.numbering;
                let king = (first < numbering.plain()).then(|| numbering.kings()[first >> BLOCK]);
                for at in 0..TAKEN {
                    let place = first + if back { TAKEN - 1 - at } else { at };
                    let spot = match king {
                        Some(king) => {
                            Spot { squares: [king, place >> 12 & 63, place >> 6 & 63, place & 63], stepped: None }
                        }
                        None => numbering.spot(place),
                    };
                    if self.walk.stands(spot) {
                        own += work(place, spot);
                    }
                }
            }
            found.fetch_add(own, Relaxed);
        };
        std::thread::scope(|scope| {
            for _ in 1..threads {
                scope.spawn(take);
            }
            take();
        });
        found.into_inner()
    }

    /// Draws the bounds of every position together once, and says how many are still to be drawn together.
    pub(super) fn draw(&self, back: bool, near: u64) -> [usize; 2] {
        let open = AtomicUsize::new(0);
        let moved = self.sweep(back, |place, spot| {
            let [low, high] = self.of(place);
            if high - low <= near {
                return 0;
            }
            let [most, least] = self.reached(spot);
            let drawn = [low.max(down(most[0], least[0])), high.min(up(most[1], least[1]))];
            self.set(place, drawn);
            if drawn[1] - drawn[0] > ENOUGH {
                open.fetch_add(1, Relaxed);
            }
            usize::from(drawn != [low, high])
        });
        [moved, open.into_inner()]
    }
}
