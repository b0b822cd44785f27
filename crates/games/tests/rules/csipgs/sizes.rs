//! csipgs Chess on boards of four to eight files and ranks: starting positions, armies, and refused sizes.

use rand::{SeedableRng, rngs::StdRng};
use serde_json::json;
use zorkmid_games::{
    bots::Bot,
    rules::{Actor, Seat},
};

use super::{game, refused, refused_options, say};

/// File of the kings by number of files: the middle one, or the right of the two middle ones.
const KINGS: [(u8, char); 5] = [(4, 'c'), (5, 'c'), (6, 'd'), (7, 'd'), (8, 'e')];

#[test]
fn kings_start_in_the_middle_of_the_first_rank() {
    for (files, king) in KINGS {
        for ranks in 4..=8 {
            let mut game = game(json!({"files": files, "ranks": ranks}));
            let diagram = game.diagram(None);
            let stand: Vec<String> = diagram.pieces.iter().map(|unit| unit.square.to_string()).collect();
            assert_eq!(stand, [format!("{king}1"), format!("{king}{ranks}")]);
            assert_eq!((diagram.width, diagram.height), (files, ranks));
            let fen = diagram.fen.unwrap();
            assert_eq!(fen.split(' ').next().unwrap().split('/').count(), usize::from(ranks), "{fen}");
            say(&mut game, &format!("{king}1{king}2/keep"));
        }
    }
}

#[test]
fn pieces_stay_on_the_board() {
    let mut game = game(json!({"files": 5, "ranks": 4, "white_tenths": 300}));
    say(&mut game, "buy R/keep/c4b4/keep/c1d1/keep/b4a4/keep/d1e1/keep/a4b4/keep");
    let doors = game.json(None)["view"]["doors"].clone();
    assert_eq!(doors, json!(["d1", "d2", "e2"]));
    assert!(refused(&game, "transfer R f1").why.contains("f1 is not next to one"));
    say(&mut game, "transfer R d2/keep");
    assert!(refused(&game, "b4b5").why.contains("cannot go to b5"));
    say(&mut game, "b4a4/keep");
    assert!(refused(&game, "d2d5").why.contains("cannot go to d5"));
    assert!(refused(&game, "d2f2").why.contains("cannot go to f2"));
    say(&mut game, "d2d4");
}

#[test]
fn unsupported_sizes_are_refused() {
    for wrong in
        [json!({"files": 3}), json!({"files": 9}), json!({"ranks": 3}), json!({"ranks": 9}), json!({"files": "5"})]
    {
        let why = refused_options(wrong.clone()).why;
        assert!(why.contains("a whole number from 4 to 8"), "{wrong}: {why}");
    }
}

#[test]
fn armies_need_eight_files_and_any_ranks() {
    for army in ["secret", "alternate"] {
        for files in 4..8 {
            let why = refused_options(json!({"army": army, "files": files})).why;
            assert!(why.contains("takes 8 files"), "{why}");
        }
    }
    let mut rng = StdRng::seed_from_u64(8);
    for ranks in 4..=8 {
        for army in ["secret", "alternate"] {
            for bot in [Bot::Random, Bot::Casual] {
                let mut game = game(json!({"army": army, "ranks": ranks}));
                while ["army", "place"].contains(&game.json(None)["view"]["phase"].as_str().unwrap())
                    && game.outcome().is_none()
                {
                    let seat = game.awaits()[0];
                    let word = game.advise(seat, bot, &mut rng, &mut || false).unwrap();
                    game.act(Actor::Seat(seat), &word, 0).unwrap();
                }
                let diagram = game.diagram(None);
                for (color, ranks) in [("white", [0, 1]), ("black", [ranks - 1, ranks - 2])] {
                    let own = diagram.pieces.iter().filter(|unit| json!(unit)["color"] == color);
                    let there = own.filter(|unit| ranks.contains(&unit.square.square.rank())).count();
                    assert_eq!(there, 16, "{army} {color} {ranks:?}");
                }
            }
        }
        let mut game = game(json!({"army": "secret", "ranks": ranks}));
        for seat in Seat::BOTH {
            let example = game.json(None)["view"]["army"]["example"][["one", "two"][seat.index()]].clone();
            let army = format!("army {}", example.as_str().unwrap());
            game.act(Actor::Seat(seat), &army, 0).unwrap_or_else(|why| panic!("{ranks}: {why}"));
        }
    }
}

#[test]
fn default_designs_can_be_replaced_on_any_board() {
    let designs = "NN BR fcFfmW N R royal-WF";
    let mut game = game(json!({"files": 4, "ranks": 7, "white_tenths": 900, "black_tenths": 900, "designs": designs}));
    say(&mut game, "buy NN/keep/c7d7/keep/transfer NN b1/keep/d7c7/keep");
    let moves = game.json(Some(Seat::One))["actions"].to_string();
    for to in ["b1c3", "b1d5", "b1a3", "b1d2"] {
        assert!(moves.contains(to), "{to} in {moves}");
    }
    assert!(!moves.contains("b1e7") && !moves.contains("b1f3"), "{moves}");
}
