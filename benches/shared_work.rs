//! Work that many readers share: constant pages, one game with many followers, and long games in memory.
//!
//! Times are processor time of the server's process, most of them in multiples of a `/healthz` on the same connection, called H.

use crate::{
    actions::{PLIES, Player},
    load::median,
    pages,
    process::Process,
};
use std::{
    net::SocketAddr,
    path::Path,
    time::{Duration, Instant},
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    sync::mpsc,
    task::JoinSet,
    time::sleep,
};
use zorkmid::store::Store;

/// Requests of each kind in a round.
const REQUESTS: u32 = 1_000;
const ROUNDS: usize = 3;
/// Pages and answers that are the same for all viewers.
const CONSTANT: [&str; 7] =
    ["/docs", "/about", "/rules/chess", "/rules/csipgs", "/endgames", "/api/variants", "/api/openapi.json"];
const ENCODINGS: [&str; 3] = ["identity", "gzip", "br"];
/// Number of followers for the processor time of a move, and for the time until the last one has its event.
const FOLLOWERS: [usize; 2] = [500, 5_000];
/// Long games that are read one after the other, and their number of steps.
const LONG_GAMES: usize = 3_200;
const LONG: usize = 200;

pub(crate) fn run() {
    rlimit::increase_nofile_limit(u64::MAX).expect("open files");
    tokio::runtime::Runtime::new().expect("threads").block_on(measure());
}

async fn measure() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    let process = Process::on(None, &folder.path().join("pages"));
    process.ready().await;
    // Lets the endgame tables be computed.
    sleep(Duration::from_secs(10)).await;
    constant(&process).await;
    for count in FOLLOWERS {
        followed(&process, count).await;
    }
    drop(process);
    for key in ["bidding", "clairvoyant"] {
        remembered(&folder.path().join(key), key).await;
    }
}

/// Measures each constant page with each encoding.
async fn constant(process: &Process) {
    let asked: Vec<(&str, &str)> =
        CONSTANT.iter().flat_map(|path| ENCODINGS.map(|encoding| (*path, encoding))).collect();
    let mut health = Vec::new();
    let mut ratios = vec![Vec::new(); asked.len()];
    for _ in 0..ROUNDS {
        let unit = cost(process, "/healthz", "identity").await;
        health.push(unit * 1e3);
        for (ratios, (path, encoding)) in ratios.iter_mut().zip(&asked) {
            ratios.push(cost(process, path, encoding).await / unit);
        }
    }
    println!("/healthz                              {:>7.3} ms, 1 H", median(&mut health));
    for (ratios, (path, encoding)) in ratios.iter_mut().zip(asked) {
        println!("{path:<22} {encoding:<12}   {:>7.1} H    limit: 2", median(ratios));
    }
}

/// Processor seconds of a request on an open connection.
async fn cost(process: &Process, path: &str, encoding: &str) -> f64 {
    let client = reqwest::Client::new();
    let ask = async || {
        let answer = client.get(format!("{}{path}", process.address)).header("accept-encoding", encoding);
        let answer = answer.send().await.expect("an answer");
        assert_eq!(answer.status(), 200, "{path}");
        answer.bytes().await.expect("a body");
    };
    ask().await;
    let before = process.spent();
    for _ in 0..REQUESTS {
        ask().await;
    }
    (process.spent() - before).as_secs_f64() / f64::from(REQUESTS)
}

/// Measures arrivals at a game page, moves, and the time until each follower has a move's event.
async fn followed(process: &Process, count: usize) {
    let player = Player::new(process.socket());
    let (id, tokens) = player.begin().await;
    let (tell, mut told) = mpsc::unbounded_channel();
    let mut streams = JoinSet::new();
    let before = process.spent();
    for _ in 0..count {
        streams.spawn(follow(process.socket(), id.clone(), tell.clone()));
    }
    for _ in 0..count {
        told.recv().await;
    }
    // Lets the events about the audience end.
    sleep(Duration::from_secs(3)).await;
    let arrival = (process.spent() - before).as_secs_f64() * 1e3 / count as f64;
    let (mut moves, mut times) = (Vec::new(), Vec::new());
    for ply in 0..PLIES {
        let (before, start) = (process.spent(), Instant::now());
        player.play(&id, &tokens, ply).await;
        for _ in 0..count {
            times.push((told.recv().await.expect("an event") - start).as_secs_f64() * 1e3);
        }
        sleep(Duration::from_millis(300)).await;
        moves.push((process.spent() - before).as_secs_f64() * 1e3);
    }
    times.sort_by(f64::total_cmp);
    let before = process.spent();
    streams.shutdown().await;
    sleep(Duration::from_secs(3)).await;
    let departure = (process.spent() - before).as_secs_f64() * 1e3 / count as f64;
    println!("{count} followers: {:.1} ms of processor time a move, limit 40 for 500", median(&mut moves));
    println!("{count} followers: {arrival:.2} ms an arrival, {departure:.2} ms a departure, limit 1");
    println!("{count} followers: p99 of a move's event {:.0} ms, limit 250", times[(times.len() - 1) * 99 / 100]);
}

/// Follows a game page and reports the time of each event with a new position.
async fn follow(site: SocketAddr, id: String, tell: mpsc::UnboundedSender<Instant>) {
    let mut socket = TcpStream::connect(site).await.expect("a connection");
    let head = format!("GET /games/{id}/events HTTP/1.1\r\nHost: {site}\r\nAccept: text/event-stream\r\n\r\n");
    socket.write_all(head.as_bytes()).await.expect("a request");
    let mut room = vec![0; 1 << 16];
    while let Ok(count @ 1..) = socket.read(&mut room).await {
        // Each event begins its own chunk. Events about the audience have no position.
        let text = &room[..count];
        let begins = |name: &[u8]| text.windows(name.len()).filter(|part| *part == name).count();
        for _ in 0..begins(b"event: game\n") + begins(b"event: change\n") {
            let _ = tell.send(Instant::now());
        }
    }
}

/// Measures the memory of a server after it has shown long games one after the other.
async fn remembered(folder: &Path, key: &str) {
    std::fs::create_dir_all(folder).expect("a folder");
    let store = Store::open(&folder.join("zorkmid.sqlite").display().to_string()).await.expect("a store");
    let lines = pages::long(key, LONG);
    let ids: Vec<String> = (0..LONG_GAMES).map(|number| format!("{key}{number}")).collect();
    for id in &ids {
        store.create(pages::game(key, id, &lines)).await.expect("a new game");
    }
    drop(store);
    let process = Process::on(None, folder);
    process.ready().await;
    sleep(Duration::from_secs(10)).await;
    let (client, before) = (reqwest::Client::new(), process.memory());
    for id in &ids {
        let page = client.get(format!("{}/games/{id}", process.address)).send().await.expect("an answer");
        assert_eq!(page.status(), 200);
        page.bytes().await.expect("a body");
    }
    let [before, after] = [before, process.memory()].map(|kib| kib / 1024);
    println!("{LONG_GAMES} {key} games of {LONG} steps: memory from {before} to {after} MB, limit 200");
}
