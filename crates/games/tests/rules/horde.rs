//! Horde: the side of the horde, its pawns, and how both sides win.

use rand::{SeedableRng, rngs::StdRng};
use serde_json::{Map, json};
use zorkmid_games::{
    board::pgn::Pgn,
    bots::Bot,
    game::{
        Clocks, Live,
        record::{Heading, pgn},
    },
    registry,
    rules::{Actor, Seat},
};

use crate::kin::{begin, ended, fen, play};

fn white() -> Box<Live> {
    let options = Map::from_iter([("horde_side".to_owned(), json!("white"))]);
    registry::find("horde").unwrap().begin(&options, Clocks::new([None; 2])).unwrap()
}

#[test]
fn either_side_can_be_the_horde_and_white_moves_first() {
    let count = |fen: &str, letter: char| fen.split(' ').next().unwrap().matches(letter).count();
    for (game, letter) in [(begin("horde", "").unwrap(), 'p'), (white(), 'P')] {
        assert_eq!(count(&fen(&game), letter), 36);
        assert!(fen(&game).contains(" w "));
    }
    for wrong in ["4k3/8/8/8/8/8/pp6/4K3 w - - 0 1", "8/8/8/8/8/8/PP6/8 w - - 0 1"] {
        assert!(begin("horde", wrong).is_err(), "{wrong}");
    }
    let crowded = "4k3/8/8/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPP3 w - - 0 1";
    let refused = begin("horde", crowded).err().unwrap();
    assert!(refused.why.contains("no side has more than 36"), "{refused:?}");
    assert!(begin("horde", "4k3/P7/8/8/8/8/8/8 w - - 0 1").is_ok());
    assert!(begin("horde", "P3k3/8/8/8/8/8/8/8 w - - 0 1").is_err());
}

#[test]
fn horde_pawns_double_step_from_the_first_rank_without_en_passant() {
    let mut game = begin("horde", "4k3/8/8/8/8/1p6/8/P6P w - - 0 1").unwrap();
    play(&mut game, "a3");
    assert!(fen(&game).contains(" b - - "), "{}", fen(&game));
    assert!(begin("horde", "4k3/8/8/8/8/Pp6/8/7P b - a2 0 1").is_err(), "en passant is impossible there");
    let mut game = begin("horde", "4k3/8/8/8/1p6/8/P7/7P w - - 0 1").unwrap();
    play(&mut game, "a4 bxa3");
    assert!(fen(&game).starts_with("4k3/8/8/8/8/p7/8/7P w"), "{}", fen(&game));
}

#[test]
fn the_army_wins_by_capturing_all_and_the_horde_by_mate() {
    let mut game = begin("horde", "8/8/p7/8/8/8/7q/R3K3 w - - 0 1").unwrap();
    play(&mut game, "Rxa6");
    assert_eq!(ended(&game), None, "a queen is left");
    play(&mut game, "Qh4+ Kd2 Qb4+ Kd3 Qa4 Rxa4");
    assert_eq!(ended(&game), Some((Some(Seat::One), "horde captured")));
    let mut game = begin("horde", "7k/5P2/6QP/8/8/8/8/8 w - - 0 1").unwrap();
    play(&mut game, "Qg7#");
    assert_eq!(ended(&game), Some((Some(Seat::One), "checkmate")));
    assert_eq!(ended(&begin("horde", "7k/5P2/6QP/8/8/8/8/8 b - - 0 1").unwrap()), Some((None, "stalemate")));
}

#[test]
fn records_name_the_start_and_foreign_ones_may_have_either() {
    let names = ["Anna".to_owned(), "Bert".to_owned()];
    for mut game in [begin("horde", "").unwrap(), white()] {
        let seat = game.awaits()[0];
        let said = game.advise(seat, Bot::Random, &mut StdRng::seed_from_u64(1), &mut || true).unwrap();
        game.act(Actor::Seat(seat), &said, 0).unwrap();
        let heading = Heading { site: "here".to_owned(), begun: 0, names: names.clone(), clocks: [None; 2] };
        let [paper] = &pgn(&game, None, &heading)[..] else { panic!("several deals") };
        assert!(paper.tag("FEN").is_some() && paper.tag("SetUp") == Some("1"), "{paper}");
    }
    for (moves, placed) in [
        ("1. e3 a4", "pppppppp/pppppppp/pppppppp/1ppppppp/ppp2pp1/4P3/PPPP1PPP/RNBQKBNR w"),
        ("1. a5 a6", "rnbqkbnr/1ppppppp/p7/PPP2PP1/1PPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w"),
    ] {
        let foreign = format!("[Variant \"Horde\"]\n\n{moves} *\n");
        let last = (registry::find("horde").unwrap().last_position)(&Pgn::read(&foreign).unwrap()[0]).unwrap();
        assert!(last.starts_with(placed), "{last}");
        let replayed = registry::read(&foreign).unwrap().pop().unwrap();
        assert_eq!(fen(&replayed.game), last);
    }
}

#[test]
fn levels_capture_the_last_pawn() {
    let mut rng = StdRng::seed_from_u64(5);
    let mut game = begin("horde", "8/8/8/8/8/3p4/r7/R3K3 w - - 0 1").unwrap();
    for _ in 0..30 {
        let Some(seat) = game.awaits().first().copied() else { break };
        let bot = if seat == Seat::One { Bot::Keen } else { Bot::Random };
        let word = game.advise(seat, bot, &mut rng, &mut || false).unwrap();
        game.act(Actor::Seat(seat), &word, 0).unwrap();
    }
    assert_eq!(ended(&game), Some((Some(Seat::One), "horde captured")));
}
