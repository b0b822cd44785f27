//! Bot games over all variants and options. They fail if a bot plays an illegal action or none, or if a game does not advance. The output
//! shows the memory in use over time.
//!
//! `cargo bench -- games [GAMES] [SEED]`; 10,000 games by default.

use crate::process::resident;
use rand::{Rng, RngExt, SeedableRng, rngs::StdRng, seq::IndexedRandom};
use serde_json::{Map, Value, json};
use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};
use zorkmid::{
    bots::Bot,
    game::{Clocks, Live},
    registry::{self, VARIANTS, Variant},
    rules::{Actor, OptionRange, Turn},
};

/// Steps after which a game is stopped.
const LONGEST: usize = 400;
/// Thinking time of a bot per action.
const THINK: Duration = Duration::from_millis(5);
/// Bots by weight: mostly the fast ones.
const PLAYERS: [(Bot, u32); 6] =
    [(Bot::Newcomer, 24), (Bot::Casual, 12), (Bot::Steady, 4), (Bot::Keen, 1), (Bot::Sharp, 1), (Bot::Deep, 1)];
/// Number of memory reports.
const LOOKS: usize = 10;

/// Results of a variant's games.
#[derive(Default)]
struct Came {
    ended: usize,
    broken_off: usize,
    steps: usize,
}

pub(crate) fn run(asked: &[String]) {
    let number = |place: usize, usual: u64| asked.get(place).map_or(usual, |text| text.parse().expect("a number"));
    let (games, seed) = (number(0, 10_000) as usize, number(1, 1));
    let (began, mut came): (_, BTreeMap<&str, Came>) = (Instant::now(), BTreeMap::new());
    let mut slowest = (Duration::ZERO, String::new());
    println!("{:>6} games   {:>7} KiB", 0, resident("self"));
    for game in 0..games {
        let variant = &VARIANTS[game % VARIANTS.len()];
        let mut rng = StdRng::seed_from_u64(seed << 32 | game as u64);
        let (steps, ended) = play(variant, &mut rng, &mut slowest);
        let came = came.entry(variant.key).or_default();
        came.steps += steps;
        *if ended { &mut came.ended } else { &mut came.broken_off } += 1;
        if (game + 1) % games.div_ceil(LOOKS) == 0 || game + 1 == games {
            println!(
                "{:>6} games   {:>7} KiB, {:.0} s; slowest action {:.2?}: {}",
                game + 1,
                resident("self"),
                began.elapsed().as_secs_f64(),
                slowest.0,
                slowest.1
            );
        }
    }
    for (key, Came { ended, broken_off, steps }) in came {
        println!("{key:<20} {ended:>5} ended, {broken_off:>4} stopped after {LONGEST} steps, {steps:>7} steps");
    }
}

/// Plays a game with random options. Returns its number of steps and whether it ended.
fn play(variant: &Variant, rng: &mut StdRng, slowest: &mut (Duration, String)) -> (usize, bool) {
    let (options, mut game) = begin(variant, rng);
    let players = [(); 2].map(|()| PLAYERS.choose_weighted(rng, |(_, often)| *often).expect("players").0);
    let told = |what: &str| format!("{} with {}: {what}", variant.key, json!(options));
    while !matches!(game.turn(), Turn::Over(_)) && game.ply() < LONGEST {
        let before = (game.ply(), game.awaits());
        if let Some(word) = game.chance(rng) {
            game.act(Actor::Chance, &word, 0).unwrap_or_else(|refusal| panic!("{}", told(&refusal.to_string())));
        } else {
            let seat = *game.awaits().first().unwrap_or_else(|| panic!("{}", told("no seat is to move")));
            let (bot, asked) = (players[seat.index()], Instant::now());
            let word = game.advise(seat, bot, rng, &mut || asked.elapsed() >= THINK);
            if asked.elapsed() > slowest.0 {
                *slowest = (asked.elapsed(), told(bot.name()));
            }
            let word = word.unwrap_or_else(|| panic!("{}", told(&format!("{} has no action", bot.name()))));
            game.act(Actor::Seat(seat), &word, 0)
                .unwrap_or_else(|refusal| panic!("{}", told(&format!("{} played “{word}”: {refusal}", bot.name()))));
        }
        assert!((game.ply(), game.awaits()) != before, "{}", told("a step did not advance the game"));
    }
    (game.ply(), matches!(game.turn(), Turn::Over(_)))
}

/// Begins a game of a random preset with about a third of its options random, provided that the options are compatible.
fn begin(variant: &Variant, rng: &mut StdRng) -> (Map<String, Value>, Box<Live>) {
    let presets = (variant.presets)();
    loop {
        let (_, preset) = presets.choose(rng).expect("presets");
        let mut options = preset.as_object().cloned().unwrap_or_default();
        for setting in (variant.settings)() {
            if rng.random_range(0..3) == 0
                && let Some(value) = drawn(setting.range, rng)
            {
                options.insert(setting.key.to_owned(), value);
            }
        }
        if let Ok(game) = variant.begin(&options, Clocks::new([None; 2])) {
            return (options, game);
        }
    }
}

/// Random value of a range. Numbers are mostly small, as players choose them.
fn drawn(range: OptionRange, rng: &mut dyn Rng) -> Option<Value> {
    match range {
        OptionRange::Flag => Some(json!(rng.random::<bool>())),
        OptionRange::Word(_) | OptionRange::Game(_) => registry::words(range).choose(rng).map(|(word, _)| json!(word)),
        OptionRange::Whole(..) | OptionRange::Money(..) | OptionRange::Cap(_) | OptionRange::Turns(_) => {
            let (least, most) = range.bounds()?;
            let high = if rng.random::<bool>() { most } else { most.min(least.saturating_add(60)) };
            Some(json!(rng.random_range(least..=high)))
        }
        OptionRange::Position(_) | OptionRange::Text(_) => None,
    }
}
