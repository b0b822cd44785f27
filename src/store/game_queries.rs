//! Methods of [`Store`] for games, reviews, measurements, puzzles and the processes that share the database.

use super::{
    Append, Appended, Attempt, Attempts, BotSearch, ChallengeAnswer, Claim, ClaimedSeat, Cursor, Digest, EndedGame,
    ExpiredClocks, GameRecord, GameReview, GameRow, Heartbeat, HeldSeat, Invitation, LineRow, Measurement, NewGame,
    Peer, PendingBot, Purge, Renewal, ReviewRequest, ReviewStatus, Seek, Store, StoreError, peers, read_queries,
    results, write_jobs::Job,
};

impl Store {
    /// Creates a game with its seats and first lines, at version 0. For a rematch, also changes the original game and
    /// returns that game's new version.
    ///
    /// # Errors
    /// `Taken` if the id, a token or an invitation exists; `Rematched` if the original game already has a rematch;
    /// `Busy`.
    pub async fn create(&self, game: NewGame) -> Result<Option<i64>, StoreError> {
        self.write(Job::Create, game).await
    }

    /// Appends lines and sets the row's ply, due time and result in one transaction. Returns after the commit. A
    /// receipt whose key was used before returns `Repeated` and changes nothing.
    ///
    /// # Errors
    /// `Conflict` if the slot is not the next one, `NoGame`, `NoLine`, `Busy`.
    pub async fn append(&self, lines: Append) -> Result<Appended, StoreError> {
        self.write(Job::Append, lines).await
    }

    /// Gives a free seat to the claimant and removes the game from the lobby.
    ///
    /// # Errors
    /// `Over` if the game of the invitation is over, `Used` if the seat was claimed first by another player, `NoInvitation` for an
    /// unknown invitation, `Taken` if the token exists, `Busy`.
    pub async fn claim(&self, claim: Claim) -> Result<ClaimedSeat, StoreError> {
        self.write(Job::Claim, claim).await
    }

    /// Replaces the invitation or token of a seat and returns the game's new version.
    ///
    /// # Errors
    /// `Used` if the seat was claimed in the meantime or the old token does not match, `Taken` if the new secret
    /// exists, `Busy`.
    pub async fn renew(&self, renewal: Renewal) -> Result<i64, StoreError> {
        self.write(Job::Renew, renewal).await
    }

    /// Changes a seek. Returns false if the game has left the lobby before, for example because its seat was claimed.
    ///
    /// # Errors
    /// As [`Store::record_heartbeat`].
    pub async fn seek(&self, seek: Seek) -> Result<bool, StoreError> {
        self.write(Job::Seek, seek).await
    }

    /// Accepts or declines a challenge and returns the game's new version; `None` if the key can no longer do so.
    ///
    /// # Errors
    /// As [`Store::record_heartbeat`].
    pub async fn answer_challenge(&self, answer: ChallengeAnswer) -> Result<Option<i64>, StoreError> {
        self.write(Job::AnswerChallenge, answer).await
    }

    /// Lists the ids of running games whose challenge has expired by `now`, at most `limit`.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn expired_challenges(&self, now: i64, limit: u32) -> Result<Vec<String>, StoreError> {
        self.read(|| read_queries::expired_challenges(self.readers(), now, i64::from(limit))).await
    }

    /// Deletes inactive games with everything that belongs to them and returns their ids. Clears the rematch link of
    /// their rematches.
    ///
    /// # Errors
    /// As [`Store::record_heartbeat`].
    pub async fn purge(&self, purge: Purge) -> Result<Vec<String>, StoreError> {
        self.write(Job::Purge, purge).await
    }

    /// Loads a game with its seats, lines and rematch link; `None` if it does not exist.
    ///
    /// # Errors
    /// `Busy`, `Closed`, or a database error. This also holds for all queries below.
    pub async fn load(&self, id: &str) -> Result<Option<GameRecord>, StoreError> {
        self.read(|| read_queries::load(self.readers(), id)).await
    }

    /// Loads the game's row only: a cheap check for changes.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn game(&self, id: &str) -> Result<Option<GameRow>, StoreError> {
        self.read(|| read_queries::game(self.readers(), id)).await
    }

    /// Loads the game's lines from a slot on, in order.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn lines(&self, id: &str, from: i64) -> Result<Vec<LineRow>, StoreError> {
        self.read(|| read_queries::lines(self.readers(), id, from)).await
    }

    /// Finds the outcome stored with a seat's idempotency key in this game.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn receipt(&self, id: &str, seat: &str, key: &str) -> Result<Option<String>, StoreError> {
        self.read(|| read_queries::receipt(self.readers(), id, seat, key)).await
    }

    /// Looks up an invitation without using it.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn invitation(&self, code: &Digest) -> Result<Option<Invitation>, StoreError> {
        self.read(|| read_queries::invitation(self.readers(), code)).await
    }

    /// Lists games in the lobby at `now` after `after`, newest first, at most `limit`. `None` means all variants. Seeks
    /// whose creator has gone are not in the lobby.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn lobby(
        &self,
        now: i64,
        variant: Option<&str>,
        after: Option<&Cursor>,
        limit: u32,
    ) -> Result<Vec<GameRow>, StoreError> {
        self.read(|| read_queries::lobby(self.readers(), now, variant, after, i64::from(limit))).await
    }

    /// Lists the ids of seeks whose creator has gone by `now`, at most `limit`.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn abandoned_seeks(&self, now: i64, limit: u32) -> Result<Vec<String>, StoreError> {
        self.read(|| read_queries::abandoned_seeks(self.readers(), now, i64::from(limit))).await
    }

    /// Lists running public games with a move since `since`, most recent first, at most `limit`. `None` means all
    /// variants.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn running(&self, variant: Option<&str>, since: i64, limit: u32) -> Result<Vec<GameRow>, StoreError> {
        self.read(|| read_queries::running(self.readers(), variant, since, i64::from(limit))).await
    }

    /// Lists public games that ended before `until` and come after `after`, first end first, at most `limit`. Games of the
    /// same time are in the order of their ids. Games without a ply are left out.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn ended_public(&self, after: &EndedGame, until: i64, limit: u32) -> Result<Vec<EndedGame>, StoreError> {
        self.read(|| read_queries::ended_public(self.readers(), after, until, i64::from(limit))).await
    }

    /// Lists unfinished games due at `by` or earlier, longest overdue first, at most `limit`.
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

    /// Lists the seats that these tokens prove or this key owns, newest game first, at most `limit`. Meant for tens of
    /// tokens.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn seats_held(
        &self,
        tokens: &[Digest],
        key: Option<&Digest>,
        limit: u32,
    ) -> Result<Vec<HeldSeat>, StoreError> {
        self.read(|| read_queries::held(self.readers(), tokens, key, limit)).await
    }

    /// Stores the results of an army so far.
    ///
    /// # Errors
    /// `Busy`, `Closed`.
    pub async fn measure(&self, measurement: Measurement) -> Result<(), StoreError> {
        self.write(Job::Measure, measurement).await
    }

    /// Stores the results of an army unless it has some. This marks the army as waiting for measurement.
    ///
    /// # Errors
    /// `Busy`, `Closed`.
    pub async fn begin_measuring(&self, measurement: Measurement) -> Result<(), StoreError> {
        self.write(Job::BeginMeasuring, measurement).await
    }

    /// Lists all armies with their results, oldest entry first.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn measurements(&self) -> Result<Vec<Measurement>, StoreError> {
        self.read(|| read_queries::measurements(self.readers())).await
    }

    /// Finds the stored results of an army.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn measured(&self, army: &str) -> Result<Option<String>, StoreError> {
        self.read(|| read_queries::measured(self.readers(), army)).await
    }

    /// Queues a finished game for review, unless too many are waiting. Returns true if it is queued or reviewed.
    ///
    /// # Errors
    /// `Busy`, `Closed`.
    pub async fn request_review(&self, request: ReviewRequest) -> Result<bool, StoreError> {
        self.write(Job::AskReview, request).await
    }

    /// Stores the review of a queued game and returns the game's new version; `None` if it already has one.
    ///
    /// # Errors
    /// `Busy`, `Closed`.
    pub async fn store_review(&self, opinion: GameReview) -> Result<Option<i64>, StoreError> {
        self.write(Job::KeepReview, opinion).await
    }

    /// Returns the review status of a finished game.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn review(&self, game: &str) -> Result<ReviewStatus, StoreError> {
        self.read(|| results::review(self.readers(), game)).await
    }

    /// Returns the game that has waited longest for its review.
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

    /// Returns the number of answers to a puzzle.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn attempts(&self, kind: &str, number: u32) -> Result<Attempts, StoreError> {
        self.read(|| results::attempts(self.readers(), kind, number)).await
    }

    /// Name of this process among those that share the database; `None` on SQLite.
    pub fn process(&self) -> Option<&str> {
        self.inner.others.as_ref().map(|others| others.name.as_str())
    }

    /// Stores a process's heartbeat and lists all live processes, oldest first.
    ///
    /// # Errors
    /// `Busy`, `Closed`, or a database error. This also holds for the three methods below.
    pub async fn heartbeat(&self, attendance: Heartbeat) -> Result<Vec<Peer>, StoreError> {
        self.write(Job::Attend, attendance).await
    }

    /// Removes this process from the list of live processes. Does nothing on SQLite.
    ///
    /// # Errors
    /// As [`Store::heartbeat`].
    pub async fn leave(&self) -> Result<(), StoreError> {
        match self.process() {
            Some(name) => self.write(Job::Leave, name.to_owned()).await,
            None => Ok(()),
        }
    }

    /// Latest heartbeat expiry of any other process, in milliseconds since the epoch. It is 0 if there was none, `None`
    /// on SQLite.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn peers_alive_until(&self) -> Result<Option<i64>, StoreError> {
        match self.process() {
            Some(name) => self.read(|| peers::others_until(self.readers(), name)).await.map(Some),
            None => Ok(None),
        }
    }

    /// Claims games whose bot is to move, longest waiting first. Two processes that search at once never claim the same
    /// game.
    ///
    /// # Errors
    /// As [`Store::heartbeat`].
    pub async fn claim_pending_bots(&self, search: BotSearch) -> Result<Vec<PendingBot>, StoreError> {
        let found = self.read(|| peers::find(self.readers(), &search)).await?;
        // A process alone has nothing to claim, and an empty result needs no write.
        if found.is_empty() || self.inner.others.is_none() {
            return Ok(found);
        }
        self.write(Job::Take, search).await
    }

    /// Records that the bot of a game is not to move at this version.
    ///
    /// # Errors
    /// As [`Store::heartbeat`].
    pub async fn settle(&self, waiting: PendingBot) -> Result<(), StoreError> {
        self.write(Job::Settle, waiting).await
    }
}
