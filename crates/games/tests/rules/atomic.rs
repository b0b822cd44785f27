//! Atomic chess: explosions, adjacent kings, and results. `oracle.rs` compares its moves with Fairy-Stockfish.

use rand::{RngExt, SeedableRng, rngs::StdRng, seq::IndexedRandom};
use serde_json::json;
use zorkmid_games::rules::{Actor, Seat};

use crate::{
    kin::{begin, ended, fen, play},
    often::often,
    pyffish,
};

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
fn captures_may_not_explode_the_own_king() {
    let mut game = begin("atomic", "7k/8/8/8/8/8/4p3/R3K3 w - - 0 1").unwrap();
    let refused = game.act(Actor::Seat(Seat::One), "e1e2", 0).unwrap_err();
    assert!(refused.why.contains("remove the mover’s own king"), "{refused:?}");
}

#[test]
fn adjacent_kings_are_not_in_check() {
    let mut game = begin("atomic", "8/p6p/8/3kK3/8/8/8/3r4 w - - 0 1").unwrap();
    // The rook attacks d4, but the king may go there because it is adjacent to the other king.
    game.act(Actor::Seat(Seat::One), "e5d4", 0).unwrap();
    let mut apart = begin("atomic", "8/k6p/8/4K3/8/8/8/3r4 w - - 0 1").unwrap();
    assert!(apart.act(Actor::Seat(Seat::One), "e5d4", 0).is_err());
}

#[test]
fn checkmate_wins() {
    let mut game = begin("atomic", "k7/7R/6R1/8/8/8/8/K7 w - - 0 1").unwrap();
    play(&mut game, "Rg8#");
    assert_eq!(ended(&game), Some((Some(Seat::One), "checkmate")));
}

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

/// A position with both kings and up to three more pieces on random squares.
fn few_pieces(rng: &mut StdRng) -> String {
    let mut squares = [' '; 64];
    let others: Vec<char> = (0..rng.random_range(0..=3)).map(|_| *b"NBRQPnbrqp".choose(rng).unwrap() as char).collect();
    for piece in "Kk".chars().chain(others) {
        squares[rng.random_range(0..64)] = piece;
    }
    let rank = |rank: &[char]| {
        let text: String = rank.iter().collect();
        (1..=8).rev().fold(text, |text, run| text.replace(&" ".repeat(run), &run.to_string()))
    };
    format!("{} w - - 0 1", squares.chunks(8).map(rank).collect::<Vec<_>>().join("/"))
}

#[test]
fn insufficient_material_matches_python_chess() {
    let mut rng = StdRng::seed_from_u64(5);
    let mut starts = Vec::new();
    while starts.len() < often(4_000) {
        let fen = few_pieces(&mut rng);
        // Skips positions that have ended for another reason.
        if let Some(end) = begin("atomic", &fen).ok().map(|game| ended(&game))
            && end.is_none_or(|(_, reason)| reason == "dead position")
        {
            starts.push((fen, end.is_some()));
        }
    }
    let fens: Vec<&str> = starts.iter().map(|(fen, _)| fen.as_str()).collect();
    let script = "import chess.variant, json, sys\n\
                  boards = map(chess.variant.AtomicBoard, json.load(sys.stdin))\n\
                  print(json.dumps([board.is_insufficient_material() for board in boards]))";
    let Some(answer) = pyffish::answer(script, &json!(fens)) else { return };
    let theirs: Vec<bool> = serde_json::from_value(answer).unwrap();
    assert_eq!(theirs.len(), starts.len());
    for ((fen, dead), theirs) in starts.iter().zip(theirs) {
        assert_eq!(*dead, theirs, "{fen}");
    }
    assert!(starts.iter().filter(|(_, dead)| *dead).count() > often(200), "dead positions are rare here");
}
