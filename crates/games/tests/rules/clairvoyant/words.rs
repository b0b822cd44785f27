//! Action texts: canonical texts, lenient parsing, and noise.

use proptest::prelude::*;
use serde_json::json;
use zorkmid_games::{
    rules::{Actor, Seat},
    variants::clairvoyant::Action,
};

use super::{act, game, purses, refused};

#[test]
fn canonical_texts_survive_a_round_trip() {
    for text in [
        "guess",
        "guess e2",
        "guess e2 g1f3 $N",
        "guess $N@f5 extra",
        "e2e4",
        "e7e8q e8e4",
        "d2d4 e1g1",
        "K@e4",
        "N@f5 P@b3",
        "R@a5 a5a7 a7b7",
        "lock 2 e2e4 d2d4",
        "accept",
        "retract",
        "disclose",
        "disclose accept",
        "disclose retract",
        "disclose e2e4",
        "disclose lock 1 N@f5",
    ] {
        assert_eq!(text.parse::<Action>().unwrap().to_string(), text);
    }
    for (text, canonical) in [
        ("lock 0 e2e4", "e2e4"),
        ("e2e4  d2d4", "e2e4 d2d4"),
        ("guess  e2", "guess e2"),
        ("e2 g1f3", "guess e2 g1f3"),
        ("$N", "guess $N"),
        ("extra e2e4", "guess extra e2e4"),
    ] {
        assert_eq!(text.parse::<Action>().unwrap().to_string(), canonical);
    }
}

#[test]
fn refusals_show_the_expected_action() {
    let mut game = game(json!({}));
    assert!(refused(&game, Seat::One, "e2 g1f3").contains("it is time to move: write a turn such as e2e4"));
    assert!(refused(&game, Seat::Two, "e2e4 zz").contains("two squares"));
    let why = refused(&game, Seat::Two, "zz");
    assert!(why.contains("a sheet as in guess e2 g1f3 $N") && why.contains("accept or retract"), "{why}");
    let why = refused(&game, Seat::Two, "");
    assert_eq!(why, "the action is empty: write one, such as guess or guess e2");
    for (text, at) in [("guess e2 e7", Some(9)), ("e2 e7", None)] {
        let refusal = game.copy().act(Actor::Seat(Seat::Two), text, 1).unwrap_err();
        assert_eq!(refusal.at, at, "{text}: the place of the fault");
    }
    act(&mut game, Seat::Two, "e2 $N");
    act(&mut game, Seat::One, "e2e4");
    assert_eq!(purses(&game, None), [Some(0), Some(4)], "the sheet was accepted");
}

#[test]
fn extra_letters_are_named() {
    let game = super::from("4k3/P7/8/8/8/8/4P3/4K3 w - - 0 1", 0);
    assert_eq!(refused(&game, Seat::One, "e2e4q"), "the pawn does not promote on e4; leave the last letter out");
    assert!(refused(&game, Seat::One, "e2e5q").contains("cannot go to e5"));
    assert!(refused(&game, Seat::One, "a7a8").contains("one of the letters q r b n"));
}

#[test]
fn refusals_point_at_the_word() {
    for (text, at) in [
        ("", 0),
        ("guess e2 x9", 9),
        ("guess e2 $N@x9", 12),
        ("guess e2 e7e8q", 13),
        ("e2e4 d2", 7),
        ("e2e4 Z@d2", 5),
        ("e2e4 N@z2", 7),
        ("lock", 4),
        ("lock x e2e4", 5),
        ("lock 300 e2e4", 5),
        ("lock 2", 6),
        ("accept e2e4", 7),
        ("disclose x", 9),
    ] {
        assert_eq!(text.parse::<Action>().unwrap_err().at, Some(at), "{text}");
    }
    assert!("N@f5 ".repeat(1000).parse::<Action>().is_err());
}

proptest! {
    #[test]
    fn parsed_actions_survive_a_round_trip(text in "(guess|lock|disclose|accept|e2e4|N@f5|\\$N@f5|\\$K|[a-i][0-9]|extra| |[^ ]){0,9}") {
        if let Ok(action) = text.parse::<Action>() {
            prop_assert_eq!(action.to_string().parse::<Action>().unwrap(), action);
        }
    }
}
