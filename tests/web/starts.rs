//! Starting positions: what the form takes, the API takes too, and both refuse in the same words.

use super::{api::post, games::Browser, get, site};
use axum::Router;
use serde_json::{Value, json};

/// The FEN of a game, as its page and the API show it.
async fn fen(site: &Router, id: &str) -> String {
    let game = get(site, &format!("/api/games/{id}")).await.json();
    game["view"]["diagram"]["fen"].as_str().unwrap().to_owned()
}

/// Begins a pass-and-play game from a position through the API.
async fn begin(site: &Router, variant: &str, fen: &str) -> Value {
    let wanted = json!({"variant": variant, "opponent": "self", "options": {"fen": fen}});
    post(site, "/api/games", None, wanted).await.parsed()
}

#[tokio::test]
async fn form_and_api_refuse_a_position_in_the_same_words() {
    let site = site();
    let mut browser = Browser::new(&site);
    for (variant, text, why) in
        [("chess", "1. e4 e5 2. Ke3", "2 of white, “Ke3”"), ("chess", "8/8/8/8/8/8/8/8 w - - 0 1", "king")]
    {
        let problem = begin(&site, variant, text).await;
        let detail = problem["detail"].as_str().unwrap();
        assert!(detail.contains(why), "{text}: {problem}");
        assert_eq!(problem["field"], "options.fen", "{problem}");
        let page = browser.post("/games", &[("variant", variant), ("opponent", "self"), ("option-fen", text)]).await;
        // The form starts with the place.
        let words = detail.trim_end_matches('.').split_once(' ').unwrap().1.replace('\'', "&#39;");
        assert!(page.page(422).contains(&words), "{text}: {}", page.body);
    }
}

#[tokio::test]
async fn api_starts_from_the_last_position_of_a_pgn_game() {
    let site = site();
    let begun = begin(&site, "chess", "1. e4 e5 2. Nf3").await;
    let position = "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2";
    assert_eq!(fen(&site, begun["id"].as_str().unwrap()).await, position);
}
