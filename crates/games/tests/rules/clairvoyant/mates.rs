//! Positions in which exactly one turn avoids mate, with the least money that it needs: one for each branch of the search.

use serde_json::json;
use zorkmid_games::rules::{Actor, Outcome, Seat};

use super::game;

/// Difficulty, position, whether moves after a drop may be bought for any piece, prices, money, and a turn that costs all of it.
type Rescue = (&'static str, &'static str, &'static str, &'static str, i64, &'static str);

const RESCUES: [Rescue; 10] = [
    (
        "two drops shield the square that the king moves to",
        "3r3k/8/bq6/7b/8/2p3p1/3B1Bn1/3NKN2 w - - 0 1",
        "any",
        "",
        13,
        "P@d3 P@f3 e1e2",
    ),
    (
        "a dropped pawn captures the blocker of a dropped rook en passant",
        "1q6/8/Kpp5/1pnp4/1ppp4/8/8/7k w - d6 0 1",
        "own",
        "pawn 3 90 1 90 90; knight 90 90 90 90 90; bishop 90 90 90 90 90; rook 5 90 2 90 90; queen 90 90 90 90 90; king 150 90 90 90 90",
        11,
        "P@e5 R@f5 e5d6 f5c5",
    ),
    (
        "a dropped pawn captures the blocker of an existing rook en passant",
        "1q6/8/Kpp5/1pnp3R/1ppp4/8/8/6k1 w - d6 0 1",
        "any",
        "pawn 3 90 1 90 90; knight 90 90 90 90 90; bishop 90 90 90 90 90; rook 90 90 2 90 90; queen 90 90 90 90 90",
        6,
        "P@e5 e5d6 h5c5",
    ),
    (
        "the blocking square is on the path of the piece that captures the other attacker",
        "7n/3p4/2pnp3/2p4k/2K1r3/q7/8/7n w - - 0 1",
        "own",
        "pawn 3 1 90 90 90; knight 90 90 90 90 90; bishop 90 90 90 90 90; rook 15 9 16 21 26; queen 90 90 90 90 90; king 150 90 90 90 90",
        35,
        "P@d2 R@d3 d3d6 d2d4",
    ),
    (
        "the blocking piece first shields the capturing one",
        "3k1r2/2p1p3/8/8/6bb/2pnp3/3P4/4K3 w - - 0 1",
        "own",
        "pawn 3 90 90 90 90; knight 90 90 90 90 90; bishop 3 1 90 90 90; rook 4 90 0 90 90; queen 90 90 90 90 90",
        8,
        "B@d6 R@d4 d4d3 d6g3",
    ),
    (
        "a shield blocks the piece behind it and must move away",
        "2k1b3/p7/2Kp4/8/8/8/8/3r4 w - - 0 1",
        "own",
        "pawn 3 1 90 90 90; knight 90 90 90 90 90; bishop 3 1 90 90 90; rook 90 90 90 90 90; queen 90 90 90 90 90",
        8,
        "P@e6 B@f5 e6e7 f5d7",
    ),
    ("a piece captures twice", "KB4q1/r7/qp1pn3/2rpp2p/7p/8/7k/8 w - - 0 1", "own", "", 13, "P@a5 a5b6 b6a7"),
    (
        "a promoted pawn moves on, so it must not have given check",
        "8/1p1P1P2/1r4p1/p2p4/r5q1/ppk2P2/q6q/q5K1 w - - 0 1",
        "any",
        "pawn 3 0 90 2 90; knight 90 90 3 90 90; bishop 90 90 0 90 90; rook 0 90 90 90 1; queen 90 1 2 0 90",
        5,
        "R@d4 R@b1 R@g2 P@h7 h7h8q h8h2",
    ),
    (
        "a cheap drop that would give check needs another one in front of it",
        "B3q3/6k1/1b2K2r/r5p1/8/8/2p5/8 w - - 0 1",
        "own",
        "pawn 90 0 3 1 90; knight 90 2 90 0 90; bishop 3 90 90 0 1; rook 90 90 3 90 3; queen 90 90 3 3 0",
        6,
        "B@g6 B@e7",
    ),
    (
        "a move of an existing piece and a move of a dropped pawn",
        "8/5n2/8/8/r2q1b2/6n1/1k1rr3/4Kqb1 w - - 0 1",
        "any",
        "",
        15,
        "P@f2 e1f1 f2g3",
    ),
];

#[test]
fn the_only_turn_is_found_and_needs_all_the_money() {
    for (why, fen, post_drop, costs, money, turn) in RESCUES {
        let owned = |money: i64| game(json!({"fen": fen, "money_one": money, "post_drop": post_drop, "costs": costs}));
        let mut game = owned(money);
        assert_eq!(game.outcome(), None, "{why}");
        let _ = game.act(Actor::Seat(Seat::Two), "guess", 1);
        game.act(Actor::Seat(Seat::One), turn, 1).unwrap_or_else(|refusal| panic!("{why}: {refusal}"));
        assert_eq!(super::purse(&game, Seat::One), 0, "{why}");
        assert_eq!(owned(money - 1).outcome(), Some(Outcome::Win(Seat::Two, "checkmate")), "{why}");
    }
}
