//! Losing on time against material that cannot win, and the fifty-move rule of each variant.

use rand::{Rng, RngExt, SeedableRng, rngs::StdRng, seq::IndexedRandom};
use serde_json::{Map, Value, json};
use zorkmid_games::{
    game::{Clocks, Live},
    registry,
    rules::{Actor, RulesVersion, Seat},
};

use crate::kin::{begin, ended, play};

/// The result when a seat runs out of time.
fn flagged(game: &Live, seat: Seat) -> (Option<Seat>, &'static str) {
    let mut late = game.copy();
    late.act(Actor::Server, &format!("flag {seat}"), 0).unwrap();
    ended(&late).unwrap()
}

fn begin_under(version: RulesVersion, variant: &str, fen: &str) -> Box<Live> {
    let options = Map::from_iter([("fen".to_owned(), json!(fen))]);
    registry::find(variant).unwrap().begin_under(version, &options, Clocks::new([None; 2])).unwrap()
}

#[test]
fn time_against_insufficient_material_is_a_draw() {
    for (own, other, win) in [
        ("N", "q", false),
        ("N", "qq", false),
        ("N", "p", true),
        ("N", "b", true),
        ("N", "r", true),
        ("B", "r", false),
        ("B", "n", true),
        ("B", "p", true),
        ("NN", "", true),
        ("NN", "q", true),
        ("P", "q", true),
        ("", "q", false),
    ] {
        let start = format!("k7/8/{}/8/8/{}/8/6K1 w - - 0 1", rank(other), rank(own));
        let (winner, _) = flagged(&begin("chess", &start).unwrap(), Seat::Two);
        assert_eq!(winner, win.then_some(Seat::One), "K{own} v k{other}");
    }
}

/// A rank of a FEN with these pieces on its last files.
fn rank(pieces: &str) -> String {
    let empty = 8 - pieces.len();
    format!("{}{pieces}", if empty == 0 { String::new() } else { empty.to_string() })
}

#[test]
fn earlier_versions_draw_only_against_a_bare_king() {
    let knight = "k7/8/7q/8/8/7N/8/6K1 w - - 0 1";
    assert_eq!(flagged(&begin_under(RulesVersion::SECOND, "chess", knight), Seat::Two), (Some(Seat::One), "time"));
    let insufficient = (None, "time ran out against insufficient material");
    assert_eq!(flagged(&begin_under(RulesVersion::THIRD, "chess", knight), Seat::Two), insufficient);
    let bishop = "4k3/8/8/8/8/8/8/4B3 b - - 0 1";
    assert_eq!(flagged(&begin_under(RulesVersion::SECOND, "horde", bishop), Seat::Two), (Some(Seat::One), "time"));
    assert_eq!(flagged(&begin_under(RulesVersion::THIRD, "horde", bishop), Seat::Two), insufficient);
    let mirrored = "4b3/8/8/8/8/8/8/4K3 w - - 0 1";
    assert_eq!(flagged(&begin("horde", mirrored).unwrap(), Seat::One), insufficient);
    assert_eq!(flagged(&begin("horde", mirrored).unwrap(), Seat::Two), (Some(Seat::One), "time"));
}

/// A random placement of a few pieces, as a FEN.
fn placed(kings: [u32; 2], kinds: &str, rng: &mut dyn Rng) -> String {
    let mut squares = [' '; 64];
    let mut put = |letter: char, rng: &mut dyn Rng| {
        let free: Vec<usize> = (0..64).filter(|at| squares[*at] == ' ').collect();
        let inner: Vec<usize> = free.iter().copied().filter(|at| (8..56).contains(at)).collect();
        let among = if letter.eq_ignore_ascii_case(&'p') { inner } else { free };
        squares[*among.choose(rng).unwrap()] = letter;
    };
    (0..kings[0]).for_each(|_| put('K', rng));
    (0..kings[1]).for_each(|_| put('k', rng));
    let kinds: Vec<char> = kinds.chars().collect();
    for _ in 0..rng.random_range(1..7) {
        let kind = *kinds.choose(rng).unwrap();
        put(if rng.random() { kind } else { kind.to_ascii_uppercase() }, rng);
    }
    let rank = |rank: &[char]| -> String {
        let run = |run: &[char]| match run[0] {
            ' ' => run.len().to_string(),
            _ => run.iter().collect(),
        };
        rank.chunk_by(|one, two| (*one == ' ') == (*two == ' ')).map(run).collect()
    };
    let placement: Vec<String> = squares.chunks(8).map(rank).collect();
    format!("{} {} - - 0 1", placement.join("/"), if rng.random() { "w" } else { "b" })
}

/// python-chess decides in the same way whether a side with time left can win.
#[test]
fn python_chess_agrees_about_insufficient_material() {
    let mut rng = StdRng::seed_from_u64(4);
    let mut games: Vec<(&str, String, Box<Live>)> = Vec::new();
    for (variant, kings, kinds) in [
        ("chess", [1, 1], "nbbnqrp"),
        ("chess", [1, 1], "nbbq"),
        ("three-check", [1, 1], "nbqrp"),
        ("king-of-the-hill", [1, 1], "nbqr"),
        ("racing-kings", [1, 1], "nbqr"),
        ("antichess", [0, 0], "bbbn"),
        ("antichess", [0, 0], "nn"),
        ("antichess", [0, 0], "nbqrpk"),
        ("atomic", [1, 1], "nnbbrq"),
        ("atomic", [1, 1], "b"),
        ("horde", [0, 1], "nnbbqrp"),
        ("horde", [0, 1], "nb"),
    ] {
        let mut found = 0;
        while found < 400 {
            let start = placed(kings, kinds, &mut rng);
            let Ok(game) = begin(variant, &start) else { continue };
            if game.outcome().is_none() {
                found += 1;
                games.push((variant, start, game));
            }
        }
    }
    let question: Vec<Value> = games.iter().map(|(variant, start, _)| json!([variant, start])).collect();
    let Some(answer) = crate::pyffish::answer(include_str!("material.py"), &json!(question)) else { return };
    let mut draws = 0;
    for ((variant, start, game), answer) in games.iter().zip(answer.as_array().unwrap()) {
        for seat in Seat::BOTH {
            let (winner, _) = flagged(game, !seat);
            let insufficient = answer[seat.index()].as_bool().unwrap();
            assert_eq!(winner, (!insufficient).then_some(seat), "{variant}: {start}, seat {seat} has time left");
            draws += usize::from(insufficient);
        }
    }
    assert!(draws > 400, "{draws}");
}

/// Positions after 99 plies without progress, each with a quiet move and, where there is one, a winning move.
const FIFTY: [(&str, &str, &str, &str); 5] = [
    ("antichess", "8/8/8/8/7r/8/8/R7 w - - 99 80", "Ra2", ""),
    ("racing-kings", "8/8/6K1/8/8/1k6/8/7R b - - 99 80", "Kb4", ""),
    ("three-check", "7k/8/8/8/8/8/8/R3K3 w - - 1+3 99 80", "Ra2", "Ra8+"),
    ("king-of-the-hill", "7k/8/8/8/8/3K4/8/8 w - - 99 80", "Kd2", "Kd4"),
    ("horde", "7k/R7/8/8/8/8/8/1R6 w - - 99 80", "Rb2", "Rb8#"),
];

#[test]
fn fifty_moves_draw_automatically_in_lichess_variants() {
    let drawn = (None, "50 moves without a capture or a pawn move");
    for (variant, start, quiet, winning) in FIFTY {
        let mut game = begin(variant, start).unwrap();
        play(&mut game, quiet);
        assert_eq!(ended(&game), Some(drawn), "{variant}");
        let mut old = begin_under(RulesVersion::SECOND, variant, start);
        play(&mut old, quiet);
        assert_eq!(ended(&old), None, "{variant}");
        if !winning.is_empty() {
            let mut game = begin(variant, start).unwrap();
            play(&mut game, winning);
            assert_eq!(ended(&game).unwrap().0, Some(Seat::One), "{variant}");
        }
    }
    let mut chess = begin("chess", "7k/8/8/8/8/8/8/R3K3 w - - 99 80").unwrap();
    play(&mut chess, "Ra2");
    assert_eq!(ended(&chess), None);
    chess.act(Actor::Seat(Seat::Two), "claim", 0).unwrap();
    assert_eq!(ended(&chess), Some(drawn));
}

#[test]
fn a_given_position_keeps_its_half_move_clock() {
    for (variant, quiet) in [("fog-of-war", "a1a2"), ("duck", "a1a2 h1")] {
        let mut game = begin(variant, "7k/8/8/8/8/8/8/R3K3 w - - 99 80").unwrap();
        game.act(Actor::Seat(Seat::One), quiet, 0).unwrap();
        assert_eq!(ended(&game), Some((None, "50 moves without a capture or a pawn move")), "{variant}");
    }
}
