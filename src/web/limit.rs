//! How much one client may ask: requests per address and second, the length of an address, the size of the headers.
//! Bodies and deadlines are limited by layers of tower-http, connections by the server.

use super::{
    App,
    client::Client,
    error::{Error, Kind, is_api},
};
use crate::play::Play;
use axum::{
    extract::{Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode},
    middleware::Next,
    response::{IntoResponse, Response},
};
use governor::{
    Quota, RateLimiter, clock::Clock, middleware::StateInformationMiddleware, state::keyed::DashMapStateStore,
};
use std::{
    net::IpAddr,
    num::NonZeroU32,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

/// The longest body that is read, in bytes.
pub const BODY: usize = 64 * 1024;
/// The longest path and query together, in bytes.
pub const ADDRESS: usize = 8 * 1024;
/// The most that all names and values of the header fields may have, in bytes.
pub const HEADERS: usize = 16 * 1024;

/// A client that has been quiet may ask for this many seconds' worth at once.
const BURST: u32 = 10;
/// After how many requests the addresses that are quiet again are forgotten.
const FORGET_EVERY: u32 = 4096;

const RATE_LIMIT: HeaderName = HeaderName::from_static("ratelimit-limit");
const RATE_REMAINING: HeaderName = HeaderName::from_static("ratelimit-remaining");
const RATE_RESET: HeaderName = HeaderName::from_static("ratelimit-reset");

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

/// What the counter said of one request.
enum Verdict {
    Fine { remaining: u32 },
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

    fn check(&self, key: IpAddr) -> Verdict {
        if self.asked.fetch_add(1, Ordering::Relaxed) % FORGET_EVERY == FORGET_EVERY - 1 {
            self.limiter.retain_recent();
        }
        match self.limiter.check_key(&key) {
            Ok(snapshot) => Verdict::Fine { remaining: snapshot.remaining_burst_capacity() },
            Err(until) => Verdict::Later(until.wait_time_from(self.time.now())),
        }
    }

    fn tell(&self, headers: &mut HeaderMap, remaining: u32, reset: u64) {
        headers.insert(RATE_LIMIT, HeaderValue::from(self.burst));
        headers.insert(RATE_REMAINING, HeaderValue::from(remaining));
        headers.insert(RATE_RESET, HeaderValue::from(reset));
    }
}

/// Refuses the requests of an address that asks too often. The API is told how much is left with every answer.
pub(super) async fn rate(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let Some(rate) = &app.rate else { return next.run(request).await };
    // Whoever watches over the server is never told to come later.
    if matches!(request.uri().path(), "/healthz" | "/readyz") {
        return next.run(request).await;
    }
    let api = is_api(request.uri().path());
    match rate.check(Client::of(&app, request.extensions(), request.headers()).key()) {
        Verdict::Fine { remaining } => {
            let mut response = next.run(request).await;
            if api || response.status() == StatusCode::TOO_MANY_REQUESTS {
                let used = u64::from(rate.burst.saturating_sub(remaining));
                let reset = used.div_ceil(u64::from((rate.burst / BURST).max(1)));
                rate.tell(response.headers_mut(), remaining, reset);
            }
            response
        }
        Verdict::Later(wait) => {
            let seconds = wait.as_secs() + 1;
            let detail = format!("Your address has used up its {} requests; the next one in {seconds} s.", rate.burst);
            let mut response = Error::new(Kind::Often { retry_after: seconds }, detail).into_response();
            rate.tell(response.headers_mut(), 0, seconds);
            response
        }
    }
}

/// Refuses addresses and header fields that are too long.
pub(super) async fn lengths(request: Request, next: Next) -> Response {
    let address = request.uri().path_and_query().map_or(0, |address| address.as_str().len());
    if address > ADDRESS {
        let detail = format!("The address has {address} characters, and at most {ADDRESS} are read.");
        return Error::new(Kind::LongAddress, detail).into_response();
    }
    let fields: usize = request.headers().iter().map(|(name, value)| name.as_str().len() + value.len()).sum();
    if fields > HEADERS {
        let detail = format!("The header fields have {fields} bytes, and at most {HEADERS} are read.");
        return Error::new(Kind::LongHeaders, detail).into_response();
    }
    next.run(request).await
}
