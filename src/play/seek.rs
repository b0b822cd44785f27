//! Seeks: open games whose creator waits in a browser. A seek leaves the lobby when it is cancelled, or when its browser has been silent.

use super::{Error, Play};
use crate::store;

/// Time in milliseconds after which the creator of a seek counts as gone, unless their browser has sent a request.
const SILENCE: i64 = 20_000;
/// Number of abandoned seeks that one run ends.
const BATCH: u32 = 200;

impl Play {
    /// Notes that the browser of a seek is present. Returns false if the game has left the lobby.
    pub async fn keep_seeking(&self, id: &str) -> Result<bool, Error> {
        self.change_seek(id, Some(self.now() + SILENCE)).await
    }

    /// Cancels a seek and ends its game. Returns false if it is too late, because an opponent has joined or the game has ended.
    pub async fn cancel_seek(&self, id: &str) -> Result<bool, Error> {
        // Once the game has left the lobby, no player can join it while it ends.
        let cancelled = self.change_seek(id, None).await?;
        if cancelled {
            self.end_open_game(id).await?;
        }
        Ok(cancelled)
    }

    /// Ends the seeks whose browser has been silent. Call periodically; of several processes only the leader does it.
    ///
    /// # Errors
    /// `Busy` or `Full` if the database cannot be written.
    pub async fn end_abandoned_seeks(&self) -> Result<(), Error> {
        if !self.inner.peers.first() {
            return Ok(());
        }
        for id in self.inner.store.abandoned_seeks(self.now(), BATCH).await? {
            self.cancel_seek(&id).await?;
        }
        Ok(())
    }

    async fn change_seek(&self, id: &str, until: Option<i64>) -> Result<bool, Error> {
        Ok(self.inner.store.seek(store::Seek { game: id.to_owned(), until }).await?)
    }
}
