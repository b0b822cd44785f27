//! After an outage the clocks of running games get its time back. How long the server was down, or could not write, is known from the sign
//! of life that it leaves in the record every few seconds; how long it was paused, from its heartbeat.

use futures_util::{StreamExt, stream};

use super::{Error, Play, loaded::LoadedGame};
use crate::rules::Actor;

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
