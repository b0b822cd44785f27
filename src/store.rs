//! Rows in, rows out. The record of every game, on SQLite or PostgreSQL, with one set of statements for both.
//! Knows ids, numbers and text; must not know chess, and uses no other module of this crate.
//!
//! A game is a list of lines. A line has a slot, counted from 0; whoever writes says which slot comes next, and of two
//! who say the same one, one loses and is told so. What was acknowledged is on the disk.

mod again;
mod backup;
mod crew;
mod digest;
mod error;
mod extent;
mod jobs;
mod keyring;
mod location;
mod migrate;
mod notices;
mod owners;
mod processes;
mod purge;
mod puzzles;
mod reader;
mod relay;
mod reviews;
mod rows;
mod writer;

pub use backup::backup;
pub use crew::{Attendance, BotSearch, BotTurn, Present, Waiting};
pub use digest::Digest;
pub use error::StoreError;
pub use extent::Extent;
pub use notices::{NewNotice, NoticeRow, NoticeWord, Noticed};
pub use owners::{Handover, NewOwner, OwnerSwap, Presence, ProgramRow, Registered, Registration};
pub use purge::Purge;
pub use puzzles::{Attempt, Attempts};
pub use relay::Heard;
pub use reviews::{Opinion, ReviewRequest, Reviewed};
pub use rows::{
    Append, Appended, Claim, Claimed, Cursor, Door, Due, GameRecord, GameRow, HeldSeat, Holder, Invitation, Key,
    LineRow, Measurement, NewGame, NewLine, NewSeat, Over, Receipt, Renewal, SeatRow,
};

use again::again;
use futures_util::{FutureExt, future::BoxFuture};
use jobs::{Job, Request};
use location::Location;
pub(crate) use location::private_folder;
use prometheus_client::metrics::histogram::Histogram;
use sqlx::AnyPool;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::{broadcast, oneshot, watch};
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

/// The bounds of what the store takes on.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Jobs that may wait to be written.
    pub queue: u32,
    /// Jobs in one commit, at most. SQLite only.
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
    heard: broadcast::Sender<Heard>,
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
            migrate::migrate(&place).await?;
            let writers = place.writers(limits.connections).await?;
            let readers = place.readers(&writers, limits.readers).await?;
            let (changes, _) = broadcast::channel(CHANGES);
            let monitor = Arc::new(Monitor::new(changes));
            let file = extent::file_of(&place);
            let (writer, others) = match place {
                Location::Sqlite { .. } => {
                    (Writer::queue(writers, limits.queue as usize, limits.batch as usize, monitor.clone()), None)
                }
                Location::Postgres { url } => {
                    let (heard, _) = broadcast::channel(CHANGES);
                    let (closed, closing) = watch::channel(false);
                    let name: String = reader::backend(&readers).await?;
                    tokio::spawn(relay::tell(writers.clone(), name.clone(), monitor.changes.subscribe()));
                    let away = Arc::new(AtomicBool::new(false));
                    tokio::spawn(relay::hear(url, name.clone(), heard.clone(), away.clone(), closing));
                    (Writer::pool(writers, limits.queue, monitor.clone()), Some(Others { name, heard, closed, away }))
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
        Ok(if self.inner.others.is_some() { Some(self.read(|| reader::clock(self.readers())).await?) } else { None })
    }

    /// Takes nothing more, writes what was taken, and closes the database. Afterwards everything answers `Closed`.
    pub async fn close(&self) {
        if let Some(others) = &self.inner.others {
            others.closed.send_replace(true);
        }
        self.inner.writer.close().await;
        self.inner.readers.close().await;
    }

    /// Begins a game with its chairs and first lines, at version 0. The game that it is the rematch of changes with it: the answer is
    /// that one's new version.
    ///
    /// # Errors
    /// `Taken` if the id, a token or an invitation exists; `Rematched` if the game it follows has a rematch; `Busy`.
    pub async fn create(&self, game: NewGame) -> Result<Option<i64>, StoreError> {
        self.write(Job::Create, game).await
    }

    /// Adds lines and sets the row's ply, due time and result, all or nothing, once. Returns after the commit.
    /// A receipt whose key was used answers `Repeated` and changes nothing, whatever else is asked.
    ///
    /// # Errors
    /// `Conflict` if the slot is not the next one, `NoGame`, `NoLine`, `Busy`.
    pub async fn append(&self, lines: Append) -> Result<Appended, StoreError> {
        self.write(Job::Append, lines).await
    }

    /// Gives a free chair to whoever comes first, and takes the game out of the lobby.
    ///
    /// # Errors
    /// `Used` if somebody was faster, `NoInvitation` if there is none such, `Taken` if the token exists, `Busy`.
    pub async fn claim(&self, claim: Claim) -> Result<Claimed, StoreError> {
        self.write(Job::Claim, claim).await
    }

    /// Gives a chair another key, and says the game's new version.
    ///
    /// # Errors
    /// `Used` if the chair was taken meanwhile or its proof was another, `Taken` if the new key exists, `Busy`.
    pub async fn renew(&self, renewal: Renewal) -> Result<i64, StoreError> {
        self.write(Job::Renew, renewal).await
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

    /// Deletes games in which nothing has happened for long, with everything that belongs to them, and lists them. A rematch of one of
    /// them is nobody's rematch then.
    ///
    /// # Errors
    /// As [`Store::beat`].
    pub async fn purge(&self, purge: Purge) -> Result<Vec<String>, StoreError> {
        self.write(Job::Purge, purge).await
    }

    /// A game with its chairs, all its lines and the link to its rematch; none if there is no such game.
    ///
    /// # Errors
    /// `Busy`, `Closed`, or what the database says; so for everything below.
    pub async fn load(&self, id: &str) -> Result<Option<GameRecord>, StoreError> {
        self.read(|| reader::load(self.readers(), id)).await
    }

    /// The game's row alone: what is cheap to ask to learn whether it has moved on.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn game(&self, id: &str) -> Result<Option<GameRow>, StoreError> {
        self.read(|| reader::game(self.readers(), id)).await
    }

    /// The game's lines from a slot on, in order; empty if there are none.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn lines(&self, id: &str, from: i64) -> Result<Vec<LineRow>, StoreError> {
        self.read(|| reader::lines(self.readers(), id, from)).await
    }

    /// Finds what was stored with the key that a seat's request brought, if it was used in this game.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn receipt(&self, id: &str, seat: &str, key: &str) -> Result<Option<String>, StoreError> {
        self.read(|| reader::receipt(self.readers(), id, seat, key)).await
    }

    /// Writes down the results of an army so far.
    ///
    /// # Errors
    /// `Busy`, `Closed`.
    pub async fn measure(&self, measurement: Measurement) -> Result<(), StoreError> {
        self.write(Job::Measure, measurement).await
    }

    /// Writes down the results of an army unless there are some: that somebody waits for them.
    ///
    /// # Errors
    /// `Busy`, `Closed`.
    pub async fn begin_measuring(&self, measurement: Measurement) -> Result<(), StoreError> {
        self.write(Job::BeginMeasuring, measurement).await
    }

    /// Lists all armies with their results, those that were written down first at the front.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn measurements(&self) -> Result<Vec<Measurement>, StoreError> {
        self.read(|| reader::measurements(self.readers())).await
    }

    /// Finds the results of an army, if any were written down.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn measured(&self, army: &str) -> Result<Option<String>, StoreError> {
        self.read(|| reader::measured(self.readers(), army)).await
    }

    /// Has a game that is over looked back at, unless it is already or too many wait; tells whether it is known or waits now.
    ///
    /// # Errors
    /// `Busy`, `Closed`.
    pub async fn ask_review(&self, request: ReviewRequest) -> Result<bool, StoreError> {
        self.write(Job::AskReview, request).await
    }

    /// Keeps what the engine thinks of a game that waits, and says the game's new version; nothing if it was known.
    ///
    /// # Errors
    /// `Busy`, `Closed`.
    pub async fn keep_review(&self, opinion: Opinion) -> Result<Option<i64>, StoreError> {
        self.write(Job::KeepReview, opinion).await
    }

    /// What is known of a game that is over.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn review(&self, game: &str) -> Result<Reviewed, StoreError> {
        self.read(|| reviews::find(self.readers(), game)).await
    }

    /// The game that has waited longest to be looked back at.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn next_review(&self) -> Result<Option<String>, StoreError> {
        self.read(|| reviews::next(self.readers())).await
    }

    /// Counts an answer to a puzzle.
    ///
    /// # Errors
    /// `Busy`, `Closed`.
    pub async fn attempt(&self, attempt: Attempt) -> Result<(), StoreError> {
        self.write(Job::Attempt, attempt).await
    }

    /// The answers to a puzzle so far.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn attempts(&self, kind: &str, number: u32) -> Result<Attempts, StoreError> {
        self.read(|| puzzles::find(self.readers(), kind, number)).await
    }

    /// Where an invitation leads, and whether it was used. Changes nothing.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn invitation(&self, code: &Digest) -> Result<Option<Invitation>, StoreError> {
        self.read(|| reader::invitation(self.readers(), code)).await
    }

    /// Games in the lobby, of one variant or of all, newest first, at most `limit`, those after `after`.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn lobby(
        &self,
        variant: Option<&str>,
        after: Option<&Cursor>,
        limit: u32,
    ) -> Result<Vec<GameRow>, StoreError> {
        self.read(|| reader::lobby(self.readers(), variant, after, i64::from(limit))).await
    }

    /// Public games, of one variant or of all, that somebody has played in since a time, and that are neither over nor in the lobby, the last played first, at most
    /// `limit`.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn running(&self, variant: Option<&str>, since: i64, limit: u32) -> Result<Vec<GameRow>, StoreError> {
        self.read(|| reader::running(self.readers(), variant, since, i64::from(limit))).await
    }

    /// Unfinished games due at `by` or before, the longest overdue first, at most `limit`.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn due(&self, by: i64, after: Option<&Due>, limit: u32) -> Result<Vec<Due>, StoreError> {
        self.read(|| reader::due(self.readers(), by, after, i64::from(limit))).await
    }

    /// The last sign of life, in milliseconds since the epoch; 0 for never.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn alive(&self) -> Result<i64, StoreError> {
        self.read(|| reader::alive(self.readers())).await
    }

    /// The chairs that these tokens prove or these keys own, with their games, newest game first, at most `limit`. Meant for tens of tokens.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn held(&self, tokens: &[Digest], limit: u32) -> Result<Vec<HeldSeat>, StoreError> {
        self.read(|| reader::held(self.readers(), tokens, limit)).await
    }

    /// Hears of every change from now on, after its commit. A listener that lags must read its games anew.
    pub fn listen(&self) -> broadcast::Receiver<Change> {
        self.inner.monitor.changes.subscribe()
    }

    /// Hears what other processes on the same database have changed, from now on; none where the record is this process' own.
    pub fn others(&self) -> Option<broadcast::Receiver<Heard>> {
        self.inner.others.as_ref().map(|others| others.heard.subscribe())
    }

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
        extent::measure(&self.inner.readers, self.inner.file.as_deref()).await
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
