//! Methods of [`Store`] for player keys and turn notifications.

use super::{
    ChallengeCounts, Cursor, Digest, EndCursor, FinishedSeat, Handover, HeldSeat, NewNotice, NewOwner, NoticeRow,
    NoticeUpdate, OutboxEntry, OutboxSearch, OwnerSwap, Presence, ProgramRow, RecordedTurns, Registration,
    RegistrationResult, Settlement, Store, StoreError, notifications,
    outbox::{self, ClaimAttempt},
    player_keys,
    write_jobs::Job,
};

impl Store {
    /// Stores a new key.
    ///
    /// # Errors
    /// `Taken` if it exists, `Busy`, `Closed`.
    pub async fn begin_owner(&self, new: NewOwner) -> Result<(), StoreError> {
        self.write(Job::BeginOwner, new).await
    }

    /// Registers a key as a bot that others may play against, or changes the games it accepts.
    ///
    /// # Errors
    /// `Busy`, `Closed`.
    pub async fn register(&self, registration: Registration) -> Result<RegistrationResult, StoreError> {
        self.write(Job::Register, registration).await
    }

    /// Records that a key's bot is connected.
    ///
    /// # Errors
    /// `Busy`, `Closed`.
    pub async fn record_presence(&self, presence: Presence) -> Result<(), StoreError> {
        self.write(Job::AttendOwner, presence).await
    }

    /// Assigns a seat to a key and returns the game's new version. Returns `None` if the token belongs to no seat of
    /// the game, the key owns the game's other seat, or the key does not exist.
    ///
    /// # Errors
    /// `Busy`, `Closed`.
    pub async fn hand_over(&self, handover: Handover) -> Result<Option<i64>, StoreError> {
        self.write(Job::HandOver, handover).await
    }

    /// Replaces a key by a new one. Returns its running games with their new versions; `None` if the old key does not
    /// exist.
    ///
    /// # Errors
    /// `Taken` if the new one exists, `Busy`, `Closed`.
    pub async fn swap_owner(&self, swap: OwnerSwap) -> Result<Option<Vec<(String, i64)>>, StoreError> {
        self.write(Job::SwapOwner, swap).await
    }

    /// Adds a notification target to a key; false if the key has reached its limit.
    ///
    /// # Errors
    /// `Taken` if the id exists, `Busy`, `Closed`.
    pub async fn begin_notice(&self, new: NewNotice) -> Result<bool, StoreError> {
        self.write(Job::BeginNotice, new).await
    }

    /// Updates the status of a notification target or deletes it; false if it does not exist.
    ///
    /// # Errors
    /// `Busy`, `Closed`.
    pub async fn note(&self, word: NoticeUpdate) -> Result<bool, StoreError> {
        self.write(Job::Note, word).await
    }

    /// Adds the turns of a game's version to the outbox; false if this or a later version was added before.
    ///
    /// # Errors
    /// `Busy`, `Closed`.
    pub async fn record_turns(&self, turns: RecordedTurns) -> Result<bool, StoreError> {
        self.write(Job::RecordTurns, turns).await
    }

    /// Claims a due notification, taking keys in turn. Writes nothing unless there is one.
    ///
    /// # Errors
    /// `Busy`, `Closed`.
    pub async fn claim_notification(&self, search: OutboxSearch) -> Result<Option<OutboxEntry>, StoreError> {
        while self.read(|| outbox::is_due(self.readers(), search.now)).await? {
            match self.write(Job::ClaimNotification, search.clone()).await? {
                ClaimAttempt::Claimed(entry) => return Ok(Some(entry)),
                ClaimAttempt::Nothing => break,
                ClaimAttempt::Again => {}
            }
        }
        Ok(None)
    }

    /// Ends the claim of a notification.
    ///
    /// # Errors
    /// `Busy`, `Closed`.
    pub async fn settle_notification(&self, settlement: Settlement) -> Result<(), StoreError> {
        self.write(Job::SettleNotification, settlement).await
    }

    /// True if a seat of the game belongs to a key with a notification address.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn wants_notifications(&self, game: &str) -> Result<bool, StoreError> {
        self.read(|| outbox::is_addressed(self.readers(), game)).await
    }

    /// Lists ids and versions of running games whose turns are missing in the outbox, in order of id after `after`, at
    /// most `limit`.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn unrecorded_turns(&self, after: &str, limit: u32) -> Result<Vec<(String, i64)>, StoreError> {
        self.read(|| outbox::unrecorded(self.readers(), after, i64::from(limit))).await
    }

    /// Returns the site's secret. Stores `secret` if there is none yet.
    ///
    /// # Errors
    /// `Busy`, `Closed`.
    pub async fn sign(&self, secret: String) -> Result<String, StoreError> {
        self.write(Job::Sign, secret).await
    }

    /// Lists the notification targets of a key, oldest first.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn notices(&self, owner: &Digest) -> Result<Vec<NoticeRow>, StoreError> {
        self.read(|| notifications::of_owner(self.readers(), owner)).await
    }

    /// Finds a notification target by its id.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn notice(&self, id: &str) -> Result<Option<NoticeRow>, StoreError> {
        self.read(|| notifications::find(self.readers(), id)).await
    }

    /// True if the key exists.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn owner_exists(&self, key: &Digest) -> Result<bool, StoreError> {
        self.read(|| player_keys::known(self.readers(), key)).await
    }

    /// Lists the bots connected at `now`, by name, at most `limit`.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn programs(&self, now: i64, limit: u32) -> Result<Vec<ProgramRow>, StoreError> {
        self.read(|| player_keys::present(self.readers(), now, i64::from(limit))).await
    }

    /// Finds the bot with this folded name.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn program_by_name(&self, folded: &str) -> Result<Option<ProgramRow>, StoreError> {
        self.read(|| player_keys::called(self.readers(), folded)).await
    }

    /// Finds the bot of a key.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn program_of(&self, key: &Digest) -> Result<Option<ProgramRow>, StoreError> {
        self.read(|| player_keys::of_key(self.readers(), key)).await
    }

    /// Lists the key's seats in unfinished games after `after`, newest game first, at most `limit`.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn playing(&self, key: &Digest, after: Option<&Cursor>, limit: u32) -> Result<Vec<HeldSeat>, StoreError> {
        self.read(|| player_keys::playing(self.readers(), key, after, i64::from(limit))).await
    }

    /// Lists the unanswered challenges to a key, newest first, at most `limit`.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn challenges(&self, key: &Digest, limit: u32) -> Result<Vec<HeldSeat>, StoreError> {
        self.read(|| player_keys::challenges(self.readers(), key, i64::from(limit))).await
    }

    /// Counts the unanswered challenges by the key `from`, and those to the key `to`.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn count_challenges(&self, from: &Digest, to: &Digest) -> Result<ChallengeCounts, StoreError> {
        self.read(|| player_keys::count_challenges(self.readers(), from, to)).await
    }

    /// Lists the key's seats in finished games after `after`, last end first, at most `limit`.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn finished(&self, key: &Digest, after: &EndCursor, limit: u32) -> Result<Vec<FinishedSeat>, StoreError> {
        self.read(|| player_keys::finished(self.readers(), key, after, i64::from(limit))).await
    }

    /// Lists the key's seats in games that ended at `since` or later, last end first, at most `limit`.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn ended(&self, key: &Digest, since: i64, limit: u32) -> Result<Vec<HeldSeat>, StoreError> {
        self.read(|| player_keys::ended(self.readers(), key, since, i64::from(limit))).await
    }
}
