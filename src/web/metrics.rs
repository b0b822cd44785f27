//! Prometheus metrics, on a separate listener, and health probes. They contain no address, game id or text from a client.

use super::{App, Error, Kind};
use crate::{richman::State as Progress, store::DatabaseSize};
use axum::{
    Json, Router,
    extract::State,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
    routing::get,
};
use prometheus_client::{
    encoding::text,
    metrics::{counter::ConstCounter, gauge::ConstGauge, info::Info},
    registry::{Registry, Unit},
};
use rustix::time::{ClockId, clock_gettime};
use serde::Serialize;
use std::{fs, sync::Arc};

/// Minimum interval between measurements of the database, in milliseconds. Counting its games is slow.
const FRESH: i64 = 60_000;
/// Media type of the OpenMetrics text format.
const TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// State of the metrics endpoint.
struct Meter {
    app: Arc<App>,
    /// Time and result of the last measurement of the database.
    extent: tokio::sync::Mutex<Option<(i64, Option<DatabaseSize>)>>,
}

/// Router with the single route `/metrics`. Serve it only where the operator alone can reach it.
pub fn metrics(app: Arc<App>) -> Router {
    let meter = Arc::new(Meter { app, extent: tokio::sync::Mutex::default() });
    Router::new().route("/metrics", get(scrape)).with_state(meter)
}

async fn scrape(State(meter): State<Arc<Meter>>) -> Response {
    let extent = meter.extent().await;
    let mut said = String::new();
    match text::encode(&mut said, &registry(&meter.app, extent)) {
        Ok(()) => ([(header::CONTENT_TYPE, TYPE)], said).into_response(),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

impl Meter {
    /// Size of the database; `None` while it cannot be measured.
    async fn extent(&self) -> Option<DatabaseSize> {
        let mut last = self.extent.lock().await;
        let now = self.app.play.now();
        if let Some((_, known)) = last.as_ref().filter(|(then, _)| (*then..then + FRESH).contains(&now)) {
            return *known;
        }
        let measured = self.app.play.store().extent().await;
        let measured = measured.inspect_err(|error| tracing::warn!(%error, "measuring the database failed")).ok();
        *last = Some((now, measured));
        measured
    }
}

/// Collects the current values of all metrics.
fn registry(app: &App, extent: Option<DatabaseSize>) -> Registry {
    let (load, tally, process) = (app.play.load(), app.play.store().tally(), measure());
    let tables = app.endgames.tables().status();
    let solved = tables.iter().filter(|table| table.state == Progress::Ready).count();
    let mut all = Registry::default();
    let own = all.sub_registry_with_prefix("zorkmid");
    let version = vec![("version", env!("CARGO_PKG_VERSION"))];
    own.register("build", "Version of the program", Info::new(version));
    let seconds = || Unit::Seconds;
    let what = "Time from a request to the head of its response, by route pattern";
    own.register_with_unit("http_request", what, seconds(), app.requests.times());
    let what = "Duration of a commit, including the disk sync";
    own.register_with_unit("store_commit", what, seconds(), app.play.store().commit_times());
    let what = "Time from the start of a bot's turn to its stored action";
    own.register_with_unit("bot_answer", what, seconds(), app.play.answer_times());

    let mut counts = |name: &str, what: &str, count: u64| own.register(name, what, ConstCounter::new(count));
    counts("events", "Events sent on event streams", app.streams.sent());
    counts(
        "cpu_refused",
        "Requests rejected because their address had used up its CPU time",
        app.play.budget().refused(),
    );
    counts("store_jobs", "Store jobs settled by a commit, including rejected ones", tally.jobs);
    counts("store_busy", "Store jobs rejected because the queue was full", tally.busy);
    counts("store_failures", "Store jobs that failed with a database error", tally.failed);

    let mut gauges = |name: &str, what: &str, value: u64| {
        own.register(name, what, ConstGauge::new(i64::try_from(value).unwrap_or(i64::MAX)));
    };
    gauges("connections", "Open connections", app.connections.count() as u64);
    gauges("streams", "Open event streams", app.streams.count() as u64);
    gauges("store_waiting", "Store jobs waiting to be written", tally.waiting);
    gauges("bots_waiting", "Games waiting for a bot that has not started to think", load.bots_waiting as u64);
    gauges("bots_thinking", "Bots thinking about a move", load.bots_thinking as u64);
    for (name, waiting) in
        ["pool_games_waiting", "pool_lookups_waiting", "pool_batch_waiting"].into_iter().zip(load.pools_waiting)
    {
        gauges(name, "Jobs waiting for a thread of the pool", waiting as u64);
    }
    gauges("games_loaded", "Games in memory", load.games as u64);
    gauges("games_unreadable", "Games with unreadable records, since the start", load.unreadable as u64);
    gauges("tables", "Endgame tables of the standard board", tables.len() as u64);
    gauges("tables_solved", "Solved endgame tables of the standard board", solved as u64);
    if let Some(extent) = extent {
        gauges("database_games", "Games in the database, counted once a minute", extent.games);
        gauges(
            "notifications_waiting",
            "Turn notifications waiting to be delivered, counted once a minute",
            extent.notifications,
        );
        gauges("database_size_bytes", "Size of the database, measured once a minute", extent.bytes);
    }
    if let Some(free) = extent.and_then(|extent| extent.free) {
        gauges("disk_free_bytes", "Free space on the disk of the database, measured once a minute", free);
    }

    for (name, what, value) in [
        ("process_resident_memory_bytes", "Resident memory", process.memory),
        ("process_open_fds", "Open file descriptors, including sockets", process.files),
        ("process_max_fds", "Maximum number of open file descriptors", process.most_files),
    ] {
        if let Some(value) = value.and_then(|value| i64::try_from(value).ok()) {
            all.register(name, what, ConstGauge::new(value));
        }
    }
    all.register("process_cpu_seconds", "CPU time used", ConstCounter::new(process.processor));
    all
}

/// Resource usage of this process.
pub(super) struct Process {
    /// Resident memory in bytes.
    pub(super) memory: Option<u64>,
    /// Open file descriptors.
    pub(super) files: Option<u64>,
    /// Soft limit on open file descriptors.
    most_files: Option<u64>,
    /// Seconds of CPU time since the start.
    pub(super) processor: f64,
}

pub(super) fn measure() -> Process {
    let used = clock_gettime(ClockId::ProcessCPUTime);
    Process {
        memory: fs::read_to_string("/proc/self/status").ok().and_then(|status| resident(&status)),
        files: fs::read_dir("/proc/self/fd").ok().map(|files| files.count() as u64),
        most_files: rlimit::Resource::NOFILE.get_soft().ok(),
        processor: used.tv_sec as f64 + used.tv_nsec as f64 / 1e9,
    }
}

/// Parses the line `VmRSS:   12345 kB` of `/proc/self/status`. Returns bytes.
fn resident(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}

/// Response to a probe: `{"status": "ok"}`.
#[derive(Serialize)]
pub struct Health {
    status: &'static str,
}

/// `GET /healthz`: liveness probe.
pub async fn alive() -> Json<Health> {
    Json(Health { status: "ok" })
}

/// `GET /readyz`: readiness probe. Returns 503 until the endgame tables are solved, while the database cannot be written, and during
/// shutdown.
pub async fn ready(State(app): State<Arc<App>>) -> Result<Json<Health>, Error> {
    if app.closing.is_cancelled() {
        return Err(Error::new(Kind::Busy { retry_after: 5 }, "The server is stopping."));
    }
    app.endgames.ready()?;
    app.probe.check(&app.play).await?;
    Ok(Json(Health { status: "ready" }))
}
