//! Everything that can go wrong with the record, in words for whoever has to act on it.

use sqlx::error::DatabaseError;
use std::sync::Arc;

/// Why the store refused or failed.
#[derive(Debug, Clone, thiserror::Error)]
pub enum StoreError {
    /// Somebody else's lines stand where these were to go; `at` is how many the game has now. Load it again.
    #[error("the game has moved on: it now has {at} lines")]
    Conflict {
        /// The next free slot.
        at: i64,
    },
    /// No game has this id.
    #[error("there is no game {0}")]
    NoGame(String),
    /// An append must bring at least one line: the slot it takes is what makes it unique.
    #[error("an append without a line changes nothing")]
    NoLine,
    /// No seat has this invitation, or the game is not in the lobby.
    #[error("there is no such invitation")]
    NoInvitation,
    /// The seat behind this invitation has been claimed.
    #[error("this invitation has been used")]
    Used,
    /// The id, a token or an invitation code exists already: draw new ones and try again.
    #[error("this game id, seat token or invitation code is taken")]
    Taken,
    /// The game has had its rematch, which is the game named here.
    #[error("the rematch exists already: {0}")]
    Rematched(String),
    /// More is waiting to be written than the queue holds, or another process kept the database locked. Try again soon.
    #[error("too much is waiting to be written; try again in a moment")]
    Busy,
    /// The disk has no room, or cannot be written to. What was acknowledged is safe, and writing goes on as soon as there is room.
    #[error("the record cannot be written: {0}")]
    Full(String),
    /// The database cannot be reached, or a connection to it was cut before anything was done. What was acknowledged is safe.
    #[error("the database cannot be reached: {0}")]
    Away(String),
    /// A text holds a character that the database cannot keep: PostgreSQL has no NUL. Nothing was done.
    #[error("a text holds a character that cannot be kept")]
    Unkept,
    /// The store has been closed.
    #[error("the store is closed")]
    Closed,
    /// The database was written by a later release.
    #[error("{place} has schema {found}, but this program knows only up to {known}: start the newer program instead")]
    Newer {
        /// Which database.
        place: String,
        /// Its newest migration.
        found: i64,
        /// The newest migration that this program carries.
        known: i64,
    },
    /// The database's migrations are not those of this program.
    #[error("{place} is not a database of this program: {why}")]
    Foreign {
        /// Which database.
        place: String,
        /// The difference.
        why: String,
    },
    /// The file is not an SQLite database, or is damaged.
    #[error("{place} is not a readable SQLite database ({why}); restore a backup or move the file away")]
    Corrupt {
        /// Which database.
        place: String,
        /// SQLite's words.
        why: String,
    },
    /// The database cannot be reached or opened at all.
    #[error("cannot open {place}: {why}")]
    Unreachable {
        /// Which database.
        place: String,
        /// The system's words.
        why: String,
    },
    /// Another server holds the SQLite database.
    #[error(
        "another server holds {place}: {holder}. Stop that server first, or give this one another folder with --data; \
         several servers share a PostgreSQL"
    )]
    Held {
        /// Which database.
        place: String,
        /// What the holder wrote of itself.
        holder: String,
    },
    /// The record is on a server that copies it itself.
    #[error("{place} is not copied from here: use PostgreSQL's pg_dump, as docs/operation.md shows")]
    Remote {
        /// Which database.
        place: String,
    },
    /// Anything else that the database said.
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
            sqlx::Error::Database(said) if is_leaving(&*said) => StoreError::Away(said.message().to_owned()),
            sqlx::Error::Database(said) if said.code().as_deref() == Some(UNKNOWN_CHARACTER) => StoreError::Unkept,
            // Only a server is reached by a connection; SQLite tells of its file in words of its own.
            sqlx::Error::Io(why) => StoreError::Away(why.to_string()),
            sqlx::Error::PoolTimedOut => StoreError::Busy,
            sqlx::Error::PoolClosed => StoreError::Closed,
            other => StoreError::Database(Arc::new(other)),
        }
    }
}

impl StoreError {
    /// The error of opening `place`: what cannot be reached, and what is damaged, is named.
    pub(super) fn opening(place: &str, error: sqlx::Error) -> StoreError {
        match StoreError::from(error) {
            StoreError::Corrupt { why, .. } => StoreError::Corrupt { place: place.to_owned(), why },
            StoreError::Database(why) => StoreError::Unreachable { place: place.to_owned(), why: why.to_string() },
            StoreError::Away(why) => StoreError::Unreachable { place: place.to_owned(), why },
            named => named,
        }
    }
}

/// SQLite's primary result codes (<https://www.sqlite.org/rescode.html>).
const BUSY: u32 = 5;
const FULL: u32 = 13;
const CORRUPT: u32 = 11;
const NOTADB: u32 = 26;

/// Tells whether another process held SQLite's lock for longer than one waits.
pub(super) fn is_busy(error: &sqlx::Error) -> bool {
    matches!(error, sqlx::Error::Database(said) if sqlite_code(&**said) == Some(BUSY))
}

/// SQLite's extended codes of a disk that cannot be written to: a write, a wait for the disk, a change of a file's length.
const CANNOT_WRITE: [&str; 5] = ["778", "1034", "1290", "1546", "4874"];
/// PostgreSQL's code for a full disk (class 53, insufficient resources).
const DISK_FULL: &str = "53100";

/// PostgreSQL's code for a character that its encoding does not have.
const UNKNOWN_CHARACTER: &str = "22021";
/// PostgreSQL's classes of a connection that fails and of an operator who steps in, and its code for one that is cut for idling.
const LEAVING: [&str; 3] = ["08", "57P", "25P03"];

/// Tells whether PostgreSQL ends a connection, starts or stops.
fn is_leaving(said: &dyn DatabaseError) -> bool {
    let code = said.code().unwrap_or_default();
    code.len() == 5 && LEAVING.iter().any(|class| code.starts_with(class))
}

/// Tells whether there was no room for what was to be written.
fn is_full(said: &dyn DatabaseError) -> bool {
    let code = said.code().unwrap_or_default();
    sqlite_code(said) == Some(FULL) || code == DISK_FULL || CANNOT_WRITE.contains(&code.as_ref())
}

/// The low byte of SQLite's extended result code. PostgreSQL's codes are told apart by their five characters.
fn sqlite_code(said: &dyn DatabaseError) -> Option<u32> {
    let code = said.code()?;
    if code.len() == 5 { None } else { code.parse::<u32>().ok().map(|extended| extended & 0xff) }
}
