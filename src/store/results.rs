//! Reviews of finished games, measurements of armies, and puzzle statistics.

use super::{
    StoreError,
    rows::{Reply, Undo},
};
use sqlx::{AnyConnection, AnyPool, Row, any::AnyRow, query};

/// A request to review a finished game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReviewRequest {
    /// The game.
    pub game: String,
    /// Time of the request.
    pub time: i64,
    /// Maximum length of the queue, including this game. A full queue rejects the request.
    pub most: u32,
}

/// An engine review of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameReview {
    /// The game.
    pub game: String,
    /// The review. Opaque here.
    pub text: String,
}

/// Review status of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReviewStatus {
    /// Not requested.
    NotRequested,
    /// Queued.
    Queued,
    /// Done, with the review.
    Known(String),
}

/// Queues a game for review. Returns true if it is queued or reviewed.
pub(super) async fn request_review(db: &mut AnyConnection, asked: &ReviewRequest) -> Result<bool, sqlx::Error> {
    let waits = "INSERT INTO review (game, asked) SELECT id, $2 FROM game WHERE id = $1 \
                 AND (SELECT COUNT(*) FROM review WHERE opinion IS NULL) < $3 ON CONFLICT (game) DO NOTHING";
    let waits = query(waits).bind(&asked.game).bind(asked.time).bind(i64::from(asked.most)).execute(&mut *db).await?;
    let known = query("SELECT 1 FROM review WHERE game = $1").bind(&asked.game).fetch_optional(db).await?;
    Ok(waits.rows_affected() > 0 || known.is_some())
}

/// Queues a game that has just ended, whatever the length of the queue.
pub(super) async fn review_ended_game(db: &mut AnyConnection, game: &str, time: i64) -> Result<(), sqlx::Error> {
    let waits = query("INSERT INTO review (game, asked) VALUES ($1, $2) ON CONFLICT (game) DO NOTHING");
    waits.bind(game).bind(time).execute(db).await.map(drop)
}

/// Stores a review unless there is one, and returns the game's new version, so that its viewers see the review.
pub(super) async fn keep_review(db: &mut AnyConnection, opinion: &GameReview) -> Result<Option<i64>, sqlx::Error> {
    let kept = query("UPDATE review SET opinion = $2 WHERE game = $1 AND opinion IS NULL");
    if kept.bind(&opinion.game).bind(&opinion.text).execute(&mut *db).await?.rows_affected() == 0 {
        return Ok(None);
    }
    let told = query("UPDATE game SET version = version + 1 WHERE id = $1 RETURNING version");
    told.bind(&opinion.game).fetch_optional(db).await?.map(|row| row.try_get(0)).transpose()
}

/// Returns the review status of a game.
pub(super) async fn review(pool: &AnyPool, game: &str) -> Result<ReviewStatus, StoreError> {
    let row = query("SELECT opinion FROM review WHERE game = $1").bind(game).fetch_optional(pool).await?;
    Ok(match row.map(|row| row.try_get::<Option<String>, _>(0)).transpose()? {
        None => ReviewStatus::NotRequested,
        Some(None) => ReviewStatus::Queued,
        Some(Some(text)) => ReviewStatus::Known(text),
    })
}

/// Returns the game that has waited longest.
pub(super) async fn next_review(pool: &AnyPool) -> Result<Option<String>, StoreError> {
    let first = query("SELECT game FROM review WHERE opinion IS NULL ORDER BY asked, game LIMIT 1");
    Ok(first.fetch_optional(pool).await?.map(|row| row.try_get(0)).transpose()?)
}

/// Results of an army in games between bots.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Measurement {
    /// The army.
    pub army: String,
    /// Its results, as text.
    pub pairs: String,
    /// Time of the entry, in milliseconds since the epoch.
    pub time: i64,
}

/// Replaces earlier results.
pub(super) const LATER: &str = "INSERT INTO measured (army, pairs, touched) VALUES ($1, $2, $3) \
                                ON CONFLICT (army) DO UPDATE SET pairs = excluded.pairs, touched = excluded.touched";
/// Keeps earlier results.
pub(super) const FIRST: &str =
    "INSERT INTO measured (army, pairs, touched) VALUES ($1, $2, $3) ON CONFLICT (army) DO NOTHING";

/// Stores results with one of the two statements above.
pub(super) async fn measure(db: &mut AnyConnection, new: &Measurement, how: &'static str) -> Result<Reply<()>, Undo> {
    query(how).bind(&new.army).bind(&new.pairs).bind(new.time).execute(db).await?;
    Ok(Ok(()))
}

/// Reads `army, pairs, touched`.
pub(super) fn measurement(row: &AnyRow) -> Result<Measurement, sqlx::Error> {
    Ok(Measurement { army: row.try_get(0)?, pairs: row.try_get(1)?, time: row.try_get(2)? })
}

/// An answer to a puzzle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// Puzzle category. Opaque here.
    pub kind: String,
    /// Number within its category.
    pub number: u32,
    /// True if the answer was right.
    pub solved: bool,
}

/// Number of answers to a puzzle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Attempts {
    /// All answers.
    pub tried: i64,
    /// Correct answers.
    pub solved: i64,
}

/// Counts an answer.
pub(super) async fn count_attempt(db: &mut AnyConnection, attempt: &Attempt) -> Result<(), sqlx::Error> {
    let counted = "INSERT INTO puzzle (kind, number, tried, solved) VALUES ($1, $2, 1, $3) \
                   ON CONFLICT (kind, number) DO UPDATE SET tried = puzzle.tried + 1, solved = puzzle.solved + $3";
    let counted = query(counted).bind(&attempt.kind).bind(i64::from(attempt.number));
    counted.bind(i64::from(attempt.solved)).execute(db).await.map(drop)
}

/// Returns the number of answers to a puzzle.
pub(super) async fn attempts(pool: &AnyPool, kind: &str, number: u32) -> Result<Attempts, StoreError> {
    let found = query("SELECT tried, solved FROM puzzle WHERE kind = $1 AND number = $2");
    let row = found.bind(kind).bind(i64::from(number)).fetch_optional(pool).await?;
    let Some(row) = row else { return Ok(Attempts::default()) };
    Ok(Attempts { tried: row.try_get(0)?, solved: row.try_get(1)? })
}
