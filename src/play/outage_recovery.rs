//! Outages: running clocks get back the time in which players could not move, because the server was down, could not write, or was paused.
//! At the start the newest records are checked for damage.

use super::{Error, GameSnapshot, Play, game_cache::LoadedGame, peers::GONE};
use crate::{
    rules::Actor,
    store::{GameRecord, StoreError},
};
use futures_util::{StreamExt, stream};
use std::{
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

/// Interval between heartbeats in the database, in milliseconds.
pub(super) const BEAT: i64 = 5_000;
/// Minimum length of an outage where other processes may be running, in milliseconds.
const SILENCE: i64 = 2 * BEAT;
/// Minimum length of an outage where no other process uses the database, in milliseconds. A clean stop leaves a last heartbeat.
const RESTART: i64 = 1_000;
/// Number of games per batch.
const BATCH: u32 = 500;
/// Number of games processed concurrently, so that they share commits.
const ABREAST: usize = 64;

/// Time without a heartbeat that counts as a pause of the process, in milliseconds.
const PAUSE: i64 = 2_000;

/// Time limit of the database check at the start.
const START_CHECK: Duration = Duration::from_secs(1);
/// Number of running games replayed in that check, newest first.
const CHECKED_GAMES: u32 = 100;

impl Play {
    /// Writes a heartbeat.
    ///
    /// # Errors
    /// `Busy` or `Full` if the database cannot be written.
    pub async fn beat(&self) -> Result<(), Error> {
        Ok(self.inner.store.record_heartbeat(self.now()).await?)
    }

    /// Detects an outage since the last heartbeat. Call it before anything else, and [`Self::resume`] after it.
    ///
    /// # Errors
    /// `Busy`, or a database error.
    pub async fn wake(&self) -> Result<(), Error> {
        let alive = self.inner.store.last_heartbeat().await?;
        let least = if self.inner.store.is_shared() { SILENCE } else { RESTART };
        // A new database has no heartbeat, so it has no outage.
        if alive > 0 && self.now() - alive >= least {
            self.inner.outages.add(alive);
        }
        Ok(())
    }

    /// Detects an outage since the last heartbeat and credits its time to all running clocks.
    ///
    /// # Errors
    /// `Busy` or `Full` if the database cannot be written; call it again.
    pub async fn resume(&self) -> Result<(), Error> {
        self.wake().await?;
        self.give_back_everywhere().await
    }

    /// Credits the time of every known outage to all running clocks, and writes a heartbeat.
    ///
    /// # Errors
    /// As [`Self::resume`].
    pub async fn give_back_everywhere(&self) -> Result<(), Error> {
        let owed = self.inner.outages.owed();
        if !owed.is_empty() {
            // Flushes the write queue, so that the list below includes the clocks of all pending writes.
            self.inner.store.probe().await?;
            let mut last = None;
            loop {
                let batch = self.inner.store.due(i64::MAX, last.as_ref(), BATCH).await?;
                self.give_back_all(batch.iter().map(|due| due.game.clone()).collect()).await?;
                match batch.into_iter().nth(BATCH as usize - 1) {
                    Some(due) => last = Some(due),
                    None => break,
                }
            }
            self.inner.outages.settle(&owed);
        }
        self.beat().await
    }

    /// Credits the time in each of these games. An unreadable game is skipped.
    async fn give_back_all(&self, ids: Vec<String>) -> Result<(), Error> {
        let one = |id: String| {
            let play = self.clone();
            async move {
                let done = play.check_clock_of(&id).await;
                (id, done)
            }
        };
        let mut all = stream::iter(ids).map(one).buffer_unordered(ABREAST);
        while let Some((id, done)) = all.next().await {
            match done {
                Err(Error::Broken(why)) => self.mark_unreadable(&id, &why),
                Err(other @ (Error::Busy | Error::Often { .. } | Error::Full(_) | Error::Away(_))) => {
                    return Err(other);
                }
                Ok(()) | Err(Error::Unknown(_) | Error::Stale { .. } | Error::Refused(_) | Error::Key(_)) => {}
            }
        }
        Ok(())
    }

    /// Credits a game with the time of its earliest uncredited outage, up to `now`. The caller holds the loaded
    /// game’s `writing` lock.
    pub(super) async fn give_back(&self, loaded: &LoadedGame, now: i64) -> Result<(), Error> {
        let table = loaded.table();
        let clocks = table.game.clocks();
        let owed = self.inner.outages.owed().into_iter().find(|from| !clocks.resumed(*from));
        let Some(from) = owed.filter(|_| clocks.next_deadline().is_some() && table.game.outcome().is_none()) else {
            return Ok(());
        };
        let mut game = table.game.copy();
        let line = game.act(Actor::Server, &format!("resume {from}"), now)?;
        self.write(loaded, game, vec![line], None).await.map(drop)
    }
}

/// Outages known to a process. Times are milliseconds since the epoch.
#[derive(Default)]
pub(super) struct Outages {
    /// Last heartbeat; `None` while the process runs no background jobs.
    heartbeat: tokio::sync::Mutex<Option<i64>>,
    /// Start times of the outages not yet credited in every game, earliest first.
    begun: Mutex<Vec<i64>>,
}

impl Outages {
    fn begun(&self) -> MutexGuard<'_, Vec<i64>> {
        self.begun.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds an outage that began at `from` and is over.
    pub(super) fn add(&self, from: i64) {
        let mut begun = self.begun();
        if let Err(place) = begun.binary_search(&from) {
            begun.insert(place, from);
        }
    }

    /// Outages whose time is still to be credited.
    pub(super) fn owed(&self) -> Vec<i64> {
        self.begun().clone()
    }

    /// Removes outages whose time has been credited in every game.
    pub(super) fn settle(&self, given: &[i64]) {
        self.begun().retain(|from| !given.contains(from));
    }
}

impl Play {
    /// Detects a pause of this process that has just ended. After the first call, every decision about a clock does so too.
    ///
    /// # Errors
    /// `Busy` or `Away` if other processes may have kept the clocks and the database cannot answer.
    pub async fn heartbeat(&self) -> Result<(), Error> {
        self.inner.outages.heartbeat.lock().await.get_or_insert_with(|| self.now());
        self.time_of_clocks().await.map(drop)
    }

    /// Stops the detection of pauses, when the background jobs end.
    pub(super) async fn stop_heartbeat(&self) {
        *self.inner.outages.heartbeat.lock().await = None;
    }

    /// Time for a decision about a clock, with all earlier pauses detected. A decision reads the time once, so a pause during it counts as
    /// later.
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

    /// Time at which any process was last alive, given the last heartbeat of this one, and the minimum length of an outage after it. Other
    /// processes that kept running during a pause have kept the clocks.
    async fn last_alive(&self, own: i64) -> Result<(i64, i64), Error> {
        let store = &self.inner.store;
        let Some(until) = store.peers_alive_until().await? else { return Ok((own, PAUSE)) };
        let alive = store.last_heartbeat().await?.max(until - GONE).max(own);
        // A live peer sends a heartbeat every two seconds and counts as dead after five.
        Ok((alive, if until >= own { GONE } else { PAUSE }))
    }
}

impl GameSnapshot {
    /// Replays a record and checks that it agrees with its row.
    ///
    /// # Errors
    /// A description of the difference.
    pub fn checked(record: GameRecord) -> Result<GameSnapshot, String> {
        let (at, lines) = (record.game.at, record.lines.len());
        if record.lines.iter().map(|line| line.at).ne(0..at) {
            return Err(format!("its row counts {at} lines, but the record has {lines}, or their numbers have gaps"));
        }
        let seats: Vec<&str> = record.seats.iter().map(|seat| seat.seat.as_str()).collect();
        if seats != ["one", "two"] {
            return Err(format!("its seats are {seats:?} instead of one and two"));
        }
        let table = GameSnapshot::of(record).map_err(|why| why.to_string())?;
        let (row, game) = (&table.row, &table.game);
        if row.ply != game.ply() as i64 {
            return Err(format!("its row counts {} steps, but its record has {}", row.ply, game.ply()));
        }
        if row.result.is_some() != game.outcome().is_some() {
            return Err(format!("its row has the result {:?}, but its record has {:?}", row.result, game.outcome()));
        }
        let due = game.clocks().next_deadline().map(|(due, _)| due);
        if row.result.is_none() && row.due != due {
            return Err(format!("its row has the deadline {:?}, but its record has {due:?}", row.due));
        }
        Ok(table)
    }
}

impl Play {
    /// Checks for damage when a server starts, for about a second, and logs the result: the pages of an SQLite database, and the records of
    /// the newest running games.
    pub async fn look_for_damage(&self) {
        let found = match self.inner.store.quick_fault(START_CHECK).await {
            Ok(None) => tokio::time::timeout(START_CHECK, self.damaged_game()).await.unwrap_or(Ok(None)),
            found => found.map_err(Error::from),
        };
        match found {
            Ok(None) => {}
            Ok(Some(fault)) => tracing::warn!(fault, "the database is damaged: run `zorkmid check`"),
            Err(error) => tracing::warn!(%error, "the database may be damaged: run `zorkmid check`"),
        }
    }

    /// First fault found in the newest running games.
    async fn damaged_game(&self) -> Result<Option<String>, Error> {
        for id in self.inner.store.newest_running(CHECKED_GAMES).await? {
            let checked = match self.inner.store.load(&id).await {
                // The game has been deleted meanwhile.
                Ok(None) => continue,
                Ok(Some(record)) => self.inner.pools.batch.run(move || GameSnapshot::checked(record).map(drop)).await?,
                Err(busy @ (StoreError::Busy | StoreError::Closed | StoreError::Disconnected(_))) => {
                    return Err(busy.into());
                }
                Err(why) => Err(why.to_string()),
            };
            if let Err(why) = checked {
                return Ok(Some(format!("game {id}: {why}")));
            }
        }
        Ok(None)
    }
}
