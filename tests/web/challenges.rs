//! Challenges: one key invites the bot of another, which accepts or declines. Also the event when an opponent joins.

use super::{
    Method, Router,
    api::timed,
    app, ask, get,
    keys::post,
    owners::{act, key, next, with},
    patient, router, site,
    table::Events,
};
use axum::body::Body;
use serde_json::{Value, json};
use zorkmid::web::Options;

/// Keys of a challenger and of the bot Grue, which plays chess with or without a clock but not by days.
async fn players(site: &Router) -> (String, String) {
    let (challenger, grue) = (key(site).await, key(site).await);
    let terms = json!({"name": "Grue", "variants": ["chess"], "paces": ["untimed", "sitting"], "games": 1});
    post(site, "/api/bots", &grue, terms).await.json();
    (challenger, grue)
}

async fn challenge(site: &Router, key: &str) -> Value {
    let game = json!({"variant": "chess", "opponent": "challenge:grue", "seat": "two", "name": "Ada"});
    post(site, "/api/games", key, game).await.json()
}

async fn stream(site: &Router, key: &str) -> Events {
    Events::open(site, with(key, Method::GET, "/api/stream")).await
}

fn answer(challenge: &Value, answer: &str) -> String {
    format!("/api/challenges/{}/{answer}", challenge["id"].as_str().unwrap())
}

async fn own(site: &Router, key: &str) -> Value {
    ask(site, with(key, Method::GET, "/api/keys/own")).await.json()
}

#[tokio::test]
async fn accepted_challenge_becomes_a_game_of_both_keys() {
    let site = site();
    let (ada, grue) = players(&site).await;
    let mut theirs = stream(&site, &grue).await;
    let begun = challenge(&site, &ada).await;
    let mut mine = stream(&site, &ada).await;
    assert_eq!((&begun["invite"], next(&mut mine).await.0.as_str()), (&json!(null), "game"));
    let (name, event) = next(&mut theirs).await;
    assert_eq!((name.as_str(), &event["game"]["id"]), ("challenge", &begun["id"]));
    assert_eq!((&event["game"]["host"], &event["game"]["seat"]), (&json!("Ada"), &json!("one")));
    assert!(event["game"]["expires"].as_i64() > event["game"]["created"].as_i64(), "{event}");
    // Until the bot accepts, its key gives no access to the seat, and the game is nowhere among its games.
    act(&site, &begun["id"], &grue, 0, "e2e4").await.problem(401);
    let waiting = own(&site, &grue).await;
    assert_eq!((&waiting["games"], &waiting["bot"]["playing"]), (&json!([]), &json!(0)));
    assert_eq!(waiting["challenges"][0]["id"], begun["id"]);
    assert_eq!(get(&site, "/api/games").await.json()["open"], json!([]));
    // Only the challenged key can answer, and no other player can join.
    let stranger = key(&site).await;
    for other in [&stranger, &ada] {
        post(&site, &answer(&begun, "decline"), other, json!({})).await.problem(404);
    }
    post(&site, &answer(&begun, "accept"), &stranger, json!({})).await.problem(404);
    post(&site, &answer(&begun, "accept"), "", json!({})).await.problem(401);
    post(&site, "/api/seats", &stranger, json!({"game": begun["id"]})).await.problem(404);
    let accepted = post(&site, &answer(&begun, "accept"), &grue, json!({})).await.json();
    assert_eq!((&accepted["seat"], &accepted["complete"]), (&json!("one"), &json!(true)));
    assert_eq!(post(&site, &answer(&begun, "accept"), &grue, json!({})).await.json(), accepted);
    post(&site, &answer(&begun, "decline"), &grue, json!({})).await.problem(404);
    assert_eq!(own(&site, &grue).await["challenges"], json!([]));
    let (joined, begins) = (next(&mut mine).await, next(&mut theirs).await);
    assert_eq!((joined.0.as_str(), &joined.1["game"]["opponent"]), ("joined", &json!("bot Grue")));
    assert_eq!((begins.0.as_str(), &begins.1["game"]["asked"]), ("game", &json!(true)));
    act(&site, &begun["id"], &grue, 0, "e2e4").await.json();
    assert_eq!(next(&mut mine).await.0, "turn");
    // The rematch needs no second challenge.
    act(&site, &begun["id"], &ada, 1, "resign").await.json();
    for player in [&ada, &grue] {
        act(&site, &begun["id"], player, 2, "rematch").await.json();
    }
    assert_eq!(next(&mut theirs).await.0, "end");
    let (name, rematch) = next(&mut theirs).await;
    assert_eq!((name.as_str(), &rematch["game"]["seat"]), ("game", &json!("two")), "{rematch}");
}

#[tokio::test]
async fn challenger_sees_why_a_challenge_was_declined() {
    let site = site();
    let (ada, grue) = players(&site).await;
    let begun = challenge(&site, &ada).await;
    let (mut mine, mut theirs) = (stream(&site, &ada).await, stream(&site, &grue).await);
    assert_eq!((next(&mut mine).await.0.as_str(), next(&mut theirs).await.0.as_str()), ("game", "challenge"));
    let wrong = post(&site, &answer(&begun, "decline"), &grue, json!({"reason": "bored"})).await.problem(422);
    assert_eq!(wrong["field"], "reason");
    let declined = post(&site, &answer(&begun, "decline"), &grue, json!({"reason": "too_slow"})).await;
    assert_eq!(declined.status, 204, "{}", declined.body);
    for events in [&mut mine, &mut theirs] {
        let (name, event) = next(events).await;
        assert_eq!((name.as_str(), &event["declined"]), ("end", &json!("too_slow")), "{event}");
        assert_eq!(event["game"]["outcome"]["winner"], json!(null));
    }
    post(&site, &answer(&begun, "accept"), &grue, json!({})).await.problem(422);
    assert_eq!(own(&site, &grue).await["challenges"], json!([]));
    let finished = ask(&site, with(&grue, Method::GET, "/api/keys/games")).await.json();
    assert_eq!(finished["games"], json!([]), "a declined challenge is no game of the bot");
}

#[tokio::test]
async fn challenge_is_declined_without_a_body() {
    let site = site();
    let (ada, grue) = players(&site).await;
    let path = answer(&challenge(&site, &ada).await, "decline");
    let declined = ask(&site, with(&grue, Method::POST, &path)).await;
    assert_eq!(declined.status, 204, "{}", declined.body);
    assert_eq!(own(&site, &grue).await["challenges"], json!([]));
}

#[tokio::test]
async fn withdrawn_and_expired_challenges_cannot_be_accepted() {
    let (site, clock, play) = timed();
    let (ada, grue) = players(&site).await;
    let mut theirs = stream(&site, &grue).await;
    let withdrawn = challenge(&site, &ada).await;
    assert_eq!(next(&mut theirs).await.0, "challenge");
    act(&site, &withdrawn["id"], &ada, 0, "abort").await.json();
    let (name, event) = next(&mut theirs).await;
    assert_eq!((name.as_str(), &event["game"]["id"]), ("end", &withdrawn["id"]));
    assert_eq!(event["declined"], json!(null));
    let blitz = json!({"initial_ms": 180_000, "increment_ms": 2_000});
    let blitz = json!({"variant": "chess", "opponent": "challenge:Grue", "clock": blitz});
    let (quick, slow) = (post(&site, "/api/games", &ada, blitz).await.json(), challenge(&site, &ada).await);
    clock.fetch_add(30 * 60_000, std::sync::atomic::Ordering::SeqCst);
    for over in [&withdrawn, &quick] {
        post(&site, &answer(over, "accept"), &grue, json!({})).await.problem(422);
    }
    play.end_expired_challenges().await.unwrap();
    let state = async |game: &Value| get(&site, &format!("/api/games/{}", game["id"].as_str().unwrap())).await.json();
    assert!(state(&quick).await["outcome"].is_object());
    assert!(state(&slow).await["outcome"].is_null());
    post(&site, &answer(&slow, "accept"), &grue, json!({})).await.json();
}

#[tokio::test]
async fn impossible_challenges_are_refused_at_once() {
    let site = site();
    let (ada, grue) = players(&site).await;
    for (key, change, why) in [
        ("", json!({}), "a key can challenge"),
        ("", json!({"opponent": "program:Thief"}), "no bot called Thief"),
        ("", json!({"opponent": "bot:easy"}), "no bot “easy”"),
        (ada.as_str(), json!({"opponent": "challenge:Thief"}), "no bot called Thief"),
        (ada.as_str(), json!({"variant": "atomic"}), "does not play this variant"),
        (ada.as_str(), json!({"clock": {"move_ms": 86_400_000}}), "does not play games with days"),
        (grue.as_str(), json!({}), "already owns the other seat"),
    ] {
        let mut game = json!({"variant": "chess", "opponent": "challenge:Grue"});
        game.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        let problem = post(&site, "/api/games", key, game).await.problem(422);
        assert!(problem["detail"].as_str().unwrap().contains(why), "{problem}");
        assert_eq!((&problem["field"], &problem["type"]), (&json!("opponent"), &json!("/docs/errors#body")));
    }
}

#[tokio::test]
async fn unanswered_challenges_are_limited_per_key_and_address() {
    let site = router(app(Options { trusted_proxies: vec!["127.0.0.0/8".parse().unwrap()], ..patient() }));
    let (ada, grue) = players(&site).await;
    let send = async |key: &str, from: u8| {
        let mut sent = with(key, Method::POST, "/api/games");
        sent.headers_mut().insert("content-type", "application/json".parse().unwrap());
        sent.headers_mut().insert("x-forwarded-for", format!("192.0.2.{from}").parse().unwrap());
        *sent.body_mut() = Body::from(json!({"variant": "chess", "opponent": "challenge:Grue"}).to_string());
        ask(&site, sent).await
    };
    let mut first = Value::Null;
    for from in 1..=6 {
        first = send(&ada, from).await.json();
    }
    assert!(send(&ada, 7).await.problem(422).to_string().contains("key has 6 unanswered"));
    post(&site, &answer(&first, "decline"), &grue, json!({})).await;
    send(&ada, 7).await.json();
    let bob = key(&site).await;
    for _ in 0..6 {
        send(&bob, 9).await.json();
    }
    let carol = key(&site).await;
    assert!(send(&carol, 9).await.problem(422).to_string().contains("address already has 6"));
    for _ in 0..6 {
        send(&carol, 10).await.json();
    }
    let dave = key(&site).await;
    for _ in 0..2 {
        send(&dave, 11).await.json();
    }
    assert!(send(&dave, 11).await.problem(422).to_string().contains("Grue has 20 unanswered"));
}

#[tokio::test]
async fn key_stream_reports_opponents_who_join() {
    let site = site();
    for opponent in ["open", "link"] {
        let (white, black) = (key(&site).await, key(&site).await);
        let begun = post(&site, "/api/games", &white, json!({"variant": "chess", "opponent": opponent})).await.json();
        let mut events = stream(&site, &white).await;
        assert_eq!(next(&mut events).await.0, "game");
        let entry = match opponent {
            "open" => json!({"game": begun["id"], "name": "Rita"}),
            _ => json!({"code": begun["invite"]["code"], "name": "Rita"}),
        };
        post(&site, "/api/seats", &black, entry).await.json();
        let (name, joined) = next(&mut events).await;
        assert_eq!((name.as_str(), &joined["game"]["id"]), ("joined", &begun["id"]));
        assert_eq!((&joined["game"]["opponent"], &joined["game"]["complete"]), (&json!("Rita"), &json!(true)));
    }
}
