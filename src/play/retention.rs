//! The games that are not kept for ever, where the operator wants it so.

use super::{Error, Play};
use crate::store::Purge;

/// The number of games that are deleted in one go: they are written about in one commit, and others wait for it.
const BATCH: u32 = 50;

impl Play {
    /// Deletes games in which nothing has happened for so many milliseconds, finished or not, where games are not kept for ever; to be called
    /// again and again. Of several processes only the first one does.
    ///
    /// # Errors
    /// `Busy` or `Full` where nothing can be written.
    pub async fn purge(&self, keep: Option<i64>) -> Result<(), Error> {
        let Some(keep) = keep.filter(|_| self.inner.crew.first()) else { return Ok(()) };
        loop {
            let gone = self.inner.store.purge(Purge { before: self.now() - keep, limit: BATCH }).await?;
            for id in &gone {
                self.inner.loaded.drop(id);
            }
            if gone.len() < BATCH as usize {
                return Ok(());
            }
        }
    }
}
