//! Earlier moments of games as they were drawn for somebody, kept within a bound. It knows no game.

use quick_cache::{Weighter, sync::Cache};
use std::sync::Arc;

/// The number of bytes of moments that are kept: those of a few hundred games.
const KEPT: u64 = 32 << 20;
/// The bytes of the moments of an ordinary game, roughly.
const USUAL: u64 = 128 << 10;

/// The moments that are kept, by the game, its version and whoever looks.
pub(super) struct Replays(Cache<String, Arc<str>, Bulk>);

#[derive(Clone)]
struct Bulk;

impl Weighter<String, Arc<str>> for Bulk {
    fn weight(&self, key: &String, moments: &Arc<str>) -> u64 {
        (key.len() + moments.len()) as u64
    }
}

impl Default for Replays {
    fn default() -> Self {
        Replays(Cache::with_weighter((KEPT / USUAL) as usize, KEPT, Bulk))
    }
}

impl Replays {
    /// What is kept under a key.
    pub(super) fn find(&self, key: &str) -> Option<Arc<str>> {
        self.0.get(key)
    }

    /// Keeps moments until others need the place.
    pub(super) fn keep(&self, key: String, moments: Arc<str>) {
        self.0.insert(key, moments);
    }
}
