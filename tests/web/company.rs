//! Two players beyond the game itself: series of games and their scores, phrases, board themes, and QR codes.

use serde_json::json;

use super::{api::post, games::Browser, get, site};

/// Two browsers at a game that one of them began, and the address of the game.
async fn table<'s>(site: &'s axum::Router, variant: &str) -> (Browser<'s>, Browser<'s>, String) {
    let (mut one, mut two) = (Browser::new(site), Browser::new(site));
    let game = one.begin(&[("variant", variant), ("opponent", "link"), ("seat", "one"), ("name", "Anna")]).await;
    assert_eq!(two.post(&format!("/invite/{}", one.code(&game)), &[("name", "Barb")]).await.status, 303);
    (one, two, game)
}

#[tokio::test]
async fn rematch_can_be_another_variant() {
    let site = site();
    let (mut one, mut two, game) = table(&site, "chess").await;
    assert_eq!(one.post(&game, &[("action", "resign")]).await.status, 303);
    // The variant must exist. A different request by the opponent is a separate offer.
    let wrong = one.post(&game, &[("action", "rematch"), ("action", "checkers")]).await;
    assert_eq!(wrong.status, 422);
    assert!(wrong.body.contains("there is no variant “checkers”"), "{}", wrong.body);
    one.post(&game, &[("action", "rematch"), ("action", "lrs")]).await;
    assert!(one.get(&game).await.page(200).contains("You have offered a game of"));
    two.post(&game, &[("action", "rematch"), ("action", "bidding")]).await;
    let page = one.get(&game).await;
    assert!(page.page(200).contains("Accept a game of Bidding chess"), "{}", page.body);
    let refused = two.post(&game, &[("action", "rematch"), ("action", "bidding")]).await;
    assert_eq!(refused.status, 422);
    one.post(&game, &[("action", "rematch")]).await;
    let next = two.post(&format!("{game}/rematch"), &[]).await.header("location").to_owned();
    let begun = get(&site, &format!("/api{next}")).await.json();
    assert_eq!((begun["variant"].as_str(), begun["players"]["one"]["name"].as_str()), (Some("bidding"), Some("Barb")));
    assert_eq!(get(&site, &format!("/api{game}")).await.json()["offers"]["game"], "bidding");
    // The third game repeats the second one, and the scores follow the players, not the seats.
    one.post(&format!("{game}/rematch"), &[]).await;
    two.post(&next, &[("action", "resign")]).await;
    one.post(&next, &[("action", "rematch")]).await;
    two.post(&next, &[("action", "rematch"), ("action", "bidding")]).await;
    for address in [&game, &next] {
        let page = get(&site, &format!("{address}/session")).await;
        let account = page.page(200);
        assert!(account.contains("<h1>Anna and Barb</h1>") && account.contains("3 games in a row"), "{account}");
        assert!(account.contains("Anna <strong class=\"points\">1</strong>, Barb <strong class=\"points\">1</strong>"));
        assert!(account.contains("Barb won: resignation") && account.contains("Anna won: resignation"));
        assert!(account.contains("chips at the end") && account.contains("in progress"), "{account}");
    }
}

#[tokio::test]
async fn new_opponent_gets_the_same_settings() {
    let site = site();
    let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    let clock = json!({"initial": 30, "increment": 1});
    let wanted = json!({"variant": "chess", "opponent": "self", "options": {"fen": fen}, "clock": clock});
    let begun = post(&site, "/api/games", None, wanted).await.json();
    let game = format!("/games/{}", begun["id"].as_str().unwrap());
    let (mut one, mut two) = (Browser::new(&site), Browser::new(&site));
    let offered = one.post(&format!("{game}/again"), &[]).await.header("location").to_owned();
    assert_eq!(two.post(&format!("{game}/again"), &[]).await.header("location"), offered);
    let (old, new) =
        (get(&site, &format!("/api{game}")).await.json(), get(&site, &format!("/api{offered}")).await.json());
    assert_eq!(old["options"], new["options"]);
    assert_eq!(old["clocks"]["one"]["control"], new["clocks"]["one"]["control"]);
}

#[tokio::test]
async fn new_opponent_after_a_bot_is_chosen_in_the_form() {
    let site = site();
    let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    for (clock, fields) in [
        (json!({"initial": 600, "increment": 5}), "clock=10%2B5"),
        (json!({"initial": 420, "increment": 1}), "clock=other&minutes=7&increment=1&minutes-two=7&increment-two=1"),
        (json!(null), "clock=none"),
    ] {
        let wanted = json!({"variant": "chess", "opponent": "bot:random", "options": {"fen": fen}, "clock": clock});
        let begun = post(&site, "/api/games", None, wanted).await.json();
        let game = format!("/games/{}", begun["id"].as_str().unwrap());
        let mut browser = Browser::new(&site);
        let form = browser.post(&format!("{game}/again"), &[]).await.header("location").to_owned();
        assert!(form.starts_with(&format!("/new/chess?opponent=bot%3Arandom&{fields}&option-fen=")), "{form}");
        let page = browser.get(&form).await;
        assert!(page.page(200).contains(fen) && !page.body.contains("class=\"error\""), "{}", page.body);
    }
    assert!(!get(&site, "/lobby").await.page(200).contains("4k3/8"), "nothing is in the lobby");
}

#[tokio::test]
async fn phrases_reach_only_the_opponent() {
    let site = site();
    let (mut one, mut two, game) = table(&site, "chess").await;
    let say = format!("{game}/say");
    assert_eq!(one.post(&say, &[("phrase", "luck")]).await.status, 303);
    assert!(two.get(&game).await.page(200).contains("<strong>Good luck!</strong>"));
    let mut watcher = Browser::new(&site);
    for other in [one.get(&game).await, watcher.get(&game).await] {
        assert!(!other.page(200).contains("Your opponent says"));
    }
    assert_eq!(one.post(&say, &[("phrase", "hello")]).await.status, 429, "at most one every two seconds");
    assert_eq!(two.post(&say, &[("phrase", "hello")]).await.status, 303);
    assert_eq!(watcher.post(&say, &[("phrase", "hello")]).await.status, 422);
    assert_eq!(two.post(&say, &[("phrase", "you are bad")]).await.status, 400);
    // There are no phrases in pass-and-play games and against programs.
    for opponent in ["self", "bot:random"] {
        let alone = one.begin(&[("variant", "chess"), ("opponent", opponent)]).await;
        assert_eq!(one.post(&format!("{alone}/say"), &[("phrase", "hello")]).await.status, 422);
        assert!(!one.get(&alone).await.page(200).contains("id=\"talk\""));
    }
}

#[tokio::test]
async fn theme_applies_to_every_page() {
    let site = site();
    let mut browser = Browser::new(&site);
    let plain = browser.get("/rules/chess").await;
    assert!(plain.page(200).contains("<html lang=\"en\">"));
    let chosen = browser.post("/theme", &[("board", "clear"), ("pieces", "sea"), ("back", "/rules/chess")]).await;
    assert_eq!((chosen.status.as_u16(), chosen.header("location")), (303, "/rules/chess"));
    for path in ["/", "/rules/chess", "/theme", "/nowhere", "/docs"] {
        let page = browser.get(path).await;
        assert!(page.body.contains("<html lang=\"en\" data-board=\"clear\" data-pieces=\"sea\">"), "{path}");
        assert!(page.body.ends_with("</html>") || page.body.trim_end().ends_with("</html>"), "{path} is complete");
    }
    assert!(browser.get("/theme").await.body.contains("value=\"clear\" checked"));
    // Redirects lead only to this site, and unknown themes are refused.
    for elsewhere in ["https://example.org/", "//example.org/", "/\\example.org", "javascript:alert(1)"] {
        let sent = browser.post("/theme", &[("board", "slate"), ("pieces", "ivory"), ("back", elsewhere)]).await;
        assert_eq!(sent.header("location"), "/", "{elsewhere}");
    }
    assert_eq!(browser.post("/theme", &[("board", "pink"), ("pieces", "ivory")]).await.status, 400);
}

#[tokio::test]
async fn links_and_positions_have_qr_codes() {
    let site = site();
    let mut browser = Browser::new(&site);
    let game = browser.begin(&[("variant", "chess"), ("opponent", "self")]).await;
    // The code of the link to another device is in its page. The code of a position is a separate request.
    browser.post("/key", &[]).await;
    let page = browser.get("/key").await;
    assert_eq!(page.page(200).matches("aria-label=\"The link as a QR code\"").count(), 1);
    let now = browser.get(&format!("{game}/fen.svg")).await;
    assert_eq!(
        (now.header("content-type"), now.header("cache-control")),
        ("image/svg+xml", "private, no-store, no-cache")
    );
    browser.post(&game, &[("action", "e2e4"), ("seat", "one")]).await;
    let next = browser.get(&format!("{game}/fen.svg")).await;
    assert_ne!(now.body, next.body);
    assert_eq!(browser.get(&format!("{game}/fen.svg?ply=0")).await.body, now.body);
    let code = get(&site, "/api/bookie").await.json();
    let link = code["url"].as_str().unwrap();
    let path = &link[link.find("/bookie/").unwrap()..];
    let square = browser.get(&format!("{path}/qr.svg")).await;
    assert!(square.status == 200 && square.body.starts_with("<svg"), "{}", square.body);
    assert!(browser.get(path).await.body.contains("/qr.svg\" width"));
    browser.get("/bookie/wrong/qr.svg").await.page(400);
}
