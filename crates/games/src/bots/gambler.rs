//! The gambler: flat Monte Carlo over whatever the rules offer, in every game.

use rand::{Rng, seq::IndexedRandom};

use crate::rules::{Actor, Rules, Seat, Step, Turn};

/// The number of steps that a random continuation looks ahead.
const HORIZON: usize = 12;
/// The most continuations that are tried, whatever the time.
pub(super) const CONTINUATIONS: usize = 4_000;
/// No lead counts for more than this, so that the sum over all continuations stays a number.
const MOST: i64 = i64::MAX / (4 * CONTINUATIONS as i64);
/// The worth of a won game beside what stands on the board.
const VICTORY: i64 = 1_000_000;

/// Tries every candidate of a seat that is asked in at most so many random continuations, and finds the best.
pub(super) fn gamble<R: Rules>(
    rules: &R,
    state: &R::State,
    seat: Seat,
    most: usize,
    rng: &mut dyn Rng,
    enough: &mut dyn FnMut() -> bool,
) -> Option<R::Action> {
    let candidates = legal(rules, state, seat, rng);
    if candidates.len() < 2 {
        return candidates.into_iter().next();
    }
    let mut sums = vec![(0i64, 0i64); candidates.len()];
    for trial in 0..most.min(CONTINUATIONS).max(candidates.len()) {
        if trial >= candidates.len() && enough() {
            break;
        }
        let index = trial % candidates.len();
        let world = rules.redeal(state, seat, rng);
        if rules.check(&world, Actor::Seat(seat), &candidates[index]).is_ok() {
            sums[index].0 += continuation(rules, world, seat, &candidates[index], rng);
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
pub(super) fn legal<R: Rules>(rules: &R, state: &R::State, seat: Seat, rng: &mut dyn Rng) -> Vec<R::Action> {
    let mut candidates = rules.candidates(state, seat, rng);
    candidates.retain(|action| rules.check(state, Actor::Seat(seat), action).is_ok());
    candidates
}

/// Carries out an action and lets both sides go on at random; what the seat has then, less what the other has.
fn continuation<R: Rules>(rules: &R, mut state: R::State, seat: Seat, first: &R::Action, rng: &mut dyn Rng) -> i64 {
    let mut pending = Some(first.clone());
    for _ in 0..HORIZON {
        let step = match rules.turn(&state) {
            Turn::Over(_) => break,
            Turn::Chance => Step::Chance(rules.draw(&state, rng)),
            Turn::One(asked) => {
                let action = pending.take().or_else(|| legal(rules, &state, asked, rng).choose(rng).cloned());
                let Some(action) = action else { break };
                Step::One(asked, action)
            }
            Turn::Both => {
                let own = pending.take().or_else(|| legal(rules, &state, seat, rng).choose(rng).cloned());
                let other = legal(rules, &state, !seat, rng).choose(rng).cloned();
                let (Some(own), Some(other)) = (own, other) else { break };
                Step::Both(match seat {
                    Seat::One => [own, other],
                    Seat::Two => [other, own],
                })
            }
        };
        rules.apply(&mut state, step);
    }
    let score = rules.score(&state);
    let lead = score[seat.index()] - score[(!seat).index()];
    let standing = rules.standing(&state);
    let ahead = (standing[seat.index()] - standing[(!seat).index()]).clamp(-VICTORY / 10, VICTORY / 10);
    // Points can be fractions of large numbers, so the product needs more room than they do.
    let led = i128::from(*lead.numer()) * i128::from(VICTORY) / i128::from(*lead.denom());
    let most = i128::from(MOST);
    led.clamp(-most, most) as i64 + ahead
}
