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
use crate::rules::{
    Seat, Step, Turn,
    any_game::{AnyAction, AnyGame},
};

/// Games of any rules.
struct Anything;

/// A moment of a game.
#[derive(Clone)]
struct Instant {
    game: Box<dyn AnyGame>,
    /// The seat that is asked, or would be.
    seat: Seat,
    /// A number that depends on all that was said since the search began.
    key: u64,
}

/// Finds the best action of the seat that is asked.
pub(super) fn best(game: &dyn AnyGame, effort: Effort, enough: &mut dyn FnMut() -> bool) -> Option<AnyAction> {
    let Turn::One(seat) = game.turn() else { return None };
    let root = Instant { game: game.boxed(), seat, key: 0 };
    Search::new(&Anything, effort, Vec::new(), enough).best(&root).map(|found| found.mv)
}

/// A number for what was said after what stood there.
fn folded(key: u64, text: &str) -> u64 {
    let mut folded = Folded::default();
    key.hash(&mut folded);
    text.hash(&mut folded);
    folded.finish()
}

impl Tree for Anything {
    type Node = Instant;
    type Move = AnyAction;

    fn key(&self, instant: &Self::Node) -> u64 {
        instant.key
    }

    fn side(&self, instant: &Self::Node) -> usize {
        instant.seat.index()
    }

    fn verdict(&self, instant: &Self::Node) -> Option<i32> {
        match instant.game.turn() {
            Turn::Over(outcome) => Some(match outcome.winner() {
                Some(winner) if winner == instant.seat => WON,
                Some(_) => -WON,
                None => 0,
            }),
            Turn::One(_) => None,
            Turn::Both | Turn::Chance => Some(self.estimate(instant)),
        }
    }

    fn moves(&self, instant: &Self::Node, loud: bool, moves: &mut Vec<Ranked<AnyAction>>) {
        if loud {
            return;
        }
        // The same candidates whenever the moment is looked at.
        let mut rng = StdRng::seed_from_u64(instant.key);
        let offered = gambler::legal(&*instant.game, instant.seat, &mut rng);
        for mv in offered {
            if !moves.iter().any(|known| known.mv == mv) {
                moves.push(Ranked { mv, gain: 0, rank: 0 });
            }
        }
    }

    fn after(&self, instant: &Self::Node, mv: &AnyAction) -> Self::Node {
        let mut game = instant.game.clone();
        game.apply(Step::One(instant.seat, mv.clone()));
        let seat = match game.turn() {
            Turn::One(seat) => seat,
            Turn::Both | Turn::Chance | Turn::Over(_) => !instant.seat,
        };
        Instant { game, seat, key: folded(instant.key, mv.text()) }
    }

    fn stuck(&self, instant: &Self::Node) -> i32 {
        self.estimate(instant)
    }

    fn estimate(&self, instant: &Self::Node) -> i32 {
        let standing = instant.game.standing();
        let lead = standing[instant.seat.index()] - standing[(!instant.seat).index()];
        lead.clamp(-20_000, 20_000) as i32
    }

    fn pressed(&self, _instant: &Self::Node) -> bool {
        false
    }

    fn pass(&self, _instant: &Self::Node) -> Option<Self::Node> {
        None
    }

    fn slot(&self, mv: &AnyAction) -> usize {
        folded(0, mv.text()) as usize % SLOTS
    }
}
