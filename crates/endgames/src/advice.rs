//! Advice for a game whose position a table covers: its value, the winner with the current stacks, and the best bid, answer and move of each side.
//! It uses public information only, never a sealed bid.
//!
//! Where the bank takes part of every payment, the number of chips shrinks and no number of them proves a win. The advice then values the next move
//! by the mechanism of the game (see `bidding_mechanism.rs`).

mod four_piece;

use std::sync::Arc;

use dashu_ratio::RBig;
use serde::Serialize;

use super::{
    Stop,
    answer::{Choice, MoveOutcome, move_outcomes, worth},
    bidding_mechanism::{Mechanism, ONE},
    board::Color,
    bounded_answer::{Interval, TablePosition, enclosure},
    chip_solver::{Verdict, Win, forced},
    endgame::{Bank, Endgame, NextStep, Side, StepKind},
    fractions::Fraction,
    move_graph::rules,
    position_index::Id,
    position_query::{TableCoverage, coverage, material},
    table::Table,
    thresholds::{Mover, Paths, Plan, Thresholds},
    winner_changes::{Lead, is_richman, lead, stacks_after},
};

pub(crate) use four_piece::first_moves;
pub use four_piece::{FourAdvice, FourHint, advise_of_four, is_of_four};

/// Chips or zorkmids of both sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = ChipStacks))]
pub struct Stacks {
    /// White's chips.
    pub white: i64,
    /// Black's chips.
    pub black: i64,
}

/// Advice of the endgame tables on one state of a game. Fractions are exact.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Advice {
    /// Piece placement as FEN.
    pub fen: String,
    /// Pieces of both sides, such as `KNvK`.
    pub material: String,
    /// White's chance to win if a fair coin decides each mover. Equally, the share of all the chips that Black may hold while White still wins.
    pub value: Fraction,
    /// Worth of the next move as a share of all the chips. Negative if neither side wants to move.
    pub bid: Fraction,
    /// Kind of the game's next step.
    pub asked: StepKind,
    /// Side that has the move, once that is decided.
    pub mover: Option<Side>,
    /// White's chance to win, given the mover that the coin has chosen. Null in games with chips.
    pub chance: Option<Fraction>,
    /// Chips of both sides. Null in games without chips.
    pub chips: Option<Stacks>,
    /// Exact result with these whole chips, and how to reach it. Null if the win would come too late for the draw by turns without progress. Also
    /// null if bids are sealed and neither side is sure to win; `ahead` is then an estimate.
    pub verdict: Option<Verdict>,
    /// True if bids may be negative. If they may not, or if the bank takes part of each payment, `value` and `bid` belong to the game with negative
    /// bids and no bank. No estimate in this answer uses them then.
    pub negative: bool,
    /// Bounds of the share of all the chips that Black may hold while White still wins, if chips were infinitely divisible. Present if bids may not
    /// be negative or the bank takes part of each payment. The bounds differ where the result depends on which side must make a move that neither
    /// wants.
    pub share: Option<Interval>,
    /// Side that wins with best play and these stacks, if chips were infinitely divisible. Null without chips, with stacks
    /// exactly at the threshold or between the bounds of `share`, and where a coin will decide.
    pub ahead: Option<Side>,
    /// Chips that White holds beyond the number needed to win; negative if White is short. With two bounds, the smaller lead.
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
    /// Bid for the next move, in chips. When answering an open bid: take the chips if they are at least this many.
    pub bid: Option<i64>,
    /// Action to submit now, in the text form of actions. Null if this side is not to act.
    pub action: Option<String>,
    /// Number of moves within which this side is sure to win with these chips, whatever the opponent does. Null if no win is proved.
    pub within: Option<usize>,
    /// If no win is proved: the total number of chips that would prove it at the same shares. Null if this side has no more than its share.
    pub enough: Option<i64>,
    /// Best moves if this side gets the move, the recommended one first.
    pub moves: Vec<Choice>,
}

impl Advice {
    /// The part of the advice that a viewer may see. With `whole`, all of it. Otherwise only the chances, without hints, in a game
    /// that a coin decides, and nothing in a game with chips.
    pub fn visible_part(self: &Arc<Advice>, whole: bool) -> Option<Arc<Advice>> {
        match (whole, &self.chance) {
            (true, _) => Some(self.clone()),
            (false, Some(_)) => {
                Some(Arc::new(Advice { white: Hint::default(), black: Hint::default(), ..Advice::clone(self) }))
            }
            (false, None) => None,
        }
    }

    /// Hint for one side.
    pub fn hint(&self, color: Color) -> &Hint {
        match color {
            Color::White => &self.white,
            Color::Black => &self.black,
        }
    }
}

/// Advises on a state of a game. Returns `None` if the table does not cover the position or `stop` fires. `levels` must belong to the same board and
/// the same rule on negative bids; a state without chips needs none.
pub fn advise(table: &Table, levels: Option<&Thresholds>, moment: &Endgame, stop: Stop) -> Option<Advice> {
    let size = table.size();
    let TableCoverage::Covered { reversed, .. } = coverage(size, &moment.position) else { return None };
    let frame = TablePosition { table, reversed, stop };
    let here = frame.number(&moment.position)?;
    let even = table.exact(worth(table, &moment.position)?);
    let sides = Color::BOTH.map(|mover| move_outcomes(table, &moment.position, mover));
    let best = |color: Color| sides[color.index()].first().map_or_else(|| even.clone(), |best| table.exact(best.worth));
    let bests = &Color::BOTH.map(best);
    let worth = (&bests[0] - &bests[1]) / RBig::from(2);
    let certain = forced(table, moment, stop);
    if stop() {
        return None;
    }
    let hint = |player: Color| -> Option<Hint> {
        if moment.bank != Bank::Nothing {
            let RecommendedAction { bid, action, moves } = recommend(&frame, here, moment, player, &sides)?;
            return Some(Hint { bid, action, moves, ..Hint::default() });
        }
        let paths = frame.paths(here, player, &sides)?;
        let adviser = Adviser { table, levels, moment, paths, player, sides: &sides, worth: &worth };
        let hint = adviser.hint(bests);
        Some(match &certain {
            Some(Some((winner, win))) if *winner == player => adviser.forced_win_hint(*win, hint),
            // A proved result does not depend on the number of chips.
            Some(_) => Hint { within: None, enough: None, ..hint },
            None => hint,
        })
    };
    let lead = lead(table, moment, stop);
    let mover = moment.next_step.mover();
    let chance = mover.map_or(&even, |mover| &bests[mover.index()]);
    let board = rules(size);
    Some(Advice {
        fen: board.placement_fen(&moment.position),
        material: material(board, &moment.position),
        value: Fraction::from(&even),
        bid: Fraction::from(&worth),
        asked: moment.next_step.kind(),
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

/// Bounds of the threshold share where the exact values do not apply: no negative bids, or a bank.
fn share(frame: &TablePosition, here: Id, moment: &Endgame) -> Option<Interval> {
    moment.chips.filter(|_| !is_richman(moment))?;
    let intervals = frame.intervals(Mechanism::of(moment), here)?;
    Some(enclosure(frame.own_bounds(&intervals, here)))
}

/// Computes the hint for one side.
struct Adviser<'a> {
    table: &'a Table,
    levels: Option<&'a Thresholds>,
    moment: &'a Endgame,
    paths: Paths,
    player: Color,
    sides: &'a [Vec<MoveOutcome>; 2],
    /// Worth of the move, as a share of all the chips.
    worth: &'a RBig,
}

impl Adviser<'_> {
    /// Hint for a side that wins by force.
    fn forced_win_hint(&self, win: Win, hint: Hint) -> Hint {
        let bid = win.action.fastest.map(|bids| {
            self.moment.chips.map_or(bids.from, |chips| self.fair(chips, chips[0] + chips[1]).clamp(bids.from, bids.to))
        });
        let moves = self.moves(Some(win.mv));
        let action = match self.moment.next_step {
            NextStep::Offer(bidder) if bidder == self.player => bid.map(|bid| format!("bid {bid}")),
            NextStep::Sealed => bid.map(|bid| format!("bid {bid}")),
            NextStep::Answer { .. } | NextStep::Tie { .. } => win.action.answer.map(|answer| answer.name().to_owned()),
            NextStep::Move(mover) if mover == self.player => Some(move_action(&moves)),
            NextStep::Offer(_) | NextStep::Move(_) | NextStep::Toss | NextStep::Coin(_) => None,
        };
        Hint { bid: bid.or(win.action.accepts).or(hint.bid), action, within: Some(win.within), enough: None, moves }
    }

    fn hint(&self, bests: &[RBig; 2]) -> Hint {
        let Some(chips) = self.moment.chips else {
            let moves = self.moves(None);
            let action = (self.moment.next_step == NextStep::Move(self.player)).then(|| move_action(&moves));
            return Hint { action, moves, ..Hint::default() };
        };
        let total = chips[0] + chips[1];
        let plan = |mover, price: Option<(Color, i64)>| {
            let theirs = price.map_or(chips, |(mover, price)| stacks_after(chips, mover, price, self.moment.bank))
                [(!self.player).index()];
            self.paths.plan(self.levels?, mover, theirs, total, self.moment.turns_left)
        };
        let role = |color: Color| if color == self.player { Mover::Own } else { Mover::Other };
        let bought = |mover: Color, price: i64| plan(role(mover), Some((mover, price)));
        // Ways to continue if this player chooses, as action, mover and price.
        let choices = match self.moment.next_step {
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
            let theirs = stacks_after(chips, mover, price, self.moment.bank)[(!self.player).index()];
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
        let sure = match self.moment.next_step {
            NextStep::Toss | NextStep::Offer(_) | NextStep::Sealed => open,
            NextStep::Move(mover) => plan(role(mover), None),
            NextStep::Answer { .. } | NextStep::Tie { .. } if chosen.is_some() => {
                chosen.and_then(|(_, mover, price)| bought(*mover, *price))
            }
            // The opponent or the coin decides, so the plan must win either way.
            NextStep::Answer { bidder: one, bid } | NextStep::Tie { holder: one, bid } => {
                self.plan_for_either_mover(one, bid, &bought)
            }
            NextStep::Coin(bid) => self.plan_for_either_mover(self.player, bid, &bought),
        };
        let bid = match self.moment.next_step {
            NextStep::Offer(_) | NextStep::Sealed => {
                Some(open.map_or_else(|| self.fair(chips, total), |plan| plan.bid))
            }
            NextStep::Toss | NextStep::Answer { .. } | NextStep::Tie { .. } | NextStep::Coin(_) | NextStep::Move(_) => {
                None
            }
        };
        // Plan to follow if this player gets the move.
        let next = match self.moment.next_step {
            NextStep::Offer(_) | NextStep::Sealed | NextStep::Toss => open,
            NextStep::Move(mover) if mover == self.player => sure,
            NextStep::Answer { bid, .. } | NextStep::Tie { bid, .. } | NextStep::Coin(bid) => bought(self.player, bid),
            NextStep::Move(_) => None,
        };
        let moves = self.moves(next.map(|plan| plan.mv));
        let action = match self.moment.next_step {
            NextStep::Offer(bidder) if bidder != self.player => None,
            NextStep::Offer(_) | NextStep::Sealed => bid.map(|bid| format!("bid {bid}")),
            NextStep::Move(mover) => (mover == self.player).then(|| move_action(&moves)),
            NextStep::Answer { .. } | NextStep::Tie { .. } => chosen.map(|(word, _, _)| (*word).to_owned()),
            NextStep::Toss | NextStep::Coin(_) => None,
        };
        let enough = match self.moment.next_step {
            NextStep::Offer(_) | NextStep::Sealed if sure.is_none() => self.needed_total(Mover::Open, chips),
            NextStep::Move(mover) if sure.is_none() => self.needed_total(role(mover), chips),
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

    /// Total number of chips with which the win would be sure at these shares.
    fn needed_total(&self, mover: Mover, chips: [i64; 2]) -> Option<i64> {
        self.paths.needed_total(self.levels?, mover, chips[(!self.player).index()], chips[0] + chips[1])
    }

    /// Plan that wins with or without the move, at a price that both sides can pay.
    fn plan_for_either_mover(
        &self,
        one: Color,
        price: i64,
        bought: &dyn Fn(Color, i64) -> Option<Plan>,
    ) -> Option<Plan> {
        let chips = self.moment.chips?;
        let may = |mover: Color| match self.moment.next_step {
            // The answering side can only choose what it can pay.
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

    /// Half the difference of the exact values in whole chips, limited by this side's stack.
    fn fair(&self, chips: [i64; 2], total: i64) -> i64 {
        let own = chips[self.player.index()];
        let half = RBig::ONE / RBig::from(2);
        let nearest = (self.worth * RBig::from(total) + half).floor();
        let least = if self.moment.negative { -own } else { 0 };
        i64::try_from(nearest).unwrap_or_default().clamp(least, own)
    }

    /// Best moves, the plan's move first. Without a plan, the move with the least label comes first: it brings the end of the game nearest.
    fn moves(&self, plan: Option<usize>) -> Vec<Choice> {
        let all = &self.sides[self.player.index()];
        let Some(best) = all.first().map(|first| first.worth) else { return Vec::new() };
        let equal = |outlook: &MoveOutcome| self.table.compare(outlook.worth, best).is_eq();
        let mut chosen: Vec<&MoveOutcome> = all.iter().take_while(|outlook| equal(outlook)).collect();
        if let Some(planned) = plan.and_then(|mv| all.get(mv)) {
            chosen.retain(|outlook| outlook.uci != planned.uci);
            chosen.insert(0, planned);
        }
        chosen.into_iter().map(|outlook| outlook.publish(self.table, equal(outlook))).collect()
    }
}

/// Action of the side that has the move.
fn move_action(moves: &[Choice]) -> String {
    moves.first().map_or_else(|| "pass".to_owned(), |mv| mv.uci.clone())
}

/// Recommended action of one side.
struct RecommendedAction {
    /// Bid, if the next step is one.
    pub(super) bid: Option<i64>,
    /// Action to submit now, if the side is to act.
    action: Option<String>,
    /// Best moves of the side.
    pub(super) moves: Vec<Choice>,
}

/// Recommends an action where the bank takes part of each payment. `here` is the position's number, and `sides` holds the moves of both sides.
fn recommend(
    frame: &TablePosition,
    here: Id,
    moment: &Endgame,
    player: Color,
    sides: &[Vec<MoveOutcome>; 2],
) -> Option<RecommendedAction> {
    let mechanism = Mechanism::of(moment);
    let intervals = frame.intervals(mechanism, here)?;
    let chips = moment.chips?;
    // The share of White, or the negated share for Black: each side wants more of it.
    let wish = |color: Color, [low, high]: [i128; 2]| match color {
        Color::White => low,
        Color::Black => -high,
    };
    let worths = |color: Color| -> Option<Vec<i128>> {
        let moves = sides[color.index()].iter();
        moves.map(|outlook| Some(wish(color, frame.own_bounds(&intervals, frame.number(&outlook.next)?)))).collect()
    };
    let best = |color: Color, worths: &[i128]| {
        worths.iter().copied().max().unwrap_or_else(|| wish(color, frame.own_bounds(&intervals, here)))
    };
    let (own, other) = (worths(player)?, worths(!player)?);
    let most = best(player, &own);
    // White's share after White's best move minus the share after Black's best move. Black's share is negated in `best`, hence the plus.
    let wanted = most + best(!player, &other);
    let [down, up] = mechanism.bid(wanted);
    // Rounded to the nearest whole chip.
    let scaled = (down + up) * i128::from(chips[0] + chips[1]) + i128::from(ONE);
    let fair = i64::try_from(scaled.div_euclid(2 * i128::from(ONE))).ok()?;
    let stack = chips[player.index()];
    let bid = fair.clamp(if moment.negative { -stack } else { 0 }, stack);
    let kept = sides[player.index()].iter().zip(&own).filter(|(_, worth)| **worth == most);
    let moves: Vec<Choice> = kept.map(|(outlook, _)| outlook.publish(frame.table, true)).collect();
    let action = match moment.next_step {
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
    let asked = matches!(moment.next_step, NextStep::Offer(_) | NextStep::Sealed);
    Some(RecommendedAction { bid: asked.then_some(bid), action, moves })
}
