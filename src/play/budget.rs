//! The CPU time that one client address may use. An account fills with the time that the address really used, measured by the clock of the
//! thread, and drains at a fixed rate; an address whose account is full is refused until it has drained. Work known to be expensive reserves
//! its estimate before it starts, so that requests sent at once are counted at once.
//!
//! `governor` limits requests (`web/app_state.rs`) and does not fit here: its cells cannot go into debt for work that took longer than estimated, nor take
//! back what was not used.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use rustix::time::{ClockId, clock_gettime};

use super::Error;

/// Seconds' worth of CPU time that an idle address may use at once.
const BURST: u64 = 30;
/// CPU time that is collected before it is entered into an account, in microseconds.
const COLLECTED: u64 = 1_000;
/// Accounts above which the empty ones are removed.
const MANY: usize = 4_096;

tokio::task_local! {
    static REQUESTER: IpAddr;
}

/// Address of the client whose request is being answered, if there is one: pools queue and charge work by it.
pub fn requester() -> Option<IpAddr> {
    REQUESTER.try_with(|from| *from).ok()
}

/// Runs a future on behalf of a client, if there is one; [`requester`] names it for a future that is to be spawned.
pub async fn on_behalf_of<F: Future>(from: Option<IpAddr>, work: F) -> F::Output {
    match from {
        Some(from) => REQUESTER.scope(from, work).await,
        None => work.await,
    }
}

/// CPU time that this thread has used so far, in microseconds.
pub(super) fn cpu_time() -> u64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    u64::try_from(time.tv_sec * 1_000_000 + time.tv_nsec / 1_000).unwrap_or_default()
}

/// CPU time of one address: how much is in its account, in microseconds, and when that was so, in milliseconds since the epoch.
#[derive(Clone, Copy, Default)]
struct UsedTime {
    used: u64,
    at: i64,
}

/// CPU time per client address.
pub struct Budget {
    now: Arc<dyn Fn() -> i64 + Send + Sync>,
    /// Milliseconds of CPU time per second; 0 for no limit.
    rate: AtomicU64,
    accounts: Mutex<HashMap<IpAddr, UsedTime>>,
    refused: AtomicU64,
}

impl Budget {
    /// A budget without a limit, by this clock in milliseconds since the epoch.
    pub(super) fn new(now: Arc<dyn Fn() -> i64 + Send + Sync>) -> Budget {
        Budget { now, rate: AtomicU64::new(0), accounts: Mutex::default(), refused: AtomicU64::new(0) }
    }

    /// Sets the CPU time that an address may use on average, in milliseconds per second; 0 removes the limit.
    pub fn set_rate(&self, rate: u64) {
        self.rate.store(rate, Ordering::Relaxed);
    }

    /// Number of requests and jobs that were refused.
    pub fn refused(&self) -> u64 {
        self.refused.load(Ordering::Relaxed)
    }

    /// Admits a request of an address.
    ///
    /// # Errors
    /// `Often` if the address has used up its CPU time.
    pub fn admit(&self, from: IpAddr) -> Result<(), Error> {
        self.reserve(from, Duration::ZERO)
    }

    /// Measures work on behalf of an address until the meter is dropped.
    pub fn meter(self: &Arc<Self>, from: IpAddr) -> Meter {
        Meter { budget: self.clone(), from, used: 0 }
    }

    /// Admits a job of an address and enters its estimated CPU time.
    pub(super) fn reserve(&self, from: IpAddr, estimate: Duration) -> Result<(), Error> {
        let rate = self.rate.load(Ordering::Relaxed);
        if rate == 0 {
            return Ok(());
        }
        let mut accounts = self.accounts.lock().unwrap_or_else(PoisonError::into_inner);
        let now = (self.now)();
        if accounts.len() > MANY {
            accounts.retain(|_, account| drained(*account, rate, now) > 0);
        }
        let account = accounts.entry(from).or_default();
        let used = drained(*account, rate, now);
        let full = BURST * rate * 1_000;
        if used >= full {
            self.refused.fetch_add(1, Ordering::Relaxed);
            let retry_after = (used - full) / (rate * 1_000) + 1;
            let why = format!("your address has used up its CPU time; try again in {retry_after} s");
            return Err(Error::Often { why, retry_after });
        }
        *account = UsedTime { used: used + micros(estimate), at: now };
        Ok(())
    }

    /// Replaces the estimate of a job by the CPU time that it used, in microseconds.
    pub(super) fn settle(&self, from: IpAddr, estimate: Duration, used: u64) {
        let rate = self.rate.load(Ordering::Relaxed);
        if rate == 0 {
            return;
        }
        let mut accounts = self.accounts.lock().unwrap_or_else(PoisonError::into_inner);
        let (account, now) = (accounts.entry(from).or_default(), (self.now)());
        let left = (drained(*account, rate, now) + used).saturating_sub(micros(estimate));
        *account = UsedTime { used: left, at: now };
    }
}

/// Microseconds of an estimate.
fn micros(estimate: Duration) -> u64 {
    u64::try_from(estimate.as_micros()).unwrap_or(u64::MAX)
}

/// CPU time that is left in an account, in microseconds. A millisecond drains `rate` microseconds.
fn drained(account: UsedTime, rate: u64, now: i64) -> u64 {
    let passed = u64::try_from(now - account.at).unwrap_or_default();
    account.used.saturating_sub(passed.saturating_mul(rate))
}

/// Measures the CPU time of a request's handler, or of its body while that is sent.
pub struct Meter {
    budget: Arc<Budget>,
    from: IpAddr,
    used: u64,
}

impl Meter {
    /// Does a piece of the work.
    pub fn run<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let begun = cpu_time();
        let done = REQUESTER.sync_scope(self.from, work);
        self.used += cpu_time() - begun;
        if self.used > COLLECTED {
            self.enter();
        }
        done
    }

    fn enter(&mut self) {
        self.budget.settle(self.from, Duration::ZERO, std::mem::take(&mut self.used));
    }
}

impl Drop for Meter {
    fn drop(&mut self) {
        self.enter();
    }
}
