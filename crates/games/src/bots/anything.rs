//! Games of any rules, as the search sees them: by what the rules offer, carry out and count. Where chance or both sides at once
//! would speak, it sees no further.

use std::hash::{Hash, Hasher};

use rand::{SeedableRng, rngs::StdRng};

use super::{
    gambler,
    hash::Folded,
    search::{Effort, Search},
    tree::{Ranked, SLOTS, Tree, WON},
};
use crate::rules::{Rules, Seat, Step, Turn};

/// The rules of a game.
struct Anything<'r, R: Rules> {
    rules: &'r R,
}

/// A moment of a game.
#[derive(Clone)]
struct Instant<S> {
    state: S,
    /// The seat that is asked, or would be.
    seat: Seat,
    /// A number that depends on all that was said since the search began.
    key: u64,
}

/// Finds the best action of the seat that is asked.
pub(super) fn best<R: Rules>(
    rules: &R,
    state: &R::State,
    effort: Effort,
    enough: &mut dyn FnMut() -> bool,
) -> Option<R::Action> {
    let Turn::One(seat) = rules.turn(state) else { return None };
    let anything = Anything { rules };
    let root = Instant { state: state.clone(), seat, key: 0 };
    Search::new(&anything, effort, Vec::new(), enough).best(&root).map(|found| found.mv)
}

/// A number for what was said after what stood there.
fn folded(key: u64, text: &str) -> u64 {
    let mut folded = Folded::default();
    key.hash(&mut folded);
    text.hash(&mut folded);
    folded.finish()
}

impl<R: Rules> Tree for Anything<'_, R> {
    type Node = Instant<R::State>;
    type Move = R::Action;

    fn key(&self, instant: &Self::Node) -> u64 {
        instant.key
    }

    fn side(&self, instant: &Self::Node) -> usize {
        instant.seat.index()
    }

    fn verdict(&self, instant: &Self::Node) -> Option<i32> {
        match self.rules.turn(&instant.state) {
            Turn::Over(outcome) => Some(match outcome.winner() {
                Some(winner) if winner == instant.seat => WON,
                Some(_) => -WON,
                None => 0,
            }),
            Turn::One(_) => None,
            Turn::Both | Turn::Chance => Some(self.estimate(instant)),
        }
    }

    fn moves(&self, instant: &Self::Node, loud: bool, moves: &mut Vec<Ranked<R::Action>>) {
        if loud {
            return;
        }
        // The same candidates whenever the moment is looked at.
        let mut rng = StdRng::seed_from_u64(instant.key);
        let offered = gambler::legal(self.rules, &instant.state, instant.seat, &mut rng);
        for mv in offered {
            if !moves.iter().any(|known| known.mv == mv) {
                moves.push(Ranked { mv, gain: 0, rank: 0 });
            }
        }
    }

    fn after(&self, instant: &Self::Node, mv: &R::Action) -> Self::Node {
        let mut state = instant.state.clone();
        self.rules.apply(&mut state, Step::One(instant.seat, mv.clone()));
        let seat = match self.rules.turn(&state) {
            Turn::One(seat) => seat,
            Turn::Both | Turn::Chance | Turn::Over(_) => !instant.seat,
        };
        Instant { state, seat, key: folded(instant.key, &mv.to_string()) }
    }

    fn stuck(&self, instant: &Self::Node) -> i32 {
        self.estimate(instant)
    }

    fn estimate(&self, instant: &Self::Node) -> i32 {
        let standing = self.rules.standing(&instant.state);
        let lead = standing[instant.seat.index()] - standing[(!instant.seat).index()];
        lead.clamp(-20_000, 20_000) as i32
    }

    fn pressed(&self, _instant: &Self::Node) -> bool {
        false
    }

    fn pass(&self, _instant: &Self::Node) -> Option<Self::Node> {
        None
    }

    fn slot(&self, mv: &R::Action) -> usize {
        folded(0, &mv.to_string()) as usize % SLOTS
    }
}
