//! State that the handlers share: options, the record's health, counts of requests, rates of addresses, and cached pages of earlier moments.

use super::{
    connections::{Connections, Limits},
    endgame_cache::Endgames,
    presence::Streams,
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
    str::FromStr,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};
use tokio_util::sync::CancellationToken;

/// A client that has been quiet may ask for this many seconds' worth at once.
const BURST: u32 = 10;
/// After how many requests the addresses that are quiet again are forgotten.
const FORGET_EVERY: u32 = 4096;

/// The number of bytes of moments that are kept: those of a few hundred games.
const REPLAY_BYTES: u64 = 32 << 20;
/// The bytes of the moments of an ordinary game, roughly.
const USUAL_REPLAY_BYTES: u64 = 128 << 10;

/// The operator's choices.
#[derive(Clone, Debug)]
pub struct Options {
    /// The base of absolute links; without it the Host header.
    pub public_url: Option<PublicUrl>,
    /// How the operator is reached, if they say so.
    pub contact: Option<Contact>,
    /// Peers whose X-Forwarded headers are believed.
    pub trusted_proxies: Vec<IpNet>,
    /// Requests per second that one client address may make on average; 0 for no limit.
    pub rate: u32,
    /// Milliseconds of CPU time per second that one client address may use on average; 0 for no limit.
    pub cpu: u64,
    /// Event streams that one client address may have open; 0 for no limit.
    pub streams_per_address: usize,
    /// Set if hooks may lead to the operator's own network, and without TLS.
    pub private_hooks: bool,
    /// Deadlines and the number of connections.
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
            limits: Limits::default(),
        }
    }
}

/// Everything the handlers share.
pub struct App {
    /// The operator's choices.
    pub options: Options,
    /// The games: all that can happen to them, and the only source of chance.
    pub play: Play,
    /// The values of endgames.
    pub endgames: Arc<Endgames>,
    /// Cancelled when the server begins to stop: streams end, and it is no longer ready.
    pub closing: CancellationToken,
    /// The connections that are open.
    pub connections: Arc<Connections>,
    /// The event streams that are open.
    pub streams: Arc<Streams>,
    /// What was answered, and how fast.
    pub(super) requests: Requests,
    /// The earlier moments of games that somebody has stepped through.
    pub(super) replays: Replays,
    /// Whether the record can be written.
    pub(super) probe: Probe,
    /// The count of requests, if they are limited.
    pub(super) rate: Option<Rate>,
}

impl App {
    /// An app with these options. The tables need not be solved yet.
    pub fn new(options: Options, play: Play, tables: Arc<Tables>) -> Arc<App> {
        let rate = Rate::new(options.rate, &play);
        play.consult(tables.clone());
        let endgames = Arc::new(Endgames::new(tables, play.pools().clone()));
        play.budget().set_rate(options.cpu);
        let connections = Connections::new(options.limits, options.trusted_proxies.clone());
        Arc::new(App {
            options,
            play,
            endgames,
            closing: CancellationToken::new(),
            connections,
            streams: Arc::default(),
            requests: Requests::default(),
            replays: Replays::default(),
            probe: Probe::default(),
            rate,
        })
    }
}

/// How the operator is reached: a URI that begins with `mailto:`, `https://` or `tel:`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contact(String);

impl FromStr for Contact {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let scheme = ["mailto:", "https://", "tel:"].iter().find_map(|scheme| text.strip_prefix(scheme));
        match scheme.is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_graphic())) {
            true => Ok(Contact(text.to_owned())),
            false => Err(format!(
                "“{text}” is no way to reach somebody; write mailto:you@example.org, https://example.org/contact or tel:+1-201-555-0123"
            )),
        }
    }
}

impl fmt::Display for Contact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The last trial whether the record can be written. Whoever asks again within a second is told the same, and of several who ask at once
/// only one tries.
#[derive(Default)]
pub(super) struct Probe {
    last: tokio::sync::Mutex<Option<(i64, Result<(), play::Error>)>>,
}

/// The time for which a trial counts, in milliseconds.
const PROBE_VALIDITY: i64 = 1_000;

impl Probe {
    /// Tries, unless that was done just now.
    pub(super) async fn ask(&self, play: &Play) -> Result<(), play::Error> {
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

/// Where the operator says the site is found: `https://host[:port]`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PublicUrl {
    origin: String,
    /// Set if it is spoken to over TLS.
    pub(super) secure: bool,
}

impl PublicUrl {
    /// The origin, without a slash at its end.
    pub fn origin(&self) -> &str {
        &self.origin
    }
}

impl FromStr for PublicUrl {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("“{text}” is no public address; write it as https://chess.example.org, without a path");
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

/// Tells whether an authority is a host and perhaps a port, of characters that need no escape anywhere.
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

/// The moments that are kept, by the game, its version and whoever looks.
pub(super) struct Replays(Cache<String, Arc<str>, Bulk>);

#[derive(Clone)]
struct Bulk;

impl Weighter<String, Arc<str>> for Bulk {
    fn weight(&self, key: &String, moments: &Arc<str>) -> u64 {
        (key.len() + moments.len()) as u64
    }
}

impl Default for Replays {
    fn default() -> Self {
        Replays(Cache::with_weighter((REPLAY_BYTES / USUAL_REPLAY_BYTES) as usize, REPLAY_BYTES, Bulk))
    }
}

impl Replays {
    /// What is kept under a key.
    pub(super) fn find(&self, key: &str) -> Option<Arc<str>> {
        self.0.get(key)
    }

    /// Keeps moments until others need the place.
    pub(super) fn keep(&self, key: String, moments: Arc<str>) {
        self.0.insert(key, moments);
    }
}

/// The upper bounds of the answers' times, in seconds.
const TIME_BUCKETS: [f64; 13] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0];
/// The name of a method. One that HTTP does not have is a client's word.
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

/// A route as the router knows it; `none` for an address that leads nowhere.
#[derive(Clone, Debug)]
pub(super) struct Route(Option<MatchedPath>);

impl Route {
    /// The route of a request.
    pub(super) fn of(extensions: &Extensions) -> Route {
        Route(extensions.get::<MatchedPath>().cloned())
    }

    /// Its pattern. All files of the site are one: their folder has another name in every release.
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

/// A kind of answer.
#[derive(Clone, PartialEq, Eq, Hash, Debug, EncodeLabelSet)]
pub(super) struct Answered {
    route: Route,
    method: &'static str,
    status: &'static str,
}

/// The requests that were answered, and how fast.
pub(super) struct Requests(Family<Answered, Histogram>);

impl Default for Requests {
    fn default() -> Self {
        Requests(Family::new_with_constructor(|| Histogram::new(TIME_BUCKETS)))
    }
}

impl Requests {
    /// The times of all answers.
    pub(super) fn times(&self) -> Family<Answered, Histogram> {
        self.0.clone()
    }

    /// Counts an answer that was begun after so many seconds.
    pub(super) fn count(&self, route: Route, asked: &Method, status: StatusCode, seconds: f64) {
        let status = match status.as_u16() {
            100..200 => "1xx",
            200..300 => "2xx",
            300..400 => "3xx",
            400..500 => "4xx",
            _ => "5xx",
        };
        self.0.get_or_create(&Answered { route, method: method(asked), status }).observe(seconds);
    }
}
