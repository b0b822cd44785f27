//! Bounds of all positions of a table during solving, tightened by several threads, and the interface of a table for it: numbered positions and
//! their moves.

use std::{
    ops::Range,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed},
    },
};

use super::{
    ONE,
    candidate_moves::{Listed, Shortlist},
};
use crate::board::Color;

/// Number of positions per block. The positions of a block have something in common, such as the square of White's king. Ranges
/// passed to [`StateSpace::each`] lie within one block.
pub(crate) const BLOCK_SIZE: usize = 1 << 12;

/// A space of numbered positions that lead to each other and to indexes beyond the end of the table.
pub(crate) trait StateSpace: Sync {
    /// The pieces' squares in a position.
    type Spot: Copy;

    /// Number of indexes of the table.
    fn len(&self) -> usize;

    /// Number of all indexes, inside the table and beyond it.
    fn all(&self) -> usize;

    /// Visits the positions in a range within one block, backwards if `back` is set. Skips indexes without a position.
    fn each(&self, places: Range<usize>, back: bool, tell: impl FnMut(usize, Self::Spot));

    /// Calls `tell` with the indexes that a side's moves lead to. If a king can be captured, that is the only one. Each side always has a move.
    fn options(&self, mover: Color, spot: Self::Spot, tell: impl FnMut(usize));
}

/// Distance between the bounds, in multiples of 2⁻⁶³, above which a position counts as open in progress reports.
const OPEN_WIDTH: u64 = 1024;
/// Rounds before the moves of a block are listed.
const FIRST_LISTED_ROUND: usize = 4;
/// Rounds between two prunings of a list.
const PRUNE_INTERVAL: usize = 4;

/// A lower and an upper bound for every index, inside the table and beyond it.
pub(crate) struct BoundTable<'w, G> {
    pub(super) walk: &'w G,
    bounds: Vec<[AtomicU64; 2]>,
    /// Moves that may still be best, by block, once they are listed.
    lists: Vec<Mutex<Option<Shortlist>>>,
    /// Memory that is left for lists, in words of four bytes.
    room: AtomicUsize,
}

/// Half of a sum, rounded down. Both numbers are at most 1 in multiples of 2⁻⁶³.
#[inline(always)]
pub(super) fn down(a: u64, b: u64) -> u64 {
    a.midpoint(b)
}

/// Half of a sum, rounded up.
#[inline(always)]
pub(super) fn up(a: u64, b: u64) -> u64 {
    (a | b) - ((a ^ b) >> 1)
}

/// Number of positions that changed in a sweep, and number of open positions.
#[derive(Default)]
struct SweepResult {
    moved: usize,
    open: usize,
}

impl<'w, G: StateSpace> BoundTable<'w, G> {
    /// Bounds of 0 and 1 everywhere. `room` is the memory for lists, in words of four bytes.
    pub(crate) fn new(walk: &'w G, room: usize) -> BoundTable<'w, G> {
        BoundTable {
            walk,
            bounds: (0..walk.all()).map(|_| [AtomicU64::new(0), AtomicU64::new(ONE)]).collect(),
            lists: (0..walk.len().div_ceil(BLOCK_SIZE)).map(|_| Mutex::default()).collect(),
            room: AtomicUsize::new(room),
        }
    }

    #[inline(always)]
    pub(super) fn of(&self, place: usize) -> [u64; 2] {
        let [low, high] = &self.bounds[place];
        [low.load(Relaxed), high.load(Relaxed)]
    }

    #[inline(always)]
    pub(crate) fn set(&self, place: usize, [low, high]: [u64; 2]) {
        let bounds = &self.bounds[place];
        bounds[0].store(low, Relaxed);
        bounds[1].store(high, Relaxed);
    }

    /// Bounds of the best positions that White and Black can move to.
    #[inline(always)]
    pub(super) fn reached(&self, spot: G::Spot) -> [[u64; 2]; 2] {
        let (mut most, mut least) = ([0; 2], [ONE; 2]);
        let better = |best: &mut [u64; 2], place: usize, pick: fn(u64, u64) -> u64| {
            let [low, high] = self.of(place);
            *best = [pick(best[0], low), pick(best[1], high)];
        };
        self.walk.options(Color::White, spot, |place| better(&mut most, place, u64::max));
        self.walk.options(Color::Black, spot, |place| better(&mut least, place, u64::min));
        [most, least]
    }

    /// Distributes the blocks over all threads and adds up the results of `work`.
    fn blocks(&self, back: bool, work: impl Fn(usize) -> usize + Sync) -> usize {
        let (next, found) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let blocks = self.lists.len();
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let take = || {
            let mut own = 0;
            loop {
                let taken = next.fetch_add(1, Relaxed);
                if taken >= blocks {
                    break;
                }
                own += work(if back { blocks - 1 - taken } else { taken });
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

    /// Visits the positions of a block.
    #[inline(always)]
    fn block(&self, block: usize, back: bool, work: impl FnMut(usize, G::Spot)) {
        let first = BLOCK_SIZE * block;
        self.walk.each(first..(first + BLOCK_SIZE).min(self.walk.len()), back, work);
    }

    /// Calls `work` for every position and adds up its results. Each thread visits positions in index order, or backwards if `back` is set.
    pub(crate) fn sweep(&self, back: bool, work: impl Fn(usize, G::Spot) -> usize + Sync) -> usize {
        self.blocks(back, |block| {
            let mut found = 0;
            self.block(block, back, |place, spot| found += work(place, spot));
            found
        })
    }

    /// Tightens the bounds of every position once. Returns the numbers of changed and of open positions.
    pub(super) fn tighten(&self, round: usize) -> [usize; 2] {
        let (back, open) = (round.is_multiple_of(2), AtomicUsize::new(0));
        let moved = self.blocks(back, |block| {
            let mut list = self.lists[block].lock().unwrap_or_else(PoisonError::into_inner);
            let mut drawn = SweepResult::default();
            match &mut *list {
                Some(list) => {
                    list.each(back, |listed| {
                        self.tighten_one(listed.place, &mut drawn, || listed.reached(|place| self.of(place)))
                    });
                    if round.is_multiple_of(PRUNE_INTERVAL) {
                        let before = list.memory();
                        list.prune(|place| self.of(place));
                        list.shrink();
                        self.room.fetch_add(before - list.memory(), Relaxed);
                    }
                }
                None => {
                    self.block(block, back, |place, spot| self.tighten_one(place, &mut drawn, || self.reached(spot)));
                    if round >= FIRST_LISTED_ROUND {
                        let mut made = self.listed(block, |place| {
                            let [low, high] = self.of(place);
                            high > low
                        });
                        made.prune(|place| self.of(place));
                        made.shrink();
                        let room = |room: usize| room.checked_sub(made.memory());
                        *list = self.room.fetch_update(Relaxed, Relaxed, room).is_ok().then_some(made);
                    }
                }
            }
            open.fetch_add(drawn.open, Relaxed);
            drawn.moved
        });
        [moved, open.into_inner()]
    }

    /// Tightens the bounds of one position.
    #[inline(always)]
    fn tighten_one(&self, place: usize, drawn: &mut SweepResult, reached: impl FnOnce() -> [[u64; 2]; 2]) {
        let [low, high] = self.of(place);
        if high == low {
            return;
        }
        let [most, least] = reached();
        let new = [low.max(down(most[0], least[0])), high.min(up(most[1], least[1]))];
        self.set(place, new);
        drawn.open += usize::from(new[1] - new[0] > OPEN_WIDTH);
        drawn.moved += usize::from(new != [low, high]);
    }

    /// Lists positions of a block with all their moves.
    fn listed(&self, block: usize, wanted: impl Fn(usize) -> bool) -> Shortlist {
        let mut list = Shortlist::default();
        let (mut white, mut black) = (Vec::new(), Vec::new());
        self.block(block, false, |place, spot| {
            if wanted(place) {
                white.clear();
                black.clear();
                self.walk.options(Color::White, spot, |place| white.push(place as u32));
                self.walk.options(Color::Black, spot, |place| black.push(place as u32));
                list.push(place, &white, &black);
            }
        });
        list
    }

    /// Replaces the lists by the wanted positions with all their moves.
    pub(super) fn list(&self, wanted: impl Fn(usize) -> bool + Sync) {
        self.blocks(false, |block| {
            *self.lists[block].lock().unwrap_or_else(PoisonError::into_inner) = Some(self.listed(block, &wanted));
            0
        });
    }

    /// Calls `work` for every listed position and adds up its results.
    pub(super) fn sweep_listed(&self, back: bool, work: impl Fn(Listed<'_>) -> usize + Sync) -> usize {
        self.blocks(back, |block| {
            let mut found = 0;
            if let Some(list) = &*self.lists[block].lock().unwrap_or_else(PoisonError::into_inner) {
                list.each(back, |listed| found += work(listed));
            }
            found
        })
    }
}
