//! Numbered cases of the rules: payments for sheets, prices of turns, illegal turns, and prices of retractions.

use serde_json::json;
use zorkmid_games::rules::{Outcome, Seat, Turn};

use super::{act, answering, from, game, json as seen, mover, open, purse, refused, turn};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
/// The king on e1 is in check from a rook on e4, and can go to d1, f1 and f2.
const CHECKED: &str = "4k3/8/8/8/4r3/8/3P4/4K3 w - - 0 1";
const ONLY_MOVE: &str = "6k1/5ppp/8/8/8/8/5PPP/2R1r1K1 w - - 0 1";

/// Cases 1, 2, 3, 5 and 13: position, sheet, turn, payment for each guess.
const EARNED: [(u8, &str, &str, &str, &[i64]); 10] = [
    (1, START, "guess e2 e2e4 g1f3", "e2e4", &[4, 5, 0]),
    (2, START, "guess e2e4 e2e4 e2e4", "e2e4", &[5, 5, 5]),
    (3, START, "guess e2e3 d2 g1", "e2e4", &[0, 0, 0]),
    (5, "4k3/8/8/8/8/8/8/4K2R w K -", "guess e1 e1g1 h1", "e1g1", &[12, 12, 0]),
    (5, "4k3/8/8/8/8/8/8/4K2R w K -", "guess e1 e1g1 h1", "e1d2", &[12, 0, 0]),
    (5, "4k3/8/8/8/8/8/8/4K2R w K -", "guess e1d2", "e1d2", &[18]),
    (13, START, "guess $N $N@f5 $Q", "N@f5", &[15, 20, 0]),
    (13, START, "guess $N $N@f5 extra", "N@f5 f5h4", &[15, 20, 20]),
    (13, START, "guess $N $N@f5 extra", "N@f5", &[15, 20, 0]),
    (13, START, "guess extra", "e2e4 d2d4", &[20]),
];

/// Cases 8, 9 and 12: position, turn, price.
const PAID: [(u8, &str, &str, i64); 20] = [
    (8, START, "b1c3 c3e4", 7),
    (8, "6k1/8/8/4p3/8/5N2/8/4K3 w - -", "f3e5 e5f3", 18),
    (8, "k7/5p2/8/4p3/8/5N2/8/4K3 w - -", "f3e5 e5f7", 23),
    (8, "4k3/8/8/3p4/8/8/8/1N2K3 w - -", "b1c3 c3d5", 15),
    (8, "6k1/8/8/4p3/p7/5N2/8/R3K3 w - -", "f3e5 a1a4", 16),
    (8, "6k1/8/8/4p3/8/5N2/8/4R1K1 w - -", "f3e5 e1e2", 9),
    (8, "4k3/8/8/3p4/8/8/4P3/4K3 w - -", "e2e4 e4d5", 3),
    (8, "6k1/8/2p5/3p4/4P3/8/8/4K3 w - -", "e4d5 d5c6", 7),
    (8, "6k1/8/8/3p4/4P3/8/8/4K3 w - -", "e4d5 d5d6", 5),
    (9, "4k3/8/8/8/8/8/8/4K3 w - -", "e1e2 e2e3", 3),
    (9, CHECKED, "e1f2 f2g3", 7),
    (9, CHECKED, "d2d3 e1f2", 11),
    (9, "4k3/8/8/8/4r3/8/3PB3/4K3 w - -", "e2f3 e1f2", 11),
    (9, "3rk3/8/8/8/8/8/3p4/4K3 w - -", "e1d2 d2e2", 25),
    (9, "4k3/8/8/8/8/8/3p4/4K3 w - -", "e1d2 d2e2", 18),
    (9, "4k3/8/8/8/8/4p3/3p4/4K3 w - -", "e1d2 d2e3", 23),
    (9, "4k3/8/8/8/8/8/P2p4/4K3 w - -", "a2a3 e1d2", 9),
    (12, START, "N@f5 P@b3", 15),
    (12, "6k1/8/8/8/8/8/8/4K3 w - -", "R@a5 a5a7 a7b7", 33),
    (12, "6k1/p7/8/8/8/8/8/4K3 w - -", "R@a5 a5a7 a7b7", 52),
];

/// Cases 9, 10, 11 and 12: position, turn, part of the refusal or `None` if it is legal.
const ALLOWED: [(u8, &str, &str, Option<&str>); 16] = [
    (9, "4k3/8/8/8/4r3/8/3PB3/4K3 w - -", "e2f3", Some("in check at the end")),
    (10, "4k3/8/8/8/8/8/8/1N2KB2 w - -", "f1b5 b5c6", Some("just given check")),
    (10, "4k3/8/8/8/8/8/8/1N2KB2 w - -", "f1b5 b1c3", None),
    (10, "3k4/8/8/8/8/3B4/8/3RK3 w - -", "d3h7 h7g6", Some("just given check")),
    (10, "3k4/8/8/8/8/3B4/8/3RK3 w - -", "d3h7 d1d8", Some("cannot be captured")),
    (10, "3k4/8/8/8/8/3B4/8/3RK3 w - -", "d3h7 d1d2", None),
    (11, "4k3/8/8/8/8/8/8/4K3 w - -", "Q@e5", Some("check")),
    (11, "4k3/8/8/8/8/8/8/4K3 w - -", "N@d6", Some("check")),
    (11, "4k3/8/8/8/8/8/8/4K3 w - -", "P@d7", Some("check")),
    (11, "4k3/8/8/8/8/8/8/4K3 w - -", "P@e7", None),
    (11, "4k3/8/8/8/8/8/8/4K3 w - -", "N@e6", None),
    (11, "4k3/8/8/8/8/8/8/4K3 w - -", "P@a1", Some("rank")),
    (11, "4k3/8/8/8/8/8/8/4K3 w - -", "P@a8", Some("rank")),
    (12, "6k1/8/8/8/8/8/8/4K3 w - -", "R@a5 a5a7 a7b7 b7b1", Some("at most 2")),
    (12, START, "e2e4 d2d4 g1f3", Some("at most 2")),
    (12, START, "e2e4 N@f5", Some("drops first")),
];

#[test]
fn sheets_match_the_table() {
    for (case, fen, sheet, text, hits) in EARNED {
        let mut game = from(fen, 200);
        turn(&mut game, sheet, text);
        let settled = seen(&game, None)["view"]["settled"].clone();
        let earned: Vec<i64> =
            settled["sheet"].as_array().unwrap().iter().map(|hit| hit["earned"].as_i64().unwrap()).collect();
        assert_eq!(earned, hits, "case {case}: {sheet} against {text}");
        assert_eq!(purse(&game, Seat::Two) - 200, hits.iter().sum::<i64>(), "case {case}");
    }
}

#[test]
fn prices_match_the_table() {
    for (case, fen, text, price) in PAID {
        let mut game = from(fen, 200);
        turn(&mut game, "guess", text);
        assert_eq!(200 - purse(&game, Seat::One), price, "case {case}: {text} in {fen}");
        let mut exact = self::game(json!({"fen": fen, "money_one": price}));
        turn(&mut exact, "guess", text);
        let poor = self::game(json!({"fen": fen, "money_one": price - 1}));
        assert!(refused(&poor, Seat::One, text).contains("costs"), "case {case}: {text} with {}Z", price - 1);
    }
}

#[test]
fn illegal_turns_are_refused() {
    for (case, fen, text, why) in ALLOWED {
        let game = from(fen, 500);
        match why {
            Some(why) => {
                let said = refused(&game, mover(&game), text);
                assert!(said.contains(why), "case {case}: {text} in {fen}: {said}");
            }
            None => turn(&mut game.copy(), "guess", text),
        }
    }
}

#[test]
fn a_forced_move_has_no_sheet() {
    // Case 6.
    let mut game = from(ONLY_MOVE, 0);
    assert_eq!(game.turn(), Turn::One(Seat::One));
    act(&mut game, Seat::One, "c1e1");
    assert_eq!(purse(&game, Seat::Two), 12);
    // The payment is the same if the player buys something else.
    let mut game = from(ONLY_MOVE, 200);
    turn(&mut game, "", "K@a1");
    assert_eq!([purse(&game, Seat::One), purse(&game, Seat::Two)], [50, 212]);
    // Case 7.
    assert_eq!(from(CHECKED, 0).turn(), Turn::Both);
}

#[test]
fn retraction_prices_match_the_table() {
    // Case 14.
    for (fen, text, price) in [
        (START, "e2e4", Some(10)),
        ("rnbqkbnr/ppppp1pp/8/5p2/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -", "d1h5", Some(15)),
        (CHECKED, "e1f2", Some(25)),
        (ONLY_MOVE, "c1e1", None),
    ] {
        let mut game = from(fen, 100);
        open(&mut game, "guess", text);
        assert_eq!(answering(&game), price.is_some(), "{text}");
        if let Some(price) = price {
            act(&mut game, Seat::Two, "retract");
            assert_eq!(100 - purse(&game, Seat::Two), price, "{text}");
        }
    }
    let mut game = from(START, 100);
    open(&mut game, "guess", "e2e4");
    act(&mut game, Seat::Two, "retract");
    for text in ["e2e4", "e2e4 d2d4"] {
        assert!(refused(&game, Seat::One, text).contains("forced back"), "{text}");
    }
    act(&mut game, Seat::One, "e2e3");
}

#[test]
fn fools_mate_depends_on_the_purse() {
    // Case 16.
    let fool = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq -";
    for money in 0..16 {
        let mate = (money < 3).then_some(Outcome::Win(Seat::Two, "checkmate"));
        assert_eq!(from(fool, money).outcome(), mate, "{money}Z");
        let before = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq -";
        let mut game = game(json!({"fen": before, "money_one": money}));
        open(&mut game, "guess", "d8h4");
        assert_eq!(answering(&game), money >= 15, "{money}Z");
    }
    for block in ["P@f2", "P@g3"] {
        turn(&mut from(fool, 3), "guess", block);
    }
}
