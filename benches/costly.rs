//! Whoever asks for what takes long must not slow down whoever asks for little: the time of `/healthz`, asked a hundred times a second, on an
//! idle server and beside eight clients of eight addresses that draw pictures and begin games of Clairvoyant Chess without end. The two are
//! interleaved; the ratio of their 99th percentiles is the median of the rounds.

use crate::{load::median, site};
use rand::{RngExt, SeedableRng, rngs::StdRng};
use serde_json::json;
use std::{
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};
use tokio::{task::JoinSet, time};
use zorkmid::{
    play::Play,
    store::Store,
    web::{self, App, Options},
};

const ROUNDS: usize = 5;
const ROUND: Duration = Duration::from_secs(4);
const CLIENTS: u8 = 8;
/// The time between two questions after the server's health.
const PAUSE: Duration = Duration::from_millis(10);

pub(crate) fn run() {
    let runtime = || tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    // The server's threads are its own, as they would be on another machine.
    let server = runtime();
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    let file = folder.path().join("games.db").display().to_string();
    let address = server.block_on(async {
        let store = Store::open(&file).await.expect("a store");
        let clock = Instant::now();
        let play = Play::new(StdRng::seed_from_u64(1), store, move || clock.elapsed().as_millis() as i64);
        // The clients are told apart by what a proxy says of them.
        let trusted_proxies = vec![web::client::network("127.0.0.1").expect("an address")];
        let app = App::new(Options { trusted_proxies, ..site::options() }, play, Arc::default());
        site::serve(&app, web::router(app.clone())).await
    });
    runtime().block_on(measure(address));
}

async fn measure(address: SocketAddr) {
    let mut ratios = Vec::new();
    let health = format!("http://{address}/healthz");
    println!(
        "{:>6} {:>12} {:>12} {:>12} {:>12} {:>10} {:>8}",
        "round", "idle p50", "idle p99", "beside p50", "beside p99", "answered", "ratio"
    );
    for round in 1..=ROUNDS {
        let idle = times(&health).await;
        let answered = Arc::new(AtomicU64::new(0));
        let mut clients = JoinSet::new();
        for client in 0..CLIENTS {
            clients.spawn(costly(address, client, answered.clone()));
        }
        time::sleep(Duration::from_millis(500)).await;
        let beside = times(&health).await;
        clients.abort_all();
        while clients.join_next().await.is_some() {}
        time::sleep(Duration::from_secs(2)).await;
        let ratio = beside[1] / idle[1];
        ratios.push(ratio);
        let answered = answered.load(Ordering::Relaxed);
        println!(
            "{round:>6} {:>9.2} ms {:>9.2} ms {:>9.2} ms {:>9.2} ms {answered:>10} {ratio:>8.2}",
            idle[0], idle[1], beside[0], beside[1]
        );
    }
    println!(
        "p99 of /healthz beside {CLIENTS} costly clients   {:.2} times that of an idle server   2 is allowed",
        median(&mut ratios)
    );
}

/// The median and the 99th percentile of the answers of a round, in milliseconds.
pub(crate) async fn times(url: &str) -> [f64; 2] {
    let client = reqwest::Client::new();
    let (begin, mut times) = (Instant::now(), Vec::new());
    let mut tick = time::interval(PAUSE);
    while begin.elapsed() < ROUND {
        tick.tick().await;
        let asked = Instant::now();
        let answer = client.get(url).send().await.expect("an answer");
        assert_eq!(answer.status(), 200);
        times.push(asked.elapsed().as_secs_f64() * 1e3);
    }
    times.sort_by(f64::total_cmp);
    [50, 99].map(|share| times[(times.len() - 1) * share / 100])
}

/// A client that asks for one costly thing after the other, four at a time.
async fn costly(address: SocketAddr, number: u8, answered: Arc<AtomicU64>) {
    let client = reqwest::Client::new();
    let from = format!("198.51.100.{number}");
    let one = |seed: u64| {
        let (client, from, answered) = (client.clone(), from.clone(), answered.clone());
        async move {
            let mut rng = StdRng::seed_from_u64(seed);
            loop {
                let rank: String = (0..8).map(|_| ['Q', 'r', 'N', 'b'][rng.random_range(0..4)]).collect();
                let picture = format!("http://{address}/diagram.png?fen={rank}/{rank}/8/{rank}/8/8/8/8");
                let drawn = client.get(picture).header("x-forwarded-for", &from).send().await;
                let game = json!({"variant": "clairvoyant", "opponent": "self",
                    "options": {"fen": "k7/8/1Q6/8/8/8/8/K6R b - - 0 1", "money_one": 500, "money_two": 500}});
                let begun = client.post(format!("http://{address}/api/games")).header("x-forwarded-for", &from);
                let begun = begun.json(&game).send().await;
                answered.fetch_add(u64::from(drawn.is_ok()) + u64::from(begun.is_ok()), Ordering::Relaxed);
            }
        }
    };
    let asking = (0..4).map(|lane| one(u64::from(number) * 4 + lane));
    futures_util::future::join_all(asking).await;
}
