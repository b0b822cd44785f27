//! What the record is asked about keys that own chairs.

use super::{
    Cursor, Digest, Handover, HeldSeat, NewNotice, NewOwner, NoticeRow, NoticeWord, OutboxEntry, OutboxSearch,
    OwnerSwap, Presence, ProgramRow, RecordedTurns, Registration, RegistrationResult, Settlement, Store, StoreError,
    notifications,
    outbox::{self, ClaimAttempt},
    player_keys,
    write_jobs::Job,
};

impl Store {
    /// Writes down a new key.
    ///
    /// # Errors
    /// `Taken` if it exists, `Busy`, `Closed`.
    pub async fn begin_owner(&self, new: NewOwner) -> Result<(), StoreError> {
        self.write(Job::BeginOwner, new).await
    }

    /// Registers a key as a program that others may play against, or changes what it plays.
    ///
    /// # Errors
    /// `Busy`, `Closed`.
    pub async fn register(&self, registration: Registration) -> Result<RegistrationResult, StoreError> {
        self.write(Job::Register, registration).await
    }

    /// Notes that a key's program listens.
    ///
    /// # Errors
    /// `Busy`, `Closed`.
    pub async fn attend_owner(&self, presence: Presence) -> Result<(), StoreError> {
        self.write(Job::AttendOwner, presence).await
    }

    /// Lets a chair belong to a key; nothing if the proof is none of the game, the key owns its other chair, or there is no such key.
    ///
    /// # Errors
    /// `Busy`, `Closed`.
    pub async fn hand_over(&self, handover: Handover) -> Result<Option<i64>, StoreError> {
        self.write(Job::HandOver, handover).await
    }

    /// Lets a new key take the place of an old one; the games that go on and their new versions, or nothing if there is no such key.
    ///
    /// # Errors
    /// `Taken` if the new one exists, `Busy`, `Closed`.
    pub async fn swap_owner(&self, swap: OwnerSwap) -> Result<Option<Vec<(String, i64)>>, StoreError> {
        self.write(Job::SwapOwner, swap).await
    }

    /// Writes down whom a key wants to be told; false where it has as many as it may.
    ///
    /// # Errors
    /// `Taken` if the id exists, `Busy`, `Closed`.
    pub async fn begin_notice(&self, new: NewNotice) -> Result<bool, StoreError> {
        self.write(Job::BeginNotice, new).await
    }

    /// Notes how it goes with a notice; false where there is none.
    ///
    /// # Errors
    /// `Busy`, `Closed`.
    pub async fn note(&self, word: NoticeWord) -> Result<bool, StoreError> {
        self.write(Job::Note, word).await
    }

    /// Writes the turns of a version of a game to the outbox; false where this or a later version was written before.
    ///
    /// # Errors
    /// `Busy`, `Closed`.
    pub async fn record_turns(&self, turns: RecordedTurns) -> Result<bool, StoreError> {
        self.write(Job::RecordTurns, turns).await
    }

    /// Claims a notification that is due. The keys take turns. Writes nothing where none is due.
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

    /// Tells whether a seat of a game belongs to a key that wants notifications sent.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn wants_notifications(&self, game: &str) -> Result<bool, StoreError> {
        self.read(|| outbox::is_addressed(self.readers(), game)).await
    }

    /// Ids and versions of running games whose turns should be in the outbox and are not, by id behind `after`, at most `limit`.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn unrecorded_turns(&self, after: &str, limit: u32) -> Result<Vec<(String, i64)>, StoreError> {
        self.read(|| outbox::unrecorded(self.readers(), after, i64::from(limit))).await
    }

    /// The site's secret: this one, unless it has one.
    ///
    /// # Errors
    /// `Busy`, `Closed`.
    pub async fn sign(&self, secret: String) -> Result<String, StoreError> {
        self.write(Job::Sign, secret).await
    }

    /// Whom a key wants to be told, the oldest first.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn notices(&self, owner: &Digest) -> Result<Vec<NoticeRow>, StoreError> {
        self.read(|| notifications::of_owner(self.readers(), owner)).await
    }

    /// A notice, by its id.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn notice(&self, id: &str) -> Result<Option<NoticeRow>, StoreError> {
        self.read(|| notifications::find(self.readers(), id)).await
    }

    /// Tells whether there is such a key.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn owner_known(&self, key: &Digest) -> Result<bool, StoreError> {
        self.read(|| player_keys::known(self.readers(), key)).await
    }

    /// The programs that listen at a time, by name, at most `limit`.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn programs(&self, now: i64, limit: u32) -> Result<Vec<ProgramRow>, StoreError> {
        self.read(|| player_keys::present(self.readers(), now, i64::from(limit))).await
    }

    /// The program whose name folds so.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn program_called(&self, folded: &str) -> Result<Option<ProgramRow>, StoreError> {
        self.read(|| player_keys::called(self.readers(), folded)).await
    }

    /// The program of a key, if it is one.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn program_of(&self, key: &Digest) -> Result<Option<ProgramRow>, StoreError> {
        self.read(|| player_keys::of_key(self.readers(), key)).await
    }

    /// The chairs of a key in games that are not over, the newest game first, those behind `after`, at most `limit`.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn playing(&self, key: &Digest, after: Option<&Cursor>, limit: u32) -> Result<Vec<HeldSeat>, StoreError> {
        self.read(|| player_keys::playing(self.readers(), key, after, i64::from(limit))).await
    }
}
