//! The lock of a serving process on an SQLite database: a second server would resume running games and miss the first one's moves.

use super::{StoreError, extent, location::Location};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Write};

/// The most bytes that are read of a holder's words.
const LONGEST: u64 = 200;

/// An advisory lock on the file `NAME-lock` beside an SQLite database. It ends with the process, however the process ends; the file stays.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

impl Lock {
    /// Takes the lock of the database at `at` and writes `holder` there, the words that a refused process shows. PostgreSQL, which several processes share, has none.
    ///
    /// # Errors
    /// `Held` with the words of the holder, `Unreachable` if there can be no lock file.
    pub fn take(at: &str, holder: &str) -> Result<Option<Lock>, StoreError> {
        let place = Location::parse(at)?;
        let Some(database) = extent::file_of(&place) else { return Ok(None) };
        // A database is one, by whichever link it is opened.
        let database = database.canonicalize().unwrap_or(database);
        let path = extent::beside(&database, "-lock");
        let cannot = |why: std::io::Error| StoreError::Unreachable {
            place: path.display().to_string(),
            why: format!("the lock file cannot be used: {why}"),
        };
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(&path).map_err(cannot)?;
        match file.try_lock() {
            Ok(()) => {
                // On a full disk the lock holds without these words.
                let _ = file.set_len(0).and_then(|()| writeln!(file, "{holder}"));
                Ok(Some(Lock { _file: file }))
            }
            Err(TryLockError::WouldBlock) => {
                let mut words = Vec::new();
                file.take(LONGEST).read_to_end(&mut words).map_err(cannot)?;
                let holder = String::from_utf8_lossy(&words).trim().to_owned();
                Err(StoreError::Held { place: place.name(), holder })
            }
            Err(TryLockError::Error(why)) => Err(cannot(why)),
        }
    }
}
