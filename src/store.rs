//! Persistent storage of all games, on SQLite or PostgreSQL, with one set of statements for both.
//! Handles ids, numbers and text only: it contains no chess and uses no other module of this crate.
//!
//! A game is a list of lines in slots counted from 0. An append names the slot it expects to fill. If two writers name
//! the same slot, one of them gets `StoreError::Conflict`. Every acknowledged write is on disk.

mod change_feed;
mod conditional_moves;
pub mod connect;
mod error;
mod game_queries;
mod games;
mod key_queries;
mod maintenance;
mod metrics;
mod notifications;
mod outbox;
mod peers;
mod player_keys;
mod read_queries;
mod results;
mod rows;
mod seats;
mod site_copy;
mod tables;
mod write_jobs;
mod writer;

pub use change_feed::PeerMessage;
pub use conditional_moves::{ConditionalMovesRow, ConditionalMovesUpdate};
pub use connect::Lock;
pub(crate) use connect::private_folder;
pub use error::StoreError;
pub use games::{Append, Appended, GameEnd, NewGame, NewLine, Receipt};
pub use maintenance::{Purge, backup};
pub use metrics::{DatabaseSize, WriteCounts};
pub use notifications::{NewNotice, NoticeRow, NoticeUpdate};
pub use outbox::{OutboxEntry, OutboxSearch, RecordedTurns, Settlement};
pub use peers::{BotSearch, BotTurn, Heartbeat, Peer, PendingBot};
pub use player_keys::{Handover, NewOwner, OwnerSwap, Presence, ProgramRow, Registration, RegistrationResult};
pub use results::{Attempt, Attempts, GameReview, Measurement, ReviewRequest, ReviewStatus};
pub use rows::{
    Cursor, Digest, EndCursor, EndedGame, ExpiredClocks, FinishedSeat, GameRecord, GameRow, HeldSeat, LineRow, SeatRow,
};
pub use seats::{
    ChallengeAnswer, ChallengeCounts, Claim, ClaimedSeat, Holder, Invitation, Key, NewSeat, Renewal, SeatEntry, Seek,
};
pub use site_copy::{Comparison, CopyError, SiteCopy};
pub use tables::{COPIED, CopiedTable, NOT_COPIED};

use connect::Location;
use futures_util::{FutureExt, future::BoxFuture};
use read_queries::retry_disconnected;
use sqlx::AnyPool;
use std::{
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};
use tokio::sync::{broadcast, oneshot, watch};
use write_jobs::{Job, Request};
use writer::{Monitor, Writer};

/// Announces that a game has changed. Carries no state: the receiver reads the game again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The game.
    pub game: String,
    /// The game's version after the change. It may already be higher.
    pub version: i64,
    /// Keys that became owners of a seat with this change.
    pub owners: Vec<Digest>,
}

/// Capacity limits of the store.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Maximum number of queued write jobs.
    pub queue: u32,
    /// Maximum number of jobs in one commit.
    pub batch: u32,
    /// Number of SQLite connections that read. One more connection writes.
    pub readers: u32,
    /// Number of PostgreSQL connections. More connections share one wait for the disk. All instances together must stay
    /// below the server's `max_connections` (100 by default).
    pub connections: u32,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { queue: 1024, batch: 256, readers: 4, connections: 24 }
    }
}

/// Handle to the database. Clones share the same connections.
#[derive(Clone)]
pub struct Store {
    inner: Arc<Inner>,
}

struct Inner {
    readers: AnyPool,
    writer: Writer,
    monitor: Arc<Monitor>,
    /// Messages from other processes on the same database; `None` on SQLite.
    others: Option<PeerFeed>,
    /// The SQLite file.
    file: Option<PathBuf>,
}

/// Receiving end of the change feed from other processes.
struct PeerFeed {
    /// Name of this process on the change feed.
    name: String,
    messages: broadcast::Sender<PeerMessage>,
    closed: watch::Sender<bool>,
    /// True while the change feed is disconnected from the database.
    is_disconnected: Arc<AtomicBool>,
}

/// Changes that a subscriber may lag behind before it must reload its games.
const CHANGES: usize = 4096;

impl Store {
    /// Opens `postgres://…` or an SQLite file (`PATH` or `sqlite:PATH`) and migrates the schema. Creates a missing file
    /// and its folder.
    ///
    /// # Errors
    /// `Unreachable`, `Corrupt`, `Newer` or `Foreign`. Each names the database and the remedy.
    pub async fn open(at: &str) -> Result<Store, StoreError> {
        Store::open_with(at, Limits::default()).await
    }

    /// Opens an existing database as [`Store::open`] does, and creates none.
    ///
    /// # Errors
    /// `Unreachable` if the file does not exist, otherwise as [`Store::open`].
    pub async fn open_existing(at: &str) -> Result<Store, StoreError> {
        Location::exists(at)?;
        Store::open(at).await
    }

    /// Opens a database as [`Store::open`] does, with other limits.
    ///
    /// # Errors
    /// As [`Store::open`].
    pub fn open_with(at: &str, limits: Limits) -> BoxFuture<'_, Result<Store, StoreError>> {
        async move {
            let place = Location::parse(at)?;
            connect::migrate(&place).await?;
            let writers = place.writers(limits.connections).await?;
            let readers = place.readers(&writers, limits.readers).await?;
            let (changes, _) = broadcast::channel(CHANGES);
            let monitor = Arc::new(Monitor::new(changes));
            let file = place.file();
            let (writer, others) = match place {
                Location::Sqlite { .. } => {
                    (Writer::queue(writers, limits.queue as usize, limits.batch as usize, monitor.clone()), None)
                }
                Location::Postgres { url } => {
                    let (heard, _) = broadcast::channel(CHANGES);
                    let (closed, closing) = watch::channel(false);
                    let name: String = read_queries::backend(&readers).await?;
                    tokio::spawn(change_feed::publish(writers.clone(), name.clone(), monitor.changes.subscribe()));
                    let away = Arc::new(AtomicBool::new(false));
                    tokio::spawn(change_feed::receive(url, name.clone(), heard.clone(), away.clone(), closing));
                    (
                        Writer::pool(writers, limits.queue, limits.batch as usize, monitor.clone()),
                        Some(PeerFeed { name, messages: heard, closed, is_disconnected: away }),
                    )
                }
            };
            Ok(Store { inner: Arc::new(Inner { readers, writer, monitor, others, file }) })
        }
        .boxed()
    }

    /// Time on the PostgreSQL server in milliseconds since the epoch; `None` on SQLite, where the local clock is the
    /// only one.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn clock(&self) -> Result<Option<i64>, StoreError> {
        Ok(if self.inner.others.is_some() {
            Some(self.read(|| read_queries::clock(self.readers())).await?)
        } else {
            None
        })
    }

    /// True if other processes may write to the same database.
    pub fn is_shared(&self) -> bool {
        self.inner.others.is_some()
    }

    /// Accepts no more jobs, writes the queued ones and closes the database. Later calls return `Closed`.
    pub async fn close(&self) {
        if let Some(others) = &self.inner.others {
            others.closed.send_replace(true);
        }
        self.inner.writer.close().await;
        self.inner.readers.close().await;
    }

    /// Stores the heartbeat time, in milliseconds since the epoch.
    ///
    /// # Errors
    /// `Full`, `Busy`, `Closed`, or a database error.
    pub async fn record_heartbeat(&self, now: i64) -> Result<(), StoreError> {
        self.write(Job::Probe, Some(now)).await
    }

    /// Tests whether the database accepts writes by storing the last heartbeat again. Fails at once while the database
    /// is known to be unreachable.
    ///
    /// # Errors
    /// As [`Store::record_heartbeat`].
    pub async fn probe(&self) -> Result<(), StoreError> {
        self.check_connection()?;
        self.write(Job::Probe, None).await
    }

    /// Time of the last heartbeat, in milliseconds since the epoch; 0 if there was none.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn last_heartbeat(&self) -> Result<i64, StoreError> {
        self.read(|| read_queries::alive(self.readers())).await
    }

    /// Subscribes to all changes after their commit. A subscriber that lags must reload its games.
    pub fn listen(&self) -> broadcast::Receiver<Change> {
        self.inner.monitor.changes.subscribe()
    }

    /// Subscribes to the changes committed by other processes; `None` on SQLite.
    pub fn peer_messages(&self) -> Option<broadcast::Receiver<PeerMessage>> {
        self.inner.others.as_ref().map(|others| others.messages.subscribe())
    }

    async fn write<Q, A>(&self, kind: fn(Request<Q, A>) -> Job, ask: Q) -> Result<A, StoreError> {
        let (asked, answered): (_, oneshot::Receiver<_>) = Request::new(ask);
        self.inner.writer.submit(kind(asked))?;
        self.explain_busy(answered.await.unwrap_or(Err(StoreError::Closed)))
    }

    fn readers(&self) -> &AnyPool {
        &self.inner.readers
    }

    async fn read<A, Asked>(&self, ask: impl Fn() -> Asked) -> Result<A, StoreError>
    where
        Asked: Future<Output = Result<A, StoreError>>,
    {
        self.explain_busy(retry_disconnected(self.readers(), ask).await)
    }

    /// Replaces `Busy` by the reason for the missing connection, if it is known.
    fn explain_busy<A>(&self, answer: Result<A, StoreError>) -> Result<A, StoreError> {
        match answer {
            Err(StoreError::Busy) => self.check_connection().and(answer),
            answer => answer,
        }
    }

    fn check_connection(&self) -> Result<(), StoreError> {
        match self.inner.others.as_ref().is_some_and(|others| others.is_disconnected.load(Ordering::Relaxed)) {
            true => Err(StoreError::Disconnected("no connection to the server".to_owned())),
            false => Ok(()),
        }
    }
}
