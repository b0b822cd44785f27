//! Latency and throughput of moves over HTTP, from the request to its acknowledgement and to the opponent's event.
//!
//! First, acknowledged moves per second of 64 players, each in a pass-and-play game. The control is a bare loop of one insert per commit on
//! the same disk with the same pragmas, interleaved; medians of the rounds. Then, on the idle server, the time from sending a move to
//! its event, for one listener and for five thousand.

use crate::{
    bare::{bare, one_by_one},
    site,
};

use rand::{SeedableRng, rngs::StdRng};
use serde_json::{Value, json};
use std::{
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    sync::mpsc,
    task::JoinSet,
};
use zorkmid::{
    play::Play,
    store::Store,
    web::{self, App, Options},
};

const ROUNDS: usize = 5;
pub(crate) const PLAYERS: usize = 64;
const ROUND: Duration = Duration::from_secs(3);
/// Moves that return to the start position. Each game stops before it is drawn by repetition.
const MOVES: [&str; 4] = ["g1f3", "g8f6", "f3g1", "f6g8"];
pub(crate) const PLIES: usize = 15;
/// Number of timed events, for one listener and for many.
const SENT: usize = 300;
const LISTENERS: usize = 5_000;

pub(crate) fn run() {
    rlimit::increase_nofile_limit(u64::MAX).expect("open files");
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    runtime.block_on(measure());
}

async fn measure() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    let place = |name: &str| folder.path().join(name).display().to_string();
    let mut bare = bare(&place("control.db")).await;
    let store = Store::open(&place("games.db")).await.expect("a store");
    let options = Options { rate: 0, cpu: 0, ..site::options() };
    let clock = Instant::now();
    let play = Play::new(StdRng::seed_from_u64(1), store, move || clock.elapsed().as_millis() as i64);
    let app = App::new(options, play, Arc::default());
    let site = site::serve(&app, web::router(app.clone())).await;

    let mut rates: [Vec<f64>; 2] = Default::default();
    for _ in 0..ROUNDS {
        rates[0].push(one_by_one(&mut bare, ROUND).await);
        rates[1].push(players(&[site]).await);
    }
    let [control, ours] = rates.map(|mut rates| {
        rates.sort_by(f64::total_cmp);
        rates[rates.len() / 2]
    });
    println!("one insert per commit            {control:>8.0} /s   1.00");
    println!("moves acknowledged over HTTP     {ours:>8.0} /s   {:.2}   target: 2", ours / control);
    for (listeners, sent) in [(1, SENT), (LISTENERS, 20)] {
        let times = events(site, listeners, sent).await;
        let at = |share: usize| times[(times.len() - 1) * share / 100].as_secs_f64() * 1e3;
        println!("move to event, {listeners:>5} listeners     p50 {:>7.2} ms   p99 {:>7.2} ms", at(50), at(99));
    }
}

/// A player who moves through the API.
pub(crate) struct Player {
    client: reqwest::Client,
    base: String,
}

impl Player {
    pub(crate) fn new(site: SocketAddr) -> Player {
        Player { client: reqwest::Client::new(), base: format!("http://{site}/api/games") }
    }

    async fn post(&self, path: &str, token: &str, body: Value) -> Value {
        let request = self.client.post(format!("{}{path}", self.base)).bearer_auth(token).json(&body);
        let answer = request.send().await.expect("an answer");
        assert!(answer.status().is_success(), "{}", answer.status());
        answer.json().await.expect("JSON")
    }

    /// Begins a pass-and-play game. Returns its id and both tokens.
    pub(crate) async fn begin(&self) -> (String, [String; 2]) {
        let made = self.client.post(&self.base).json(&json!({"variant": "chess", "opponent": "self"}));
        let made: Value = made.send().await.expect("an answer").json().await.expect("JSON");
        let text = |value: &Value| value.as_str().expect("a text").to_owned();
        (text(&made["id"]), [0, 1].map(|seat| text(&made["seats"][seat]["token"])))
    }

    pub(crate) async fn play(&self, id: &str, tokens: &[String; 2], ply: usize) {
        let body = json!({"ply": ply, "action": MOVES[ply % MOVES.len()]});
        self.post(&format!("/{id}/actions"), &tokens[ply % 2], body).await;
    }
}

/// Moves acknowledged per second, with the players spread over the sites.
pub(crate) async fn players(sites: &[SocketAddr]) -> f64 {
    let (done, stop) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicBool::new(false)));
    let mut players = JoinSet::new();
    for site in sites.iter().copied().cycle().take(PLAYERS) {
        let (done, stop) = (done.clone(), stop.clone());
        players.spawn(async move {
            let player = Player::new(site);
            while !stop.load(Ordering::Relaxed) {
                let (id, tokens) = player.begin().await;
                for ply in 0..PLIES {
                    player.play(&id, &tokens, ply).await;
                    done.fetch_add(1, Ordering::Relaxed);
                }
            }
        });
    }
    let (start, before) = (Instant::now(), done.load(Ordering::Relaxed));
    tokio::time::sleep(ROUND).await;
    let rate = (done.load(Ordering::Relaxed) - before) as f64 / start.elapsed().as_secs_f64();
    stop.store(true, Ordering::Relaxed);
    players.join_all().await;
    rate
}

/// Sorted times from sending a move until each listener has read its event.
async fn events(site: SocketAddr, listeners: usize, sent: usize) -> Vec<Duration> {
    let player = Player::new(site);
    let mut times = Vec::with_capacity(listeners * sent);
    let (mut id, mut tokens) = player.begin().await;
    let (tell, mut told) = mpsc::unbounded_channel();
    let mut streams = JoinSet::new();
    for number in 0..sent {
        let ply = number % PLIES;
        if ply == 0 {
            if number > 0 {
                (id, tokens) = player.begin().await;
            }
            streams.abort_all();
            while streams.join_next().await.is_some() {}
            while told.try_recv().is_ok() {}
            for _ in 0..listeners {
                streams.spawn(listen(site, id.clone(), tell.clone()));
            }
            // Each listener reports once that it has read the game's state.
            for _ in 0..listeners {
                told.recv().await;
            }
        }
        tokio::time::sleep(Duration::from_millis(if listeners > 1 { 200 } else { 5 })).await;
        let start = Instant::now();
        player.play(&id, &tokens, ply).await;
        for _ in 0..listeners {
            let read: Instant = told.recv().await.expect("an event");
            times.push(read - start);
        }
    }
    times.sort();
    times
}

/// Reads a game's events and reports when each one is complete.
async fn listen(site: SocketAddr, id: String, tell: mpsc::UnboundedSender<Instant>) {
    let mut socket = TcpStream::connect(site).await.expect("a connection");
    let head = format!("GET /api/games/{id}/events HTTP/1.1\r\nHost: {site}\r\nAccept: application/x-ndjson\r\n\r\n");
    socket.write_all(head.as_bytes()).await.expect("a request");
    let mut room = vec![0; 1 << 16];
    let mut open = false;
    while let Ok(count @ 1..) = socket.read(&mut room).await {
        let text = &room[..count];
        // An event's line ends its chunk. The first event may arrive with the response header.
        let ends = text.windows(3).filter(|ends| ends == b"\n\r\n").count();
        let lines = if open || !text.starts_with(b"HTTP/1.1 200") { ends } else { ends.saturating_sub(1) };
        open = true;
        for _ in 0..lines {
            let _ = tell.send(Instant::now());
        }
    }
}
