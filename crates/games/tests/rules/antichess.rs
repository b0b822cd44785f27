//! Antichess: compulsory captures, results, and bots that play to lose.

use rand::{SeedableRng, rngs::StdRng};
use zorkmid_games::{
    bots::Bot,
    game::Live,
    rules::{Actor, Seat},
};

use crate::kin::{begin, ended, fen, play};

fn moves(game: &Live) -> Vec<String> {
    let diagram = game.diagram(game.awaits().first().copied());
    diagram.choices.unwrap().into_iter().map(|choice| choice.label).collect()
}

#[test]
fn captures_are_compulsory() {
    let mut game = begin("antichess", "").unwrap();
    play(&mut game, "e3 b5");
    assert_eq!(moves(&game), ["Bxb5"]);
    let refused = game.act(Actor::Seat(Seat::One), "e3e4", 0).unwrap_err();
    assert!(refused.why.contains("captures are compulsory"), "{refused:?}");
    // En passant captures are compulsory too.
    let mut passing = begin("antichess", "8/8/8/8/4p3/8/3P4/8 w - - 0 1").unwrap();
    play(&mut passing, "d4");
    assert_eq!(moves(&passing), ["exd3"]);
}

#[test]
fn kings_are_ordinary_pieces() {
    let mut game = begin("antichess", "8/P6k/8/8/8/8/7R/8 b - - 0 1").unwrap();
    play(&mut game, "Kg6");
    assert!(moves(&game).contains(&"a8=K".to_owned()), "{:?}", moves(&game));
    play(&mut game, "a8=K Kg5 Kb8");
    assert!(game.json(None)["view"]["diagram"]["check"].as_array().unwrap().is_empty());
    assert!(fen(&game).starts_with("1K6/8/8/6k1/8/8/7R/8 b"), "{}", fen(&game));
    assert!(begin("antichess", "k7/8/8/8/8/8/8/6KK w - - 0 1").unwrap().outcome().is_none());
    let castling = begin("antichess", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1").unwrap();
    assert!(fen(&castling).contains(" w - - "), "no castling");
}

#[test]
fn losing_all_pieces_or_moves_wins() {
    let mut game = begin("antichess", "8/8/8/8/8/8/k7/1K6 w - - 0 1").unwrap();
    play(&mut game, "Kxa2");
    assert_eq!(ended(&game), Some((Some(Seat::Two), "nothing left to lose")));
    let mut game = begin("antichess", "8/8/8/p7/8/P7/8/7R w - - 0 1").unwrap();
    play(&mut game, "Rh2 a4 Rh3");
    assert_eq!(ended(&game), Some((Some(Seat::Two), "no move left")));
    // Bishops on different square colours.
    let mut game = begin("antichess", "8/8/2b5/8/8/4B3/8/7n w - - 0 1").unwrap();
    assert_eq!(ended(&game), None);
    play(&mut game, "Bg1 Nf2 Bxf2");
    assert_eq!(ended(&game), Some((None, "bishops that never meet")));
    assert_eq!(ended(&begin("antichess", "8/8/2b5/8/8/5B2/8/8 w - - 0 1").unwrap()), None);
}

#[test]
fn levels_play_to_lose() {
    // A stronger level beats a weaker one.
    let mut points = 0;
    for seed in 0..6 {
        let mut rng = StdRng::seed_from_u64(seed);
        let mut game = begin("antichess", "").unwrap();
        let strong = if seed % 2 == 0 { Seat::One } else { Seat::Two };
        for _ in 0..200 {
            let Some(seat) = game.awaits().first().copied() else { break };
            let bot = if seat == strong { Bot::Steady } else { Bot::Newcomer };
            let word = game.advise(seat, bot, &mut rng, &mut || false).unwrap();
            game.act(Actor::Seat(seat), &word, 0).unwrap();
        }
        points += i32::from(game.outcome().is_some_and(|outcome| outcome.winner() == Some(strong)));
    }
    assert!(points >= 5, "won {points} of 6");
}
