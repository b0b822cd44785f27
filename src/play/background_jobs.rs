//! Recurring jobs of a process: heartbeats, expired clocks, bots, the lobby, measurements, and deletion of old games. A job that fails is
//! logged and tried again.

use super::{ActionResult, Error, Play, game_cache::LoadedGame, outage_recovery::BEAT, peers::ATTEND};
use crate::{rules::Actor, store::Purge};
use futures_util::{FutureExt, future::BoxFuture};
use std::{sync::PoisonError, time::Duration};
use tokio::time::{self, MissedTickBehavior};
use tokio_util::sync::CancellationToken;

/// Flags are looked at this often.
const FLAGS: Duration = Duration::from_millis(500);
/// Bots that nobody thinks for are looked for at least this often.
const BOTS: Duration = Duration::from_secs(1);
/// What is to be measured is looked for this often.
const MEASURE: Duration = Duration::from_secs(10);
/// Games that are over and wait to be looked back at are looked for this often.
const REVIEW: Duration = Duration::from_secs(1);
/// The lobby is tidied this often.
const TIDY: Duration = Duration::from_secs(60);

/// The number of overdue games that are looked at in one go.
const OVERDUE_BATCH: u32 = 100;

/// The number of games that are deleted in one go: they are written about in one commit, and others wait for it.
const PURGE_BATCH: u32 = 50;

impl Play {
    /// Does all chores until `closing` is cancelled; then leaves what needs doing to the others. Games are kept for so many milliseconds
    /// after anything has happened in them; none for ever.
    pub fn do_chores<'a>(&'a self, keep: Option<i64>, closing: &'a CancellationToken) -> BoxFuture<'a, ()> {
        async move {
            let attend = Duration::from_millis(ATTEND.unsigned_abs());
            let chores = async {
                tokio::join!(
                    self.follow_others(),
                    self.watch_clocks(),
                    self.call_bots(),
                    every(FLAGS, "the heartbeat", || self.heartbeat()),
                    every(attend, "the other processes", || self.attend_after_pauses()),
                    every(MEASURE, "what is to be measured", || self.resume_measuring()),
                    every(REVIEW, "what is to be looked back at", || self.review_waiting()),
                    every(TIDY, "the lobby", || self.expire()),
                    every(TIDY, "old games", || self.purge(keep)),
                    every(TIDY, "games that nobody uses", || async {
                        self.let_go();
                        Ok(())
                    }),
                )
            };
            closing.run_until_cancelled(chores).await;
            let gone = self.end_chores().await;
            if let Err(error) = gone {
                tracing::warn!(%error, "the next start takes this stop for an earlier one");
            }
        }
        .boxed()
    }

    /// Leaves the last sign of life. Where an outage is not yet given back it leaves none: the next start gives that time back.
    async fn end_chores(&self) -> Result<(), Error> {
        self.heartbeat().await?;
        self.stop_heartbeat().await;
        if self.inner.outages.owed().is_empty() {
            self.beat().await?;
        }
        self.leave().await
    }

    /// Says that this process is there, but not before the time of an outage is given back: of two processes that were paused together, one
    /// would otherwise take the other for one that kept the clocks.
    async fn attend_after_pauses(&self) -> Result<(), Error> {
        self.heartbeat().await?;
        if self.inner.outages.owed().is_empty() { self.attend().await } else { Ok(()) }
    }

    /// Gives back the time of an outage; then lets flags fall, and leaves a sign of life now and then. Where that cannot be written, nobody
    /// can play: that is an outage too.
    async fn watch_clocks(&self) {
        let mut tick = ticks(FLAGS);
        let mut beaten = None;
        loop {
            tick.tick().await;
            told("the clocks", self.watch_clocks_once(&mut beaten).await);
        }
    }

    async fn watch_clocks_once(&self, beaten: &mut Option<i64>) -> Result<(), Error> {
        self.heartbeat().await?;
        let now = self.now();
        match *beaten {
            None => self.resume().await?,
            Some(_) if !self.inner.outages.owed().is_empty() => self.give_back_everywhere().await?,
            Some(last) if now - last >= BEAT => {
                *beaten = None;
                self.beat().await?;
            }
            Some(_) => return self.flag_all().await,
        }
        *beaten = Some(now);
        Ok(())
    }

    /// Lets bots answer as soon as it is known that they wait.
    async fn call_bots(&self) {
        let mut tick = ticks(BOTS);
        loop {
            tokio::select! {
                () = self.poked() => {}
                _ = tick.tick() => {}
            }
            told("the bots", self.attend_bots().await);
        }
    }
}

/// Does a chore again and again.
async fn every<F: Future<Output = Result<(), Error>>>(period: Duration, what: &str, chore: impl Fn() -> F) {
    let mut tick = ticks(period);
    loop {
        tick.tick().await;
        told(what, chore().await);
    }
}

fn ticks(period: Duration) -> time::Interval {
    let mut tick = time::interval(period);
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    tick
}

fn told(what: &str, done: Result<(), Error>) {
    if let Err(error) = done {
        tracing::warn!(%error, what, "could not be looked after");
    }
}

impl Play {
    /// Ends the game if a clock has run out, after giving back the time of outages, and returns the time at which that was decided. The
    /// loaded game’s `writing` is held.
    pub(super) async fn flag(&self, loaded: &LoadedGame) -> Result<i64, Error> {
        let now = self.time_of_clocks().await?;
        self.give_back(loaded, now).await?;
        let table = loaded.table();
        let Some((due, seat)) = table.game.clocks().due() else { return Ok(now) };
        if now < due || table.game.outcome().is_some() {
            return Ok(now);
        }
        let mut game = table.game.copy();
        // Where both are asked both flags can fall at the same moment, and then neither fell first.
        let both = table.game.clocks().deadline(!seat) == Some(due);
        let fallen = if both { "flag both".to_owned() } else { format!("flag {seat}") };
        let line = game.act(Actor::Server, &fallen, now)?;
        self.write(loaded, game, vec![line], None).await.map(|_: ActionResult| now)
    }

    /// Looks at every game whose clock should have run out; to be called again and again. A game that cannot be read does not keep the
    /// others from it: it is passed over, and told of once. Of several processes only the first one looks.
    pub async fn flag_all(&self) -> Result<(), Error> {
        if !self.inner.crew.first() {
            return Ok(());
        }
        let (now, mut last) = (self.now(), None);
        loop {
            let batch = self.inner.store.due(now, last.as_ref(), OVERDUE_BATCH).await?;
            for due in &batch {
                match self.flag_one(&due.game).await {
                    Err(Error::Broken(why)) => self.pass_over(&due.game, &why),
                    Err(other @ (Error::Busy | Error::Often { .. } | Error::Full(_) | Error::Away(_))) => {
                        return Err(other);
                    }
                    // Somebody was faster.
                    Ok(()) | Err(Error::Unknown(_) | Error::Stale { .. } | Error::Refused(_) | Error::Key(_)) => {}
                }
            }
            match batch.into_iter().nth(OVERDUE_BATCH as usize - 1) {
                Some(due) => last = Some(due),
                None => return Ok(()),
            }
        }
    }

    pub(super) async fn flag_one(&self, id: &str) -> Result<(), Error> {
        let loaded = self.loaded(id).await?;
        let _writing = loaded.writing.lock().await;
        self.flag(&loaded).await.map(drop)
    }

    pub(super) fn pass_over(&self, id: &str, why: &str) {
        let mut known = self.inner.unreadable.lock().unwrap_or_else(PoisonError::into_inner);
        if known.insert(id.to_owned()) {
            tracing::error!(game = id, why, "the clock of a game cannot be judged; look at its record");
        }
    }

    /// Deletes games in which nothing has happened for so many milliseconds, finished or not, where games are not kept for ever; to be called
    /// again and again. Of several processes only the first one does.
    ///
    /// # Errors
    /// `Busy` or `Full` where nothing can be written.
    pub async fn purge(&self, keep: Option<i64>) -> Result<(), Error> {
        let Some(keep) = keep.filter(|_| self.inner.crew.first()) else { return Ok(()) };
        loop {
            let gone = self.inner.store.purge(Purge { before: self.now() - keep, limit: PURGE_BATCH }).await?;
            for id in &gone {
                self.inner.loaded.drop(id);
            }
            if gone.len() < PURGE_BATCH as usize {
                return Ok(());
            }
        }
    }
}
