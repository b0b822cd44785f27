//! Runs a server or a worker until a signal stops it, and checks the health of a running server.

use super::{
    cli_options::{Database, Metrics, Serve, Worker},
    now,
};
use std::{
    io::{self, BufWriter, Read, Write},
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream},
    sync::Arc,
    time::Duration,
};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tracing_appender::non_blocking::{NonBlockingBuilder, WorkerGuard};
use tracing_subscriber::{
    Layer,
    filter::{FilterExt, LevelFilter, Targets, filter_fn},
    layer::SubscriberExt,
    util::SubscriberInitExt,
};
use zorkmid::{
    board::Size,
    command::BackgroundSolver,
    play::{Play, background},
    store::{Lock, Store},
    web::{self, App, Connections, Limits, Options},
};

/// Maximum number of connections to the metrics port.
const METRICS: usize = 16;
/// Maximum number of log lines that wait for the reader of standard error. Further ones are dropped, so that requests go on.
const LOG_LINES: usize = 16_384;

impl Metrics {
    /// Serves /metrics on its own port, if configured, until the app closes.
    async fn serve(&self, app: &Arc<App>) -> Result<(), String> {
        let Some(address) = self.metrics_listen else { return Ok(()) };
        let listener = listen(address).await?;
        let connections = Connections::new(Limits { connections: METRICS, ..Limits::default() }, Vec::new());
        tokio::spawn(web::serve(listener, web::metrics(app.clone()), connections, app.closing.clone()));
        Ok(())
    }
}

/// Opens the store and a monotonic clock. The clock starts at the store's time, or at the system time if the store has none. Later changes of
/// the system time do not affect the players' clocks.
async fn open(database: &Database) -> Result<(Store, impl Fn() -> i64 + Send + Sync + 'static), String> {
    let store = Store::open(&database.url()?).await.map_err(|why| why.to_string())?;
    let wall = store.clock().await.map_err(|why| why.to_string())?.unwrap_or_else(now);
    let started = uptime();
    Ok((store, move || wall + uptime() - started))
}

/// Cancels `closing` when the process receives a signal to stop.
fn stop_when_asked(closing: &CancellationToken) {
    let closing = closing.clone();
    tokio::spawn(async move {
        stop_signal().await;
        tracing::info!("stopping");
        closing.cancel();
    });
}

/// Monotonic time in milliseconds. Includes time in suspend, so that all processes on one PostgreSQL database still agree afterwards.
fn uptime() -> i64 {
    #[cfg(target_os = "linux")]
    let clock = rustix::time::ClockId::Boottime;
    #[cfg(not(target_os = "linux"))]
    let clock = rustix::time::ClockId::Monotonic;
    let time = rustix::time::clock_gettime(clock);
    time.tv_sec * 1_000 + time.tv_nsec / 1_000_000
}

/// Locks an SQLite database for this server.
fn lock(database: &Database) -> Result<Option<Lock>, String> {
    let started = time::OffsetDateTime::from_unix_timestamp(now() / 1_000).map_err(|why| why.to_string())?;
    let (date, (hour, minute, second)) = (started.date(), started.to_hms());
    let holder = format!("process {}, started {date} {hour:02}:{minute:02}:{second:02} UTC", std::process::id());
    Lock::take(&database.url()?, &holder).map_err(|why| why.to_string())
}

/// Runs a worker for the servers on one PostgreSQL database.
pub(crate) fn worker(options: &Worker) -> Result<(), String> {
    let database = options.games.database.url()?;
    if !database.starts_with("postgres") {
        return Err(
            "a worker needs the PostgreSQL database of its servers: set --database-url postgres://user@host/name. \
                    With SQLite, the server does all the work itself"
                .to_owned(),
        );
    }
    let _log = start_log();
    let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let places = options.places.map_or(processors, usize::from);
    let runtime = tokio::runtime::Runtime::new().map_err(|why| format!("no threads to work with: {why}"))?;
    let worked = runtime.block_on(async {
        let (store, clock) = open(&options.games.database).await?;
        let chance: rand::rngs::StdRng = rand::make_rng();
        let play = Play::of_worker(places, chance, store.clone(), clock);
        enter(&play).await?;
        let tables = Arc::new(options.games.database.tables());
        // The app of a worker serves only metrics.
        let sent = Options { private_hooks: options.notices.private_hooks, ..Options::default() };
        let app = App::new(sent, play.clone(), tables.clone());
        options.metrics.serve(&app).await?;
        tokio::spawn(web::deliver(app.clone()));
        tokio::spawn(background(move || match tables.solve(Size::ORTHODOX) {
            Ok(_) => tracing::info!("the endgame tables are ready"),
            Err(cause) => tracing::error!(%cause, "solving the endgame tables failed"),
        }));
        stop_when_asked(&app.closing);
        println!("Zorkmid worker with {places} threads for bots");
        play.run_background_jobs(options.games.keep(), &app.closing).await;
        store.close().await;
        Ok(())
    });
    // Does not wait for a bot that is thinking.
    runtime.shutdown_background();
    worked
}

/// Notes how long all processes were down, and registers this one with the others. Must run before the process answers requests.
async fn enter(play: &Play) -> Result<(), String> {
    play.wake().await.map_err(|why| why.to_string())?;
    play.attend().await.map_err(|why| why.to_string())
}

/// Serves the site.
pub(crate) fn serve(options: Serve) -> Result<(), String> {
    let _log = start_log();
    // Every connection is an open file, and the usual soft limit is 1024.
    let files = rlimit::increase_nofile_limit(u64::MAX).unwrap_or_else(|cause| {
        tracing::warn!(%cause, "raising the limit of open files failed");
        1024
    });
    // Leaves some files for the database and other uses.
    let room = usize::try_from(files.saturating_sub(64.max(files / 8)).max(1)).unwrap_or(usize::MAX);
    let runtime = tokio::runtime::Runtime::new().map_err(|why| format!("no threads to work with: {why}"))?;
    let served = runtime.block_on(async {
        let address = options.listen.listen;
        let _lock = lock(&options.games.database)?;
        let guest = options.engine.start().await?;
        let tables = Arc::new(options.games.database.tables());
        let listener = listen(address).await?;
        let address = listener.local_addr().map_err(|why| format!("cannot read the listening port: {why}"))?;
        let limits = Limits {
            connections: options.connections.unwrap_or(room),
            of_address: options.connections_per_address,
            ..Limits::default()
        };
        let chance: rand::rngs::StdRng = rand::make_rng();
        let (store, clock) = open(&options.games.database).await?;
        let data = &options.games.database.data;
        let _beside =
            (options.pieces == 4).then(|| BackgroundSolver::start(data)).transpose().map_err(|why| why.to_string())?;
        let play = Play::new(chance, store.clone(), clock);
        enter(&play).await?;
        let app = App::new(
            Options {
                public_url: options.public_url,
                contact: options.contact,
                private_hooks: options.notices.private_hooks,
                trusted_proxies: options.trusted_proxies,
                rate: options.rate,
                cpu: options.cpu_per_address,
                streams_per_address: options.streams_per_address,
                exports: Some(data.join("exports")),
                limits,
            },
            play.clone(),
            tables,
        );
        let looked_at = play.clone();
        tokio::spawn(async move { looked_at.look_for_damage().await });
        stop_when_asked(&app.closing);
        let (chores, keep, stop) = (play.clone(), options.games.keep(), app.closing.clone());
        let chores = tokio::spawn(async move { chores.run_background_jobs(keep, &stop).await });
        let endgames = app.endgames.clone();
        tokio::spawn(background(move || match endgames.prepare() {
            Ok(()) => tracing::info!("the endgame tables are ready"),
            Err(cause) => tracing::error!(cause, "solving the endgame tables failed"),
        }));
        options.metrics.serve(&app).await?;
        tokio::spawn(web::deliver(app.clone()));
        tokio::spawn(web::export_months(app.clone(), options.games.keep()));
        if let Some(guest) = guest {
            let name = guest.name().to_owned();
            let seated = guest.register(&play).await.map_err(|why| format!("the engine {name}: {why}"))?;
            tokio::spawn(seated.play(app.closing.clone()));
        }
        println!("Zorkmid serves http://{address}");
        let stop = app.closing.clone();
        let served = web::serve(listener, web::router(app.clone()), app.connections.clone(), stop).await;
        app.closing.cancel();
        // The chores end by recording this stop for the other processes.
        let _ = chores.await;
        store.close().await;
        served.map_err(|why| format!("the server stopped: {why}"))
    });
    // Does not wait for a thinking bot or a half-solved table.
    runtime.shutdown_background();
    served
}

async fn listen(address: SocketAddr) -> Result<TcpListener, String> {
    TcpListener::bind(address).await.map_err(|why| format!("cannot listen on {address}: {why}"))
}

/// Waits for SIGINT or SIGTERM.
async fn stop_signal() {
    use tokio::signal::unix::{SignalKind, signal};
    match signal(SignalKind::terminate()) {
        Ok(mut terminate) => {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = terminate.recv() => {}
            }
        }
        Err(_) => drop(tokio::signal::ctrl_c().await),
    }
}

/// Logs to standard error, one JSON object per line. A thread writes all lines that wait, so that no request waits for a system call. Dropping
/// the guard writes the rest.
fn start_log() -> WorkerGuard {
    let asked = std::env::var("RUST_LOG").ok().and_then(|levels| levels.parse::<Targets>().ok());
    let filter = asked.unwrap_or_else(|| {
        Targets::new().with_default(LevelFilter::INFO).with_target("memory_serve", LevelFilter::WARN)
    });
    let writer = NonBlockingBuilder::default().buffered_lines_limit(LOG_LINES).thread_name("log");
    let (writer, guard) = writer.finish(BufWriter::new(io::stderr()));
    let lines = tracing_subscriber::fmt::layer().json().flatten_event(true).with_span_list(false).with_writer(writer);
    tracing_subscriber::registry().with(lines.with_filter(filter.and(filter_fn(web::is_loggable)))).init();
    std::panic::set_hook(Box::new(web::log_panic));
    guard
}

/// Requests /healthz from a server on this machine.
pub(crate) fn check_health(mut address: SocketAddr) -> Result<(), String> {
    // Reaches a server that listens on all interfaces through the loopback address.
    match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => address.set_ip(IpAddr::V4(Ipv4Addr::LOCALHOST)),
        IpAddr::V6(ip) if ip.is_unspecified() => address.set_ip(IpAddr::V6(Ipv6Addr::LOCALHOST)),
        IpAddr::V4(_) | IpAddr::V6(_) => {}
    }
    let patience = Duration::from_secs(5);
    let ask = || -> io::Result<Vec<u8>> {
        let mut stream = TcpStream::connect_timeout(&address, patience)?;
        stream.set_read_timeout(Some(patience))?;
        stream.set_write_timeout(Some(patience))?;
        write!(stream, "GET /healthz HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n")?;
        let mut status = Vec::new();
        stream.take(64).read_to_end(&mut status)?;
        Ok(status)
    };
    let status = ask().map_err(|why| format!("no answer from {address}: {why}"))?;
    if status.starts_with(b"HTTP/1.1 200 ") {
        return Ok(());
    }
    let line = status.split(|&byte| byte == b'\r').next().unwrap_or_default();
    Err(format!("{address} is unhealthy: {}", String::from_utf8_lossy(line)))
}
