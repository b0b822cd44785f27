//! Other variants than chess, at auction and with a coin.

use serde_json::json;
use zorkmid_games::{
    registry,
    rules::{Capability, Turn},
};

use super::{asked, begin, end, refused, say, unfit};

#[test]
fn captured_pieces_can_be_dropped_after_buying_the_move() {
    let mut game = begin("bidding", json!({"base": "crazyhouse"}));
    let white = ["two bid 0", "one reject", "one e2e4", "one bid 0", "two reject", "two d7d5"];
    say(&mut game, &white);
    say(&mut game, &["two bid 0", "one reject", "one e4d5", "one bid 0", "two accept"]);
    assert!(refused(&game, "one N@f3").contains("no knight"), "{}", refused(&game, "one N@f3"));
    say(&mut game, &["one P@e6"]);
    let fen = game.diagram(None).fen.unwrap();
    assert!(fen.starts_with("rnbqkbnr/ppp1pppp/4P3/3P4/8/8/PPPP1PPP/RNBQKBNR[] b"), "{fen}");
    assert!(!game.diagram(None).tables, "the tables cover chess only");
}

#[test]
fn chance_draws_the_array_before_the_first_bid() {
    for variant in ["bidding", "random-turn"] {
        let mut game = begin(variant, json!({"base": "chess960"}));
        assert_eq!(game.turn(), Turn::Chance);
        refused(&game, "one array 518");
        refused(&game, "chance coin white");
        refused(&game, "chance array 960");
        say(&mut game, &["chance array 0"]);
        let fen = game.diagram(None).fen.unwrap();
        assert!(fen.starts_with("bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w"), "{fen}");
        refused(&game, "chance array 0");
        let given = begin(variant, json!({"base": "chess960", "fen": "4k3/8/8/8/8/8/8/4K3"}));
        assert!(given.diagram(None).fen.unwrap().starts_with("4k3/"), "chance does not replace a given position");
    }
    let mut game = begin("bidding", json!({"base": "chess960"}));
    say(&mut game, &["chance array 518", "two bid 10"]);
    assert_eq!(asked(&game), "one");
}

#[test]
fn antichess_by_coin_has_compulsory_captures() {
    let start = json!({"base": "antichess", "fen": "8/8/8/3p4/4P3/8/7r/8"});
    let mut game = begin("random-turn", start.clone());
    say(&mut game, &["chance coin white"]);
    assert!(refused(&game, "one e4e5").contains("captur"), "{}", refused(&game, "one e4e5"));
    say(&mut game, &["one e4d5", "chance coin black"]);
    say(&mut game, &["two h2d2", "chance coin black", "two d2d5"]);
    assert_eq!(end(&game), "one nothing left to lose");
    let mut game = begin("random-turn", json!({"base": "antichess", "fen": "8/8/8/8/p7/P7/8/7r"}));
    say(&mut game, &["chance coin white"]);
    assert_eq!(end(&game), "one no move left");
    let mut game = begin("bidding", json!({"base": "antichess", "fen": "8/8/8/8/p7/P7/8/7r"}));
    say(&mut game, &["two bid 7", "one accept", "two h1h2", "two bid 9", "one reject"]);
    assert_eq!(end(&game), "one no move left");
}

#[test]
fn a_king_on_the_hill_and_a_captured_horde_win() {
    let mut game = begin("bidding", json!({"base": "king-of-the-hill", "fen": "4k3/8/8/8/8/3K4/8/8"}));
    say(&mut game, &["two bid 100", "one reject", "one d3d4"]);
    assert_eq!(end(&game), "one king on the hill");
    let arrived = unfit("bidding", json!({"base": "king-of-the-hill", "fen": "4k3/8/8/8/3K4/8/8/8"}));
    assert!(arrived.contains("white has already won in this position: king on the hill"), "{arrived}");
    let mut game = begin("random-turn", json!({"base": "horde", "fen": "8/8/8/8/3p4/8/4P3/4K3"}));
    say(&mut game, &["chance coin white", "one e2e3", "chance coin white", "one e3d4"]);
    assert_eq!(end(&game), "one the horde is captured");
}

#[test]
fn small_boards_and_old_rules_keep_their_rules() {
    let mut game = begin("random-turn", json!({"base": "minichess"}));
    say(&mut game, &["chance coin white", "one a2a3", "chance coin white", "one a3b4", "chance coin white"]);
    say(&mut game, &["one b4c5q", "chance coin white", "one c5d5", "chance coin white", "one d5e5"]);
    assert_eq!(end(&game), "one king captured");
    let mut game = begin("random-turn", json!({"base": "old-chess", "fen": "4k3/8/8/8/8/8/8/4K2R"}));
    say(&mut game, &["chance coin white"]);
    refused(&game, "one e1g1");
}

#[test]
fn unsupported_combinations_are_refused_with_a_reason() {
    for variant in ["bidding", "random-turn"] {
        for (key, reason) in [("three-check", "there is no check"), ("fog-of-war", "reveal what the fog hides")] {
            let why = unfit(variant, json!({"base": key}));
            assert!(why.contains(key) && why.contains(reason), "{why}");
        }
        let why = unfit(variant, json!({"base": "checkers"}));
        assert!(why.contains("one of chess, "), "{why}");
    }
    // Every variant is either supported or refused with a reason.
    let bases = zorkmid_games::rules::auction_game::Base::all()
        .map(|base| (base.name(), ""))
        .chain(registry::unsupported(Capability::Auction));
    let mut told: Vec<&str> = bases.map(|(key, _)| key).collect();
    let mut all: Vec<&str> = registry::VARIANTS.iter().map(|variant| variant.key).collect();
    told.sort_unstable();
    all.sort_unstable();
    assert_eq!(told, all);
}
