//! The moments that a search has seen, each with what it found there.

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

/// The table of moments; of two that come to one place the later stays, unless it was looked at less deeply.
pub(super) struct Seen<M> {
    places: Vec<Option<Sighting<M>>>,
}

impl<M: Clone> Seen<M> {
    /// The most places, as a power of two.
    const MOST: u32 = 18;

    /// A table for a search of so many moments.
    pub(super) fn for_nodes(nodes: u64) -> Self {
        let bits = (64 - nodes.leading_zeros()).clamp(8, Self::MOST);
        Seen { places: vec![None; 1 << bits] }
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
        let place = self.place(key);
        let known = self.places[place].as_ref();
        if known.is_none_or(|known| known.key != key || depth + 2 >= known.depth || bound == Bound::Exact) {
            let mv = mv.or_else(|| known.filter(|known| known.key == key).and_then(|known| known.mv.clone()));
            self.places[place] = Some(Sighting { key, depth, score, bound, mv });
        }
    }
}
