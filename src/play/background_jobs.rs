//! Recurring jobs of a process: heartbeats, expired clocks, bots, the lobby, measurements, reviews, and deletion of old games. A failed job
//! is logged and tried again.

use super::{ActionResult, Error, Play, game_cache::LoadedGame, outage_recovery::BEAT, peers::ATTEND};
use crate::{rules::Actor, store::Purge};
use futures_util::{FutureExt, future::BoxFuture};
use std::{sync::PoisonError, time::Duration};
use tokio::time::{self, MissedTickBehavior};
use tokio_util::sync::CancellationToken;

/// Interval between checks for expired clocks.
const FLAGS: Duration = Duration::from_millis(500);
/// Maximum interval between searches for games that wait for a bot.
const BOTS: Duration = Duration::from_secs(1);
/// Interval between searches for pieces to measure.
const MEASURE: Duration = Duration::from_secs(10);
/// Interval between searches for games to review.
const REVIEW: Duration = Duration::from_secs(1);
/// Interval between searches for seeks whose creator has gone, and for expired challenges.
const SEEKS: Duration = Duration::from_secs(5);
/// Interval between clean-ups of the lobby, old games and memory, and between searches for conditional moves that a stopped server left.
const TIDY: Duration = Duration::from_secs(60);

/// Number of overdue games per batch.
const OVERDUE_BATCH: u32 = 100;

/// Number of games deleted per batch. A batch is one commit, and other writes wait for it.
const PURGE_BATCH: u32 = 50;

impl Play {
    /// Runs all recurring jobs until `closing` is cancelled, then signs off so that other processes take over. Games are deleted `keep`
    /// milliseconds after their last change; `None` keeps them for ever.
    pub fn run_background_jobs<'a>(&'a self, keep: Option<i64>, closing: &'a CancellationToken) -> BoxFuture<'a, ()> {
        async move {
            let attend = Duration::from_millis(ATTEND.unsigned_abs());
            let chores = async {
                tokio::join!(
                    self.follow_others(),
                    self.watch_clocks(),
                    self.call_bots(),
                    run_periodically(FLAGS, "pause detection", || self.heartbeat()),
                    run_periodically(attend, "heartbeat to peers", || self.attend_after_pauses()),
                    run_periodically(MEASURE, "piece measurement", || self.resume_measuring()),
                    run_periodically(REVIEW, "game review", || self.review_waiting()),
                    run_periodically(SEEKS, "removal of abandoned seeks", || self.end_abandoned_seeks()),
                    run_periodically(SEEKS, "end of expired challenges", || self.end_expired_challenges()),
                    run_periodically(TIDY, "lobby clean-up", || self.expire()),
                    run_periodically(TIDY, "conditional moves", || self.resume_conditional_moves()),
                    run_periodically(TIDY, "deletion of old games", || self.purge(keep)),
                    run_periodically(TIDY, "cache clean-up", || async {
                        self.let_go();
                        Ok(())
                    }),
                )
            };
            closing.run_until_cancelled(chores).await;
            let gone = self.sign_off().await;
            if let Err(error) = gone {
                tracing::warn!(%error, "last heartbeat failed; the next start will assume an earlier stop");
            }
        }
        .boxed()
    }

    /// Writes the last heartbeat. If an outage is not credited to all clocks yet, it writes none, so that the next start credits it.
    async fn sign_off(&self) -> Result<(), Error> {
        self.heartbeat().await?;
        self.stop_heartbeat().await;
        if self.inner.outages.owed().is_empty() {
            self.beat().await?;
        }
        self.leave().await
    }

    /// Sends the heartbeat to the peers, but only after every outage has been credited to the clocks. Otherwise, if two processes
    /// were paused together, one would assume that the other had kept the clocks running.
    async fn attend_after_pauses(&self) -> Result<(), Error> {
        self.heartbeat().await?;
        if self.inner.outages.owed().is_empty() { self.attend().await } else { Ok(()) }
    }

    /// Credits outages to the clocks; then ends games whose clocks have expired, with a heartbeat every few seconds. If the heartbeat
    /// cannot be written, players cannot move either, so that counts as an outage too.
    async fn watch_clocks(&self) {
        let mut tick = ticks(FLAGS);
        let mut beaten = None;
        loop {
            tick.tick().await;
            log_failure("clock check", self.watch_clocks_once(&mut beaten).await);
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
            Some(_) => return self.check_all_clocks().await,
        }
        *beaten = Some(now);
        Ok(())
    }

    /// Runs waiting bots as soon as this process learns of them.
    async fn call_bots(&self) {
        let mut tick = ticks(BOTS);
        loop {
            tokio::select! {
                () = self.bot_work_changed() => {}
                _ = tick.tick() => {}
            }
            log_failure("bot search", self.attend_bots().await);
        }
    }
}

/// Runs a job periodically.
async fn run_periodically<F: Future<Output = Result<(), Error>>>(period: Duration, what: &str, chore: impl Fn() -> F) {
    let mut tick = ticks(period);
    loop {
        tick.tick().await;
        log_failure(what, chore().await);
    }
}

fn ticks(period: Duration) -> time::Interval {
    let mut tick = time::interval(period);
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    tick
}

fn log_failure(what: &str, done: Result<(), Error>) {
    if let Err(error) = done {
        tracing::warn!(%error, what, "background job failed");
    }
}

impl Play {
    /// Ends the game if a clock has expired, after crediting outages to it. Returns the time of the decision. The caller holds the
    /// loaded game’s `writing` lock.
    pub(super) async fn check_clock(&self, loaded: &LoadedGame) -> Result<i64, Error> {
        let now = self.time_of_clocks().await?;
        self.give_back(loaded, now).await?;
        let table = loaded.table();
        let Some((due, seat)) = table.game.clocks().next_deadline() else { return Ok(now) };
        if now < due || table.game.outcome().is_some() {
            return Ok(now);
        }
        let mut game = table.game.copy();
        // In a simultaneous phase both clocks can expire at the same moment; then neither was first.
        let both = table.game.clocks().deadline(!seat) == Some(due);
        let fallen = if both { "flag both".to_owned() } else { format!("flag {seat}") };
        let line = game.act(Actor::Server, &fallen, now)?;
        self.write(loaded, game, vec![line], None).await.map(|_: ActionResult| now)
    }

    /// Ends every game whose clock has expired. Call periodically; of several processes only the leader does it. An unreadable game is
    /// skipped and logged once.
    pub async fn check_all_clocks(&self) -> Result<(), Error> {
        if !self.inner.peers.first() {
            return Ok(());
        }
        let (now, mut last) = (self.now(), None);
        loop {
            let batch = self.inner.store.due(now, last.as_ref(), OVERDUE_BATCH).await?;
            for due in &batch {
                match self.check_clock_of(&due.game).await {
                    Err(Error::Broken(why)) => self.mark_unreadable(&due.game, &why),
                    Err(other @ (Error::Busy | Error::Often { .. } | Error::Full(_) | Error::Away(_))) => {
                        return Err(other);
                    }
                    // Another process or request was faster.
                    Ok(()) | Err(Error::Unknown(_) | Error::Stale { .. } | Error::Refused(_) | Error::Key(_)) => {}
                }
            }
            match batch.into_iter().nth(OVERDUE_BATCH as usize - 1) {
                Some(due) => last = Some(due),
                None => return Ok(()),
            }
        }
    }

    pub(super) async fn check_clock_of(&self, id: &str) -> Result<(), Error> {
        let loaded = self.loaded(id).await?;
        let _writing = loaded.writing.lock().await;
        self.check_clock(&loaded).await.map(drop)
    }

    pub(super) fn mark_unreadable(&self, id: &str, why: &str) {
        let mut known = self.inner.unreadable.lock().unwrap_or_else(PoisonError::into_inner);
        if known.insert(id.to_owned()) {
            tracing::error!(
                game = id,
                why,
                "unreadable game: its clock is not checked; find the fault with `zorkmid replay`"
            );
        }
    }

    /// Deletes games, finished or not, `keep` milliseconds after their last change; `None` keeps them for ever. Call periodically; of
    /// several processes only the leader does it.
    ///
    /// # Errors
    /// `Busy` or `Full` if the database cannot be written.
    pub async fn purge(&self, keep: Option<i64>) -> Result<(), Error> {
        let Some(keep) = keep.filter(|_| self.inner.peers.first()) else { return Ok(()) };
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
