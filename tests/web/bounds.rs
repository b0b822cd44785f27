//! Limits on resources that clients could exhaust, and isolation of damaged games.

use std::sync::{
    Arc,
    atomic::{AtomicI64, Ordering},
};

use axum::{
    body::Body,
    http::{Method, Request},
};
use rand::{SeedableRng, rngs::StdRng};
use serde_json::{Value, json};
use sqlx::{AnyConnection, Connection, query};
use zorkmid::{play::Play, store::Store};

use super::{
    api::{begin, post, posting, stream},
    ask, get, patient, request, site,
};

#[tokio::test]
async fn repeated_offers_are_refused_until_a_move() {
    let site = site();
    let game = begin(&site, json!({"variant": "chess"})).await;
    for word in ["draw", "withdraw"].repeat(16) {
        assert_eq!(game.act(&site, 0, 0, word).await.status, 200);
    }
    let refused = game.act(&site, 0, 0, "draw").await.problem(422);
    assert!(refused["detail"].as_str().unwrap().contains("make your move"), "{refused}");
    // The opponent has a separate limit, and a move resets it.
    assert_eq!(game.act(&site, 1, 0, "draw").await.status, 200);
    assert_eq!(game.act(&site, 0, 0, "e2e4").await.status, 200);
    assert_eq!(game.act(&site, 0, 1, "draw").await.status, 200);
}

#[tokio::test]
async fn changes_of_a_sealed_choice_are_limited() {
    let site = site();
    let game = begin(&site, json!({"variant": "bidding", "options": {"scheme": "secret"}})).await;
    for word in ["draw", "withdraw"].repeat(16) {
        assert_eq!(game.act(&site, 0, 0, word).await.status, 200);
    }
    assert_eq!(game.act(&site, 0, 0, "bid 3").await.status, 200, "the first choice is always accepted");
    game.act(&site, 0, 0, "bid 4").await.problem(422);
}

fn request_by(path: &str, token: Option<&str>) -> Request<Body> {
    let mut request = request(Method::GET, path);
    if let Some(token) = token {
        request.headers_mut().insert("authorization", format!("Bearer {token}").parse().unwrap());
    }
    request
}

#[tokio::test]
async fn opponent_cannot_see_changes_of_a_sealed_choice() {
    let site = site();
    let game = begin(&site, json!({"variant": "bidding", "options": {"scheme": "secret"}})).await;
    let look = async |token: Option<&str>| {
        let answer = ask(&site, request_by(&format!("/api/games/{}", game.id), token)).await;
        answer.json()
    };
    let (own, theirs) = (Some(game.tokens[0].as_str()), Some(game.tokens[1].as_str()));
    assert_eq!(game.act(&site, 0, 0, "bid 3").await.status, 200);
    let before = [look(own).await, look(theirs).await, look(None).await];
    // The opponent listens meanwhile, and gets only later events.
    let mut listen = request_by(&format!("/api/games/{}/events", game.id), theirs);
    listen.headers_mut().insert("last-event-id", before[1]["version"].to_string().parse().unwrap());
    let heard = tokio::spawn({
        let site = site.clone();
        async move { stream(&site, listen, |said| said.contains("\n\n")).await }
    });
    for bid in 4..9 {
        assert_eq!(game.act(&site, 0, 0, &format!("bid {bid}")).await.status, 200);
    }
    assert_eq!(look(own).await["version"].as_i64(), before[0]["version"].as_i64().map(|version| version + 5));
    assert_eq!([look(theirs).await, look(None).await], before[1..]);
    assert_eq!(game.act(&site, 1, 0, "bid 2").await.status, 200);
    let heard = heard.await.unwrap();
    let next = before[1]["version"].as_i64().unwrap() + 1;
    assert!(heard.contains(&format!("id: {next}\n")) && heard.contains("\"ply\":1"), "{heard}");
    assert_eq!(look(theirs).await["version"], next);
}

#[tokio::test]
async fn listener_with_an_impossible_event_id_gets_the_current_state() {
    let site = site();
    let game = begin(&site, json!({"variant": "chess"})).await;
    let now = game.look(&site).await["version"].as_i64().unwrap();
    assert!(now > 0);
    for id in ["-1", "-9223372036854775808", "9223372036854775807", "99999999999999999999", "x"] {
        let mut request = request(Method::GET, &format!("/api/games/{}/events", game.id));
        request.headers_mut().insert("last-event-id", id.parse().unwrap());
        let said = stream(&site, request, |said| said.contains("\n\n")).await;
        assert!(said.contains(&format!("id: {now}\n")), "{id}: {said}");
    }
}

#[tokio::test]
async fn unreadable_game_does_not_stop_other_flags() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("games.sqlite").to_str().unwrap().to_owned();
    let time = Arc::new(AtomicI64::new(1_000_000));
    let server = async || {
        let (clock, store) = (time.clone(), Store::open(&place).await.unwrap());
        let play = Play::new(StdRng::seed_from_u64(3), store, move || clock.load(Ordering::SeqCst));
        (zorkmid::web::router(zorkmid::web::App::new(patient(), play.clone(), Arc::default())), play)
    };
    let (site, _) = server().await;
    let mut games = Vec::new();
    for _ in 0..2 {
        let game = begin(&site, json!({"variant": "chess", "clock": {"initial": 60, "increment": 0}})).await;
        assert_eq!(game.act(&site, 0, 0, "e2e4").await.status, 200);
        games.push(game);
        time.fetch_add(1, Ordering::SeqCst);
    }
    sqlx::any::install_default_drivers();
    let mut record = AnyConnection::connect(&format!("sqlite://{place}")).await.unwrap();
    query("UPDATE game SET options = 'nonsense' WHERE id = $1").bind(&games[0].id).execute(&mut record).await.unwrap();
    let (site, play) = server().await;
    time.fetch_add(60_000, Ordering::SeqCst);
    play.check_all_clocks().await.unwrap();
    play.check_all_clocks().await.unwrap();
    assert_eq!(games[1].look(&site).await["outcome"]["reason"], "time");
    get(&site, &format!("/api/games/{}", games[0].id)).await.problem(500);
}

#[tokio::test]
async fn names_are_visible_and_never_a_bots() {
    let site = site();
    for name in [
        "bot deep",
        "Bot",
        " BOT\u{a0}newcomer",
        "Ada\u{ad}",
        "A\u{200b}da",
        "\u{3164}",
        "\u{2800}",
        "A\u{e0041}",
        "A\u{fe0f}",
    ] {
        let refused = post(&site, "/api/games", None, json!({"variant": "chess", "name": name})).await.problem(422);
        assert_eq!(refused["field"], "name", "{name:?} {refused}");
    }
    for name in ["Botvinnik", "Zoë", "Ἀριστοτέλης", "the bot"] {
        assert_eq!(
            post(&site, "/api/games", None, json!({"variant": "chess", "name": name})).await.status,
            201,
            "{name}"
        );
    }
}

#[tokio::test]
async fn repeated_request_for_a_seat_returns_the_same_seat() {
    let site = site();
    let sit = async |key: &str, body: Value| {
        let mut request = posting("/api/seats", None, &body);
        request.headers_mut().insert("idempotency-key", key.parse().unwrap());
        ask(&site, request).await
    };
    let new = async |opponent: &str| {
        post(&site, "/api/games", None, json!({"variant": "chess", "opponent": opponent})).await.json()
    };
    let (link, open, other) = (new("link").await, new("open").await, new("link").await);
    for door in [json!({"code": link["invite"]["code"]}), json!({"game": open["id"]})] {
        let key = format!("a secret for {door}");
        let first = sit(&key, door.clone()).await.json();
        assert_eq!(sit(&key, door.clone()).await.json(), first, "the same seat");
        // Other keys do not get the seat, and the same key takes no other seat.
        assert_eq!(sit("an unknown secret", door.clone()).await.status.as_u16() / 100, 4);
        assert_eq!(post(&site, "/api/seats", None, door).await.status.as_u16() / 100, 4);
        sit(&key, json!({"code": other["invite"]["code"]})).await.problem(422);
    }
    sit("short", json!({"code": other["invite"]["code"]})).await.problem(422);
    assert_eq!(sit("a secret for the other", json!({"code": other["invite"]["code"]})).await.status, 200);
}

#[tokio::test]
async fn unused_games_are_unloaded() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("games.sqlite").to_str().unwrap().to_owned();
    let time = Arc::new(AtomicI64::new(1_000_000));
    let (clock, store) = (time.clone(), Store::open(&place).await.unwrap());
    let play = Play::new(StdRng::seed_from_u64(3), store, move || clock.load(Ordering::SeqCst));
    let site = zorkmid::web::router(zorkmid::web::App::new(patient(), play.clone(), Arc::default()));
    let chess = async || begin(&site, json!({"variant": "chess"})).await;
    let (left, followed, asked) = (chess().await, chess().await, chess().await);
    assert_eq!(left.act(&site, 0, 0, "e2e4").await.status, 200);
    let follower = play.listen(&followed.id).await.unwrap();
    time.fetch_add(100_000, Ordering::SeqCst);
    asked.look(&site).await;
    time.fetch_add(100_000, Ordering::SeqCst);
    play.let_go();
    assert_eq!(play.load().games, 2, "the followed game and the requested game");
    // An unloaded game is loaded again unchanged.
    assert_eq!(left.look(&site).await["ply"], 1);
    drop(follower);
    time.fetch_add(200_000, Ordering::SeqCst);
    play.let_go();
    assert_eq!(play.load().games, 0);
}
