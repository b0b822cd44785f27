//! Bids and moves where a coin or an auction decides who moves. The bot plays a side's best move, and bids a share of half the
//! difference that the move makes. A random factor keeps the bids unpredictable.

use rand::{Rng, RngExt};

use super::{
    random_turn_evaluation::{self, MovesByColor, Toss},
    search::SearchLimits,
};
use crate::{
    board::Color,
    rules::{
        Endgame,
        auction_game::Base,
        endgame::{NextStep, Price},
    },
};

/// Share of half the difference that a bot bids where the winner pays its own bid: for levels that look two plies ahead or fewer,
/// and for levels that look further.
///
/// The best of many moves looks better than it is, most of all to a shallow search, and the higher of two noisy bids is usually
/// an overestimate (the winner's curse). In test matches, shallow bots that bid 0.4 to 0.6 with a random factor beat those that
/// bid 0.75 and more. Deeper bots that bid 0.75 to 0.85 beat those that bid less, and those that bid the full value.
const SHADED: [f64; 2] = [0.6, 0.75];
/// Greatest search depth of a level in the first group.
const BRIEF: i32 = 3;

/// Random factor of bids and acceptances, up or down. With a smaller one, an equally strong opponent could bid just above or
/// below.
const MIXED: f64 = 0.2;

/// Factors of a level's noise relative to alternating chess: in an auction, and where a coin decides. A lead counts four times as
/// much in alternating chess, so smaller factors would hardly weaken the lower levels.
const MORE: [i32; 2] = [20, 44];
/// Levels with no more noise than this, which only varies their games, get none where a coin decides.
const HARDLY: i32 = 3;

/// Lead in White's share of all chips over the break-even share at which White wins seven of ten games.
const SHARE: f64 = 0.085;

/// Chooses an action for a side.
pub(super) fn choose_action(
    base: Base,
    moment: &Endgame,
    color: Color,
    effort: SearchLimits,
    rng: &mut dyn Rng,
    enough: &mut dyn FnMut() -> bool,
) -> Option<String> {
    let mut toss = Toss::new(base, effort, misjudged(effort, moment), enough);
    // A search for a move only needs no values of the opponent's moves.
    let outlook = match moment.next_step {
        NextStep::Move(color) => toss.look(&moment.position, &[color]),
        NextStep::Toss
        | NextStep::Offer(_)
        | NextStep::Sealed
        | NextStep::Answer { .. }
        | NextStep::Tie { .. }
        | NextStep::Coin(_) => toss.look(&moment.position, &Color::BOTH),
    };
    let mixed = 1.0 + MIXED * (2.0 * rng.random::<f64>() - 1.0);
    said(base, moment, color, &outlook, hot(&toss, moment), shaded(effort, moment) * mixed)
}

/// White's winning chance, and the best action of each side without random factors.
pub(super) fn appraise(base: Base, moment: &Endgame, effort: SearchLimits) -> (f64, [Option<String>; 2]) {
    let mut never = || false;
    let mut toss = Toss::new(base, effort, misjudged(effort, moment), &mut never);
    let outlook = toss.look(&moment.position, &Color::BOTH);
    let hot = hot(&toss, moment);
    (
        chance(moment, &outlook),
        Color::BOTH.map(|color| said(base, moment, color, &outlook, hot, shaded(effort, moment))),
    )
}

/// Share of half the difference that a level bids. It is 1 in a second-price auction, where bidding less saves nothing and only
/// loses moves (Vickrey, “Counterspeculation, Auctions, and Competitive Sealed Tenders”, 1961).
fn shaded(effort: SearchLimits, moment: &Endgame) -> f64 {
    match moment.sealed.map(|settlement| settlement.price) {
        Some(Price::Second) => 1.0,
        Some(Price::First) | None => SHADED[usize::from(effort.depth > BRIEF)],
    }
}

/// Greatest noise in the value of a move, in hundredths of a pawn.
fn misjudged(effort: SearchLimits, moment: &Endgame) -> i32 {
    let [sold, tossed] = MORE;
    match moment.chips {
        Some(_) => sold * effort.noise,
        None if effort.noise <= HARDLY => 0,
        None => tossed * effort.noise,
    }
}

/// Whether a side could win with its next move. Then no bid is too high.
fn hot(toss: &Toss<'_>, moment: &Endgame) -> bool {
    Color::BOTH.into_iter().any(|color| toss.strikes(&moment.position, color))
}

/// White's winning chance. In an auction it depends on White's share of all chips beyond the share it needs. With divisible
/// chips, White wins if its share plus its chance in the coin game exceeds 1 (Lazarus et al., “Richman Games”).
fn chance(moment: &Endgame, outlook: &MovesByColor) -> f64 {
    let even = (outlook.best[0] + outlook.best[1]) / 2.0;
    let Some([white, black]) = moment.chips else {
        return if let NextStep::Move(color) = moment.next_step { outlook.best[color.index()] } else { even };
    };
    let all = (white + black).max(1) as f64;
    let held = |chips: i64, tossed: f64| random_turn_evaluation::logistic((chips as f64 / all + tossed - 1.0) / SHARE);
    let moves = |color: Color, bid: i64| {
        let paid = if color == Color::White { white - bid } else { white + bid };
        match outlook.best[color.index()] {
            decided @ (0.0 | 1.0) => decided,
            best => held(paid, best),
        }
    };
    let chosen = |color: Color, bid: i64| {
        let (own, other) = (moves(color, bid), moves(!color, bid));
        if color == Color::White { own.max(other) } else { own.min(other) }
    };
    match moment.next_step {
        NextStep::Toss | NextStep::Offer(_) | NextStep::Sealed => held(white, even),
        NextStep::Answer { bidder, bid } if bid > moment.chips.map_or(0, |chips| chips[(!bidder).index()]) => {
            moves(bidder, bid)
        }
        NextStep::Answer { bidder, bid } => chosen(!bidder, bid),
        NextStep::Tie { holder, bid } => chosen(holder, bid),
        NextStep::Coin(bid) => (moves(Color::White, bid) + moves(Color::Black, bid)) / 2.0,
        NextStep::Move(color) => moves(color, 0),
    }
}

/// Action of a side that bids `part` of half the difference.
fn said(base: Base, moment: &Endgame, color: Color, outlook: &MovesByColor, hot: bool, part: f64) -> Option<String> {
    let (us, them) = (color.index(), (!color).index());
    if let NextStep::Move(_) = moment.next_step {
        let best = outlook.moves[us].first();
        return Some(best.map_or_else(|| "pass".to_owned(), |rated| base.board().uci(rated.mv).to_string()));
    }
    let chips = moment.chips?;
    let (own, theirs) = (chips[us], chips[them]);
    let half = (outlook.best[0] - outlook.best[1]) / 2.0;
    let worth = part * half * (own + theirs) as f64;
    match moment.next_step {
        NextStep::Offer(_) | NextStep::Sealed => {
            let beyond = own.min(theirs.saturating_add(1));
            let least = if moment.negative { -beyond } else { 0 };
            let bid = if hot { beyond } else { (worth.round() as i64).clamp(least, beyond) };
            Some(format!("bid {bid}"))
        }
        NextStep::Answer { bid, .. } => {
            let (may_accept, may_reject) = (bid >= -own, bid <= own);
            let wants = hot || worth > bid as f64;
            Some(if may_reject && (wants || !may_accept) { "reject" } else { "accept" }.to_owned())
        }
        NextStep::Tie { bid, .. } => Some(if hot || worth > bid as f64 { "take" } else { "give" }.to_owned()),
        NextStep::Toss | NextStep::Coin(_) | NextStep::Move(_) => None,
    }
}
