//! One address that sends the most expensive requests it can, on eight connections, while others begin games and play.

use super::{
    PATIENCE,
    expensive::{Expensive, expensive},
    program::Server,
};
use serde_json::{Value, json};
use std::{
    process::Command,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

/// The time for which one kind of request is sent.
const EACH: Duration = Duration::from_secs(2);
const CONNECTIONS: usize = 8;
/// The growth of resident memory that is allowed, in KiB.
const GROWTH: u64 = 200 << 10;

/// Begins a game and plays two moves, as other people do. Everything must be answered.
async fn play(client: &reqwest::Client, address: &str) -> Duration {
    let begun = Instant::now();
    let post = |path: String, body: Value, token: Option<String>| {
        let request = client.post(format!("{address}{path}")).header("x-forwarded-for", "203.0.113.7").json(&body);
        match token {
            Some(token) => request.bearer_auth(token),
            None => request,
        }
    };
    let game = post("/api/games".to_owned(), json!({"variant": "chess", "opponent": "self"}), None).send();
    let game = game.await.expect("a game").error_for_status().expect("a game");
    let game: Value = game.json().await.expect("a game");
    for (ply, action) in ["e2e4", "e7e5"].into_iter().enumerate() {
        let path = format!("/api/games/{}/actions", game["id"].as_str().expect("an id"));
        let token = game["seats"][ply]["token"].as_str().expect("a token").to_owned();
        let acted = post(path, json!({"ply": ply, "action": action}), Some(token)).send().await.expect("a move");
        assert_eq!(acted.status(), 200, "{}", acted.text().await.unwrap_or_default());
    }
    begun.elapsed()
}

/// Sends a kind of request again and again until told to stop.
async fn flood(address: String, kind: usize, number: Arc<AtomicUsize>, stop: Arc<AtomicBool>) {
    let client = reqwest::Client::new();
    while !stop.load(Ordering::Relaxed) {
        let Expensive { path, body, .. } = expensive(number.fetch_add(1, Ordering::Relaxed)).swap_remove(kind);
        let url = format!("{address}{path}");
        let request = match body {
            Some((kind, body)) => client.post(url).header("content-type", kind).body(body),
            None => client.get(url),
        };
        let answer = request.header("x-forwarded-for", "198.51.100.9").send().await;
        if let Ok(answer) = answer {
            let refused = answer.status() == 429;
            let _ = answer.bytes().await;
            // A client that keeps asking after a refusal costs a thousand small answers a second; that is measured elsewhere.
            if refused {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
    }
}

#[test]
fn others_play_on_while_one_address_sends_the_most_expensive_requests() {
    let folder = tempfile::tempdir().unwrap();
    let mut program = Command::new(env!("CARGO_BIN_EXE_zorkmid"));
    program.args(["--trusted-proxies", "127.0.0.1", "--cpu-per-address", "200"]);
    let server = Server::started(program, folder.path(), "127.0.0.1:0");
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let others = reqwest::Client::builder().timeout(PATIENCE).build().unwrap();
    runtime.block_on(async {
        let ready = format!("{}/readyz", server.address);
        super::until("the server is ready", async || {
            others.get(&ready).send().await.is_ok_and(|answer| answer.status() == 200)
        })
        .await;
        play(&others, &server.address).await;
        let before = server.memory();
        for (kind, asked) in expensive(0).into_iter().enumerate() {
            let (number, stop) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
            let flooding: Vec<_> = (0..CONNECTIONS)
                .map(|_| tokio::spawn(flood(server.address.clone(), kind, number.clone(), stop.clone())))
                .collect();
            let begun = Instant::now();
            let mut slowest = Duration::ZERO;
            while begun.elapsed() < EACH {
                slowest = slowest.max(play(&others, &server.address).await);
            }
            stop.store(true, Ordering::Relaxed);
            flooding.into_iter().for_each(|one| one.abort());
            // Ratios are measured by `cargo bench -- costly`; on a busy machine only a standstill is a fault.
            assert!(slowest < Duration::from_secs(5), "{}: a game took {slowest:?}", asked.kind);
        }
        let grown = server.memory().saturating_sub(before);
        assert!(grown < GROWTH, "{grown} KiB more are in use");
    });
}
