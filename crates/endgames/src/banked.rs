//! What a side should do where the bank takes a part of every payment: chips become fewer, so that no number of them proves a win, and the values
//! of the mechanism say what the next move is worth.

use super::{
    answer::{Choice, Outlook},
    frame::Frame,
    index::Id,
    mechanism::{Mechanism, ONE},
};
use crate::{board::Color, endgame::Asked, endgame::Endgame};

/// What a side should do.
pub(super) struct Deed {
    /// The bid, if one is asked for.
    pub(super) bid: Option<i64>,
    /// The words to say now, if the side is asked.
    pub(super) action: Option<String>,
    /// The moves that keep the most.
    pub(super) moves: Vec<Choice>,
}

/// What a side should do. `here` is the number of the position, and `sides` are the moves of both.
pub(super) fn deed(
    frame: &Frame,
    here: Id,
    moment: &Endgame,
    player: Color,
    sides: &[Vec<Outlook>; 2],
) -> Option<Deed> {
    let mechanism = Mechanism::of(moment);
    let intervals = frame.intervals(mechanism, here)?;
    let chips = moment.chips?;
    // What a side wants more of: White's share, or Black's.
    let wish = |color: Color, [low, high]: [i128; 2]| match color {
        Color::White => low,
        Color::Black => -high,
    };
    let worths = |color: Color| -> Option<Vec<i128>> {
        let moves = sides[color.index()].iter();
        moves.map(|outlook| Some(wish(color, frame.seen(&intervals, frame.number(&outlook.next)?)))).collect()
    };
    let best = |color: Color, worths: &[i128]| {
        worths.iter().copied().max().unwrap_or_else(|| wish(color, frame.seen(&intervals, here)))
    };
    let (own, other) = (worths(player)?, worths(!player)?);
    let most = best(player, &own);
    // White's share after his own best move less that after Black's, which is written as what Black wants.
    let wanted = most + best(!player, &other);
    let [down, up] = mechanism.bid(wanted);
    // To the nearest whole chip.
    let scaled = (down + up) * i128::from(chips[0] + chips[1]) + i128::from(ONE);
    let fair = i64::try_from(scaled.div_euclid(2 * i128::from(ONE))).ok()?;
    let stack = chips[player.index()];
    let bid = fair.clamp(if moment.negative { -stack } else { 0 }, stack);
    let kept = sides[player.index()].iter().zip(&own).filter(|(_, worth)| **worth == most);
    let moves: Vec<Choice> = kept
        .map(|(outlook, _)| Choice {
            uci: outlook.uci.clone(),
            san: outlook.san.clone(),
            value: frame.table.written(outlook.worth).clone(),
            best: true,
        })
        .collect();
    let action = match moment.asked {
        Asked::Sealed => Some(format!("bid {bid}")),
        Asked::Offer(bidder) => (bidder == player).then(|| format!("bid {bid}")),
        Asked::Answer { bidder, bid } if bidder != player => {
            let (may_accept, may_reject) = (bid >= -stack, bid <= stack);
            Some(if may_reject && (bid < fair || !may_accept) { "reject" } else { "accept" }.to_owned())
        }
        Asked::Tie { holder, bid } if holder == player => Some(if bid < fair { "take" } else { "give" }.to_owned()),
        Asked::Move(mover) if mover == player => {
            Some(moves.first().map_or_else(|| "pass".to_owned(), |mv| mv.uci.clone()))
        }
        Asked::Toss | Asked::Answer { .. } | Asked::Tie { .. } | Asked::Coin(_) | Asked::Move(_) => None,
    };
    let asked = matches!(moment.asked, Asked::Offer(_) | Asked::Sealed);
    Some(Deed { bid: asked.then_some(bid), action, moves })
}
