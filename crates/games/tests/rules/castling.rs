//! Castling rights of each variant, and castling from any square, compared with cozy-chess: listed actions, accepted texts, and castling rights in FENs.

use std::collections::BTreeSet;

use rand::{RngExt, SeedableRng, rngs::StdRng};
use serde_json::{Map, json};
use zorkmid_games::{
    board::{Board, START, pgn::Pgn},
    game::{Clocks, Live},
    registry::{self, VARIANTS},
    rules::{Actor, Refusal, RulesVersion, Seat},
};

/// A game of chess from a position, in the last version of the rules in which king and rook could start on any file.
fn begin(fen: &str) -> Box<Live> {
    under(RulesVersion::SECOND, "chess", fen).unwrap_or_else(|why| panic!("{fen}: {why}"))
}

fn under(version: RulesVersion, variant: &str, fen: &str) -> Result<Box<Live>, Refusal> {
    let options = Map::from_iter([("fen".to_owned(), json!(fen))]);
    registry::find(variant).unwrap().begin_under(version, &options, Clocks::new([None; 2]))
}

#[test]
fn castling_from_other_files_needs_chess960() {
    for variant in VARIANTS {
        // Variants without castling read such a position and leave out its rights.
        match begin_in(variant.key, "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1") {
            Ok(game) if game.diagram(None).fen.is_some_and(|fen| fen.contains(" w KQkq ")) => {}
            _ => continue,
        }
        for elsewhere in ["4k3/8/8/8/8/8/8/1R3K1R w KQ - 0 1", "4k3/8/8/8/8/8/8/R3KR2 w KQ - 0 1"] {
            let begun = begin_in(variant.key, elsewhere);
            if variant.key == "chess960" {
                begun.unwrap();
                continue;
            }
            let refused = begun.err().unwrap_or_else(|| panic!("{}: {elsewhere}", variant.key));
            assert!(refused.why.contains("castling"), "{}: {refused}", variant.key);
            if variant.key != "fog-of-war" {
                under(RulesVersion::SECOND, variant.key, elsewhere).unwrap();
            }
        }
    }
    for auction in ["bidding", "random-turn"] {
        let options = json!({"base": "chess960", "fen": "4k3/8/8/8/8/8/8/1R3K1R w KQ - 0 1"});
        let auction = registry::find(auction).unwrap();
        auction.begin(options.as_object().unwrap(), Clocks::new([None; 2])).unwrap();
    }
}

fn begin_in(variant: &str, fen: &str) -> Result<Box<Live>, Refusal> {
    under(RulesVersion::CURRENT, variant, fen)
}

fn mover(game: &Live) -> Seat {
    game.awaits()[0]
}

fn listed(game: &Live) -> BTreeSet<String> {
    serde_json::from_value(game.json(Some(mover(game)))["actions"].clone()).unwrap()
}

fn fen(game: &Live) -> String {
    game.diagram(None).fen.unwrap()
}

/// All moves of a position: each in UCI, with the rook's square for castling, and as this site lists it. Castling from the
/// orthodox squares is listed with the king's final square.
fn moves(cozy: &cozy_chess::Board) -> Vec<(String, String)> {
    let mut all = Vec::new();
    cozy.generate_moves(|moves| {
        all.extend(moves);
        false
    });
    let castles = |mv: &cozy_chess::Move| cozy.colors(cozy.side_to_move()).has(mv.to);
    let both = |mv: cozy_chess::Move| {
        let said = mv.to_string();
        let usual = match said.as_bytes() {
            [b'e', rank, b'h', _] if castles(&mv) => Some(format!("e{0}g{0}", char::from(*rank))),
            [b'e', rank, b'a', _] if castles(&mv) => Some(format!("e{0}c{0}", char::from(*rank))),
            _ => None,
        };
        (said.clone(), usual.unwrap_or(said))
    };
    all.into_iter().map(both).collect()
}

/// Compares a position, in both notations of castling rights, and every castling move in it. Returns the number of castling
/// moves.
fn same(cozy: &cozy_chess::Board) -> usize {
    let wanted: BTreeSet<String> = moves(cozy).into_iter().map(|(_, listed)| listed).collect();
    let files = begin(&format!("{cozy:#}"));
    let outer = begin(&fen(&files));
    assert_eq!(fen(&files), fen(&outer), "{cozy:#}");
    for game in [&files, &outer] {
        assert_eq!(listed(game), wanted, "{cozy:#}");
    }
    let mut castlings = 0;
    for (said, _) in moves(cozy) {
        let mv: cozy_chess::Move = said.parse().unwrap();
        if !cozy.colors(cozy.side_to_move()).has(mv.to) {
            continue;
        }
        castlings += 1;
        let mut after = cozy.clone();
        after.play(mv);
        let after = Board::orthodox().fen(&Board::orthodox().parse_fen(&format!("{after:#}")).unwrap());
        let written = if mv.to.file() > mv.from.file() { "O-O" } else { "O-O-O" };
        for text in [said.as_str(), written] {
            let mut game = files.copy();
            let seat = mover(&game);
            game.act(Actor::Seat(seat), text, 0).unwrap_or_else(|why| panic!("{cozy:#} {text}: {why}"));
            assert_eq!(fen(&game), after, "{cozy:#} {text}");
            let paper = format!("[SetUp \"1\"]\n[FEN \"{cozy:#}\"]\n\n1. {text} *\n");
            let imported = Pgn::read(&paper).unwrap().remove(0);
            let last = (registry::find("chess").unwrap().last_position)(&imported);
            assert_eq!(last.as_deref(), Ok(after.as_str()), "{cozy:#} {text}");
        }
    }
    castlings
}

#[test]
fn castling_matches_cozy_chess_from_all_960_starts() {
    let mut rng = StdRng::seed_from_u64(960);
    let mut castlings = 0;
    for number in 0..960 {
        let mut cozy = cozy_chess::Board::chess960_startpos(number);
        castlings += same(&cozy);
        if number % 8 != 0 {
            continue;
        }
        for ply in 0..60 {
            let all = moves(&cozy);
            if all.is_empty() || cozy.status() != cozy_chess::GameStatus::Ongoing {
                break;
            }
            let (said, _) = &all[rng.random_range(0..all.len())];
            cozy.play(said.parse().unwrap());
            if ply % 4 == 0 && cozy.status() == cozy_chess::GameStatus::Ongoing {
                castlings += same(&cozy);
            }
        }
    }
    assert!(castlings > 100, "{castlings} castlings");
}

/// Old records write some castling moves with a king on an unusual file by the king's final square. They must stay readable.
#[test]
fn older_castling_notation_is_read() {
    let mut game = begin("4k3/8/8/8/8/8/8/RK5R w HA - 0 1");
    assert!(listed(&game).is_superset(&BTreeSet::from(["b1h1".to_owned(), "b1a1".to_owned()])));
    game.act(Actor::Seat(Seat::One), "b1g1", 0).unwrap();
    assert_eq!(fen(&game), "4k3/8/8/8/8/8/8/R4RK1 b - - 1 1");
    let mut game = begin(&START.replace("NBQKBN", "3K2"));
    game.act(Actor::Seat(Seat::One), "e1h1", 0).unwrap();
    assert_eq!(fen(&game).split(' ').next(), Some("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R4RK1"));
}
