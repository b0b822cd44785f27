//! Latency for other players while one address sends expensive requests. For each kind of request, one address sends it on eight connections
//! for a time (60 seconds, or the number after the name), while three others begin games and move. The table compares their 99th percentile
//! with the idle server just before, and lists resident memory and the number of 5xx answers.
//!
//! `cargo bench -- costly 5` measures each kind for five seconds.

use crate::{
    expensive::{Expensive, Flood, expensive},
    process::Process,
};
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use tokio::{task::JoinSet, time};

const PLAYERS: u8 = 3;
/// Time between two requests of a player.
const PAUSE: Duration = Duration::from_millis(20);

pub(crate) fn run(words: &[String]) {
    let seconds = words.first().and_then(|word| word.parse().ok()).unwrap_or(60);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    let server = Process::public(folder.path());
    runtime.block_on(measure(&server, Duration::from_secs(seconds)));
}

async fn measure(server: &Process, each: Duration) {
    server.ready().await;
    let (first, _) = players(&server.address, Duration::from_secs(2)).await;
    let begun = server.memory();
    println!("p99 of other players on an idle server {:.1} ms, {} MiB", p99(first), begun >> 10);
    println!(
        "{:<22}{:>10}{:>10}{:>8}{:>8}{:>10}{:>10}",
        "request", "idle p99", "loaded", "ratio", "5xx", "answered", "memory"
    );
    for (kind, Expensive { kind: name, .. }) in expensive(0).into_iter().enumerate() {
        let (idle, _) = players(&server.address, Duration::from_secs(3)).await;
        let flood = Flood::of(&server.address, kind);
        let (loaded, failed) = players(&server.address, each).await;
        let answered = flood.stop().await;
        let (idle, loaded) = (p99(idle), p99(loaded));
        println!(
            "{name:<22}{idle:>7.1} ms{loaded:>7.1} ms{:>8.2}{failed:>8}{answered:>10}{:>6} MiB",
            loaded / idle,
            server.memory() >> 10,
        );
    }
    println!(
        "resident memory grew by {} MiB   limit: 200; limit of the ratio: 3",
        server.memory().saturating_sub(begun) >> 10
    );
}

fn p99(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len().saturating_sub(1) * 99 / 100).copied().unwrap_or_default()
}

/// Times of all requests of the players in milliseconds, and the number of server errors.
async fn players(address: &str, length: Duration) -> (Vec<f64>, usize) {
    let mut playing = JoinSet::new();
    for player in 0..PLAYERS {
        let address = address.to_owned();
        playing.spawn(async move {
            let (client, begun) = (reqwest::Client::new(), Instant::now());
            let (mut times, mut failed) = (Vec::new(), 0);
            let mut post = async |path: String, body: Value, token: &str| {
                time::sleep(PAUSE).await;
                let asked = Instant::now();
                let request = client.post(format!("{address}{path}")).json(&body).bearer_auth(token);
                let request = request.header("x-forwarded-for", format!("203.0.113.{player}"));
                let answer = request.send().await.expect("an answer");
                failed += usize::from(answer.status().is_server_error());
                let body: Value = answer.json().await.unwrap_or_default();
                times.push(asked.elapsed().as_secs_f64() * 1e3);
                body
            };
            while begun.elapsed() < length {
                let game = post("/api/games".to_owned(), json!({"variant": "chess", "opponent": "self"}), "none").await;
                let Some(id) = game["id"].as_str() else { continue };
                for (ply, action) in ["e2e4", "e7e5", "g1f3", "b8c6"].into_iter().enumerate() {
                    let token = game["seats"][ply % 2]["token"].as_str().unwrap_or_default();
                    let path = format!("/api/games/{id}/actions");
                    post(path, json!({"ply": ply, "action": action}), token).await;
                }
            }
            (times, failed)
        });
    }
    let (mut all, mut failures) = (Vec::new(), 0);
    while let Some(done) = playing.join_next().await {
        let (times, failed) = done.expect("a player");
        all.extend(times);
        failures += failed;
    }
    (all, failures)
}
