//! What to say where a coin or an auction names every mover: the best move of a side, and bids of half the difference that the move
//! makes, a little more or less so that they cannot be read.

use rand::{Rng, RngExt};

use super::{search::Effort, toss::Toss};
use crate::{
    board::Color,
    rules::{Endgame, endgame::Asked, king_capture::BOARD},
};

/// The share by which a bid is more or less than half the difference.
const MIXED: f64 = 0.08;

/// Finds what a side says.
pub(super) fn word(
    moment: &Endgame,
    color: Color,
    effort: Effort,
    rng: &mut dyn Rng,
    enough: &mut dyn FnMut() -> bool,
) -> Option<String> {
    let mut toss = Toss::new(effort, enough);
    let outlook = toss.look(&moment.position);
    let (us, them) = (color.index(), (!color).index());
    if let Asked::Move(_) = moment.asked {
        let best = outlook.moves[us].first();
        return Some(best.map_or_else(|| "pass".to_owned(), |(mv, _)| BOARD.uci(*mv).to_string()));
    }
    let chips = moment.chips?;
    let (own, theirs) = (chips[us], chips[them]);
    // Where a king hangs, all that the other side could bid is not too much.
    let hot = toss.threatens(&moment.position, color) || toss.threatens(&moment.position, !color);
    let half = (outlook.best[0] - outlook.best[1]) / 2.0;
    let worth = half * (own + theirs) as f64;
    match moment.asked {
        Asked::Offer(_) | Asked::Sealed => {
            let beyond = own.min(theirs.saturating_add(1));
            let mixed = 1.0 + MIXED * (2.0 * rng.random::<f64>() - 1.0);
            let least = if moment.negative { -beyond } else { 0 };
            let bid = if hot { beyond } else { ((worth * mixed).round() as i64).clamp(least, beyond) };
            Some(format!("bid {bid}"))
        }
        Asked::Answer { bid, .. } => {
            let (may_accept, may_reject) = (bid >= -own, bid <= own);
            let wants = hot || worth > bid as f64;
            Some(if may_reject && (wants || !may_accept) { "reject" } else { "accept" }.to_owned())
        }
        Asked::Tie { bid, .. } => Some(if hot || worth > bid as f64 { "take" } else { "give" }.to_owned()),
        Asked::Toss | Asked::Coin(_) | Asked::Move(_) => None,
    }
}
