//! What to say where a coin or an auction names every mover: the best move of a side, and bids of a part of half the difference that
//! the move makes, a little more or less so that they cannot be read.

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

/// The part of half the difference that a move is bid for where the own bid is paid, and taken for, by who looks two plies ahead or fewer, and by
/// who looks further. The best of many moves looks better than it is, for either side, and most of all at first sight; and who pays more of two that
/// are off has, more often than not, seen too much. Where they look briefly bots that bid 0.4 to 0.6 of it and mix won from those that bid 0.75 and
/// more; where they look further those that bid 0.75 to 0.85 won from those that bid less, and from all of it.
const SHADED: [f64; 2] = [0.6, 0.75];
/// The depth of search of the last level that looks so briefly.
const BRIEF: i32 = 3;

/// The share by which a bid or what is taken for it is more or less than that: by less, one that sees as much can bid just a little more, or less.
const MIXED: f64 = 0.2;

/// A level misjudges the odds of a move so much more than where sides move in turn, where a lead brings four times as much, in an auction and where
/// a coin names the mover: by less, who looks a ply further would hardly win more often than by chance.
const MORE: [i32; 2] = [20, 44];
/// Who is off by so little where sides move in turn, just so that its games differ, misjudges nothing where the coin sees to that.
const HARDLY: i32 = 3;

/// The difference between the share of all chips that White has and the one that wins, at which seven of ten such games are won.
const SHARE: f64 = 0.085;

/// Finds what a side says.
pub(super) fn word(
    base: Base,
    moment: &Endgame,
    color: Color,
    effort: SearchLimits,
    rng: &mut dyn Rng,
    enough: &mut dyn FnMut() -> bool,
) -> Option<String> {
    let mut toss = Toss::new(base, effort, misjudged(effort, moment), enough);
    // Who only moves need not know what the other side would do instead.
    let outlook = match moment.asked {
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

/// White's chance, and what either side should say without hiding what it thinks.
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

/// The part of half the difference that a level bids: all of it where the other side's bid would be paid, so that bidding less saves nothing and
/// only loses moves (Vickrey, “Counterspeculation, Auctions, and Competitive Sealed Tenders”, 1961).
fn shaded(effort: SearchLimits, moment: &Endgame) -> f64 {
    match moment.sealed.map(|settlement| settlement.price) {
        Some(Price::Second) => 1.0,
        Some(Price::First) | None => SHADED[usize::from(effort.depth > BRIEF)],
    }
}

/// The most by which a level misjudges the odds of a move, in hundredths of a pawn.
fn misjudged(effort: SearchLimits, moment: &Endgame) -> i32 {
    let [sold, tossed] = MORE;
    match moment.chips {
        Some(_) => sold * effort.noise,
        None if effort.noise <= HARDLY => 0,
        None => tossed * effort.noise,
    }
}

/// Tells whether a side could win with a move: then all that the other side could bid is not too much.
fn hot(toss: &Toss<'_>, moment: &Endgame) -> bool {
    Color::BOTH.into_iter().any(|color| toss.strikes(&moment.position, color))
}

/// White's chance: that of the coin, or how much more of all chips he has than he needs. With so many chips that they can be divided as
/// one likes, White wins if his share and his chance with a coin come to more than one (Lazarus et al., “Richman Games”).
fn chance(moment: &Endgame, outlook: &MovesByColor) -> f64 {
    let even = (outlook.best[0] + outlook.best[1]) / 2.0;
    let Some([white, black]) = moment.chips else {
        return if let NextStep::Move(color) = moment.asked { outlook.best[color.index()] } else { even };
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
    match moment.asked {
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

/// What a side says, if it gives such a part of half the difference for a move.
fn said(base: Base, moment: &Endgame, color: Color, outlook: &MovesByColor, hot: bool, part: f64) -> Option<String> {
    let (us, them) = (color.index(), (!color).index());
    if let NextStep::Move(_) = moment.asked {
        let best = outlook.moves[us].first();
        return Some(best.map_or_else(|| "pass".to_owned(), |rated| base.board().uci(rated.mv).to_string()));
    }
    let chips = moment.chips?;
    let (own, theirs) = (chips[us], chips[them]);
    let half = (outlook.best[0] - outlook.best[1]) / 2.0;
    let worth = part * half * (own + theirs) as f64;
    match moment.asked {
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
