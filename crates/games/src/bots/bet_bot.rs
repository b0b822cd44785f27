//! Bids on a board of which only the officers are known. Completes the board with random deals, searches each briefly, and
//! averages the winning chances. Bidding the estimated chance is optimal, as deviations only help the opponent.

use rand::{Rng, RngExt};

use super::{
    chess_tree::ChessTree,
    game_tree::Tree,
    random_turn_evaluation,
    search::{Search, SearchLimits},
};
use crate::{
    board::{Color, Position},
    rules::search_problem::{Aim, BetProblem, BoardProblem, DoublingProblem},
    variants::bookie::{board, deal_rest},
};

/// Lead at which a side wins about seven of ten games, in hundredths of a pawn.
const LEAD: f64 = 260.0;
/// Most deals to examine.
const DEALS: u64 = 160;
/// Nodes to search for each deal.
const NODES: u64 = 2_500;
/// Greatest search depth for each deal, in plies.
const DEPTH: i32 = 6;
/// Random change of a bid in percentage points, which keeps it unpredictable.
const MIXED: i64 = 2;

/// Chooses a bid on White.
pub(super) fn bid(
    bet: &BetProblem,
    effort: SearchLimits,
    rng: &mut dyn Rng,
    enough: &mut dyn FnMut() -> bool,
) -> Option<String> {
    let mixed = percent(bet, effort, rng, enough) + rng.random_range(-MIXED..=MIXED);
    Some(format!("bid {}", mixed.clamp(2, 98)))
}

/// White's winning chance in percent, averaged over random deals.
fn percent(bet: &BetProblem, effort: SearchLimits, rng: &mut dyn Rng, enough: &mut dyn FnMut() -> bool) -> i64 {
    let arena = ChessTree::new(board(), Aim::Mate, bet.draws);
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
    if deals > 0.0 { (100.0 * sum / deals).round() as i64 } else { 50 }
}

/// The best bid, and the loss of each of two bids against the other as a share of the stakes.
pub(super) fn compare(
    bet: &BetProblem,
    effort: SearchLimits,
    rng: &mut dyn Rng,
    bids: Option<[i64; 2]>,
) -> (String, Option<[f64; 2]>) {
    let fair = percent(bet, effort, rng, &mut || false).clamp(2, 98);
    let lost = |own: i64, other: i64| f64::max(0.0, gain(fair, other, fair) - gain(own, other, fair)) / 100.0;
    (format!("bid {fair}"), bids.map(|[one, two]| [lost(one, two), lost(two, one)]))
}

/// Average points of a bid against another if White wins `fair` of a hundred games. The higher bidder on White plays White: it
/// loses its own bid or wins the opponent's bid on Black.
fn gain(own: i64, other: i64, fair: i64) -> f64 {
    let (wins, own, rival) = (fair as f64 / 100.0, own as f64, other as f64);
    let white = wins * (100.0 - rival) - (1.0 - wins) * own;
    let black = (1.0 - wins) * rival - wins * (100.0 - own);
    match own.total_cmp(&rival) {
        std::cmp::Ordering::Greater => white,
        std::cmp::Ordering::Equal => (white + black) / 2.0,
        std::cmp::Ordering::Less => black,
    }
}

/// Winning chance of a side with this search score.
pub(super) fn chance(score: i32) -> f64 {
    random_turn_evaluation::logistic(f64::from(score) / LEAD)
}

/// White's winning chance in a position, after a short search.
fn white(arena: &ChessTree<'_>, position: &Position, effort: SearchLimits, enough: &mut dyn FnMut() -> bool) -> f64 {
    let short = SearchLimits { depth: effort.depth.min(DEPTH), nodes: effort.nodes.min(NODES), ..effort };
    let moment = arena.moment(position);
    let found = Search::new(arena, short, Vec::new(), enough).rated(&moment);
    let score = found.map_or_else(|| arena.stuck(&moment), |found| found.score);
    let own = chance(score);
    if position.turn == Color::White { own } else { 1.0 - own }
}

/// Decides whether to play on for higher stakes, by comparing the value of playing on with the loss of the current stakes.
pub(super) fn decision(
    double: &DoublingProblem,
    effort: SearchLimits,
    enough: &mut dyn FnMut() -> bool,
) -> Option<String> {
    let (_, gain) = outlook(double, effort, enough);
    Some(if gain > 0.0 { "play" } else { "concede" }.to_owned())
}

/// Winning chance of the deciding side, and the gain of playing on over conceding, in points.
pub(super) fn outlook(double: &DoublingProblem, effort: SearchLimits, enough: &mut dyn FnMut() -> bool) -> (f64, f64) {
    let BoardProblem { position, .. } = &double.contest;
    let (arena, moment, before) = ChessTree::of(&double.contest);
    let found = Search::new(&arena, effort, before, enough).rated(&moment);
    let score = found.map_or_else(|| arena.stuck(&moment), |found| found.score);
    let mover = chance(score);
    let chance = if position.turn == double.color { mover } else { 1.0 - mover };
    let [own, other] = double.stakes.map(|stake| stake as f64);
    let factor = *double.factor.numer() as f64 / *double.factor.denom() as f64;
    (chance, factor * (chance * own - (1.0 - chance) * other) + other)
}
