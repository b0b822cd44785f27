//! What the tables have to do at a moment, in numbers, for whoever watches over the server. It names no game.

use std::sync::PoisonError;

use prometheus_client::metrics::histogram::Histogram;

use super::{Play, Pool, Pools};

/// What the tables have to do at a moment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Load {
    /// Games in memory.
    pub games: usize,
    /// Games whose records could not be read since the start, so that nobody judges their clocks.
    pub unreadable: usize,
    /// Games in which a bot has been asked and does not think yet.
    pub bots_waiting: usize,
    /// Bots that think.
    pub bots_thinking: usize,
    /// Jobs that wait in the pools: of games, of look-ups, of batch work.
    pub pools_waiting: [usize; 3],
}

impl Play {
    /// Counts what there is to do.
    pub fn load(&self) -> Load {
        let unreadable = self.inner.unreadable.lock().unwrap_or_else(PoisonError::into_inner).len();
        let bots_thinking = self.inner.bots.thinking();
        let bots_waiting = self.inner.bots.asked().saturating_sub(bots_thinking);
        let Pools { games, lookups, batch } = &*self.inner.pools;
        let pools_waiting = [games, lookups, batch].map(Pool::waiting);
        Load { games: self.inner.loaded.count(), unreadable, bots_waiting, bots_thinking, pools_waiting }
    }

    /// The times from the question to a bot to its answer on the disk, in seconds.
    pub fn answer_times(&self) -> Histogram {
        self.inner.bots.answers.clone()
    }
}
