//! Legal turns: forms, checks, drops, two kings, and several en passant captures.

use serde_json::json;
use zorkmid_games::rules::Seat;

use super::{from, game, json as seen, mover, refused, turn};

fn allowed(fen: &str, text: &str) {
    let mut game = from(fen, 500);
    turn(&mut game, "guess", text);
}

fn forbidden(fen: &str, text: &str, why: &str) {
    let game = from(fen, 500);
    let said = refused(&game, mover(&game), text);
    assert!(said.contains(why), "{text} in {fen}: {said}");
}

#[test]
fn a_checking_piece_may_not_move_on() {
    let fen = "4k3/8/8/8/8/8/4N3/4KB2 w - - 0 1";
    forbidden(fen, "e2c3 f1b5 b5c6", "at most 2 moves");
    let fen = "4k3/8/8/8/8/8/8/1N2KB2 w - - 0 1";
    forbidden(fen, "f1b5 b5c6", "just given check");
    allowed(fen, "f1b5 b1c3");
    // The bishop discovers the rook's check: it may not move on, and the rook may not capture the king.
    let fen = "3k4/8/8/8/8/3B4/8/3RK3 w - - 0 1";
    forbidden(fen, "d3h7 h7g6", "just given check");
    forbidden(fen, "d3h7 d1d8", "cannot be captured");
    allowed(fen, "d3h7 e1e2");
    // With a second king, checks do not matter.
    allowed("k2k4/8/8/8/8/3B4/8/3RK3 w - - 0 1", "d3h7 h7g6");
    // Double check, and a check that becomes mate.
    allowed("4k3/8/8/8/8/8/8/R3K2R w - - 0 1", "a1a8 h1h8");
}

#[test]
fn drops_may_not_check_and_need_empty_squares() {
    let fen = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
    for (text, why) in [
        ("Q@e5", "cannot give check"),
        ("R@a8", "cannot give check"),
        ("B@b5", "cannot give check"),
        ("P@d7", "cannot give check"),
        ("P@f7", "cannot give check"),
        ("N@d6", "cannot give check"),
        ("N@f6", "cannot give check"),
        ("K@d7", "cannot give check"),
        ("P@a1", "first or last rank"),
        ("P@a8", "first or last rank"),
        ("N@e1", "empty"),
        ("N@e8", "empty"),
        ("e1e2 N@a1", "drops first"),
        ("X@a1", "letters"),
        ("n@a1", "letters"),
        ("N@i1", "square"),
        ("NN@a1", "letters"),
    ] {
        forbidden(fen, text, why);
    }
    for text in ["P@e7", "N@e6", "P@e2 P@e3 P@e4", "Q@a1", "N@f5 P@b3"] {
        allowed(fen, text);
    }
    // Behind another drop it gives no check.
    allowed(fen, "P@e4 Q@e3");
    forbidden(fen, "Q@e3 P@e4", "cannot give check");
    // With two kings no drop gives check.
    allowed("4k2k/8/8/8/8/8/8/4K3 w - - 0 1", "Q@e5");
}

#[test]
fn moves_after_a_drop_are_for_the_dropped_piece() {
    let fen = "6k1/8/8/8/8/8/8/4K3 w - - 0 1";
    forbidden(fen, "R@a5 a5a7 a7b7 b7b1", "at most 2");
    forbidden(fen, "R@a5 e1e2", "dropped this turn");
    forbidden(fen, "R@a5 a5a8 a8b8", "just given check");
    let any = game(json!({"fen": fen, "money_one": 100, "post_drop": "any"}));
    any.copy().act(zorkmid_games::rules::Actor::Seat(Seat::One), "R@a5 e1e2 e2e3", 1).unwrap();
    let two = game(json!({"fen": fen, "money_one": 100, "bought_after_free": 2}));
    two.copy().act(zorkmid_games::rules::Actor::Seat(Seat::One), "e1e2 e2e3 e3e4", 1).unwrap();
    assert!(refused(&two, Seat::One, "e1e2 e2e3 e3e4 e4e5").contains("at most 3"));
    // A dropped pawn on its second rank may make a double step. A dropped rook may not castle.
    allowed(fen, "P@a2 a2a4");
    forbidden(fen, "R@h1 e1g1", "cannot go");
}

#[test]
fn the_last_king_is_safe_and_may_pass_through_check() {
    forbidden("4k3/8/8/8/8/8/8/4KR2 w - - 0 1", "f1f8 f8e8", "just given check");
    // A blocking move, a blocking drop, a capture of the checking piece: any turn that ends without check.
    let checked = "4k3/8/8/8/4r3/8/3P4/4K3 w - - 0 1";
    for text in ["P@e2", "N@e3", "d2d3 e1d2", "d2d3 d3e4", "K@a1", "e1f2 f2g3", "P@d3 d3e4"] {
        allowed(checked, text);
    }
    forbidden(checked, "d2d3", "in check at the end");
    forbidden(checked, "P@a2", "in check at the end");
    // A blocking piece moves first, and the king steps aside afterwards.
    allowed("4k3/8/8/8/4r3/8/3PB3/4K3 w - - 0 1", "e2f3 e1f2");
}

#[test]
fn castling_is_for_the_unmoved_king() {
    allowed("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1");
    allowed("4k3/8/8/8/8/8/P7/4K2R w K - 0 1", "a2a3 e1g1");
    forbidden("4k3/8/8/8/8/8/8/4K2R w - - 0 1", "e1g1", "cannot go");
    // With a bought king on the board it may still castle, but not out of an attack. The bought king's moves cost no rights.
    let mut game = from("4k3/p7/8/8/8/8/8/4K2R w K - 0 1", 300);
    turn(&mut game, "guess", "K@a1");
    turn(&mut game, "guess", "a7a6");
    turn(&mut game, "guess", "a1a2");
    turn(&mut game, "guess", "a6a5");
    let mut attacked = game.copy();
    turn(&mut game, "guess", "e1g1");
    let fen = seen(&game, None)["view"]["diagram"]["fen"].as_str().unwrap().to_owned();
    assert!(fen.starts_with("4k3/8/8/p7/8/8/K7/5RK1 b"), "{fen}");
    turn(&mut attacked, "guess", "a2a1");
    turn(&mut attacked, "guess", "Q@g3");
    assert!(refused(&attacked, Seat::One, "e1g1").contains("cannot go"));
}

#[test]
fn two_pawns_may_be_captured_en_passant() {
    let mut game = from("4k3/8/8/8/1p1p4/8/P1P5/4K3 w - - 0 1", 50);
    turn(&mut game, "guess", "a2a4 c2c4");
    assert_eq!(seen(&game, None)["view"]["en_passant"], json!(["a3", "c3"]));
    let fen = seen(&game, None)["view"]["diagram"]["fen"].clone();
    assert_eq!(fen, "4k3/8/8/8/PpPp4/8/8/4K3 b - c3 0 1");
    let mut both = game.copy();
    turn(&mut both, "guess", "b4a3 d4c3");
    assert_eq!(seen(&both, None)["view"]["diagram"]["fen"], "4k3/8/8/8/8/p1p5/8/4K3 w - - 0 2");
    turn(&mut game, "guess", "e8e7");
    assert_eq!(seen(&game, None)["view"]["en_passant"], json!([]));
    // A pawn that moved on, or a square that was filled, cannot be captured en passant.
    for text in ["a2a4 a4a5", "a2a4 N@a3"] {
        let mut game = from("4k3/8/8/8/1p1p4/8/P1P5/4K3 w - - 0 1", 50);
        if text.contains('@') {
            assert!(refused(&game, Seat::One, text).contains("drops first"));
        } else {
            turn(&mut game, "guess", text);
            assert_eq!(seen(&game, None)["view"]["en_passant"], json!([]));
        }
    }
    let mut filled = from("4k3/8/8/8/1p1p4/8/P1P5/1N2K3 w - - 0 1", 50);
    turn(&mut filled, "guess", "a2a4 b1a3");
    assert_eq!(seen(&filled, None)["view"]["en_passant"], json!([]));
}

#[test]
fn one_of_two_kings_can_be_captured() {
    let mut game = from("4k2k/8/8/8/8/8/8/4K2R w - - 0 1", 100);
    assert_eq!(game.awaits().len(), 2);
    turn(&mut game, "guess", "h1h8");
    assert_eq!(seen(&game, None)["view"]["diagram"]["check"], json!(["e8"]), "the survivor is in check at once");
    assert!(refused(&game, Seat::Two, "e8d8").contains("in check"));
    turn(&mut game, "guess", "e8d7");
}
