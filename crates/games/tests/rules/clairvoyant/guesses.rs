//! Payments for guesses: the payoff table, applied to complete turns.

use serde_json::json;
use zorkmid_games::rules::Seat;

use super::{act, from, game, json as seen, mover, open, purse, refused, turn};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Payment for a sheet in a position, against a turn of a player with 200Z.
fn earned(fen: &str, sheet: &str, text: &str) -> i64 {
    let mut game = from(fen, 200);
    let guesser = !mover(&game);
    turn(&mut game, sheet, text);
    purse(&game, guesser) - 200
}

#[test]
fn guesses_are_judged_one_by_one() {
    assert_eq!(earned(START, "guess e2 e2e4 g1f3", "e2e4"), 9);
    assert_eq!(earned(START, "guess e2e4 e2e4 e2e4", "e2e4"), 15);
    assert_eq!(earned(START, "guess e2e3 d2 g1", "e2e4"), 0);
    assert_eq!(earned(START, "guess", "e2e4"), 0);
    assert_eq!(earned(START, "guess g1 g1f3", "g1f3"), 18);
    assert_eq!(earned(START, "guess e2e5 a1a8", "e2e4"), 0);
}

#[test]
fn every_kind_of_guess_has_its_payoff() {
    let fen = "4k3/P6b/8/8/8/8/8/RNBQK3 w - - 0 1";
    for (sheet, text, paid) in [
        ("guess a7 a7a8", "a7a8q", 9),
        ("guess b1 b1c3", "b1c3", 18),
        ("guess c1 c1d2", "c1d2", 18),
        ("guess a1 a1a3", "a1a3", 25),
        ("guess d1 d1d3", "d1d3", 32),
        ("guess e1 e1e2", "e1e2", 30),
    ] {
        assert_eq!(earned(fen, sheet, text), paid, "{text}");
    }
}

#[test]
fn guessing_the_square_of_castling_pays_nothing_extra() {
    let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    assert_eq!(earned(fen, "guess e1 e1g1 h1", "e1g1"), 24);
    assert_eq!(earned(fen, "guess e1 e1g1 h1", "e1d2"), 12);
    assert_eq!(earned(fen, "guess e1d2", "e1d2"), 18);
    assert_eq!(earned(fen, "guess h1f1", "e1g1"), 0);
}

#[test]
fn guesses_name_pieces_by_their_square_before_the_turn() {
    let fen = "4k3/8/8/8/8/8/4P3/1N2K2R w K - 0 1";
    assert_eq!(earned(fen, "guess b1c3 b1e4 b1", "b1c3 c3e4"), 11 + 11 + 7);
    assert_eq!(earned(fen, "guess b1 e2 extra", "b1c3 e2e4"), 7 + 4 + 20);
    assert_eq!(earned(fen, "guess h1 h1f3 e1", "e1g1 f1f3"), 10 + 15 + 12, "the rook that castled moves again");
    assert_eq!(earned("8/P7/8/8/7k/8/8/4K3 w - - 0 1", "guess a7 a7a8 a7b8", "a7a8q a8b8"), 4 + 5 + 5);
}

#[test]
fn purchases_are_guessed_by_kind_and_square() {
    let fen = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
    assert_eq!(earned(fen, "guess $N $N@f5 $Q", "N@f5"), 35);
    assert_eq!(earned(fen, "guess $N $N@f5 extra", "N@f5 f5h4"), 55);
    assert_eq!(earned(fen, "guess $N@f4 $N@f4", "N@f5"), 0);
    for (kind, paid) in [("P", 18), ("N", 35), ("B", 35), ("R", 45), ("Q", 54), ("K", 450)] {
        let sheet = format!("guess ${kind} ${kind}@a4");
        let fen = "6k1/8/8/8/8/8/8/4K3 w - - 0 1";
        assert_eq!(earned(fen, &sheet, &format!("{kind}@a4")), paid, "{kind}");
    }
}

#[test]
fn en_passant_arrives_behind_the_pawn() {
    let fen = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2";
    assert_eq!(earned(fen, "guess e5d6 e5d5", "e5d6"), 5);
}

#[test]
fn a_forced_move_pays_twelve_without_a_sheet() {
    let mut game = from("6k1/5ppp/8/8/8/8/5PPP/2R1r1K1 w - - 0 1", 0);
    assert_eq!(game.awaits(), [Seat::One]);
    assert!(refused(&game, Seat::Two, "guess c1").contains("not your turn"));
    act(&mut game, Seat::One, "c1e1");
    assert_eq!(purse(&game, Seat::Two), 12);
    assert_eq!(purse(&game, Seat::One), 0);
    // Three legal replies: an ordinary guess sheet.
    let game = from("4k3/8/8/8/4r3/8/3P4/4K3 w - - 0 1", 0);
    assert_eq!(game.awaits(), [Seat::One, Seat::Two]);
    // Four promotions that capture the checking piece are one move.
    let game = from("4r2k/3P4/8/8/8/8/3P1P2/3RKR2 w - - 0 1", 0);
    assert_eq!(seen(&game, None)["view"]["forced"], true);
    let game = from("4r2k/3P4/8/8/8/5P2/3P4/3RKR2 w - - 0 1", 0);
    assert_eq!(seen(&game, None)["view"]["forced"], false, "the king may step to f2 too");
    // A side with two kings has no forced moves.
    let game = from("4r2k/3P4/8/8/8/8/3P1P2/K2RKR2 w - - 0 1", 0);
    assert_eq!(seen(&game, None)["view"]["forced"], false);
}

#[test]
fn sheets_name_only_what_the_mover_has() {
    let game = from(START, 0);
    for (sheet, why) in [
        ("guess e4", "no piece on e4"),
        ("guess e7", "yours"),
        ("guess e7e5", "yours"),
        ("guess e2 e2 e2 e2", "room for only 3 guesses"),
        ("guess e7e8q", "promotion"),
        ("guess $", "letters"),
        ("guess $X", "letters"),
        ("guess $N@j9", "guess is"),
        ("guess e2e9", "guess is"),
        ("guess n", "guess is"),
        ("e2e4", "guess"),
    ] {
        assert!(refused(&game, Seat::Two, sheet).contains(why), "{sheet}: {}", refused(&game, Seat::Two, sheet));
    }
    assert!(refused(&game, Seat::One, "guess e2").contains("time to move"));
}

#[test]
fn older_rules_and_other_tables_can_be_chosen() {
    let two = game(json!({"guesses_per_move": 2}));
    assert!(refused(&two, Seat::Two, "guess e2 e2 e2").contains("2 guesses"));
    let mut dear = game(json!({"payoffs": "pawn 1 2 3 4; extra 9"}));
    turn(&mut dear, "guess e2 e2e4 g1", "e2e4");
    assert_eq!(purse(&dear, Seat::Two), 3);
}

#[test]
fn the_last_sheet_before_the_reveal_counts() {
    let mut game = from(START, 0);
    act(&mut game, Seat::Two, "guess d2");
    act(&mut game, Seat::Two, "guess e2e4");
    open(&mut game, "guess e2e4", "e2e4");
    assert_eq!(purse(&game, Seat::Two), 5);
}
