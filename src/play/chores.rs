//! All that a process does without being asked: it says that it is there, lets flags fall and bots answer, tidies the lobby, measures, and
//! follows what others do. Each chore goes on by itself; what fails is told and tried again.

use std::time::Duration;

use futures_util::{FutureExt, future::BoxFuture};
use tokio::time::{self, MissedTickBehavior};
use tokio_util::sync::CancellationToken;

use super::{Error, Play, crew::ATTEND, resume::BEAT};

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
