//! CPU time limits per client address. Each address has an account that fills with the thread CPU time that it really used and drains at a
//! fixed rate. An address with a full account is refused until it has drained. Expensive work reserves its estimate before it starts, so
//! that concurrent requests are counted at once.
//!
//! `governor`, which limits requests (`web/app_state.rs`), does not fit here: its cells cannot go into debt for work that took longer than
//! estimated, nor refund unused reservations.

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

/// CPU time that an idle address may use in one burst, in seconds at the full rate.
const BURST: u64 = 30;
/// CPU time that a meter collects before it updates the account, in microseconds.
const COLLECTED: u64 = 1_000;
/// Number of accounts above which empty ones are removed.
const MANY: usize = 4_096;

tokio::task_local! {
    static REQUESTER: IpAddr;
}

/// Address of the client whose request is being answered, if any. Pools queue and charge work by it.
pub fn requester() -> Option<IpAddr> {
    REQUESTER.try_with(|from| *from).ok()
}

/// Runs a future on behalf of a client, if there is one. Read [`requester`] before spawning a future and pass the address to it.
pub async fn on_behalf_of<F: Future>(from: Option<IpAddr>, work: F) -> F::Output {
    match from {
        Some(from) => REQUESTER.scope(from, work).await,
        None => work.await,
    }
}

/// CPU time that this thread has used, in microseconds.
pub(super) fn cpu_time() -> u64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    u64::try_from(time.tv_sec * 1_000_000 + time.tv_nsec / 1_000).unwrap_or_default()
}

/// Account of one address: CPU time in microseconds, as of `at` in milliseconds since the epoch.
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
    /// A budget without a limit. `now` returns milliseconds since the epoch.
    pub(super) fn new(now: Arc<dyn Fn() -> i64 + Send + Sync>) -> Budget {
        Budget { now, rate: AtomicU64::new(0), accounts: Mutex::default(), refused: AtomicU64::new(0) }
    }

    /// Sets the average CPU time per address, in milliseconds per second; 0 removes the limit.
    pub fn set_rate(&self, rate: u64) {
        self.rate.store(rate, Ordering::Relaxed);
    }

    /// Number of refused requests and jobs.
    pub fn refused(&self) -> u64 {
        self.refused.load(Ordering::Relaxed)
    }

    /// Admits a request from an address.
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

    /// Admits a job of an address and reserves its estimated CPU time.
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

    /// Replaces a job's estimate with the CPU time that it used, in microseconds.
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

fn micros(estimate: Duration) -> u64 {
    u64::try_from(estimate.as_micros()).unwrap_or(u64::MAX)
}

/// CPU time left in an account, in microseconds. Each millisecond drains `rate` microseconds.
fn drained(account: UsedTime, rate: u64, now: i64) -> u64 {
    let passed = u64::try_from(now - account.at).unwrap_or_default();
    account.used.saturating_sub(passed.saturating_mul(rate))
}

/// Measures the CPU time of a request handler, and of the response body while it is sent.
pub struct Meter {
    budget: Arc<Budget>,
    from: IpAddr,
    used: u64,
}

impl Meter {
    /// Runs a piece of the work.
    ///
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
