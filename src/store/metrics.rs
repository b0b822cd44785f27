//! Counters of the store and the size of the record.

use super::{Store, StoreError, connect::beside};
use prometheus_client::metrics::histogram::Histogram;
use sqlx::{AnyPool, query_scalar};
use std::{fs, path::Path, sync::atomic::Ordering};

/// A count of what the store has done since it was opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tally {
    /// Jobs settled by a commit, refusals among them.
    pub jobs: u64,
    /// Commits, each of which waited for the disk.
    pub commits: u64,
    /// Jobs turned away because too many were waiting.
    pub busy: u64,
    /// Jobs of which nothing came because the database failed.
    pub failed: u64,
    /// Jobs that wait now.
    pub waiting: u64,
}

impl Store {
    /// Counts what was done so far.
    pub fn tally(&self) -> Tally {
        let monitor = &self.inner.monitor;
        Tally {
            jobs: monitor.jobs.load(Ordering::Relaxed),
            commits: monitor.commits.load(Ordering::Relaxed),
            busy: monitor.busy.load(Ordering::Relaxed),
            failed: monitor.failed.load(Ordering::Relaxed),
            waiting: self.inner.writer.waiting() as u64,
        }
    }

    /// The durations of all commits since the store was opened, in seconds.
    pub fn commit_times(&self) -> Histogram {
        self.inner.monitor.durations.clone()
    }

    /// Measures how large the record is. Looks at every game's key.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn extent(&self) -> Result<Extent, StoreError> {
        measure(&self.inner.readers, self.inner.file.as_deref()).await
    }
}

/// The size of the record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extent {
    /// The bytes that it takes, what is not yet in SQLite's main file among them.
    pub bytes: u64,
    /// The games in it.
    pub games: u64,
    /// The turn notifications that wait to be delivered.
    pub notifications: u64,
    /// The bytes that its disk still has for us, where it is a file.
    pub free: Option<u64>,
}

async fn measure(pool: &AnyPool, file: Option<&Path>) -> Result<Extent, StoreError> {
    let games = count(pool, "SELECT COUNT(*) FROM game").await?;
    let notifications = count(pool, "SELECT COUNT(*) FROM outbox").await?;
    match file {
        Some(file) => {
            let bytes = [file.to_owned(), beside(file, "-wal")].iter().map(|file| length(file)).sum();
            let disk = file.parent().and_then(|folder| rustix::fs::statvfs(folder).ok());
            Ok(Extent {
                bytes,
                games,
                notifications,
                free: disk.map(|disk| disk.f_bavail.saturating_mul(disk.f_frsize)),
            })
        }
        None => {
            let bytes = count(pool, "SELECT pg_database_size(current_database())").await?;
            Ok(Extent { bytes, games, notifications, free: None })
        }
    }
}

async fn count(pool: &AnyPool, statement: &'static str) -> Result<u64, StoreError> {
    let number: i64 = query_scalar(statement).fetch_one(pool).await?;
    Ok(number.unsigned_abs())
}

/// The length of a file; nothing for one that is not there.
fn length(file: &Path) -> u64 {
    fs::metadata(file).map_or(0, |file| file.len())
}
