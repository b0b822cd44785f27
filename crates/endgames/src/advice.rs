//! Advice beside a game whose position a table covers: what it is worth, who wins with the stacks as they are, and what
//! either side should bid, answer and move. It knows what is open and nothing that is sealed.

mod adviser;
mod four;

use std::sync::Arc;

use dashu_ratio::RBig;
use serde::Serialize;

use super::{
    Stop,
    answer::{Choice, outlooks, worth},
    banked::{Deed, deed},
    chips::{Verdict, forced},
    enclosed::{Enclosure, enclosure},
    frame::Frame,
    graph::rules,
    index::Id,
    mechanism::Mechanism,
    question::{Standing, material, standing},
    swings::{Lead, exact, lead},
    table::Table,
    thresholds::Thresholds,
    worth::Fraction,
};
use crate::{board::Color, endgame::Bank, endgame::Endgame, endgame::Side};

use adviser::Adviser;
pub use four::{FourAdvice, FourHint, advise_of_four, is_of_four};

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
    pub share: Option<Enclosure>,
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
    let Standing::Covered { reversed, .. } = standing(size, &moment.position) else { return None };
    let frame = Frame { table, reversed, stop };
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
            let Deed { bid, action, moves } = deed(&frame, here, moment, player, &sides)?;
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
fn share(frame: &Frame, here: Id, moment: &Endgame) -> Option<Enclosure> {
    moment.chips.filter(|_| !exact(moment))?;
    let intervals = frame.intervals(Mechanism::of(moment), here)?;
    Some(enclosure(frame.seen(&intervals, here)))
}
