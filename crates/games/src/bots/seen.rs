//! The moments that a search has seen, each with what it found there.

use super::tree::near;

/// What a kept score says of the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bound {
    /// It is the score.
    Exact,
    /// The score is at least this.
    AtLeast,
    /// The score is at most this.
    AtMost,
}

/// A moment that was seen.
#[derive(Clone, Debug)]
pub(super) struct Sighting<M> {
    key: u64,
    /// The plies that were looked ahead.
    pub(super) depth: i32,
    /// The score.
    pub(super) score: i32,
    /// What the score says.
    pub(super) bound: Bound,
    /// The best move, if there was one.
    pub(super) mv: Option<M>,
}

impl<M> Sighting<M> {
    /// The score if it decides what is asked: whether it lies above or below two bounds.
    pub(super) fn holds(&self, alpha: i32, beta: i32, ply: usize) -> Option<i32> {
        let score = near(self.score, ply);
        let holds = match self.bound {
            Bound::Exact => true,
            Bound::AtLeast => score >= beta,
            Bound::AtMost => score <= alpha,
        };
        holds.then_some(score)
    }
}

/// The table of moments; of two that come to one place the later stays, unless it was looked at less deeply. It grows with what it
/// holds, so that a short search fills no memory.
pub(super) struct Seen<M> {
    places: Vec<Option<Sighting<M>>>,
    held: usize,
}

impl<M: Clone> Seen<M> {
    /// The fewest places, as a power of two.
    const FEWEST: u32 = 10;
    /// The most places, as a power of two.
    const MOST: u32 = 20;

    /// A table that holds nothing.
    pub(super) fn new() -> Self {
        Seen { places: vec![None; 1 << Self::FEWEST], held: 0 }
    }

    fn place(&self, key: u64) -> usize {
        key as usize & (self.places.len() - 1)
    }

    /// The sighting of a moment.
    pub(super) fn find(&self, key: u64) -> Option<&Sighting<M>> {
        self.places[self.place(key)].as_ref().filter(|known| known.key == key)
    }

    /// Keeps what was found.
    pub(super) fn keep(&mut self, key: u64, depth: i32, score: i32, bound: Bound, mv: Option<M>) {
        if self.held * 2 > self.places.len() && self.places.len() < 1 << Self::MOST {
            self.grow();
        }
        let place = self.place(key);
        let known = self.places[place].as_ref();
        if known.is_none_or(|known| known.key != key || depth + 2 >= known.depth || bound == Bound::Exact) {
            self.held += usize::from(known.is_none());
            let mv = mv.or_else(|| known.filter(|known| known.key == key).and_then(|known| known.mv.clone()));
            self.places[place] = Some(Sighting { key, depth, score, bound, mv });
        }
    }

    /// Makes four times the places; no two sightings that had places of their own come to one.
    fn grow(&mut self) {
        let places = vec![None; self.places.len() * 4];
        for known in std::mem::replace(&mut self.places, places).into_iter().flatten() {
            let place = self.place(known.key);
            self.places[place] = Some(known);
        }
    }
}
