//! Proves the bounds in a file, for any material.
//!
//! For every position, the proof checks in whole numbers that
//!
//! 1. it has a white label, or its lower bound y is 0. A position has a label if White has a move m with y(m) + min over Black's moves ≥ 2 y, where m
//!    leads to a labelled position or all of Black's moves do. So y ≤ α (U. Larsson and J. Wästlund, “Endgames in bidding chess”, Proposition 2, with
//!    ≥ in place of =).
//! 2. the same holds for its upper bound with colours reversed, so that β is at most this bound.
//! 3. where the bounds are wide, the upper bound of α is at least the mean of the best moves of both sides, and the lower bound of
//!    β is at most that mean.

use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicU8, AtomicUsize, Ordering::Relaxed},
};

use super::file::ONE;

/// Target of a move: an index of the file, or bounds outside it.
#[derive(Clone, Copy)]
pub(super) enum Lead {
    Inside(usize),
    /// Exact values, or the end of the game.
    Outside([u64; 2]),
    /// Bounds from another file: the outer ones (of α from below, of β from above) and the inner ones (of β from below, of α from above).
    Enclosed([u64; 2], [u64; 2]),
}

/// A file and the moves of its positions.
pub(super) trait Proving: Sync {
    /// Outer bounds by index.
    fn bounds(&self) -> &[[u64; 2]];

    /// Positions with wide bounds: the index, the upper bound of α and the lower bound of β.
    fn apart(&self) -> &[(usize, [u64; 2])];

    /// Returns whether there is a position at an index.
    fn stands(&self, place: usize) -> bool;

    /// Targets of the moves of White and of Black.
    fn options(&self, place: usize) -> Result<[Vec<Lead>; 2], String>;

    /// Text of a position: `K a1, k d5, R c3, B h8`.
    fn describe(&self, place: usize) -> String;

    /// Calls `work` for every position of the file, from several threads.
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
                        Some(format!("{}: {why}", self.describe(place)));
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

    /// Finds a label of White or of Black for every position. Bounds are converted to chances of that side.
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
                let least = other.iter().map(|found| worth(*found)).min().ok_or("the opponent has no move")?;
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
            false => {
                Err(format!("the {name} bound of this position is not proved, nor are those of {} others", open - 1))
            }
        })
    }

    /// Checks the inner bounds of positions with wide bounds.
    fn between(&self) -> Result<(), String> {
        for (place, [alpha, beta]) in self.apart() {
            let [low, high] = self.bounds()[*place];
            if !(low <= *alpha && *beta <= high) {
                return Err(format!("{}: the bounds are out of order", self.describe(*place)));
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
                    return Err(format!(
                        "{}: the upper bound of α is below the mean of the best moves",
                        self.describe(*place)
                    ));
                }
                if end == 0 && said > mean {
                    return Err(format!(
                        "{}: the lower bound of β is above the mean of the best moves",
                        self.describe(*place)
                    ));
                }
            }
        }
        Ok(())
    }

    /// Proves everything and returns the number of positions.
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
