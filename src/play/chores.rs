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
                    every(attend, "the other processes", || self.attend()),
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
            let gone = match self.beat().await {
                Ok(()) => self.leave().await,
                Err(error) => Err(error),
            };
            if let Err(error) = gone {
                tracing::warn!(%error, "the next start takes this stop for an earlier one");
            }
        }
        .boxed()
    }

    /// Gives back the time of an outage; then lets flags fall, and leaves a sign of life now and then. Where that cannot be written, nobody
    /// can play: that is an outage too.
    async fn watch_clocks(&self) {
        let mut tick = ticks(FLAGS);
        let mut beaten = None;
        loop {
            tick.tick().await;
            let now = self.now();
            let done = match beaten {
                None => self.resume().await.map(|()| beaten = Some(now)),
                Some(last) if now - last >= BEAT => {
                    beaten = None;
                    self.beat().await.map(|()| beaten = Some(now))
                }
                Some(_) => self.flag_all().await,
            };
            told("the clocks", done);
        }
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
