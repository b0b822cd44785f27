//! Lobby: players are paired, abandoned games are skipped, and lists are the same for all viewers.

use std::sync::atomic::Ordering;

use axum::{
    body::Body,
    http::{Method, Request},
};
use serde_json::json;
use tower::ServiceExt;

use super::games::Browser;
use super::{
    Answer, Options, Router,
    api::{begin, post, timed},
    app, ask, get, patient, request, router, site,
};

const WANTED: [(&str, &str); 2] = [("variant", "chess"), ("clock", "10+5")];

/// Seeks an opponent, and returns the address of the game.
async fn find(browser: &mut Browser<'_>, fields: &[(&str, &str)]) -> String {
    let answer = browser.post("/lobby", fields).await;
    assert_eq!(answer.status, 303, "{}", answer.body);
    answer.header("location").to_owned()
}

#[tokio::test]
async fn two_seeking_players_are_paired() {
    let site = site();
    let (mut one, mut two, mut three) = (Browser::new(&site), Browser::new(&site), Browser::new(&site));
    let game = find(&mut one, &WANTED).await;
    let page = one.get(&game).await;
    assert!(page.page(200).contains("Invite a friend") && page.body.contains("viewBox=\"0 0 3"));
    // Players are not paired with themselves, and a repeated seek makes no second game.
    assert_eq!(find(&mut one, &WANTED).await, game);
    // A different time control, variant or option does not match.
    let other = find(&mut three, &[("variant", "chess"), ("clock", "3d")]).await;
    assert_ne!(other, game);
    let mut host = Browser::new(&site);
    let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    host.begin(&[("variant", "chess"), ("opponent", "open"), ("clock", "10+5"), ("option-fen", fen)]).await;
    assert_eq!(find(&mut two, &WANTED).await, game);
    assert_eq!((one.tokens(&game).len(), two.tokens(&game).len()), (1, 1));
    assert!(!two.get(&game).await.page(200).contains("Invite a friend"));
    // Concurrent seeks are paired one with another.
    let searches = (0..8).map(|_| async {
        let mut browser = Browser::new(&site);
        find(&mut browser, &[("variant", "lrs"), ("clock", "none")]).await
    });
    let mut games = futures_util::future::join_all(searches).await;
    games.sort();
    for pair in games.chunks(2) {
        assert_eq!(pair[0], pair[1]);
    }
    games.dedup();
    assert_eq!(games.len(), 4);
    for (fields, typed) in [
        (&[("variant", "checkers"), ("clock", "3+2")][..], "value=\"3+2\" selected"),
        (&[("variant", "lrs"), ("clock", "soon")], "value=\"lrs\" selected"),
        (&[("variant", "lrs"), ("clock", "3d"), ("name", "x\u{202e}y")], "value=\"3d\" selected"),
    ] {
        let page = one.post("/lobby", fields).await;
        assert!(page.page(422).contains("role=\"alert\"") && page.body.contains(typed), "{fields:?}");
    }
}

#[tokio::test]
async fn abandoned_open_games_are_skipped() {
    let (site, time, _) = timed();
    let (mut one, mut two, mut three) = (Browser::new(&site), Browser::new(&site), Browser::new(&site));
    let left = find(&mut one, &WANTED).await;
    time.fetch_add(60_000, Ordering::SeqCst);
    // The host has gone, because the browser has sent no request.
    let fresh = find(&mut two, &WANTED).await;
    assert_ne!(fresh, left);
    for _ in 0..4 {
        time.fetch_add(15_000, Ordering::SeqCst);
        assert!(two.get("/rules/chess").await.body.contains("data-state=\"waiting\""));
    }
    assert_eq!(find(&mut three, &WANTED).await, fresh);
    // A correspondence game waits for days.
    let slow = [("variant", "chess"), ("clock", "3d")];
    let game = find(&mut one, &slow).await;
    time.fetch_add(24 * 60 * 60_000, Ordering::SeqCst);
    assert_eq!(find(&mut two, &slow).await, game);
}

#[tokio::test]
async fn silent_seeks_leave_the_lobby_after_twenty_seconds() {
    let (site, time, play) = timed();
    let mut host = Browser::new(&site);
    let game = find(&mut host, &WANTED).await;
    time.fetch_add(19_000, Ordering::SeqCst);
    assert!(get(&site, "/lobby").await.body.contains(&game));
    time.fetch_add(2_000, Ordering::SeqCst);
    assert!(!get(&site, "/lobby").await.body.contains(&game));
    Browser::new(&site).post(&format!("{game}/join"), &[]).await.page(404);
    play.end_abandoned_seeks().await.unwrap();
    let page = host.get(&game).await;
    assert!(page.page(200).contains("nobody came") && page.body.contains("Your search has ended"));
    assert!(!host.get("/").await.body.contains("data-state"));
}

#[tokio::test]
async fn a_seek_is_cancelled_or_it_is_too_late() {
    let site = site();
    let mut host = Browser::new(&site);
    let game = find(&mut host, &WANTED).await;
    assert!(host.get(&game).await.page(200).contains("action=\"/lobby/cancel\""));
    assert_eq!(host.post("/lobby/cancel", &[]).await.header("location"), "/lobby");
    Browser::new(&site).post(&format!("{game}/join"), &[]).await.page(404);
    assert!(!host.get("/").await.body.contains("data-state"));
    // A browser has one seek: a new one cancels the one before.
    let before = find(&mut host, &WANTED).await;
    let game = find(&mut host, &[("variant", "lrs"), ("clock", "3+2")]).await;
    assert!(host.get(&before).await.page(200).contains("nobody came"));
    assert_eq!(Browser::new(&site).post(&format!("{game}/join"), &[]).await.status, 303);
    assert!(host.get("/rules/chess").await.page(200).contains("Opponent found: LRS chess 3+2"));
    assert_eq!(host.post("/lobby/cancel", &[]).await.header("location"), game);
    assert!(!host.get(&game).await.page(200).contains("Opponent found"));
    assert!(!host.get("/rules/chess").await.page(200).contains("Opponent found"));
    // Where both cross, exactly one succeeds.
    for _ in 0..10 {
        let game = find(&mut host, &WANTED).await;
        let (mut guest, join) = (Browser::new(&site), format!("{game}/join"));
        let (cancelled, joined) = tokio::join!(host.post("/lobby/cancel", &[]), guest.post(&join, &[]));
        let kept = cancelled.header("location") == game;
        assert_eq!((joined.status == 303, host.get(&game).await.body.contains("nobody came")), (kept, !kept));
        host.get(&game).await;
    }
}

#[tokio::test]
async fn the_form_remembers_the_last_search() {
    let site = site();
    let mut browser = Browser::new(&site);
    let wanted = [("variant", "duck"), ("clock", "3+2")];
    find(&mut browser, &wanted).await;
    for page in ["/", "/lobby"] {
        let page = browser.get(page).await;
        assert!(page.page(200).contains("value=\"duck\" selected") && page.body.contains("value=\"3+2\" selected"));
    }
    let choose = [wanted[0], wanted[1], ("opponent", "choose")];
    assert_eq!(find(&mut browser, &choose).await, "/new/duck?clock=3%2B2");
    let bot = find(&mut browser, &[wanted[0], wanted[1], ("opponent", "bot:random")]).await;
    assert!(browser.get(&bot).await.page(200).contains("3:00"));
}

#[tokio::test]
async fn lists_are_the_same_for_all_and_cheap() {
    let site = site();
    let lists = async |known: Option<String>| {
        let asked = Request::builder().uri("/lobby/games").header("host", "zork.example");
        let asked = known.into_iter().fold(asked, |asked, tag| asked.header("if-none-match", tag));
        ask(&site, asked.body(Body::empty()).unwrap()).await
    };
    let empty = lists(None).await;
    assert!(empty.status.is_success() && empty.body.contains("No open games"));
    assert_eq!(lists(Some(empty.header("etag").to_owned())).await.status, 304);
    let wanted = json!({"variant": "chess", "opponent": "open", "name": "Adam", "clock": {"days": 2}});
    let host = post(&site, "/api/games", None, wanted).await.json();
    let id = host["id"].as_str().unwrap();
    let full = lists(Some(empty.header("etag").to_owned())).await;
    assert!(full.body.contains("Adam") && full.body.contains(&format!("/games/{id}/join")));
    for page in ["/", "/lobby"] {
        assert!(get(&site, page).await.page(200).contains(&format!("/games/{id}/join")), "{page}");
    }
    let listed = get(&site, "/api/games").await.json();
    assert_eq!(listed["open"][0]["host"], "Adam");
    assert_eq!(listed["open"][0]["seat"], "two");
    assert_eq!(listed["open"][0]["clock"], json!([{"days": 2}, {"days": 2}]));
    assert_eq!(listed["running"], json!([]));

    // Games from the lobby and against bots are public. Games by invitation and pass-and-play games are not listed.
    let guest = post(&site, "/api/seats", None, json!({"game": id, "name": "Barb"})).await.json();
    let act = |id: &str, action: &str| (format!("/api/games/{id}/actions"), json!({"ply": 0, "action": action}));
    assert_eq!(get(&site, "/api/games").await.json()["running"], json!([]));
    let (path, body) = act(id, "e2e4");
    post(&site, &path, host["seats"][0]["token"].as_str(), body).await.json();
    for opponent in ["link", "self"] {
        let own = post(&site, "/api/games", None, json!({"variant": "chess", "opponent": opponent})).await.json();
        post(&site, "/api/seats", None, json!({"code": own["invite"]["code"]})).await;
        let (path, body) = act(own["id"].as_str().unwrap(), "e2e4");
        post(&site, &path, own["seats"][0]["token"].as_str(), body).await.json();
    }
    let listed = get(&site, "/api/games").await.json();
    assert_eq!(listed["open"], json!([]));
    let running = listed["running"].as_array().unwrap();
    assert_eq!(running.len(), 1, "{running:?}");
    assert_eq!(running[0]["players"], json!(["Adam", "Barb"]));
    assert_eq!((running[0]["ply"].as_u64(), running[0]["spectators"].as_u64()), (Some(1), Some(0)));

    // Players are not spectators.
    let listen = |token: Option<&str>| {
        let asked = Request::builder().uri(format!("/api/games/{id}/events")).header("host", "zork.example");
        let asked =
            token.into_iter().fold(asked, |asked, token| asked.header("authorization", format!("Bearer {token}")));
        site.clone().oneshot(asked.body(Body::empty()).unwrap())
    };
    let count = async || get(&site, "/api/games").await.json()["running"][0]["spectators"].as_u64();
    let player = listen(guest["token"].as_str()).await.unwrap();
    assert_eq!(count().await, Some(0));
    let spectators = (listen(None).await.unwrap(), listen(None).await.unwrap());
    assert_eq!(count().await, Some(2));
    assert!(get(&site, &format!("/games/{id}")).await.page(200).contains("Spectators: <strong>2</strong>"));
    drop(spectators);
    assert_eq!(count().await, Some(0));
    drop(player);
    let (path, body) = (act(id, "").0, json!({"ply": 1, "action": "resign"}));
    post(&site, &path, guest["token"].as_str(), body).await.json();
    assert_eq!(get(&site, "/api/games").await.json()["running"], json!([]));
}

/// Offers an open game through the API, from a client behind a proxy.
async fn offer(site: &Router, from: &str) -> Answer {
    offer_with(site, from, None).await
}

async fn offer_with(site: &Router, from: &str, key: Option<&str>) -> Answer {
    let mut request = request(Method::POST, "/api/games");
    if let Some(key) = key {
        request.headers_mut().insert("idempotency-key", key.parse().unwrap());
    }
    request.headers_mut().insert("content-type", "application/json".parse().unwrap());
    request.headers_mut().insert("x-forwarded-for", from.parse().unwrap());
    *request.body_mut() = Body::from(json!({"variant": "chess", "opponent": "open"}).to_string());
    ask(site, request).await
}

#[tokio::test]
async fn open_games_per_address_are_limited() {
    let options = Options { trusted_proxies: vec!["127.0.0.0/8".parse().unwrap()], ..patient() };
    let site = router(app(options));
    let key = Some("5f1d7e84-9d9c-4d3a");
    let first = offer_with(&site, "192.0.2.7", key).await.json();
    // Concurrent requests do not exceed the limit.
    let many = futures_util::future::join_all((0..12).map(|_| offer(&site, "192.0.2.7"))).await;
    assert_eq!(many.iter().filter(|answer| answer.status == 201).count(), 5);
    // A repeated request for the first game still gets its answer.
    assert_eq!(offer_with(&site, "192.0.2.7", key).await.json()["id"], first["id"]);
    assert!(offer(&site, "192.0.2.7").await.problem(422).to_string().contains("open games in the lobby"));
    // Another address has its own limit, and one IPv6 network shares a limit.
    for from in ["192.0.2.8", "2001:db8::1", "2001:db8::2", "2001:db8::3", "2001:db8::4", "2001:db8::5", "2001:db8::6"]
    {
        assert_eq!(offer(&site, from).await.status, 201, "{from}");
    }
    assert_eq!(offer(&site, "2001:db8::7").await.status, 422);
    // An aborted game makes room for another.
    let (id, token) = (first["id"].as_str().unwrap(), first["seats"][0]["token"].as_str().unwrap());
    let path = format!("/api/games/{id}/actions");
    post(&site, &path, Some(token), json!({"ply": 0, "action": "abort"})).await.json();
    assert_eq!(offer(&site, "192.0.2.7").await.status, 201);
    // The pages together list all of them.
    let (mut found, mut at) = (Vec::new(), "/api/games".to_owned());
    loop {
        let page = get(&site, &at).await.json();
        found.extend(page["open"].as_array().unwrap().iter().map(|game| game["id"].to_string()));
        let Some(next) = page["next"].as_str() else { break };
        at = format!("/api/games?after={next}");
    }
    found.sort();
    found.dedup();
    assert_eq!(found.len(), 13);
    let page = get(&site, "/lobby").await;
    let older =
        page.body.split("href=\"/lobby?after=").nth(1).expect("a link to older games").split('"').next().unwrap();
    let behind = get(&site, &format!("/lobby?after={older}")).await;
    assert_eq!(behind.page(200).matches("<tr data-game").count(), 1);
    assert!(behind.body.contains(&format!("data-from=\"/lobby/games?after={older}\"")));
    assert_eq!(get(&site, "/lobby?from=elsewhere").await.status, 200, "unknown parameters are ignored");
    for wrong in ["x", "1", "-", "99999999999999999999-a"] {
        assert_eq!(get(&site, &format!("/lobby?after={wrong}")).await.status, 400, "{wrong}");
    }
}

#[tokio::test]
async fn unjoined_games_leave_the_lobby() {
    let (site, clock, play) = timed();
    let offer = async |clock: serde_json::Value| {
        let game = json!({"variant": "chess", "opponent": "open", "clock": clock});
        post(&site, "/api/games", None, game).await.json()["id"].as_str().unwrap().to_owned()
    };
    let quick = offer(json!({"initial": 300, "increment": 3})).await;
    let slow = offer(json!({"days": 2})).await;
    let waits = async |id: &str| get(&site, "/api/games").await.body.contains(id);
    let hour = 3_600_000;
    for (hours, quickly, slowly) in [(2, true, true), (1, false, true), (300, false, true), (36, false, false)] {
        clock.fetch_add(hours * hour, Ordering::Relaxed);
        play.expire().await.unwrap();
        assert_eq!((waits(&quick).await, waits(&slow).await), (quickly, slowly), "{hours} hours later");
    }
    let game = get(&site, &format!("/api/games/{quick}")).await.json();
    assert_eq!(game["outcome"]["reason"], "nobody came");
}

#[tokio::test]
async fn expired_games_are_gone_for_players_and_spectators() {
    let (site, clock, play) = timed();
    let begin = async || begin(&site, json!({"variant": "chess"})).await;
    let day = 86_400_000;
    let old = begin().await;
    assert_eq!(old.act(&site, 0, 0, "e2e4").await.status, 200);
    clock.fetch_add(20 * day, Ordering::Relaxed);
    let young = begin().await;
    clock.fetch_add(12 * day, Ordering::Relaxed);
    play.purge(None).await.unwrap();
    assert_eq!(
        get(&site, &format!("/api/games/{}", old.id)).await.status,
        200,
        "without a limit, games are kept for ever"
    );
    play.purge(Some(31 * day)).await.unwrap();
    for page in [format!("/api/games/{}", old.id), format!("/games/{}", old.id), format!("/games/{}/image.svg", old.id)]
    {
        assert_eq!(get(&site, &page).await.status, 404, "{page}");
    }
    old.act(&site, 1, 1, "e7e5").await.problem(404);
    assert_eq!(young.act(&site, 0, 0, "e2e4").await.status, 200);
}
