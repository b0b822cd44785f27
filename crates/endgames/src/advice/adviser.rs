//! What a side is advised that has the tables before it.

use dashu_ratio::RBig;

use super::{
    super::{
        answer::{Choice, Outlook},
        chips::Win,
        stakes::{Mover, Paths, Plan},
        swings::after,
        table::Table,
        thresholds::Thresholds,
    },
    Hint,
};
use crate::{board::Color, endgame::Asked, endgame::Endgame};

/// One side's adviser.
pub(super) struct Adviser<'a> {
    pub(super) table: &'a Table,
    pub(super) levels: Option<&'a Thresholds>,
    pub(super) moment: &'a Endgame,
    pub(super) paths: Paths,
    pub(super) player: Color,
    pub(super) sides: &'a [Vec<Outlook>; 2],
    /// The worth of the move, as a share of all the chips.
    pub(super) worth: &'a RBig,
}

impl Adviser<'_> {
    /// The hint of a side that wins by force.
    pub(super) fn sure(&self, win: Win, hint: Hint) -> Hint {
        let bid = win.words.bid.map(|bids| {
            self.moment.chips.map_or(bids.from, |chips| self.fair(chips, chips[0] + chips[1]).clamp(bids.from, bids.to))
        });
        let moves = self.moves(Some(win.mv));
        let action = match self.moment.asked {
            Asked::Offer(bidder) if bidder == self.player => bid.map(|bid| format!("bid {bid}")),
            Asked::Sealed => bid.map(|bid| format!("bid {bid}")),
            Asked::Answer { .. } | Asked::Tie { .. } => win.words.answer.map(str::to_owned),
            Asked::Move(mover) if mover == self.player => Some(said(&moves)),
            Asked::Offer(_) | Asked::Move(_) | Asked::Toss | Asked::Coin(_) => None,
        };
        Hint { bid: bid.or(win.words.accepts).or(hint.bid), action, within: Some(win.within), enough: None, moves }
    }

    pub(super) fn hint(&self, bests: &[RBig; 2]) -> Hint {
        let Some(chips) = self.moment.chips else {
            let moves = self.moves(None);
            let action = (self.moment.asked == Asked::Move(self.player)).then(|| said(&moves));
            return Hint { action, moves, ..Hint::default() };
        };
        let total = chips[0] + chips[1];
        let plan = |mover, price: Option<(Color, i64)>| {
            let theirs = price.map_or(chips, |(mover, price)| after(chips, mover, price, self.moment.bank))
                [(!self.player).index()];
            self.paths.plan(self.levels?, mover, theirs, total, self.moment.left)
        };
        let role = |color: Color| if color == self.player { Mover::Own } else { Mover::Other };
        let bought = |mover: Color, price: i64| plan(role(mover), Some((mover, price)));
        // Every way this moment can go on if this side chooses, as word, mover and price.
        let choices = match self.moment.asked {
            Asked::Answer { bidder, bid } if bidder != self.player => {
                let accept = (bid >= -chips[self.player.index()]).then_some(("accept", bidder, bid));
                let reject = (bid <= chips[self.player.index()]).then_some(("reject", self.player, bid));
                accept.into_iter().chain(reject).collect()
            }
            Asked::Tie { holder, bid } if holder == self.player => {
                vec![("take", holder, bid), ("give", !holder, bid)]
            }
            Asked::Toss
            | Asked::Offer(_)
            | Asked::Sealed
            | Asked::Answer { .. }
            | Asked::Tie { .. }
            | Asked::Coin(_)
            | Asked::Move(_) => Vec::new(),
        };
        let margin = |mover: Color, price: i64| {
            let theirs = after(chips, mover, price, self.moment.bank)[(!self.player).index()];
            let worth = match self.player {
                Color::White => bests[mover.index()].clone(),
                Color::Black => RBig::ONE - &bests[mover.index()],
            };
            worth * RBig::from(total) - RBig::from(theirs)
        };
        let chosen = choices.iter().max_by(|a, b| {
            let soon = |way: &(&str, Color, i64)| {
                bought(way.1, way.2).map_or(i64::MIN, |plan| -i64::try_from(plan.within).unwrap_or(i64::MAX))
            };
            soon(a).cmp(&soon(b)).then_with(|| margin(a.1, a.2).cmp(&margin(b.1, b.2)))
        });
        let open = plan(Mover::Open, None);
        let sure = match self.moment.asked {
            Asked::Toss | Asked::Offer(_) | Asked::Sealed => open,
            Asked::Move(mover) => plan(role(mover), None),
            Asked::Answer { .. } | Asked::Tie { .. } if chosen.is_some() => {
                chosen.and_then(|(_, mover, price)| bought(*mover, *price))
            }
            // The other side, or the coin, decides: sure is what is sure either way.
            Asked::Answer { bidder: one, bid } | Asked::Tie { holder: one, bid } => self.either(one, bid, &bought),
            Asked::Coin(bid) => self.either(self.player, bid, &bought),
        };
        let bid = match self.moment.asked {
            Asked::Offer(_) | Asked::Sealed => Some(open.map_or_else(|| self.fair(chips, total), |plan| plan.bid)),
            Asked::Toss | Asked::Answer { .. } | Asked::Tie { .. } | Asked::Coin(_) | Asked::Move(_) => None,
        };
        // The move of the plan that this side would follow if it got the move.
        let next = match self.moment.asked {
            Asked::Offer(_) | Asked::Sealed | Asked::Toss => open,
            Asked::Move(mover) if mover == self.player => sure,
            Asked::Answer { bid, .. } | Asked::Tie { bid, .. } | Asked::Coin(bid) => bought(self.player, bid),
            Asked::Move(_) => None,
        };
        let moves = self.moves(next.map(|plan| plan.mv));
        let action = match self.moment.asked {
            Asked::Offer(bidder) if bidder != self.player => None,
            Asked::Offer(_) | Asked::Sealed => bid.map(|bid| format!("bid {bid}")),
            Asked::Move(mover) => (mover == self.player).then(|| said(&moves)),
            Asked::Answer { .. } | Asked::Tie { .. } => chosen.map(|(word, _, _)| (*word).to_owned()),
            Asked::Toss | Asked::Coin(_) => None,
        };
        let enough = match self.moment.asked {
            Asked::Offer(_) | Asked::Sealed if sure.is_none() => self.enough(Mover::Open, chips),
            Asked::Move(mover) if sure.is_none() => self.enough(role(mover), chips),
            Asked::Offer(_)
            | Asked::Sealed
            | Asked::Move(_)
            | Asked::Toss
            | Asked::Answer { .. }
            | Asked::Tie { .. }
            | Asked::Coin(_) => None,
        };
        Hint { bid, action, within: sure.map(|plan| plan.within), enough, moves }
    }

    /// With how many chips in all the win would be sure at these shares.
    fn enough(&self, mover: Mover, chips: [i64; 2]) -> Option<i64> {
        self.paths.enough(self.levels?, mover, chips[(!self.player).index()], chips[0] + chips[1])
    }

    /// Plans what is sure whichever side gets the move for a price that both can pay.
    fn either(&self, one: Color, price: i64, bought: &dyn Fn(Color, i64) -> Option<Plan>) -> Option<Plan> {
        let chips = self.moment.chips?;
        let may = |mover: Color| match self.moment.asked {
            // Whoever answers can only say what can be paid.
            Asked::Answer { bidder, bid } if mover == bidder => bid >= -chips[(!bidder).index()],
            Asked::Answer { bidder, bid } => bid <= chips[(!bidder).index()],
            Asked::Toss | Asked::Offer(_) | Asked::Sealed | Asked::Tie { .. } | Asked::Coin(_) | Asked::Move(_) => true,
        };
        let ways = [one, !one].into_iter().filter(|mover| may(*mover)).map(|mover| bought(mover, price));
        ways.collect::<Option<Vec<Plan>>>()?.into_iter().max_by_key(|plan| plan.within)
    }

    /// Half the difference of the exact values in whole chips, as far as this side's stack goes.
    fn fair(&self, chips: [i64; 2], total: i64) -> i64 {
        let own = chips[self.player.index()];
        let half = RBig::ONE / RBig::from(2);
        let nearest = (self.worth * RBig::from(total) + half).floor();
        let least = if self.moment.negative { -own } else { 0 };
        i64::try_from(nearest).unwrap_or_default().clamp(least, own)
    }

    /// The moves that keep the most, the plan's first; without a plan first the one that brings the end nearest.
    fn moves(&self, plan: Option<usize>) -> Vec<Choice> {
        let all = &self.sides[self.player.index()];
        let Some(best) = all.first().map(|first| first.worth) else { return Vec::new() };
        let equal = |outlook: &Outlook| self.table.compare(outlook.worth, best).is_eq();
        let choice = |outlook: &Outlook| Choice {
            uci: outlook.uci.clone(),
            san: outlook.san.clone(),
            value: self.table.written(outlook.worth).clone(),
            best: equal(outlook),
        };
        let mut chosen: Vec<&Outlook> = all.iter().take_while(|outlook| equal(outlook)).collect();
        chosen.sort_by_key(|outlook| outlook.label);
        if let Some(planned) = plan.and_then(|mv| all.get(mv)) {
            chosen.retain(|outlook| outlook.uci != planned.uci);
            chosen.insert(0, planned);
        }
        chosen.into_iter().map(choice).collect()
    }
}

/// The action of a side that has the move.
fn said(moves: &[Choice]) -> String {
    moves.first().map_or_else(|| "pass".to_owned(), |mv| mv.uci.clone())
}
