//! The count of every client address' requests. It knows no request.

use crate::play::Play;
use governor::{
    Quota, RateLimiter, clock::Clock, middleware::StateInformationMiddleware, state::keyed::DashMapStateStore,
};
use std::{
    net::IpAddr,
    num::NonZeroU32,
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};

/// A client that has been quiet may ask for this many seconds' worth at once.
const BURST: u32 = 10;
/// After how many requests the addresses that are quiet again are forgotten.
const FORGET_EVERY: u32 = 4096;

type Keyed = RateLimiter<IpAddr, DashMapStateStore<IpAddr>, GameTime, StateInformationMiddleware>;

/// The time by which games are played, for the limiter.
#[derive(Clone)]
struct GameTime(Play);

impl Clock for GameTime {
    type Instant = Duration;

    fn now(&self) -> Duration {
        Duration::from_millis(self.0.now().unsigned_abs())
    }
}

/// Counts the requests of every client address.
pub(super) struct Rate {
    limiter: Keyed,
    time: GameTime,
    burst: u32,
    asked: AtomicU32,
}

/// The counter's verdict on one request.
pub(super) enum Allowance {
    /// It is fine, and so many more would be.
    Left(u32),
    /// It is one too many until then.
    Later(Duration),
}

impl Rate {
    /// So many requests per second and address, ten seconds' worth at once; none at all means no limit.
    pub(super) fn new(per_second: u32, play: &Play) -> Option<Rate> {
        let rate = NonZeroU32::new(per_second)?;
        let burst = rate.saturating_mul(NonZeroU32::MIN.saturating_add(BURST - 1));
        let quota = Quota::per_second(rate).allow_burst(burst);
        let time = GameTime(play.clone());
        let limiter = Keyed::new(quota, DashMapStateStore::default(), time.clone());
        Some(Rate { limiter, time, burst: burst.get(), asked: AtomicU32::new(0) })
    }

    /// Counts a request.
    pub(super) fn check(&self, key: IpAddr) -> Allowance {
        if self.asked.fetch_add(1, Ordering::Relaxed) % FORGET_EVERY == FORGET_EVERY - 1 {
            self.limiter.retain_recent();
        }
        match self.limiter.check_key(&key) {
            Ok(snapshot) => Allowance::Left(snapshot.remaining_burst_capacity()),
            Err(until) => Allowance::Later(until.wait_time_from(self.time.now())),
        }
    }

    /// The number of requests that a quiet address may make at once.
    pub(super) fn burst(&self) -> u32 {
        self.burst
    }

    /// After how many seconds an address with so many left has all of them again.
    pub(super) fn reset(&self, left: u32) -> u64 {
        u64::from(self.burst.saturating_sub(left)).div_ceil(u64::from((self.burst / BURST).max(1)))
    }
}
