//! What the engine thinks of games that are over: kept once it is known, and until then the list of those that wait.

use super::StoreError;
use sqlx::{AnyConnection, AnyPool, Row, query};

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
pub enum Reviewed {
    /// Nobody has asked.
    Unasked,
    /// It waits.
    Waits,
    /// It has been, and this is the opinion.
    Known(String),
}

/// Puts a game behind those that wait, unless it is known or among them; tells whether it is now.
pub(super) async fn ask(db: &mut AnyConnection, asked: &ReviewRequest) -> Result<bool, sqlx::Error> {
    let waits = "INSERT INTO review (game, asked) SELECT id, $2 FROM game WHERE id = $1 \
                 AND (SELECT COUNT(*) FROM review WHERE opinion IS NULL) < $3 ON CONFLICT (game) DO NOTHING";
    let waits = query(waits).bind(&asked.game).bind(asked.time).bind(i64::from(asked.most)).execute(&mut *db).await?;
    let known = query("SELECT 1 FROM review WHERE game = $1").bind(&asked.game).fetch_optional(db).await?;
    Ok(waits.rows_affected() > 0 || known.is_some())
}

/// Puts a game that has just ended behind those that wait.
pub(super) async fn end(db: &mut AnyConnection, game: &str, time: i64) -> Result<(), sqlx::Error> {
    let waits = query("INSERT INTO review (game, asked) VALUES ($1, $2) ON CONFLICT (game) DO NOTHING");
    waits.bind(game).bind(time).execute(db).await.map(drop)
}

/// Keeps an opinion, unless there is one; whoever follows the game hears of it. The answer is the game's new version.
pub(super) async fn keep(db: &mut AnyConnection, opinion: &Opinion) -> Result<Option<i64>, sqlx::Error> {
    let kept = query("UPDATE review SET opinion = $2 WHERE game = $1 AND opinion IS NULL");
    if kept.bind(&opinion.game).bind(&opinion.text).execute(&mut *db).await?.rows_affected() == 0 {
        return Ok(None);
    }
    let told = query("UPDATE game SET version = version + 1 WHERE id = $1 RETURNING version");
    told.bind(&opinion.game).fetch_optional(db).await?.map(|row| row.try_get(0)).transpose()
}

/// What is known of a game.
pub(super) async fn find(pool: &AnyPool, game: &str) -> Result<Reviewed, StoreError> {
    let row = query("SELECT opinion FROM review WHERE game = $1").bind(game).fetch_optional(pool).await?;
    Ok(match row.map(|row| row.try_get::<Option<String>, _>(0)).transpose()? {
        None => Reviewed::Unasked,
        Some(None) => Reviewed::Waits,
        Some(Some(text)) => Reviewed::Known(text),
    })
}

/// The game that has waited longest.
pub(super) async fn next(pool: &AnyPool) -> Result<Option<String>, StoreError> {
    let first = query("SELECT game FROM review WHERE opinion IS NULL ORDER BY asked, game LIMIT 1");
    Ok(first.fetch_optional(pool).await?.map(|row| row.try_get(0)).transpose()?)
}
