//! State that all handlers share: options, the database probe, request metrics, the rate limiter and the cache of replays.

use super::{
    compression::CompressedBodies,
    connections::{Connections, Limits},
    constant_pages::ConstantPages,
    endgame_cache::Endgames,
    page_stream::Drawings,
    presence::Streams,
    puzzles::DealtPuzzles,
    static_files,
};
use crate::{
    play::{self, Play},
    richman::Tables,
};
use axum::{
    extract::MatchedPath,
    http::{Extensions, Method, StatusCode, Uri, uri::Authority},
};
use governor::{
    Quota, RateLimiter, clock::Clock, middleware::StateInformationMiddleware, state::keyed::DashMapStateStore,
};
use ipnet::IpNet;
use prometheus_client::{
    encoding::{EncodeLabelSet, EncodeLabelValue, LabelValueEncoder},
    metrics::{family::Family, histogram::Histogram},
};
use quick_cache::{Weighter, sync::Cache};
use std::{
    fmt,
    hash::{Hash, Hasher},
    net::{IpAddr, Ipv6Addr},
    num::NonZeroU32,
    path::PathBuf,
    str::FromStr,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};
use tokio_util::sync::CancellationToken;

/// Size of a burst, in seconds of the average rate.
const BURST: u32 = 10;
/// Number of requests between two clean-ups of the rate limiter, which drop the addresses with a full allowance.
const FORGET_EVERY: u32 = 4096;

/// Capacity of the replay cache in bytes: enough for a few hundred games.
const REPLAY_BYTES: u64 = 32 << 20;
/// Approximate size of an ordinary game's replay in bytes.
const USUAL_REPLAY_BYTES: u64 = 128 << 10;

/// Settings that the operator chooses.
#[derive(Clone, Debug)]
pub struct Options {
    /// Base of absolute links. Without it, links use the Host header.
    pub public_url: Option<PublicUrl>,
    /// Contact of the operator, for `security.txt`.
    pub contact: Option<Contact>,
    /// Networks of the proxies whose `X-Forwarded-*` headers are trusted.
    pub trusted_proxies: Vec<IpNet>,
    /// Average requests per second allowed for one client address; 0 for no limit.
    pub rate: u32,
    /// Average milliseconds of CPU time per second allowed for one client address; 0 for no limit.
    pub cpu: u64,
    /// Maximum number of open event streams of one client address; 0 for no limit.
    pub streams_per_address: usize,
    /// Set if webhooks may target private networks and plain HTTP.
    pub private_hooks: bool,
    /// Folder of the monthly exports; `None` if this process makes none.
    pub exports: Option<PathBuf>,
    /// Deadlines and connection limits.
    pub limits: Limits,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            public_url: None,
            contact: None,
            trusted_proxies: Vec::new(),
            rate: 200,
            cpu: 200,
            streams_per_address: 64,
            private_hooks: false,
            exports: None,
            limits: Limits::default(),
        }
    }
}

/// State that all handlers share.
pub struct App {
    /// Settings that the operator chooses.
    pub options: Options,
    /// The games and every operation on them. Also the only source of randomness.
    pub play: Play,
    /// Endgame tables, and the pages and charts derived from them.
    pub endgames: Arc<Endgames>,
    /// Cancelled when the server begins to stop. Streams then end, and `/readyz` reports 503.
    pub closing: CancellationToken,
    /// Open connections.
    pub connections: Arc<Connections>,
    /// Open event streams.
    pub streams: Arc<Streams>,
    pub(super) requests: Requests,
    pub(super) replays: Replays,
    pub(super) drawings: Drawings,
    pub(super) compressed: CompressedBodies,
    pub(super) constant_pages: ConstantPages,
    pub(super) dealt_puzzles: DealtPuzzles,
    pub(super) probe: Probe,
    /// Rate limiter; `None` if requests are not limited.
    pub(super) rate: Option<Rate>,
}

impl App {
    /// Creates the state. The endgame tables may still be unsolved.
    pub fn new(options: Options, play: Play, tables: Arc<Tables>) -> Arc<App> {
        let rate = Rate::new(options.rate, &play);
        play.provide_tables(tables.clone());
        let endgames = Arc::new(Endgames::new(tables, play.pools().clone()));
        play.budget().set_rate(options.cpu);
        let connections = Connections::new(options.limits, options.trusted_proxies.clone());
        let time = play.clone();
        Arc::new(App {
            options,
            play,
            endgames,
            closing: CancellationToken::new(),
            connections,
            streams: Arc::new(Streams::new(move || time.now())),
            requests: Requests::default(),
            replays: Replays::default(),
            drawings: Drawings::default(),
            compressed: CompressedBodies::default(),
            constant_pages: ConstantPages::default(),
            dealt_puzzles: DealtPuzzles::default(),
            probe: Probe::default(),
            rate,
        })
    }
}

/// Contact of the operator: a URI that begins with `mailto:`, `https://` or `tel:`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contact(String);

impl FromStr for Contact {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let scheme = ["mailto:", "https://", "tel:"].iter().find_map(|scheme| text.strip_prefix(scheme));
        match scheme.is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_graphic())) {
            true => Ok(Contact(text.to_owned())),
            false => Err(format!(
                "“{text}” is not a contact address; write mailto:you@example.org, https://example.org/contact or tel:+1-201-555-0123"
            )),
        }
    }
}

impl fmt::Display for Contact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Result of the last test write to the database. It is valid for one second. Of several simultaneous callers, only one writes.
#[derive(Default)]
pub(super) struct Probe {
    last: tokio::sync::Mutex<Option<(i64, Result<(), play::Error>)>>,
}

/// Time for which a test write counts, in milliseconds.
const PROBE_VALIDITY: i64 = 1_000;

impl Probe {
    /// Returns the recent result, or makes a new test write.
    pub(super) async fn check(&self, play: &Play) -> Result<(), play::Error> {
        let mut last = self.last.lock().await;
        let now = play.now();
        if let Some((_, known)) = last.as_ref().filter(|(then, _)| (*then..then + PROBE_VALIDITY).contains(&now)) {
            return known.clone();
        }
        let written = play.store().probe().await.map_err(play::Error::from);
        *last = Some((now, written.clone()));
        written
    }
}

/// Public origin of the site, as configured by the operator: `https://host[:port]`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PublicUrl {
    origin: String,
    /// Set if the scheme is `https`.
    pub(super) secure: bool,
}

impl PublicUrl {
    /// Returns the origin without a trailing slash.
    pub fn origin(&self) -> &str {
        &self.origin
    }
}

impl FromStr for PublicUrl {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("“{text}” is not a public URL; write it as https://chess.example.org, without a path");
        let uri: Uri = text.parse().map_err(|_| wrong())?;
        let secure = match uri.scheme_str() {
            Some("https") => true,
            Some("http") => false,
            _ => return Err(wrong()),
        };
        let host = uri.authority().filter(|host| plain(host)).ok_or_else(wrong)?;
        if uri.path() != "/" && !uri.path().is_empty() || uri.query().is_some() {
            return Err(wrong());
        }
        Ok(PublicUrl { origin: format!("http{}://{host}", if secure { "s" } else { "" }), secure })
    }
}

/// Checks that an authority is a host with an optional port, made of characters that need no escaping in HTML or URLs.
pub(super) fn plain(authority: &Authority) -> bool {
    let host = authority.host();
    let named =
        !host.is_empty() && host.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-'));
    let literal = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let numbered = literal.is_some_and(|inner| inner.parse::<Ipv6Addr>().is_ok());
    let port = authority.as_str().strip_prefix(host).unwrap_or("@");
    (named || numbered) && (port.is_empty() || authority.port_u16().is_some())
}

type Keyed = RateLimiter<IpAddr, DashMapStateStore<IpAddr>, GameTime, StateInformationMiddleware>;

/// Clock of the games, adapted for the rate limiter. Tests can thus control both.
#[derive(Clone)]
struct GameTime(Play);

impl Clock for GameTime {
    type Instant = Duration;

    fn now(&self) -> Duration {
        Duration::from_millis(self.0.now().unsigned_abs())
    }
}

/// Rate limiter by client address.
pub(super) struct Rate {
    limiter: Keyed,
    time: GameTime,
    burst: u32,
    checks: AtomicU32,
}

/// Decision on one request.
pub(super) enum Allowance {
    /// Allowed. The value is the number of further requests that would be allowed now.
    Left(u32),
    /// Rejected. The value is the time until the next request is allowed.
    Later(Duration),
}

impl Rate {
    /// Creates a limiter of `per_second` requests per address, with bursts of ten seconds' requests. Returns `None` for 0: no limit.
    pub(super) fn new(per_second: u32, play: &Play) -> Option<Rate> {
        let rate = NonZeroU32::new(per_second)?;
        let burst = rate.saturating_mul(NonZeroU32::MIN.saturating_add(BURST - 1));
        let quota = Quota::per_second(rate).allow_burst(burst);
        let time = GameTime(play.clone());
        let limiter = Keyed::new(quota, DashMapStateStore::default(), time.clone());
        Some(Rate { limiter, time, burst: burst.get(), checks: AtomicU32::new(0) })
    }

    pub(super) fn check(&self, key: IpAddr) -> Allowance {
        if self.checks.fetch_add(1, Ordering::Relaxed) % FORGET_EVERY == FORGET_EVERY - 1 {
            self.limiter.retain_recent();
        }
        match self.limiter.check_key(&key) {
            Ok(snapshot) => Allowance::Left(snapshot.remaining_burst_capacity()),
            Err(until) => Allowance::Later(until.wait_time_from(self.time.now())),
        }
    }

    /// Number of requests that an address with a full allowance can make at once.
    pub(super) fn burst(&self) -> u32 {
        self.burst
    }

    /// Seconds until an address with `left` remaining requests has its full allowance again.
    pub(super) fn reset(&self, left: u32) -> u64 {
        u64::from(self.burst.saturating_sub(left)).div_ceil(u64::from((self.burst / BURST).max(1)))
    }
}

/// Cache of rendered replays. The key holds the game, its version and the viewer.
pub(super) struct Replays(Cache<String, Arc<str>, ReplayWeight>);

#[derive(Clone)]
struct ReplayWeight;

impl Weighter<String, Arc<str>> for ReplayWeight {
    fn weight(&self, key: &String, moments: &Arc<str>) -> u64 {
        (key.len() + moments.len()) as u64
    }
}

impl Default for Replays {
    fn default() -> Self {
        Replays(Cache::with_weighter((REPLAY_BYTES / USUAL_REPLAY_BYTES) as usize, REPLAY_BYTES, ReplayWeight))
    }
}

impl Replays {
    pub(super) fn find(&self, key: &str) -> Option<Arc<str>> {
        self.0.get(key)
    }

    /// Caches a replay until newer ones need the space.
    pub(super) fn insert(&self, key: String, moments: Arc<str>) {
        self.0.insert(key, moments);
    }
}

/// Upper bounds of the histogram buckets for response times, in seconds.
const TIME_BUCKETS: [f64; 13] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0];
/// Name of a method for logs and metrics. Unknown methods become `other`, because the client chooses their text.
pub(super) fn method(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}

/// Route that matched a request; its pattern is `none` if no route matched.
#[derive(Clone, Debug)]
pub(super) struct Route(Option<MatchedPath>);

impl Route {
    pub(super) fn of(extensions: &Extensions) -> Route {
        Route(extensions.get::<MatchedPath>().cloned())
    }

    /// Pattern of the route. All static files share one pattern, because their folder's name changes with every release.
    pub(super) fn pattern(&self) -> &str {
        match self.0.as_ref().map(MatchedPath::as_str) {
            Some(pattern) if pattern.starts_with(static_files::FOLDER) => "/static",
            Some(pattern) => pattern,
            None => "none",
        }
    }
}

impl PartialEq for Route {
    fn eq(&self, other: &Route) -> bool {
        self.pattern() == other.pattern()
    }
}

impl Eq for Route {}

impl Hash for Route {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.pattern().hash(hasher);
    }
}

impl EncodeLabelValue for Route {
    fn encode(&self, encoder: &mut LabelValueEncoder) -> fmt::Result {
        self.pattern().encode(encoder)
    }
}

/// Labels of a response in the metrics.
#[derive(Clone, PartialEq, Eq, Hash, Debug, EncodeLabelSet)]
pub(super) struct ResponseLabels {
    route: Route,
    method: &'static str,
    status: &'static str,
}

/// Histogram of response times.
pub(super) struct Requests(Family<ResponseLabels, Histogram>);

impl Default for Requests {
    fn default() -> Self {
        Requests(Family::new_with_constructor(|| Histogram::new(TIME_BUCKETS)))
    }
}

impl Requests {
    pub(super) fn times(&self) -> Family<ResponseLabels, Histogram> {
        self.0.clone()
    }

    /// Records a response whose head was ready after `seconds`.
    pub(super) fn count(&self, route: Route, asked: &Method, status: StatusCode, seconds: f64) {
        let status = match status.as_u16() {
            100..200 => "1xx",
            200..300 => "2xx",
            300..400 => "3xx",
            400..500 => "4xx",
            _ => "5xx",
        };
        self.0.get_or_create(&ResponseLabels { route, method: method(asked), status }).observe(seconds);
    }
}
