//! Moves of a seat that does not see the whole board: every move is looked at in several worlds that the seat could be in, and the best
//! on the average is made.

use rand::{Rng, RngExt};

use super::{
    contest::Arena,
    search::{Effort, Search},
};
use crate::rules::{
    Prospect, Seat,
    any_game::{AnyAction, AnyGame},
};

/// The moments that are looked at in one world: no fewer, so that every move is tried, and no more, so that there are many worlds.
const MOMENTS: (u64, u64) = (600, 3_000);
/// As many moments for every one that there would be if there were as many worlds.
const DEEPER: u64 = 8;
/// The most worlds.
const WORLDS: u64 = 200;
/// A level misjudges a move so much more than where it sees the whole board, in every world alike: there is more luck in what it does not see.
const MORE: i32 = 3;
/// Whatever is won or lost in one world counts for no more.
const MOST: i32 = 2_500;

/// Finds the move that is best on the average.
pub(super) fn best(
    game: &dyn AnyGame,
    seat: Seat,
    effort: Effort,
    rng: &mut dyn Rng,
    enough: &mut dyn FnMut() -> bool,
) -> Option<AnyAction> {
    let nodes = (DEEPER * effort.nodes.isqrt()).clamp(MOMENTS.0, MOMENTS.1);
    let worlds = (effort.nodes / nodes).clamp(1, WORLDS);
    let mut looked: i64 = 0;
    let mut sums: Vec<(String, i64)> = Vec::new();
    for imagined in 0..worlds {
        if imagined > 0 && enough() {
            break;
        }
        let world = game.redeal(seat, rng);
        let Some(Prospect::Moves(contest)) = world.prospect(seat) else { break };
        let (arena, moment, before) = Arena::of(&contest);
        looked += 1;
        let share = Effort { nodes, seed: effort.seed ^ imagined, ..effort };
        for found in Search::new(&arena, share, before, &mut || false).scores(&moment) {
            let (text, score) = (contest.board.uci(found.mv).to_string(), i64::from(found.score.clamp(-MOST, MOST)));
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
