//! A server killed during a game and restarted: everything acknowledged is still there.

use serde_json::{Value, json};

use super::program::Server;
use std::time::Instant;

/// Time between two heartbeats in milliseconds. An outage counts from the last one.
const BEAT: i64 = 5_000;

async fn post(server: &Server, path: &str, token: Option<&str>, body: Value) -> (u16, Value) {
    let mut request = reqwest::Client::new().post(format!("{}{path}", server.address)).json(&body);
    if let Some(token) = token {
        request = request.bearer_auth(token);
    }
    let answer = request.send().await.unwrap();
    (answer.status().as_u16(), answer.json().await.unwrap())
}

async fn get(server: &Server, path: &str) -> Value {
    reqwest::get(format!("{}{path}", server.address)).await.unwrap().json().await.unwrap()
}

#[tokio::test]
async fn acknowledged_moves_survive_sigkill() {
    let data = tempfile::tempdir().unwrap();
    let mut server = Server::start(data.path());
    let (status, begun) = post(
        &server,
        "/api/games",
        None,
        json!({"variant": "chess", "opponent": "self", "clock": {"initial": 600, "increment": 2}}),
    )
    .await;
    assert_eq!(status, 201);
    let path = format!("/api/games/{}", begun["id"].as_str().unwrap());
    let tokens: Vec<&str> =
        begun["seats"].as_array().unwrap().iter().map(|seat| seat["token"].as_str().unwrap()).collect();
    for ply in 0..12 {
        let action = ["g1f3", "b8c6", "f3g1", "c6b8"][ply % 4];
        let (status, after) =
            post(&server, &format!("{path}/actions"), Some(tokens[ply % 2]), json!({"ply": ply, "action": action}))
                .await;
        assert_eq!(status, 200, "{after}");
        if ply % 4 == 3 {
            let (mut before, stopped) = (get(&server, &path).await, Instant::now());
            server.kill();
            server = Server::start(data.path());
            let mut after = get(&server, &path).await;
            // If the restart took long, a line of the server gives the running clock the outage back, and never more.
            let taken = |game: &mut Value| {
                let clock = game["clocks"]["one"]["deadline"].take();
                (clock.as_i64().unwrap(), game["version"].take().as_i64().unwrap())
            };
            let [(was, old), (is, new)] = [taken(&mut before), taken(&mut after)];
            let outage = stopped.elapsed().as_millis() as i64 + BEAT;
            assert!((was..=was + outage).contains(&is) && new - old == i64::from(is > was), "{was} and {is}");
            assert_eq!(after, before, "the game is unchanged, including its clocks");
        }
    }
}

/// Output of `zorkmid replay`, or its error output.
fn replay(record: &str, data: &std::path::Path) -> Result<String, String> {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_zorkmid"))
        .args(["replay", record, "--data"])
        .arg(data)
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    if output.status.success() { Ok(text(output.stdout)) } else { Err(text(output.stderr)) }
}

#[tokio::test]
async fn game_replays_from_the_database_and_both_files() {
    let data = tempfile::tempdir().unwrap();
    let server = Server::start(data.path());
    let options = json!({"deals": 2, "tie": "rebid", "coin_toss": true, "double": "2"});
    let body = json!({"variant": "bookie", "opponent": "self", "options": options, "clock": [{"days": 3}, null]});
    let (_, begun) = post(&server, "/api/games", None, body).await;
    let id = begun["id"].as_str().unwrap();
    let path = format!("/api/games/{id}");
    let token = |seat: &Value| {
        let own = begun["seats"].as_array().unwrap().iter().find(|own| own["seat"] == *seat).unwrap();
        own["token"].as_str().unwrap().to_owned()
    };
    let act = async |seat: Value, action: &str| {
        let ply = get(&server, &path).await["ply"].clone();
        let (status, after) =
            post(&server, &format!("{path}/actions"), Some(&token(&seat)), json!({"ply": ply, "action": action})).await;
        assert_eq!(status, 200, "{action}: {after}");
    };
    for _ in 0..2 {
        for (seat, action) in [("one", "bid 70"), ("two", "bid 70"), ("two", "bid 50"), ("one", "bid 50")] {
            act(seat.into(), action).await;
        }
        for (seat, action) in
            [("one", "bid 40"), ("one", "bid 60"), ("two", "bid 30"), ("two", "play"), ("one", "play")]
        {
            act(seat.into(), action).await;
        }
        let running = replay(id, data.path()).unwrap();
        assert!(running.contains("reproduce this game") && running.contains("goes on move"), "{running}");
        assert!(!running.contains("bid 40"), "an overwritten sealed bid is not in the record: {running}");
        for _ in 0..3 {
            let seen = get(&server, &path).await;
            let mover = seen["turn"]["awaits"][0].clone();
            let own = reqwest::Client::new().get(format!("{}{path}", server.address)).bearer_auth(token(&mover));
            let own: Value = own.send().await.unwrap().json().await.unwrap();
            let Some(action) = own["actions"][0].as_str() else { break };
            act(mover, action).await;
        }
        let over = get(&server, &path).await["outcome"] != Value::Null;
        assert!(!over, "no mate is possible so early");
        act("two".into(), "resign").await;
    }
    assert_ne!(get(&server, &path).await["outcome"], Value::Null);
    let told = replay(id, data.path()).unwrap();
    assert!(told.contains("chance  officers") && told.contains("reproduce this game"), "{told}");
    assert_eq!(told.matches("one     bid 60").count(), 2, "{told}");
    for kind in ["pgn", "json"] {
        let record = reqwest::get(format!("{}/games/{id}/record.{kind}", server.address)).await.unwrap().text().await;
        let record = record.unwrap();
        if kind == "pgn" {
            assert_eq!(record.matches("[Round \"").count(), 2, "{record}");
        }
        let file = data.path().join(format!("game.{kind}"));
        std::fs::write(&file, &record).unwrap();
        assert_eq!(replay(file.to_str().unwrap(), data.path()).unwrap(), told, "{kind}");
        // An altered record is detected.
        let wrong = record.replacen("bid 60", "bid 20", 1);
        std::fs::write(&file, wrong).unwrap();
        let complaint = replay(file.to_str().unwrap(), data.path());
        assert!(complaint.is_err(), "{kind}: {complaint:?}");
    }
    assert!(replay("nothing", data.path()).unwrap_err().contains("neither a file nor a game id"));
    server.kill();
}

#[tokio::test]
async fn operator_ends_a_game_while_the_server_runs() {
    let data = tempfile::tempdir().unwrap();
    let server = Server::start(data.path());
    let (_, begun) = post(&server, "/api/games", None, json!({"variant": "chess", "opponent": "self"})).await;
    let id = begun["id"].as_str().unwrap();
    let forfeit = |seat: &str| {
        let program = std::process::Command::new(env!("CARGO_BIN_EXE_zorkmid"))
            .args(["forfeit", id, seat, "--data"])
            .arg(data.path())
            .output()
            .unwrap();
        (program.status.success(), String::from_utf8(program.stdout).unwrap())
    };
    assert_eq!(forfeit("one"), (true, format!("{id}: two wins: forfeit\n")));
    assert!(!forfeit("two").0, "a finished game cannot be forfeited");
    let seen = get(&server, &format!("/api/games/{id}")).await;
    assert_eq!(seen["outcome"], json!({"winner": "two", "reason": "forfeit"}));
    server.kill();
}
