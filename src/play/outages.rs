//! Outages: spans for which nobody could play. The server was down, could not write, or its process was paused, as by SIGSTOP or by a
//! computer that sleeps. A process notices its own pause by a heartbeat: the last time at which it read its clock.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::{Error, Play, crew::GONE};

/// Milliseconds without a heartbeat from which on the process was paused.
const PAUSE: i64 = 2_000;

/// What a process knows of outages. Times are milliseconds since the epoch.
#[derive(Default)]
pub(super) struct Outages {
    /// The last heartbeat; none while the process does no chores.
    heartbeat: tokio::sync::Mutex<Option<i64>>,
    /// The beginnings of the outages that are not yet given back in every game, the earliest first.
    begun: Mutex<Vec<i64>>,
}

impl Outages {
    fn begun(&self) -> MutexGuard<'_, Vec<i64>> {
        self.begun.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes an outage that began at `from` and is over.
    pub(super) fn add(&self, from: i64) {
        let mut begun = self.begun();
        if let Err(place) = begun.binary_search(&from) {
            begun.insert(place, from);
        }
    }

    /// The outages that are to be given back.
    pub(super) fn owed(&self) -> Vec<i64> {
        self.begun().clone()
    }

    /// Notes that these outages were given back in every game.
    pub(super) fn settle(&self, given: &[i64]) {
        self.begun().retain(|from| !given.contains(from));
    }
}

impl Play {
    /// Notices a pause of this process that has just ended. From the first call on every decision about a clock does so too.
    ///
    /// # Errors
    /// `Busy` or `Away` where other processes may have kept the clocks and the record cannot say.
    pub async fn heartbeat(&self) -> Result<(), Error> {
        self.inner.outages.heartbeat.lock().await.get_or_insert_with(|| self.now());
        self.time_of_clocks().await.map(drop)
    }

    /// Notices no more pauses: the chores of this process are over.
    pub(super) async fn stop_heartbeat(&self) {
        *self.inner.outages.heartbeat.lock().await = None;
    }

    /// The time for a decision about a clock, after which no pause before it is unnoticed. A decision reads the time once: a pause in the
    /// midst of it then counts as after it.
    pub(super) async fn time_of_clocks(&self) -> Result<i64, Error> {
        let mut heartbeat = self.inner.outages.heartbeat.lock().await;
        let now = self.now();
        let Some(last) = *heartbeat else { return Ok(now) };
        if now - last >= PAUSE {
            let (from, shortest) = self.last_alive(last).await?;
            let given_back = now - from >= shortest;
            if given_back {
                self.inner.outages.add(from);
            }
            tracing::warn!(milliseconds = now - last, given_back, "this process was paused");
        }
        *heartbeat = Some(now.max(last));
        Ok(now)
    }

    /// When any process was last alive, given when this one was, and the shortest time after that which is an outage. Where other processes
    /// went on meanwhile they kept the clocks.
    async fn last_alive(&self, own: i64) -> Result<(i64, i64), Error> {
        let store = &self.inner.store;
        let Some(until) = store.others_until().await? else { return Ok((own, PAUSE)) };
        let alive = store.alive().await?.max(until - GONE).max(own);
        // Another process that was there when this one paused says so every two seconds, and is gone after five.
        Ok((alive, if until >= own { GONE } else { PAUSE }))
    }
}
