//! Games from which positions are drawn: two players that look one step ahead, and follow from a number.

use rand::{rngs::StdRng, seq::IndexedRandom};

use crate::rules::{Actor, BotSupport, RulesVersion, Seat, Step, Turn};

/// Of so many candidates a player says the one after which it stands best.
const TRIED: usize = 3;

/// Plays a game of at most so many steps, and gives the first thing that is found on the way.
pub(super) fn found<R: BotSupport, T>(
    rules: &R,
    steps: usize,
    rng: &mut StdRng,
    mut look: impl FnMut(&R::State) -> Option<T>,
) -> Option<T> {
    let terms = rules.terms(RulesVersion::CURRENT).ok()?;
    let mut state = rules.start(&terms);
    for _ in 0..steps {
        let step = step(rules, &state, rng)?;
        rules.apply(&mut state, step);
        if let Some(found) = look(&state) {
            return Some(found);
        }
    }
    None
}

/// The next step; none if the game is over.
fn step<R: BotSupport>(rules: &R, state: &R::State, rng: &mut StdRng) -> Option<Step<R::Action>> {
    match rules.turn(state) {
        Turn::Over(_) => None,
        Turn::Chance => Some(Step::Chance(rules.draw(state, rng))),
        Turn::One(seat) => {
            let tried = candidates(rules, state, seat, rng);
            let stands = |action: &R::Action| standing(rules, state, seat, Step::One(seat, action.clone()));
            Some(Step::One(seat, tried.into_iter().max_by_key(stands)?))
        }
        Turn::Both => {
            let [one, two] = Seat::BOTH.map(|seat| candidates(rules, state, seat, rng));
            let (first, second) = (one.first()?.clone(), two.first()?.clone());
            let stands = |seat, both: [&R::Action; 2]| standing(rules, state, seat, Step::Both(both.map(Clone::clone)));
            let one = one.into_iter().max_by_key(|action| stands(Seat::One, [action, &second]))?;
            let two = two.into_iter().max_by_key(|action| stands(Seat::Two, [&first, action]))?;
            Some(Step::Both([one, two]))
        }
    }
}

/// A few things that a seat may say, drawn by chance.
fn candidates<R: BotSupport>(rules: &R, state: &R::State, seat: Seat, rng: &mut StdRng) -> Vec<R::Action> {
    let mut all = rules.candidates(state, seat, rng);
    all.retain(|action| rules.check(state, Actor::Seat(seat), action).is_ok());
    all.sample(rng, TRIED).cloned().collect()
}

/// A seat's lead after a step.
fn standing<R: BotSupport>(rules: &R, state: &R::State, seat: Seat, step: Step<R::Action>) -> i64 {
    let mut after = state.clone();
    rules.apply(&mut after, step);
    let stand = rules.standing(&after);
    stand[seat.index()] - stand[(!seat).index()]
}
