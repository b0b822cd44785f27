//! Outages: the clocks of running games get the time back for which nobody could play. The server was down, could not write, or its process
//! was paused. At the start the newest records are checked for damage.

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

/// A server that runs leaves a sign of life this often, in milliseconds.
pub(super) const BEAT: i64 = 5_000;
/// A silence that is shorter is no outage where other processes may be there, in milliseconds.
const SILENCE: i64 = 2 * BEAT;
/// The same where the record is this process' own: then nobody was there since the sign of life that a stop leaves.
const RESTART: i64 = 1_000;
/// The number of games that are looked at in one go.
const BATCH: u32 = 500;
/// The number of games that are looked at side by side, so that they share what the disk costs.
const ABREAST: usize = 64;

/// Milliseconds without a heartbeat from which on the process was paused.
const PAUSE: i64 = 2_000;

/// The time for a look at the database when a server starts.
const START_CHECK: Duration = Duration::from_secs(1);
/// The running games that are played again then, the newest ones.
const CHECKED_GAMES: u32 = 100;

impl Play {
    /// Leaves a sign of life.
    ///
    /// # Errors
    /// `Busy` or `Full` where nothing can be written.
    pub async fn beat(&self) -> Result<(), Error> {
        Ok(self.inner.store.beat(self.now()).await?)
    }

    /// Learns how long nobody was there: to be called before anything else is done, and [`Self::resume`] after it.
    ///
    /// # Errors
    /// `Busy` as every question to the record.
    pub async fn wake(&self) -> Result<(), Error> {
        let alive = self.inner.store.alive().await?;
        let least = if self.inner.store.is_shared() { SILENCE } else { RESTART };
        // A record that nobody has written to yet was not interrupted.
        if alive > 0 && self.now() - alive >= least {
            self.inner.outages.add(alive);
        }
        Ok(())
    }

    /// Learns how long nobody was there, and gives that time back in every game whose clock ran.
    ///
    /// # Errors
    /// `Busy` or `Full` where nothing can be written: it is to be called again.
    pub async fn resume(&self) -> Result<(), Error> {
        self.wake().await?;
        self.give_back_everywhere().await
    }

    /// Gives the time of every outage back in every game whose clock ran, and leaves a sign of life.
    ///
    /// # Errors
    /// As [`Self::resume`].
    pub async fn give_back_everywhere(&self) -> Result<(), Error> {
        let owed = self.inner.outages.owed();
        if !owed.is_empty() {
            // What was to be written before is then in the record, and its clock in the list below.
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

    /// Gives the time back in each of some games. One that cannot be read keeps nobody from the others.
    async fn give_back_all(&self, ids: Vec<String>) -> Result<(), Error> {
        let one = |id: String| {
            let play = self.clone();
            async move {
                let done = play.flag_one(&id).await;
                (id, done)
            }
        };
        let mut all = stream::iter(ids).map(one).buffer_unordered(ABREAST);
        while let Some((id, done)) = all.next().await {
            match done {
                Err(Error::Broken(why)) => self.pass_over(&id, &why),
                Err(other @ (Error::Busy | Error::Often { .. } | Error::Full(_) | Error::Away(_))) => {
                    return Err(other);
                }
                Ok(()) | Err(Error::Unknown(_) | Error::Stale { .. } | Error::Refused(_) | Error::Key(_)) => {}
            }
        }
        Ok(())
    }

    /// Gives a game the time of the earliest outage back that it has not had, up to `now`. The loaded game’s `writing` is held.
    pub(super) async fn give_back(&self, loaded: &LoadedGame, now: i64) -> Result<(), Error> {
        let table = loaded.table();
        let clocks = table.game.clocks();
        let owed = self.inner.outages.owed().into_iter().find(|from| !clocks.resumed(*from));
        let Some(from) = owed.filter(|_| clocks.due().is_some() && table.game.outcome().is_none()) else {
            return Ok(());
        };
        let mut game = table.game.copy();
        let line = game.act(Actor::Server, &format!("resume {from}"), now)?;
        self.write(loaded, game, vec![line], None).await.map(drop)
    }
}

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

impl GameSnapshot {
    /// Plays a record again, and says where the record and its row differ.
    pub fn checked(record: GameRecord) -> Result<GameSnapshot, String> {
        let (at, lines) = (record.game.at, record.lines.len());
        if record.lines.iter().map(|line| line.at).ne(0..at) {
            return Err(format!("its row counts {at} lines, and {lines} are there or their numbers have gaps"));
        }
        let seats: Vec<&str> = record.seats.iter().map(|seat| seat.seat.as_str()).collect();
        if seats != ["one", "two"] {
            return Err(format!("it has the seats {seats:?}"));
        }
        let table = GameSnapshot::of(record).map_err(|why| why.to_string())?;
        let (row, game) = (&table.row, &table.game);
        if row.ply != game.ply() as i64 {
            return Err(format!("its row counts {} steps, and its record {}", row.ply, game.ply()));
        }
        if row.result.is_some() != game.outcome().is_some() {
            return Err(format!("its row has the result {:?}, and its record {:?}", row.result, game.outcome()));
        }
        let due = game.clocks().due().map(|(due, _)| due);
        if row.result.is_none() && row.due != due {
            return Err(format!("its row has the deadline {:?}, and its record {due:?}", row.due));
        }
        Ok(table)
    }
}

impl Play {
    /// Looks for damage for about a second, when a server starts, and logs what it finds: at the pages of an SQLite database, and at the
    /// records of the newest running games.
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

    /// A fault of one of the newest running games.
    async fn damaged_game(&self) -> Result<Option<String>, Error> {
        for id in self.inner.store.newest_running(CHECKED_GAMES).await? {
            let checked = match self.inner.store.load(&id).await {
                // It was deleted meanwhile.
                Ok(None) => continue,
                Ok(Some(record)) => self.inner.pools.batch.run(move || GameSnapshot::checked(record).map(drop)).await?,
                Err(busy @ (StoreError::Busy | StoreError::Closed | StoreError::Away(_))) => return Err(busy.into()),
                Err(why) => Err(why.to_string()),
            };
            if let Err(why) = checked {
                return Ok(Some(format!("game {id}: {why}")));
            }
        }
        Ok(None)
    }
}
