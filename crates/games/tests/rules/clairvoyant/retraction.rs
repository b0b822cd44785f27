//! Retractions: their price, when they are allowed, what they restore, and guesses about them.

use serde_json::json;
use zorkmid_games::rules::{Seat, Turn};

use super::{act, from, game, json as seen, mover, open, purse, refused, turn};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Price of retracting a turn, if that is allowed.
fn price(fen: &str, text: &str) -> Option<i64> {
    let mut game = from(fen, 100);
    let seat = mover(&game);
    open(&mut game, "guess", text);
    if game.turn() != Turn::One(!seat) || seen(&game, None)["view"]["answering"] == false {
        return None;
    }
    let before = purse(&game, !seat);
    act(&mut game, !seat, "retract");
    Some(before - purse(&game, !seat))
}

#[test]
fn prices() {
    assert_eq!(price(START, "e2e4"), Some(10));
    assert_eq!(price("rnbqkbnr/ppppp1pp/8/5p2/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2", "d1h5"), Some(15));
    assert_eq!(price("4k3/8/8/8/4r3/8/3P4/4K3 w - - 0 1", "e1f2"), Some(25));
    assert_eq!(price("6k1/5ppp/8/8/8/8/5PPP/2R1r1K1 w - - 0 1", "c1e1"), None, "the only way out");
}

#[test]
fn retracting_a_turn_that_parries_check_has_that_price() {
    // The rook captures the checking piece and gives check on the file.
    assert_eq!(price("4k3/8/8/8/R3r3/8/3P4/4K3 w - - 0 1", "a4e4"), Some(25));
}

#[test]
fn retracted_turns_are_banned_for_this_turn() {
    let mut game = from(START, 100);
    open(&mut game, "guess e2e4 e2e3", "e2e4");
    act(&mut game, Seat::Two, "retract");
    assert_eq!(game.awaits(), [Seat::One], "only the mover is pending, and the sheet stays");
    assert_eq!(seen(&game, None)["view"]["bans"], json!(["e2e4"]));
    assert!(refused(&game, Seat::One, "e2e4").contains("forced back"));
    assert!(refused(&game, Seat::One, "e2e4 d2d4").contains("forced back"));
    assert!(!seen(&game, Some(Seat::One))["actions"].as_array().unwrap().contains(&json!("e2e4")));
    act(&mut game, Seat::One, "e2e3");
    act(&mut game, Seat::Two, "retract");
    assert!(refused(&game, Seat::One, "e2e3").contains("forced back"));
    act(&mut game, Seat::One, "d2d4 e2e4");
    act(&mut game, Seat::Two, "accept");
    // The sheet is compared only with the final turn.
    assert_eq!(purse(&game, Seat::Two), 100 - 20 + 5);
    assert_eq!(purse(&game, Seat::One), 100 - 3);
}

/// The reason why a turn is illegal after retractions of others.
fn after(fen: &str, back: &[&str], text: &str) -> String {
    let mut game = game(json!({"fen": fen, "money_one": 200, "money_two": 200, "bought_after_free": 2}));
    for (number, turn) in back.iter().enumerate() {
        open(&mut game, if number == 0 { "guess" } else { "" }, turn);
        act(&mut game, Seat::Two, "retract");
    }
    refused(&game, Seat::One, text)
}

#[test]
fn equivalents_of_retracted_turns_are_banned() {
    for (back, text, how) in [
        (&["N@f5 P@b3"][..], "P@b3 N@f5", "another order"),
        (&["e2e4 d2d4"], "d2d4 e2e4", "another order"),
        (&["e2e4"], "e2e3 e3e4", "the same board"),
        (&["e2e3 e3e4"], "e2e4", "the same board"),
        (&["g1f3 f3g1 e2e4"], "e2e4", "the same board"),
        (&["d2d3", "e2e4"], "e2e3 e3e4", "the same board"),
        (&["e2e4 d2d4"], "e2e4", "start with another move or drop"),
    ] {
        let why = after(START, back, text);
        assert!(why.contains("was forced back") && why.contains(how), "{text} after {back:?}: {why}");
    }
    // Such a move is not listed, and such a turn cannot be built.
    let mut game = game(json!({"money_one": 60, "money_two": 60}));
    open(&mut game, "guess", "e2e3 e3e4");
    act(&mut game, Seat::Two, "retract");
    assert!(!seen(&game, Some(Seat::One))["actions"].to_string().contains("e2e4"));
    // A part of the turn, or more than the turn, is a different turn.
    for other in ["d2d4 e2e4", "e2e4 d2d4"] {
        let mut other_game = game.copy();
        act(&mut other_game, Seat::One, other);
    }
}

#[test]
fn promotions_on_the_same_square_are_one_move() {
    // The pawn captures on e8 with any promotion; nothing else parries the check.
    assert_eq!(price("4r2k/3P4/8/8/8/3p1p2/3P1P2/3RKR2 w - - 0 1", "d7e8q"), None);
    // There is another move, so the promotion can be retracted. Then the pawn may promote to another piece.
    let mut game = from("7k/P7/8/8/8/8/8/K7 w - - 0 1", 100);
    open(&mut game, "guess", "a7a8q");
    act(&mut game, Seat::Two, "retract");
    act(&mut game, Seat::One, "a7a8r");
}

#[test]
fn free_locks_cost_no_guess() {
    let mut game = game(json!({"retraction_guess": "free", "money_one": 50, "money_two": 50}));
    open(&mut game, "guess", "lock 3 e2e4");
    act(&mut game, Seat::Two, "retract");
    assert_eq!(purse(&game, Seat::One), 50 + 3 * 20);
    assert!(refused(&game, Seat::One, "lock 1 d2d4").contains("at most 0"), "no more than a sheet's worth");
    act(&mut game, Seat::One, "d2d4");
    act(&mut game, Seat::Two, "accept");
    turn(&mut game, "guess e7 d7 c7", "e7e5");
}

#[test]
fn retractions_undo_and_refund_the_whole_turn() {
    let fen = "r3k2r/8/8/8/1p6/8/P7/R3K2R w KQkq - 3 9";
    for text in ["N@f5 P@b3", "e1g1", "a2a4 a1d1", "Q@d4 d4d5", "h1h8 a1d1"] {
        let mut game = from(fen, 100);
        let diagram = |game: &zorkmid_games::game::Live| {
            let diagram = seen(game, None)["view"]["diagram"].clone();
            (diagram["pieces"].clone(), diagram["fen"].clone(), diagram["check"].clone())
        };
        let before = diagram(&game);
        open(&mut game, "guess", text);
        assert_ne!(diagram(&game), before);
        act(&mut game, Seat::Two, "retract");
        assert_eq!(diagram(&game), before, "{text}");
        assert_eq!(purse(&game, Seat::One), 100, "{text}");
        turn(&mut game, "guess", "e1d1");
        let fen = seen(&game, None)["view"]["diagram"]["fen"].as_str().unwrap().to_owned();
        assert!(fen.ends_with(" b kq - 4 9"), "{fen}");
    }
}

#[test]
fn players_who_cannot_pay_get_no_answer_phase() {
    let mut game = from(START, 9);
    open(&mut game, "guess e2e4 e2e4 e2e4", "e2e4");
    assert_eq!(purse(&game, Seat::Two), 24, "the turn's income comes too late to pay for its retraction");
    assert_eq!(mover(&game), Seat::Two);
}

#[test]
fn locks_cost_later_guesses_and_pay_on_retraction() {
    let mut game = from(START, 100);
    open(&mut game, "guess", "lock 2 e2e4");
    for (viewer, locks) in [(Some(Seat::One), json!(2)), (Some(Seat::Two), json!(null)), (None, json!(null))] {
        assert_eq!(seen(&game, viewer)["view"]["own_locks"], locks);
    }
    act(&mut game, Seat::Two, "retract");
    assert_eq!(purse(&game, Seat::One), 140);
    assert_eq!(purse(&game, Seat::Two), 90);
    assert!(refused(&game, Seat::One, "lock 2 d2d4").contains("at most 1"));
    act(&mut game, Seat::One, "lock 1 d2d4");
    act(&mut game, Seat::Two, "accept");
    assert_eq!(purse(&game, Seat::One), 140, "a lock without a retraction is lost");
    assert_eq!(seen(&game, None)["view"]["settled"]["locks_lost"], 1);
    assert!(refused(&game, Seat::One, "guess e7").contains("staked all guesses"));
    turn(&mut game, "guess", "e7e5");
    turn(&mut game, "guess g1 g1 g1", "g1f3");
}

#[test]
fn a_lock_without_retraction_costs_one_guess() {
    let mut game = game(json!({"money_two": 50}));
    open(&mut game, "guess", "lock 1 e2e4");
    act(&mut game, Seat::Two, "accept");
    assert!(refused(&game, Seat::One, "guess e7 e7 e7").contains("2 guesses"));
    turn(&mut game, "guess e7 e7e5", "e7e5");
    assert_eq!(purse(&game, Seat::One), 9);
}
