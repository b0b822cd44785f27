//! The program itself, killed in the middle of a game and started again: what was acknowledged is there.

use serde_json::{Value, json};

use super::program::Server;

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
async fn every_acknowledged_move_survives_kill_9() {
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
            let before = get(&server, &path).await;
            server.kill();
            server = Server::start(data.path());
            assert_eq!(get(&server, &path).await, before, "the game is as it was, clocks and all");
        }
    }
}

#[tokio::test]
async fn the_operator_ends_a_game_while_the_server_runs() {
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
    assert!(!forfeit("two").0, "what is over cannot be forfeited");
    let seen = get(&server, &format!("/api/games/{id}")).await;
    assert_eq!(seen["outcome"], json!({"winner": "two", "reason": "forfeit"}));
    server.kill();
}
