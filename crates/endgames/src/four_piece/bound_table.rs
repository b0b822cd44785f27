//! The bounds of all places of a table while it is solved, which several threads tighten together, and what a table must provide for that: numbered
//! places, and where the moves from them lead.

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

/// So many places have what lies between them in common, such as the square of White's king; nobody asks for more at a time.
pub(crate) const TAKEN: usize = 1 << 12;

/// Positions that lead to each other and out to places behind theirs.
pub(crate) trait StateSpace: Sync {
    /// Where everything stands at a place.
    type Spot: Copy;

    /// The number of places of the table.
    fn len(&self) -> usize;

    /// The number of all places, inside and outside.
    fn all(&self) -> usize;

    /// Shows the positions at some of the places that are taken together, from the first on or from the last; on other places there is none.
    fn each(&self, places: Range<usize>, back: bool, tell: impl FnMut(usize, Self::Spot));

    /// Tells the places that the moves of a side lead to. Where a king can be captured nothing else is told. Either side can always move.
    fn options(&self, mover: Color, spot: Self::Spot, tell: impl FnMut(usize));
}

/// Bounds that are farther from each other, in multiples of 2⁻⁶³, are told to be open still.
const ENOUGH: u64 = 1024;
/// What was drawn together so often is listed.
const LISTED: usize = 4;
/// Lists are looked through after so many times.
const PRUNED: usize = 4;

/// A lower and an upper bound of every place, inside the table and outside.
pub(crate) struct BoundTable<'w, G> {
    pub(super) walk: &'w G,
    bounds: Vec<[AtomicU64; 2]>,
    /// What is still to be drawn together among the positions that a thread takes at a time, once that is listed.
    lists: Vec<Mutex<Option<Shortlist>>>,
    /// The room that is left for lists.
    room: AtomicUsize,
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

/// How many positions a sweep has moved, and how many are still open.
#[derive(Default)]
struct SweepResult {
    moved: usize,
    open: usize,
}

impl<'w, G: StateSpace> BoundTable<'w, G> {
    /// Bounds of 0 and 1. Lists may take so many places of four bytes.
    pub(crate) fn new(walk: &'w G, room: usize) -> BoundTable<'w, G> {
        BoundTable {
            walk,
            bounds: (0..walk.all()).map(|_| [AtomicU64::new(0), AtomicU64::new(ONE)]).collect(),
            lists: (0..walk.len().div_ceil(TAKEN)).map(|_| Mutex::default()).collect(),
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

    /// The bounds of the best that White can reach, and of the best that Black can.
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

    /// Gives every block of positions to one of all threads, and adds up what `work` finds.
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

    /// Shows the positions of a block.
    #[inline(always)]
    fn block(&self, block: usize, back: bool, work: impl FnMut(usize, G::Spot)) {
        let first = TAKEN * block;
        self.walk.each(first..(first + TAKEN).min(self.walk.len()), back, work);
    }

    /// Shows every position to `work`, which says how much it has found; gives back the sum. Positions come in the order of their places or
    /// from the last on, as far as one thread sees them.
    pub(crate) fn sweep(&self, back: bool, work: impl Fn(usize, G::Spot) -> usize + Sync) -> usize {
        self.blocks(back, |block| {
            let mut found = 0;
            self.block(block, back, |place, spot| found += work(place, spot));
            found
        })
    }

    /// Draws the bounds of every position together once, and says how many have moved and how many are still far from each other.
    pub(super) fn draw(&self, round: usize) -> [usize; 2] {
        let (back, open) = (round.is_multiple_of(2), AtomicUsize::new(0));
        let moved = self.blocks(back, |block| {
            let mut list = self.lists[block].lock().unwrap_or_else(PoisonError::into_inner);
            let mut drawn = SweepResult::default();
            match &mut *list {
                Some(list) => {
                    list.each(back, |listed| {
                        self.pull(listed.place, &mut drawn, || listed.reached(|place| self.of(place)))
                    });
                    if round.is_multiple_of(PRUNED) {
                        let before = list.room();
                        list.prune(|place| self.of(place));
                        list.shrink();
                        self.room.fetch_add(before - list.room(), Relaxed);
                    }
                }
                None => {
                    self.block(block, back, |place, spot| self.pull(place, &mut drawn, || self.reached(spot)));
                    if round >= LISTED {
                        let mut made = self.listed(block, |place| {
                            let [low, high] = self.of(place);
                            high > low
                        });
                        made.prune(|place| self.of(place));
                        made.shrink();
                        let room = |room: usize| room.checked_sub(made.room());
                        *list = self.room.fetch_update(Relaxed, Relaxed, room).is_ok().then_some(made);
                    }
                }
            }
            open.fetch_add(drawn.open, Relaxed);
            drawn.moved
        });
        [moved, open.into_inner()]
    }

    /// Draws the bounds of one position together.
    #[inline(always)]
    fn pull(&self, place: usize, drawn: &mut SweepResult, reached: impl FnOnce() -> [[u64; 2]; 2]) {
        let [low, high] = self.of(place);
        if high == low {
            return;
        }
        let [most, least] = reached();
        let new = [low.max(down(most[0], least[0])), high.min(up(most[1], least[1]))];
        self.set(place, new);
        drawn.open += usize::from(new[1] - new[0] > ENOUGH);
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

    /// Lists positions with all their moves, and nothing else.
    pub(super) fn list(&self, wanted: impl Fn(usize) -> bool + Sync) {
        self.blocks(false, |block| {
            *self.lists[block].lock().unwrap_or_else(PoisonError::into_inner) = Some(self.listed(block, &wanted));
            0
        });
    }

    /// Shows what is listed to `work`, which says how much it has found; gives back the sum.
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
