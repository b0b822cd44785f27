//! Games of every preset between bots end, and rarely by the step limit.
//!
//! The bots mate where they can and buy no second royal piece. A player that chose uniformly among all listed actions would do
//! neither. Such games last thousands of steps, and where money is scarce some percent of them reach the limit.

use rand::{SeedableRng, rngs::StdRng};
use zorkmid_games::{
    bots::Bot,
    game::Live,
    registry,
    rules::{Actor, Outcome, Turn},
};

use super::named;
use crate::often::often;

/// Plays a game to its end. `trials`: most playouts of a gambler for each choice.
fn play(mut game: Box<Live>, bots: [Bot; 2], trials: usize, seed: u64) -> Outcome {
    let mut rng = StdRng::seed_from_u64(seed);
    loop {
        if let Turn::Over(outcome) = game.turn() {
            return outcome;
        }
        for seat in game.awaits() {
            let mut left = trials;
            let mut enough = || {
                left = left.saturating_sub(1);
                left == 0
            };
            let word = game.advise(seat, bots[seat.index()], &mut rng, &mut enough).expect("the bot has an action");
            game.act(Actor::Seat(seat), &word, 0).unwrap_or_else(|refusal| panic!("“{word}”: {refusal}"));
        }
    }
}

/// Number of games of every preset that reach the step limit.
fn stopped(bots: [Bot; 2], trials: usize, games: u64) -> Vec<(&'static str, usize)> {
    let presets = (registry::find("csipgs").unwrap().presets)();
    let share = |name: &'static str| {
        let long = |seed: &u64| play(named(name), bots, trials, *seed).reason() == "too long";
        (name, (0..games).filter(long).count())
    };
    presets.into_iter().map(|(name, _)| share(name)).collect()
}

#[test]
fn at_most_one_percent_of_games_reach_the_step_limit() {
    let games = often(50) as u64;
    let stopped = stopped([Bot::Random; 2], 0, games);
    let all: usize = stopped.iter().map(|(_, count)| count).sum();
    assert!(all * 100 <= stopped.len() * games as usize, "of {games} each: {stopped:?}");
}

#[test]
#[ignore = "tests/long: half a minute of games"]
fn gamblers_finish_games_of_every_preset() {
    for bots in [[Bot::Gambler; 2], [Bot::Gambler, Bot::Random]] {
        let stopped = stopped(bots, 12, often(1) as u64);
        assert!(stopped.iter().all(|(_, count)| *count == 0), "{stopped:?}");
    }
}
