//! Notification targets of keys. Delivery is implemented elsewhere.

use super::{Digest, StoreError};
use sqlx::{AnyConnection, AnyPool, Row, any::AnyRow, query};

/// A target for the turn notifications of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoticeRow {
    /// Short random text; for a feed, the digest of the secret in its address.
    pub id: String,
    /// The key.
    pub owner: Digest,
    /// Delivery method. Opaque here.
    pub kind: String,
    /// Address to which notifications are sent. Opaque here; empty for a feed, which clients poll.
    pub address: String,
    /// Secret that delivery needs. Opaque here.
    pub secret: String,
    /// Base address of the links in notifications.
    pub origin: String,
    /// Time of creation.
    pub created: i64,
    /// Time since which deliveries have failed.
    pub failing: Option<i64>,
}

/// A target to add, subject to a limit per key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewNotice {
    /// The target. It replaces one with the same key, method and address.
    pub notice: NoticeRow,
    /// Maximum number of targets per key.
    pub limit: u32,
}

/// Change to a notification target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoticeUpdate {
    /// Records a successful or failed delivery.
    Failing {
        /// Id of the target.
        id: String,
        /// Time of the first failure in a row; `None` after a success.
        since: Option<i64>,
    },
    /// Deletes the target.
    End {
        /// Id of the target.
        id: String,
        /// Owner that requests the deletion. A target of another owner is left alone.
        owner: Option<Digest>,
    },
}

/// Adds a target; false if the key has reached its limit.
pub(super) async fn begin(db: &mut AnyConnection, new: &NewNotice) -> Result<bool, sqlx::Error> {
    let notice = &new.notice;
    let waiting = query(
        "DELETE FROM outbox WHERE claimed = 0 \
         AND notice IN (SELECT id FROM notice WHERE owner = $1 AND kind = $2 AND address = $3)",
    );
    let waiting = waiting.bind(notice.owner.text()).bind(&notice.kind).bind(&notice.address);
    waiting.execute(&mut *db).await?;
    let same = query("DELETE FROM notice WHERE owner = $1 AND kind = $2 AND address = $3");
    same.bind(notice.owner.text()).bind(&notice.kind).bind(&notice.address).execute(&mut *db).await?;
    let count = query("SELECT COUNT(*) FROM notice WHERE owner = $1").bind(notice.owner.text());
    let count: i64 = count.fetch_one(&mut *db).await?.try_get(0)?;
    if count >= i64::from(new.limit) {
        return Ok(false);
    }
    query("INSERT INTO notice (id, owner, kind, address, secret, origin, created) VALUES ($1, $2, $3, $4, $5, $6, $7)")
        .bind(&notice.id)
        .bind(notice.owner.text())
        .bind(&notice.kind)
        .bind(&notice.address)
        .bind(&notice.secret)
        .bind(&notice.origin)
        .bind(notice.created)
        .execute(db)
        .await?;
    Ok(true)
}

/// Applies a change; false if the target does not exist.
pub(super) async fn note(db: &mut AnyConnection, word: &NoticeUpdate) -> Result<bool, sqlx::Error> {
    let done = match word {
        NoticeUpdate::Failing { id, since: None } => query("UPDATE notice SET failing = NULL WHERE id = $1").bind(id),
        NoticeUpdate::Failing { id, since: Some(since) } => {
            query("UPDATE notice SET failing = COALESCE(failing, $2) WHERE id = $1").bind(id).bind(*since)
        }
        NoticeUpdate::End { id, owner: None } => query("DELETE FROM notice WHERE id = $1").bind(id),
        NoticeUpdate::End { id, owner: Some(owner) } => {
            query("DELETE FROM notice WHERE id = $1 AND owner = $2").bind(id).bind(owner.text())
        }
    };
    let done = done.execute(&mut *db).await?.rows_affected() > 0;
    if let (NoticeUpdate::End { id, .. }, true) = (word, done) {
        // A claimed entry still counts for its key. It is deleted when it is settled.
        query("DELETE FROM outbox WHERE notice = $1 AND claimed = 0").bind(id).execute(db).await?;
    }
    Ok(done)
}

/// Stores the site's secret unless there is one, and returns the stored one.
pub(super) async fn sign(db: &mut AnyConnection, secret: &str) -> Result<String, sqlx::Error> {
    let first = query("INSERT INTO signer (one, secret) VALUES (1, $1) ON CONFLICT DO NOTHING").bind(secret);
    first.execute(&mut *db).await?;
    query("SELECT secret FROM signer WHERE one = 1").fetch_one(db).await?.try_get(0)
}

macro_rules! notices {
    () => {
        "SELECT id, owner, kind, address, secret, origin, created, failing FROM notice WHERE "
    };
}

fn notice(row: &AnyRow) -> Result<NoticeRow, sqlx::Error> {
    Ok(NoticeRow {
        id: row.try_get(0)?,
        owner: Digest::stored(row.try_get(1)?),
        kind: row.try_get(2)?,
        address: row.try_get(3)?,
        secret: row.try_get(4)?,
        origin: row.try_get(5)?,
        created: row.try_get(6)?,
        failing: row.try_get(7)?,
    })
}

/// Lists a key's targets, oldest first.
pub(super) async fn of_owner(pool: &AnyPool, owner: &Digest) -> Result<Vec<NoticeRow>, StoreError> {
    let found = query(concat!(notices!(), "owner = $1 ORDER BY created, id")).bind(owner.text());
    Ok(found.fetch_all(pool).await?.iter().map(notice).collect::<Result<_, _>>()?)
}

/// Finds a target by its id.
pub(super) async fn find(pool: &AnyPool, id: &str) -> Result<Option<NoticeRow>, StoreError> {
    let found = query(concat!(notices!(), "id = $1")).bind(id).fetch_optional(pool).await?;
    Ok(found.map(|row| notice(&row)).transpose()?)
}
