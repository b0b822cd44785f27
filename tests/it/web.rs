//! The site as a client meets it: statuses, headers and bodies of every route, refusals, sockets and the log.

mod api;
mod betza;
mod bookie;
mod clairvoyant;
mod endgames;
mod games;
mod journal;
mod kill;
mod labels;
mod notation;
mod observatory;
mod pages;
pub(super) mod program;
mod readme;
mod refusals;
mod script;
mod share;
mod sockets;
mod stakes;

use std::{
    sync::{Arc, LazyLock},
    time::{SystemTime, UNIX_EPOCH},
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
    web::{App, Options, router},
};

/// Where the stores of these tests write: it outlives every test's own runtime.
static WRITERS: LazyLock<Runtime> = LazyLock::new(|| Runtime::new().unwrap());

/// A store in a new folder, which stays until the tests end.
fn store() -> Store {
    let place = tempfile::tempdir().unwrap().keep().join("games.sqlite");
    let open = || WRITERS.block_on(Store::open(place.to_str().unwrap())).unwrap();
    std::thread::scope(|scope| scope.spawn(open).join().unwrap())
}

/// Milliseconds since the epoch.
fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis() as i64
}

/// An app whose chance is always the same, and whose endgame tables are ready once anybody has asked for them.
fn app(options: Options) -> Arc<App> {
    with_tables(options, crate::richman::tables())
}

fn with_tables(options: Options, tables: Arc<Tables>) -> Arc<App> {
    App::new(options, Play::new(StdRng::seed_from_u64(7), store(), now), tables)
}

/// The site with the endgame tables ready.
fn solved() -> Router {
    crate::richman::tables().solve(Size::ORTHODOX).unwrap();
    site()
}

/// The site with the usual options.
fn site() -> Router {
    router(app(Options::default()))
}

/// What came back.
struct Answer {
    status: StatusCode,
    headers: HeaderMap,
    body: String,
}

impl Answer {
    fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.body).unwrap_or_else(|wrong| panic!("{wrong} in {}", self.body))
    }

    /// A problem document with a status, and what it says.
    fn problem(&self, status: u16) -> serde_json::Value {
        assert_eq!(self.status.as_u16(), status, "{}", self.body);
        assert_eq!(self.header("content-type"), "application/problem+json");
        let problem = self.json();
        assert_eq!(problem["status"], status);
        for member in ["type", "title", "detail"] {
            assert!(problem[member].as_str().is_some_and(|text| !text.is_empty()), "{member} in {problem}");
        }
        problem
    }

    /// A page with a status.
    fn page(&self, status: u16) -> &str {
        assert_eq!(self.status.as_u16(), status, "{}", self.body);
        assert_eq!(self.header("content-type"), "text/html; charset=utf-8");
        assert!(
            self.body.to_ascii_lowercase().starts_with("<!doctype html>") && self.body.trim_end().ends_with("</html>")
        );
        &self.body
    }
}

fn request(method: Method, path: &str) -> Request<Body> {
    Request::builder().method(method).uri(path).header("host", "zork.example").body(Body::empty()).unwrap()
}

/// A form as a page of the site itself sends it.
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
