//! Notices: where a key wants its turn notifications. What is sent, and how, is not known here.

use super::{Digest, StoreError};
use sqlx::{AnyConnection, AnyPool, Row, any::AnyRow, query};

/// Somebody who is to be told when a key is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoticeRow {
    /// Short random text; of a feed, the digest of what its readers know.
    pub id: String,
    /// The key.
    pub owner: Digest,
    /// By which way. Opaque here.
    pub kind: String,
    /// Where notifications are sent. Opaque here; empty where none is sent.
    pub address: String,
    /// What is needed beside. Opaque here.
    pub secret: String,
    /// The base of links in what is sent.
    pub origin: String,
    /// When it was asked for.
    pub created: i64,
    /// Since when nothing has arrived there.
    pub failing: Option<i64>,
}

/// A wish to be told, if the key has fewer than so many.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewNotice {
    /// What is asked for; one of the same key, way and address is replaced.
    pub notice: NoticeRow,
    /// How many a key may have.
    pub limit: u32,
}

/// A word about a notice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoticeWord {
    /// Something has arrived, or has not since a time.
    Failing {
        /// Which.
        id: String,
        /// Since when nothing arrives; none where the last thing did.
        since: Option<i64>,
    },
    /// It is given up.
    End {
        /// Which.
        id: String,
        /// Only if it is this key's, where somebody asks for it.
        owner: Option<Digest>,
    },
}

/// Writes a wish down; false where the key has as many as it may.
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

/// Takes note of a word; false where there is no such notice.
pub(super) async fn note(db: &mut AnyConnection, word: &NoticeWord) -> Result<bool, sqlx::Error> {
    let done = match word {
        NoticeWord::Failing { id, since: None } => query("UPDATE notice SET failing = NULL WHERE id = $1").bind(id),
        NoticeWord::Failing { id, since: Some(since) } => {
            query("UPDATE notice SET failing = COALESCE(failing, $2) WHERE id = $1").bind(id).bind(*since)
        }
        NoticeWord::End { id, owner: None } => query("DELETE FROM notice WHERE id = $1").bind(id),
        NoticeWord::End { id, owner: Some(owner) } => {
            query("DELETE FROM notice WHERE id = $1 AND owner = $2").bind(id).bind(owner.text())
        }
    };
    let done = done.execute(&mut *db).await?.rows_affected() > 0;
    if let (NoticeWord::End { id, .. }, true) = (word, done) {
        // A claimed entry still counts for its key; it is deleted when it is settled.
        query("DELETE FROM outbox WHERE notice = $1 AND claimed = 0").bind(id).execute(db).await?;
    }
    Ok(done)
}

/// Keeps the site's secret unless it has one, and gives the one that it has.
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

/// The notices of a key, the oldest first.
pub(super) async fn of_owner(pool: &AnyPool, owner: &Digest) -> Result<Vec<NoticeRow>, StoreError> {
    let found = query(concat!(notices!(), "owner = $1 ORDER BY created, id")).bind(owner.text());
    Ok(found.fetch_all(pool).await?.iter().map(notice).collect::<Result<_, _>>()?)
}

/// A notice.
pub(super) async fn find(pool: &AnyPool, id: &str) -> Result<Option<NoticeRow>, StoreError> {
    let found = query(concat!(notices!(), "id = $1")).bind(id).fetch_optional(pool).await?;
    Ok(found.map(|row| notice(&row)).transpose()?)
}
