//! Processes on one database, and the bots that wait for one of them to choose a move. A process that misses its
//! heartbeat is dead, and the others take over its bots.

use super::StoreError;
use sqlx::{AnyConnection, AnyPool, Row, query};

/// The turn of a game's bot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BotTurn {
    /// Time since which the bot is to move.
    pub since: i64,
    /// Process that computes the move unless another one already does; `None` leaves it to any process.
    pub thinker: Option<String>,
}

/// A process's report that it is alive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heartbeat {
    /// Unique name of the process.
    pub name: String,
    /// Role of the process. Opaque here.
    pub role: String,
    /// Start time of the process.
    pub since: i64,
    /// Time of the heartbeat.
    pub now: i64,
    /// Expiry: the process is dead unless it sends another heartbeat by then.
    pub until: i64,
}

/// A live process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Peer {
    /// Its name.
    pub name: String,
    /// Its role.
    pub role: String,
}

/// A search for games whose bot is to move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BotSearch {
    /// The searching process. It finds its earlier claims again.
    pub name: String,
    /// Time of the search.
    pub now: i64,
    /// True to include games that no live process has claimed.
    pub free: bool,
    /// Maximum number of games.
    pub limit: u32,
}

/// A game whose bot is to move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PendingBot {
    /// The game.
    pub game: String,
    /// The version at which the bot is to move.
    pub version: i64,
}

/// Condition of a search. Binds the process, the time, whether to include unclaimed games, and the limit.
macro_rules! wait {
    () => {
        "FROM game WHERE asked IS NOT NULL AND (thinker = $1 OR ($3 = 1 AND (thinker IS NULL OR NOT EXISTS \
         (SELECT 1 FROM process WHERE process.name = game.thinker AND process.until >= $2)))) ORDER BY asked, id LIMIT $4"
    };
}

/// Lists matching games without claiming them.
pub(super) async fn find(pool: &AnyPool, search: &BotSearch) -> Result<Vec<PendingBot>, StoreError> {
    let found = query(concat!("SELECT id, version ", wait!()));
    let found = found.bind(&search.name).bind(search.now).bind(i64::from(search.free)).bind(i64::from(search.limit));
    Ok(found.fetch_all(pool).await?.iter().map(waiting).collect::<Result<_, _>>()?)
}

/// Claims matching games and skips those that another process is claiming. PostgreSQL only.
pub(super) async fn take(db: &mut AnyConnection, search: &BotSearch) -> Result<Vec<PendingBot>, sqlx::Error> {
    let taken = query(concat!(
        "UPDATE game SET thinker = $1 WHERE id IN (SELECT id ",
        wait!(),
        " FOR UPDATE SKIP LOCKED) RETURNING id, version"
    ));
    let taken = taken.bind(&search.name).bind(search.now).bind(i64::from(search.free)).bind(i64::from(search.limit));
    taken.fetch_all(db).await?.iter().map(waiting).collect()
}

/// Records that no bot is to move at this version of a game.
pub(super) async fn settle(db: &mut AnyConnection, waiting: &PendingBot) -> Result<(), sqlx::Error> {
    let settled = query("UPDATE game SET asked = NULL, thinker = NULL WHERE id = $1 AND version = $2");
    settled.bind(&waiting.game).bind(waiting.version).execute(db).await.map(drop)
}

/// Stores a heartbeat, deletes dead processes and lists the live ones, oldest first.
pub(super) async fn attend(db: &mut AnyConnection, own: &Heartbeat) -> Result<Vec<Peer>, sqlx::Error> {
    let come = "INSERT INTO process (name, role, since, until) VALUES ($1, $2, $3, $4) \
                ON CONFLICT (name) DO UPDATE SET until = excluded.until";
    query(come).bind(&own.name).bind(&own.role).bind(own.since).bind(own.until).execute(&mut *db).await?;
    query("DELETE FROM process WHERE until < $1").bind(own.now).execute(&mut *db).await?;
    let all = query("SELECT name, role FROM process ORDER BY since, name").fetch_all(db).await?;
    all.iter().map(|row| Ok(Peer { name: row.try_get(0)?, role: row.try_get(1)? })).collect()
}

/// Latest heartbeat expiry of any process but `name`; 0 if there is none.
pub(super) async fn others_until(pool: &AnyPool, name: &str) -> Result<i64, StoreError> {
    let latest = query("SELECT COALESCE(MAX(until), 0) FROM process WHERE name <> $1").bind(name);
    Ok(latest.fetch_one(pool).await?.try_get(0)?)
}

/// Deletes a process from the list.
pub(super) async fn leave(db: &mut AnyConnection, name: &str) -> Result<(), sqlx::Error> {
    query("DELETE FROM process WHERE name = $1").bind(name).execute(db).await.map(drop)
}

fn waiting(row: &sqlx::any::AnyRow) -> Result<PendingBot, sqlx::Error> {
    Ok(PendingBot { game: row.try_get(0)?, version: row.try_get(1)? })
}
