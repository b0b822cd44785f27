//! Queue of turn notifications: claiming, retrying and settling. Contains no HTTP and does not determine whose turn it
//! is.
//!
//! A claim is identified by its expiry time. Only the current claim can settle an entry. If a process dies, its claims
//! expire and other processes take over the entries.

use super::{Digest, StoreError};
use sqlx::{AnyConnection, AnyPool, Row, any::AnyRow, query};

/// Seats to move at a version of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedTurns {
    /// The game.
    pub game: String,
    /// The version.
    pub version: i64,
    /// The ply.
    pub ply: i64,
    /// The seats to move.
    pub seats: Vec<String>,
    /// The time, in milliseconds since the epoch.
    pub now: i64,
}

/// A search for a notification that is due.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutboxSearch {
    /// The time, in milliseconds since the epoch.
    pub now: i64,
    /// The time at which the claim expires.
    pub until: i64,
    /// Number of claims that one key may hold at the same time.
    pub per_owner: u32,
}

/// A notification that this process has claimed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutboxEntry {
    /// Id of the notification target.
    pub notice: String,
    /// The game.
    pub game: String,
    /// The seat to move.
    pub seat: String,
    /// Key that owned the seat at the start of the turn.
    pub owner: Digest,
    /// The ply of the turn.
    pub ply: i64,
    /// Time at which the entry was added, in milliseconds since the epoch.
    pub created: i64,
    /// Number of attempts that have failed.
    pub attempts: i64,
    /// The time at which the claim expires.
    pub claimed: i64,
}

/// The end of a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settlement {
    /// The entry.
    pub entry: OutboxEntry,
    /// Time of the next attempt; `None` deletes the entry.
    pub retry: Option<i64>,
}

/// Adds the turns of a game's version to the outbox; false if this or a later version was added before. A newer turn of
/// a seat replaces an older one, but an attempt in progress keeps its claim.
pub(super) async fn record(db: &mut AnyConnection, new: &RecordedTurns) -> Result<bool, sqlx::Error> {
    let marked = query("UPDATE game SET notified = $2 WHERE id = $1 AND notified < $2");
    if marked.bind(&new.game).bind(new.version).execute(&mut *db).await?.rows_affected() == 0 {
        return Ok(false);
    }
    let mut keys: Vec<(String, &String)> = Vec::new();
    for seat in &new.seats {
        let first = query(
            "UPDATE seat SET noticed = $3 WHERE game = $1 AND seat = $2 AND noticed <> $3 \
             AND owner IN (SELECT owner FROM notice WHERE address <> '') RETURNING owner",
        );
        let first = first.bind(&new.game).bind(seat).bind(new.ply).fetch_optional(&mut *db).await?;
        if let Some(row) = first {
            keys.push((row.try_get(0)?, seat));
        }
    }
    // All transactions lock keys in the same order, which prevents deadlocks.
    keys.sort();
    for (owner, seat) in keys {
        lock(db, &owner, new.now).await?;
        let entries = query(
            "INSERT INTO outbox (notice, game, seat, owner, ply, created, attempts, due, claimed) \
             SELECT notice.id, seat.game, seat.seat, seat.owner, $3, $4, 0, $4, 0 \
             FROM seat JOIN notice ON notice.owner = seat.owner \
             WHERE seat.game = $1 AND seat.seat = $2 AND notice.address <> '' \
             ON CONFLICT (notice, game, seat) DO UPDATE SET owner = excluded.owner, ply = excluded.ply, \
             created = excluded.created, attempts = 0, \
             due = CASE WHEN outbox.claimed > 0 THEN outbox.due ELSE excluded.due END",
        );
        entries.bind(&new.game).bind(seat).bind(new.ply).bind(new.now).execute(&mut *db).await?;
        // If the key already holds all its claims, the next search postpones it again.
        let due = query("UPDATE outbox_key SET due = $2 WHERE owner = $1 AND due > $2");
        due.bind(owner).bind(new.now).execute(&mut *db).await?;
    }
    Ok(true)
}

/// Locks the row of a key until the end of the transaction. A new row queues behind keys served before `since`.
async fn lock(db: &mut AnyConnection, owner: &str, since: i64) -> Result<(), sqlx::Error> {
    let locked = "INSERT INTO outbox_key (owner, due, served) VALUES ($1, $2, $3) \
                  ON CONFLICT (owner) DO UPDATE SET owner = excluded.owner";
    query(locked).bind(owner).bind(i64::MAX).bind(since).execute(db).await.map(drop)
}

/// True if there may be an entry to claim. Claims nothing.
pub(super) async fn is_due(pool: &AnyPool, now: i64) -> Result<bool, StoreError> {
    let found = query("SELECT 1 FROM outbox_key WHERE due <= $1 LIMIT 1").bind(now);
    Ok(found.fetch_optional(pool).await?.is_some())
}

/// Outcome of one attempt to claim. Each transaction locks one key only, so that two of them never wait for each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ClaimAttempt {
    /// An entry was claimed.
    Claimed(OutboxEntry),
    /// Nothing is due.
    Nothing,
    /// This key had no entry to claim. Another key may have one.
    Again,
}

/// Claims the longest-waiting entry of the key that was served longest ago.
pub(super) async fn claim(db: &mut AnyConnection, search: &OutboxSearch) -> Result<ClaimAttempt, sqlx::Error> {
    let next = query("SELECT owner FROM outbox_key WHERE due <= $1 ORDER BY served, owner LIMIT 1").bind(search.now);
    let Some(next) = next.fetch_optional(&mut *db).await? else { return Ok(ClaimAttempt::Nothing) };
    let owner: String = next.try_get(0)?;
    let served = query("UPDATE outbox_key SET served = $2 WHERE owner = $1 AND due <= $2");
    if served.bind(&owner).bind(search.now).execute(&mut *db).await?.rows_affected() == 0 {
        // Another process served this key in the meantime.
        return Ok(ClaimAttempt::Again);
    }
    let held = query("SELECT COUNT(*), MIN(claimed) FROM outbox WHERE owner = $1 AND claimed > 0 AND claimed > $2");
    let held = held.bind(&owner).bind(search.now).fetch_one(&mut *db).await?;
    if held.try_get::<i64, _>(0)? >= i64::from(search.per_owner) {
        let free: i64 = held.try_get(1)?;
        query("UPDATE outbox_key SET due = $2 WHERE owner = $1").bind(&owner).bind(free).execute(&mut *db).await?;
        return Ok(ClaimAttempt::Again);
    }
    let claimed = query(
        "UPDATE outbox SET claimed = $3, due = $3 WHERE due <= $2 AND (notice, game, seat) IN \
         (SELECT notice, game, seat FROM outbox WHERE owner = $1 AND due <= $2 ORDER BY due LIMIT 1) \
         RETURNING notice, game, seat, owner, ply, created, attempts, claimed",
    );
    let claimed = claimed.bind(&owner).bind(search.now).bind(search.until).fetch_optional(&mut *db).await?;
    next_due(db, &owner).await?;
    claimed.map_or(Ok(ClaimAttempt::Again), |row| entry(&row).map(ClaimAttempt::Claimed))
}

/// Sets the next due time of a locked key, or deletes a key without entries.
async fn next_due(db: &mut AnyConnection, owner: &str) -> Result<(), sqlx::Error> {
    let due = query("SELECT MIN(due) FROM outbox WHERE owner = $1").bind(owner).fetch_one(&mut *db).await?;
    let next = match due.try_get::<Option<i64>, _>(0)? {
        Some(due) => query("UPDATE outbox_key SET due = $2 WHERE owner = $1").bind(owner).bind(due),
        None => query("DELETE FROM outbox_key WHERE owner = $1").bind(owner),
    };
    next.execute(db).await.map(drop)
}

fn entry(row: &AnyRow) -> Result<OutboxEntry, sqlx::Error> {
    Ok(OutboxEntry {
        notice: row.try_get(0)?,
        game: row.try_get(1)?,
        seat: row.try_get(2)?,
        owner: Digest::stored(row.try_get(3)?),
        ply: row.try_get(4)?,
        created: row.try_get(5)?,
        attempts: row.try_get(6)?,
        claimed: row.try_get(7)?,
    })
}

/// Ends a claim. If a newer turn has replaced the entry, that turn is due at once.
pub(super) async fn settle(db: &mut AnyConnection, settled: &Settlement) -> Result<(), sqlx::Error> {
    let entry = &settled.entry;
    lock(db, entry.owner.text(), entry.created).await?;
    let done = match settled.retry {
        None => query("DELETE FROM outbox WHERE notice = $1 AND game = $2 AND seat = $3 AND claimed = $4 AND ply = $5"),
        Some(_) => query(
            "UPDATE outbox SET claimed = 0, due = $6, attempts = attempts + 1 \
             WHERE notice = $1 AND game = $2 AND seat = $3 AND claimed = $4 AND ply = $5",
        ),
    };
    let done = done.bind(&entry.notice).bind(&entry.game).bind(&entry.seat).bind(entry.claimed).bind(entry.ply);
    let done = match settled.retry {
        None => done,
        Some(retry) => done.bind(retry),
    };
    if done.execute(&mut *db).await?.rows_affected() == 0 {
        let newer = query(
            "UPDATE outbox SET claimed = 0, due = created WHERE notice = $1 AND game = $2 AND seat = $3 AND claimed = $4",
        );
        let newer = newer.bind(&entry.notice).bind(&entry.game).bind(&entry.seat).bind(entry.claimed);
        newer.execute(&mut *db).await?;
    }
    next_due(db, entry.owner.text()).await
}

/// True if a seat of the game belongs to a key with a notification address.
pub(super) async fn is_addressed(pool: &AnyPool, game: &str) -> Result<bool, StoreError> {
    let found = query(
        "SELECT 1 FROM seat JOIN notice ON notice.owner = seat.owner \
         WHERE seat.game = $1 AND notice.address <> '' LIMIT 1",
    );
    Ok(found.bind(game).fetch_optional(pool).await?.is_some())
}

/// Lists ids and versions of games whose turns are missing in the outbox, in order of id after `after`, at most
/// `limit`. Omits turns older than the notification target.
pub(super) async fn unrecorded(pool: &AnyPool, after: &str, limit: i64) -> Result<Vec<(String, i64)>, StoreError> {
    let found = query(
        "SELECT DISTINCT game.id, game.version FROM notice JOIN seat ON seat.owner = notice.owner \
         JOIN game ON game.id = seat.game WHERE notice.address <> '' AND game.result IS NULL \
         AND game.notified < game.version AND game.touched >= notice.created AND game.id > $1 ORDER BY game.id LIMIT $2",
    );
    let found = found.bind(after).bind(limit).fetch_all(pool).await?;
    Ok(found.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).collect::<Result<_, sqlx::Error>>()?)
}
