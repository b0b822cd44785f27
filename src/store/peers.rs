//! The processes on one record, and the bots that wait for one of them to think. A process that does not say in time that it is there is
//! not there, and what it was thinking about is for the others.

use super::StoreError;
use sqlx::{AnyConnection, AnyPool, Row, query};

/// The turn of a game's bot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BotTurn {
    /// Since when it is asked.
    pub since: i64,
    /// The process that thinks for it, unless another one does already; none for whoever comes.
    pub thinker: Option<String>,
}

/// The word of a process that it is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heartbeat {
    /// Its name: no other process has it.
    pub name: String,
    /// The kind of its work. Opaque here.
    pub role: String,
    /// When it was started.
    pub since: i64,
    /// The time.
    pub now: i64,
    /// It is gone if it does not say so again by then.
    pub until: i64,
}

/// A process that is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Present {
    /// Its name.
    pub name: String,
    /// The kind of its work.
    pub role: String,
}

/// A search for games whose bots wait.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BotSearch {
    /// The process that looks. What it took earlier is found again.
    pub name: String,
    /// The time.
    pub now: i64,
    /// Whether it also looks for games that nobody has taken, or somebody who is gone.
    pub free: bool,
    /// The most that it takes.
    pub limit: u32,
}

/// A game whose bot waits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waiting {
    /// Which game.
    pub game: String,
    /// The version at which it waits.
    pub version: i64,
}

/// The condition of a search, which binds the process, the time, whether free games count, and the limit.
macro_rules! wait {
    () => {
        "FROM game WHERE asked IS NOT NULL AND (thinker = $1 OR ($3 = 1 AND (thinker IS NULL OR NOT EXISTS \
         (SELECT 1 FROM process WHERE process.name = game.thinker AND process.until >= $2)))) ORDER BY asked, id LIMIT $4"
    };
}

/// Looks, and takes nothing.
pub(super) async fn find(pool: &AnyPool, search: &BotSearch) -> Result<Vec<Waiting>, StoreError> {
    let found = query(concat!("SELECT id, version ", wait!()));
    let found = found.bind(&search.name).bind(search.now).bind(i64::from(search.free)).bind(i64::from(search.limit));
    Ok(found.fetch_all(pool).await?.iter().map(waiting).collect::<Result<_, _>>()?)
}

/// Takes what others are not taking at the same moment. PostgreSQL only.
pub(super) async fn take(db: &mut AnyConnection, search: &BotSearch) -> Result<Vec<Waiting>, sqlx::Error> {
    let taken = query(concat!(
        "UPDATE game SET thinker = $1 WHERE id IN (SELECT id ",
        wait!(),
        " FOR UPDATE SKIP LOCKED) RETURNING id, version"
    ));
    let taken = taken.bind(&search.name).bind(search.now).bind(i64::from(search.free)).bind(i64::from(search.limit));
    taken.fetch_all(db).await?.iter().map(waiting).collect()
}

/// Notes that no bot waits in a game, as it stands.
pub(super) async fn settle(db: &mut AnyConnection, waiting: &Waiting) -> Result<(), sqlx::Error> {
    let settled = query("UPDATE game SET asked = NULL, thinker = NULL WHERE id = $1 AND version = $2");
    settled.bind(&waiting.game).bind(waiting.version).execute(db).await.map(drop)
}

/// Writes down that a process is there, and lists all that are, the first one first.
pub(super) async fn attend(db: &mut AnyConnection, own: &Heartbeat) -> Result<Vec<Present>, sqlx::Error> {
    let come = "INSERT INTO process (name, role, since, until) VALUES ($1, $2, $3, $4) \
                ON CONFLICT (name) DO UPDATE SET until = excluded.until";
    query(come).bind(&own.name).bind(&own.role).bind(own.since).bind(own.until).execute(&mut *db).await?;
    query("DELETE FROM process WHERE until < $1").bind(own.now).execute(&mut *db).await?;
    let all = query("SELECT name, role FROM process ORDER BY since, name").fetch_all(db).await?;
    all.iter().map(|row| Ok(Present { name: row.try_get(0)?, role: row.try_get(1)? })).collect()
}

/// The latest time until which any process but one has said to be there; 0 for never.
pub(super) async fn others_until(pool: &AnyPool, name: &str) -> Result<i64, StoreError> {
    let latest = query("SELECT COALESCE(MAX(until), 0) FROM process WHERE name <> $1").bind(name);
    Ok(latest.fetch_one(pool).await?.try_get(0)?)
}

/// Notes that a process goes.
pub(super) async fn leave(db: &mut AnyConnection, name: &str) -> Result<(), sqlx::Error> {
    query("DELETE FROM process WHERE name = $1").bind(name).execute(db).await.map(drop)
}

fn waiting(row: &sqlx::any::AnyRow) -> Result<Waiting, sqlx::Error> {
    Ok(Waiting { game: row.try_get(0)?, version: row.try_get(1)? })
}
