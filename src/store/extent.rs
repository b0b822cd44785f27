//! The size of the record, for whoever watches over it. Knows no game.

use super::StoreError;
use super::location::Location;
use sqlx::{AnyPool, query_scalar};
use std::fs;
use std::path::{Path, PathBuf};

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

/// The file of an embedded database.
pub(super) fn file_of(place: &Location) -> Option<PathBuf> {
    match place {
        Location::Sqlite { path, .. } => Some(PathBuf::from(path)),
        Location::Postgres { .. } => None,
    }
}

pub(super) async fn measure(pool: &AnyPool, file: Option<&Path>) -> Result<Extent, StoreError> {
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

/// The file that SQLite keeps beside another one.
fn beside(file: &Path, ending: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

/// The length of a file; nothing for one that is not there.
fn length(file: &Path) -> u64 {
    fs::metadata(file).map_or(0, |file| file.len())
}
