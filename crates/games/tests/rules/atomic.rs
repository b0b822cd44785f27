//! Atomic chess: explosions, kings that touch, and ends. Its moves are compared with Fairy-Stockfish in `oracle.rs`.

use zorkmid_games::rules::{Actor, Seat};

use crate::kin::{begin, ended, fen, play};

#[test]
fn a_capture_removes_pieces_around_it_and_leaves_pawns() {
    let mut game = begin("atomic", "k7/8/2nb4/2pq4/4N3/8/8/K7 w - - 0 1").unwrap();
    play(&mut game, "Nxd6");
    assert_eq!(fen(&game), "k7/8/8/2p5/8/8/8/K7 b - - 0 1");
    let mut passing = begin("atomic", "k7/3p4/2n1r3/4P3/8/8/8/K7 b - - 0 1").unwrap();
    play(&mut passing, "d5 exd6");
    assert_eq!(fen(&passing), "k7/8/8/8/8/8/8/K7 b - - 0 2");
}

#[test]
fn a_promotion_that_captures_leaves_no_piece() {
    let mut game = begin("atomic", "1r5k/P7/8/8/8/8/7P/K7 w - - 0 1").unwrap();
    play(&mut game, "axb8=Q");
    assert_eq!(fen(&game), "7k/8/8/8/8/8/7P/K7 b - - 0 1");
}

#[test]
fn an_exploded_king_loses_even_when_the_winner_is_in_check() {
    let mut game = begin("atomic", "4k3/5p2/8/6N1/8/8/8/4K2r w - - 0 1").unwrap();
    play(&mut game, "Nxf7#");
    assert_eq!(ended(&game), Some((Some(Seat::One), "king exploded")));
}

#[test]
fn nobody_explodes_their_own_king() {
    let mut game = begin("atomic", "7k/8/8/8/8/8/4p3/R3K3 w - - 0 1").unwrap();
    let refused = game.act(Actor::Seat(Seat::One), "e1e2", 0).unwrap_err();
    assert!(refused.why.contains("remove its own king"), "{refused:?}");
}

#[test]
fn kings_that_touch_are_not_in_check() {
    let mut game = begin("atomic", "8/p6p/8/3kK3/8/8/8/3r4 w - - 0 1").unwrap();
    // The rook attacks d4, and the king may go there beside the other king.
    game.act(Actor::Seat(Seat::One), "e5d4", 0).unwrap();
    let mut apart = begin("atomic", "8/k6p/8/4K3/8/8/8/3r4 w - - 0 1").unwrap();
    assert!(apart.act(Actor::Seat(Seat::One), "e5d4", 0).is_err());
}

#[test]
fn the_king_is_mated_as_in_chess() {
    let mut game = begin("atomic", "k7/7R/6R1/8/8/8/8/K7 w - - 0 1").unwrap();
    play(&mut game, "Rg8#");
    assert_eq!(ended(&game), Some((Some(Seat::One), "checkmate")));
}

/// By the material that python-chess calls insufficient.
#[test]
fn the_game_is_drawn_when_no_side_can_win() {
    for (last, action, drawn) in [
        ("8/8/8/3k4/8/8/3p4/K1R5 b - - 0 1", "d2c1q", true),
        ("8/8/8/3k4/8/8/3p4/K1R5 b - - 0 1", "d5e5", false),
        ("8/8/8/3k4/8/8/3p4/K1R1B1N1 b - - 0 1", "d2c1q", false),
        ("8/8/8/3k4/8/3n4/8/K2Q2N1 w - - 0 1", "d1d3", true),
    ] {
        let mut game = begin("atomic", last).unwrap();
        let seat = game.awaits()[0];
        game.act(Actor::Seat(seat), action, 0).unwrap();
        let end = ended(&game);
        assert_eq!(end == Some((None, "dead position")), drawn, "{last} {action}: {end:?}");
    }
}
