//! Startup time, memory when ready, and memory of an idle event stream. Then response times during two thousand requests whose header never
//! ends, and during two hundred games against bots.

use crate::{
    actions::Player,
    load::{median, times},
    process::Process,
};
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    task::JoinSet,
    time::sleep,
};
use zorkmid::bots::Bot;

const ROUNDS: usize = 5;
const STREAMS: usize = 5_000;
const GAMES: usize = 200;
const SLOW: usize = 2_000;
/// Thinking time of a player against a bot.
const THOUGHT: Duration = Duration::from_secs(2);

pub(crate) fn run() {
    rlimit::increase_nofile_limit(u64::MAX).expect("open files");
    tokio::runtime::Runtime::new().expect("threads").block_on(measure());
}

async fn measure() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    let (mut ready, mut memory) = (Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        let start = Instant::now();
        let process = Process::on(None, &folder.path().join(round.to_string()));
        process.ready().await;
        ready.push(start.elapsed().as_secs_f64());
        // Lets one-time work after startup finish.
        sleep(Duration::from_secs(5)).await;
        memory.push(process.memory() as f64 / 1024.0);
    }
    println!("startup until ready                   {:>8.2} s    limit: 1 s", median(&mut ready));
    println!("memory when ready                     {:>8.1} MB   limit: 64 MB", median(&mut memory));
    let process = Process::on(None, &folder.path().join("streams"));
    process.ready().await;
    sleep(Duration::from_secs(5)).await;
    let (id, _) = Player::new(process.socket()).begin().await;
    let before = process.memory();
    let mut held = Vec::new();
    for _ in 0..STREAMS {
        held.push(listen(&process, &id).await);
    }
    let stream = (process.memory() - before) as f64 / STREAMS as f64;
    println!("memory of an idle event stream        {stream:>8.1} KB   limit: 20 KB");
    drop(held);
    besieged(&process).await;
    let page = format!("{}/", process.address);
    let mut ratios = Vec::new();
    for _ in 0..ROUNDS {
        let idle = times(&page).await;
        let mut games = JoinSet::new();
        for number in 0..GAMES {
            games.spawn(play(process.address.clone(), number));
        }
        // Waits until all players have moved.
        sleep(2 * THOUGHT).await;
        let beside = times(&page).await;
        games.shutdown().await;
        // Lets the bots finish thinking.
        sleep(THOUGHT).await;
        println!(
            "front page, idle and during {GAMES} games: p50 {:.2} and {:.2} ms, p99 {:.2} and {:.2} ms",
            idle[0], beside[0], idle[1], beside[1]
        );
        ratios.push(beside[1] / idle[1]);
    }
    println!("p99 of the front page during {GAMES} games {:>6.2} times  limit: 2", median(&mut ratios));
}

/// Sends request headers one letter per second and never ends them, until the server has closed all connections. Times `/healthz` meanwhile.
async fn besieged(process: &Process) {
    let health = format!("{}/healthz", process.address);
    let mut ratios = Vec::new();
    let mut longest = Duration::ZERO;
    for _ in 0..ROUNDS {
        let idle = times(&health).await;
        let mut held = JoinSet::new();
        for _ in 0..SLOW {
            let mut socket = TcpStream::connect(process.socket()).await.expect("a connection");
            socket.write_all(b"GET / HTTP/1.1\r\nHost: localhost\r\nX: ").await.expect("room");
            let start = Instant::now();
            held.spawn(async move {
                let mut read = [0; 1024];
                loop {
                    tokio::select! {
                        count = socket.read(&mut read) => if !count.is_ok_and(|count| count > 0) { break start.elapsed() },
                        () = sleep(Duration::from_secs(1)) => drop(socket.write_all(b"x").await),
                    }
                }
            });
        }
        let beside = times(&health).await;
        ratios.push(beside[1] / idle[1]);
        longest = held.join_all().await.into_iter().fold(longest, Duration::max);
    }
    let ratio = median(&mut ratios);
    println!("p99 of /healthz during {SLOW} slow headers {ratio:>5.2} times  limit: 2");
    println!("longest time until one was closed     {:>8.2} s    limit: 10 s", longest.as_secs_f64());
}

/// Opens an event stream and reads its first event.
async fn listen(process: &Process, id: &str) -> TcpStream {
    let mut socket = TcpStream::connect(process.socket()).await.expect("a connection");
    let head =
        format!("GET /api/games/{id}/events HTTP/1.1\r\nHost: localhost\r\nAccept: application/x-ndjson\r\n\r\n");
    socket.write_all(head.as_bytes()).await.expect("a request");
    let mut read = Vec::new();
    while !read.ends_with(b"\n\r\n") || read.iter().filter(|byte| **byte == b'{').count() == 0 {
        assert!(socket.read_buf(&mut read).await.expect("an event") > 0);
    }
    socket
}

/// Plays games of chess against bots, with the first listed move each time. The player's number selects the bot's level and delays the first
/// move, because real players do not all move at once.
async fn play(site: String, number: usize) {
    let client = reqwest::Client::new();
    let opponent = format!("bot:{}", Bot::LEVELS[number % Bot::LEVELS.len()].name());
    sleep(THOUGHT * number as u32 / GAMES as u32).await;
    loop {
        let game = json!({"variant": "chess", "opponent": opponent, "seat": "one"});
        let begun = client.post(format!("{site}/api/games")).json(&game).send().await.expect("an answer");
        let begun: Value = begun.json().await.expect("JSON");
        let token = begun["seats"][0]["token"].as_str().expect("a token");
        let path = format!("{site}/api/games/{}", begun["id"].as_str().expect("an id"));
        loop {
            let seen = client.get(&path).bearer_auth(token).send().await.expect("an answer");
            let seen: Value = seen.json().await.expect("JSON");
            if !seen["outcome"].is_null() {
                break;
            }
            if let Some(action) = seen["actions"].as_array().and_then(|actions| actions.first()) {
                let said = json!({"ply": seen["ply"], "action": action});
                client.post(format!("{path}/actions")).bearer_auth(token).json(&said).send().await.expect("an answer");
            }
            sleep(THOUGHT).await;
        }
    }
}
