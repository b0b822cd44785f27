//! Tests of the site as a client sees it: statuses, headers and bodies of every route, errors, sockets and the log.
#![allow(clippy::disallowed_methods, reason = "tests have deadlines, and read settings from the environment")]

mod answer_schema;
mod api;
mod api_types;
mod auction;
mod away;
mod backup;
mod betza;
mod bookie;
mod bounds;
mod challenges;
mod changes;
mod check;
mod clairvoyant;
mod claims;
mod company;
mod compose;
mod conditional_moves;
mod cookies;
mod copies;
mod corpora;
mod crawlers;
mod csipgs;
mod csipgs_rules;
mod data;
mod described;
mod differential;
mod docs;
mod doors;
mod endgame_commands;
mod endgame_page;
mod endgames;
mod engine;
mod exports;
mod fairy;
mod files;
mod five;
mod flood;
mod fog;
mod folder;
mod forms;
mod four;
mod full;
mod games;
mod hint;
mod instances;
mod journal;
mod keys;
mod kill;
mod labels;
mod ladder;
mod lichess;
mod lobby;
mod mechanisms;
mod metrics;
mod moving;
mod notation;
mod notices;
mod offload;
mod observatory;
mod one_answer;
mod outage;
mod outbox;
mod owners;
mod page_secrets;
mod pages;
mod panel_of_four;
mod pauses;
mod pieces;
#[cfg(feature = "pictures")]
mod pictures;
mod played;
mod pool;
mod proxy;
mod puzzles;
mod python_client;
mod races;
mod random_endgames;
mod readme;
mod refusals;
mod repeats;
mod review;
mod rules;
mod script;
mod share;
mod smallest;
mod sockets;
mod stakes;
mod starts;
mod table;
mod typescript_client;
mod uci;
mod walls;
mod whole_chips;
mod words;
mod worked_examples;
mod worth;

#[path = "../support/adversary.rs"]
mod adversary;
#[path = "../support/clairvoyant_games.rs"]
mod clairvoyant_games;
#[path = "../support/decided.rs"]
mod decided;
#[path = "../support/examples.rs"]
mod examples;
#[path = "../support/expensive.rs"]
mod expensive;
#[path = "../support/often.rs"]
mod often;
#[path = "../../fuzz/parsers.rs"]
mod parsers;
#[path = "../support/program.rs"]
mod program;
#[path = "../support/published.rs"]
mod published;
#[path = "../support/pyffish.rs"]
mod pyffish;
#[path = "../support/tables.rs"]
mod tables;
#[path = "../support/tools.rs"]
mod tools;

use std::{
    sync::{Arc, LazyLock},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use axum::{
    Router,
    body::Body,
    http::{HeaderMap, Method, Request, StatusCode},
};
use http_body_util::BodyExt;
use rand::{SeedableRng, rngs::StdRng};
use tokio::runtime::Runtime;
use tower::ServiceExt;
use zorkmid::{
    board::Size,
    play::Play,
    richman::Tables,
    store::Store,
    web::{App, Limits, Options, router},
};

/// Runtime of the tests' stores, which outlives the runtime of every test.
static WRITERS: LazyLock<Runtime> = LazyLock::new(|| Runtime::new().unwrap());

/// A store in a new folder, which lasts until the tests end.
fn store() -> Store {
    let place = tempfile::tempdir().unwrap().keep().join("games.sqlite");
    let open = || WRITERS.block_on(Store::open(place.to_str().unwrap())).unwrap();
    std::thread::scope(|scope| scope.spawn(open).join().unwrap())
}

/// Deadline, far longer than any step takes on the slowest machine.
const PATIENCE: Duration = Duration::from_secs(300);

/// Options without limits of requests and CPU time and without deadlines, so that no test depends on the speed of the machine. Tests of
/// limits and deadlines set their own.
fn patient() -> Options {
    let limits = Limits { header: PATIENCE, body: PATIENCE, handler: PATIENCE, drain: PATIENCE, ..Limits::default() };
    Options { rate: 0, cpu: 0, limits, ..Options::default() }
}

/// Milliseconds since the epoch.
fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis() as i64
}

/// An app with a fixed random seed, whose endgame tables are shared and solved on first use.
fn app(options: Options) -> Arc<App> {
    with_tables(options, tables::tables())
}

fn with_tables(options: Options, tables: Arc<Tables>) -> Arc<App> {
    App::new(options, Play::new(StdRng::seed_from_u64(7), store(), now), tables)
}

/// A site whose endgame tables are ready.
fn solved() -> Router {
    tables::tables().solve(Size::ORTHODOX).unwrap();
    site()
}

/// A site.
fn site() -> Router {
    router(app(patient()))
}

/// An HTTP answer.
struct Answer {
    status: StatusCode,
    headers: HeaderMap,
    body: String,
}

impl Answer {
    fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// JSON body of a successful answer.
    fn json(&self) -> serde_json::Value {
        assert!(self.status.is_success(), "{}: {}", self.status, self.body);
        self.parsed()
    }

    /// JSON body, whatever the status.
    fn parsed(&self) -> serde_json::Value {
        serde_json::from_str(&self.body).unwrap_or_else(|wrong| panic!("{wrong} in {}", self.body))
    }

    /// Checks that the answer is a problem document with a status, and returns it.
    fn problem(&self, status: u16) -> serde_json::Value {
        assert_eq!(self.status.as_u16(), status, "{}", self.body);
        assert_eq!(self.header("content-type"), "application/problem+json");
        let problem = self.parsed();
        assert_eq!(problem["status"], status);
        for member in ["type", "title", "detail"] {
            assert!(problem[member].as_str().is_some_and(|text| !text.is_empty()), "{member} in {problem}");
        }
        problem
    }

    /// Checks that the answer is a page with a status, and returns it.
    fn page(&self, status: u16) -> &str {
        assert_eq!(self.status.as_u16(), status, "{}", self.body);
        assert_eq!(self.header("content-type"), "text/html; charset=utf-8");
        assert!(
            self.body.to_ascii_lowercase().starts_with("<!doctype html>") && self.body.trim_end().ends_with("</html>")
        );
        &self.body
    }
}

/// Waits until a condition holds.
async fn until(what: &str, holds: impl AsyncFn() -> bool) {
    let wait = async {
        while !holds().await {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(PATIENCE, wait).await.unwrap_or_else(|_| panic!("timed out: {what}"));
}

fn request(method: Method, path: &str) -> Request<Body> {
    Request::builder().method(method).uri(path).header("host", "zork.example").body(Body::empty()).unwrap()
}

/// A form request as a page of the site sends it.
fn own_form(path: &str, body: String) -> Request<Body> {
    let mut form = request(Method::POST, path);
    for (name, value) in [
        ("content-type", "application/x-www-form-urlencoded"),
        ("origin", "http://zork.example"),
        ("sec-fetch-site", "same-origin"),
    ] {
        form.headers_mut().insert(name, value.parse().unwrap());
    }
    *form.body_mut() = Body::from(body);
    form
}

async fn ask(site: &Router, request: Request<Body>) -> Answer {
    let (parts, body) = site.clone().oneshot(request).await.unwrap().into_parts();
    let body = String::from_utf8_lossy(&body.collect().await.unwrap().to_bytes()).into_owned();
    Answer { status: parts.status, headers: parts.headers, body }
}

async fn get(site: &Router, path: &str) -> Answer {
    ask(site, request(Method::GET, path)).await
}
