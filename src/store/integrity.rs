//! Damage to the file of an SQLite database, and lists of games for whoever plays their records again. PostgreSQL looks after its own pages.

use super::{Store, StoreError, location::url_of};
use sqlx::{AnyPool, Connection, SqliteConnection, query_scalar};
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};
use tokio::time::timeout;

/// The steps of SQLite's machine between two looks at whether it is to stop.
const STEPS: i32 = 1_000;
/// The newest games among which running ones are looked for.
const NEWEST: i64 = 1_000;

impl Store {
    /// Reads all of an SQLite database and lists its faults, a line each: at most 1,000 of its structure and 1,000 rows whose parent is
    /// missing. PostgreSQL has none.
    ///
    /// # Errors
    /// As [`Store::load`]; damage may also end the reading.
    pub async fn faults(&self) -> Result<Vec<String>, StoreError> {
        if self.inner.file.is_none() {
            return Ok(Vec::new());
        }
        let found = structure(self.readers()).await?;
        let lines = found.iter().flat_map(|found| found.lines());
        let wrong = lines.filter(|line| *line != "ok" && !line.starts_with("*** in database"));
        Ok(wrong.map(str::to_owned).chain(orphans(self.readers()).await?).collect())
    }

    /// Looks for a fault of an SQLite database, for at most this time; none if it found none by then.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn quick_fault(&self, within: Duration) -> Result<Option<String>, StoreError> {
        let Some(path) = self.inner.file.as_ref().and_then(|file| file.to_str()) else { return Ok(None) };
        // A connection of its own: what stops the check may stop nothing else.
        let mut db = SqliteConnection::connect(&url_of(path, "ro")).await?;
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = stop.clone();
        db.lock_handle().await?.set_progress_handler(STEPS, move || !stopped.load(Ordering::Relaxed));
        let found = timeout(within, query_scalar::<_, String>("PRAGMA quick_check(1)").fetch_one(&mut db)).await;
        stop.store(true, Ordering::Relaxed);
        // It was only read from.
        let _ = db.close().await;
        match found {
            Ok(found) => Ok(Some(found?).filter(|found| found != "ok")),
            Err(_) => Ok(None),
        }
    }

    /// The ids of the games that come after this one in their order, at most `limit`.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn ids_after(&self, id: &str, limit: u32) -> Result<Vec<String>, StoreError> {
        let ids = query_scalar("SELECT id FROM game WHERE id > $1 ORDER BY id LIMIT $2");
        Ok(ids.bind(id).bind(i64::from(limit)).fetch_all(self.readers()).await?)
    }

    /// The ids of the running games among the 1,000 games in which something has happened last, the newest first, at most `limit`.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn newest_running(&self, limit: u32) -> Result<Vec<String>, StoreError> {
        let ids = query_scalar(
            "SELECT id FROM (SELECT id, result, touched FROM game ORDER BY touched DESC, id DESC LIMIT $1) AS newest \
             WHERE result IS NULL ORDER BY touched DESC, id DESC LIMIT $2",
        );
        Ok(ids.bind(NEWEST).bind(i64::from(limit)).fetch_all(self.readers()).await?)
    }
}

/// What SQLite says of its pages and indexes: `ok`, or faults of one line or more each.
async fn structure(pool: &AnyPool) -> Result<Vec<String>, StoreError> {
    Ok(query_scalar("PRAGMA integrity_check(1000)").fetch_all(pool).await?)
}

/// The rows whose parent is missing.
async fn orphans(pool: &AnyPool) -> Result<Vec<String>, StoreError> {
    let rows = query_scalar(
        "SELECT 'row ' || COALESCE(rowid, '?') || ' of ' || \"table\" || ' has no parent in ' || parent \
         FROM pragma_foreign_key_check LIMIT 1000",
    );
    Ok(rows.fetch_all(pool).await?)
}
