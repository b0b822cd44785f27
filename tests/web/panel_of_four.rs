//! Four-piece tables in games: proved bounds, for the same viewers as the exact panel, and their use by bots, hints and reviews.

use super::{
    four::app_with_rook_and_bishop,
    hint::Alone,
    stakes::{Game, send},
    *,
};
use serde_json::{Value, json};

/// Rook and bishop with α = β = 7463/8192.
const SHARP: &str = "7k/8/8/8/2B5/8/1R6/K7";
/// Widest gap of rook and bishop, with α = 27/32 and β = 7/8.
const CORE: &str = "8/6B1/8/8/4k3/2R5/8/K7";
/// The same position with exchanged colours.
const TURNED: &str = "k7/8/2r5/4K3/8/8/6b1/8";
const HEADING: &str = "<h2 id=\"tables\">";

#[tokio::test]
async fn game_shows_the_bounds_of_the_table() {
    let (_folder, app) = app_with_rook_and_bishop();
    let site = router(app);
    for (variant, panel) in [("bidding", false), ("bidding", true), ("random-turn", false), ("random-turn", true)] {
        let game = Game::begin(&site, variant, json!({"fen": SHARP, "panel": panel})).await;
        let page = format!("/games/{}", game.id);
        for (seat, advised) in [(None, true), (Some(0), panel), (Some(1), panel)] {
            let shown = game.see(seat).await;
            // In random-turn games, every viewer sees the chances and nothing else.
            let sees = advised || variant == "random-turn";
            let of = format!("{variant} {panel} {seat:?}: {}", shown["bounds"]);
            assert_eq!((shown["bounds"].is_object(), &shown["panel"]), (sees, &Value::Null), "{of}");
            let hints = ["white", "black"]
                .map(|side| shown["bounds"][side]["moves"].as_array().is_some_and(|moves| !moves.is_empty()));
            assert_eq!(hints, [advised; 2], "{of}");
            for path in [page.clone(), format!("{page}/ply/0"), format!("{page}/events")] {
                let told = game.get(&path, seat).await.body;
                assert_eq!(told.contains(HEADING), sees, "{path} {of}");
                assert_eq!(told.contains("Best moves"), advised, "{path} {of}");
                assert_eq!(told.contains("/endgames?fen="), advised, "{path} {of}");
            }
        }
        let bounds = game.see(None).await["bounds"].clone();
        let answer = get(&site, &format!("/api/richman?fen={SHARP}")).await.json();
        for number in ["alpha", "beta", "bid", "sharp"] {
            assert_eq!(bounds[number], answer["enclosed"][number], "{number}");
        }
        assert_eq!(bounds["material"], "KRBvK");
        let best = |side: &str| -> Vec<Value> {
            let all = answer[side].as_array().unwrap().iter();
            all.filter(|mv| mv["best"] != false).map(|mv| mv["uci"].clone()).collect()
        };
        for side in ["white", "black"] {
            let moves: Vec<Value> =
                bounds[side]["moves"].as_array().unwrap().iter().map(|mv| mv["uci"].clone()).collect();
            assert!(!moves.is_empty() && moves.iter().all(|mv| best(side).contains(mv)), "{side}: {bounds}");
        }
        game.say(&["one resign"]).await;
        assert_eq!(game.see(Some(0)).await["bounds"], Value::Null, "the game is over");
        assert!(
            game.get(&format!("{page}/ply/0"), Some(0)).await.page(200).contains(HEADING),
            "every viewer can replay it"
        );
    }
}

#[tokio::test]
async fn neither_side_leads_between_the_thresholds() {
    let (_folder, app) = app_with_rook_and_bishop();
    let site = router(app);
    for (fen, white, ahead, words) in [
        (CORE, 31, Value::Null, "neither side can force a win"),
        (CORE, 40, json!("white"), "White is ahead by"),
        (CORE, 20, json!("black"), "Black is ahead by"),
        (TURNED, 169, Value::Null, "neither side can force a win"),
        (TURNED, 160, json!("black"), "Black is ahead by"),
    ] {
        let game = Game::begin(&site, "bidding", json!({"fen": fen, "white": white, "black": 200 - white})).await;
        let bounds = game.see(None).await["bounds"].clone();
        assert_eq!((&bounds["ahead"], &bounds["sharp"]), (&ahead, &json!(false)), "{bounds}");
        assert_eq!(bounds["lead"].is_null(), ahead.is_null(), "{bounds}");
        let page = game.get(&format!("/games/{}", game.id), None).await;
        assert!(page.page(200).contains(words), "{words}: {}", page.body);
        // The page shows the need of at most one side, because it says nothing about the other side's.
        let needs = match (fen, white) {
            (CORE, 40) => Some("White has 20.00\u{a0}% and needs 15.6"),
            (CORE, 20) => Some("Black has 90.00\u{a0}% and needs 87.50\u{a0}%"),
            (TURNED, 160) => Some("Black has 20.00\u{a0}% and needs 15.6"),
            _ => None,
        };
        assert!(needs.is_none_or(|needs| page.body.contains(needs)), "{needs:?}: {}", page.body);
        assert_eq!(page.body.matches(" and needs ").count(), usize::from(needs.is_some()));
        let shares = if fen == CORE { ["0.843750", "0.875000"] } else { ["0.125000", "0.156250"] };
        assert!(shares.iter().all(|share| page.body.contains(share)), "{}", page.body);
    }
}

#[tokio::test]
async fn certain_results_are_stated() {
    let (_folder, app) = app_with_rook_and_bishop();
    let site = router(app);
    let begin = async |fen: &str, white: i64, tie: &str| {
        let options = json!({"fen": fen, "scheme": "secret", "tie": tie, "white": white, "black": 200 - white});
        Game::begin(&site, "bidding", options).await
    };
    let game = begin("7k/8/8/8/2B5/8/7R/K7", 40, "marker").await;
    game.say(&["one bid 40", "two bid 5"]).await;
    let page = game.get(&format!("/games/{}", game.id), None).await;
    assert!(page.page(200).contains("<strong>White takes the king.</strong>"), "{}", page.body);
    // Whatever the coin toss, Black's share stays between the thresholds.
    let game = begin(CORE, 28, "coin").await;
    game.say(&["one bid 0", "two bid 0"]).await;
    let page = game.get(&format!("/games/{}/ply/1", game.id), None).await;
    assert!(page.page(200).contains("neither side is winning"), "{}", page.body);
}

#[tokio::test]
async fn other_auction_rules_have_no_bounds() {
    let (_folder, app) = app_with_rook_and_bishop();
    let site = router(app);
    for terms in [json!({"negative": false}), json!({"bank": "half"}), json!({"bank": "all", "negative": false})] {
        let mut options = json!({"fen": SHARP, "scheme": "secret"});
        options.as_object_mut().unwrap().extend(terms.as_object().unwrap().clone());
        let game = Game::begin(&site, "bidding", options).await;
        let shown = game.see(None).await;
        assert_eq!((&shown["bounds"], &shown["panel"]), (&Value::Null, &Value::Null), "{terms}");
        assert!(!game.get(&format!("/games/{}", game.id), None).await.page(200).contains(HEADING), "{terms}");
    }
    // Materials without a file have no bounds either.
    let game = Game::begin(&site, "bidding", json!({"fen": "7k/8/8/8/2N5/8/1R6/K7"})).await;
    assert_eq!(game.see(None).await["bounds"], Value::Null);
    assert!(!game.get(&format!("/games/{}", game.id), None).await.page(200).contains(HEADING));
}

#[tokio::test]
async fn hints_and_bots_follow_the_tables() {
    let (_folder, app) = app_with_rook_and_bishop();
    let site = router(app);
    let options = json!({"fen": SHARP, "scheme": "secret", "white": 40, "black": 160, "panel": true});
    let game = json!({"variant": "bidding", "opponent": "bot:steady", "seat": "two", "options": options});
    let alone = Alone::begin(&site, game).await;
    // Black follows the hints, and the bot captures the king with rook and bishop.
    let mut bids = Vec::new();
    for _ in 0..60 {
        let seen = alone.asked_of("two").await;
        if seen["outcome"].is_object() {
            break;
        }
        let told = if seen["panel"].is_null() { &seen["bounds"] } else { &seen["panel"] };
        bids.extend(told["white"]["action"].as_str().filter(|word| word.starts_with("bid ")).map(str::to_owned));
        let hint = alone.hint().await.json();
        assert_eq!((&hint["exact"], &hint["action"]), (&json!(true), &told["black"]["action"]), "{seen}");
        let said = json!({"ply": seen["ply"], "action": hint["action"]});
        let path = format!("/api/games/{}/actions", alone.id);
        let answer = send(&site, &path, Some(&alone.token), said).await;
        assert_eq!(answer.status, 200, "{hint}: {}", answer.body);
    }
    let over = alone.see().await;
    assert_eq!(over["outcome"], json!({"winner": "one", "reason": "king captured"}), "{over}");
    // The bot's bids match the tables.
    let record = get(&site, &format!("/api/games/{}/record.json", alone.id)).await.json();
    let lines = record["lines"].as_array().unwrap().iter();
    let said = lines.filter(|line| line["actor"] == "one").map(|line| line["action"].as_str().unwrap());
    assert_eq!(said.filter(|word| word.starts_with("bid ")).collect::<Vec<_>>(), bids);
}

#[tokio::test]
async fn review_knows_the_chances_of_four_pieces() {
    let (_folder, app) = app_with_rook_and_bishop();
    let site = router(app.clone());
    let game = Game::begin(&site, "random-turn", json!({"fen": SHARP})).await;
    let mover = game.see(None).await["turn"]["awaits"][0].as_str().unwrap().to_owned();
    game.say(&[&format!("{mover} resign")]).await;
    let review = format!("/api/games/{}/review", game.id);
    assert_eq!(get(&site, &review).await.json()["state"], "waiting");
    app.play.review_waiting().await.unwrap();
    let known = get(&site, &review).await.json();
    assert_eq!(known["review"]["chances"][0], json!(911), "7463/8192 before the first toss: {known}");
    let exact = known["review"]["exact"].as_array().unwrap();
    assert!(exact.contains(&json!(0)) && exact.contains(&json!(1)), "{known}");

    // The step where the win changed sides: White bid more than the move is worth, and lost its surplus.
    let options = json!({"fen": SHARP, "scheme": "secret", "white": 20, "black": 180});
    let game = Game::begin(&site, "bidding", options).await;
    game.say(&["one bid 20", "two bid 5", "one a1a2", "one resign"]).await;
    let swings = game.see(None).await["swings"].clone();
    let lost = json!({"ply": 1, "from": "white", "to": "black", "what": "bid", "exact": false});
    assert_eq!(swings[0], lost, "{swings}");
    // Between the thresholds, neither side has a win.
    let options = json!({"fen": CORE, "scheme": "secret", "white": 36, "black": 164});
    let game = Game::begin(&site, "bidding", options).await;
    game.say(&["one bid 6", "two bid 1", "one resign"]).await;
    let given = json!([{"ply": 1, "from": "white", "to": null, "what": "bid", "exact": false}]);
    assert_eq!(game.see(None).await["swings"], given);
}
