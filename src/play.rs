//! What can happen to a game; the only place that draws chance. It knows no HTTP.

use crate::{board::Position, rules::bookie};
use rand::Rng;
use std::sync::{Mutex, PoisonError};

/// The table at which chance is drawn.
pub struct Play {
    chance: Mutex<Box<dyn Rng + Send>>,
}

impl Play {
    /// A table whose every draw comes from `chance`.
    pub fn new(chance: impl Rng + Send + 'static) -> Self {
        Play { chance: Mutex::new(Box::new(chance)) }
    }

    /// Deals a whole board of Bookie Chess, White to move.
    pub fn bookie_board(&self) -> Result<Position, bookie::DealError> {
        // A generator cannot be left half drawn by a panic elsewhere: it is as good as before.
        let mut chance = self.chance.lock().unwrap_or_else(PoisonError::into_inner);
        bookie::generate(&mut **chance)
    }
}
