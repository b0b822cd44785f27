//! Random-turn chess: the coin, the moves, and the results.

use rand::{SeedableRng, rngs::StdRng};
use serde_json::json;
use zorkmid_games::{
    bots::Bot,
    rules::{Seat, Turn},
};

use crate::often::often;

use super::{asked, begin, end, none, refused, say, unfit};

#[test]
fn a_coin_decides_every_mover() {
    let mut game = begin("random-turn", none());
    assert_eq!((game.turn(), game.phase()), (Turn::Chance, "coin"));
    refused(&game, "one e2e4");
    refused(&game, "one coin white");
    say(&mut game, &["chance coin white"]);
    assert_eq!((asked(&game).as_str(), game.phase()), ("one", "move"));
    refused(&game, "two e7e5");
    refused(&game, "one pass");
    say(
        &mut game,
        &["one e2e4", "chance coin white", "one e4e5", "chance coin black", "two d7d5", "chance coin white"],
    );
    say(&mut game, &["one e5d6"]);
    let texts: Vec<String> = game.diagram(None).sheet.iter().map(|entry| entry.text.clone()).collect();
    let all = ["coin white", "e4", "coin white", "e5", "coin black", "d5", "coin white", "exd6"];
    assert_eq!(texts, all);
    assert_eq!(game.json(None)["view"]["tosses"], json!([3, 1]));
    assert!(game.json(None)["view"]["diagram"].get("purses").is_none(), "there are no chips");
}

#[test]
fn en_passant_lapses_when_the_owner_moves_again() {
    let mut game = begin("random-turn", json!({"fen": "4k3/8/8/8/3p4/8/4P3/4K3"}));
    say(&mut game, &["chance coin white", "one e2e4"]);
    let mut at_once = game.copy();
    say(&mut at_once, &["chance coin black", "two d4e3"]);
    say(&mut game, &["chance coin white", "one e1f1", "chance coin black"]);
    refused(&game, "two d4e3");
}

#[test]
fn the_king_is_captured() {
    let mut game = begin("random-turn", json!({"fen": "R2k4/8/3K4/8/8/8/8/8 b - - 0 1"}));
    assert!(game.diagram(None).tables);
    say(&mut game, &["chance coin white", "one a8d8"]);
    assert_eq!(end(&game), "one king captured");
    assert_eq!(game.diagram(None).sheet.last().unwrap().text, "Rxd8#");
}

/// Against a player who finds this, the opponent wins at most fifteen games of sixteen.
#[test]
fn the_gambler_captures_the_king_in_four_turns() {
    for seed in 0..often(4) as u64 {
        let (mut game, mut rng) = (begin("random-turn", none()), StdRng::seed_from_u64(seed));
        for _ in 0..4 {
            say(&mut game, &["chance coin white"]);
            let word = game.advise(Seat::One, Bot::Gambler, &mut rng, &mut || false).unwrap();
            say(&mut game, &[&format!("one {word}")]);
        }
        assert_eq!(end(&game), "one king captured");
    }
}

#[test]
fn draws_need_agreement_or_quiet_turns() {
    let mut game = begin("random-turn", json!({"fen": "4k3/8/8/8/8/8/8/4K3", "no_progress": 20}));
    for there in [true, false].into_iter().cycle().take(20) {
        say(&mut game, &["chance coin white"]);
        assert!(refused(&game, "one claim").contains("20 turns"));
        say(&mut game, &[if there { "one e1d1" } else { "one d1e1" }]);
    }
    assert_eq!(end(&game), "draw too many turns without a capture or a pawn move");
    let mut game = begin("random-turn", none());
    say(&mut game, &["chance coin white", "one draw", "two draw"]);
    assert_eq!(end(&game), "draw agreement");
    unfit("random-turn", json!({"no_progress": 3}));
}
