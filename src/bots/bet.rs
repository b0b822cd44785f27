//! Bids on a board of which only the officers are known: deals that fit them, short searches, and what they come to as chances. Whoever
//! bids what he believes can only gain by a bid that is off.

use rand::{Rng, RngExt};

use super::{
    contest::Arena,
    search::{Effort, Search},
    tree::Tree,
};
use crate::{
    board::{Color, Position},
    rules::{
        bookie::{board, deal_rest},
        prospect::{Aim, Bet, Contest, Double},
    },
};

/// The lead that brings the chances from even to about seven in ten, in hundredths of a pawn.
const LEAD: f64 = 260.0;
/// The most deals that are looked at.
const DEALS: u64 = 160;
/// The positions that are looked at for each deal.
const NODES: u64 = 2_500;
/// The deepest that one deal is looked at, in plies.
const DEPTH: i32 = 6;
/// The percents by which a bid is more or less than the chances, so that it cannot be read.
const MIXED: i64 = 2;

/// Finds a bid on White.
pub(super) fn bid(bet: &Bet, effort: Effort, rng: &mut dyn Rng, enough: &mut dyn FnMut() -> bool) -> Option<String> {
    let arena = Arena::new(board(), Aim::Mate, bet.draws);
    let (mut sum, mut deals) = (0.0, 0.0);
    for number in 0..(effort.nodes / NODES).clamp(2, DEALS) {
        if number > 1 && enough() {
            break;
        }
        let Ok(mut position) = deal_rest(&bet.officers, rng) else { continue };
        let coin = if number % 2 == 0 { Color::White } else { Color::Black };
        position.turn = bet.first.unwrap_or(coin);
        sum += white(&arena, &position, effort, enough);
        deals += 1.0;
    }
    let percent = if deals > 0.0 { (100.0 * sum / deals).round() as i64 } else { 50 };
    let mixed = percent + rng.random_range(-MIXED..=MIXED);
    Some(format!("bid {}", mixed.clamp(2, 98)))
}

/// White's chance in a position, after a short look.
fn white(arena: &Arena<'_>, position: &Position, effort: Effort, enough: &mut dyn FnMut() -> bool) -> f64 {
    let short = Effort { depth: effort.depth.min(DEPTH), nodes: effort.nodes.min(NODES), ..effort };
    let moment = arena.moment(position);
    let found = Search::new(arena, short, Vec::new(), enough).best(&moment);
    let score = found.map_or_else(|| arena.stuck(&moment), |found| found.score);
    let own = 1.0 / (1.0 + (-f64::from(score) / LEAD).exp());
    if position.turn == Color::White { own } else { 1.0 - own }
}

/// Decides whether to play on for more: what that is worth, against the loss of what is at stake.
pub(super) fn decision(double: &Double, effort: Effort, enough: &mut dyn FnMut() -> bool) -> Option<String> {
    let Contest { position, .. } = &double.contest;
    let (arena, moment, before) = Arena::of(&double.contest);
    let found = Search::new(&arena, effort, before, enough).best(&moment);
    let score = found.map_or_else(|| arena.stuck(&moment), |found| found.score);
    let mover = 1.0 / (1.0 + (-f64::from(score) / LEAD).exp());
    let chance = if position.turn == double.color { mover } else { 1.0 - mover };
    let [own, other] = double.stakes.map(|stake| stake as f64);
    let factor = *double.factor.numer() as f64 / *double.factor.denom() as f64;
    let plays = factor * (chance * own - (1.0 - chance) * other) > -other;
    Some(if plays { "play" } else { "concede" }.to_owned())
}
