//! Sensible things to say, for players that choose among some.

use rand::{Rng, RngExt};

use super::{
    Action, Bid, Decision, board,
    round::{Round, Stage},
};
use crate::rules::{endings, move_history::Course};

/// What somebody could sensibly say in a deal.
pub(super) fn candidates(round: &Round, rng: &mut dyn Rng) -> Vec<Action> {
    match (round.stage, &round.course) {
        (Stage::Decide, _) => vec![Action::Decide(Decision::Play), Action::Decide(Decision::Concede)],
        (Stage::Play, Some(course)) => sensible(course),
        (Stage::Bid | Stage::Officers | Stage::Colors | Stage::First | Stage::Deal | Stage::Play, _) => {
            bids(round, rng)
        }
    }
}

/// A move that mates, if there is one; else every move.
fn sensible(course: &Course) -> Vec<Action> {
    let (board, position) = (board(), &course.position);
    let moves = board.moves(position);
    let mates = |mv: &&crate::board::Move| {
        let after = board.after(position, **mv);
        board.in_check(&after, after.turn) && !board.has_move(&after)
    };
    match moves.iter().find(mates) {
        Some(mv) => vec![Action::Move(board.uci(*mv))],
        None => moves.iter().map(|mv| Action::Move(board.uci(*mv))).collect(),
    }
}

/// Bids around what the officers are worth: White’s chances grow by a percent for every twelfth of a pawn.
fn bids(round: &Round, rng: &mut dyn Rng) -> Vec<Action> {
    let units = round.officers.map_or([0; 2], |officers| endings::count_material(board(), &officers));
    let fair = 50 + (units[0] - units[1]) / 12;
    let around = [-20, -10, -5, 0, 5, 10, 20].map(|off| fair + off);
    let mut bids: Vec<i64> =
        around.into_iter().chain([rng.random_range(0..=100)]).map(|bid| bid.clamp(0, 100)).collect();
    bids.sort_unstable();
    bids.dedup();
    bids.into_iter().filter_map(|bid| Bid::new(bid as u8)).map(Action::Bid).collect()
}
