//! Moves of a seat that does not see the whole board: every move is looked at in several worlds that the seat could be in, and the best
//! on the average is made.

use rand::Rng;

use super::{
    contest::Arena,
    search::{Effort, Search},
};
use crate::rules::{Prospect, Rules, Seat};

/// The moments that are looked at in one world: no fewer, so that every move is tried, and no more, so that there are several worlds.
const MOMENTS: (u64, u64) = (600, 20_000);
/// So many worlds are imagined for less effort, and the most for any.
const WORLDS: (u64, u64) = (8, 200);
/// Whatever is won or lost in one world counts for no more.
const MOST: i32 = 2_500;

/// Finds the move that is best on the average.
pub(super) fn best<R: Rules>(
    rules: &R,
    state: &R::State,
    seat: Seat,
    effort: Effort,
    rng: &mut dyn Rng,
    enough: &mut dyn FnMut() -> bool,
) -> Option<R::Action> {
    let nodes = (effort.nodes / WORLDS.0).clamp(MOMENTS.0, MOMENTS.1);
    let worlds = (effort.nodes / nodes).clamp(1, WORLDS.1);
    let mut sums: Vec<(String, i64)> = Vec::new();
    for imagined in 0..worlds {
        if imagined > 0 && enough() {
            break;
        }
        let world = rules.redeal(state, seat, rng);
        let Some(Prospect::Moves(contest)) = rules.prospect(&world, seat) else { break };
        let (arena, moment, before) = Arena::of(&contest);
        let share = Effort { nodes, seed: effort.seed ^ imagined, ..effort };
        for found in Search::new(&arena, share, before, &mut || false).scores(&moment) {
            let (text, score) = (contest.board.uci(found.mv).to_string(), i64::from(found.score.clamp(-MOST, MOST)));
            match sums.iter_mut().find(|(other, _)| *other == text) {
                Some((_, sum)) => *sum += score,
                None => sums.push((text, score)),
            }
        }
    }
    sums.into_iter().max_by_key(|(_, sum)| *sum)?.0.parse().ok()
}
