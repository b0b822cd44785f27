//! Conditional moves: replies that the server plays for a player of a correspondence game.

use super::{
    Answer,
    api::{Pair, begin, looking, post},
    ask, get, own_form, patient, request, site, store, tables, until,
};
use axum::{
    Router,
    body::Body,
    http::{Method, Request},
};
use rand::{SeedableRng, rngs::StdRng};
use serde_json::{Value, json};
use std::sync::Arc;
use zorkmid::{
    play::Play,
    store::{ConditionalMovesRow, ConditionalMovesUpdate, Store},
    web::{App, router},
};

/// A site on a store, as a server that has just started.
fn site_on(store: &Store) -> (Arc<App>, Router) {
    let play = Play::new(StdRng::seed_from_u64(7), store.clone(), || 1_700_000_000_000);
    let app = App::new(patient(), play, tables::tables());
    (app.clone(), router(app))
}

/// A game of chess with days per move, after these moves.
async fn game(site: &Router, moves: &[&str]) -> Pair {
    let game = begin(site, json!({"variant": "chess", "clock": {"days": 2}})).await;
    for (ply, action) in moves.iter().enumerate() {
        assert_eq!(game.act(site, ply % 2, ply, action).await.status, 200);
    }
    game
}

async fn send(site: &Router, method: Method, game: &Pair, token: Option<&str>, body: Option<Value>) -> Answer {
    let path = format!("/api/games/{}/conditional_moves", game.id);
    let request = Request::builder().method(method).uri(path).header("host", "zork.example");
    let request = match token {
        Some(token) => request.header("authorization", format!("Bearer {token}")),
        None => request,
    };
    let request = request.header("content-type", "application/json");
    let body = body.map_or_else(Body::empty, |body| Body::from(body.to_string()));
    ask(site, request.body(body).unwrap()).await
}

async fn set(site: &Router, game: &Pair, seat: usize, ply: usize, lines: Value) -> Answer {
    send(site, Method::PUT, game, Some(&game.tokens[seat]), Some(json!({"ply": ply, "lines": lines}))).await
}

async fn stored(site: &Router, game: &Pair, seat: usize) -> Value {
    send(site, Method::GET, game, Some(&game.tokens[seat]), None).await.json()
}

async fn ply(site: &Router, game: &Pair) -> u64 {
    game.look(site).await["ply"].as_u64().unwrap()
}

async fn until_ply(site: &Router, game: &Pair, wanted: u64) {
    until(&format!("ply {wanted}"), async || ply(site, game).await == wanted).await;
}

#[tokio::test]
async fn reply_follows_the_opponents_move() {
    let site = site();
    let game = game(&site, &["e2e4"]).await;
    let lines = json!([["e5", "Nf3", "Nc6", "Bb5"], ["e5", "Nf3", "d6", "d4"], ["c5", "Nc3"], ["e5", "Nf3"]]);
    let set = set(&site, &game, 0, 1, lines).await.json();
    let kept = json!({
        "ply": 1,
        "lines": [["e7e5", "g1f3", "b8c6", "f1b5"], ["e7e5", "g1f3", "d7d6", "d2d4"], ["c7c5", "b1c3"]],
        "notation": [["e5", "Nf3", "Nc6", "Bb5"], ["e5", "Nf3", "d6", "d4"], ["c5", "Nc3"]],
    });
    assert_eq!(set, kept, "a line that others continue is dropped");
    assert_eq!(stored(&site, &game, 0).await, kept);
    let answer = game.act(&site, 1, 1, "e7e5").await.json();
    assert_eq!(answer["ply"], 2, "the answer to the opponent's action is as always");
    until_ply(&site, &game, 3).await;
    let rest = stored(&site, &game, 0).await;
    assert_eq!((&rest["ply"], &rest["notation"]), (&json!(3), &json!([["Nc6", "Bb5"], ["d6", "d4"]])));
    game.act(&site, 1, 3, "d7d6").await.json();
    until_ply(&site, &game, 5).await;
    assert_eq!(stored(&site, &game, 0).await["lines"], json!([]));
    let moves = game.look(&site).await["view"]["diagram"]["sheet"].clone();
    let moves: Vec<&str> = moves.as_array().unwrap().iter().map(|entry| entry["text"].as_str().unwrap()).collect();
    assert_eq!(moves, ["e4", "e5", "Nf3", "d6", "d4"]);
}

#[tokio::test]
async fn both_players_have_lines_and_each_ends_with_another_move() {
    let store = store();
    let (app, site) = site_on(&store);
    let game = game(&site, &["e2e4"]).await;
    set(&site, &game, 0, 1, json!([["e5", "Nf3", "Nc6", "Bb5"]])).await.json();
    game.act(&site, 1, 1, "e7e5").await.json();
    until_ply(&site, &game, 3).await;
    game.act(&site, 1, 3, "g8f6").await.json();
    set(&site, &game, 1, 4, json!([["Nxe5", "d6"]])).await.json();
    until("the lines are deleted", async || app.play.store().conditional_moves(&game.id).await.unwrap().len() == 1)
        .await;
    assert_eq!(ply(&site, &game).await, 4, "White has left its line");
    game.act(&site, 0, 4, "f3e5").await.json();
    until_ply(&site, &game, 6).await;
    app.play.resume_conditional_moves().await.unwrap();
    assert!(app.play.store().conditional_moves(&game.id).await.unwrap().is_empty());
}

#[tokio::test]
async fn nothing_shows_the_lines_to_others() {
    let (_, site) = site_on(&store());
    let plain = game(&site, &["e2e4"]).await;
    let planned = game(&site, &["e2e4"]).await;
    let lines = json!([["e5", "Nf3"]]);
    assert_eq!(set(&site, &planned, 0, 1, lines.clone()).await.status, 200);
    send(&site, Method::GET, &planned, None, None).await.problem(401);
    send(&site, Method::PUT, &planned, None, Some(json!({"ply": 1, "lines": lines}))).await.problem(401);
    send(&site, Method::DELETE, &planned, Some(&plain.tokens[0]), None).await.problem(401);
    assert_eq!(stored(&site, &planned, 1).await, stored(&site, &plain, 1).await);
    let seen = async |game: &Pair, answer: Answer| {
        let names = answer.headers.keys().map(|name| name.to_string()).collect::<Vec<_>>();
        (answer.status, names, answer.body.replace(&game.id, "ID"))
    };
    // Every view of the two games is the same, and so is the answer to an action.
    for viewer in [Some(1), None] {
        let view = async |game: &Pair| match viewer {
            Some(seat) => seen(game, ask(&site, looking(&game.id, &game.tokens[seat])).await).await,
            None => seen(game, get(&site, &format!("/api/games/{}", game.id)).await).await,
        };
        assert_eq!(view(&plain).await, view(&planned).await);
    }
    for path in ["record.json", "record.pgn"] {
        let record = async |game: &Pair| {
            let mut asked = request(Method::GET, &format!("/api/games/{}/{path}", game.id));
            asked.headers_mut().insert("authorization", format!("Bearer {}", game.tokens[1]).parse().unwrap());
            ask(&site, asked).await.body
        };
        for body in [record(&plain).await, record(&planned).await] {
            assert!(!body.contains("g1f3") && !body.contains("Nf3") && !body.contains("conditional"), "{body}");
        }
    }
    let (one, two) = (plain.act(&site, 1, 1, "e7e5").await, planned.act(&site, 1, 1, "e7e5").await);
    assert_eq!(seen(&plain, one).await, seen(&planned, two).await);
}

#[tokio::test]
async fn reply_is_played_after_a_restart() {
    let store = store();
    let (_, site) = site_on(&store);
    let game = game(&site, &["e2e4", "e7e5"]).await;
    // A server that stopped between the opponent's move and the reply has left this.
    let row = ConditionalMovesRow {
        game: game.id.clone(),
        seat: "one".to_owned(),
        ply: 1,
        takebacks: 0,
        lines: r#"[["e7e5","g1f3"],["e7e6","d2d4"]]"#.to_owned(),
    };
    store.update_conditional_moves(ConditionalMovesUpdate::Set(row)).await.unwrap();
    let (app, site) = site_on(&store);
    app.play.resume_conditional_moves().await.unwrap();
    assert_eq!(ply(&site, &game).await, 3);
    app.play.resume_conditional_moves().await.unwrap();
    assert_eq!(ply(&site, &game).await, 3, "no reply is played twice");
    assert!(store.conditional_moves(&game.id).await.unwrap().is_empty());
}

#[tokio::test]
async fn impossible_lines_are_refused() {
    let site = site();
    let game = game(&site, &["e2e4"]).await;
    let refused = async |lines: Value| {
        let problem = set(&site, &game, 0, 1, lines).await.problem(422);
        assert_eq!(problem["field"], "lines");
        problem["detail"].as_str().unwrap().to_owned()
    };
    let illegal = refused(json!([["e5", "Nf6"]])).await;
    assert!(
        illegal.starts_with("The line “e5 Nf6” is not possible at half-move 2: “Nf6” is not a legal move here"),
        "{illegal}"
    );
    assert!(refused(json!([["e4", "Nf3"]])).await.contains("half-move 1"));
    assert!(refused(json!([["e5", "resign"]])).await.contains("not a move"));
    assert!(refused(json!([["e5"]])).await.contains("lacks your reply"));
    assert!(refused(json!([["e5", "Nf3"], ["e7e5", "d4"]])).await.contains("two replies to e5: Nf3 and d4."));
    assert!(
        refused(json!([["f6", "Qh5", "g6", "Qxg6", "hxg6", "d4"], ["f5", "d4", "g5", "Qh5", "d5", "d4"]]))
            .await
            .contains("game is over")
    );
    let knights = ["g8f6", "g1f3", "f6g8", "f3g1"];
    let long: Vec<&str> = knights.iter().copied().cycle().take(102).collect();
    assert!(refused(json!([long])).await.contains("at most 100"));
    set(&site, &game, 0, 2, json!([])).await.problem(409);
    assert!(set(&site, &game, 1, 1, json!([])).await.problem(422)["detail"].as_str().unwrap().contains("your turn"));
    for wrong in [json!({"ply": 1}), json!({"ply": 1, "lines": "e5 Nf3"}), json!({"ply": 1, "lines": [], "x": 1})] {
        send(&site, Method::PUT, &game, Some(&game.tokens[0]), Some(wrong)).await.problem(400);
    }
    // Deleting is always possible, and an empty list deletes too.
    set(&site, &game, 0, 1, json!([["e5", "Nf3"]])).await.json();
    assert_eq!(set(&site, &game, 0, 1, json!([])).await.json()["lines"], json!([]));
    set(&site, &game, 0, 1, json!([["e5", "Nf3"]])).await.json();
    send(&site, Method::DELETE, &game, Some(&game.tokens[0]), None).await.json();
    assert_eq!(stored(&site, &game, 0).await["lines"], json!([]));
    game.act(&site, 1, 1, "e7e5").await.json();
    assert_eq!(ply(&site, &game).await, 2);
}

#[tokio::test]
async fn games_with_secrets_chance_bids_or_running_clocks_have_no_conditional_moves() {
    let site = site();
    for (variant, clock) in [
        ("fog-of-war", json!({"days": 2})),
        ("clairvoyant", json!({"days": 2})),
        ("bidding", json!({"days": 2})),
        ("bookie", json!({"days": 2})),
        ("chess", json!({"initial": 60, "increment": 0})),
    ] {
        let game = begin(&site, json!({"variant": variant, "clock": clock})).await;
        for seat in [0, 1] {
            set(&site, &game, seat, game.look(&site).await["ply"].as_u64().unwrap() as usize, json!([]))
                .await
                .problem(422);
        }
    }
    let coin = begin(&site, json!({"variant": "random-turn", "clock": {"days": 2}})).await;
    let look = coin.look(&site).await;
    let mover = if look["turn"]["awaits"] == json!(["one"]) { 0 } else { 1 };
    set(&site, &coin, 1 - mover, look["ply"].as_u64().unwrap() as usize, json!([["e4", "e5"]])).await.problem(422);
    let alone = post(&site, "/api/games", None, json!({"variant": "chess", "opponent": "self"})).await.json();
    let token = |seat: usize| alone["seats"][seat]["token"].as_str().unwrap().to_owned();
    let alone = Pair { id: alone["id"].as_str().unwrap().to_owned(), tokens: [token(0), token(1)] };
    set(&site, &alone, 1, 0, json!([["e4", "e5"]])).await.problem(422);
}

#[tokio::test]
async fn variants_of_chess_have_conditional_moves() {
    let site = site();
    for (variant, first, lines) in [
        ("crazyhouse", "e2e4", json!([["d5", "exd5", "Qxd5", "P@d6"]])),
        ("duck", "e2e4 e5", json!([["d7d5 e6", "e4d5 a3"]])),
        ("three-check", "e2e4", json!([["f6", "Qh5+"]])),
        ("shatranj", "e2e3", json!([["e6", "d3"]])),
    ] {
        let game = begin(&site, json!({"variant": variant})).await;
        assert_eq!(game.act(&site, 0, 0, first).await.status, 200, "{variant}");
        let set = set(&site, &game, 0, 1, lines).await.json();
        let reply = set["lines"][0][0].as_str().unwrap().to_owned();
        game.act(&site, 1, 1, &reply).await.json();
        until_ply(&site, &game, 3).await;
    }
}

#[tokio::test]
async fn takeback_ends_the_lines() {
    let site = site();
    let game = game(&site, &["e2e4", "e7e5", "g1f3"]).await;
    set(&site, &game, 0, 3, json!([["Nc6", "Bb5"]])).await.json();
    game.act(&site, 0, 3, "takeback").await.json();
    game.act(&site, 1, 3, "takeback").await.json();
    assert_eq!(stored(&site, &game, 0).await["lines"], json!([]));
    game.act(&site, 0, 2, "g1f3").await.json();
    assert_eq!(stored(&site, &game, 0).await["lines"], json!([]));
    game.act(&site, 1, 3, "b8c6").await.json();
    assert_eq!(ply(&site, &game).await, 4);
}

/// Sends a form of the page of conditional moves with a seat's cookie.
async fn form(site: &Router, game: &Pair, seat: usize, fields: &[(&str, &str)]) -> Answer {
    let body = form_urlencoded(fields);
    let mut form = own_form(&format!("/games/{}/conditional", game.id), body);
    form.headers_mut().insert("cookie", format!("seat-{}={}", game.id, game.tokens[seat]).parse().unwrap());
    ask(site, form).await
}

fn form_urlencoded(fields: &[(&str, &str)]) -> String {
    let mut body = String::new();
    for (name, value) in fields {
        let value: String = value.bytes().map(|byte| format!("%{byte:02X}")).collect();
        body += &format!("{}{name}={value}", if body.is_empty() { "" } else { "&" });
    }
    body
}

async fn page(site: &Router, game: &Pair, seat: usize, path: &str) -> String {
    let mut asked = request(Method::GET, &format!("/games/{}{path}", game.id));
    asked.headers_mut().insert("cookie", format!("seat-{}={}", game.id, game.tokens[seat]).parse().unwrap());
    ask(site, asked).await.page(200).to_owned()
}

#[tokio::test]
async fn lines_are_entered_on_the_board_or_typed_without_script() {
    let site = site();
    let game = game(&site, &["e2e4"]).await;
    assert!(page(&site, &game, 0, "").await.contains(&format!("href=\"/games/{}/conditional\"", game.id)));
    let first = page(&site, &game, 0, "/conditional").await;
    assert!(first.contains("Choose a move of your opponent.") && first.contains("No lines are stored."), "{first}");
    let press = async |line: &str, lines: &str, name: &str, value: &str| {
        let answer = form(&site, &game, 0, &[("ply", "1"), ("line", line), ("lines", lines), (name, value)]).await;
        answer.page(200).to_owned()
    };
    let picked = press("", "", "from", "e7").await;
    assert!(picked.contains("name=\"action\" value=\"e7e5\""), "{picked}");
    let moved = press("", "", "action", "e7e5").await;
    assert!(moved.contains("Choose your reply.") && moved.contains("name=\"line\" value=\"e7e5\""), "{moved}");
    let replied = press("e7e5", "c5 Nc3", "action", "g1f3").await;
    assert!(replied.contains("c5 Nc3\ne5 Nf3</textarea>"), "{replied}");
    let longer = press("e7e5,g1f3,b8c6", "c5 Nc3\ne5 Nf3", "action", "f1b5").await;
    assert!(longer.contains("c5 Nc3\ne5 Nf3 Nc6 Bb5</textarea>"), "{longer}");
    let shorter = press("e7e5,g1f3,b8c6", "", "do", "back").await;
    assert!(shorter.contains("value=\"e7e5,g1f3\""), "{shorter}");
    // Typed lines may have move numbers. A refusal keeps the text.
    let wrong = form(&site, &game, 0, &[("ply", "1"), ("lines", "1... e5 2. Nf6"), ("do", "save")]).await;
    let wrong = wrong.page(422);
    assert!(wrong.contains("1... e5 2. Nf6</textarea>") && wrong.contains("half-move 2"), "{wrong}");
    let saved =
        form(&site, &game, 0, &[("ply", "1"), ("lines", "1... e5 2. Nf3\r\n1...c5 2.Nc3\r\n"), ("do", "save")]).await;
    assert_eq!(
        (saved.status.as_u16(), saved.header("location")),
        (303, &*format!("/games/{}/conditional#stored", game.id))
    );
    let kept = page(&site, &game, 0, "/conditional").await;
    assert!(kept.contains("e5 Nf3\nc5 Nc3</textarea>") && kept.contains("2 lines are stored."), "{kept}");
    // The opponent's page has none of them, and theirs is the turn.
    let theirs = page(&site, &game, 1, "/conditional").await;
    assert!(theirs.contains("It is your turn") && !theirs.contains("Nf3"), "{theirs}");
    assert_eq!(get(&site, &format!("/games/{}/conditional", game.id)).await.status, 422, "spectators have none");
    assert_eq!(form(&site, &game, 0, &[("ply", "1"), ("do", "clear")]).await.status, 303);
    assert_eq!(stored(&site, &game, 0).await["lines"], json!([]));
    // A page that is out of date shows the current position and keeps the lines.
    for name in ["save", "new"] {
        let late = form(&site, &game, 0, &[("ply", "0"), ("lines", "e5 Nf3"), ("do", name)]).await;
        let late = late.page(409);
        assert!(late.contains("The game has moved on.") && late.contains("e5 Nf3</textarea>"), "{late}");
        assert!(late.contains("name=\"ply\" value=\"1\""), "{late}");
    }
    for fields in
        [&[("ply", "x")][..], &[("ply", "9"), ("from", "e7")], &[("ply", "1"), ("line", "e7e4,x"), ("from", "e7")]]
    {
        let status = form(&site, &game, 0, fields).await.status;
        assert!(status.is_client_error(), "{fields:?}: {status}");
    }
}
