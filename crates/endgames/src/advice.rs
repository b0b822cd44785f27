//! Advice beside a game whose position a table covers: its value, who wins with the stacks as they are, and what either side should bid, answer and
//! move. It uses what is open and nothing that is sealed.
//!
//! Where the bank takes a part of every payment, chips become fewer and no number of them proves a win: there the values of the mechanism give the
//! worth of the next move.

mod four_piece;

use std::sync::Arc;

use dashu_ratio::RBig;
use serde::Serialize;

use super::{
    Stop,
    answer::{Choice, MoveOutcome, outlooks, worth},
    bidding_mechanism::{Mechanism, ONE},
    board::Color,
    bounded_answer::{Interval, TablePosition, enclosure},
    chip_solver::{Verdict, Win, forced},
    endgame::{Bank, Endgame, NextStep, Side},
    fractions::Fraction,
    move_graph::rules,
    position_index::Id,
    position_query::{TableCoverage, material, standing},
    table::Table,
    thresholds::{Mover, Paths, Plan, Thresholds},
    winner_changes::{Lead, after, exact, lead},
};

pub use four_piece::{FourAdvice, FourHint, advise_of_four, is_of_four};

/// The chips of both sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Stacks {
    /// White's.
    pub white: i64,
    /// Black's.
    pub black: i64,
}

/// The endgame tables' word about a moment of a game. Fractions are exact.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Advice {
    /// The placement.
    pub fen: String,
    /// The pieces of both sides, as `KNvK`.
    pub material: String,
    /// White's chance to win if a fair coin decides each mover, and the share of all the chips that Black may hold while White
    /// still wins.
    pub value: Fraction,
    /// The worth of the next move, as a share of all the chips; negative where neither side wants it.
    pub bid: Fraction,
    /// The word for what is asked: `toss`, `offer`, `sealed`, `answer`, `tie`, `coin` or `move`.
    pub asked: &'static str,
    /// The side that has the move, `white` or `black`, once that is decided.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub mover: Option<Side>,
    /// White's chance to win, with the mover that the coin has named; only where there are no chips.
    pub chance: Option<Fraction>,
    /// The chips of both sides; null where there are none.
    pub chips: Option<Stacks>,
    /// Who wins with these whole chips, exactly, and how. Null where a win would come too late for the draw by turns without progress, and where
    /// bids are sealed and no side is sure of the win: there `ahead` is an estimate.
    pub verdict: Option<Verdict>,
    /// True if bids may be below zero. Where they may not, and where the bank takes a part of what is paid, `value` and `bid` are those of the
    /// game in which they may and it takes nothing, and nothing is estimated by them.
    pub negative: bool,
    /// Where they may not, or the bank takes a part: bounds of the share of all the chips that Black may hold while White still wins, if chips
    /// could be divided without end. They are apart where that hangs on who has to make a move that nobody wants.
    pub share: Option<Interval>,
    /// The side that wins with best play and these stacks, `white` or `black`, if chips could be divided without end; null where
    /// there are no chips, where the stacks are exactly on the edge or between the bounds of `share`, and where a coin will decide.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub ahead: Option<Side>,
    /// The number of chips that White holds beyond what he needs; negative where he lacks them. Of a lead between two bounds the lesser.
    pub lead: Option<Fraction>,
    /// Advice for White.
    pub white: Hint,
    /// Advice for Black.
    pub black: Hint,
}

/// Advice for one side.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = AdviceForSide))]
pub struct Hint {
    /// The bid for the next move, in chips. Whoever answers an open bid takes the money from this many chips on.
    pub bid: Option<i64>,
    /// The words to say now, as the text of an action; null if the side is not asked.
    pub action: Option<String>,
    /// Within how many moves this side is sure to win with these chips, whatever the other does; null if that is not proved.
    pub within: Option<usize>,
    /// Where the win is not proved: with how many chips in all it would be, at the same shares; null if this side has no more than
    /// its share.
    pub enough: Option<i64>,
    /// The moves to make if this side gets the move: all that keep the most, the recommended one first.
    pub moves: Vec<Choice>,
}

impl Advice {
    /// What of it is told to whoever may see the whole, or else to everybody: the chances where a coin decides, without a word about what to do.
    pub fn told(self: &Arc<Advice>, whole: bool) -> Option<Arc<Advice>> {
        match (whole, &self.chance) {
            (true, _) => Some(self.clone()),
            (false, Some(_)) => {
                Some(Arc::new(Advice { white: Hint::default(), black: Hint::default(), ..Advice::clone(self) }))
            }
            (false, None) => None,
        }
    }

    /// A side's hint.
    pub fn hint(&self, color: Color) -> &Hint {
        match color {
            Color::White => &self.white,
            Color::Black => &self.black,
        }
    }
}

/// Gives the tables' advice for a moment; none if they do not cover the position or `stop` says so. The thresholds must be those of the same board
/// and of the same rule about bids below zero; a moment without chips needs none.
pub fn advise(table: &Table, levels: Option<&Thresholds>, moment: &Endgame, stop: Stop) -> Option<Advice> {
    let size = table.size();
    let TableCoverage::Covered { reversed, .. } = standing(size, &moment.position) else { return None };
    let frame = TablePosition { table, reversed, stop };
    let here = frame.number(&moment.position)?;
    let even = table.exact(worth(table, size, &moment.position)?);
    let sides = Color::BOTH.map(|mover| outlooks(table, &moment.position, mover));
    let best = |color: Color| sides[color.index()].first().map_or_else(|| even.clone(), |best| table.exact(best.worth));
    let bests = &Color::BOTH.map(best);
    let worth = (&bests[0] - &bests[1]) / RBig::from(2);
    let certain = forced(table, moment, stop);
    if stop() {
        return None;
    }
    let hint = |player: Color| -> Option<Hint> {
        if moment.bank != Bank::Nothing {
            let RecommendedAction { bid, action, moves } = deed(&frame, here, moment, player, &sides)?;
            return Some(Hint { bid, action, moves, ..Hint::default() });
        }
        let paths = frame.paths(here, player, &sides)?;
        let adviser = Adviser { table, levels, moment, paths, player, sides: &sides, worth: &worth };
        let hint = adviser.hint(bests);
        Some(match &certain {
            Some(Some((winner, win))) if *winner == player => adviser.sure(*win, hint),
            // What is proved does not hang on the number of chips.
            Some(_) => Hint { within: None, enough: None, ..hint },
            None => hint,
        })
    };
    let lead = lead(table, moment, stop);
    let mover = moment.asked.mover();
    let chance = mover.map_or(&even, |mover| &bests[mover.index()]);
    let board = rules(size);
    Some(Advice {
        fen: board.placement_fen(&moment.position),
        material: material(board, &moment.position),
        value: Fraction::from(&even),
        bid: Fraction::from(&worth),
        asked: moment.asked.word(),
        mover: mover.map(Side::from),
        chance: moment.chips.is_none().then(|| Fraction::from(chance)),
        chips: moment.chips.map(|[white, black]| Stacks { white, black }),
        verdict: certain.as_ref().zip(moment.chips).map(|(certain, [white, black])| match certain {
            Some((winner, win)) => win.verdict(*winner, white + black),
            None => Verdict::draw(white + black),
        }),
        negative: moment.negative,
        share: share(&frame, here, moment),
        ahead: lead.as_ref().and_then(Lead::ahead).map(Side::from),
        lead: lead.as_ref().map(|lead| Fraction::from(&lead.chips)),
        white: hint(Color::White)?,
        black: hint(Color::Black)?,
    })
}

/// Bounds of the share that decides where bids may not be below zero.
fn share(frame: &TablePosition, here: Id, moment: &Endgame) -> Option<Interval> {
    moment.chips.filter(|_| !exact(moment))?;
    let intervals = frame.intervals(Mechanism::of(moment), here)?;
    Some(enclosure(frame.seen(&intervals, here)))
}

/// One side's adviser.
struct Adviser<'a> {
    table: &'a Table,
    levels: Option<&'a Thresholds>,
    moment: &'a Endgame,
    paths: Paths,
    player: Color,
    sides: &'a [Vec<MoveOutcome>; 2],
    /// The worth of the move, as a share of all the chips.
    worth: &'a RBig,
}

impl Adviser<'_> {
    /// The hint of a side that wins by force.
    fn sure(&self, win: Win, hint: Hint) -> Hint {
        let bid = win.words.bid.map(|bids| {
            self.moment.chips.map_or(bids.from, |chips| self.fair(chips, chips[0] + chips[1]).clamp(bids.from, bids.to))
        });
        let moves = self.moves(Some(win.mv));
        let action = match self.moment.asked {
            NextStep::Offer(bidder) if bidder == self.player => bid.map(|bid| format!("bid {bid}")),
            NextStep::Sealed => bid.map(|bid| format!("bid {bid}")),
            NextStep::Answer { .. } | NextStep::Tie { .. } => win.words.answer.map(str::to_owned),
            NextStep::Move(mover) if mover == self.player => Some(said(&moves)),
            NextStep::Offer(_) | NextStep::Move(_) | NextStep::Toss | NextStep::Coin(_) => None,
        };
        Hint { bid: bid.or(win.words.accepts).or(hint.bid), action, within: Some(win.within), enough: None, moves }
    }

    fn hint(&self, bests: &[RBig; 2]) -> Hint {
        let Some(chips) = self.moment.chips else {
            let moves = self.moves(None);
            let action = (self.moment.asked == NextStep::Move(self.player)).then(|| said(&moves));
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
            NextStep::Answer { bidder, bid } if bidder != self.player => {
                let accept = (bid >= -chips[self.player.index()]).then_some(("accept", bidder, bid));
                let reject = (bid <= chips[self.player.index()]).then_some(("reject", self.player, bid));
                accept.into_iter().chain(reject).collect()
            }
            NextStep::Tie { holder, bid } if holder == self.player => {
                vec![("take", holder, bid), ("give", !holder, bid)]
            }
            NextStep::Toss
            | NextStep::Offer(_)
            | NextStep::Sealed
            | NextStep::Answer { .. }
            | NextStep::Tie { .. }
            | NextStep::Coin(_)
            | NextStep::Move(_) => Vec::new(),
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
            NextStep::Toss | NextStep::Offer(_) | NextStep::Sealed => open,
            NextStep::Move(mover) => plan(role(mover), None),
            NextStep::Answer { .. } | NextStep::Tie { .. } if chosen.is_some() => {
                chosen.and_then(|(_, mover, price)| bought(*mover, *price))
            }
            // The other side, or the coin, decides: sure is what is sure either way.
            NextStep::Answer { bidder: one, bid } | NextStep::Tie { holder: one, bid } => {
                self.either(one, bid, &bought)
            }
            NextStep::Coin(bid) => self.either(self.player, bid, &bought),
        };
        let bid = match self.moment.asked {
            NextStep::Offer(_) | NextStep::Sealed => {
                Some(open.map_or_else(|| self.fair(chips, total), |plan| plan.bid))
            }
            NextStep::Toss | NextStep::Answer { .. } | NextStep::Tie { .. } | NextStep::Coin(_) | NextStep::Move(_) => {
                None
            }
        };
        // The move of the plan that this side would follow if it got the move.
        let next = match self.moment.asked {
            NextStep::Offer(_) | NextStep::Sealed | NextStep::Toss => open,
            NextStep::Move(mover) if mover == self.player => sure,
            NextStep::Answer { bid, .. } | NextStep::Tie { bid, .. } | NextStep::Coin(bid) => bought(self.player, bid),
            NextStep::Move(_) => None,
        };
        let moves = self.moves(next.map(|plan| plan.mv));
        let action = match self.moment.asked {
            NextStep::Offer(bidder) if bidder != self.player => None,
            NextStep::Offer(_) | NextStep::Sealed => bid.map(|bid| format!("bid {bid}")),
            NextStep::Move(mover) => (mover == self.player).then(|| said(&moves)),
            NextStep::Answer { .. } | NextStep::Tie { .. } => chosen.map(|(word, _, _)| (*word).to_owned()),
            NextStep::Toss | NextStep::Coin(_) => None,
        };
        let enough = match self.moment.asked {
            NextStep::Offer(_) | NextStep::Sealed if sure.is_none() => self.enough(Mover::Open, chips),
            NextStep::Move(mover) if sure.is_none() => self.enough(role(mover), chips),
            NextStep::Offer(_)
            | NextStep::Sealed
            | NextStep::Move(_)
            | NextStep::Toss
            | NextStep::Answer { .. }
            | NextStep::Tie { .. }
            | NextStep::Coin(_) => None,
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
            NextStep::Answer { bidder, bid } if mover == bidder => bid >= -chips[(!bidder).index()],
            NextStep::Answer { bidder, bid } => bid <= chips[(!bidder).index()],
            NextStep::Toss
            | NextStep::Offer(_)
            | NextStep::Sealed
            | NextStep::Tie { .. }
            | NextStep::Coin(_)
            | NextStep::Move(_) => true,
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
        let equal = |outlook: &MoveOutcome| self.table.compare(outlook.worth, best).is_eq();
        let choice = |outlook: &MoveOutcome| Choice {
            uci: outlook.uci.clone(),
            san: outlook.san.clone(),
            value: self.table.written(outlook.worth).clone(),
            best: equal(outlook),
        };
        let mut chosen: Vec<&MoveOutcome> = all.iter().take_while(|outlook| equal(outlook)).collect();
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

/// What a side should do.
struct RecommendedAction {
    /// The bid, if one is asked for.
    pub(super) bid: Option<i64>,
    /// The words to say now, if the side is asked.
    action: Option<String>,
    /// The moves that keep the most.
    pub(super) moves: Vec<Choice>,
}

/// What a side should do. `here` is the number of the position, and `sides` are the moves of both.
fn deed(
    frame: &TablePosition,
    here: Id,
    moment: &Endgame,
    player: Color,
    sides: &[Vec<MoveOutcome>; 2],
) -> Option<RecommendedAction> {
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
        NextStep::Sealed => Some(format!("bid {bid}")),
        NextStep::Offer(bidder) => (bidder == player).then(|| format!("bid {bid}")),
        NextStep::Answer { bidder, bid } if bidder != player => {
            let (may_accept, may_reject) = (bid >= -stack, bid <= stack);
            Some(if may_reject && (bid < fair || !may_accept) { "reject" } else { "accept" }.to_owned())
        }
        NextStep::Tie { holder, bid } if holder == player => Some(if bid < fair { "take" } else { "give" }.to_owned()),
        NextStep::Move(mover) if mover == player => {
            Some(moves.first().map_or_else(|| "pass".to_owned(), |mv| mv.uci.clone()))
        }
        NextStep::Toss | NextStep::Answer { .. } | NextStep::Tie { .. } | NextStep::Coin(_) | NextStep::Move(_) => None,
    };
    let asked = matches!(moment.asked, NextStep::Offer(_) | NextStep::Sealed);
    Some(RecommendedAction { bid: asked.then_some(bid), action, moves })
}
