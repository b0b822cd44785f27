//! Order of writes. On SQLite one task commits all queued jobs together, so that they share one wait for the disk. On
//! PostgreSQL several tasks batch appends in the same way, each for its share of the games; every other job has its own
//! transaction. The writer does not know what a job writes.

use super::rows::Undo;
use super::write_jobs::Job;
use super::{Change, StoreError, error, write_jobs};
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use sqlx::{AnyConnection, AnyPool, Connection};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, broadcast, mpsc};
use tokio::task::JoinHandle;
use tokio::time::Instant;

/// Counters of the writer, and the channel for changes.
pub(super) struct Monitor {
    pub(super) jobs: AtomicU64,
    pub(super) commits: AtomicU64,
    pub(super) busy: AtomicU64,
    pub(super) failed: AtomicU64,
    /// Durations of committed transactions in seconds, including the wait for the disk.
    pub(super) durations: Histogram,
    pub(super) changes: broadcast::Sender<Change>,
}

impl Monitor {
    pub(super) fn new(changes: broadcast::Sender<Change>) -> Monitor {
        let count = || AtomicU64::new(0);
        // From a quarter of a millisecond to eight seconds.
        let durations = Histogram::new(exponential_buckets(0.000_25, 2.0, 16));
        Monitor { jobs: count(), commits: count(), busy: count(), failed: count(), durations, changes }
    }

    /// Replies with an error to all jobs.
    fn fail(&self, jobs: Vec<Job>, why: &StoreError) {
        self.failed.fetch_add(jobs.len() as u64, Ordering::Relaxed);
        jobs.into_iter().for_each(|job| job.settle(Some(why.clone())));
    }

    /// After the commit, replies to the callers and then announces the changes.
    fn settle(&self, jobs: Vec<Job>) {
        self.jobs.fetch_add(jobs.len() as u64, Ordering::Relaxed);
        for job in jobs {
            let changes = job.changes();
            job.settle(None);
            for change in changes {
                // Sending fails only if there is no subscriber.
                let _ = self.changes.send(change);
            }
        }
    }
}

/// Number of append tasks on PostgreSQL. Each one uses its own connection while it has work.
const SHARDS: usize = 4;

/// A job with its permit to be queued or running.
type Placed = (Job, OwnedSemaphorePermit);

/// Accepts jobs and runs them in order.
pub(super) enum Writer {
    Queue {
        queue: Mutex<Option<(mpsc::Sender<Job>, JoinHandle<()>)>>,
        monitor: Arc<Monitor>,
    },
    Pool {
        pool: AnyPool,
        room: Arc<Semaphore>,
        size: u32,
        shards: [mpsc::UnboundedSender<Placed>; SHARDS],
        monitor: Arc<Monitor>,
    },
}

/// The database on which a transaction runs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Backend {
    Sqlite,
    Postgres,
}

impl Writer {
    /// Starts one task, with at most `room` queued jobs and at most `batch` jobs per commit.
    pub(super) fn queue(pool: AnyPool, room: usize, batch: usize, monitor: Arc<Monitor>) -> Writer {
        let (queue, jobs) = mpsc::channel(room.max(1));
        let task = tokio::spawn(serve(pool, jobs, batch.max(1), monitor.clone()));
        Writer::Queue { queue: Mutex::new(Some((queue, task))), monitor }
    }

    /// Starts the append tasks, with at most `size` queued or running jobs and at most `batch` jobs per commit.
    pub(super) fn pool(pool: AnyPool, size: u32, batch: usize, monitor: Arc<Monitor>) -> Writer {
        let shards = std::array::from_fn(|_| {
            let (shard, jobs) = mpsc::unbounded_channel();
            tokio::spawn(serve_shard(pool.clone(), jobs, batch.max(1), monitor.clone()));
            shard
        });
        Writer::Pool { pool, room: Arc::new(Semaphore::new(size as usize)), size, shards, monitor }
    }

    /// Submits a job. It runs to completion even if the caller goes away.
    pub(super) fn submit(&self, job: Job) -> Result<(), StoreError> {
        match self {
            Writer::Queue { queue, monitor } => {
                let queue = queue.lock().unwrap_or_else(PoisonError::into_inner);
                let Some((queue, _)) = &*queue else { return Err(StoreError::Closed) };
                queue.try_send(job).map_err(|refused| match refused {
                    mpsc::error::TrySendError::Full(_) => busy(monitor),
                    mpsc::error::TrySendError::Closed(_) => StoreError::Closed,
                })
            }
            Writer::Pool { pool, room, shards, monitor, .. } => {
                let place = room.clone().try_acquire_owned().map_err(|refused| match refused {
                    tokio::sync::TryAcquireError::NoPermits => busy(monitor),
                    tokio::sync::TryAcquireError::Closed => StoreError::Closed,
                })?;
                if let Some(append) = job.append() {
                    let shard = &shards[shard(&append.game)];
                    return shard.send((job, place)).map_err(|_| StoreError::Closed);
                }
                let (pool, monitor) = (pool.clone(), monitor.clone());
                tokio::spawn(async move {
                    run_alone(&pool, Backend::Postgres, job, &monitor).await;
                    drop(place);
                });
                Ok(())
            }
        }
    }

    /// Number of waiting jobs: on SQLite those queued behind the current commit, on PostgreSQL all queued or running
    /// ones.
    pub(super) fn waiting(&self) -> usize {
        match self {
            Writer::Queue { queue, .. } => {
                let queue = queue.lock().unwrap_or_else(PoisonError::into_inner);
                queue.as_ref().map_or(0, |(queue, _)| queue.max_capacity() - queue.capacity())
            }
            Writer::Pool { room, size, .. } => (*size as usize).saturating_sub(room.available_permits()),
        }
    }

    /// Rejects new jobs and returns when all accepted ones are done.
    pub(super) async fn close(&self) {
        match self {
            Writer::Queue { queue, .. } => {
                let taken = queue.lock().unwrap_or_else(PoisonError::into_inner).take();
                if let Some((queue, task)) = taken {
                    drop(queue);
                    // Joining fails only if the task panicked or the runtime is shutting down. Either way nothing is
                    // left to wait for.
                    let _ = task.await;
                }
            }
            Writer::Pool { room, size, .. } => {
                if let Ok(all) = room.acquire_many(*size).await {
                    room.close();
                    drop(all);
                }
            }
        }
    }
}

fn busy(monitor: &Monitor) -> StoreError {
    monitor.busy.fetch_add(1, Ordering::Relaxed);
    StoreError::Busy
}

/// Index of the task that handles all appends to a game.
fn shard(game: &str) -> usize {
    let mut hasher = DefaultHasher::new();
    game.hash(&mut hasher);
    hasher.finish() as usize % SHARDS
}

async fn serve(pool: AnyPool, mut queue: mpsc::Receiver<Job>, batch: usize, monitor: Arc<Monitor>) {
    let mut jobs = Vec::with_capacity(batch);
    while queue.recv_many(&mut jobs, batch).await > 0 {
        run_batch(&pool, Backend::Sqlite, std::mem::take(&mut jobs), &monitor).await;
    }
    pool.close().await;
}

async fn serve_shard(pool: AnyPool, mut queue: mpsc::UnboundedReceiver<Placed>, batch: usize, monitor: Arc<Monitor>) {
    let mut placed = Vec::with_capacity(batch);
    while queue.recv_many(&mut placed, batch).await > 0 {
        let (jobs, places): (Vec<Job>, Vec<OwnedSemaphorePermit>) = placed.drain(..).unzip();
        run_batch(&pool, Backend::Postgres, jobs, &monitor).await;
        drop(places);
    }
}

/// Failure of a transaction.
struct Failed {
    why: StoreError,
    /// True after an attempt to commit. The job must not run again, because the commit may have succeeded.
    in_doubt: bool,
}

/// Runs all jobs in one transaction. If a job makes it fail, runs each one in its own transaction, so that only that
/// job fails.
async fn run_batch(pool: &AnyPool, backend: Backend, mut jobs: Vec<Job>, monitor: &Monitor) {
    if jobs.len() > 1 {
        match transact(pool, backend, &mut jobs, monitor).await {
            Ok(()) => return monitor.settle(jobs),
            Err(failed) if failed.in_doubt || matches!(failed.why, StoreError::Busy) => {
                return monitor.fail(jobs, &failed.why);
            }
            Err(_) => {}
        }
    }
    // If the database is unreachable, fail the remaining jobs at once instead of waiting for each.
    let mut away = None;
    for job in jobs {
        match &away {
            None => away = run_alone(pool, backend, job, monitor).await,
            Some(why) => monitor.fail(vec![job], why),
        }
    }
}

/// Runs one job in its own transaction. Returns the error if the next job would fail too.
async fn run_alone(pool: &AnyPool, backend: Backend, job: Job, monitor: &Monitor) -> Option<StoreError> {
    let mut jobs = vec![job];
    let mut others = pool.options().get_max_connections();
    loop {
        match transact(pool, backend, &mut jobs, monitor).await {
            Ok(()) => {
                monitor.settle(jobs);
                return None;
            }
            // The connection was broken before anything was written, as all pooled ones may be. Try the others.
            Err(Failed { why: StoreError::Disconnected(_), in_doubt: false }) if others > 0 => others -= 1,
            // PostgreSQL has undone this transaction, so that another one could go on.
            Err(Failed { why, in_doubt: false }) if error::is_deadlock(&why) && others > 0 => others -= 1,
            Err(failed) => {
                monitor.fail(jobs, &failed.why);
                return matches!(failed.why, StoreError::Busy | StoreError::Disconnected(_)).then_some(failed.why);
            }
        }
    }
}

/// Runs one transaction on one connection. Discards a connection whose transaction could not be begun, rolled back or
/// committed: its state is unknown and could block later transactions.
async fn transact(pool: &AnyPool, backend: Backend, jobs: &mut [Job], monitor: &Monitor) -> Result<(), Failed> {
    let undone = |why: StoreError| Failed { why, in_doubt: false };
    let mut connection = pool.acquire().await.map_err(|error| undone(error.into()))?;
    let begun = Instant::now();
    let done = run_transaction(&mut connection, backend, jobs).await;
    match done {
        Ok(()) => {
            monitor.commits.fetch_add(1, Ordering::Relaxed);
            monitor.durations.observe(begun.elapsed().as_secs_f64());
            Ok(())
        }
        Err((failed, Sound::Yes)) => Err(failed),
        Err((failed, Sound::InDoubt)) => {
            // Errors do not matter: the connection is discarded.
            let _ = connection.detach().close_hard().await;
            Err(failed)
        }
    }
}

/// State of a connection after a failed transaction.
enum Sound {
    Yes,
    InDoubt,
}

async fn run_transaction(
    connection: &mut AnyConnection,
    backend: Backend,
    jobs: &mut [Job],
) -> Result<(), (Failed, Sound)> {
    let undone = |why: StoreError| Failed { why, in_doubt: false };
    let begin = if backend == Backend::Sqlite { "BEGIN IMMEDIATE" } else { "BEGIN" };
    let mut open = connection.begin_with(begin).await.map_err(|error| {
        // Another process held the lock too long. The connection itself is sound.
        let sound = if error::is_busy(&error) { Sound::Yes } else { Sound::InDoubt };
        (undone(error.into()), sound)
    })?;
    if let Err(undo) = run(&mut open, backend, jobs).await {
        let sound = if open.rollback().await.is_ok() { Sound::Yes } else { Sound::InDoubt };
        return Err((undone(undo.0), sound));
    }
    open.commit().await.map_err(|error| (Failed { why: error.into(), in_doubt: true }, Sound::InDoubt))
}

/// Runs all jobs. On PostgreSQL batches the appends into one statement.
async fn run(db: &mut AnyConnection, backend: Backend, jobs: &mut [Job]) -> Result<(), Undo> {
    let done = match backend {
        Backend::Postgres if jobs.len() > 1 => write_jobs::append_batch(db, jobs).await?,
        Backend::Postgres | Backend::Sqlite => vec![false; jobs.len()],
    };
    for (job, _) in jobs.iter_mut().zip(done).filter(|(_, done)| !done) {
        job.run(db).await?;
    }
    Ok(())
}
