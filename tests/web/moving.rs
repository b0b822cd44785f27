//! `zorkmid copy`: a site is copied to PostgreSQL and back, and damaged records are reported.

use std::{path::Path, process::Command};

use serde_json::{Value, json};
use sqlx::{AnyConnection, AssertSqlSafe, Connection, Executor, Row};
use zorkmid::store::{COPIED, NewGame, Store};

use super::{instances, program::Server};

/// Variants of the played games: chance, hidden pieces, sealed bids, drops and money.
const VARIANTS: [&str; 7] = ["chess", "bookie", "csipgs", "crazyhouse", "fog-of-war", "duck", "chess960"];

/// Output of the command, or its error output.
fn copy(from: &str, to: &str) -> Result<String, String> {
    let done = Command::new(env!("CARGO_BIN_EXE_zorkmid")).args(["copy", from, to]).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    if done.status.success() { Ok(text(done.stdout)) } else { Err(text(done.stderr)) }
}

async fn post(server: &Server, path: &str, token: &str, body: Value) -> Value {
    let request = reqwest::Client::new().post(format!("{}{path}", server.address)).json(&body);
    let request = request.header("Idempotency-Key", format!("\"{body}\"")).bearer_auth(token);
    request.send().await.unwrap().json().await.unwrap()
}

/// Plays some steps of a variant and resigns where the rules allow it; returns the game's id.
async fn play(server: &Server, variant: &str) -> String {
    let body = json!({"variant": variant, "opponent": "self"});
    let begun = reqwest::Client::new().post(format!("{}/api/games", server.address)).json(&body);
    let begun: Value = begun.send().await.unwrap().json().await.unwrap();
    let id = begun["id"].as_str().unwrap_or_else(|| panic!("{variant}: {begun}"));
    let path = format!("/api/games/{id}");
    let token = |seat: usize| begun["seats"][seat]["token"].as_str().unwrap();
    for step in 0..12 {
        let seat = step % 2;
        let own = reqwest::Client::new().get(format!("{}{path}", server.address)).bearer_auth(token(seat));
        let own: Value = own.send().await.unwrap().json().await.unwrap();
        let actions = own["actions"].as_array().cloned().unwrap_or_default();
        if let Some(action) = actions.get(step % actions.len().max(1)) {
            post(server, &format!("{path}/actions"), token(seat), json!({"ply": own["ply"], "action": action})).await;
        }
    }
    let seen: Value = reqwest::get(format!("{}{path}", server.address)).await.unwrap().json().await.unwrap();
    post(server, &format!("{path}/actions"), token(0), json!({"ply": seen["ply"], "action": "resign"})).await;
    id.to_owned()
}

async fn connect(file: &Path) -> AnyConnection {
    sqlx::any::install_default_drivers();
    AnyConnection::connect(&format!("sqlite://{}", file.display())).await.unwrap()
}

/// All rows of all copied tables, sorted by text.
async fn rows(file: &Path) -> Vec<String> {
    let mut db = connect(file).await;
    let mut rows = Vec::new();
    for table in COPIED {
        let found =
            sqlx::query(AssertSqlSafe(format!("SELECT * FROM {}", table.name))).fetch_all(&mut db).await.unwrap();
        assert!(!found.is_empty(), "{} has rows", table.name);
        let text = |row: &sqlx::any::AnyRow| -> Vec<String> {
            (0..row.len()).map(|at| format!("{:?}", row.try_get_raw(at).unwrap())).collect()
        };
        rows.extend(found.iter().map(|row| format!("{} {}", table.name, text(row).join(" "))));
    }
    rows.sort();
    rows
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn copy_to_postgresql_and_back_keeps_every_row() {
    let folder = tempfile::tempdir().unwrap();
    let (here, back) = (folder.path().join("here"), folder.path().join("back"));
    let server = Server::start(&here);
    let mut games = Vec::new();
    for variant in VARIANTS {
        games.push(play(&server, variant).await);
    }
    // The last writes are in the journal next to the file.
    server.kill();
    let [from, to] = [&here, &back].map(|folder| folder.join("zorkmid.sqlite"));
    let [from_url, to_url] = [&from, &to].map(|file| file.to_str().unwrap());
    let store = Store::open(from_url).await.unwrap();
    let old = store.load(&games[0]).await.unwrap().unwrap();
    let rematch = NewGame {
        id: "0".to_owned(),
        variant: old.game.variant,
        rules_version: 1,
        options: old.game.options,
        created: 1,
        clock: None,
        opponent: "self".to_owned(),
        rematch_of: Some(games[0].clone()),
        open: false,
        public: true,
        lines: vec![],
        ply: 0,
        due: None,
        bot: None,
        seats: vec![],
    };
    store.create(rematch).await.unwrap();
    store.close().await;
    let rest = "INSERT INTO outbox VALUES ('n', 'GAME', 'one', 'k', 1, 1, 0, 1, 0); INSERT INTO outbox_key VALUES ('k', 1, 1); \
                INSERT INTO owner (key_hash, created, used, name, folded) VALUES ('k', 1, 2, 'Ä', 'ä'); \
                INSERT INTO notice VALUES ('n', 'k', 'feed', 'x', 's', 'o', 1, NULL); \
                INSERT INTO signer VALUES (1, 's') ON CONFLICT DO NOTHING; \
                INSERT INTO puzzle VALUES ('mate', 1, 2, 3); INSERT INTO measured VALUES ('x', '1', 2) ON CONFLICT DO NOTHING; \
                INSERT INTO conditional_moves VALUES ('GAME', 'one', 1, 0, '[]')";
    connect(&from).await.execute(AssertSqlSafe(rest.replace("GAME", &games[0]))).await.unwrap();
    let middle =
        instances::schema("moving").await.unwrap_or_else(|| folder.path().join("middle").display().to_string());
    let said = copy(from_url, &middle).unwrap();
    assert!(said.contains(&format!("game {},", VARIANTS.len() + 1)) && said.lines().count() == 1, "{said}");
    assert_eq!(copy(&middle, to_url).unwrap(), said);
    assert_eq!(rows(&from).await, rows(&to).await);
    let server = Server::start(&back);
    for game in &games {
        let seen: Value =
            reqwest::get(format!("{}/api/games/{game}", server.address)).await.unwrap().json().await.unwrap();
        assert_eq!(seen["id"], game.as_str(), "{seen}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn damaged_record_is_reported_with_its_game() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let games = [play(&server, "chess").await, play(&server, "chess").await, play(&server, "chess").await];
    server.kill();
    let file = folder.path().join("zorkmid.sqlite");
    let mut db = connect(&file).await;
    let change = "UPDATE line SET text = 'e9e9' WHERE game = $1 AND at = 2";
    sqlx::query(change).bind(&games[0]).execute(&mut db).await.unwrap();
    sqlx::query("DELETE FROM line WHERE game = $1 AND at = 3").bind(&games[1]).execute(&mut db).await.unwrap();
    db.close().await.unwrap();
    let complaint = copy(file.to_str().unwrap(), folder.path().join("to").to_str().unwrap()).unwrap_err();
    assert!(complaint.contains(&format!("game {}: its record does not replay: ", games[0])), "{complaint}");
    assert!(
        complaint.contains(&format!("game {}: its record does not replay: the record has", games[1])),
        "{complaint}"
    );
    assert!(!complaint.contains(&games[2]), "{complaint}");
    let slip = copy(folder.path().join("slip").to_str().unwrap(), "elsewhere").unwrap_err();
    assert!(slip.contains("the file does not exist"), "{slip}");
}
