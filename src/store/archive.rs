//! What the record is asked about games, with their chairs, their lines and the doors to them.

use super::{
    Append, Appended, Claim, Claimed, Cursor, Digest, Due, GameRecord, GameRow, HeldSeat, Invitation, LineRow, NewGame,
    Purge, Renewal, Store, StoreError, jobs::Job, reader,
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
    pub async fn claim(&self, claim: Claim) -> Result<Claimed, StoreError> {
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
        self.read(|| reader::load(self.readers(), id)).await
    }

    /// The game's row alone: what is cheap to ask to learn whether it has moved on.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn game(&self, id: &str) -> Result<Option<GameRow>, StoreError> {
        self.read(|| reader::game(self.readers(), id)).await
    }

    /// The game's lines from a slot on, in order; empty if there are none.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn lines(&self, id: &str, from: i64) -> Result<Vec<LineRow>, StoreError> {
        self.read(|| reader::lines(self.readers(), id, from)).await
    }

    /// Finds what was stored with the key that a seat's request brought, if it was used in this game.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn receipt(&self, id: &str, seat: &str, key: &str) -> Result<Option<String>, StoreError> {
        self.read(|| reader::receipt(self.readers(), id, seat, key)).await
    }

    /// Where an invitation leads, and whether it was used. Changes nothing.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn invitation(&self, code: &Digest) -> Result<Option<Invitation>, StoreError> {
        self.read(|| reader::invitation(self.readers(), code)).await
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
        self.read(|| reader::lobby(self.readers(), variant, after, i64::from(limit))).await
    }

    /// Public games, of one variant or of all, that somebody has played in since a time, and that are neither over nor in the lobby, the last played first, at most
    /// `limit`.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn running(&self, variant: Option<&str>, since: i64, limit: u32) -> Result<Vec<GameRow>, StoreError> {
        self.read(|| reader::running(self.readers(), variant, since, i64::from(limit))).await
    }

    /// Unfinished games due at `by` or before, the longest overdue first, at most `limit`.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn due(&self, by: i64, after: Option<&Due>, limit: u32) -> Result<Vec<Due>, StoreError> {
        self.read(|| reader::due(self.readers(), by, after, i64::from(limit))).await
    }

    /// The chairs that these tokens prove or these keys own, with their games, newest game first, at most `limit`. Meant for tens of tokens.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn held(&self, tokens: &[Digest], limit: u32) -> Result<Vec<HeldSeat>, StoreError> {
        self.read(|| reader::held(self.readers(), tokens, limit)).await
    }
}
