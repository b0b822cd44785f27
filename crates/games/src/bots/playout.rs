//! Bots for any variant: flat Monte Carlo, a search over the rules' candidate actions, and averages over possible worlds for
//! seats that do not see the whole board.

use std::hash::{Hash, Hasher};

use rand::{Rng, RngExt, SeedableRng, rngs::StdRng, seq::IndexedRandom};

use super::{
    chess_tree::ChessTree,
    game_tree::{OrderedMove, SLOTS, Tree, WON},
    search::{Search, SearchLimits},
    transposition::PositionHasher,
};
use crate::rules::{
    Actor, SearchProblem, Seat, Step, Turn,
    any_game::{AnyAction, AnyGame},
};

/// Steps of a random playout.
const HORIZON: usize = 12;
/// Most playouts, whatever the time.
pub(super) const CONTINUATIONS: usize = 4_000;
/// Limit of a lead, so that the sum of all playouts cannot overflow.
const LEAD_CAP: i64 = i64::MAX / (4 * CONTINUATIONS as i64);
/// Value of a won game compared with material.
const VICTORY: i64 = 1_000_000;

/// Tries each candidate of a pending seat in random playouts, at most `most` in total, and returns the best.
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

/// The candidates that are legal.
pub(super) fn legal(game: &dyn AnyGame, seat: Seat, rng: &mut dyn Rng) -> Vec<AnyAction> {
    let mut candidates = game.candidates(seat, rng);
    candidates.retain(|action| game.check(Actor::Seat(seat), action).is_ok());
    candidates
}

/// Plays an action and then random ones. Returns the seat's lead at the end.
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
    let standing = game.rough_material();
    let ahead = (standing[seat.index()] - standing[(!seat).index()]).clamp(-VICTORY / 10, VICTORY / 10);
    // Points can be fractions with large numerators, so the product needs more bits.
    let led = i128::from(*lead.numer()) * i128::from(VICTORY) / i128::from(*lead.denom());
    let most = i128::from(LEAD_CAP);
    led.clamp(-most, most) as i64 + ahead
}

/// Search tree of any variant, from the candidates and evaluations of its rules. Lines end where chance or both seats would act.
struct GenericTree;

/// A node of the search.
#[derive(Clone)]
struct GenericNode {
    game: Box<dyn AnyGame>,
    /// The seat to act, or the opponent of the last one if no single seat is to act.
    seat: Seat,
    /// Hash of all actions since the root.
    key: u64,
}

/// Finds the best action of the pending seat.
pub(super) fn best_by_search(
    game: &dyn AnyGame,
    effort: SearchLimits,
    enough: &mut dyn FnMut() -> bool,
) -> Option<AnyAction> {
    let Turn::One(seat) = game.turn() else { return None };
    let root = GenericNode { game: game.boxed(), seat, key: 0 };
    Search::new(&GenericTree, effort, Vec::new(), enough).best(&root).map(|found| found.mv)
}

/// Adds an action to a hash.
fn folded(key: u64, text: &str) -> u64 {
    let mut folded = PositionHasher::default();
    key.hash(&mut folded);
    text.hash(&mut folded);
    folded.finish()
}

impl Tree for GenericTree {
    type Node = GenericNode;
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

    fn moves(&self, instant: &Self::Node, loud: bool, moves: &mut Vec<OrderedMove<AnyAction>>) {
        if loud {
            return;
        }
        // The key is the seed, so that a node always has the same candidates.
        let mut rng = StdRng::seed_from_u64(instant.key);
        let offered = legal(&*instant.game, instant.seat, &mut rng);
        for mv in offered {
            if !moves.iter().any(|known| known.mv == mv) {
                moves.push(OrderedMove { mv, gain: 0, rank: 0 });
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
        GenericNode { game, seat, key: folded(instant.key, mv.text()) }
    }

    fn stuck(&self, instant: &Self::Node) -> i32 {
        self.estimate(instant)
    }

    fn estimate(&self, instant: &Self::Node) -> i32 {
        let standing = instant.game.rough_material();
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

/// Least and most nodes for one world: enough to try every move, and few enough to leave time for many worlds.
const NODES_PER_WORLD: (u64, u64) = (600, 3_000);
/// Multiplier of the square root of the node limit, which is the number of nodes per world.
const DEEPER: u64 = 8;
/// Most worlds.
const WORLDS: u64 = 200;
/// Factor for a level's noise, the same in every world, as hidden information adds luck.
const MORE: i32 = 3;
/// Limit of a score in one world.
const SCORE_CAP: i32 = 2_500;

/// Finds the move with the best average score over several possible worlds.
pub(super) fn best_on_average(
    game: &dyn AnyGame,
    seat: Seat,
    effort: SearchLimits,
    rng: &mut dyn Rng,
    enough: &mut dyn FnMut() -> bool,
) -> Option<AnyAction> {
    let nodes = (DEEPER * effort.nodes.isqrt()).clamp(NODES_PER_WORLD.0, NODES_PER_WORLD.1);
    let worlds = (effort.nodes / nodes).clamp(1, WORLDS);
    let mut looked: i64 = 0;
    let mut sums: Vec<(String, i64)> = Vec::new();
    for imagined in 0..worlds {
        if imagined > 0 && enough() {
            break;
        }
        let world = game.redeal(seat, rng);
        let Some(SearchProblem::Moves(contest)) = world.search_problem(seat) else { break };
        let (arena, moment, before) = ChessTree::of(&contest);
        looked += 1;
        let share = SearchLimits { nodes, seed: effort.seed ^ imagined, ..effort };
        for found in Search::new(&arena, share, before, &mut || false).scores(&moment) {
            let (text, score) =
                (contest.board.uci(found.mv).to_string(), i64::from(found.score.clamp(-SCORE_CAP, SCORE_CAP)));
            match sums.iter_mut().find(|(other, _)| *other == text) {
                Some((_, sum)) => *sum += score,
                None => sums.push((text, score)),
            }
        }
    }
    let most = MORE * effort.noise;
    let misjudged = |(text, sum): (String, i64)| (text, sum + looked * i64::from(rng.random_range(-most..=most)));
    game.parse(&sums.into_iter().map(misjudged).max_by_key(|(_, sum)| *sum)?.0).ok()
}
