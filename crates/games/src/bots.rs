//! Bots, which play when nobody does. A bot sees only a redealt state, in which nothing is true that its seat may not know.

mod anything;
mod army;
mod auction;
mod bet;
mod contest;
mod cube;
mod economy;
mod estimates;
mod tree;
mod foresight;
mod gambler;
mod guess;
mod hash;
mod judge;
mod level;
mod matrix;
mod measured;
mod odds;
mod order;
mod pairs;
mod pond;
mod search;
mod seen;
mod shape;
mod steps;
mod tally;
mod toss;
mod trial;
mod values;
mod worth;

use rand::{Rng, RngExt, seq::IndexedRandom};

use crate::rules::{
    Actor, Prospect, Seat, Turn,
    any_game::{AnyAction, AnyGame},
};
use search::{Effort, Search};

pub use judge::{Better, Judgement, judge};
pub use level::Bot;
pub use measured::{Measured, RULER, atoms, ruler};
pub use pairs::{Gauge, Pairs};
pub use tally::Tally;
pub use trial::{Trial, Tried, TriedSide};

/// Chooses what a bot in `seat` says in this state, if the seat is asked; nothing if its search is at fault. `enough` says when to stop thinking.
pub fn choose(
    game: &dyn AnyGame,
    seat: Seat,
    bot: Bot,
    rng: &mut dyn Rng,
    enough: &mut dyn FnMut() -> bool,
) -> Option<AnyAction> {
    let effort = match bot {
        Bot::Random => return gambler::legal(game, seat, rng).choose(rng).cloned(),
        Bot::Gambler => return gambler::gamble(game, seat, gambler::CONTINUATIONS, rng, enough),
        Bot::Newcomer | Bot::Casual | Bot::Steady | Bot::Keen | Bot::Sharp | Bot::Deep => {
            bot.effort(rng.random::<u64>())
        }
    };
    let found = match game.prospect(seat) {
        Some(Prospect::Moves(_)) if game.hides() => Some(guess::best(game, seat, effort, rng, enough)),
        Some(prospect) => considered(&prospect, seat, effort, rng, enough).map(|text| game.parse(&text).ok()),
        None if !game.hides() && game.turn() == Turn::One(seat) => anything::best(game, effort, enough).map(Some),
        None => None,
    };
    let allowed = |action: &AnyAction| game.check(Actor::Seat(seat), action).is_ok();
    match found {
        // What is not allowed is a fault of the search, and nothing is said instead of it here.
        Some(found) => found.filter(allowed),
        None => {
            let trials = usize::try_from(effort.nodes / 16).unwrap_or(usize::MAX);
            gambler::gamble(game, seat, trials, rng, enough)
        }
    }
}

/// Tells whether a bot claims a draw that it may claim. Where nothing is worth more than a draw it does, and where it cannot tell.
pub fn claims(game: &dyn AnyGame, seat: Seat, bot: Bot, rng: &mut dyn Rng, enough: &mut dyn FnMut() -> bool) -> bool {
    match game.prospect(seat) {
        Some(Prospect::Foresight(foresight)) => !foresight::ahead(&foresight, bot.effort(rng.random::<u64>()), enough),
        Some(_) | None => true,
    }
}

/// Finds the text of what to say.
fn considered(
    prospect: &Prospect,
    seat: Seat,
    effort: Effort,
    rng: &mut dyn Rng,
    enough: &mut dyn FnMut() -> bool,
) -> Option<String> {
    match prospect {
        Prospect::Moves(contest) => {
            let (arena, moment, before) = contest::Arena::of(contest);
            let found = Search::new(&arena, effort, before, enough).best(&moment)?;
            Some(contest.board.uci(found.mv).to_string())
        }
        Prospect::Cube(cube) => {
            let (tree, before) = cube::Depths::of(cube);
            let found = Search::new(&tree, effort, before, enough).best(&cube.position)?;
            Some(found.mv.to_string())
        }
        Prospect::Duck(contest) => pond::turn(contest, effort, enough).map(|(text, _)| text),
        Prospect::Word(text) => Some(text.clone()),
        Prospect::Auction(base, moment) => auction::word(*base, moment, seat.color(), effort, rng, enough),
        Prospect::Bet(bet) => bet::bid(bet, effort, rng, enough),
        Prospect::Double(double) => bet::decision(double, effort, enough),
        Prospect::Economy(economy) => economy::deed(economy, effort, enough),
        Prospect::Foresight(foresight) => foresight::word(foresight, effort, rng, enough),
    }
}
