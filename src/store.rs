//! Rows in, rows out. The record of every game, on SQLite or PostgreSQL, with one set of statements for both.
//! Knows ids, numbers and text; must not know chess, and uses no other module of this crate.
//!
//! A game is a list of lines. A line has a slot, counted from 0; whoever writes says which slot comes next, and of two
//! who say the same one, one loses and is told so. What was acknowledged is on the disk.

mod change_feed;
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
pub use connect::Lock;
pub(crate) use connect::private_folder;
pub use error::StoreError;
pub use games::{Append, Appended, GameEnd, NewGame, NewLine, Receipt};
pub use maintenance::{Purge, backup};
pub use metrics::{Extent, Tally};
pub use notifications::{NewNotice, NoticeRow, NoticeWord};
pub use outbox::{OutboxEntry, OutboxSearch, RecordedTurns, Settlement};
pub use peers::{BotSearch, BotTurn, Heartbeat, Present, Waiting};
pub use player_keys::{Handover, NewOwner, OwnerSwap, Presence, ProgramRow, Registration, RegistrationResult};
pub use results::{Attempt, Attempts, Measurement, Opinion, ReviewRequest, ReviewStatus};
pub use rows::{Cursor, Digest, ExpiredClocks, GameRecord, GameRow, HeldSeat, LineRow, SeatRow};
pub use seats::{Claim, ClaimedSeat, Holder, Invitation, Key, NewSeat, Renewal, SeatEntry};
pub use site_copy::{Comparison, CopyError, SiteCopy};
pub use tables::{COPIED, CopiedTable, NOT_COPIED};

use connect::Location;
use futures_util::{FutureExt, future::BoxFuture};
use read_queries::again;
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

/// A game has changed: a reason to read it again, and nothing more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// Which game.
    pub game: String,
    /// The version that it has now, or has passed.
    pub version: i64,
    /// The keys that have come to own a chair of it with this change.
    pub owners: Vec<Digest>,
}

/// The bounds of what the store takes on.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Jobs that may wait to be written.
    pub queue: u32,
    /// Jobs in one commit, at most.
    pub batch: u32,
    /// SQLite's connections that read; one more writes.
    pub readers: u32,
    /// PostgreSQL's connections. More of them share a wait for its disk; all instances together must leave room within
    /// its `max_connections`, 100 unless it is told otherwise.
    pub connections: u32,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { queue: 1024, batch: 256, readers: 4, connections: 24 }
    }
}

/// The record. Clones are the same store.
#[derive(Clone)]
pub struct Store {
    inner: Arc<Inner>,
}

struct Inner {
    readers: AnyPool,
    writer: Writer,
    monitor: Arc<Monitor>,
    /// What other processes on the same database tell; none where the record is this process' own.
    others: Option<Others>,
    /// The file of an embedded database.
    file: Option<PathBuf>,
}

/// The way to hear of other processes.
struct Others {
    /// The name that this process has among them.
    name: String,
    heard: broadcast::Sender<PeerMessage>,
    closed: watch::Sender<bool>,
    /// Set while nobody hears, because the database cannot be reached.
    away: Arc<AtomicBool>,
}

/// Changes that a listener may fall behind before it has to read its games anew.
const CHANGES: usize = 4096;

impl Store {
    /// Opens `postgres://…`, or the SQLite file of this path (`sqlite:PATH` is the same), which is made if it is missing,
    /// its folder too; then brings the schema up to date.
    ///
    /// # Errors
    /// `Unreachable`, `Corrupt`, `Newer`, `Foreign`: each names the place and says what to do.
    pub async fn open(at: &str) -> Result<Store, StoreError> {
        Store::open_with(at, Limits::default()).await
    }

    /// Opens a record that is there already, as [`Store::open`] does, and makes none.
    ///
    /// # Errors
    /// `Unreachable` if there is none, else as [`Store::open`].
    pub async fn open_existing(at: &str) -> Result<Store, StoreError> {
        Location::exists(at)?;
        Store::open(at).await
    }

    /// The same with other limits.
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
                    tokio::spawn(change_feed::tell(writers.clone(), name.clone(), monitor.changes.subscribe()));
                    let away = Arc::new(AtomicBool::new(false));
                    tokio::spawn(change_feed::hear(url, name.clone(), heard.clone(), away.clone(), closing));
                    (
                        Writer::pool(writers, limits.queue, limits.batch as usize, monitor.clone()),
                        Some(Others { name, heard, closed, away }),
                    )
                }
            };
            Ok(Store { inner: Arc::new(Inner { readers, writer, monitor, others, file }) })
        }
        .boxed()
    }

    /// The database's own time in milliseconds since the epoch, where several processes share it; none where it has no other than ours.
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

    /// Tells whether other processes may write to the record, too.
    pub fn is_shared(&self) -> bool {
        self.inner.others.is_some()
    }

    /// Takes nothing more, writes what was taken, and closes the database. Afterwards everything answers `Closed`.
    pub async fn close(&self) {
        if let Some(others) = &self.inner.others {
            others.closed.send_replace(true);
        }
        self.inner.writer.close().await;
        self.inner.readers.close().await;
    }

    /// Leaves a sign of life: the time in milliseconds since the epoch.
    ///
    /// # Errors
    /// `Full`, `Busy`, `Closed`, or what the database says.
    pub async fn beat(&self, now: i64) -> Result<(), StoreError> {
        self.write(Job::Probe, Some(now)).await
    }

    /// Writes the last sign of life once more, only to learn whether anything can be written. Does not wait for a database that is
    /// known to be away.
    ///
    /// # Errors
    /// As [`Store::beat`].
    pub async fn probe(&self) -> Result<(), StoreError> {
        self.here()?;
        self.write(Job::Probe, None).await
    }

    /// The last sign of life, in milliseconds since the epoch; 0 for never.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn alive(&self) -> Result<i64, StoreError> {
        self.read(|| read_queries::alive(self.readers())).await
    }

    /// Hears of every change from now on, after its commit. A listener that lags must read its games anew.
    pub fn listen(&self) -> broadcast::Receiver<Change> {
        self.inner.monitor.changes.subscribe()
    }

    /// Hears what other processes on the same database have changed, from now on; none where the record is this process' own.
    pub fn others(&self) -> Option<broadcast::Receiver<PeerMessage>> {
        self.inner.others.as_ref().map(|others| others.heard.subscribe())
    }

    async fn write<Q, A>(&self, kind: fn(Request<Q, A>) -> Job, ask: Q) -> Result<A, StoreError> {
        let (asked, answered): (_, oneshot::Receiver<_>) = Request::new(ask);
        self.inner.writer.give(kind(asked))?;
        self.told(answered.await.unwrap_or(Err(StoreError::Closed)))
    }

    fn readers(&self) -> &AnyPool {
        &self.inner.readers
    }

    async fn read<A, Asked>(&self, ask: impl Fn() -> Asked) -> Result<A, StoreError>
    where
        Asked: Future<Output = Result<A, StoreError>>,
    {
        self.told(again(self.readers(), ask).await)
    }

    /// Whoever has waited in vain for a connection is told why there was none.
    fn told<A>(&self, answer: Result<A, StoreError>) -> Result<A, StoreError> {
        match answer {
            Err(StoreError::Busy) => self.here().and(answer),
            answer => answer,
        }
    }

    fn here(&self) -> Result<(), StoreError> {
        match self.inner.others.as_ref().is_some_and(|others| others.away.load(Ordering::Relaxed)) {
            true => Err(StoreError::Away("nobody answers".to_owned())),
            false => Ok(()),
        }
    }
}
