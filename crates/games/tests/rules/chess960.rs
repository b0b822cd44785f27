//! Chess960: starting arrays, their numbers, and castling from any file.

use std::collections::BTreeSet;

use rand::{SeedableRng, rngs::StdRng};
use serde_json::{Map, json};
use zorkmid_games::{
    game::Clocks,
    registry,
    rules::{Actor, Seat},
};

use crate::kin::{begin, fen};

/// FEN of an array.
fn array(number: u16) -> String {
    let mut game = begin("chess960", "").unwrap();
    game.act(Actor::Chance, &format!("array {number}"), 0).unwrap();
    fen(&game)
}

#[test]
fn arrays_have_scharnagl_numbers() {
    for (number, row) in [(0, "bbqnnrkr"), (518, "rnbqkbnr"), (959, "rkrnnqbb"), (100, "qbbnrnkr"), (534, "rnbkqbnr")] {
        let place = array(number);
        assert!(place.starts_with(&format!("{row}/pppppppp/")), "{number}: {place}");
        assert!(place.ends_with(" w KQkq - 0 1"), "{number}: {place}");
    }
    let rows: BTreeSet<String> = (0..960).map(|number| array(number)[..8].to_owned()).collect();
    assert_eq!(rows.len(), 960);
    for row in rows {
        let places = |letter: char| -> Vec<usize> { row.match_indices(letter).map(|(at, _)| at).collect() };
        let (rooks, king, bishops) = (places('r'), places('k'), places('b'));
        assert!(rooks[0] < king[0] && king[0] < rooks[1] && (bishops[0] + bishops[1]) % 2 == 1, "{row}");
    }
    let mut game = begin("chess960", "").unwrap();
    for wrong in ["array 960", "array -1", "array 05", "array"] {
        assert!(game.act(Actor::Chance, wrong, 0).is_err(), "{wrong}");
    }
    assert!(game.act(Actor::Seat(Seat::One), "array 5", 0).is_err());
}

#[test]
fn chance_draws_arrays_uniformly_unless_a_position_is_given() {
    let mut rng = StdRng::seed_from_u64(2);
    let drawn: BTreeSet<String> =
        (0..9_600).map(|_| begin("chess960", "").unwrap().chance(&mut rng).unwrap()).collect();
    assert!(drawn.len() > 955, "{}", drawn.len());
    assert_eq!(begin("chess960", "1r3k1r/8/8/8/8/8/8/1R3K1R w KQkq - 0 1").unwrap().chance(&mut rng), None);
    let mut game = registry::find("chess960").unwrap().begin(&Map::new(), Clocks::new([None; 2])).unwrap();
    game.act(Actor::Chance, "array 518", 0).unwrap();
    assert_eq!(game.json(None)["view"]["array"], json!(518));
}

#[test]
fn castling_is_the_king_onto_its_rook() {
    let mut game = begin("chess960", "1r3k1r/8/8/8/8/8/8/1R3K1R w KQkq - 0 1").unwrap();
    game.act(Actor::Seat(Seat::One), "f1b1", 0).unwrap();
    game.act(Actor::Seat(Seat::Two), "f8h8", 0).unwrap();
    assert!(fen(&game).starts_with("1r3rk1/8/8/8/8/8/8/2KR3R w"), "{}", fen(&game));
    let mut usual = begin("chess960", "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1").unwrap();
    usual.act(Actor::Seat(Seat::One), "e1h1", 0).unwrap();
    assert!(fen(&usual).starts_with("4k3/8/8/8/8/8/8/R4RK1 b"), "{}", fen(&usual));
}
