//! Games through the API: seats and their tokens, stale and repeated requests, clocks, streams, and concurrent actions.

use std::sync::{
    Arc,
    atomic::{AtomicI64, Ordering},
};

use axum::{
    Router,
    body::Body,
    http::{Method, Request},
};
use futures_util::StreamExt;
use rand::{SeedableRng, rngs::StdRng};
use serde_json::{Value, json};
use tower::ServiceExt;
use zorkmid::{
    play::Play,
    registry::VARIANTS,
    web::{App, Options, router},
};

use super::{Answer, PATIENCE, ask, get, patient, site, store, until};

pub(super) fn posting(path: &str, token: Option<&str>, body: &Value) -> Request<Body> {
    let request = Request::builder().method(Method::POST).uri(path).header("host", "zork.example");
    let request =
        token.into_iter().fold(request, |request, token| request.header("authorization", format!("Bearer {token}")));
    request.header("content-type", "application/json").body(Body::from(body.to_string())).unwrap()
}

pub(super) async fn post(site: &Router, path: &str, token: Option<&str>, body: Value) -> Answer {
    ask(site, posting(path, token, &body)).await
}

/// A game with both seats taken: its id and the tokens of seats one and two.
pub(super) struct Pair {
    pub(super) id: String,
    pub(super) tokens: [String; 2],
}

pub(super) async fn begin(site: &Router, body: Value) -> Pair {
    let begun = post(site, "/api/games", None, body).await;
    assert_eq!(begun.status, 201, "{}", begun.body);
    let begun = begun.json();
    let sat = post(site, "/api/seats", None, json!({"code": begun["invite"]["code"]})).await.json();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    Pair { id: text(&begun["id"]), tokens: [text(&begun["seats"][0]["token"]), text(&sat["token"])] }
}

impl Pair {
    pub(super) async fn act(&self, site: &Router, seat: usize, ply: usize, action: &str) -> Answer {
        let path = format!("/api/games/{}/actions", self.id);
        post(site, &path, Some(&self.tokens[seat]), json!({"ply": ply, "action": action})).await
    }

    pub(super) async fn look(&self, site: &Router) -> Value {
        get(site, &format!("/api/games/{}", self.id)).await.json()
    }
}

#[tokio::test]
async fn list_of_variants_is_complete() {
    let list = get(&site(), "/api/variants").await.json();
    let keys: Vec<&str> =
        list["variants"].as_array().unwrap().iter().map(|variant| variant["key"].as_str().unwrap()).collect();
    assert_eq!(keys, VARIANTS.iter().map(|variant| variant.key).collect::<Vec<_>>());
    for variant in list["variants"].as_array().unwrap() {
        for option in variant["options"].as_array().unwrap() {
            let default = &option["default"];
            let fits = match option["type"].as_str().unwrap() {
                "bool" => default.is_boolean(),
                "integer" => default.is_i64(),
                "text" => default.is_string(),
                other => panic!("{other}"),
            };
            assert!(fits, "{option}");
        }
        assert!(!variant["presets"].as_array().unwrap().is_empty());
    }
}

#[tokio::test]
async fn game_of_chess_is_played_to_mate() {
    let site = site();
    let game = begin(&site, json!({"variant": "chess"})).await;
    for (ply, action) in ["f2f3", "e7e5", "g2g4", "Qh4#"].into_iter().enumerate() {
        assert_eq!(game.act(&site, ply % 2, ply, action).await.status, 200);
    }
    let over = game.look(&site).await;
    assert_eq!(over["outcome"], json!({"winner": "two", "reason": "checkmate"}));
    assert_eq!(over["score"], json!({"one": "0", "two": "1"}));
    assert_eq!(over["turn"], json!({"awaits": [], "phase": "over"}));
    assert_eq!(over["view"]["diagram"]["sheet"][3]["text"], "Qh4#");
    assert_eq!(over["view"]["diagram"]["sheet"][3]["action"], "d8h4");
    assert_eq!(over["view"]["diagram"]["last"], json!(["d8", "h4"]));
    game.act(&site, 0, 4, "e2e4").await.problem(422);
    for seat in [0, 1] {
        assert_eq!(game.act(&site, seat, 4, "rematch").await.status, 200);
    }
    let rematch = game.look(&site).await["rematch"].as_str().unwrap().to_owned();
    let again = get(&site, &format!("/api/games/{rematch}")).await.json();
    assert_eq!((again["variant"].as_str(), again["ply"].as_u64()), (Some("chess"), Some(0)));

    // Each player's invitation leads to the other seat, once. Other clients see none.
    let public = get(&site, &format!("/api/games/{}", game.id)).await.json();
    assert_eq!((public["rematch"].as_str(), &public["rematch_invite"]), (Some(rematch.as_str()), &Value::Null));
    for (seat, other) in [(0, "two"), (1, "one")] {
        let own = ask(&site, looking(&game.id, &game.tokens[seat])).await.json();
        let sat = post(&site, "/api/seats", None, json!({"code": own["rematch_invite"]})).await.json();
        assert_eq!((sat["id"].as_str(), sat["seat"].as_str()), (Some(rematch.as_str()), Some(other)));
        post(&site, "/api/seats", None, json!({"code": own["rematch_invite"]})).await.problem(422);
    }
}

pub(super) fn looking(id: &str, token: &str) -> Request<Body> {
    let request = Request::builder().uri(format!("/api/games/{id}")).header("host", "zork.example");
    request.header("authorization", format!("Bearer {token}")).body(Body::empty()).unwrap()
}

#[tokio::test]
async fn seats_need_tokens_and_invitations_work_once() {
    let site = site();
    let begun = post(&site, "/api/games", None, json!({"variant": "chess", "seat": "two"})).await.json();
    assert_eq!(begun["seats"].as_array().unwrap().len(), 1);
    assert_eq!(begun["seats"][0]["seat"], "two");
    let (id, code) = (begun["id"].as_str().unwrap(), begun["invite"]["code"].as_str().unwrap());
    let own = begun["seats"][0]["token"].as_str().unwrap();
    let sat = post(&site, "/api/seats", None, json!({"code": format!(" {} ", code.to_uppercase())})).await;
    assert_eq!((sat.status.as_u16(), &sat.json()["seat"]), (200, &json!("one")));
    let problem = post(&site, "/api/seats", None, json!({"code": code})).await.problem(422);
    assert_eq!(problem["field"], "code");
    post(&site, "/api/seats", None, json!({"code": "nonsense"})).await.problem(404);
    let (path, acting) = (format!("/api/games/{id}"), format!("/api/games/{id}/actions"));
    let body = json!({"ply": 0, "action": "e2e4"});
    post(&site, &acting, None, body.clone()).await.problem(401);
    post(&site, &acting, Some("AAAAAAAAAAAAAAAAAAAAAA"), body.clone()).await.problem(401);
    post(&site, &acting, Some("rubbish"), body.clone()).await.problem(401);
    post(&site, &acting, Some(own), body).await.problem(422);
    post(&site, "/api/games/none/actions", Some(own), json!({"ply": 0, "action": "e2e4"})).await.problem(404);
    let seen = get(&site, &path).await;
    assert!(
        !seen.body.contains(own)
            && !seen.body.contains(sat.json()["token"].as_str().unwrap())
            && !seen.body.contains(code)
    );
    assert_eq!(seen.json()["seat"], Value::Null);
    assert!(seen.json().get("actions").is_none());
}

#[tokio::test]
async fn invalid_new_games_are_refused_by_field() {
    let site = site();
    let wrong = [
        (json!({"variant": "checkers"}), 422, "variant"),
        (json!({"variant": "chess", "seat": "three"}), 422, "seat"),
        (json!({"variant": "chess", "opponent": "bot:oracle"}), 422, "opponent"),
        (json!({"variant": "chess", "opponent": "program:Unknown"}), 422, "opponent"),
        (json!({"variant": "chess", "clock": {"days": 0}}), 422, "clock"),
        (json!({"variant": "chess", "clock": "fast"}), 422, "clock"),
        (json!({"variant": "chess", "clock": [null]}), 422, "clock"),
        (json!({"variant": "chess", "options": {"wings": true}}), 422, "options.wings"),
        (json!({"variant": "lrs", "options": {"random": "yes"}}), 422, "options.random"),
        (json!({"variant": "chess", "options": {"fen": "8/8/8/8/8/8/8/8 w - - 0 1"}}), 422, "options.fen"),
        (json!({"variant": "chess", "name": "a\u{202e}b"}), 422, "name"),
        (json!({"variant": "chess", "colour": "red"}), 400, "colour"),
        (json!({}), 400, "variant"),
        (json!([]), 400, "body"),
    ];
    for (body, status, field) in wrong {
        let problem = post(&site, "/api/games", None, body.clone()).await.problem(status);
        assert_eq!(problem["field"], field, "{body}: {problem}");
    }
}

#[tokio::test]
async fn stale_action_returns_the_current_game() {
    let site = site();
    let options = json!({"scheme": "open", "panel": true, "fen": "3k3R/8/3K4/8/8/8/8/8 w - - 0 1"});
    let game = begin(&site, json!({"variant": "bidding", "options": options})).await;
    let stale = posting(
        &format!("/api/games/{}/actions", game.id),
        Some(&game.tokens[0]),
        &json!({"ply": 7, "action": "bid 1"}),
    );
    let stale = ask(&site, stale).await.problem(409);
    assert!(stale["game"].get("panel").is_some(), "{stale}");
}

#[tokio::test]
async fn stale_and_repeated_requests_change_nothing() {
    let site = site();
    let game = begin(&site, json!({"variant": "chess"})).await;
    let path = format!("/api/games/{}/actions", game.id);
    let keyed = |ply: usize, action: &str, key: &str| {
        let mut request = posting(&path, Some(&game.tokens[0]), &json!({"ply": ply, "action": action}));
        request.headers_mut().insert("idempotency-key", key.parse().unwrap());
        request
    };
    let first = ask(&site, keyed(0, "e2e4", "k1")).await;
    let again = ask(&site, keyed(0, "e2e4", "k1")).await;
    assert_eq!((first.status.as_u16(), again.status.as_u16()), (200, 200));
    assert_eq!(first.json(), again.json());
    for (ply, action) in [(0, "d2d4"), (1, "e2e4")] {
        let other = ask(&site, keyed(ply, action, "k1")).await.problem(422);
        assert_eq!(other["field"], "Idempotency-Key", "{other}");
    }
    let stale = ask(&site, keyed(0, "d2d4", "k2")).await.problem(409);
    assert_eq!((stale["ply"].as_u64(), stale["game"]["ply"].as_u64()), (Some(1), Some(1)));
    assert_eq!(game.look(&site).await["version"], first.json()["version"]);
    let problem = game.act(&site, 1, 1, "e7e4").await.problem(422);
    assert_eq!((problem["field"].as_str(), problem["at"].as_u64()), (Some("action"), Some(2)));
    game.act(&site, 1, 1, &"e".repeat(5_000)).await.problem(422);
}

#[tokio::test]
async fn one_of_two_concurrent_actions_wins() {
    let site = site();
    let game = begin(&site, json!({"variant": "chess"})).await;
    for ply in 0..6 {
        let action = ["g1f3", "g8f6", "f3g1", "f6g8"][ply % 4];
        let racers = (0..8).map(|_| game.act(&site, ply % 2, ply, action));
        let mut statuses: Vec<u16> =
            futures_util::future::join_all(racers).await.iter().map(|answer| answer.status.as_u16()).collect();
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 409, 409, 409, 409, 409, 409, 409]);
    }
    assert_eq!(game.look(&site).await["ply"], 6);
}

/// A site whose clock the test sets.
pub(super) fn timed() -> (Router, Arc<AtomicI64>, Play) {
    let time = Arc::new(AtomicI64::new(1_000_000));
    let clock = time.clone();
    let play = Play::new(StdRng::seed_from_u64(3), store(), move || clock.load(Ordering::SeqCst));
    (router(App::new(patient(), play.clone(), Arc::default())), time, play)
}

#[tokio::test]
async fn clock_runs_for_the_seat_to_move_and_flags_without_viewers() {
    let (site, time, play) = timed();
    let game = begin(&site, json!({"variant": "chess", "clock": [{"initial": 60, "increment": 5}, {"days": 1}]})).await;
    let pass = |milliseconds: i64| time.fetch_add(milliseconds, Ordering::SeqCst);
    // No clock runs until the first move, which earns no increment.
    pass(2_000_000);
    play.check_all_clocks().await.unwrap();
    let clocks = game.look(&site).await["clocks"].clone();
    assert_eq!(
        clocks["one"],
        json!({
            "control": {"initial_ms": 60_000, "increment_ms": 5_000, "initial": 60, "increment": 5},
            "remaining_ms": 60_000, "remaining": 60_000, "deadline": null,
        })
    );
    assert_eq!(game.act(&site, 0, 0, "e2e4").await.status, 200);
    let clocks = game.look(&site).await["clocks"].clone();
    assert_eq!((&clocks["one"]["remaining"], &clocks["one"]["deadline"]), (&json!(60_000), &Value::Null));
    assert_eq!(clocks["two"]["deadline"].as_i64(), Some(time.load(Ordering::SeqCst) + 86_400_000));
    pass(1_000_000);
    assert_eq!(game.act(&site, 1, 1, "e7e5").await.status, 200);
    let clocks = game.look(&site).await["clocks"].clone();
    assert_eq!(clocks["one"]["remaining"], 60_000);
    assert_eq!(clocks["one"]["deadline"].as_i64(), Some(time.load(Ordering::SeqCst) + 60_000));
    assert_eq!(
        clocks["two"],
        json!({
            "control": {"move_ms": 86_400_000, "days": 1},
            "remaining_ms": 86_400_000, "remaining": 86_400_000, "deadline": null,
        })
    );
    pass(59_999);
    play.check_all_clocks().await.unwrap();
    assert_eq!(game.look(&site).await["outcome"], Value::Null);
    pass(1);
    play.check_all_clocks().await.unwrap();
    assert_eq!(game.look(&site).await["outcome"], json!({"winner": "two", "reason": "time"}));
}

#[tokio::test]
async fn two_simultaneous_flags_are_a_draw() {
    let (site, time, play) = timed();
    let body = json!({"variant": "bidding", "options": {"scheme": "secret"}, "clock": {"days": 1}});
    let game = begin(&site, body).await;
    for (ply, seat, action) in [(0, 0, "bid 3"), (0, 1, "bid 2"), (1, 0, "e2e4")] {
        assert_eq!(game.act(&site, seat, ply, action).await.status, 200, "{action}");
    }
    time.fetch_add(86_399_999, Ordering::SeqCst);
    play.check_all_clocks().await.unwrap();
    assert_eq!(game.look(&site).await["turn"]["awaits"], json!(["one", "two"]));
    time.fetch_add(1, Ordering::SeqCst);
    play.check_all_clocks().await.unwrap();
    let over = game.look(&site).await;
    assert_eq!(over["outcome"], json!({"winner": null, "reason": "time"}));
    assert_eq!(over["score"], json!({"one": "1/2", "two": "1/2"}));
}

#[tokio::test]
async fn stream_resumed_late_gets_every_version() {
    let site = site();
    let game = begin(&site, json!({"variant": "chess"})).await;
    for ply in 0..12 {
        for word in ["draw", "withdraw"].repeat(12) {
            assert_eq!(game.act(&site, ply % 2, ply, word).await.status, 200);
        }
        let step = ["g1f3", "b8c6", "f3g1", "c6b8"][ply % 4];
        assert_eq!(game.act(&site, ply % 2, ply, step).await.status, 200);
    }
    let now = game.look(&site).await["version"].as_i64().unwrap();
    let mut request = super::request(Method::GET, &format!("/api/games/{}/events", game.id));
    request.headers_mut().insert("last-event-id", "1".parse().unwrap());
    let last = format!("id: {now}\n");
    let said = stream(&site, request, |said| said.contains(&last)).await;
    let ids: Vec<i64> = said.lines().filter_map(|line| line.strip_prefix("id: ")?.parse().ok()).collect();
    assert_eq!(ids, (2..=now).collect::<Vec<_>>());
}

#[tokio::test]
async fn move_after_the_deadline_is_refused() {
    let (site, time, _) = timed();
    let game = begin(&site, json!({"variant": "chess", "clock": {"initial": 1, "increment": 0}})).await;
    game.act(&site, 0, 0, "e2e4").await.json();
    time.fetch_add(1_000, Ordering::SeqCst);
    game.act(&site, 1, 1, "e7e5").await.problem(409);
    assert_eq!(game.look(&site).await["outcome"]["winner"], "one");
}

#[tokio::test]
async fn taking_a_seat_starts_no_clock_and_a_sealed_choice_does() {
    let (site, time, play) = timed();
    let wanted = json!({"variant": "chess", "clock": {"initial": 60, "increment": 0}});
    let host = post(&site, "/api/games", None, wanted).await.json();
    let path = format!("/api/games/{}", host["id"].as_str().unwrap());
    let own = host["seats"][0]["token"].as_str().unwrap();
    let act = json!({"ply": 0, "action": "d2d4"});
    // The waiting player may move already. The clock of an empty seat does not run.
    post(&site, &format!("{path}/actions"), Some(own), act).await.json();
    let sat = post(&site, "/api/seats", None, json!({"code": host["invite"]["code"]})).await.json();
    time.fetch_add(3_600_000, Ordering::SeqCst);
    play.check_all_clocks().await.unwrap();
    let clocks = get(&site, &path).await.json()["clocks"].clone();
    assert_eq!((&clocks["one"]["deadline"], &clocks["two"]["deadline"]), (&Value::Null, &Value::Null));
    // Until then, either side may abort. An offer is not a move.
    let act = |action: &str| json!({"ply": 1, "action": action});
    post(&site, &format!("{path}/actions"), Some(own), act("draw")).await.json();
    assert_eq!(get(&site, &path).await.json()["clocks"], clocks);
    post(&site, &format!("{path}/actions"), sat["token"].as_str(), act("g8f6")).await.json();
    let clocks = get(&site, &path).await.json()["clocks"].clone();
    assert_eq!(clocks["one"]["deadline"].as_i64(), Some(time.load(Ordering::SeqCst) + 60_000));

    let game = begin(&site, json!({"variant": "bookie", "clock": {"initial": 60, "increment": 0}})).await;
    time.fetch_add(3_600_000, Ordering::SeqCst);
    let ply = game.look(&site).await["ply"].as_u64().unwrap() as usize;
    assert_eq!(game.look(&site).await["clocks"]["one"]["deadline"], Value::Null);
    game.act(&site, 1, ply, "bid 40").await.json();
    let clocks = game.look(&site).await["clocks"].clone();
    assert_eq!(clocks["one"]["deadline"].as_i64(), Some(time.load(Ordering::SeqCst) + 60_000));
    assert_eq!(clocks["two"]["deadline"], Value::Null);
    assert_eq!(game.act(&site, 0, ply, "abort").await.json()["outcome"]["reason"], "aborted");
}

#[tokio::test]
async fn offers_are_made_and_answered() {
    let site = site();
    let game = begin(&site, json!({"variant": "chess"})).await;
    game.act(&site, 0, 0, "takeback").await.problem(422);
    game.act(&site, 0, 0, "e2e4").await;
    let offered = game.act(&site, 0, 1, "takeback").await.json();
    assert_eq!((offered["offers"]["takeback"].as_str(), offered["ply"].as_u64()), (Some("one"), Some(1)));
    let number = offered["offers"]["takeback_number"].as_u64().unwrap();
    game.act(&site, 1, 1, &format!("accept {}", number + 1)).await.problem(422);
    assert_eq!(game.act(&site, 1, 1, &format!("accept {number}")).await.json()["ply"], 0);
    game.act(&site, 0, 0, "d2d4").await;
    game.act(&site, 1, 1, "draw").await;
    let declined = game.act(&site, 0, 1, "decline").await.json();
    assert_eq!((&declined["offers"]["draw"], &declined["offers"]["declined"]), (&Value::Null, &json!("two")));
    // Only the player who made an offer can withdraw it.
    game.act(&site, 0, 1, "draw").await;
    assert_eq!(game.act(&site, 1, 1, "withdraw").await.status, 422);
    let withdrawn = game.act(&site, 0, 1, "withdraw").await.json();
    assert_eq!((&withdrawn["offers"]["draw"], &withdrawn["offers"]["declined"]), (&Value::Null, &Value::Null));
    assert_eq!(game.act(&site, 0, 1, "withdraw").await.status, 422);
    game.act(&site, 0, 1, "draw").await;
    assert_eq!(game.act(&site, 1, 1, "draw").await.json()["outcome"], json!({"winner": null, "reason": "agreement"}));
    let other = begin(&site, json!({"variant": "chess"})).await;
    assert_eq!(other.act(&site, 1, 0, "abort").await.json()["outcome"]["reason"], "aborted");
}

/// Text of a stream, up to the point where `enough` returns true.
pub(super) async fn stream(site: &Router, request: Request<Body>, enough: impl Fn(&str) -> bool) -> String {
    let mut body = site.clone().oneshot(request).await.unwrap().into_body().into_data_stream();
    let mut said = String::new();
    let reading = async {
        while let Some(Ok(bytes)) = body.next().await {
            said.push_str(&String::from_utf8_lossy(&bytes));
            if enough(&said) {
                break;
            }
        }
    };
    tokio::time::timeout(PATIENCE, reading).await.expect("enough of the stream arrives");
    said
}

#[tokio::test]
async fn stream_resumes_after_the_last_event() {
    let site = site();
    let game = begin(&site, json!({"variant": "chess"})).await;
    let path = format!("/api/games/{}/events", game.id);
    let listen = |last: Option<&str>| {
        let request = Request::builder().uri(&path).header("host", "zork.example");
        last.into_iter()
            .fold(request, |request, last| request.header("last-event-id", last))
            .body(Body::empty())
            .unwrap()
    };
    let ids =
        |said: &str| -> Vec<i64> { said.lines().filter_map(|line| line.strip_prefix("id: ")?.parse().ok()).collect() };
    let first = stream(&site, listen(None), |said| said.contains("\n\n")).await;
    assert_eq!(ids(&first), [1], "the seat that was taken is version 1");
    let following = tokio::spawn({
        let (site, request) = (site.clone(), listen(Some("1")));
        async move { stream(&site, request, |said| said.contains("id: 4\n")).await }
    });
    for (ply, action) in ["e2e4", "e7e5", "g1f3"].into_iter().enumerate() {
        assert_eq!(game.act(&site, ply % 2, ply, action).await.status, 200);
    }
    assert_eq!(ids(&following.await.unwrap()), [2, 3, 4]);
    assert_eq!(ids(&stream(&site, listen(Some("2")), |said| said.contains("id: 4\n")).await), [3, 4]);
    assert_eq!(ids(&stream(&site, listen(Some("99")), |said| said.contains("\n\n")).await), [4]);
    let mut lines = listen(Some("1"));
    lines.headers_mut().insert("accept", "application/x-ndjson".parse().unwrap());
    let said = stream(&site, lines, |said| said.matches('\n').count() == 3).await;
    let versions: Vec<Value> =
        said.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["version"].clone()).collect();
    assert_eq!(versions, [2, 3, 4]);
    let mut whole = game.look(&site).await;
    whole["type"] = json!("game");
    assert_eq!(serde_json::from_str::<Value>(said.lines().last().unwrap()).unwrap(), whole);
}

#[tokio::test]
async fn json_lines_are_sent_to_clients_that_prefer_them() {
    let site = site();
    let game = begin(&site, json!({"variant": "chess"})).await;
    let kind = async |accept: Option<&str>| {
        let mut request = super::request(Method::GET, &format!("/api/games/{}/events", game.id));
        if let Some(accept) = accept {
            request.headers_mut().insert("accept", accept.parse().unwrap());
        }
        let answer = site.clone().oneshot(request).await.unwrap();
        assert_eq!(answer.status(), 200);
        answer.headers()["content-type"].to_str().unwrap().to_owned()
    };
    let (lines, events) = ("application/x-ndjson", "text/event-stream");
    for (accept, wanted) in [
        (lines.to_owned(), lines),
        (format!("{lines}, {events}"), lines),
        (format!("{events}, {lines}"), events),
        (format!("{events};q=0.5, {lines};q=0.9"), lines),
        (format!("{events}, {lines};q=0"), events),
        ("*/*".to_owned(), events),
        ("application/*".to_owned(), lines),
        ("text/html".to_owned(), events),
        (String::new(), events),
    ] {
        assert_eq!(kind(Some(&accept)).await, wanted, "{accept}");
    }
    assert_eq!(kind(None).await, events);
}

#[tokio::test]
async fn streams_end_with_the_server_and_are_limited_by_address() {
    let play = Play::new(StdRng::seed_from_u64(3), store(), super::now);
    let app = App::new(Options { streams_per_address: 2, ..patient() }, play, Arc::default());
    let site = router(app.clone());
    let game = begin(&site, json!({"variant": "chess"})).await;
    let listen = || super::request(Method::GET, &format!("/api/games/{}/events", game.id));
    let mut bodies = Vec::new();
    for _ in 0..2 {
        bodies.push(site.clone().oneshot(listen()).await.unwrap().into_body().into_data_stream());
    }
    ask(&site, listen()).await.problem(429);
    app.closing.cancel();
    for mut body in bodies {
        let rest = async { while body.next().await.is_some() {} };
        tokio::time::timeout(PATIENCE, rest).await.expect("streams end when the server stops");
    }
}

#[tokio::test]
async fn bots_act_in_every_variant() {
    let site = site();
    for variant in VARIANTS {
        for bot in ["bot:random", "bot:gambler"] {
            let begun =
                post(&site, "/api/games", None, json!({"variant": variant.key, "opponent": bot, "seat": "two"}))
                    .await
                    .json();
            assert_eq!(begun["invite"], Value::Null);
            let path = format!("/api/games/{}", begun["id"].as_str().unwrap());
            until(&format!("{} {bot} answers", variant.key), async || {
                let game = get(&site, &path).await.json();
                !game["turn"]["awaits"].as_array().unwrap().contains(&json!("one"))
            })
            .await;
        }
    }
}

/// The type of a 422 names the cause, and leads to its entry in the documentation.
#[tokio::test]
async fn refusals_name_their_cause() {
    let site = site();
    let game = begin(&site, json!({"variant": "chess"})).await;
    let docs = get(&site, "/docs/errors").await;
    let wrong = [
        ("options", post(&site, "/api/games", None, json!({"variant": "bidding", "options": {"white": -1}})).await),
        ("clock", post(&site, "/api/games", None, json!({"variant": "chess", "clock": {"days": 0}})).await),
        ("body", post(&site, "/api/games", None, json!({"variant": "checkers"})).await),
        ("rules", game.act(&site, 0, 0, "e2e5").await),
        ("key", {
            let mut request = posting("/api/games", None, &json!({"variant": "chess"}));
            request.headers_mut().insert("idempotency-key", "short".parse().unwrap());
            ask(&site, request).await
        }),
    ];
    for (cause, answer) in wrong {
        let problem = answer.problem(422);
        assert_eq!(problem["type"], format!("/docs/errors#{cause}"), "{problem}");
        let entry = format!("<dt id=\"{cause}\">422 · {}</dt>", problem["title"].as_str().unwrap());
        assert!(docs.page(200).contains(&entry), "{entry}");
    }
}
