//! Concurrent requests to several servers on one PostgreSQL: unique actions happen once, and no client gets a false error.

use super::{instances::several, often::often, program::Server};
use futures_util::future::join_all;
use serde_json::{Value, json};
use std::time::Duration;

/// A client of the servers.
struct Client(reqwest::Client);

/// A request to the API: path, token, idempotency key and body.
struct Ask<'a> {
    path: &'a str,
    token: Option<&'a str>,
    key: Option<&'a str>,
    body: Value,
}

impl Client {
    fn new() -> Client {
        Client(reqwest::Client::new())
    }

    async fn ask(&self, at: &Server, ask: &Ask<'_>) -> (u16, Value) {
        let mut request = self.0.post(format!("{}{}", at.address, ask.path)).json(&ask.body);
        if let Some(token) = ask.token {
            request = request.bearer_auth(token);
        }
        if let Some(key) = ask.key {
            request = request.header("idempotency-key", key);
        }
        let answer = request.send().await.unwrap();
        (answer.status().as_u16(), answer.json().await.unwrap())
    }

    async fn post(&self, at: &Server, path: &str, token: Option<&str>, body: Value) -> (u16, Value) {
        self.ask(at, &Ask { path, token, key: None, body }).await
    }

    async fn see(&self, at: &Server, id: &str, token: &str) -> Value {
        let asked = self.0.get(format!("{}/api/games/{id}", at.address)).bearer_auth(token);
        asked.send().await.unwrap().json().await.unwrap()
    }
}

/// Begins a game with both seats. Returns its id and both tokens.
async fn begun(client: &Client, at: &Server, game: Value) -> (String, [String; 2]) {
    let (status, begun) = client.post(at, "/api/games", None, game).await;
    assert_eq!(status, 201, "{begun}");
    let token = |seat: usize| begun["seats"][seat]["token"].as_str().unwrap().to_owned();
    (begun["id"].as_str().unwrap().to_owned(), [token(0), token(1)])
}

/// Both seats act at the same time, each at another server.
async fn both(
    client: &Client,
    servers: &[Server; 2],
    id: &str,
    tokens: &[String; 2],
    said: &Value,
) -> [(u16, Value); 2] {
    let path = format!("/api/games/{id}/actions");
    let say = |seat: usize| client.post(&servers[seat], &path, Some(&tokens[seat]), said.clone());
    let (one, two) = tokio::join!(say(0), say(1));
    [one, two]
}

#[tokio::test]
async fn both_seats_of_a_rematch_are_taken_concurrently() {
    let folder = tempfile::tempdir().unwrap();
    let Some(servers) = several::<2>("rematch", folder.path()).await else { return };
    let client = Client::new();
    for round in 0..often(40) {
        let game = json!({"variant": "chess", "opponent": "self", "clock": {"initial": 300, "increment": 2}});
        let (id, tokens) = begun(&client, &servers[round % 2], game).await;
        let resigned = json!({"ply": 0, "action": "resign"});
        let (status, over) =
            client.post(&servers[0], &format!("/api/games/{id}/actions"), Some(&tokens[0]), resigned).await;
        assert_eq!(status, 200, "{over}");
        for (status, said) in both(&client, &servers, &id, &tokens, &json!({"ply": 1, "action": "rematch"})).await {
            assert_eq!(status, 200, "round {round}: {said}");
        }
        let seen = [client.see(&servers[0], &id, &tokens[0]).await, client.see(&servers[1], &id, &tokens[1]).await];
        let next = seen[0]["rematch"].as_str().unwrap();
        assert_eq!(seen[1]["rematch"], next, "there is one rematch");
        let claim = |seat: usize| {
            client.post(&servers[seat], "/api/seats", None, json!({"code": seen[seat]["rematch_invite"]}))
        };
        let (one, two) = tokio::join!(claim(0), claim(1));
        for ((status, sat), seat) in [(&one, "two"), (&two, "one")] {
            assert_eq!((*status, &sat["seat"]), (200, &json!(seat)), "round {round}: {sat}");
        }
        // The clocks start with the first move, at whichever server.
        let first = json!({"ply": 0, "action": "e2e4"});
        let path = format!("/api/games/{next}/actions");
        let (status, moved) = client.post(&servers[round % 2], &path, two.1["token"].as_str(), first).await;
        assert_eq!(status, 200, "round {round}: {moved}");
        let other = client.see(&servers[(round + 1) % 2], next, one.1["token"].as_str().unwrap()).await;
        assert_eq!((&other["ply"], &other["seat"]), (&json!(1), &json!("two")));
        assert_eq!(other["clocks"], moved["clocks"]);
    }
}

#[tokio::test]
async fn concurrent_sealed_bids_both_count() {
    let folder = tempfile::tempdir().unwrap();
    let Some(servers) = several::<2>("sealed", folder.path()).await else { return };
    let client = Client::new();
    for round in 0..often(40) {
        let game = json!({"variant": "bidding", "opponent": "self", "options": {"scheme": "secret"}});
        let (id, tokens) = begun(&client, &servers[round % 2], game).await;
        for (status, said) in both(&client, &servers, &id, &tokens, &json!({"ply": 0, "action": "bid 7"})).await {
            assert_eq!(status, 200, "round {round}: {said}");
        }
        for server in &servers {
            let opened = client.see(server, &id, &tokens[0]).await;
            assert_ne!(opened["ply"], 0, "round {round}: {opened}");
        }
    }
}

#[tokio::test]
async fn one_idempotency_key_at_two_servers_acts_once() {
    let folder = tempfile::tempdir().unwrap();
    let Some(servers) = several::<2>("keyed", folder.path()).await else { return };
    let client = Client::new();
    for round in 0..often(40) {
        let key = format!("a new idempotency key {round}");
        let twice = async |path: &str, body: Value| {
            let ask = Ask { path, token: None, key: Some(&key), body };
            let (one, two) = tokio::join!(client.ask(&servers[0], &ask), client.ask(&servers[1], &ask));
            assert!(one.0 == two.0 && one.0 < 300, "round {round}: {one:?} {two:?}");
            [one.1, two.1]
        };
        let opponent = if round % 2 == 0 { "link" } else { "open" };
        let games = twice("/api/games", json!({"variant": "bookie", "opponent": opponent, "seat": "random"})).await;
        let known = |game: &Value| [&game["id"], &game["seats"][0]["token"], &game["invite"]["code"]].map(Value::clone);
        assert_eq!(known(&games[0]), known(&games[1]), "round {round}");
        let door = match round % 4 {
            3 => json!({"game": games[0]["id"]}),
            _ => json!({"code": games[0]["invite"]["code"]}),
        };
        let seats = twice("/api/seats", door).await;
        let proof = |sat: &Value| [&sat["id"], &sat["seat"], &sat["token"]].map(Value::clone);
        assert_eq!(proof(&seats[0]), proof(&seats[1]), "round {round}");
    }
}

/// Number of clients that send the same action at once, per server.
const ABREAST: usize = 4;

/// Plies of a game: knights move out and back, and end before the fivefold repetition.
const GAME: usize = 12;

/// For a hundred thousand submissions, set `ZORKMID_TRIES=10000`.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_of_the_racing_clients_wins_every_ply() {
    let folder = tempfile::tempdir().unwrap();
    let Some(database) = super::instances::schema("race").await else { return };
    let servers: [Server; 3] =
        std::array::from_fn(|n| super::instances::on(&database, &folder.path().join(n.to_string())));
    let client = Client::new();
    let plies = often(1_000).div_ceil(servers.len() * ABREAST);
    // Several games at a time, so that the processes contend in more than one of them.
    let games = 4;
    let race = async |game: usize| {
        let body = json!({"variant": "chess", "opponent": "self", "clock": {"initial": 86_400, "increment": 60}});
        let (mut id, mut tokens) = begun(&client, &servers[game % 3], body.clone()).await;
        let mut ids = Vec::new();
        let mut wins = [0; 3];
        for ply in 0..plies.div_ceil(games) {
            let at = ply % GAME;
            if at == 0 && ply > 0 {
                ids.push((std::mem::take(&mut id), GAME));
                (id, tokens) = begun(&client, &servers[ply % 3], body.clone()).await;
            }
            let ways = [["g1f3", "b8c6", "f3g1", "c6b8"], ["b1c3", "g8f6", "c3b1", "f6g8"]];
            let action = ways[at / 4 % 2][at % 4];
            let path = format!("/api/games/{id}/actions");
            let submissions = (0..servers.len() * ABREAST).map(|n| {
                let (client, path, token, server) = (&client, &path, &tokens[at % 2], &servers[n % 3]);
                async move {
                    // Pauses vary the order.
                    tokio::time::sleep(Duration::from_micros((n * ply * 37 % 500) as u64)).await;
                    client.post(server, path, Some(token), json!({"ply": at, "action": action})).await
                }
            });
            let answers = join_all(submissions).await;
            let won = answers.iter().filter(|(status, _)| *status == 200).count();
            assert_eq!(won, 1, "game {game}, ply {ply}: {answers:?}");
            for (n, (status, said)) in answers.iter().enumerate() {
                assert!(matches!(status, 200 | 409), "game {game}, ply {ply}: {status} {said}");
                assert!(*status == 200 || said["ply"] == at + 1, "a stale action returns the current game: {said}");
                wins[n % 3] += usize::from(*status == 200);
            }
        }
        let last = (plies.div_ceil(games) - 1) % GAME + 1;
        ids.push((id, last));
        (ids, wins)
    };
    let raced = join_all((0..games).map(race)).await;
    let servers = servers.len();
    let store = zorkmid::store::Store::open(&database).await.unwrap();
    for (ids, wins) in raced {
        eprintln!("{} submissions; won at each process: {wins:?}", wins.iter().sum::<usize>() * servers * ABREAST);
        for (id, plies) in ids {
            let kept = store.load(&id).await.unwrap().unwrap();
            let slots: Vec<i64> = kept.lines.iter().map(|line| line.at).collect();
            assert_eq!(slots, (0..kept.game.at).collect::<Vec<_>>(), "{id} has a gap");
            let moves = kept.lines.iter().filter(|line| line.actor != "server").count();
            assert_eq!((moves, kept.game.ply), (plies, plies as i64), "{id}: a move was lost, doubled or halved");
        }
    }
    store.close().await;
}
