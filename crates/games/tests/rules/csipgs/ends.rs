//! Games of every named variant between bots: they come to an end, and hardly ever by the length at which any game is stopped.
//!
//! The bots mate where they can and buy no second royal piece. Somebody who chose evenly among everything that is listed would do
//! neither: such games last thousands of steps, and where money is scarce some in a hundred are stopped.

use rand::{SeedableRng, rngs::StdRng};
use zorkmid_games::{
    bots::Bot,
    game::Live,
    registry,
    rules::{Actor, Outcome, Turn},
};

use super::named;
use crate::often::often;

/// Plays a game out; `trials` is how many continuations a gambler may try at each choice.
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
            let word = game.advise(seat, bots[seat.index()], &mut rng, &mut enough).expect("whoever is asked answers");
            game.act(Actor::Seat(seat), &word, 0).unwrap_or_else(|refusal| panic!("“{word}”: {refusal}"));
        }
    }
}

/// How many of some games of every named variant are stopped for their length.
fn stopped(bots: [Bot; 2], trials: usize, games: u64) -> Vec<(&'static str, usize)> {
    let presets = (registry::find("csipgs").unwrap().presets)();
    let share = |name: &'static str| {
        let long = |seed: &u64| play(named(name), bots, trials, *seed).reason() == "too long";
        (name, (0..games).filter(long).count())
    };
    presets.into_iter().map(|(name, _)| share(name)).collect()
}

#[test]
fn at_most_one_game_in_a_hundred_is_stopped_for_its_length() {
    let games = often(50) as u64;
    let stopped = stopped([Bot::Random; 2], 0, games);
    let all: usize = stopped.iter().map(|(_, count)| count).sum();
    assert!(all * 100 <= stopped.len() * games as usize, "of {games} each: {stopped:?}");
}

#[test]
#[ignore = "tests/long: half a minute of games"]
fn gamblers_come_to_an_end_in_every_named_variant() {
    for bots in [[Bot::Gambler; 2], [Bot::Gambler, Bot::Random]] {
        let stopped = stopped(bots, 12, often(1) as u64);
        assert!(stopped.iter().all(|(_, count)| *count == 0), "{stopped:?}");
    }
}
