//! The gambler: flat Monte Carlo over whatever the rules offer, in every game.

use rand::{Rng, seq::IndexedRandom};

use crate::rules::{
    Actor, Seat, Step, Turn,
    any_game::{AnyAction, AnyGame},
};

/// The number of steps that a random continuation looks ahead.
const HORIZON: usize = 12;
/// The most continuations that are tried, whatever the time.
pub(super) const CONTINUATIONS: usize = 4_000;
/// No lead counts for more than this, so that the sum over all continuations stays a number.
const MOST: i64 = i64::MAX / (4 * CONTINUATIONS as i64);
/// The worth of a won game beside what stands on the board.
const VICTORY: i64 = 1_000_000;

/// Tries every candidate of a seat that is asked in at most so many random continuations, and finds the best.
pub(super) fn gamble(
    game: &dyn AnyGame,
    seat: Seat,
    most: usize,
    rng: &mut dyn Rng,
    enough: &mut dyn FnMut() -> bool,
) -> Option<AnyAction> {
    let candidates = legal(game, seat, rng);
    if candidates.len() < 2 {
        return candidates.into_iter().next();
    }
    let mut sums = vec![(0i64, 0i64); candidates.len()];
    for trial in 0..most.min(CONTINUATIONS).max(candidates.len()) {
        if trial >= candidates.len() && enough() {
            break;
        }
        let index = trial % candidates.len();
        let world = game.redeal(seat, rng);
        if world.check(Actor::Seat(seat), &candidates[index]).is_ok() {
            sums[index].0 += continuation(world, seat, &candidates[index], rng);
            sums[index].1 += 1;
        }
    }
    let best = (0..candidates.len()).max_by(|a, b| {
        let mean = |i: usize| num_rational::Ratio::new(sums[i].0, sums[i].1.max(1));
        mean(*a).cmp(&mean(*b))
    });
    best.map(|index| candidates[index].clone())
}

/// The candidates that the rules accept.
pub(super) fn legal(game: &dyn AnyGame, seat: Seat, rng: &mut dyn Rng) -> Vec<AnyAction> {
    let mut candidates = game.candidates(seat, rng);
    candidates.retain(|action| game.check(Actor::Seat(seat), action).is_ok());
    candidates
}

/// Carries out an action and lets both sides go on at random; what the seat has then, less what the other has.
fn continuation(mut game: Box<dyn AnyGame>, seat: Seat, first: &AnyAction, rng: &mut dyn Rng) -> i64 {
    let mut pending = Some(first.clone());
    for _ in 0..HORIZON {
        let step = match game.turn() {
            Turn::Over(_) => break,
            Turn::Chance => Step::Chance(game.draw(rng)),
            Turn::One(asked) => {
                let action = pending.take().or_else(|| legal(&*game, asked, rng).choose(rng).cloned());
                let Some(action) = action else { break };
                Step::One(asked, action)
            }
            Turn::Both => {
                let own = pending.take().or_else(|| legal(&*game, seat, rng).choose(rng).cloned());
                let other = legal(&*game, !seat, rng).choose(rng).cloned();
                let (Some(own), Some(other)) = (own, other) else { break };
                Step::Both(match seat {
                    Seat::One => [own, other],
                    Seat::Two => [other, own],
                })
            }
        };
        game.apply(step);
    }
    let score = game.score();
    let lead = score[seat.index()] - score[(!seat).index()];
    let standing = game.standing();
    let ahead = (standing[seat.index()] - standing[(!seat).index()]).clamp(-VICTORY / 10, VICTORY / 10);
    // Points can be fractions of large numbers, so the product needs more room than they do.
    let led = i128::from(*lead.numer()) * i128::from(VICTORY) / i128::from(*lead.denom());
    let most = i128::from(MOST);
    led.clamp(-most, most) as i64 + ahead
}
