//! Other processes on the same database: what they write is seen here at once, by whoever listens to the game.

use std::{sync::Arc, time::Duration};

use tokio::{sync::broadcast::error::RecvError, time};

use super::{Error, Play, loaded::LoadedGame};
use crate::store::Heard;

/// A process may die between writing and telling: games that somebody listens to are looked at this often anyway.
const LOOK: Duration = Duration::from_secs(15);

impl Play {
    /// Follows what other processes do, where there may be any, for as long as this one lives.
    pub async fn follow_others(&self) {
        let Some(mut others) = self.inner.store.others() else { return };
        let mut look = time::interval(LOOK);
        look.set_missed_tick_behavior(time::MissedTickBehavior::Delay);
        loop {
            let heard = tokio::select! {
                heard = others.recv() => heard,
                _ = look.tick() => Ok(Heard::Missed),
            };
            self.inner.crew.poke.notify_one();
            let followed = match heard {
                Ok(Heard::Change(change)) => self.follow(&change.game, change.version).await,
                Ok(Heard::Missed) | Err(RecvError::Lagged(_)) => self.look_at_all().await,
                Err(RecvError::Closed) => return,
            };
            if let Err(error) = followed {
                tracing::warn!(%error, "what other processes did could not be read");
            }
        }
    }

    /// Reads a game again that is held here and has come to a version, if it has not been read since.
    pub(super) async fn follow(&self, game: &str, version: i64) -> Result<(), Error> {
        match self.inner.loaded.known(game) {
            Some(loaded) => self.catch_up(&loaded, version).await,
            None => Ok(()),
        }
    }

    async fn look_at_all(&self) -> Result<(), Error> {
        for loaded in self.inner.loaded.followed() {
            let row = self.inner.store.game(loaded.table().id()).await?;
            if let Some(row) = row {
                self.catch_up(&loaded, row.version).await?;
            }
        }
        Ok(())
    }

    /// Reads a game again that has come further elsewhere. Where it was written to, its bots are awake.
    async fn catch_up(&self, loaded: &Arc<LoadedGame>, version: i64) -> Result<(), Error> {
        let table = loaded.table();
        if table.version() < version {
            loaded.put(self.read(table.id()).await?);
        }
        Ok(())
    }
}
