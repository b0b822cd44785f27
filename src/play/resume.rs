//! After an outage: the time for which nobody could play is nobody's. How long the server was down, or could not write, is known from the
//! sign of life that it leaves in the record every few seconds.

use std::sync::atomic::Ordering;

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

/// No outage is being given back.
pub(super) const NONE: i64 = i64::MAX;

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
            self.inner.outage.store(alive, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Gives the time of the outage back in every game whose clock ran.
    ///
    /// # Errors
    /// `Busy` or `Full` where nothing can be written: it is to be called again.
    pub async fn resume(&self) -> Result<(), Error> {
        self.wake().await?;
        if self.inner.outage.load(Ordering::Relaxed) != NONE {
            let mut last = None;
            loop {
                let batch = self.inner.store.due(i64::MAX, last.as_ref(), BATCH).await?;
                self.give_back_all(batch.iter().map(|due| due.game.clone()).collect()).await?;
                match batch.into_iter().nth(BATCH as usize - 1) {
                    Some(due) => last = Some(due),
                    None => break,
                }
            }
            self.inner.outage.store(NONE, Ordering::Relaxed);
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
                Err(other @ (Error::Busy | Error::Full(_) | Error::Away(_))) => return Err(other),
                Ok(())
                | Err(
                    Error::Unknown(_) | Error::Stale { .. } | Error::Refused(_) | Error::Key(_) | Error::Often { .. },
                ) => {}
            }
        }
        Ok(())
    }

    /// Gives a game the time back for which the server was down, once. The loaded game’s `writing` is held.
    pub(super) async fn give_back(&self, loaded: &LoadedGame) -> Result<(), Error> {
        let from = self.inner.outage.load(Ordering::Relaxed);
        let table = loaded.table();
        let clocks = table.game.clocks();
        if from == NONE || clocks.due().is_none() || clocks.resumed(from) || table.game.outcome().is_some() {
            return Ok(());
        }
        let mut game = table.game.copy();
        let line = game.act(Actor::Server, &format!("resume {from}"), self.now())?;
        self.write(loaded, game, vec![line], None).await.map(drop)
    }
}
