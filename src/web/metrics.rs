//! Measurements for Prometheus, on a listener of their own, and probes. No address, no game and no word of a client is in them.

use super::{App, Error, Kind};
use crate::{richman::State as Progress, store::Extent};
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

/// The record is measured at most this often, in milliseconds: its games are counted one by one.
const FRESH: i64 = 60_000;
/// OpenMetrics, which Prometheus reads.
const TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Whom Prometheus asks.
struct Meter {
    app: Arc<App>,
    /// The last measure of the record, and when it was taken.
    extent: tokio::sync::Mutex<Option<(i64, Option<Extent>)>>,
}

/// `/metrics`, and nothing else: to be served where only the operator can ask.
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
    /// The size of the record; none while it cannot be asked.
    async fn extent(&self) -> Option<Extent> {
        let mut last = self.extent.lock().await;
        let now = self.app.play.now();
        if let Some((_, known)) = last.as_ref().filter(|(then, _)| (*then..then + FRESH).contains(&now)) {
            return *known;
        }
        let measured = self.app.play.store().extent().await;
        let measured = measured.inspect_err(|error| tracing::warn!(%error, "the record could not be measured")).ok();
        *last = Some((now, measured));
        measured
    }
}

/// All measurements of this moment.
fn registry(app: &App, extent: Option<Extent>) -> Registry {
    let (load, tally, process) = (app.play.load(), app.play.store().tally(), measure());
    let tables = app.endgames.tables().status();
    let solved = tables.iter().filter(|table| table.state == Progress::Ready).count();
    let mut all = Registry::default();
    let own = all.sub_registry_with_prefix("zorkmid");
    let version = vec![("version", env!("CARGO_PKG_VERSION"))];
    own.register("build", "The version of the program", Info::new(version));
    let seconds = || Unit::Seconds;
    let what = "Time from a request to the head of its answer, by pattern of the route";
    own.register_with_unit("http_request", what, seconds(), app.requests.times());
    let what = "Time that a commit took, the wait for the disk included";
    own.register_with_unit("store_commit", what, seconds(), app.play.store().commit_times());
    let what = "Time from a question to a bot to its answer on the disk";
    own.register_with_unit("bot_answer", what, seconds(), app.play.answer_times());

    let mut counts = |name: &str, what: &str, count: u64| own.register(name, what, ConstCounter::new(count));
    counts("events", "Events sent on event streams", app.streams.sent());
    counts(
        "cpu_refused",
        "Requests refused because their address had used up its CPU time",
        app.play.budget().refused(),
    );
    counts("store_jobs", "Jobs settled by a commit, refusals among them", tally.jobs);
    counts("store_busy", "Jobs turned away because too many were waiting", tally.busy);
    counts("store_failures", "Jobs of which nothing came because the database failed", tally.failed);

    let mut gauges = |name: &str, what: &str, value: u64| {
        own.register(name, what, ConstGauge::new(i64::try_from(value).unwrap_or(i64::MAX)));
    };
    gauges("connections", "Connections that are open", app.connections.count() as u64);
    gauges("streams", "Event streams that are open", app.streams.count() as u64);
    gauges("store_waiting", "Jobs that wait to be written", tally.waiting);
    gauges("bots_waiting", "Games in which a bot is asked and does not think yet", load.bots_waiting as u64);
    gauges("bots_thinking", "Bots that think", load.bots_thinking as u64);
    for (name, waiting) in
        ["pool_games_waiting", "pool_lookups_waiting", "pool_batch_waiting"].into_iter().zip(load.pools_waiting)
    {
        gauges(name, "Jobs that wait for a thread of a pool", waiting as u64);
    }
    gauges("games_loaded", "Games in memory", load.games as u64);
    gauges("games_unreadable", "Games whose records could not be read since the start", load.unreadable as u64);
    gauges("tables", "Endgame tables of the ordinary board", tables.len() as u64);
    gauges("tables_solved", "Endgame tables of the ordinary board that can answer", solved as u64);
    if let Some(extent) = extent {
        gauges("database_games", "Games in the record, counted once a minute", extent.games);
        gauges(
            "notifications_waiting",
            "Turn notifications that wait to be delivered, counted once a minute",
            extent.notifications,
        );
        gauges("database_size_bytes", "Size of the record, measured once a minute", extent.bytes);
    }
    if let Some(free) = extent.and_then(|extent| extent.free) {
        gauges("disk_free_bytes", "Room on the disk of the record, measured once a minute", free);
    }

    for (name, what, value) in [
        ("process_resident_memory_bytes", "Memory in use", process.memory),
        ("process_open_fds", "Open files, sockets among them", process.files),
        ("process_max_fds", "Files that may be open", process.most_files),
    ] {
        if let Some(value) = value.and_then(|value| i64::try_from(value).ok()) {
            all.register(name, what, ConstGauge::new(value));
        }
    }
    all.register("process_cpu_seconds", "Processor time used", ConstCounter::new(process.processor));
    all
}

/// What this process uses.
pub(super) struct Process {
    /// Bytes of memory.
    pub(super) memory: Option<u64>,
    /// Open files.
    pub(super) files: Option<u64>,
    /// Files that may be open.
    most_files: Option<u64>,
    /// Seconds of processor time since the start.
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

/// The line `VmRSS:   12345 kB`, in bytes.
fn resident(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}

/// The answer to a probe: `{"status": "ok"}`.
#[derive(Serialize)]
pub struct Health {
    status: &'static str,
}

/// `GET /healthz`: the process answers.
pub async fn alive() -> Json<Health> {
    Json(Health { status: "ok" })
}

/// `GET /readyz`: requests are welcome; 503 before the endgame tables can answer, while the record cannot be written, and
/// once the server is stopping.
pub async fn ready(State(app): State<Arc<App>>) -> Result<Json<Health>, Error> {
    if app.closing.is_cancelled() {
        return Err(Error::new(Kind::Busy { retry_after: 5 }, "The server is stopping."));
    }
    app.endgames.ready()?;
    app.probe.ask(&app.play).await?;
    Ok(Json(Health { status: "ready" }))
}
