//! Reviews of finished games, measurements of armies, and statistics of puzzles.

use super::{
    StoreError,
    rows::{Reply, Undo},
};
use sqlx::{AnyConnection, AnyPool, Row, any::AnyRow, query};

/// A game that is to be looked back at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReviewRequest {
    /// Which game.
    pub game: String,
    /// When it was asked for.
    pub time: i64,
    /// So many may wait at most, this one among them; more are not taken.
    pub most: u32,
}

/// What the engine thinks of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opinion {
    /// Which game.
    pub game: String,
    /// The opinion. Opaque here.
    pub text: String,
}

/// Whether a game has been looked back at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReviewStatus {
    /// Nobody has asked.
    Unasked,
    /// It waits.
    Waits,
    /// It has been, and this is the opinion.
    Known(String),
}

/// Puts a game behind those that wait, unless it is known or among them; tells whether it is now.
pub(super) async fn request_review(db: &mut AnyConnection, asked: &ReviewRequest) -> Result<bool, sqlx::Error> {
    let waits = "INSERT INTO review (game, asked) SELECT id, $2 FROM game WHERE id = $1 \
                 AND (SELECT COUNT(*) FROM review WHERE opinion IS NULL) < $3 ON CONFLICT (game) DO NOTHING";
    let waits = query(waits).bind(&asked.game).bind(asked.time).bind(i64::from(asked.most)).execute(&mut *db).await?;
    let known = query("SELECT 1 FROM review WHERE game = $1").bind(&asked.game).fetch_optional(db).await?;
    Ok(waits.rows_affected() > 0 || known.is_some())
}

/// Puts a game that has just ended behind those that wait.
pub(super) async fn review_ended_game(db: &mut AnyConnection, game: &str, time: i64) -> Result<(), sqlx::Error> {
    let waits = query("INSERT INTO review (game, asked) VALUES ($1, $2) ON CONFLICT (game) DO NOTHING");
    waits.bind(game).bind(time).execute(db).await.map(drop)
}

/// Keeps an opinion, unless there is one; whoever follows the game hears of it. The answer is the game's new version.
pub(super) async fn keep_review(db: &mut AnyConnection, opinion: &Opinion) -> Result<Option<i64>, sqlx::Error> {
    let kept = query("UPDATE review SET opinion = $2 WHERE game = $1 AND opinion IS NULL");
    if kept.bind(&opinion.game).bind(&opinion.text).execute(&mut *db).await?.rows_affected() == 0 {
        return Ok(None);
    }
    let told = query("UPDATE game SET version = version + 1 WHERE id = $1 RETURNING version");
    told.bind(&opinion.game).fetch_optional(db).await?.map(|row| row.try_get(0)).transpose()
}

/// What is known of a game.
pub(super) async fn review(pool: &AnyPool, game: &str) -> Result<ReviewStatus, StoreError> {
    let row = query("SELECT opinion FROM review WHERE game = $1").bind(game).fetch_optional(pool).await?;
    Ok(match row.map(|row| row.try_get::<Option<String>, _>(0)).transpose()? {
        None => ReviewStatus::Unasked,
        Some(None) => ReviewStatus::Waits,
        Some(Some(text)) => ReviewStatus::Known(text),
    })
}

/// The game that has waited longest.
pub(super) async fn next_review(pool: &AnyPool) -> Result<Option<String>, StoreError> {
    let first = query("SELECT game FROM review WHERE opinion IS NULL ORDER BY asked, game LIMIT 1");
    Ok(first.fetch_optional(pool).await?.map(|row| row.try_get(0)).transpose()?)
}

/// The results of an army that bots tried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Measurement {
    /// The army.
    pub army: String,
    /// Its results, as text.
    pub pairs: String,
    /// When they were written down, in milliseconds since the epoch.
    pub time: i64,
}

/// The later results take the place of the earlier ones.
pub(super) const LATER: &str = "INSERT INTO measured (army, pairs, touched) VALUES ($1, $2, $3) \
                                ON CONFLICT (army) DO UPDATE SET pairs = excluded.pairs, touched = excluded.touched";
/// The first results stay.
pub(super) const FIRST: &str =
    "INSERT INTO measured (army, pairs, touched) VALUES ($1, $2, $3) ON CONFLICT (army) DO NOTHING";

/// Writes down results in either way.
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
    /// The kind of puzzle. Opaque here.
    pub kind: String,
    /// Which one of its kind.
    pub number: u32,
    /// Whether the answer was right.
    pub solved: bool,
}

/// How often a puzzle was tried, and how often it was solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Attempts {
    /// The answers.
    pub tried: i64,
    /// The right ones among them.
    pub solved: i64,
}

/// Counts an answer.
pub(super) async fn count_attempt(db: &mut AnyConnection, attempt: &Attempt) -> Result<(), sqlx::Error> {
    let counted = "INSERT INTO puzzle (kind, number, tried, solved) VALUES ($1, $2, 1, $3) \
                   ON CONFLICT (kind, number) DO UPDATE SET tried = puzzle.tried + 1, solved = puzzle.solved + $3";
    let counted = query(counted).bind(&attempt.kind).bind(i64::from(attempt.number));
    counted.bind(i64::from(attempt.solved)).execute(db).await.map(drop)
}

/// The answers to a puzzle so far.
pub(super) async fn attempts(pool: &AnyPool, kind: &str, number: u32) -> Result<Attempts, StoreError> {
    let found = query("SELECT tried, solved FROM puzzle WHERE kind = $1 AND number = $2");
    let row = found.bind(kind).bind(i64::from(number)).fetch_optional(pool).await?;
    let Some(row) = row else { return Ok(Attempts::default()) };
    Ok(Attempts { tried: row.try_get(0)?, solved: row.try_get(1)? })
}
