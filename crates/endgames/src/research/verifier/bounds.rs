//! The proof of bounds that a file tells, whatever pieces it is of.
//!
//! For every position it is checked in whole numbers that
//!
//! 1. it has a white label, unless its lower bound y is 0: White has a move to a labelled position, or all black moves lead to such, and with it
//!    y(that move) + min over Black's moves ≥ 2 y. So y ≤ α (U. Larsson and J. Wästlund, “Endgames in bidding chess”, Proposition 2, with ≥ for =);
//! 2. with the colours changed the same of its upper bound, so that β is not above it;
//! 3. where the two are far from each other, what is said to bound α from above does not grow, and what is said to bound β from below does not
//!    shrink, when the best moves of both sides are averaged.

use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicU8, AtomicUsize, Ordering::Relaxed},
};

use super::file::ONE;

/// Where a move leads: a place of the file, or bounds outside it.
#[derive(Clone, Copy)]
pub(super) enum Lead {
    Inside(usize),
    /// Exact values, or where a king is gone.
    Outside([u64; 2]),
    /// Of another file: beside the bounds what β is not below and what α is not above.
    Enclosed([u64; 2], [u64; 2]),
}

/// A file with the moves of its positions.
pub(super) trait Proving: Sync {
    /// The bounds of all places.
    fn bounds(&self) -> &[[u64; 2]];

    /// The places whose bounds are far apart, with what α is not above and what β is not below.
    fn apart(&self) -> &[(usize, [u64; 2])];

    /// Tells whether there is a position at a place.
    fn stands(&self, place: usize) -> bool;

    /// Where the moves of both sides lead, White's first.
    fn options(&self, place: usize) -> Result<[Vec<Lead>; 2], String>;

    /// A position in words: `K a1, k d5, R c3, B h8`.
    fn told(&self, place: usize) -> String;

    /// Shows every position of the file to `work`, from several threads.
    fn each(&self, work: impl Fn(usize) -> Result<(), String> + Sync) -> Result<(), String> {
        let (next, wrong) = (AtomicUsize::new(0), Mutex::new(None));
        let take = || loop {
            let first = next.fetch_add(4096, Relaxed);
            if first >= self.bounds().len() {
                return;
            }
            let last = (first + 4096).min(self.bounds().len());
            for place in (first..last).filter(|place| self.stands(*place)) {
                if let Err(why) = work(place) {
                    *wrong.lock().unwrap_or_else(PoisonError::into_inner) =
                        Some(format!("{}: {why}", self.told(place)));
                    next.store(self.bounds().len(), Relaxed);
                    return;
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
                scope.spawn(take);
            }
        });
        wrong.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
    }

    /// Finds a label for every position, for White or for Black, whose bounds are turned into chances of that side.
    fn labelled(&self, white: bool) -> Result<(), String> {
        let chance = |[low, high]: [u64; 2]| if white { low } else { ONE - high };
        let labels: Vec<AtomicU8> = self.bounds().iter().map(|_| AtomicU8::new(0)).collect();
        let worth = |found: Lead| match found {
            Lead::Inside(place) => chance(self.bounds()[place]),
            Lead::Outside(bounds) | Lead::Enclosed(bounds, _) => chance(bounds),
        };
        let has = |found: Lead| match found {
            Lead::Inside(place) => labels[place].load(Relaxed) == 1 || chance(self.bounds()[place]) == 0,
            Lead::Outside(_) | Lead::Enclosed(..) => true,
        };
        let mut open = usize::MAX;
        loop {
            let left = AtomicUsize::new(0);
            self.each(|place| {
                if has(Lead::Inside(place)) {
                    return Ok(());
                }
                let [mut own, mut other] = self.options(place)?;
                if !white {
                    std::mem::swap(&mut own, &mut other);
                }
                let least = other.iter().map(|found| worth(*found)).min().ok_or("the other side has no move")?;
                let all = other.iter().all(|found| has(*found));
                let here = u128::from(chance(self.bounds()[place])) * 2;
                let keeps = |found: &Lead| u128::from(worth(*found)) + u128::from(least) >= here;
                if own.iter().any(|found| (all || has(*found)) && keeps(found)) {
                    labels[place].store(1, Relaxed);
                } else {
                    left.fetch_add(1, Relaxed);
                }
                Ok(())
            })?;
            match left.into_inner() {
                0 => return Ok(()),
                now if now == open => break,
                now => open = now,
            }
        }
        let name = if white { "lower" } else { "upper" };
        self.each(|place| match has(Lead::Inside(place)) {
            true => Ok(()),
            false => Err(format!("nothing proves the {name} bound of this position, and of {} others", open - 1)),
        })
    }

    /// Checks what is said between bounds that are far from each other.
    fn between(&self) -> Result<(), String> {
        for (place, [alpha, beta]) in self.apart() {
            let [low, high] = self.bounds()[*place];
            if !(low <= *alpha && *beta <= high) {
                return Err(format!("{}: a bound lies beyond its neighbour", self.told(*place)));
            }
        }
        for end in [1, 0] {
            let mut inside: Vec<u64> = self.bounds().iter().map(|bounds| bounds[end]).collect();
            for (place, said) in self.apart() {
                inside[*place] = said[1 - end];
            }
            let worth = |found: &Lead| match found {
                Lead::Inside(place) => inside[*place],
                Lead::Outside(bounds) | Lead::Enclosed(_, bounds) => bounds[end],
            };
            for (place, _) in self.apart() {
                let [white, black] = self.options(*place)?;
                let (most, least) = (white.iter().map(worth).max(), black.iter().map(worth).min());
                let mean = u128::from(most.unwrap_or_default()) + u128::from(least.unwrap_or_default());
                let said = u128::from(inside[*place]) * 2;
                if end == 1 && said < mean {
                    return Err(format!("{}: what bounds α from above grows", self.told(*place)));
                }
                if end == 0 && said > mean {
                    return Err(format!("{}: what bounds β from below shrinks", self.told(*place)));
                }
            }
        }
        Ok(())
    }

    /// Proves everything, and gives the number of positions.
    fn proved(&self) -> Result<usize, String> {
        self.between()?;
        self.labelled(true)?;
        self.labelled(false)?;
        let positions = AtomicUsize::new(0);
        self.each(|_| {
            positions.fetch_add(1, Relaxed);
            Ok(())
        })?;
        Ok(positions.into_inner())
    }
}
