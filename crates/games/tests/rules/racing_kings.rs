//! Racing Kings: no checks, the last rank, and Black's extra move.

use rand::{SeedableRng, rngs::StdRng};
use zorkmid_games::{
    bots::Bot,
    rules::{Actor, Seat},
};

use crate::kin::{begin, ended, play};

#[test]
fn no_move_gives_check() {
    let mut game = begin("racing-kings", "8/8/k7/8/4B3/4R3/8/4K3 w - - 0 1").unwrap();
    for (word, gives) in [("e3a3", true), ("e4b7", true), ("e4d3", true), ("e4g6", false)] {
        let said = game.act(Actor::Seat(Seat::One), word, 0);
        match said {
            Err(refused) if gives => assert!(refused.why.contains("no move may"), "{word}: {refused:?}"),
            said => assert!(said.is_ok() && !gives, "{word}"),
        }
    }
    // A discovered check is illegal too.
    let mut behind = begin("racing-kings", "8/8/k2N3R/8/8/8/8/4K3 w - - 0 1").unwrap();
    let refused = behind.act(Actor::Seat(Seat::One), "d6e4", 0).unwrap_err();
    assert!(refused.why.contains("gives check"), "{refused:?}");
    for wrong in ["8/8/k6R/8/8/8/8/4K3 b - - 0 1", "8/8/k7/8/8/8/4P3/4K3 w - - 0 1"] {
        assert!(begin("racing-kings", wrong).is_err(), "{wrong}");
    }
}

#[test]
fn the_first_king_home_wins_unless_black_follows() {
    let mut alone = begin("racing-kings", "8/7K/k7/8/8/8/8/8 w - - 0 1").unwrap();
    play(&mut alone, "Kh8");
    assert_eq!(ended(&alone), Some((Some(Seat::One), "king on the last rank")));
    let mut followed = begin("racing-kings", "8/k6K/8/8/8/8/4r3/8 w - - 0 1").unwrap();
    play(&mut followed, "Kh8");
    assert_eq!(ended(&followed), None);
    let mut missed = begin("racing-kings", "8/k6K/8/8/8/8/4r3/8 w - - 0 1").unwrap();
    play(&mut missed, "Kh8 Re3");
    assert_eq!(ended(&missed), Some((Some(Seat::One), "king on the last rank")));
    play(&mut followed, "Kb8");
    assert_eq!(ended(&followed), Some((None, "both kings on the last rank")));
    // Attacked or occupied squares keep Black's king from following.
    let mut barred = begin("racing-kings", "8/k6K/8/8/8/8/8/R3R3 w - - 0 1").err();
    assert!(barred.take().is_some(), "Black is in check");
    let mut barred = begin("racing-kings", "5R2/k6K/8/8/8/8/8/8 w - - 0 1").unwrap();
    play(&mut barred, "Kg7 Kb7 Kg8");
    assert_eq!(ended(&barred), Some((Some(Seat::One), "king on the last rank")));
    let mut black = begin("racing-kings", "8/k7/7K/8/8/8/8/8 b - - 0 1").unwrap();
    play(&mut black, "Ka8");
    assert_eq!(ended(&black), Some((Some(Seat::Two), "king on the last rank")));
}

#[test]
fn levels_race_their_king() {
    for (fen, seat) in [("8/8/5K2/8/k7/8/8/n7 w - - 0 1", Seat::One), ("8/k6K/8/8/8/8/4r3/8 w - - 0 1", Seat::Two)] {
        let mut rng = StdRng::seed_from_u64(7);
        let mut game = begin("racing-kings", fen).unwrap();
        for _ in 0..20 {
            let Some(seat) = game.awaits().first().copied() else { break };
            let word = game.advise(seat, Bot::Keen, &mut rng, &mut || false).unwrap();
            game.act(Actor::Seat(seat), &word, 0).unwrap();
        }
        let winner = game.outcome().unwrap().winner();
        assert!(winner == Some(seat) || winner.is_none() && seat == Seat::Two, "{fen}: {winner:?}");
    }
}
