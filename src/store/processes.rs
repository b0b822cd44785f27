//! The things that several processes on one record tell each other through it: who is there, and who thinks for which bot.

use super::{Attendance, BotSearch, Present, Store, StoreError, Waiting, crew, jobs::Job};

impl Store {
    /// The name of this process among those that share the record; none where it is this process' own.
    pub fn process(&self) -> Option<&str> {
        self.inner.others.as_ref().map(|others| others.name.as_str())
    }

    /// Writes down that a process is there, and lists all that are, the one that came first at the front.
    ///
    /// # Errors
    /// `Busy`, `Closed`, or what the database says; so for the three below.
    pub async fn attend(&self, attendance: Attendance) -> Result<Vec<Present>, StoreError> {
        self.write(Job::Attend, attendance).await
    }

    /// Writes down that this process goes, where others share the record.
    ///
    /// # Errors
    /// As [`Store::attend`].
    pub async fn leave(&self) -> Result<(), StoreError> {
        match self.process() {
            Some(name) => self.write(Job::Leave, name.to_owned()).await,
            None => Ok(()),
        }
    }

    /// The latest time until which another process than this one has said to be there, in milliseconds since the epoch: 0 for never, none
    /// where the record is this process' own.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn others_until(&self) -> Result<Option<i64>, StoreError> {
        match self.process() {
            Some(name) => self.read(|| crew::others_until(self.readers(), name)).await.map(Some),
            None => Ok(None),
        }
    }

    /// Takes games whose bots wait, those that have waited longest first. Of several processes that look at once, none takes what another
    /// one does.
    ///
    /// # Errors
    /// As [`Store::attend`].
    pub async fn take_waiting(&self, search: BotSearch) -> Result<Vec<Waiting>, StoreError> {
        let found = self.read(|| crew::find(self.readers(), &search)).await?;
        // Where nobody else looks there is nothing to take, and where there is nothing nothing needs to be written.
        if found.is_empty() || self.inner.others.is_none() {
            return Ok(found);
        }
        self.write(Job::Take, search).await
    }

    /// Notes that the bot of a game does not wait at this version.
    ///
    /// # Errors
    /// As [`Store::attend`].
    pub async fn settle(&self, waiting: Waiting) -> Result<(), StoreError> {
        self.write(Job::Settle, waiting).await
    }
}
