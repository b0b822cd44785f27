//! Move lists, records and refusals on the site: consistent numbers, records that load again, words and notation.

use super::{
    games::Browser,
    stakes::{Game, send, still},
    *,
};
use serde_json::json;

/// Numbers in a column of a table.
fn numbers(page: &str) -> Vec<&str> {
    let cells = page.split("<td class=\"ply\">").skip(1);
    cells.map(|cell| cell.split('<').next().unwrap()).filter(|number| !number.is_empty()).collect()
}

#[tokio::test]
async fn moves_and_ledger_share_numbers_after_retractions() {
    let site = still();
    let game = Game::begin(&site, "clairvoyant", json!({"money_one": 50, "money_two": 50})).await;
    game.say(&["two guess e2", "one d2d4", "two retract", "one e2e4", "two accept"]).await;
    game.say(&["one guess e7", "two e7e5", "one retract", "two d7d5", "one accept"]).await;
    game.say(&["two guess g1", "one g1f3", "two accept"]).await;
    let page = get(&site, &format!("/games/{}", game.id)).await.body;
    let (moves, ledger) = page.split_once("<h2>Moves</h2>").unwrap().1.split_once("id=\"more\"").unwrap();
    assert_eq!(numbers(moves), ["1.", "1…", "2."], "{moves}");
    let place = |words: &str| moves.find(words).unwrap_or_else(|| panic!("{words}: {moves}"));
    assert!(place("White: ") < place(">e4</a>"), "{moves}");
    assert!(place(">(e5)!</a>") < place(">d5</a>"), "Black’s reply is below the turn that was forced back: {moves}");
    // Guesses and costs of retractions. White's initial money has no number.
    assert_eq!(numbers(ledger), ["2.", "1…", "1.", "1."], "the latest first: {ledger}");
    let record = get(&site, &format!("/games/{}/record.pgn", game.id)).await.body;
    assert!(!record.contains("--"), "{record}");
    let lines = record.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(lines.contains("1. e2e4 {d2d4: forced back; (d2d4)!:") && lines.contains("1... d7d5 {e7e5:"), "{record}");

    // A new game can begin from the record.
    let fen = get(&site, &format!("/api/games/{}", game.id)).await.json()["view"]["diagram"]["fen"].clone();
    let mut browser = Browser::new(&site);
    let again = browser.begin(&[("variant", "clairvoyant"), ("opponent", "self"), ("option-fen", &record)]).await;
    assert_eq!(get(&site, &format!("/api{again}")).await.json()["view"]["diagram"]["fen"], fen);
}

#[tokio::test]
async fn move_list_and_ledger_match_the_rules_page() {
    let site = still();
    let game = Game::begin(&site, "clairvoyant", json!({"money_one": 9, "money_two": 10})).await;
    game.say(&["two guess e2 extra", "one e2e4 g1f3", "two retract", "one d2d4"]).await;
    game.say(&["one guess e7", "two e7e5"]).await;
    game.say(&["two guess e2 extra", "one e2e4 f1c4"]).await;
    let page = get(&site, &format!("/games/{}", game.id)).await.body;
    let rules = get(&site, "/rules/clairvoyant/notation").await.body;
    // A text of the rules, and its counterpart on the page of a game.
    for (shown, real) in [
        ("<code>e4 Bc4</code>", ">e4 Bc4</a>"),
        ("<code>(e4)!</code>", ">(e4 Nf3)!</a>"),
        ("<code>e2e4+d2d4</code>", "e2e4+f1c4"),
        ("<code>guessed e2 4, extra 20</code>", "guessed e2 4, extra 20"),
        ("<code>Z 9/0</code>", "Z 9/0"),
        ("<code>1…</code>", "<td class=\"ply\">1…</td>"),
    ] {
        assert!(rules.contains(shown), "{shown}");
        assert!(page.contains(real), "{real}: {page}");
    }
}

#[tokio::test]
async fn turns_and_guesses_are_accepted_as_the_move_list_shows_them() {
    let site = still();
    let game = Game::begin(&site, "clairvoyant", json!({"money_one": 60})).await;
    game.say(&["two guess Nf3 $N", "one e4 Bc4", "one guess Nf6", "two e5", "one accept"]).await;
    game.act(0, "Nf6").await.problem(422);
    game.say(&["two guess", "one N@f5 Nxg7+"]).await;
    let page = get(&site, &format!("/games/{}", game.id)).await.body;
    for turn in [">e4 Bc4</a>", ">e5</a>", ">N@f5 Nxg7+</a>"] {
        assert!(page.contains(turn), "{turn}: {page}");
    }
}

#[tokio::test]
async fn refusals_quote_notation_unchanged() {
    let site = still();
    let game = Game::begin(&site, "clairvoyant", json!({"money_two": 50})).await;
    game.say(&["two guess", "one e2e4", "two retract"]).await;
    let detail = game.act(0, "e2e4").await.problem(422)["detail"].as_str().unwrap().to_owned();
    assert!(detail.starts_with("A turn starting with e2e4 was forced back: "), "{detail}");
    let detail = game.act(0, "e2e5").await.problem(422)["detail"].as_str().unwrap().to_owned();
    assert!(detail.starts_with("The pawn on e2 cannot go"), "{detail}");
}

#[tokio::test]
async fn long_invalid_option_is_quoted_in_part() {
    let site = still();
    let long = "x".repeat(4_000);
    for (key, value) in
        [("post_drop", json!(long)), ("costs", json!(long)), ("payoffs", json!(format!("pawn {long} 1 1 1")))]
    {
        let body = json!({"variant": "clairvoyant", "opponent": "self", "options": {key: value}});
        let answer = send(&site, "/api/games", None, body).await;
        assert_eq!(answer.status, 422, "{key}");
        assert!(answer.body.len() < 600, "{key}: {}", answer.body);
    }
}

#[tokio::test]
async fn game_begins_where_a_pasted_record_ends() {
    let site = still();
    let mut browser = Browser::new(&site);
    let end = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    for (text, fen) in [
        ("[White \"A\"]\n\n1. f3 e5 2. g4 Qh4# 0-1", end),
        ("1.f3 e5 2.g4 Qh4#", end),
        (&format!(" {end}\n"), end),
        ("", start),
    ] {
        let game = browser.begin(&[("variant", "chess"), ("opponent", "self"), ("option-fen", text)]).await;
        assert_eq!(get(&site, &format!("/api{game}")).await.json()["view"]["diagram"]["fen"], fen, "{text}");
    }
    let slip = async |browser: &mut Browser<'_>, text: &str| {
        let page = browser.post("/games", &[("variant", "chess"), ("opponent", "self"), ("option-fen", text)]).await;
        let told =
            page.page(422).split_once("id=\"option-fen-wrong\">").map(|(_, rest)| rest.split('<').next().unwrap());
        told.unwrap_or_else(|| panic!("no error in {text}")).to_owned()
    };
    let told = slip(&mut browser, "1. f3 e5 2. g4 Qh5#").await;
    let (place, why) = told.strip_prefix("character ").and_then(|told| told.split_once(": ")).expect(&told);
    assert!(place.parse::<usize>().unwrap() >= 16, "{told}");
    assert!(why.starts_with("move 2 of black, “Qh5#”"), "{told}");
    for (text, why) in [
        ("hello", "move 1 of white, “hello”"),
        ("1. e4 (", "this variation has no closing )"),
        ("e4 e5 *\n\ne4 e5 *", "this text contains 2 games: paste one"),
        ("[FEN \"8/8\"]\n\n1. e4", "the tag FEN of this game: "),
    ] {
        let told = slip(&mut browser, text).await;
        assert!(told.contains(why), "{text}: {told}");
    }
}
