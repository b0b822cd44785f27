//! The winning side in each state of a game with chips, and the steps at which it changed. The winner is proved where whole chips decide it, and
//! estimated from the shares elsewhere.

use std::cmp::Ordering;

use dashu_ratio::RBig;
use serde::Serialize;

use super::{
    Stop, answer,
    bidding_mechanism::{Mechanism, ONE},
    bounded_answer::TablePosition,
    chip_solver::forced,
    four_piece::{FourFiles, thresholds_of},
    move_graph::rules,
    position_query::{TableCoverage, coverage},
    table::Table,
};
use crate::{
    board::{Board, Color, Position, Size},
    endgame::{Bank, Endgame, NextStep, Settlement, Side},
    text_enum,
};

text_enum! {
    /// Kind of a step that can change the winner.
    #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
    pub enum DecisionKind {
        Bid = "bid": "an open bid, or both sealed bids",
        Answer = "answer": "an answer to a bid",
        Tie = "tie": "a choice after equal bids",
        Coin = "coin": "a coin toss",
        Move = "move": "a move",
    }
}

/// Step that changes the winning side, according to the tables.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WinnerChange {
    /// Step number, as in the address of its page.
    pub ply: usize,
    /// Side that was winning before the step. Its bid, answer or move gave the win away, unless a coin did. Null for a draw or
    /// for stacks exactly at the threshold.
    pub from: Option<Side>,
    /// Side that is winning after the step. Null for a draw or for stacks exactly at the threshold.
    pub to: Option<Side>,
    /// Kind of the step.
    pub what: DecisionKind,
    /// True if both results are proved for exactly these chips. Otherwise at least one is an estimate from the shares of the money.
    pub exact: bool,
}

/// Stacks after the mover has paid a price and the bank has taken its part.
pub(super) fn stacks_after(chips: [i64; 2], mover: Color, price: i64, bank: Bank) -> [i64; 2] {
    let (mut chips, payer) = (chips, if price < 0 { !mover } else { mover });
    chips[payer.index()] -= price.abs();
    chips[(!payer).index()] += price.abs() - bank.part(price.abs());
    chips
}

/// Winning side, and its lead in chips.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Lead {
    /// 1 if White wins, −1 if Black wins, 0 at the threshold.
    sign: i8,
    /// Chips that White holds beyond the number needed to win; negative if White is short.
    pub(super) chips: RBig,
}

impl Lead {
    /// Lead of the side that holds more chips than it needs.
    fn of(chips: RBig) -> Lead {
        let sign = match chips.cmp(&RBig::ZERO) {
            Ordering::Greater => 1,
            Ordering::Less => -1,
            Ordering::Equal => 0,
        };
        Lead { sign, chips }
    }

    /// Winning side; `None` at the threshold.
    pub(super) fn ahead(&self) -> Option<Color> {
        match self.sign {
            0 => None,
            sign => Some(if sign > 0 { Color::White } else { Color::Black }),
        }
    }
}

/// Lead with best play of both sides. Returns `None` without chips, where no table covers the position, where a coin decides between win and loss,
/// or where the stacks are between the bounds of an enclosed value. With two bounds, the smaller lead.
pub(super) fn lead(table: &Table, moment: &Endgame, stop: Stop) -> Option<Lead> {
    if is_richman(moment) {
        return StackComparison {
            board: rules(table.size()),
            moment,
            value: &|position, _| exact_value(table, position),
        }
        .lead();
    }
    let enclosed = |position: &Position, sealed| enclosed(table, &Endgame { sealed, ..*moment }, position, stop);
    leads(rules(table.size()), moment, &enclosed).and_then(between)
}

/// Lead in a position of four pieces. Returns `None` also where a file of the four-piece tables is missing or unusable.
pub(super) fn lead_of_four(table: &Table, files: &FourFiles, moment: &Endgame) -> Option<Lead> {
    leads_of_four(table, files, moment).and_then(between)
}

/// Leads by the lower bound of α and by the upper bound of β in a position of four pieces.
fn leads_of_four(table: &Table, files: &FourFiles, moment: &Endgame) -> Option<[Lead; 2]> {
    let bounds = |position: &Position, _: Option<Settlement>| {
        let [alpha, beta] = thresholds_of(table, files, position).ok()??;
        Some([alpha[0], beta[1]])
    };
    is_richman(moment).then(|| leads(rules(Size::ORTHODOX), moment, &bounds)).flatten()
}

/// Winner in a position of four pieces, as in [`lead_of_four`]; `Some(None)` if the stacks are between the bounds.
fn winner_of_four(table: &Table, files: &FourFiles, moment: &Endgame) -> Option<Option<Color>> {
    let [low, high] = leads_of_four(table, files, moment)?;
    Some(low.ahead().filter(|_| low.sign == high.sign))
}

/// Value of a position under a settlement of sealed bids, which names the holder of the marker.
type Valued<'a, T> = &'a dyn Fn(&Position, Option<Settlement>) -> Option<T>;

/// Leads by the lower and by the upper bounds of values, in multiples of 2⁻⁶³.
fn leads(board: &Board, moment: &Endgame, bounds: Valued<'_, [i128; 2]>) -> Option<[Lead; 2]> {
    let by = |end: usize| {
        let value = |position: &Position, sealed| Some(RBig::from(bounds(position, sealed)?[end]) / RBig::from(ONE));
        StackComparison { board, moment, value: &value }.lead()
    };
    Some([by(0)?, by(1)?])
}

/// Smaller of two leads of the same side; `None` if the sides differ.
fn between([low, high]: [Lead; 2]) -> Option<Lead> {
    (low.sign == high.sign).then_some(if low.sign < 0 { high } else { low })
}

/// Returns whether the exact values of the table apply to the game.
pub(super) fn is_richman(moment: &Endgame) -> bool {
    Mechanism::of(moment) == Mechanism::RICHMAN
}

/// Exact value of a position that a table covers or in which the game is over.
fn exact_value(table: &Table, position: &Position) -> Option<RBig> {
    Some(table.exact(answer::worth(table, position)?))
}

/// Value of a position under the rules of a game, enclosed in multiples of 2⁻⁶³.
fn enclosed(table: &Table, moment: &Endgame, position: &Position, stop: Stop) -> Option<[i128; 2]> {
    let reversed = match coverage(table.size(), position) {
        TableCoverage::Over { winner } => return Some([if winner == Color::White { i128::from(ONE) } else { 0 }; 2]),
        TableCoverage::Uncovered(_) => return None,
        TableCoverage::Covered { reversed, .. } => reversed,
    };
    let frame = TablePosition { table, reversed, stop };
    let number = frame.number(position)?;
    let intervals = frame.intervals(Mechanism::of(moment), number)?;
    Some(frame.own_bounds(&intervals, number))
}

/// Compares the stacks of a game with the values.
struct StackComparison<'a> {
    board: &'a Board,
    moment: &'a Endgame,
    value: Valued<'a, RBig>,
}

impl StackComparison<'_> {
    /// Value after a mover's best move.
    fn best(&self, mover: Color, sealed: Option<Settlement>) -> Option<RBig> {
        let mut from = self.moment.position;
        from.turn = mover;
        let moves = self.board.moves(&from).into_iter();
        let values = moves.map(|mv| (self.value)(&self.board.after(&from, mv), sealed));
        let values = values.collect::<Option<Vec<RBig>>>()?;
        let best = match mover {
            Color::White => values.into_iter().max(),
            Color::Black => values.into_iter().min(),
        };
        best.or_else(|| (self.value)(&self.moment.position, sealed))
    }

    /// Compares the stacks with the value.
    fn lead(&self) -> Option<Lead> {
        let Endgame { position, next_step: asked, sealed, .. } = *self.moment;
        let chips = self.moment.chips?;
        let total = RBig::from(chips[0] + chips[1]);
        let bought = |mover: Color, price: i64, sealed: Option<Settlement>| -> Option<Lead> {
            let best = self.best(mover, sealed)?;
            // A side that has the move and can capture the king needs no chips.
            let sign = i8::from(best == RBig::ONE) - i8::from(best == RBig::ZERO);
            let [white, black] = stacks_after(chips, mover, price, self.moment.bank);
            let lead = Lead::of(best * RBig::from(white + black) - RBig::from(black));
            Some(if sign == 0 { lead } else { Lead { sign, ..lead } })
        };
        let with = |mover: Color, price: i64| bought(mover, price, sealed);
        let choose = |chooser: Color, ways: [Lead; 2]| {
            let [one, other] = ways;
            match chooser {
                Color::White => one.max(other),
                Color::Black => one.min(other),
            }
        };
        Some(match asked {
            NextStep::Toss | NextStep::Offer(_) | NextStep::Sealed => {
                Lead::of((self.value)(&position, sealed)? * &total - RBig::from(chips[1]))
            }
            NextStep::Move(mover) => with(mover, 0)?,
            NextStep::Tie { holder, bid } => {
                // A holder who takes the move hands the marker over.
                let handed = sealed.map(|ties| Settlement { holder: !holder, ..ties });
                choose(holder, [bought(holder, bid, handed)?, with(!holder, bid)?])
            }
            NextStep::Coin(bid) => {
                let (white, black) = (with(Color::White, bid)?, with(Color::Black, bid)?);
                if white.sign != black.sign {
                    return None;
                }
                Lead { sign: white.sign, chips: (white.chips + black.chips) / RBig::from(2) }
            }
            NextStep::Answer { bidder, bid } => {
                let stack = chips[(!bidder).index()];
                match (bid >= -stack, bid <= stack) {
                    (true, false) => with(bidder, bid)?,
                    (false, true) => with(!bidder, bid)?,
                    (true, true) | (false, false) => choose(!bidder, [with(bidder, bid)?, with(!bidder, bid)?]),
                }
            }
        })
    }
}

/// Steps of a game at which the winning side changed. `moments` are all states of the game from the start. The table belongs to the 8×8 board.
pub fn find_winner_changes(
    table: &Table,
    files: &FourFiles,
    moments: &[Option<Endgame>],
    stop: Stop,
) -> Vec<WinnerChange> {
    let mut swings = Vec::new();
    let mut known: Option<(Option<Color>, bool)> = None;
    let mut asked = None;
    for (ply, moment) in moments.iter().enumerate() {
        let Some(moment) = moment else { continue };
        if stop() {
            break;
        }
        let of_four = moment.position.occupied().len() > 3;
        let proved = forced(table, moment, stop).map(|win| (win.map(|(winner, _)| winner), true));
        let estimated = || match of_four {
            true => winner_of_four(table, files, moment),
            false => lead(table, moment, stop).map(|lead| lead.ahead()),
        };
        if let Some(now) = proved.or_else(|| estimated().map(|winner| (winner, false))) {
            if let (Some(before), Some(asked)) = (known, asked)
                && before.0 != now.0
            {
                let [from, to] = [before, now].map(|(winner, _)| winner.map(Side::from));
                swings.push(WinnerChange { ply, from, to, what: decision_kind(asked), exact: before.1 && now.1 });
            }
            known = Some(now);
        } else if of_four && !matches!(moment.next_step, NextStep::Coin(_)) {
            // A table is missing, so a change found later did not happen at this step.
            known = None;
        }
        asked = Some(moment.next_step);
    }
    swings
}

fn decision_kind(step: NextStep) -> DecisionKind {
    match step {
        NextStep::Offer(_) | NextStep::Sealed => DecisionKind::Bid,
        NextStep::Answer { .. } => DecisionKind::Answer,
        NextStep::Tie { .. } => DecisionKind::Tie,
        NextStep::Toss | NextStep::Coin(_) => DecisionKind::Coin,
        NextStep::Move(_) => DecisionKind::Move,
    }
}
