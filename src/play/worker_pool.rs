//! Bounded pools of threads for work that takes more than a millisecond. Every pool has threads of its own, so that work of one kind never
//! waits for work of another. In a pool addresses take turns, and an address has one job running at a time. A job whose client has gone is
//! dropped while it waits, and asked to stop while it runs.

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

/// The `nice` value of these threads above that of the process.
const NICE: i32 = 10;

/// The pools of a process. Bots think on threads of their own besides.
pub struct Pools {
    /// Beginning, reading and playing games.
    pub games: Pool,
    /// What a visitor waits for: endgames, hints, puzzles, pictures.
    pub lookups: Pool,
    /// What takes seconds and is kept, or is done unasked: tables of other boards, files, statistics, reviews, measurements.
    pub batch: Pool,
}

impl Pools {
    /// Pools for a machine with this number of processors.
    pub(super) fn new(processors: usize, budget: &Arc<Budget>) -> Pools {
        let pool = |limits| Pool::new(limits, budget.clone());
        Pools {
            games: pool(PoolLimits { threads: processors.max(2), nice: 0, share: 256, queue: 4096 }),
            lookups: pool(PoolLimits { threads: processors.max(2), nice: 10, share: 64, queue: 1024 }),
            // One thread is enough for the site's own work, which has one job running at a time.
            batch: pool(PoolLimits { threads: 2, nice: 10, share: 4, queue: 64 }),
        }
    }
}

/// Bounds of a pool.
#[derive(Clone, Copy, Debug)]
pub struct PoolLimits {
    /// Threads.
    pub threads: usize,
    /// Their `nice` value above that of the process, from 0 to 19.
    pub nice: i32,
    /// Jobs of one address that may wait.
    pub share: usize,
    /// Jobs that may wait in all.
    pub queue: usize,
}

/// Threads and the jobs that wait for them.
pub struct Pool(Arc<Queues>);

struct Queues {
    limits: PoolLimits,
    budget: Arc<Budget>,
    state: Mutex<State>,
}

/// The address that a job is done for; none for the site's own work.
type From = Option<IpAddr>;

struct Job {
    stop: CancellationToken,
    work: Box<dyn FnOnce() + Send>,
}

#[derive(Default)]
struct State {
    waiting: HashMap<From, VecDeque<Job>>,
    /// The addresses with waiting jobs, the one whose turn comes next first.
    turns: VecDeque<From>,
    running: HashSet<From>,
    threads: usize,
}

/// CPU time that a job has reserved: it is given back where the job never runs.
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
    /// A pool within these bounds, which charges CPU time to a budget.
    pub fn new(limits: PoolLimits, budget: Arc<Budget>) -> Pool {
        Pool(Arc::new(Queues { limits, budget, state: Mutex::default() }))
    }

    /// Number of jobs that wait.
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

    /// Runs work with an estimate of its CPU time. The work gets a function that returns true once its client has gone.
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
            // The client may have gone.
            let _ = answer.send(done);
        };
        self.0.enqueue(from, Job { stop, work: Box::new(work) })?;
        // The panic hook has told the log where; the words of a panic may be a client's input.
        answered.await.ok().and_then(Result::ok).ok_or_else(|| Error::Broken("a job in a pool panicked".to_owned()))
    }
}

impl State {
    fn waiting(&self) -> usize {
        self.waiting.values().map(VecDeque::len).sum()
    }

    /// Takes the next job, of an address that has none running.
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
            let why = format!("{} requests of your address wait already", jobs.len());
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
                    tracing::error!(%cause, "a pool has no thread");
                    state.waiting.remove(&from);
                    return Err(Error::Busy);
                }
                Err(_) => {}
            }
        }
        Ok(())
    }

    /// Does what waits, and ends where nothing does.
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

/// Works something out on a thread of its own. Nothing here says how many there are at a time: callers hold what bounds them inside `work`.
/// It is worked out to its end also if nobody waits for it any more.
///
/// # Errors
/// `Busy` if there is no thread to be had; `Broken` if the work panicked.
pub async fn background<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Error> {
    let (answer, worked) = oneshot::channel();
    let asked = tracing::Span::current();
    let thread = std::thread::Builder::new().name("background".to_owned()).spawn(move || {
        lower_priority(NICE);
        // Whoever asked may have gone.
        let _ = answer.send(asked.in_scope(work));
    });
    if let Err(cause) = thread {
        tracing::error!(%cause, "no thread for what takes long");
        return Err(Error::Busy);
    }
    // The log has been told where; the words of a panic may be somebody's input.
    worked.await.map_err(|_| Error::Broken("work that takes long broke off".to_owned()))
}

/// Lowers the priority of this thread. Linux counts it for each thread; elsewhere it would be that of the whole process, which stays as it is.
fn lower_priority(nice: i32) {
    if cfg!(target_os = "linux") && nice > 0 {
        // Where the system refuses, the thread only competes more.
        let _ = rustix::process::nice(nice);
    }
}

/// Lets whoever waits for a page have the processor. Where nobody waits it costs less than a microsecond. A lower priority alone does not do
/// it: once it runs, a thread is left alone until the scheduler looks again, which can be four milliseconds later.
pub fn give_way() {
    std::thread::yield_now();
}
