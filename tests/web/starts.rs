//! Starting positions: what the form takes, the API takes too, and both refuse in the same words.

use super::{api::post, games::Browser, get, site};
use axum::Router;
use serde_json::{Value, json};

/// The position of a game, as its page shows it.
async fn fen(site: &Router, id: &str) -> String {
    let page = get(site, &format!("/games/{id}")).await.page(200).to_owned();
    let text = page.split("data-share=\"FEN\">").nth(1).unwrap_or_else(|| panic!("{page}"));
    text.split("</code>").next().unwrap().replace("&#39;", "'")
}

/// Begins a pass-and-play game from a position through the API.
async fn begin(site: &Router, variant: &str, fen: &str) -> Value {
    let wanted = json!({"variant": variant, "opponent": "self", "options": {"fen": fen}});
    post(site, "/api/games", None, wanted).await.parsed()
}

#[tokio::test]
async fn csipgs_position_returns_through_api_and_form() {
    let site = site();
    let mut browser = Browser::new(&site);
    let game = browser.begin(&[("variant", "csipgs"), ("opponent", "self"), ("option-income_tenths", "2.5")]).await;
    let id = &game["/games/".len()..];
    for (seat, action) in [
        ("one", "buy fcFfmW"),
        ("one", "design 6 WFfN"),
        ("two", "e8e7"),
        ("two", "keep"),
        ("one", "transfer fcFfmW e2"),
    ] {
        let done = browser.post(&game, &[("seat", seat), ("action", action)]).await;
        assert_eq!(done.status, 303, "{action}: {}", done.body);
        let text = fen(&site, id).await;
        let plain = get(&site, &format!("/api/games/{id}")).await.json()["view"]["diagram"]["fen"].clone();
        assert_eq!(text.split(" {").next(), plain.as_str(), "the API has the FEN alone");
        let begun = begin(&site, "csipgs", &text).await;
        assert_eq!(fen(&site, begun["id"].as_str().unwrap()).await, text, "{begun}");
        let again = browser.begin(&[("variant", "csipgs"), ("opponent", "self"), ("option-fen", &text)]).await;
        assert_eq!(fen(&site, &again["/games/".len()..]).await, text);
        let [old, new] = [id, &again["/games/".len()..]].map(|id| format!("/api/games/{id}"));
        let (old, new) = (get(&site, &old).await.json(), get(&site, &new).await.json());
        for part in ["phase", "mover", "turn", "designs"] {
            assert_eq!(old["view"][part]["one"], new["view"][part]["one"], "{part} of {text}");
        }
        assert_eq!(old["view"]["diagram"]["purses"], new["view"]["diagram"]["purses"], "{text}");
        assert_eq!(old["view"]["diagram"]["reserves"], new["view"]["diagram"]["reserves"], "{text}");
        assert_eq!(old["turn"], new["turn"], "{text}");
    }
    let text = fen(&site, id).await;
    assert!(text.contains("N") && text.ends_with(";design}"), "{text}");
}

#[tokio::test]
async fn form_and_api_refuse_a_position_in_the_same_words() {
    let site = site();
    let mut browser = Browser::new(&site);
    let good = "4k3/8/8/8/8/8/8/4K3 w - - 0 1 {K=royal-WF;w 1||B BR fcFfmW N R royal-WF;b 0}";
    assert!(begin(&site, "csipgs", good).await["id"].is_string());
    for (variant, text, why) in [
        ("csipgs", good.replace(";b 0", ";x 0"), "b and its money"),
        ("csipgs", good.replace("||B ", "||"), "six designs, but these are 5"),
        ("csipgs", good.replace("K=royal-WF", "K=royal-X"), "royal-X"),
        ("csipgs", good.replace("4K3", "8"), "needs a king"),
        ("csipgs", good.replace("4k3/8", "8/4k3").replace("4K3 w", "4K3 x"), "is not a side"),
        ("csipgs", "4k3/8/8/8/8/8/8/4K3 w - - 0 1".to_owned(), "a FEN and {"),
        ("chess", "1. e4 e5 2. Ke3".to_owned(), "2 of white, “Ke3”"),
        ("chess", "8/8/8/8/8/8/8/8 w - - 0 1".to_owned(), "king"),
        ("chess", "garbage".to_owned(), "neither a FEN"),
        ("bidding", "garbage".to_owned(), "neither a FEN"),
    ] {
        let problem = begin(&site, variant, &text).await;
        let detail = problem["detail"].as_str().unwrap();
        assert!(detail.contains(why), "{text}: {problem}");
        assert_eq!(problem["field"], "options.fen", "{problem}");
        let page = browser.post("/games", &[("variant", variant), ("opponent", "self"), ("option-fen", &text)]).await;
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
