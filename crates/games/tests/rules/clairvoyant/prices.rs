//! Prices of turns: the price table, the king's special prices, and the limits of a turn.

use serde_json::json;

use super::{from, game, mover, purse, refused, turn};

/// Price of a turn for a player with 200Z.
fn cost(fen: &str, text: &str) -> i64 {
    let mut game = from(fen, 200);
    let seat = mover(&game);
    turn(&mut game, "guess", text);
    200 - purse(&game, seat)
}

#[test]
fn extra_moves_of_pieces() {
    for (fen, text, price) in [
        ("4k3/8/8/3p4/8/8/8/1N2K3 w - - 0 1", "b1c3 c3e4", 7),
        ("6k1/8/8/4p3/8/5N2/8/4K3 w - - 0 1", "f3e5 e5f3", 18),
        ("k7/5p2/8/4p3/8/5N2/8/4K3 w - - 0 1", "f3e5 e5f7", 23),
        ("4k3/8/8/3p4/8/8/8/1N2K3 w - - 0 1", "b1c3 c3d5", 15),
        ("6k1/8/8/4p3/8/5N2/8/R3K3 w - - 0 1", "f3e5 e1d1", 3),
        ("6k1/8/8/4p3/p7/5N2/8/R3K3 w - - 0 1", "f3e5 a1a4", 16),
        ("6k1/8/8/4p3/8/5N2/8/4R1K1 w - - 0 1", "f3e5 e1e2", 9),
        ("4k3/8/8/3p4/8/8/4P3/4K3 w - - 0 1", "e2e4 e4d5", 3),
        ("6k1/8/2p5/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5 d5c6", 7),
        ("6k1/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5 d5d6", 5),
        ("6k1/8/8/8/8/8/4P3/B3K3 w - - 0 1", "e2e3 a1c3", 7),
        ("6k1/8/8/p7/8/8/4P3/Q3K3 w - - 0 1", "e2e3 a1b1", 12),
        ("6k1/8/8/p7/8/8/4P3/Q3K3 w - - 0 1", "e2e3 a1a5", 20),
        ("6k1/8/p7/p7/8/8/4P3/Q3K3 w - - 0 1", "a1a5 a5a6", 29),
        ("6k1/8/p7/p7/8/8/4P3/Q3K3 w - - 0 1", "a1a5 a5a1", 24),
        ("6k1/8/p7/p7/8/8/4P3/R3K3 w - - 0 1", "a1a5 a5a6", 26),
        ("6k1/8/p7/p7/8/8/4P3/R3K3 w - - 0 1", "a1a5 a5a1", 21),
        // A promoted pawn moves at the queen's price. Promotion and castling have no extra price.
        ("6k1/P7/8/8/8/8/8/4K3 w - - 0 1", "e1d1 a7a8q", 3),
        ("7k/P6p/6p1/8/8/8/8/4K3 w - - 0 1", "e1d1 a7a8n", 3),
        ("4k3/8/8/8/8/8/P7/4K2R w K - 0 1", "a2a3 e1g1", 3),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "e1d1 e5d6", 3),
    ] {
        assert_eq!(cost(fen, text), price, "{text} in {fen}");
    }
    assert_eq!(cost("8/P7/8/8/4k3/8/8/4K3 w - - 0 1", "a7a8r a8a1"), 9);
}

#[test]
fn prices_consider_the_whole_turn() {
    let fen = "7k/8/8/8/3p4/2p5/7P/1N5K w - - 0 1";
    for (text, price) in [
        ("b1c3 c3e4", 18),
        ("b1c3 h2h3 c3e4", 3 + 18),
        ("b1c3 c3e4 h2h3", 18 + 3),
        ("b1c3 c3e2 e2d4", 18 + 23),
        ("b1c3 h2h3 h1g1", 3 + 3),
        ("b1d2 d2b3 b3d4", 7 + 15),
    ] {
        let mut game = game(json!({"fen": fen, "money_one": 200, "bought_after_free": 2}));
        turn(&mut game, "guess", text);
        assert_eq!(200 - purse(&game, zorkmid_games::rules::Seat::One), price, "{text}");
    }
}

#[test]
fn the_king_pays_by_check() {
    let checked = "4k3/8/8/8/4r3/8/3P4/4K3 w - - 0 1";
    for (fen, text, price) in [
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "e1e2 e2e3", 3),
        (checked, "e1f2 f2g3", 7),
        (checked, "d2d3 e1f2", 11),
        ("4k3/8/8/8/4r3/8/3PB3/4K3 w - - 0 1", "e2f3 e1f2", 11),
        // The king captures a guarded pawn and steps out of check, or captures an unguarded pawn.
        ("4k3/8/8/8/8/8/3p4/4K3 w - - 0 1", "e1d2 d2e2", 18),
        ("3rk3/8/8/8/8/8/3p4/4K3 w - - 0 1", "e1d2 d2e2", 25),
        ("4k3/8/8/8/8/4p3/3p4/4K3 w - - 0 1", "e1d2 d2e3", 23),
        ("4k3/8/8/8/8/8/P2p4/4K3 w - - 0 1", "a2a3 e1d2", 9),
    ] {
        assert_eq!(cost(fen, text), price, "{text} in {fen}");
    }
    let game = from("4k3/8/8/8/4r3/8/3PB3/4K3 w - - 0 1", 200);
    assert!(refused(&game, mover(&game), "e2f3").contains("in check at the end"));
}

#[test]
fn drops_and_moves_after_them_have_their_prices() {
    let open = "6k1/8/8/8/8/8/8/4K3 w - - 0 1";
    for (fen, text, price) in [
        (open, "N@f5 P@b3", 15),
        (open, "R@a5 a5a7 a7b7", 33),
        ("6k1/p7/8/8/8/8/8/4K3 w - - 0 1", "R@a5 a5a7 a7b7", 52),
        (open, "B@a1", 12),
        (open, "Q@a1", 25),
        (open, "K@a1", 150),
        (open, "P@a2 a2a4 a4a5", 9),
        (open, "P@a2 N@b1 a2a4 b1c3", 3 + 12 + 3 + 7),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "K@a1 a1a2", 153),
    ] {
        assert_eq!(cost(fen, text), price, "{text} in {fen}");
    }
}

#[test]
fn only_the_starting_money_can_be_spent() {
    let fen = "4k3/8/8/8/8/8/8/1N2K3 w - - 0 1";
    let poor = from(fen, 6);
    assert!(refused(&poor, mover(&poor), "b1c3 c3e4").contains("costs 7Z, and you have 6Z"));
    assert!(refused(&poor, mover(&poor), "P@a2 P@b2 P@c2").contains("costs 3Z, and you have 0Z"));
    assert_eq!(cost(fen, "b1c3 c3e4"), 7);
    let mut other = game(json!({"fen": fen, "money_one": 6, "costs": "knight 12 5 15 18 23; retract 1/2/3"}));
    turn(&mut other, "guess", "b1c3 c3e4");
    assert_eq!(purse(&other, zorkmid_games::rules::Seat::One), 1);
}

#[test]
fn an_earlier_move_does_not_cheapen_a_move_in_check() {
    let begun = |costs: &str| {
        let options = json!({"costs": costs}).as_object().unwrap().clone();
        let variant = zorkmid_games::registry::find("clairvoyant").unwrap();
        variant
            .begin(&options, zorkmid_games::game::Clocks::new([None, None]))
            .map(|_| ())
            .map_err(|refusal| refusal.why)
    };
    assert_eq!(begun("king 150 3/7/7 9 18/25 23"), Ok(()));
    let why = begun("pawn 3 3 3 5 7; king 150 3/7/6 9 18/25 23").unwrap_err();
    assert!(why.contains("the row king") && why.contains("costs 7 ") && why.contains("only 6 "), "{why}");
}
