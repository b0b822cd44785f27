//! Reviews of finished games: never before the end, computed once, stored, and shown to every viewer.

use super::{program::Server, stakes::Game, *};
use serde_json::{Value, json};

/// The app and its site.
fn tables_and_site() -> (Arc<App>, Router) {
    tables::tables().solve(Size::ORTHODOX).unwrap();
    let app = app(patient());
    (app.clone(), router(app))
}

async fn review(site: &Router, id: &str) -> Value {
    get(site, &format!("/api/games/{id}/review")).await.json()
}

/// All pages of a game, as one text.
async fn pages(game: &Game<'_>) -> String {
    let id = &game.id;
    let mut all = String::new();
    for path in ["", "/ply/0", "/moments", "/events"] {
        for seat in [None, Some(0)] {
            all += &game.get(&format!("/games/{id}{path}"), seat).await.body;
        }
    }
    all
}

#[tokio::test]
async fn review_names_the_worst_move_after_the_game() {
    let (app, site) = tables_and_site();
    let game = Game::begin(&site, "chess", json!({})).await;
    let none = json!({"state": "none", "review": null});
    for line in ["one f2f3", "two e7e5", "one g2g4"] {
        game.say(&[line]).await;
        app.play.review_waiting().await.unwrap();
        assert_eq!(review(&site, &game.id).await, none);
        let told = pages(&game).await;
        assert!(!told.contains("engine") && !told.contains("lookback"), "{told}");
    }
    game.say(&["two d8h4"]).await;
    assert_eq!(review(&site, &game.id).await["state"], "waiting");
    assert!(pages(&game).await.contains("data-waits=\"review\""));
    let version = game.see(None).await["version"].as_i64().unwrap();
    app.play.review_waiting().await.unwrap();
    let known = review(&site, &game.id).await;
    let (state, review) = (&known["state"], &known["review"]);
    assert_eq!((state, &review["cut"], &review["exact"]), (&json!("known"), &json!(false), &json!([])));
    let chances: Vec<i64> =
        review["chances"].as_array().unwrap().iter().map(|chance| chance.as_i64().unwrap()).collect();
    assert_eq!(chances.len(), 5, "one before the first step and one after each");
    assert!(chances[0] > 400 && chances[3] < 5 && chances[4] == 0, "{chances:?}");
    let worst = &review["worst"][0];
    assert_eq!((&worst["ply"], &worst["seat"], &worst["said"]), (&json!(3), &json!("one"), &json!("g4")), "{known}");
    assert_ne!(worst["better"], "g4");
    assert_eq!(worst["lost"], chances[2] - chances[3]);
    // The stream sends the review as a new version of the game.
    assert_eq!(game.see(None).await["version"], version + 1);
    let page = game.get(&format!("/games/{}", game.id), None).await.body;
    assert!(page.contains("Biggest mistakes") && page.contains("<strong>g4</strong> instead of <strong>"), "{page}");
    assert!(page.contains("Winning chances of White"), "the graph has a description");
    let black = game.get(&format!("/games/{}", game.id), Some(1)).await.body;
    assert!(black.contains("Winning chances of Black"), "{black}");
    let past = game.get(&format!("/games/{}/ply/3", game.id), None).await.body;
    assert!(past.contains("<li aria-current=\"step\"><a href=\"/games/"), "the step is marked");
    assert!(past.contains("Here: <strong>about 0\u{a0}%"), "{past}");
    let moments = game.get(&format!("/games/{}/moments", game.id), None).await.json();
    assert!(moments["moments"][0]["review"].is_array() && moments["moments"][1]["review"].is_object(), "{moments}");
    // It is computed once.
    app.play.review_waiting().await.unwrap();
    assert_eq!(game.see(None).await["version"], version + 1);
}

#[tokio::test]
async fn bids_are_reviewed_in_bidding_notation() {
    let (app, site) = tables_and_site();
    let secret = Game::begin(&site, "bidding", json!({"scheme": "secret", "white": 100, "black": 100})).await;
    secret.say(&["one bid 90", "two bid 3", "one e2e4", "one resign"]).await;
    let known = Game::begin(&site, "bookie", json!({"coin_toss": true})).await;
    known.say(&["one bid 97", "two bid 90"]).await;
    let seat = known.see(None).await["turn"]["awaits"][0].as_str().unwrap().to_owned();
    known.say(&[&format!("{seat} resign")]).await;
    app.play.review_waiting().await.unwrap();
    for (game, said, ply) in [(&secret, "bid 90", 1), (&known, "bid 97", 2)] {
        let review = review(&site, &game.id).await["review"].clone();
        let named = |lapse: &&Value| lapse["said"] == said && lapse["seat"] == "one";
        let lapse = review["worst"].as_array().unwrap().iter().find(named);
        let lapse = lapse.unwrap_or_else(|| panic!("{said}: {review}"));
        assert_eq!(lapse["ply"], ply, "{review}");
        let better: i64 = lapse["better"].as_str().unwrap().strip_prefix("bid ").unwrap().parse().unwrap();
        assert!(better < 85, "{review}");
        let page = game.get(&format!("/games/{}", game.id), None).await.body;
        assert!(
            page.contains(&format!("<strong>{said}</strong> instead of <strong>bid {better}</strong> cost ")),
            "{page}"
        );
    }
}

#[tokio::test]
async fn review_is_exact_within_the_endgame_tables() {
    let (app, solved) = tables_and_site();
    // Paying all chips for the move without capturing the king loses.
    let options = json!({"fen": "8/8/8/8/3k4/8/8/K2R4", "scheme": "secret", "white": 100, "black": 100});
    let game = Game::begin(&solved, "bidding", options).await;
    let before = game.see(None).await["panel"]["ahead"].clone();
    assert_eq!(before, "white");
    game.say(&["one bid 100", "two bid 0"]).await;
    game.say(&["one d1d2", "one resign"]).await;
    app.play.review_waiting().await.unwrap();
    let review = review(&solved, &game.id).await["review"].clone();
    assert_eq!(review["chances"][0], 1000, "{review}");
    assert!(review["exact"].as_array().unwrap().contains(&json!(0)), "{review}");
    let lapse = &review["worst"][0];
    let told = [&lapse["ply"], &lapse["said"], &lapse["better"], &lapse["exact"], &lapse["lost"]];
    assert_eq!(told, [&json!(2), &json!("Rd2"), &json!("Rxd4#"), &json!(true), &json!(1000)], "{review}");
    let page = game.get(&format!("/games/{}", game.id), None).await.body;
    assert!(page.contains(" cost 100\u{a0}% (endgame tables)."), "{page}");
    // By the share of the money, Black is ahead. With whole chips, White wins.
    let options = json!({"fen": "k7/8/8/8/8/8/8/K6R", "scheme": "open", "white": 17, "black": 183});
    let game = Game::begin(&solved, "bidding", options).await;
    let panel = game.see(None).await["panel"].clone();
    assert_eq!((&panel["ahead"], &panel["verdict"]["winner"]), (&json!("black"), &json!("white")));
    let within = panel["verdict"]["within"].as_u64().unwrap();
    let page = game.get(&format!("/games/{}", game.id), None).await.body;
    assert!(page.contains(&format!("White wins within {within} moves")), "{page}");
    game.say(&["two resign"]).await;
    app.play.review_waiting().await.unwrap();
    let review = self::review(&solved, &game.id).await["review"].clone();
    assert_eq!((&review["exact"][0], &review["chances"][0]), (&json!(0), &json!(1000)), "{review}");
}

#[tokio::test]
async fn review_is_stored_and_survives_sigkill() {
    let data = tempfile::tempdir().unwrap();
    let server = Server::start(data.path());
    let client = reqwest::Client::new();
    let begun = client.post(format!("{}/api/games", server.address));
    let begun = begun.json(&json!({"variant": "lrs", "opponent": "self"})).send().await.unwrap();
    let begun: Value = begun.json().await.unwrap();
    let id = begun["id"].as_str().unwrap().to_owned();
    let act = async |seat: usize, ply: u64, action: &str| {
        let token = begun["seats"][seat]["token"].as_str().unwrap();
        let asked = client.post(format!("{}/api/games/{id}/actions", server.address)).bearer_auth(token);
        let asked = asked.json(&json!({"ply": ply, "action": action})).send().await.unwrap();
        assert_eq!(asked.status(), 200, "{action}");
    };
    act(0, 0, "e2e4").await;
    act(1, 1, "e7e5").await;
    act(0, 2, "resign").await;
    let known = async |address: &str| -> Value {
        let told = client.get(format!("{address}/api/games/{id}/review")).send().await.unwrap();
        told.json().await.unwrap()
    };
    until("the review starts without a request", async || known(&server.address).await["state"] == "known").await;
    let before = known(&server.address).await;
    server.kill();
    let server = Server::start(data.path());
    assert_eq!(known(&server.address).await, before);
}

#[tokio::test]
async fn mistake_is_a_puzzle() {
    let (app, site) = tables_and_site();
    let secret = Game::begin(&site, "bidding", json!({"scheme": "secret", "white": 100, "black": 100})).await;
    secret.say(&["one bid 90", "two bid 3"]).await;
    let path = format!("/games/{}/missed/1/one", secret.id);
    assert_eq!(get(&site, &path).await.status, 404, "not while the game goes on");
    secret.say(&["one e2e4", "one resign"]).await;
    app.play.review_waiting().await.unwrap();
    let page = get(&site, &format!("/games/{}", secret.id)).await.body;
    assert!(page.contains(&format!("href=\"{path}\"")), "{page}");
    let review = review(&site, &secret.id).await["review"].clone();
    let lapse = review["worst"].as_array().unwrap().iter().find(|lapse| lapse["ply"] == 1 && lapse["seat"] == "one");
    let better = lapse.unwrap()["action"].as_str().unwrap().to_owned();
    let puzzle = get(&site, &path).await.page(200).to_owned();
    assert!(puzzle.contains("Find the better bid") && puzzle.contains("White chose bid 90"), "{puzzle}");
    assert!(puzzle.contains(&format!("value=\"{better}\"")) && !puzzle.contains("The better bid is"), "{puzzle}");
    let press = async |answer: &str| ask(&site, own_form(&path, format!("answer={}", answer.replace(' ', "+")))).await;
    let wrong = press("bid 90").await;
    assert!(wrong.headers.get("set-cookie").is_none());
    let wrong = get(&site, wrong.headers["location"].to_str().unwrap()).await.page(200).to_owned();
    assert!(wrong.contains("you have 2 tries left") && wrong.contains("name=\"tries\" value=\"1\""), "{wrong}");
    let right = press(&better).await;
    let cookie = right.headers["set-cookie"].to_str().unwrap();
    assert!(cookie.starts_with(&format!("puzzle-score=3.1.{}.1.one", secret.id)), "{cookie}");
    let right = get(&site, right.headers["location"].to_str().unwrap()).await.page(200).to_owned();
    assert!(right.contains("Correct!") && right.contains(&better), "{right}");
    assert_eq!(press("bid x").await.status, 400);
    for other in ["/missed/2/one", "/missed/1/three", "/missed/0/one", "/missed/99999999999999999999/one"] {
        let status = get(&site, &format!("/games/{}{other}", secret.id)).await.status;
        assert!(status.is_client_error(), "{other}: {status}");
    }
    // A move is answered on the board.
    let options = json!({"fen": "8/8/8/8/3k4/8/8/K2R4", "scheme": "secret", "white": 100, "black": 100});
    let game = Game::begin(&site, "bidding", options).await;
    game.say(&["one bid 100", "two bid 0"]).await;
    game.say(&["one d1d2", "one resign"]).await;
    app.play.review_waiting().await.unwrap();
    let path = format!("/games/{}/missed/2/one", game.id);
    let page = get(&site, &path).await.page(200).to_owned();
    assert!(page.contains("Find the better move") && page.contains("name=\"from\" value=\"d1\""), "{page}");
    let page = get(&site, &format!("{path}?from=d1")).await.page(200).to_owned();
    assert_eq!(page.matches("name=\"answer\" value=\"d1d4\"").count(), 2, "on the board and next to it");
    assert!(get(&site, &format!("{path}?answer=d1d4")).await.page(200).contains("Correct!"));
    // Other games have no such puzzles.
    let chess = Game::begin(&site, "chess", json!({})).await;
    chess.say(&["one f2f3", "two e7e5", "one g2g4", "two d8h4"]).await;
    app.play.review_waiting().await.unwrap();
    assert_eq!(get(&site, &format!("/games/{}/missed/3/one", chess.id)).await.status, 404);
}
