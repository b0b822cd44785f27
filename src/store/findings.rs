//! What the record is asked about what was found out: how armies fare, what the engine thinks of games, and whether puzzles are solved.

use super::{
    Attempt, Attempts, Measurement, Opinion, ReviewRequest, Reviewed, Store, StoreError, jobs::Job, puzzles, reader,
    reviews,
};

impl Store {
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
        self.read(|| reader::measurements(self.readers())).await
    }

    /// Finds the results of an army, if any were written down.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn measured(&self, army: &str) -> Result<Option<String>, StoreError> {
        self.read(|| reader::measured(self.readers(), army)).await
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
    pub async fn review(&self, game: &str) -> Result<Reviewed, StoreError> {
        self.read(|| reviews::find(self.readers(), game)).await
    }

    /// The game that has waited longest to be looked back at.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn next_review(&self) -> Result<Option<String>, StoreError> {
        self.read(|| reviews::next(self.readers())).await
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
        self.read(|| puzzles::find(self.readers(), kind, number)).await
    }
}
