//! Counters of the store, and the size of the database.

use super::{Store, StoreError, connect::with_suffix};
use prometheus_client::metrics::histogram::Histogram;
use sqlx::{AnyPool, query_scalar};
use std::{fs, path::Path, sync::atomic::Ordering};

/// Counts since the store was opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WriteCounts {
    /// Committed jobs, including refused ones.
    pub jobs: u64,
    /// Commits. Each one waited for the disk.
    pub commits: u64,
    /// Jobs rejected because the queue was full.
    pub busy: u64,
    /// Jobs lost to database errors.
    pub failed: u64,
    /// Jobs waiting now.
    pub waiting: u64,
}

impl Store {
    /// Returns the current counts.
    pub fn tally(&self) -> WriteCounts {
        let monitor = &self.inner.monitor;
        WriteCounts {
            jobs: monitor.jobs.load(Ordering::Relaxed),
            commits: monitor.commits.load(Ordering::Relaxed),
            busy: monitor.busy.load(Ordering::Relaxed),
            failed: monitor.failed.load(Ordering::Relaxed),
            waiting: self.inner.writer.waiting() as u64,
        }
    }

    /// Durations of all commits since the store was opened, in seconds.
    pub fn commit_times(&self) -> Histogram {
        self.inner.monitor.durations.clone()
    }

    /// Measures the size of the database. Scans the key of every game.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn extent(&self) -> Result<DatabaseSize, StoreError> {
        measure(&self.inner.readers, self.inner.file.as_deref()).await
    }
}

/// Size of the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DatabaseSize {
    /// Size in bytes, including SQLite's write-ahead log.
    pub bytes: u64,
    /// Number of games.
    pub games: u64,
    /// Number of turn notifications waiting for delivery.
    pub notifications: u64,
    /// Free bytes on the disk of an SQLite file.
    pub free: Option<u64>,
}

async fn measure(pool: &AnyPool, file: Option<&Path>) -> Result<DatabaseSize, StoreError> {
    let games = count(pool, "SELECT COUNT(*) FROM game").await?;
    let notifications = count(pool, "SELECT COUNT(*) FROM outbox").await?;
    match file {
        Some(file) => {
            let bytes = [file.to_owned(), with_suffix(file, "-wal")].iter().map(|file| length(file)).sum();
            let disk = file.parent().and_then(|folder| rustix::fs::statvfs(folder).ok());
            Ok(DatabaseSize {
                bytes,
                games,
                notifications,
                free: disk.map(|disk| disk.f_bavail.saturating_mul(disk.f_frsize)),
            })
        }
        None => {
            let bytes = count(pool, "SELECT pg_database_size(current_database())").await?;
            Ok(DatabaseSize { bytes, games, notifications, free: None })
        }
    }
}

async fn count(pool: &AnyPool, statement: &'static str) -> Result<u64, StoreError> {
    let number: i64 = query_scalar(statement).fetch_one(pool).await?;
    Ok(number.unsigned_abs())
}

/// The length of a file; 0 if it does not exist.
fn length(file: &Path) -> u64 {
    fs::metadata(file).map_or(0, |file| file.len())
}
