//! Games between bots: every game of every variant ends, and all actions of bots are legal.

use crate::often::often;
use rand::{SeedableRng, rngs::StdRng};
use zorkmid_games::{
    bots::{Bot, choose},
    game::{Clocks, Live},
    registry::Variant,
    rules::{
        Actor, SearchProblem, Seat, Step, Turn,
        any_game::{AnyAction, AnyGame, TypedGame},
        endgame::NextStep,
    },
    variants::bidding::{self, Bidding},
};

/// Steps of games that need not be played to the end.
const STEPS: usize = 24;

/// Plays a game to its end. `trials`: most playouts of a gambler for each choice.
fn play(variant: &Variant, bots: [Bot; 2], trials: usize, seed: u64) -> Box<Live> {
    walk(variant, bots, trials, seed, usize::MAX)
}

/// Plays a game for a number of steps, or to its end.
fn walk(variant: &Variant, bots: [Bot; 2], trials: usize, seed: u64, steps: usize) -> Box<Live> {
    let mut rng = StdRng::seed_from_u64(seed);
    let presets = (variant.presets)();
    let (name, options) = &presets[seed as usize % presets.len()];
    let mut game = variant.begin(options.as_object().unwrap(), Clocks::new([None; 2])).unwrap();
    while !matches!(game.turn(), Turn::Over(_)) && game.ply() < steps {
        if let Some(word) = game.chance(&mut rng) {
            game.act(Actor::Chance, &word, 0).unwrap();
            continue;
        }
        let asked: Vec<Seat> = game.awaits();
        assert!(!asked.is_empty(), "{} {name}: no seat is pending, but the game is not over", variant.key);
        for seat in asked {
            // A claim by the first seat ends the game, so that the second is no longer pending.
            if matches!(game.turn(), Turn::Over(_)) {
                break;
            }
            let mut left = trials;
            let mut enough = || {
                left = left.saturating_sub(1);
                left == 0
            };
            let word = game.advise(seat, bots[seat.index()], &mut rng, &mut enough);
            let word = word.unwrap_or_else(|| {
                panic!("{} {name}: the bot of seat {seat} has no action in {}", variant.key, game.json(Some(seat)))
            });
            game.act(Actor::Seat(seat), &word, 0)
                .unwrap_or_else(|refusal| panic!("{} {name}: “{word}”: {refusal}", variant.key));
        }
    }
    game
}

/// Every level makes legal choices in partial games, and the two weakest finish a whole game.
pub(crate) fn levels_finish_games(variant: &Variant) {
    let levels = Bot::LEVELS;
    for number in 0..levels.len().max((variant.presets)().len()) {
        let pair = [levels[number % levels.len()], levels[(number + 1) % levels.len()]];
        walk(variant, pair, 3, number as u64, STEPS);
    }
    walk(variant, [Bot::Newcomer, Bot::Casual], 400, 0, usize::MAX);
}

/// A bot repeats its choice in the same state with the same random seed and the same time.
pub(crate) fn the_same_chance_gives_the_same_choice(variant: &Variant) {
    for (seed, (_, options)) in (variant.presets)().into_iter().enumerate() {
        let mut rng = StdRng::seed_from_u64(seed as u64);
        let mut game = variant.begin(options.as_object().unwrap(), Clocks::new([None; 2])).unwrap();
        for step in 0..STEPS {
            if let Some(word) = game.chance(&mut rng) {
                game.act(Actor::Chance, &word, 0).unwrap();
                continue;
            }
            let Some(seat) = game.awaits().first().copied() else { break };
            let said = |bot: Bot| {
                let mut own = StdRng::seed_from_u64(step as u64);
                let mut left = 4;
                game.advise(seat, bot, &mut own, &mut || {
                    left -= 1;
                    left < 0
                })
            };
            for bot in Bot::ALL {
                assert_eq!(said(bot), said(bot), "{} in {}", bot.name(), variant.key);
            }
            let word = said(Bot::Random).unwrap();
            game.act(Actor::Seat(seat), &word, 0).unwrap();
        }
    }
}

/// The gambler beats the random bot.
pub(crate) fn the_gambler_beats_the_random_bot() {
    let variant = zorkmid_games::registry::find("lrs").unwrap();
    let won = (0..10)
        .filter(|seed| {
            let gambler = if seed % 2 == 0 { Seat::One } else { Seat::Two };
            let bots = if gambler == Seat::One { [Bot::Gambler, Bot::Random] } else { [Bot::Random, Bot::Gambler] };
            play(variant, bots, 200, *seed).outcome().and_then(|outcome| outcome.winner()) == Some(gambler)
        })
        .count();
    assert!(won >= 9, "the gambler won {won} of 10");
}

/// The steady bot beats the newcomer where a coin decides who moves.
pub(crate) fn steady_beats_newcomer_in_random_turn_chess() {
    let variant = zorkmid_games::registry::find("random-turn").unwrap();
    let won = (0..often(60) as u64)
        .filter(|seed| {
            let steady = if seed % 2 == 0 { Seat::One } else { Seat::Two };
            let bots = if steady == Seat::One { [Bot::Steady, Bot::Newcomer] } else { [Bot::Newcomer, Bot::Steady] };
            let mut rng = StdRng::seed_from_u64(seed / 2);
            let mut game = variant.begin(&serde_json::Map::new(), Clocks::new([None; 2])).unwrap();
            while !matches!(game.turn(), Turn::Over(_)) {
                let word = game.chance(&mut rng);
                let (actor, word) = word.map(|word| (Actor::Chance, word)).unwrap_or_else(|| {
                    let seat = game.awaits()[0];
                    let word = game.advise(seat, bots[seat.index()], &mut rng, &mut || false).unwrap();
                    (Actor::Seat(seat), word)
                });
                game.act(actor, &word, 0).unwrap();
            }
            game.outcome().and_then(|outcome| outcome.winner()) == Some(steady)
        })
        .count();
    assert!(10 * won >= 7 * often(60), "the steady bot won {won} of {}", often(60));
}

/// Action of a bidder that always bids a tenth of its chips; `None` for moves.
fn tenth(game: &dyn AnyGame, seat: Seat) -> Option<bidding::Action> {
    let Some(SearchProblem::Auction(_, moment)) = game.search_problem(seat) else { panic!("there is no auction") };
    let own = moment.chips.unwrap()[seat.color().index()];
    match moment.next_step {
        NextStep::Offer(_) => Some(bidding::Action::Bid(own / 10)),
        NextStep::Answer { bid, .. } if bid <= own && own / 10 > bid => Some(bidding::Action::Reject),
        NextStep::Answer { .. } => Some(bidding::Action::Accept),
        _ => None,
    }
}

/// Bids save chips for later: the steady bot beats an opponent that bids a tenth each time and plays the same moves.
pub(crate) fn steady_beats_constant_bids_of_a_tenth() {
    let won = (0..often(24) as u64)
        .filter(|seed| {
            let steady = if seed % 2 == 0 { Seat::One } else { Seat::Two };
            let (mut rng, mut game) = (StdRng::seed_from_u64(seed / 2), TypedGame::new(Bidding::default()).unwrap());
            loop {
                match game.turn() {
                    Turn::Over(outcome) => break outcome.winner() == Some(steady),
                    Turn::One(seat) => {
                        let ruled = tenth(&game, seat).filter(|_| seat != steady).map(AnyAction::of);
                        let thinks = || choose(&game, seat, Bot::Steady, &mut rng, &mut || false).unwrap();
                        let action = ruled.unwrap_or_else(thinks);
                        game.check(Actor::Seat(seat), &action).unwrap();
                        game.apply(Step::One(seat, action));
                    }
                    Turn::Both | Turn::Chance => panic!("the default game has open bids and no chance"),
                }
            }
        })
        .count();
    assert!(10 * won >= 7 * often(24), "the steady bot won {won} of {}", often(24));
}
