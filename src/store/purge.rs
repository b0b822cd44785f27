//! The end of what is kept: games in which nothing has happened for long, and keys that own none.

use super::owners;
use sqlx::{AnyConnection, Row, query};

/// Games to delete.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Purge {
    /// Those in which nothing has happened since then, in milliseconds since 1970.
    pub before: i64,
    /// The most at once, those first that have rested longest.
    pub limit: u32,
}

/// Everything that belongs to a game, what refers to it first.
const PARTS: [&str; 6] = [
    "UPDATE game SET rematch_of = NULL WHERE rematch_of = $1",
    "DELETE FROM review WHERE game = $1",
    "DELETE FROM receipt WHERE game = $1",
    "DELETE FROM line WHERE game = $1",
    "DELETE FROM seat WHERE game = $1",
    "DELETE FROM game WHERE id = $1",
];

/// Deletes, and lists what is gone.
pub(super) async fn purge(db: &mut AnyConnection, asked: &Purge) -> Result<Vec<String>, sqlx::Error> {
    let found = query("SELECT id FROM game WHERE touched < $1 ORDER BY touched, id LIMIT $2");
    let found = found.bind(asked.before).bind(i64::from(asked.limit)).fetch_all(&mut *db).await?;
    let gone = found.iter().map(|row| row.try_get(0)).collect::<Result<Vec<String>, _>>()?;
    for game in &gone {
        for part in PARTS {
            query(part).bind(game).execute(&mut *db).await?;
        }
    }
    owners::purge(db, asked.before).await?;
    Ok(gone)
}
