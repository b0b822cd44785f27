//! Minichess: the available boards and their promotions.

use zorkmid_games::{
    registry,
    rules::{Actor, Seat},
};

use crate::kin::{begin, fen, play};

#[test]
fn every_board_has_its_pieces_and_no_double_steps() {
    for (name, options) in (registry::find("minichess").unwrap().presets)() {
        let mut game = begin("minichess", options["fen"].as_str().unwrap()).unwrap();
        let moves = game.diagram(Some(Seat::One)).choices.unwrap();
        assert!(!moves.is_empty(), "{name}");
        for choice in moves {
            let rank = |at: usize| choice.action.as_bytes()[at];
            assert!(rank(3) <= rank(1) + 2, "{name}: {}", choice.action);
        }
        assert!(game.act(Actor::Seat(Seat::One), "a2a4", 0).is_err(), "{name}");
    }
    let refused = begin("minichess", "4k3/8/8/8/8/8/8/4K3 w - - 0 1").err().unwrap();
    assert!(refused.why.contains("choose one of 5×5, 6×6, 4×4, 4×8"), "{refused:?}");
    let stale = begin("minichess", "rnbqk/ppppp/5/PPPPP/RNBQK w Q - 0 1").unwrap();
    assert_eq!(stale.diagram(None).fen.unwrap(), "rnbqk/ppppp/5/PPPPP/RNBQK w - - 0 1");
}

#[test]
fn pawns_promote_to_the_pieces_of_the_board() {
    for (board, letters) in [
        ("3k1/P4/5/5/3K1 w - - 0 1", "qrbn"),
        ("4k1/P5/6/6/6/4K1 w - - 0 1", "qrn"),
        ("3k/P3/4/3K w - - 0 1", "qr"),
        ("3k/P3/4/4/4/4/4/3K w - - 0 1", "rbn"),
    ] {
        let mut game = begin("minichess", board).unwrap();
        let moves = game.diagram(Some(Seat::One)).choices.unwrap();
        let became: String = moves.iter().filter_map(|choice| choice.action.chars().nth(4)).collect();
        assert_eq!(became, letters, "{board}");
        play(&mut game, "a8=R".replace('8', &board.split('/').count().to_string()).as_str());
        assert!(fen(&game).starts_with('R'), "{}", fen(&game));
    }
}
