//! Methods of the store for games, reviews, measurements, puzzles, and the processes that share the record.

use super::{
    Append, Appended, Attempt, Attempts, BotSearch, Claim, ClaimedSeat, Cursor, Digest, ExpiredClocks, GameRecord,
    GameRow, Heartbeat, HeldSeat, Invitation, LineRow, Measurement, NewGame, Opinion, Present, Purge, Renewal,
    ReviewRequest, ReviewStatus, Store, StoreError, Waiting, peers, read_queries, results, write_jobs::Job,
};

impl Store {
    /// Begins a game with its chairs and first lines, at version 0. The game that it is the rematch of changes with it: the answer is
    /// that one's new version.
    ///
    /// # Errors
    /// `Taken` if the id, a token or an invitation exists; `Rematched` if the game it follows has a rematch; `Busy`.
    pub async fn create(&self, game: NewGame) -> Result<Option<i64>, StoreError> {
        self.write(Job::Create, game).await
    }

    /// Adds lines and sets the row's ply, due time and result, all or nothing, once. Returns after the commit.
    /// A receipt whose key was used answers `Repeated` and changes nothing, whatever else is asked.
    ///
    /// # Errors
    /// `Conflict` if the slot is not the next one, `NoGame`, `NoLine`, `Busy`.
    pub async fn append(&self, lines: Append) -> Result<Appended, StoreError> {
        self.write(Job::Append, lines).await
    }

    /// Gives a free chair to whoever comes first, and takes the game out of the lobby.
    ///
    /// # Errors
    /// `Used` if somebody was faster, `NoInvitation` if there is none such, `Taken` if the token exists, `Busy`.
    pub async fn claim(&self, claim: Claim) -> Result<ClaimedSeat, StoreError> {
        self.write(Job::Claim, claim).await
    }

    /// Gives a chair another key, and says the game's new version.
    ///
    /// # Errors
    /// `Used` if the chair was taken meanwhile or its proof was another, `Taken` if the new key exists, `Busy`.
    pub async fn renew(&self, renewal: Renewal) -> Result<i64, StoreError> {
        self.write(Job::Renew, renewal).await
    }

    /// Deletes games in which nothing has happened for long, with everything that belongs to them, and lists them. A rematch of one of
    /// them is nobody's rematch then.
    ///
    /// # Errors
    /// As [`Store::beat`].
    pub async fn purge(&self, purge: Purge) -> Result<Vec<String>, StoreError> {
        self.write(Job::Purge, purge).await
    }

    /// A game with its chairs, all its lines and the link to its rematch; none if there is no such game.
    ///
    /// # Errors
    /// `Busy`, `Closed`, or what the database says; so for everything below.
    pub async fn load(&self, id: &str) -> Result<Option<GameRecord>, StoreError> {
        self.read(|| read_queries::load(self.readers(), id)).await
    }

    /// The game's row alone: what is cheap to ask to learn whether it has moved on.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn game(&self, id: &str) -> Result<Option<GameRow>, StoreError> {
        self.read(|| read_queries::game(self.readers(), id)).await
    }

    /// The game's lines from a slot on, in order; empty if there are none.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn lines(&self, id: &str, from: i64) -> Result<Vec<LineRow>, StoreError> {
        self.read(|| read_queries::lines(self.readers(), id, from)).await
    }

    /// Finds what was stored with the key that a seat's request brought, if it was used in this game.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn receipt(&self, id: &str, seat: &str, key: &str) -> Result<Option<String>, StoreError> {
        self.read(|| read_queries::receipt(self.readers(), id, seat, key)).await
    }

    /// Where an invitation leads, and whether it was used. Changes nothing.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn invitation(&self, code: &Digest) -> Result<Option<Invitation>, StoreError> {
        self.read(|| read_queries::invitation(self.readers(), code)).await
    }

    /// Games in the lobby, of one variant or of all, newest first, at most `limit`, those after `after`.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn lobby(
        &self,
        variant: Option<&str>,
        after: Option<&Cursor>,
        limit: u32,
    ) -> Result<Vec<GameRow>, StoreError> {
        self.read(|| read_queries::lobby(self.readers(), variant, after, i64::from(limit))).await
    }

    /// Public games, of one variant or of all, that somebody has played in since a time, and that are neither over nor in the lobby, the last played first, at most
    /// `limit`.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn running(&self, variant: Option<&str>, since: i64, limit: u32) -> Result<Vec<GameRow>, StoreError> {
        self.read(|| read_queries::running(self.readers(), variant, since, i64::from(limit))).await
    }

    /// Unfinished games due at `by` or before, the longest overdue first, at most `limit`.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn due(
        &self,
        by: i64,
        after: Option<&ExpiredClocks>,
        limit: u32,
    ) -> Result<Vec<ExpiredClocks>, StoreError> {
        self.read(|| read_queries::due(self.readers(), by, after, i64::from(limit))).await
    }

    /// The chairs that these tokens prove or these keys own, with their games, newest game first, at most `limit`. Meant for tens of tokens.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn held(&self, tokens: &[Digest], limit: u32) -> Result<Vec<HeldSeat>, StoreError> {
        self.read(|| read_queries::held(self.readers(), tokens, limit)).await
    }

    /// Writes down the results of an army so far.
    ///
    /// # Errors
    /// `Busy`, `Closed`.
    pub async fn measure(&self, measurement: Measurement) -> Result<(), StoreError> {
        self.write(Job::Measure, measurement).await
    }

    /// Writes down the results of an army unless there are some: that somebody waits for them.
    ///
    /// # Errors
    /// `Busy`, `Closed`.
    pub async fn begin_measuring(&self, measurement: Measurement) -> Result<(), StoreError> {
        self.write(Job::BeginMeasuring, measurement).await
    }

    /// Lists all armies with their results, those that were written down first at the front.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn measurements(&self) -> Result<Vec<Measurement>, StoreError> {
        self.read(|| read_queries::measurements(self.readers())).await
    }

    /// Finds the results of an army, if any were written down.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn measured(&self, army: &str) -> Result<Option<String>, StoreError> {
        self.read(|| read_queries::measured(self.readers(), army)).await
    }

    /// Has a game that is over looked back at, unless it is already or too many wait; tells whether it is known or waits now.
    ///
    /// # Errors
    /// `Busy`, `Closed`.
    pub async fn ask_review(&self, request: ReviewRequest) -> Result<bool, StoreError> {
        self.write(Job::AskReview, request).await
    }

    /// Keeps what the engine thinks of a game that waits, and says the game's new version; nothing if it was known.
    ///
    /// # Errors
    /// `Busy`, `Closed`.
    pub async fn keep_review(&self, opinion: Opinion) -> Result<Option<i64>, StoreError> {
        self.write(Job::KeepReview, opinion).await
    }

    /// What is known of a game that is over.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn review(&self, game: &str) -> Result<ReviewStatus, StoreError> {
        self.read(|| results::review(self.readers(), game)).await
    }

    /// The game that has waited longest to be looked back at.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn next_review(&self) -> Result<Option<String>, StoreError> {
        self.read(|| results::next_review(self.readers())).await
    }

    /// Counts an answer to a puzzle.
    ///
    /// # Errors
    /// `Busy`, `Closed`.
    pub async fn attempt(&self, attempt: Attempt) -> Result<(), StoreError> {
        self.write(Job::Attempt, attempt).await
    }

    /// The answers to a puzzle so far.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn attempts(&self, kind: &str, number: u32) -> Result<Attempts, StoreError> {
        self.read(|| results::attempts(self.readers(), kind, number)).await
    }

    /// The name of this process among those that share the record; none where it is this process' own.
    pub fn process(&self) -> Option<&str> {
        self.inner.others.as_ref().map(|others| others.name.as_str())
    }

    /// Writes down that a process is there, and lists all that are, the one that came first at the front.
    ///
    /// # Errors
    /// `Busy`, `Closed`, or what the database says; so for the three below.
    pub async fn attend(&self, attendance: Heartbeat) -> Result<Vec<Present>, StoreError> {
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
            Some(name) => self.read(|| peers::others_until(self.readers(), name)).await.map(Some),
            None => Ok(None),
        }
    }

    /// Takes games whose bots wait, those that have waited longest first. Of several processes that look at once, none takes what another
    /// one does.
    ///
    /// # Errors
    /// As [`Store::attend`].
    pub async fn take_waiting(&self, search: BotSearch) -> Result<Vec<Waiting>, StoreError> {
        let found = self.read(|| peers::find(self.readers(), &search)).await?;
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
