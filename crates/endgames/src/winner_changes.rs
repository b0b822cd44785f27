//! The winner at a moment of a game for chips, and the steps at which that changed: proved where whole chips decide it, else by the shares.

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
    position_query::{TableCoverage, standing},
    table::Table,
};
use crate::{
    board::{Board, Color, Position, Size},
    endgame::{Bank, Endgame, NextStep, Settlement, Side},
};

/// A step after which another side wins than before it, as far as the tables see.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WinnerChange {
    /// The step, as in the address of its page.
    pub ply: usize,
    /// The side that was winning before it, `white` or `black`: unless a coin did it, the bid, answer or move of that side threw
    /// the win away. Null for a draw, and if the stacks were exactly on the edge.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub from: Option<Side>,
    /// The side that wins after it; null as before.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub to: Option<Side>,
    /// The question that the step answered: `bid`, `answer`, `tie`, `coin` or `move`.
    pub what: &'static str,
    /// True if both are proved for exactly these chips; else they go by the shares of the money, which are an estimate.
    pub exact: bool,
}

/// Both stacks when the mover has paid a price, and the bank has taken its part.
pub(super) fn after(chips: [i64; 2], mover: Color, price: i64, bank: Bank) -> [i64; 2] {
    let (mut chips, payer) = (chips, if price < 0 { !mover } else { mover });
    chips[payer.index()] -= price.abs();
    chips[(!payer).index()] += price.abs() - bank.part(price.abs());
    chips
}

/// A winner, and the number of chips by which that side wins.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Lead {
    /// 1 if White wins, −1 if Black does, 0 on the edge.
    sign: i8,
    /// The number of chips that White holds beyond what he needs; negative where he lacks them.
    pub(super) chips: RBig,
}

impl Lead {
    /// Whoever holds more chips than it takes wins.
    fn of(chips: RBig) -> Lead {
        let sign = match chips.cmp(&RBig::ZERO) {
            Ordering::Greater => 1,
            Ordering::Less => -1,
            Ordering::Equal => 0,
        };
        Lead { sign, chips }
    }

    /// The side that wins; nobody on the edge.
    pub(super) fn ahead(&self) -> Option<Color> {
        match self.sign {
            0 => None,
            sign => Some(if sign > 0 { Color::White } else { Color::Black }),
        }
    }
}

/// Finds who wins if both sides do their best from here, and by how many chips; nothing where no chips are played for, no table
/// covers the position, a coin decides between a win and a loss, or the value is only enclosed and the stacks are between its bounds. Of two
/// bounds the lesser lead counts.
pub(super) fn lead(table: &Table, moment: &Endgame, stop: Stop) -> Option<Lead> {
    if exact(moment) {
        return Scales { board: rules(table.size()), moment, value: &|position, _| known(table, position) }.lead();
    }
    let enclosed = |position: &Position, sealed| enclosed(table, &Endgame { sealed, ..*moment }, position, stop);
    leads(rules(table.size()), moment, &enclosed).and_then(between)
}

/// The same of a position of four pieces, with the tables of four; nothing either where one of their files is missing or cannot be used.
pub(super) fn lead_of_four(table: &Table, files: &FourFiles, moment: &Endgame) -> Option<Lead> {
    leads_of_four(table, files, moment).and_then(between)
}

/// The same by the lower bound of α and by the upper one of β.
fn leads_of_four(table: &Table, files: &FourFiles, moment: &Endgame) -> Option<[Lead; 2]> {
    let bounds = |position: &Position, _: Option<Settlement>| {
        let [alpha, beta] = thresholds_of(table, files, position).ok()??;
        Some([alpha[0], beta[1]])
    };
    exact(moment).then(|| leads(rules(Size::ORTHODOX), moment, &bounds)).flatten()
}

/// The side that wins at a moment with four pieces, as [`lead_of_four`] finds it, and nobody where the stacks are between the bounds.
fn winner_of_four(table: &Table, files: &FourFiles, moment: &Endgame) -> Option<Option<Color>> {
    let [low, high] = leads_of_four(table, files, moment)?;
    Some(low.ahead().filter(|_| low.sign == high.sign))
}

/// What is known of the value of a position, with the marker in the hands of a side.
type Valued<'a, T> = &'a dyn Fn(&Position, Option<Settlement>) -> Option<T>;

/// The leads by the lower and by the upper bounds of values that are enclosed in multiples of 2⁻⁶³.
fn leads(board: &Board, moment: &Endgame, bounds: Valued<'_, [i128; 2]>) -> Option<[Lead; 2]> {
    let by = |end: usize| {
        let value = |position: &Position, sealed| Some(RBig::from(bounds(position, sealed)?[end]) / RBig::from(ONE));
        Scales { board, moment, value: &value }.lead()
    };
    Some([by(0)?, by(1)?])
}

/// The lesser of two leads of the same side.
fn between([low, high]: [Lead; 2]) -> Option<Lead> {
    (low.sign == high.sign).then_some(if low.sign < 0 { high } else { low })
}

/// Tells whether the exact values of the table are those of the game.
pub(super) fn exact(moment: &Endgame) -> bool {
    Mechanism::of(moment) == Mechanism::RICHMAN
}

/// The exact value of a position that a table covers, or of one that is over.
fn known(table: &Table, position: &Position) -> Option<RBig> {
    Some(table.exact(answer::worth(table, table.size(), position)?))
}

/// The value of a position by the terms of a game, enclosed in multiples of 2⁻⁶³.
fn enclosed(table: &Table, moment: &Endgame, position: &Position, stop: Stop) -> Option<[i128; 2]> {
    let reversed = match standing(table.size(), position) {
        TableCoverage::Over { winner } => return Some([if winner == Color::White { i128::from(ONE) } else { 0 }; 2]),
        TableCoverage::Beyond(_) => return None,
        TableCoverage::Covered { reversed, .. } => reversed,
    };
    let frame = TablePosition { table, reversed, stop };
    let number = frame.number(position)?;
    let intervals = frame.intervals(Mechanism::of(moment), number)?;
    Some(frame.seen(&intervals, number))
}

/// The values by which the stacks of a moment are weighed.
struct Scales<'a> {
    board: &'a Board,
    moment: &'a Endgame,
    value: Valued<'a, RBig>,
}

impl Scales<'_> {
    /// The value after a mover's best move.
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

    /// Weighs the stacks against the value.
    fn lead(&self) -> Option<Lead> {
        let Endgame { position, asked, sealed, .. } = *self.moment;
        let chips = self.moment.chips?;
        let total = RBig::from(chips[0] + chips[1]);
        let bought = |mover: Color, price: i64, sealed: Option<Settlement>| -> Option<Lead> {
            let best = self.best(mover, sealed)?;
            // Whoever has the move and can take the king needs no chips.
            let sign = i8::from(best == RBig::ONE) - i8::from(best == RBig::ZERO);
            let [white, black] = after(chips, mover, price, self.moment.bank);
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
                // Whoever takes the move hands the marker over.
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

/// The steps of a game at which the win changed hands; `moments` are all moments of the game from the beginning on. The table is that of the
/// ordinary board.
pub fn swings(table: &Table, files: &FourFiles, moments: &[Option<Endgame>], stop: Stop) -> Vec<WinnerChange> {
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
                swings.push(WinnerChange { ply, from, to, what: what(asked), exact: before.1 && now.1 });
            }
            known = Some(now);
        } else if of_four && !matches!(moment.asked, NextStep::Coin(_)) {
            // A table is missing: what comes behind it did not happen here.
            known = None;
        }
        asked = Some(moment.asked);
    }
    swings
}

/// The word for what a step answered.
fn what(asked: NextStep) -> &'static str {
    match asked {
        NextStep::Offer(_) | NextStep::Sealed => "bid",
        NextStep::Answer { .. } => "answer",
        NextStep::Tie { .. } => "tie",
        NextStep::Toss | NextStep::Coin(_) => "coin",
        NextStep::Move(_) => "move",
    }
}
