//! One address sends the most expensive requests on eight connections, while others begin games and play.

use super::{
    PATIENCE,
    expensive::{Flood, expensive},
    program::Server,
};
use serde_json::{Value, json};
use std::{
    process::Command,
    time::{Duration, Instant},
};

/// Duration of each kind of request.
const EACH: Duration = Duration::from_secs(2);
/// Allowed growth of resident memory in KiB.
const GROWTH: u64 = 200 << 10;

/// Begins a game and plays two moves, as other players do. Every request must be answered.
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

#[test]
fn others_can_play_during_a_flood_of_expensive_requests() {
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
            let flood = Flood::of(&server.address, kind);
            let begun = Instant::now();
            let mut slowest = Duration::ZERO;
            while begun.elapsed() < EACH {
                slowest = slowest.max(play(&others, &server.address).await);
            }
            flood.stop().await;
            // `cargo bench -- costly` measures ratios. On a busy machine, only a standstill is a failure.
            assert!(slowest < Duration::from_secs(5), "{}: a game took {slowest:?}", asked.kind);
        }
        let grown = server.memory().saturating_sub(before);
        assert!(grown < GROWTH, "memory grew by {grown} KiB");
    });
}
