//! An external engine: listed under its name, strong in its variants, and replaced when it fails.

use super::{played::bot, program::Server, *};
use reqwest::Client;
use serde_json::{Value, json};
use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
};
use zorkmid::registry::VARIANTS;

/// Path of Fairy-Stockfish, as `tests/run` installs it.
fn fairy_stockfish() -> &'static str {
    let places = ["/usr/games/fairy-stockfish", "/usr/bin/fairy-stockfish"];
    places.into_iter().find(|place| Path::new(place).exists()).expect("tests/run installs Fairy-Stockfish")
}

/// A server with an engine.
fn with(engine: &str, data: &Path) -> Server {
    let mut program = Command::new(env!("CARGO_BIN_EXE_zorkmid"));
    program.args(["serve", "--uci", engine, "--uci-time", "20"]);
    Server::started(program, data, "127.0.0.1:0")
}

async fn fetch(address: &str) -> Value {
    reqwest::get(address).await.unwrap().error_for_status().unwrap().json().await.unwrap()
}

/// A shell script that starts the UCI handshake with a name, and answers each command with a line of shell.
fn broken(folder: &Path, answers: &str) -> PathBuf {
    let path = folder.join("engine");
    let script = format!(
        "#!/bin/sh\nwhile read -r word rest; do case $word in\nuci) echo 'id name Broken 1'; echo uciok;;\nisready) echo readyok;;\n\
         go) {answers};;\nesac; done\n"
    );
    fs::write(&path, script).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}

#[tokio::test]
async fn engine_plays_its_variants_under_its_name() {
    let data = tempfile::tempdir().unwrap();
    let server = with(fairy_stockfish(), data.path());
    let bots = fetch(&format!("{}/api/bots", server.address)).await;
    let engine = &bots["bots"][0];
    assert_eq!(engine["opponent"], "program:Fairy-Stockfish", "{bots}");
    let knows = |key: &str| engine["variants"].as_array().unwrap().contains(&json!(key));
    assert!(knows("chess") && knows("three-check") && knows("king-of-the-hill") && !knows("lrs"), "{bots}");
    for variant in VARIANTS {
        let page = reqwest::get(format!("{}/new/{}", server.address, variant.key)).await.unwrap().text().await.unwrap();
        assert_eq!(page.contains("Fairy-Stockfish"), knows(variant.key), "{}", variant.key);
        if knows(variant.key) {
            let outcome = bot::play(&server.address, variant.key, "program:Fairy-Stockfish").await.unwrap();
            assert_eq!(outcome["winner"], "two", "{}: {outcome}", variant.key);
        }
    }
    // It keeps its name across a restart of the server.
    drop(server);
    let server = with(fairy_stockfish(), data.path());
    let outcome = bot::play(&server.address, "chess", "program:Fairy-Stockfish").await.unwrap();
    assert_eq!(outcome["winner"], "two");
}

#[tokio::test]
async fn engine_castles_in_its_own_notation_and_plays_rematches() {
    let data = tempfile::tempdir().unwrap();
    let engine = broken(data.path(), "echo 'bestmove e1h1 ponder e8e7'");
    let server = with(engine.to_str().unwrap(), data.path());
    let client = Client::new();
    let options = json!({"fen": "4k3/8/8/8/8/8/8/4K2R w K - 0 1"});
    let game = json!({"variant": "chess", "opponent": "program:Broken", "seat": "two", "options": options});
    let begun = client.post(format!("{}/api/games", server.address)).json(&game).send().await.unwrap();
    let begun: Value = begun.error_for_status().unwrap().json().await.unwrap();
    let address = format!("{}/api/games/{}", server.address, begun["id"].as_str().unwrap());
    until("the engine moves", async || fetch(&address).await["ply"] == 1).await;
    assert_eq!(fetch(&address).await["view"]["diagram"]["sheet"][0]["text"], "O-O");
    let token = begun["seats"][0]["token"].as_str().unwrap();
    let resigns = json!({"ply": 1, "action": "resign"});
    let said = client.post(format!("{address}/actions")).bearer_auth(token).json(&resigns).send().await.unwrap();
    assert_eq!(said.status(), 200);
    until("the engine plays again", async || fetch(&address).await["offers"]["rematch"] == json!([true, false])).await;
}

#[tokio::test]
async fn failing_engine_stops_no_game() {
    for answers in ["exit 1", "echo 'bestmove a1a1'", "echo 'bestmove'", "sleep 60"] {
        let data = tempfile::tempdir().unwrap();
        let engine = broken(data.path(), answers);
        let server = with(engine.to_str().unwrap(), data.path());
        let game = json!({"variant": "chess", "opponent": "program:Broken", "seat": "two"});
        let begun = Client::new().post(format!("{}/api/games", server.address)).json(&game).send().await.unwrap();
        let begun: Value = begun.error_for_status().unwrap().json().await.unwrap();
        let address = format!("{}/api/games/{}", server.address, begun["id"].as_str().unwrap());
        until(&format!("a bot moves instead of {answers}"), async || fetch(&address).await["ply"] == 1).await;
    }
}

#[test]
fn invalid_engine_is_reported_at_startup() {
    let data = tempfile::tempdir().unwrap();
    let started = |engine: &str| {
        let mut program = Command::new(env!("CARGO_BIN_EXE_zorkmid"));
        program.args(["serve", "--listen", "127.0.0.1:0", "--uci", engine, "--data"]).arg(data.path());
        let ended = program.output().unwrap();
        assert!(!ended.status.success());
        String::from_utf8_lossy(&ended.stderr).into_owned()
    };
    for (engine, why) in [("/no/such/engine", "cannot be started"), ("/bin/true", "the process has exited")] {
        let said = started(engine);
        assert!(said.contains(engine) && said.contains(why), "{said}");
    }
}
