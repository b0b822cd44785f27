//! The command line: the only place that reads arguments, environment and clock.
#![allow(
    clippy::disallowed_methods,
    reason = "the one place that reads the command line, the environment and the clock"
)]

use clap::{Args, Parser, Subcommand};
use ipnet::IpNet;
use std::{
    io::{self, Read, Write},
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream},
    path::PathBuf,
    process::ExitCode,
    sync::Arc,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tracing_subscriber::{
    Layer,
    filter::{FilterExt, LevelFilter, Targets, filter_fn},
    layer::SubscriberExt,
    util::SubscriberInitExt,
};
use zorkmid::{
    board::Size,
    command::{Beside, Ladder, Perft, Replay, Smallest, Solve, Value, Verify, Worth, endgames},
    engine,
    play::{Play, background},
    richman::{FourFiles, Tables},
    rules::Seat,
    store::{self, Store},
    web::{self, App, Connections, Contact, Limits, Options, PublicUrl, client::network},
};

/// Connections that may ask for metrics at once.
const METRICS: usize = 16;

/// Serves chess for stakes: bid, bet, buy or guess.
#[derive(Parser)]
#[command(version, about, args_conflicts_with_subcommands = true)]
struct Command {
    #[command(subcommand)]
    task: Option<Task>,
    #[command(flatten)]
    serve: Serve,
}

#[derive(Subcommand)]
enum Task {
    /// Serves the site (the default).
    Serve(Serve),
    /// Thinks for bots, looks back at games and measures pieces, so that the servers on the same PostgreSQL stay quick; it answers no requests.
    Worker(Worker),
    /// Counts the leaves of the move tree, and how fast.
    Perft(Perft),
    /// Solves the endgames of a board and proves the values right.
    Solve(Solve),
    /// Solves the endgames of a board and checks every equation and label with moves generated anew.
    Verify(Verify),
    /// Finds the fewest pieces with which α and β differ on a small board.
    Smallest(Smallest),
    /// Says what a position is worth, and every move in it.
    Value(Value),
    /// Plays a game again from its record, prints it, and checks that both of its records lead back to it.
    Replay(ReplayOf),
    /// Lets two bots play each other, and says who is stronger.
    Ladder(Ladder),
    /// Measures what pieces are worth in games of bots, beside their price.
    Worth(Worth),
    /// Ends a game as lost for a seat, by the operator's word; a running server may go on meanwhile.
    Forfeit(Forfeit),
    /// Copies the embedded database to a file, while a server writes to it or not.
    Backup(Backup),
    /// Asks a running server whether it is well; the exit status says so.
    Healthcheck(Healthcheck),
}

#[derive(Args)]
struct Listen {
    /// The address and port to serve on; port 0 takes any free one.
    #[arg(long, env = "ZORKMID_LISTEN", value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8080")]
    listen: SocketAddr,
}

#[derive(Args)]
struct Metrics {
    /// The address and port on which Prometheus may ask for /metrics; without it nobody can. It is not for the public.
    #[arg(long, visible_alias = "metrics", env = "ZORKMID_METRICS_LISTEN", value_name = "ADDRESS:PORT")]
    metrics_listen: Option<SocketAddr>,
}

impl Metrics {
    /// Answers Prometheus, if it may ask, until the app closes.
    async fn serve(&self, app: &Arc<App>) -> Result<(), String> {
        let Some(address) = self.metrics_listen else { return Ok(()) };
        let listener = listen(address).await?;
        let connections = Connections::new(Limits { connections: METRICS, ..Limits::default() }, Vec::new());
        tokio::spawn(web::serve(listener, web::metrics(app.clone()), connections, app.closing.clone()));
        Ok(())
    }
}

/// Where the games are kept.
#[derive(Args)]
struct Database {
    /// The folder of the embedded database.
    #[arg(long, env = "ZORKMID_DATA", value_name = "FOLDER", default_value = "data")]
    data: PathBuf,
    /// A database to use instead: postgres://user@host/name, or sqlite:FILE.
    #[arg(long, env = "DATABASE_URL", value_name = "URL", hide_env_values = true)]
    database_url: Option<String>,
}

impl Database {
    /// The endgame tables: none is solved yet, but those of four pieces that lie in the folder are found.
    fn tables(&self) -> Tables {
        Tables::with_four(FourFiles::new(endgames(&self.data)))
    }

    fn url(&self) -> Result<String, String> {
        if let Some(url) = &self.database_url {
            return Ok(url.clone());
        }
        let file = self.data.join("zorkmid.sqlite");
        file.to_str()
            .map(str::to_owned)
            .ok_or_else(|| format!("the folder {} has a name that is not text", self.data.display()))
    }
}

/// What is sent to those who wish to be told of their turns.
#[derive(Args)]
struct Notices {
    /// Lets programs that wish to be told of their turns be anywhere, without TLS and in this server's own network too; without it only on
    /// the public network. Several processes on one database are given the same.
    #[arg(long, env = "ZORKMID_PRIVATE_HOOKS")]
    private_hooks: bool,
}

/// The games, and how long they are kept.
#[derive(Args)]
struct Games {
    #[command(flatten)]
    database: Database,
    /// Deletes games in which nothing has happened for so many days, finished or not; without it all are kept for ever. A move may take 30
    /// days. Several processes on one database are given the same.
    #[arg(long, env = "ZORKMID_KEEP", value_name = "DAYS", value_parser = clap::value_parser!(u32).range(31..=36_500))]
    keep: Option<u32>,
}

impl Games {
    /// The time that games are kept, in milliseconds.
    fn keep(&self) -> Option<i64> {
        self.keep.map(|days| i64::from(days) * 86_400_000)
    }
}

#[derive(Args)]
struct Serve {
    #[command(flatten)]
    listen: Listen,
    #[command(flatten)]
    games: Games,
    #[command(flatten)]
    metrics: Metrics,
    #[command(flatten)]
    notices: Notices,
    #[command(flatten)]
    engine: engine::Options,
    /// The greatest number of pieces of the endgame tables; those of 4 are solved once beside the server, into its folder.
    #[arg(long, env = "ZORKMID_PIECES", value_name = "NUMBER", default_value_t = 3, value_parser = clap::value_parser!(u8).range(3..=4))]
    pieces: u8,
    /// The base of absolute links, as https://chess.example.org; without it the request's Host header.
    #[arg(long, env = "ZORKMID_PUBLIC_URL", value_name = "URL")]
    public_url: Option<PublicUrl>,
    /// How to reach the operator, for /.well-known/security.txt: mailto:you@example.org, or an address that begins with https://.
    #[arg(long, env = "ZORKMID_CONTACT", value_name = "URI")]
    contact: Option<Contact>,
    /// Addresses or networks whose X-Forwarded-For and X-Forwarded-Proto are believed, separated by commas.
    #[arg(long, env = "ZORKMID_TRUSTED_PROXIES", value_name = "NETWORKS", value_delimiter = ',', value_parser = network)]
    trusted_proxies: Vec<IpNet>,
    /// Requests per second that one client address may make on average, ten seconds' worth at once; 0 for no limit.
    #[arg(long, env = "ZORKMID_RATE", value_name = "REQUESTS", default_value_t = Options::default().rate)]
    rate: u32,
    /// Event streams that one client address may have open; 0 for no limit.
    #[arg(long, env = "ZORKMID_STREAMS_PER_ADDRESS", value_name = "STREAMS", default_value_t = Options::default().streams_per_address)]
    streams_per_address: usize,
    /// Connections that may be open at once; without it as many as there may be open files, less an eighth and at least 64.
    #[arg(long, env = "ZORKMID_CONNECTIONS", value_name = "NUMBER")]
    connections: Option<usize>,
    /// Connections that one client address may have open; 0 for no limit.
    #[arg(long, env = "ZORKMID_CONNECTIONS_PER_ADDRESS", value_name = "NUMBER", default_value_t = Limits::default().of_address)]
    connections_per_address: usize,
}

#[derive(Args)]
struct Worker {
    #[command(flatten)]
    games: Games,
    #[command(flatten)]
    metrics: Metrics,
    #[command(flatten)]
    notices: Notices,
    /// Bots that think at the same time; without it as many as there are processors.
    #[arg(long, env = "ZORKMID_PLACES", value_name = "NUMBER", value_parser = clap::value_parser!(u16).range(1..=1024))]
    places: Option<u16>,
}

#[derive(Args)]
struct Forfeit {
    /// The game's id, the last part of its address.
    game: String,
    /// The seat that loses: one or two.
    seat: Seat,
    #[command(flatten)]
    database: Database,
}

#[derive(Args)]
struct Backup {
    /// The file to make; one that is there already is left alone.
    to: PathBuf,
    #[command(flatten)]
    database: Database,
}

#[derive(Args)]
struct ReplayOf {
    /// A file with a record, in JSON or in portable game notation; or the id of a game that is kept here.
    record: String,
    #[command(flatten)]
    database: Database,
}

#[derive(Args)]
struct Healthcheck {
    #[command(flatten)]
    listen: Listen,
}

fn main() -> ExitCode {
    let command = Command::parse();
    let done = match command.task.unwrap_or(Task::Serve(command.serve)) {
        Task::Serve(options) => serve(options),
        Task::Worker(options) => worker(&options),
        Task::Perft(options) => options.run(now).map(say),
        Task::Solve(options) => options.run().map(say),
        Task::Verify(options) => options.run().map(say),
        Task::Smallest(options) => options.run().map(say),
        Task::Value(options) => options.run().map(say),
        Task::Replay(options) => replay(&options).map(say),
        Task::Ladder(options) => options.run(now).map(say),
        Task::Worth(options) => options.run().map(say),
        Task::Forfeit(options) => forfeit(&options),
        Task::Backup(options) => backup(&options).map(say),
        Task::Healthcheck(options) => healthcheck(options.listen.listen),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("zorkmid: {why}");
            ExitCode::FAILURE
        }
    }
}

/// Prints a line or more. A reader that has seen enough is no failure.
fn say(text: String) {
    writeln!(io::stdout(), "{text}").ok();
}

/// Writes what happens to the standard error, a line of JSON each.
fn tell() {
    let asked = std::env::var("RUST_LOG").ok().and_then(|levels| levels.parse::<Targets>().ok());
    let filter = asked.unwrap_or_else(|| {
        Targets::new().with_default(LevelFilter::INFO).with_target("memory_serve", LevelFilter::WARN)
    });
    let lines =
        tracing_subscriber::fmt::layer().json().flatten_event(true).with_span_list(false).with_writer(io::stderr);
    tracing_subscriber::registry().with(lines.with_filter(filter.and(filter_fn(web::discreet)))).init();
    std::panic::set_hook(Box::new(web::tell_panic));
}

/// Opens the record, and a clock that goes on steadily from the record's time, or from ours where it has none: what is put right on the
/// wall meanwhile gives and takes nobody's time.
async fn open(database: &Database) -> Result<(Store, impl Fn() -> i64 + Send + Sync + 'static), String> {
    let store = Store::open(&database.url()?).await.map_err(|why| why.to_string())?;
    let wall = store.clock().await.map_err(|why| why.to_string())?.unwrap_or_else(now);
    let started = Instant::now();
    Ok((store, move || wall + i64::try_from(started.elapsed().as_millis()).unwrap_or(i64::MAX)))
}

/// Cancels `closing` when somebody asks the process to stop.
fn stop_when_asked(closing: &CancellationToken) {
    let closing = closing.clone();
    tokio::spawn(async move {
        asked_to_stop().await;
        tracing::info!("stopping");
        closing.cancel();
    });
}

fn worker(options: &Worker) -> Result<(), String> {
    let database = options.games.database.url()?;
    if !database.starts_with("postgres") {
        return Err(
            "a worker shares a PostgreSQL with servers: name it with --database-url postgres://user@host/name; \
                    on SQLite the server does everything itself"
                .to_owned(),
        );
    }
    tell();
    let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let places = options.places.map_or(processors, usize::from);
    let runtime = tokio::runtime::Runtime::new().map_err(|why| format!("no threads to work with: {why}"))?;
    let worked = runtime.block_on(async {
        let (store, clock) = open(&options.games.database).await?;
        let chance: rand::rngs::StdRng = rand::make_rng();
        let play = Play::of_worker(places, chance, store.clone(), clock);
        enter(&play).await?;
        let tables = Arc::new(options.games.database.tables());
        // It answers nobody but Prometheus.
        let sent = Options { private_hooks: options.notices.private_hooks, ..Options::default() };
        let app = App::new(sent, play.clone(), tables.clone());
        options.metrics.serve(&app).await?;
        tokio::spawn(web::deliver(app.clone()));
        tokio::spawn(background(move || match tables.solve(Size::ORTHODOX) {
            Ok(_) => tracing::info!("the endgame tables are ready"),
            Err(cause) => tracing::error!(%cause, "there are no endgame tables"),
        }));
        stop_when_asked(&app.closing);
        println!("Zorkmid works for {places} bots at a time");
        play.do_chores(options.games.keep(), &app.closing).await;
        store.close().await;
        Ok(())
    });
    // A bot that is thinking is not waited for.
    runtime.shutdown_background();
    worked
}

/// Joins the others, and finds out what happened while nobody was here, before anybody is answered.
async fn enter(play: &Play) -> Result<(), String> {
    play.wake().await.map_err(|why| why.to_string())?;
    play.attend().await.map_err(|why| why.to_string())
}

fn serve(options: Serve) -> Result<(), String> {
    tell();
    // Every connection is an open file, and the usual soft limit is 1024.
    let files = rlimit::increase_nofile_limit(u64::MAX).unwrap_or_else(|cause| {
        tracing::warn!(%cause, "the limit of open files stays as it is");
        1024
    });
    // The rest is for the database, and for what is read and written beside it.
    let room = usize::try_from(files.saturating_sub(64.max(files / 8)).max(1)).unwrap_or(usize::MAX);
    let runtime = tokio::runtime::Runtime::new().map_err(|why| format!("no threads to work with: {why}"))?;
    let served = runtime.block_on(async {
        let address = options.listen.listen;
        let guest = options.engine.start().await?;
        let tables = Arc::new(options.games.database.tables());
        let listener = listen(address).await?;
        let address = listener.local_addr().map_err(|why| format!("cannot tell the port: {why}"))?;
        let limits = Limits {
            connections: options.connections.unwrap_or(room),
            of_address: options.connections_per_address,
            ..Limits::default()
        };
        let chance: rand::rngs::StdRng = rand::make_rng();
        let (store, clock) = open(&options.games.database).await?;
        let data = &options.games.database.data;
        let _beside = (options.pieces == 4).then(|| Beside::start(data)).transpose().map_err(|why| why.to_string())?;
        let play = Play::new(chance, store.clone(), clock);
        enter(&play).await?;
        let app = App::new(
            Options {
                public_url: options.public_url,
                contact: options.contact,
                private_hooks: options.notices.private_hooks,
                trusted_proxies: options.trusted_proxies,
                rate: options.rate,
                streams_per_address: options.streams_per_address,
                limits,
            },
            play.clone(),
            tables,
        );
        stop_when_asked(&app.closing);
        let (chores, keep, stop) = (play.clone(), options.games.keep(), app.closing.clone());
        let chores = tokio::spawn(async move { chores.do_chores(keep, &stop).await });
        let endgames = app.endgames.clone();
        tokio::spawn(background(move || match endgames.prepare() {
            Ok(()) => tracing::info!("the endgame tables are ready"),
            Err(cause) => tracing::error!(cause, "there are no endgame tables"),
        }));
        options.metrics.serve(&app).await?;
        tokio::spawn(web::deliver(app.clone()));
        if let Some(guest) = guest {
            let name = guest.name().to_owned();
            let seated = guest.register(&play).await.map_err(|why| format!("the engine {name}: {why}"))?;
            tokio::spawn(seated.play(app.closing.clone()));
        }
        println!("Zorkmid serves http://{address}");
        let stop = app.closing.clone();
        let served = web::serve(listener, web::router(app.clone()), app.connections.clone(), stop).await;
        app.closing.cancel();
        // They end with what the others are to know.
        let _ = chores.await;
        store.close().await;
        served.map_err(|why| format!("the server stopped: {why}"))
    });
    // A bot that is thinking, or a table that is half solved, is not waited for.
    runtime.shutdown_background();
    served
}

async fn listen(address: SocketAddr) -> Result<TcpListener, String> {
    TcpListener::bind(address).await.map_err(|why| format!("cannot listen on {address}: {why}"))
}

fn forfeit(options: &Forfeit) -> Result<(), String> {
    let runtime = tokio::runtime::Runtime::new().map_err(|why| format!("no threads to work with: {why}"))?;
    runtime.block_on(async {
        let store = Store::open_existing(&options.database.url()?).await.map_err(|why| why.to_string())?;
        let chance: rand::rngs::StdRng = rand::make_rng();
        let over = Play::new(chance, store.clone(), now).forfeit(&options.game, options.seat).await;
        store.close().await;
        println!("{}: {}", options.game, over.map_err(|why| why.to_string())?.result);
        Ok(())
    })
}

fn backup(options: &Backup) -> Result<String, String> {
    let database = options.database.url()?;
    let runtime = tokio::runtime::Runtime::new().map_err(|why| format!("no threads to work with: {why}"))?;
    let bytes = runtime.block_on(store::backup(&database, &options.to)).map_err(|why| why.to_string())?;
    Ok(format!("{}: {bytes} bytes", options.to.display()))
}

fn replay(options: &ReplayOf) -> Result<String, String> {
    if std::path::Path::new(&options.record).exists() {
        let text = std::fs::read_to_string(&options.record);
        return Replay::of_text(&text.map_err(|why| format!("cannot read {}: {why}", options.record))?);
    }
    let runtime = tokio::runtime::Runtime::new().map_err(|why| format!("no threads to work with: {why}"))?;
    runtime.block_on(async {
        let store = Store::open_existing(&options.database.url()?).await.map_err(|why| why.to_string())?;
        let kept = store.load(&options.record).await;
        store.close().await;
        let kept = kept.map_err(|why| why.to_string())?;
        Replay::of_kept(kept.ok_or_else(|| format!("there is neither a file nor a game {}", options.record))?)
    })
}

/// Milliseconds since the epoch.
fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}

/// Waits for an interrupt from the terminal or a polite kill.
async fn asked_to_stop() {
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

fn healthcheck(mut address: SocketAddr) -> Result<(), String> {
    // A server that listens everywhere is asked from here.
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
    Err(format!("{address} is not well: {}", String::from_utf8_lossy(line)))
}
