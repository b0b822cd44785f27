//! Errors of the store, worded for the operator who has to act on them.

use sqlx::error::DatabaseError;
use std::sync::Arc;

/// Reason why the store refused or failed.
#[derive(Debug, Clone, thiserror::Error)]
pub enum StoreError {
    /// Another writer has filled this slot; `at` is the current number of lines. Load the game again.
    #[error("the game has moved on: it now has {at} lines")]
    Conflict {
        /// The next free slot.
        at: i64,
    },
    /// No game has this id.
    #[error("there is no game {0}")]
    NoGame(String),
    /// An append without lines. The slot of its first line is what makes an append unique.
    #[error("an append without a line changes nothing")]
    NoLine,
    /// No seat has this invitation, or the game is not in the lobby.
    #[error("there is no such invitation")]
    NoInvitation,
    /// This invitation has been claimed.
    #[error("this invitation has been used")]
    Used,
    /// The game of this invitation is over.
    #[error("the game is over")]
    Over,
    /// The id, a token or an invitation code already exists: draw new ones and retry.
    #[error("this game id, seat token or invitation code is taken")]
    Taken,
    /// The game already has a rematch, named here.
    #[error("the rematch already exists: {0}")]
    Rematched(String),
    /// The write queue is full, or another process kept the database locked. Retry soon.
    #[error("the write queue is full; try again in a moment")]
    Busy,
    /// The disk is full or not writable. Acknowledged writes are safe. Writing resumes once there is room.
    #[error("the database cannot be written: {0}")]
    Full(String),
    /// The database cannot be reached, or a connection broke before anything was written. Acknowledged writes are safe.
    #[error("the database cannot be reached: {0}")]
    Disconnected(String),
    /// A text contains a character that the database cannot store, such as NUL on PostgreSQL. Nothing was written.
    #[error("the text contains a character that cannot be stored; remove it")]
    UnsupportedCharacter,
    /// The store has been closed.
    #[error("the store is closed")]
    Closed,
    /// The database belongs to a later release.
    #[error(
        "{place} has schema {found}, but this program supports only up to {known}: start the newer program instead"
    )]
    Newer {
        /// The database.
        place: String,
        /// Its newest migration.
        found: i64,
        /// The newest migration that this program carries.
        known: i64,
    },
    /// The migrations in the database differ from this program's.
    #[error("{place} is not a database of this program: {why}")]
    Foreign {
        /// The database.
        place: String,
        /// The difference.
        why: String,
    },
    /// The file is not an SQLite database, or is damaged.
    #[error("{place} is not a readable SQLite database ({why}); restore a backup or move the file away")]
    Corrupt {
        /// The database.
        place: String,
        /// SQLite's message.
        why: String,
    },
    /// The database cannot be reached or opened at all.
    #[error("cannot open {place}: {why}")]
    Unreachable {
        /// The database.
        place: String,
        /// The system's message.
        why: String,
    },
    /// Another server has locked the SQLite database.
    #[error(
        "another server uses {place}: {holder}. Stop that server, or start this one with another --data folder; \
         several servers can share a PostgreSQL database"
    )]
    Held {
        /// The database.
        place: String,
        /// Description of the holder.
        holder: String,
    },
    /// The database is on PostgreSQL, which has its own backup tools.
    #[error("{place} cannot be copied by this command: use PostgreSQL's pg_dump (see docs/operation.md)")]
    Remote {
        /// The database.
        place: String,
    },
    /// Any other database error.
    #[error("the database failed: {0}")]
    Database(Arc<sqlx::Error>),
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> StoreError {
        match error {
            error if is_busy(&error) => StoreError::Busy,
            sqlx::Error::Database(said) if matches!(sqlite_code(&*said), Some(CORRUPT | NOTADB)) => {
                StoreError::Corrupt { place: "the database".to_owned(), why: said.message().to_owned() }
            }
            sqlx::Error::Database(said) if is_full(&*said) => StoreError::Full(said.message().to_owned()),
            sqlx::Error::Database(said) if is_leaving(&*said) => StoreError::Disconnected(said.message().to_owned()),
            sqlx::Error::Database(said) if said.code().as_deref() == Some(UNKNOWN_CHARACTER) => {
                StoreError::UnsupportedCharacter
            }
            // Only a server connection causes an I/O error here. SQLite reports file errors by its own codes.
            sqlx::Error::Io(why) => StoreError::Disconnected(why.to_string()),
            sqlx::Error::PoolTimedOut => StoreError::Busy,
            sqlx::Error::PoolClosed => StoreError::Closed,
            other => StoreError::Database(Arc::new(other)),
        }
    }
}

impl StoreError {
    /// Converts an error of opening `place`, and adds the name of the database.
    pub(super) fn opening(place: &str, error: sqlx::Error) -> StoreError {
        match StoreError::from(error) {
            StoreError::Corrupt { why, .. } => StoreError::Corrupt { place: place.to_owned(), why },
            StoreError::Database(why) => StoreError::Unreachable { place: place.to_owned(), why: why.to_string() },
            StoreError::Disconnected(why) => StoreError::Unreachable { place: place.to_owned(), why },
            named => named,
        }
    }
}

/// SQLite's primary result codes (<https://www.sqlite.org/rescode.html>).
const BUSY: u32 = 5;
const FULL: u32 = 13;
const CORRUPT: u32 = 11;
const NOTADB: u32 = 26;

/// True if another process held SQLite's lock beyond the timeout.
pub(super) fn is_busy(error: &sqlx::Error) -> bool {
    matches!(error, sqlx::Error::Database(said) if sqlite_code(&**said) == Some(BUSY))
}

/// True if the transaction was undone because it and others waited for each other.
pub(super) fn is_deadlock(error: &StoreError) -> bool {
    let StoreError::Database(cause) = error else { return false };
    matches!(&**cause, sqlx::Error::Database(said) if said.code().as_deref() == Some(DEADLOCK))
}

/// SQLite's extended codes of a disk that cannot be written: failed writes, syncs and truncations.
const CANNOT_WRITE: [&str; 5] = ["778", "1034", "1290", "1546", "4874"];
/// PostgreSQL's code for a full disk (class 53, insufficient resources).
const DISK_FULL: &str = "53100";

/// PostgreSQL's code for a transaction that it chose to undo, of several that waited for each other.
const DEADLOCK: &str = "40P01";
/// PostgreSQL's code for a character that its encoding does not have.
const UNKNOWN_CHARACTER: &str = "22021";
/// PostgreSQL's error classes for connection failures and operator intervention, and its code for an idle timeout.
const LEAVING: [&str; 3] = ["08", "57P", "25P03"];

/// True if PostgreSQL is closing the connection, starting or stopping.
fn is_leaving(said: &dyn DatabaseError) -> bool {
    let code = said.code().unwrap_or_default();
    code.len() == 5 && LEAVING.iter().any(|class| code.starts_with(class))
}

/// True if the disk is full or cannot be written.
fn is_full(said: &dyn DatabaseError) -> bool {
    let code = said.code().unwrap_or_default();
    sqlite_code(said) == Some(FULL) || code == DISK_FULL || CANNOT_WRITE.contains(&code.as_ref())
}

/// The low byte of SQLite's extended result code; `None` for PostgreSQL, whose codes have five characters.
fn sqlite_code(said: &dyn DatabaseError) -> Option<u32> {
    let code = said.code()?;
    if code.len() == 5 { None } else { code.parse::<u32>().ok().map(|extended| extended & 0xff) }
}
