//! Keys that own seats: one stream for all games of a program, third-party bots as opponents, and games on a second device.

use super::{
    Answer, Method, Router, ask,
    games::Browser,
    get,
    instances::several,
    keys::post,
    own_form, request, site,
    table::{Events, field},
};
use axum::{body::Body, http::Request};
use serde_json::{Value, json};

pub(super) fn with(key: &str, method: Method, path: &str) -> Request<Body> {
    let mut request = request(method, path);
    request.headers_mut().insert("authorization", format!("Bearer {key}").parse().unwrap());
    request
}

pub(super) async fn key(site: &Router) -> String {
    let made = post(site, "/api/keys", "", json!({})).await;
    assert_eq!(made.status, 201);
    made.json()["key"].as_str().unwrap().to_owned()
}

async fn own(site: &Router, key: &str) -> Answer {
    ask(site, with(key, Method::GET, "/api/keys/own")).await
}

pub(super) async fn act(site: &Router, id: &Value, key: &str, ply: u64, action: &str) -> Answer {
    post(site, &format!("/api/games/{}/actions", id.as_str().unwrap()), key, json!({"ply": ply, "action": action}))
        .await
}

/// The next event of a stream: its name and its data.
pub(super) async fn next(events: &mut Events) -> (String, Value) {
    loop {
        let event = events.next().await;
        if !field(&event, "data").is_empty() {
            return (field(&event, "event"), serde_json::from_str(&field(&event, "data")).unwrap());
        }
    }
}

#[tokio::test]
async fn key_owns_the_seats_taken_with_it() {
    let site = site();
    let (white, black) = (key(&site).await, key(&site).await);
    let begun = post(&site, "/api/games", &white, json!({"variant": "chess"})).await.json();
    let (id, code) = (&begun["id"], &begun["invite"]["code"]);
    // One key cannot take both seats.
    post(&site, "/api/seats", &white, json!({"code": code})).await.problem(422);
    post(&site, "/api/games", &white, json!({"variant": "chess", "opponent": "self"})).await.problem(422);
    post(&site, "/api/seats", &black, json!({"code": code})).await.json();
    // The key works wherever the seat's token does, and for no other seat.
    act(&site, id, &white, 0, "e2e4").await.json();
    let stranger = key(&site).await;
    act(&site, id, &stranger, 1, "e7e5").await.problem(401);
    // A key without a seat sees what the public sees.
    let path = format!("/api/games/{}", id.as_str().unwrap());
    for path in [path.clone(), format!("{path}/record.json")] {
        let seen = ask(&site, with(&stranger, Method::GET, &path)).await;
        assert_eq!((seen.status.as_u16(), seen.body), (200, get(&site, &path).await.body));
        ask(&site, with("AAAAAAAAAAAAAAAAAAAAAA", Method::GET, &path)).await.problem(401);
    }
    act(&site, id, &black, 1, "e7e5").await.json();
    let listed = own(&site, &white).await.json();
    assert_eq!(listed["games"][0]["id"], *id);
    assert_eq!((&listed["games"][0]["asked"], &listed["games"][0]["seat"]), (&json!(true), &json!("one")));
    assert_eq!(own(&site, &black).await.json()["games"][0]["asked"], false);
    assert_eq!(own(&site, &stranger).await.json()["games"], json!([]));
    // A seat taken without a key can be assigned to one with its token.
    let other = post(&site, "/api/games", "", json!({"variant": "lrs", "opponent": "bot:random"})).await.json();
    let path = format!("/api/games/{}/key", other["id"].as_str().unwrap());
    let token = other["seats"][0]["token"].as_str().unwrap();
    post(&site, &path, &white, json!({"key": white})).await.problem(401);
    post(&site, &path, token, json!({"key": "AAAAAAAAAAAAAAAAAAAAAA"})).await.problem(422);
    assert_eq!(post(&site, &path, token, json!({"key": white})).await.json()["seat"], "one");
    assert_eq!(own(&site, &white).await.json()["games"].as_array().unwrap().len(), 2);
    // No address and no other client's answer contains the key or its digest.
    for path in [format!("/api/games/{}", id.as_str().unwrap()), format!("/games/{}", id.as_str().unwrap())] {
        assert!(!get(&site, &path).await.body.contains(&white));
    }
    for unknown in ["", "AAAAAAAAAAAAAAAAAAAAAA"] {
        post(&site, "/api/bots", unknown, json!({"name": "Grue"})).await.problem(401);
    }
    post(&site, "/api/games", "AAAAAAAAAAAAAAAAAAAAAA", json!({"variant": "chess"})).await.problem(401);
}

#[tokio::test]
async fn one_stream_covers_all_games_of_a_key() {
    let site = site();
    let (mine, theirs) = (key(&site).await, key(&site).await);
    let old = post(&site, "/api/games", &mine, json!({"variant": "chess"})).await.json();
    let mut events = Events::open(&site, with(&mine, Method::GET, "/api/stream")).await;
    let (name, first) = next(&mut events).await;
    assert_eq!((name.as_str(), &first["game"]["id"], &first["game"]["complete"]), ("game", &old["id"], &json!(false)));
    // Games that begin during the stream are included, whether taken with a token or with the key.
    let new = post(&site, "/api/games", &theirs, json!({"variant": "chess", "opponent": "open"})).await.json();
    post(&site, "/api/seats", &mine, json!({"game": new["id"]})).await.json();
    let (name, game) = next(&mut events).await;
    assert_eq!((name.as_str(), &game["game"]["id"], &game["game"]["seat"]), ("game", &new["id"], &json!("two")));
    act(&site, &new["id"], &theirs, 0, "e2e4").await.json();
    let (name, turn) = next(&mut events).await;
    assert_eq!((name.as_str(), &turn["game"]["ply"], &turn["game"]["asked"]), ("turn", &json!(1), &json!(true)));
    assert_eq!(turn["type"], "turn");
    assert_eq!(turn["actions"].as_array().map(Vec::len), Some(20), "{turn}");
    act(&site, &new["id"], &mine, 1, "e7e5").await.json();
    act(&site, &new["id"], &theirs, 2, "draw").await.json();
    let (name, offer) = next(&mut events).await;
    assert_eq!((name.as_str(), &offer["game"]["offers"]["draw"]), ("offer", &json!("one")));
    act(&site, &new["id"], &mine, 2, "draw").await.json();
    let (name, end) = next(&mut events).await;
    assert_eq!((name.as_str(), &end["game"]["id"]), ("end", &new["id"]));
    assert!(end["game"]["outcome"].is_object());
    // JSON lines are the same, with the event's name inside.
    let mut lines = with(&mine, Method::GET, "/api/stream");
    lines.headers_mut().insert("accept", "application/x-ndjson".parse().unwrap());
    let answer = tower::ServiceExt::oneshot(site.clone(), lines).await.unwrap();
    assert_eq!(answer.headers()["content-type"], "application/x-ndjson");
    let mut body = answer.into_body().into_data_stream();
    let line = futures_util::StreamExt::next(&mut body).await.unwrap().unwrap();
    let line: Value = serde_json::from_slice(&line).unwrap();
    assert_eq!((&line["event"], &line["game"]["id"]), (&json!("game"), &old["id"]));
    assert_eq!(line["type"], "game");
}

#[tokio::test]
async fn turn_events_list_the_actions_in_a_compact_form() {
    let site = site();
    let (mine, theirs) = (key(&site).await, key(&site).await);
    let game = post(&site, "/api/games", &mine, json!({"variant": "duck", "opponent": "open"})).await.json();
    post(&site, "/api/seats", &theirs, json!({"game": game["id"]})).await.json();
    let mut events = Events::open(&site, with(&theirs, Method::GET, "/api/stream")).await;
    next(&mut events).await;
    act(&site, &game["id"], &mine, 0, "e2e4 a3").await.json();
    let (name, turn) = next(&mut events).await;
    assert_eq!(name, "turn");
    let mut listed = Vec::new();
    for entry in turn["actions"].as_array().unwrap().iter().map(|entry| entry.as_str().unwrap()) {
        match entry.split_once(" {") {
            None => listed.push(entry.to_owned()),
            Some((start, ends)) => {
                listed.extend(ends.trim_end_matches('}').split('|').map(|end| format!("{start} {end}")));
            }
        }
    }
    let look = with(&theirs, Method::GET, &format!("/api/games/{}", game["id"].as_str().unwrap()));
    let whole = ask(&site, look).await.json()["actions"].clone();
    assert_eq!(json!(listed), whole);
    let (compact, whole) = (turn["actions"].to_string().len(), whole.to_string().len());
    assert!(3 * compact < whole, "{compact} of {whole} bytes");
}

#[tokio::test]
async fn third_party_bot_is_an_opponent_while_connected() {
    let site = site();
    let (bot, person) = (key(&site).await, key(&site).await);
    for (body, field) in [
        (json!({"name": "bot Grue"}), "name"),
        (json!({"name": "  "}), "name"),
        (json!({"name": "Gambler"}), "name"),
        (json!({"name": "Grue", "variants": ["checkers"]}), "variants"),
        (json!({"name": "Grue", "paces": ["fast"]}), "paces"),
        (json!({"name": "Grue", "games": 51}), "games"),
    ] {
        assert_eq!(post(&site, "/api/bots", &bot, body).await.problem(422)["field"], field);
    }
    let registered = json!({"name": "Grue", "variants": ["chess"], "paces": ["untimed"], "games": 1});
    post(&site, "/api/bots", &bot, registered.clone()).await.json();
    // Names are permanent and unique.
    post(&site, "/api/bots", &bot, json!({"name": "Other"})).await.problem(422);
    post(&site, "/api/bots", &person, json!({"name": "g.R u e"})).await.problem(422);
    let wanted = json!({"variant": "chess", "opponent": "program:Grue", "seat": "two", "name": "Ada"});
    // A disconnected bot cannot be challenged.
    assert_eq!(get(&site, "/api/bots").await.json()["bots"], json!([]));
    post(&site, "/api/games", &person, wanted.clone()).await.problem(422);
    let mut events = Events::open(&site, with(&bot, Method::GET, "/api/stream")).await;
    let listed = get(&site, "/api/bots").await.json();
    assert_eq!((&listed["bots"][0]["opponent"], &listed["bots"][0]["free"]), (&json!("program:Grue"), &json!(true)));
    assert!(get(&site, "/new/chess").await.page(200).contains("program:Grue"));
    assert!(!get(&site, "/new/lrs").await.page(200).contains("program:Grue"), "it plays only chess");
    post(&site, "/api/games", &person, json!({"variant": "lrs", "opponent": "program:Grue"})).await.problem(422);
    let timed = json!({"variant": "chess", "opponent": "program:Grue", "clock": {"days": 2}});
    post(&site, "/api/games", &person, timed).await.problem(422);
    post(&site, "/api/games", &bot, wanted.clone()).await.problem(422);
    let begun = post(&site, "/api/games", &person, wanted.clone()).await.json();
    let (name, game) = next(&mut events).await;
    assert_eq!((name.as_str(), &game["game"]["id"], &game["game"]["asked"]), ("game", &begun["id"], &json!(true)));
    // It accepts one game at a time.
    post(&site, "/api/games", &person, wanted.clone()).await.problem(422);
    assert!(!get(&site, "/new/chess").await.page(200).contains("program:Grue"));
    let seen = get(&site, &format!("/api/games/{}", begun["id"].as_str().unwrap())).await.json();
    assert_eq!(seen["players"]["one"], json!({"name": "bot Grue", "taken": true, "bot": "Grue"}));
    // It also plays a rematch.
    act(&site, &begun["id"], &bot, 0, "f2f3").await.json();
    act(&site, &begun["id"], &person, 1, "resign").await.json();
    assert_eq!(next(&mut events).await.0, "end");
    act(&site, &begun["id"], &person, 2, "rematch").await.json();
    act(&site, &begun["id"], &bot, 2, "rematch").await.json();
    let (name, again) = next(&mut events).await;
    assert_eq!((name.as_str(), &again["game"]["seat"]), ("game", &json!("two")));
    assert!(again["game"]["id"] != begun["id"]);
    // After disconnecting, it cannot be challenged.
    drop(events);
    super::until("the bot has disconnected", async || get(&site, "/api/bots").await.json()["bots"] == json!([])).await;
}

#[tokio::test]
async fn seek_finds_a_matching_game_in_one_request() {
    let site = site();
    let (one, other) = (key(&site).await, key(&site).await);
    let mut chess = Events::open(&site, request(Method::GET, "/api/lobby/events?variant=chess")).await;
    let seek = json!({"variant": "chess", "clock": {"days": 3}});
    let offered = post(&site, "/api/lobby", &one, seek.clone()).await;
    assert_eq!(offered.status, 201);
    let offered = offered.json();
    let lrs = post(&site, "/api/lobby", "", json!({"variant": "lrs"})).await.json();
    assert_eq!((&offered["found"], &lrs["found"]), (&json!("offered"), &json!("offered")));
    // Another variant with the same options and clocks does not match.
    let hill = post(&site, "/api/lobby", "", json!({"variant": "king-of-the-hill", "clock": {"days": 3}})).await.json();
    assert_eq!(hill["found"], "offered");
    let (name, open) = next(&mut chess).await;
    assert_eq!((name.as_str(), &open["game"]["id"]), ("open", &offered["id"]));
    let waits = post(&site, "/api/lobby", &one, seek.clone()).await.json();
    assert_eq!((&waits["found"], &waits["seat"]), (&json!("waits"), &json!(null)));
    let list = |query: &'static str| get(&site, query);
    let ids =
        |answer: &Value| answer["open"].as_array().unwrap().iter().map(|game| game["id"].clone()).collect::<Vec<_>>();
    assert_eq!(ids(&list("/api/games?variant=chess").await.json()), [offered["id"].clone()]);
    assert_eq!(ids(&list("/api/games?variant=lrs&state=open").await.json()), [lrs["id"].clone()]);
    assert!(ids(&list("/api/games?state=running").await.json()).is_empty());
    assert_eq!(list("/api/games?variant=checkers").await.problem(422)["field"], "variant");
    list("/api/games?state=over").await.problem(400);
    let joined = post(&site, "/api/lobby", &other, seek).await.json();
    assert_eq!((&joined["found"], &joined["id"]), (&json!("joined"), &offered["id"]));
    assert_eq!(next(&mut chess).await, ("gone".to_owned(), json!({"type": "gone", "id": offered["id"]})));
    assert_eq!(own(&site, &other).await.json()["games"][0]["id"], offered["id"]);
}

#[tokio::test]
async fn repeated_seek_returns_the_same_seat() {
    let site = site();
    let seek = async |key: &str, body: Value| {
        let mut request = request(Method::POST, "/api/lobby");
        request.headers_mut().insert("content-type", "application/json".parse().unwrap());
        request.headers_mut().insert("idempotency-key", key.parse().unwrap());
        *request.body_mut() = Body::from(body.to_string());
        ask(&site, request).await
    };
    let chess = json!({"variant": "chess", "clock": {"days": 3}});
    let (one, other) = ("the first who looks for a game", "the second who looks for a game");
    let offered = seek(one, chess.clone()).await;
    assert_eq!((offered.status.as_u16(), &offered.json()["found"]), (201, &json!("offered")));
    let again = seek(one, chess.clone()).await;
    assert_eq!((again.status, again.json()), (offered.status, offered.json()), "a client is not paired with itself");
    let joined = seek(other, chess.clone()).await;
    assert_eq!((&joined.json()["found"], &joined.json()["id"]), (&json!("joined"), &offered.json()["id"]));
    // Repeating either request has no effect.
    assert_eq!(seek(other, chess.clone()).await.json(), joined.json());
    assert_eq!(seek(one, chess.clone()).await.json(), offered.json());
    assert_eq!(get(&site, "/api/games?state=open").await.json()["open"], json!([]));
    for key in [one, other] {
        let why = seek(key, json!({"variant": "lrs"})).await;
        let why = why.problem(422);
        assert!(why["detail"].as_str().unwrap().contains("was used for another"), "{why}");
        assert_eq!(why["field"], "Idempotency-Key", "{why}");
    }
    assert_eq!(seek("short", chess).await.problem(422)["field"], "Idempotency-Key");
    assert_eq!(get(&site, "/api/games?state=open").await.json()["open"], json!([]));
}

#[tokio::test]
async fn games_continue_on_another_device() {
    let site = site();
    let (mut here, mut there) = (Browser::new(&site), Browser::new(&site));
    let game = here.begin(&[("variant", "chess"), ("opponent", "bot:random")]).await;
    assert!(here.get("/").await.body.contains("/key"));
    here.post("/key", &[]).await;
    let page = here.get("/key").await.body;
    let link = page.split("value=\"http://zork.example").nth(1).unwrap().split('"').next().unwrap().to_owned();
    assert!(link.starts_with("/key/"));
    // Viewing the link takes no seat.
    assert!(there.get(&link).await.page(200).contains("1 current game"));
    assert!(!there.get("/").await.body.contains(&game));
    there.post(&link, &[]).await;
    assert!(there.get("/").await.body.contains(&game));
    let board = there.get(&game).await.body;
    assert!(board.contains("name=\"action\"") || board.contains("name=\"from\""), "the other device can play");
    assert!(!board.contains(link.strip_prefix("/key/").unwrap()), "no game page contains the key");
    // A game begun there can be played here.
    let new = there.begin(&[("variant", "lrs"), ("opponent", "bot:random")]).await;
    assert!(here.get("/").await.body.contains(&new));
    // The key is not a seat's private link.
    let as_seat = link.replace("/key/", "/seat/");
    assert_eq!(Browser::new(&site).get(&as_seat).await.status, 404);
    assert_eq!(get(&site, "/key/AAAAAAAAAAAAAAAAAAAAAA").await.status, 404);
    there.post("/key/forget", &[]).await;
    assert!(!there.get("/").await.body.contains(&game) && there.get("/").await.body.contains(&new));
    let foreign = ask(&site, own_form("/key/nonsense", String::new())).await;
    assert_eq!(foreign.status, 404);
}

#[tokio::test]
async fn key_stream_covers_games_at_other_processes() {
    let folder = tempfile::tempdir().unwrap();
    let Some([one, other]) = several("owners", folder.path()).await else { return };
    let client = reqwest::Client::new();
    let said = async |server: &super::program::Server, path: &str, key: &str, body: Value| -> Value {
        let mut request = client.post(format!("{}{path}", server.address)).json(&body);
        if !key.is_empty() {
            request = request.bearer_auth(key);
        }
        request.send().await.unwrap().error_for_status().unwrap().json().await.unwrap()
    };
    let key = said(&one, "/api/keys", "", json!({})).await["key"].as_str().unwrap().to_owned();
    said(&one, "/api/bots", &key, json!({"name": "Thief"})).await;
    let stream = client.get(format!("{}/api/stream", one.address)).bearer_auth(&key);
    let mut stream = stream.header("accept", "application/x-ndjson").send().await.unwrap();
    let begun =
        said(&other, "/api/games", "", json!({"variant": "chess", "opponent": "program:Thief", "seat": "two"})).await;
    let mut read = String::new();
    while !read.contains("\n{") && !read.contains(begun["id"].as_str().unwrap()) {
        let more = tokio::time::timeout(super::PATIENCE, stream.chunk()).await.unwrap().unwrap().unwrap();
        read.push_str(std::str::from_utf8(&more).unwrap());
    }
    let line = read.lines().find(|line| line.starts_with('{')).unwrap();
    let event: Value = serde_json::from_str(line).unwrap();
    assert_eq!((&event["event"], &event["game"]["id"]), (&json!("game"), &begun["id"]));
}

#[tokio::test]
async fn finished_games_of_a_key_are_listed_by_filters() {
    let site = site();
    let (white, black) = (key(&site).await, key(&site).await);
    let mut ids = Vec::new();
    for (variant, loser) in [("chess", &white), ("duck", &black), ("chess", &black)] {
        let begun = post(&site, "/api/games", &white, json!({"variant": variant, "seat": "one"})).await.json();
        let seat = json!({"code": begun["invite"]["code"], "name": "Rita"});
        post(&site, "/api/seats", &black, seat).await.json();
        act(&site, &begun["id"], loser, 0, "resign").await.json();
        ids.push(begun["id"].clone());
    }
    post(&site, "/api/games", &white, json!({"variant": "chess"})).await.json();
    let list =
        async |key: &str, query: &str| ask(&site, with(key, Method::GET, &format!("/api/keys/games{query}"))).await;
    let found = async |query: &str| {
        let page = list(&white, query).await.json();
        assert!(page["next"].is_null(), "{page}");
        let games = page["games"].as_array().unwrap();
        games.iter().map(|game| game["id"].clone()).collect::<std::collections::HashSet<Value>>()
    };
    let these = |places: &[usize]| places.iter().map(|place| ids[*place].clone()).collect();
    assert_eq!(found("").await, these(&[0, 1, 2]), "the running game is not among them");
    assert_eq!(found("?variant=duck").await, these(&[1]));
    assert_eq!(found("?result=lost").await, these(&[0]));
    assert_eq!(found("?result=won&variant=chess").await, these(&[2]));
    assert_eq!(found("?opponent=rita").await, these(&[0, 1, 2]));
    assert_eq!(found("?opponent=Bob").await, these(&[]));
    let page = list(&white, "?variant=duck").await.json();
    let game = &page["games"][0];
    assert_eq!(
        (&game["seat"], &game["reason"], &game["opponent"]),
        (&json!("one"), &json!("resignation"), &json!("Rita"))
    );
    let end = game["finished"].as_i64().unwrap();
    assert!(!found(&format!("?until={end}")).await.contains(&ids[1]), "the end is not included");
    assert!(found(&format!("?since={end}")).await.contains(&ids[1]));
    // The records of several games in one answer.
    let named = |place: usize| ids[place].as_str().unwrap();
    let records = get(&site, &format!("/api/records?ids={},nowhere,{}", named(2), named(1))).await;
    assert_eq!(records.status, 200, "{}", records.body);
    let lines: Vec<Value> = records.body.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let variants = lines.iter().map(|line| line["variant"].as_str()).collect::<Vec<_>>();
    assert_eq!(variants, [Some("chess"), None, Some("duck")]);
    assert!(lines[1]["error"].as_str().unwrap().contains("no game nowhere"), "{}", lines[1]);
    assert_eq!(lines[2], get(&site, &format!("/api/games/{}/record.json", named(1))).await.json());
    let mut pgn = request(Method::GET, &format!("/api/records?ids={},nowhere,{}", named(0), named(2)));
    pgn.headers_mut().insert("accept", "application/x-chess-pgn".parse().unwrap());
    assert_eq!(ask(&site, pgn).await.body.matches("[Event ").count(), 2);
    for query in ["", "?ids=", &format!("?ids={}", "a,".repeat(101)), "?ids=a&seat=one"] {
        get(&site, &format!("/api/records{query}")).await.problem(400);
    }
    // The other player's list shows the opposite result.
    assert_eq!(list(&black, "?result=won").await.json()["games"][0]["id"], ids[0]);
    list(&white, "?after=nowhere").await.problem(400);
    list(&white, "?winner=one").await.problem(400);
    list(&white, "?result=lucky").await.problem(400);
    assert_eq!(list(&white, "?variant=go").await.problem(422)["field"], "variant");
    list("", "").await.problem(401);
}
