//! Backups, integrity checks and the deletion of old games.

use super::{
    Store, StoreError,
    connect::{self, Location, url_of},
    player_keys,
};
use rustix::fs::{CWD, RenameFlags, renameat_with};
use sqlx::{AnyConnection, AnyPool, Connection, Row, SqliteConnection, query, query_scalar};
use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};
use tokio::time::timeout;

/// Steps of SQLite's virtual machine between two checks of the stop flag.
const STEPS: i32 = 1_000;
/// Number of newest games among which running ones are searched.
const NEWEST: i64 = 1_000;

/// A temporary copy, deleted on drop unless it was renamed.
struct Unfinished(PathBuf);

impl Drop for Unfinished {
    fn drop(&mut self) {
        // It was renamed, or it cannot be removed.
        let _ = fs::remove_file(&self.0);
    }
}

/// Copies the SQLite database at `at` to the file `to` and returns the size of the copy in bytes. The copy includes
/// everything acknowledged before the call, and its schema is not migrated. It appears under its name only when it is
/// complete and on disk. Only this user can read it, and it never replaces a file.
///
/// # Errors
/// `Remote` for PostgreSQL, `Unreachable` if the database does not exist or the copy cannot be made, `Full`, `Corrupt`.
pub async fn backup(at: &str, to: &Path) -> Result<u64, StoreError> {
    Location::exists(at)?;
    let place = Location::parse(at)?;
    let Some(file) = place.file() else { return Err(StoreError::Remote { place: place.name() }) };
    let cannot = |why: &str| StoreError::Unreachable { place: to.display().to_string(), why: why.to_owned() };
    let lacks = |error: io::Error| match error.kind() {
        io::ErrorKind::AlreadyExists => {
            cannot("the file exists, and a backup never overwrites a file; choose another name")
        }
        io::ErrorKind::StorageFull => StoreError::Full(error.to_string()),
        _ => cannot(&error.to_string()),
    };
    if to.symlink_metadata().is_ok() {
        return Err(lacks(io::ErrorKind::AlreadyExists.into()));
    }
    let Some(name) = to.file_name() else { return Err(cannot("this is not a file path")) };
    let mut part = name.to_owned();
    part.push(format!(".{}.part", std::process::id()));
    let folder = to.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let folder = folder.canonicalize().map_err(lacks)?;
    let part = Unfinished(folder.join(part));
    new_private_file(&part.0).map_err(lacks)?;

    copy(&file, &part.0).await.map_err(|error| match StoreError::opening(&place.name(), error) {
        StoreError::Database(why) => cannot(&why.to_string()),
        named => named,
    })?;
    let copied = File::open(&part.0).map_err(lacks)?;
    copied.sync_all().map_err(lacks)?;
    let bytes = copied.metadata().map_err(lacks)?.len();
    rename_new(&part.0, to).map_err(lacks)?;
    File::open(&folder).and_then(|folder| folder.sync_all()).map_err(lacks)?;
    Ok(bytes)
}

/// Copies the database and checks the integrity of the copy.
async fn copy(file: &Path, part: &Path) -> Result<(), sqlx::Error> {
    sqlx::any::install_default_drivers();
    let name =
        |path: &Path| path.to_str().map(str::to_owned).ok_or(sqlx::Error::Protocol("the path is not UTF-8".into()));
    let (file, part) = (name(file)?, name(part)?);
    let mut db = AnyConnection::connect(&connect::url_of(&file, "rw")).await?;
    query("VACUUM INTO $1").bind(&part).execute(&mut db).await?;
    db.close().await?;
    let mut db = AnyConnection::connect(&connect::url_of(&part, "ro")).await?;
    let sound: String = query_scalar("PRAGMA integrity_check(1)").fetch_one(&mut db).await?;
    db.close().await?;
    if sound == "ok" { Ok(()) } else { Err(sqlx::Error::Protocol(sound)) }
}

/// Creates a file that only this user can read. Fails if the file exists.
fn new_private_file(path: &Path) -> io::Result<()> {
    let mut file = fs::OpenOptions::new();
    file.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut file, 0o600);
    file.open(path).map(|_| ())
}

/// Renames a file without replacing another. Where the file system does not support this, creates a hard link instead.
fn rename_new(from: &Path, to: &Path) -> io::Result<()> {
    match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
        Err(rustix::io::Errno::INVAL) => fs::hard_link(from, to),
        done => Ok(done?),
    }
}

impl Store {
    /// Checks all of an SQLite database and returns its faults, one per line: at most 1,000 of its structure, and 1,000
    /// rows without a parent. Always empty on PostgreSQL.
    ///
    /// # Errors
    /// As [`Store::load`]. Damage may also end the check early.
    pub async fn faults(&self) -> Result<Vec<String>, StoreError> {
        if self.inner.file.is_none() {
            return Ok(Vec::new());
        }
        let found = structure(self.readers()).await?;
        let lines = found.iter().flat_map(|found| found.lines());
        let wrong = lines.filter(|line| *line != "ok" && !line.starts_with("*** in database"));
        Ok(wrong.map(str::to_owned).chain(orphans(self.readers()).await?).collect())
    }

    /// Searches an SQLite database for a fault, for at most `within`. Returns `None` if it has found none by then.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn quick_fault(&self, within: Duration) -> Result<Option<String>, StoreError> {
        let Some(path) = self.inner.file.as_ref().and_then(|file| file.to_str()) else { return Ok(None) };
        // A separate connection, so that stopping the check interrupts nothing else.
        let mut db = SqliteConnection::connect(&url_of(path, "ro")).await?;
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = stop.clone();
        db.lock_handle().await?.set_progress_handler(STEPS, move || !stopped.load(Ordering::Relaxed));
        let found = timeout(within, query_scalar::<_, String>("PRAGMA quick_check(1)").fetch_one(&mut db)).await;
        stop.store(true, Ordering::Relaxed);
        // Closing a read-only connection loses nothing.
        let _ = db.close().await;
        match found {
            Ok(found) => Ok(Some(found?).filter(|found| found != "ok")),
            Err(_) => Ok(None),
        }
    }

    /// Lists the ids of the games after `id` in order of id, at most `limit`.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn ids_after(&self, id: &str, limit: u32) -> Result<Vec<String>, StoreError> {
        let ids = query_scalar("SELECT id FROM game WHERE id > $1 ORDER BY id LIMIT $2");
        Ok(ids.bind(id).bind(i64::from(limit)).fetch_all(self.readers()).await?)
    }

    /// Lists the ids of running games among the 1,000 most recently changed games, newest first, at most `limit`.
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

/// SQLite's report on its pages and indexes: `ok`, or faults of one or more lines each.
async fn structure(pool: &AnyPool) -> Result<Vec<String>, StoreError> {
    Ok(query_scalar("PRAGMA integrity_check(1000)").fetch_all(pool).await?)
}

/// The rows without their parent row.
async fn orphans(pool: &AnyPool) -> Result<Vec<String>, StoreError> {
    let rows = query_scalar(
        "SELECT 'row ' || COALESCE(rowid, '?') || ' of ' || \"table\" || ' has no parent in ' || parent \
         FROM pragma_foreign_key_check LIMIT 1000",
    );
    Ok(rows.fetch_all(pool).await?)
}

/// Selection of games to delete.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Purge {
    /// Games without a change since this time, in milliseconds since 1970.
    pub before: i64,
    /// Maximum number of games. The longest inactive ones are deleted first.
    pub limit: u32,
}

/// Statements that delete a game, referring rows first.
const PARTS: [&str; 7] = [
    "UPDATE game SET rematch_of = NULL WHERE rematch_of = $1",
    "DELETE FROM review WHERE game = $1",
    "DELETE FROM conditional_moves WHERE game = $1",
    "DELETE FROM receipt WHERE game = $1",
    "DELETE FROM line WHERE game = $1",
    "DELETE FROM seat WHERE game = $1",
    "DELETE FROM game WHERE id = $1",
];

/// Deletes the games and returns their ids.
pub(super) async fn purge(db: &mut AnyConnection, asked: &Purge) -> Result<Vec<String>, sqlx::Error> {
    let found = query("SELECT id FROM game WHERE touched < $1 ORDER BY touched, id LIMIT $2");
    let found = found.bind(asked.before).bind(i64::from(asked.limit)).fetch_all(&mut *db).await?;
    let gone = found.iter().map(|row| row.try_get(0)).collect::<Result<Vec<String>, _>>()?;
    for game in &gone {
        for part in PARTS {
            query(part).bind(game).execute(&mut *db).await?;
        }
    }
    player_keys::purge(db, asked.before).await?;
    Ok(gone)
}
