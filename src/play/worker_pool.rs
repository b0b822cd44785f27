//! Bounded thread pools for work that takes more than a millisecond. Each pool has its own threads, so that one kind of work never waits
//! for another. Within a pool, addresses take turns, and each has at most one running job. A job whose client has disconnected is dropped
//! while it waits, and asked to stop while it runs.

use super::{
    Error,
    budget::{Budget, cpu_time, requester},
};
use std::{
    collections::{HashMap, HashSet, VecDeque},
    net::IpAddr,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

/// Increment of the `nice` value of background threads.
const NICE: i32 = 10;

/// Pools of a process. Bots use separate threads.
pub struct Pools {
    /// Creating, reading and playing games.
    pub games: Pool,
    /// Work that a visitor waits for: endgames, hints, puzzles, images.
    pub lookups: Pool,
    /// Work that takes seconds and whose result is stored, or that no visitor waits for: tables of other boards, files, statistics,
    /// reviews, measurements.
    pub batch: Pool,
}

impl Pools {
    /// Creates the pools for a number of processors.
    pub(super) fn new(processors: usize, budget: &Arc<Budget>) -> Pools {
        let pool = |limits| Pool::new(limits, budget.clone());
        Pools {
            games: pool(PoolLimits { threads: processors.max(2), nice: 0, share: 256, queue: 4096 }),
            lookups: pool(PoolLimits { threads: processors.max(2), nice: 10, share: 64, queue: 1024 }),
            // The site's own work runs one job at a time, so the second thread stays free for clients.
            batch: pool(PoolLimits { threads: 2, nice: 10, share: 4, queue: 64 }),
        }
    }
}

/// Limits of a pool.
#[derive(Clone, Copy, Debug)]
pub struct PoolLimits {
    /// Maximum number of threads.
    pub threads: usize,
    /// Increment of their `nice` value, from 0 to 19.
    pub nice: i32,
    /// Maximum number of waiting jobs per address.
    pub share: usize,
    /// Maximum number of waiting jobs in all.
    pub queue: usize,
}

/// Threads and their queue of jobs.
pub struct Pool(Arc<Queues>);

struct Queues {
    limits: PoolLimits,
    budget: Arc<Budget>,
    state: Mutex<State>,
}

/// Address of the client of a job; none for the site's own work.
type From = Option<IpAddr>;

struct Job {
    stop: CancellationToken,
    work: Box<dyn FnOnce() + Send>,
}

#[derive(Default)]
struct State {
    waiting: HashMap<From, VecDeque<Job>>,
    /// Addresses with waiting jobs, next turn first.
    turns: VecDeque<From>,
    running: HashSet<From>,
    threads: usize,
}

/// CPU time reserved by a job. Dropping it settles the account, even if the job never runs.
struct Reservation {
    budget: Arc<Budget>,
    from: IpAddr,
    estimate: Duration,
    used: u64,
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.budget.settle(self.from, self.estimate, self.used);
    }
}

impl Pool {
    /// Creates a pool that charges CPU time to `budget`.
    pub fn new(limits: PoolLimits, budget: Arc<Budget>) -> Pool {
        Pool(Arc::new(Queues { limits, budget, state: Mutex::default() }))
    }

    /// Number of waiting jobs.
    pub fn waiting(&self) -> usize {
        self.0.state().waiting()
    }

    /// Runs work for the client whose request is being answered.
    ///
    /// # Errors
    /// As [`Pool::run_costly`].
    pub async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, Error> {
        self.run_costly(Duration::ZERO, |_| work()).await
    }

    /// Runs work with an estimate of its CPU time. The work gets a function that returns true once the client has disconnected.
    ///
    /// # Errors
    /// `Often` if the client has used up its CPU time or its share of the queue; `Busy` if the queue is full; `Broken` if the work
    /// panicked.
    pub async fn run_costly<T: Send + 'static>(
        &self,
        estimate: Duration,
        work: impl FnOnce(&dyn Fn() -> bool) -> T + Send + 'static,
    ) -> Result<T, Error> {
        let from = requester();
        let mut reservation = match from {
            Some(from) => {
                self.0.budget.reserve(from, estimate)?;
                Some(Reservation { budget: self.0.budget.clone(), from, estimate, used: 0 })
            }
            None => None,
        };
        let stop = CancellationToken::new();
        let _stopped_when_dropped = stop.clone().drop_guard();
        let (answer, answered) = oneshot::channel();
        let (span, token) = (tracing::Span::current(), stop.clone());
        let work = move || {
            let begun = cpu_time();
            let done = catch_unwind(AssertUnwindSafe(|| span.in_scope(|| work(&|| token.is_cancelled()))));
            if let Some(reservation) = &mut reservation {
                reservation.used = cpu_time() - begun;
            }
            drop(reservation);
            // The client may have disconnected.
            let _ = answer.send(done);
        };
        self.0.enqueue(from, Job { stop, work: Box::new(work) })?;
        // The panic hook has logged the place. The panic message may contain client input, so it is not passed on.
        answered.await.ok().and_then(Result::ok).ok_or_else(|| Error::Broken("a pool job panicked".to_owned()))
    }
}

impl State {
    fn waiting(&self) -> usize {
        self.waiting.values().map(VecDeque::len).sum()
    }

    /// Takes the next job of an address that has none running.
    fn next(&mut self) -> Option<(From, Job)> {
        for _ in 0..self.turns.len() {
            let from = self.turns.pop_front()?;
            if self.running.contains(&from) {
                self.turns.push_back(from);
                continue;
            }
            let Some(jobs) = self.waiting.get_mut(&from) else { continue };
            let job = jobs.pop_front();
            if jobs.is_empty() {
                self.waiting.remove(&from);
            } else {
                self.turns.push_back(from);
            }
            if let Some(job) = job {
                self.running.insert(from);
                return Some((from, job));
            }
        }
        None
    }
}

impl Queues {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn enqueue(self: &Arc<Self>, from: From, job: Job) -> Result<(), Error> {
        let mut state = self.state();
        for jobs in state.waiting.values_mut() {
            jobs.retain(|job| !job.stop.is_cancelled());
        }
        if state.waiting() >= self.limits.queue {
            return Err(Error::Busy);
        }
        let jobs = state.waiting.entry(from).or_default();
        if from.is_some() && jobs.len() >= self.limits.share {
            let why =
                format!("your address already has {} waiting requests; wait until one of them is answered", jobs.len());
            return Err(Error::Often { why, retry_after: 1 });
        }
        jobs.push_back(job);
        if !state.turns.contains(&from) {
            state.turns.push_back(from);
        }
        if state.threads < self.limits.threads {
            let pool = self.clone();
            match std::thread::Builder::new().name("pool".to_owned()).spawn(move || pool.work()) {
                Ok(_) => state.threads += 1,
                Err(cause) if state.threads == 0 => {
                    tracing::error!(%cause, "starting a pool thread failed");
                    state.waiting.remove(&from);
                    return Err(Error::Busy);
                }
                Err(_) => {}
            }
        }
        Ok(())
    }

    /// Runs jobs until none is left, then ends the thread.
    fn work(&self) {
        lower_priority(self.limits.nice);
        loop {
            let (from, job) = {
                let mut state = self.state();
                match state.next() {
                    Some(next) => next,
                    None => {
                        state.threads -= 1;
                        return;
                    }
                }
            };
            if !job.stop.is_cancelled() {
                (job.work)();
            }
            self.state().running.remove(&from);
        }
    }
}

/// Runs work on a new thread. The number of threads is not limited here: callers move what limits them, such as a permit, into `work`. The
/// work runs to its end even if the caller has gone.
///
/// # Errors
/// `Busy` if no thread can be started; `Broken` if the work panicked.
pub async fn background<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Error> {
    let (answer, worked) = oneshot::channel();
    let asked = tracing::Span::current();
    let thread = std::thread::Builder::new().name("background".to_owned()).spawn(move || {
        lower_priority(NICE);
        // The caller may have gone.
        let _ = answer.send(asked.in_scope(work));
    });
    if let Err(cause) = thread {
        tracing::error!(%cause, "starting a background thread failed");
        return Err(Error::Busy);
    }
    // The panic hook has logged the place. The panic message may contain client input, so it is not passed on.
    worked.await.map_err(|_| Error::Broken("a background job panicked".to_owned()))
}

/// Lowers the priority of this thread. Only Linux has it per thread; elsewhere it would apply to the whole process, so nothing is changed.
fn lower_priority(nice: i32) {
    if cfg!(target_os = "linux") && nice > 0 {
        // If the system refuses, the thread merely competes more.
        let _ = rustix::process::nice(nice);
    }
}

/// Yields the processor to threads that answer requests; costs less than a microsecond if none is waiting. A lower priority is not enough:
/// the scheduler may let a running thread continue for four milliseconds.
///
pub fn give_way() {
    std::thread::yield_now();
}
