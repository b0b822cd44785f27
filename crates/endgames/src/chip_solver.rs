//! Whole chips: whether a side is sure to win is a finite question with an exact answer for every total, which no share of the money gives. Sealed
//! bids are in `sealed_bids.rs`. Here bids are open: the side that moved last names a bid, and the other takes the money or pays the same and moves.
//!
//! For a player let `bids` be the greatest number of chips that the other may hold so that the player, who is to bid, still wins by force
//! within n moves, and `answers` the same where the other is to bid; −1 where no number will do. With A the best `bids` among his own
//! moves, because who has moved bids next, and B the worst `answers` among the other's, both within n − 1 moves:
//!
//! `bids` = ⌊(A + B) / 2⌋ and `answers` = ⌊(A + B + 1) / 2⌋.
//!
//! With the other's b chips he needs a whole x with b + x ≤ A and b − x ≤ B when he bids, and is lost when the other has one with b + x > A
//! and b − x > B. What the stacks allow never binds: A and B are at most the total. What neither side can force is a draw.
//!
//! Where bids may not be below zero that x is zero at least. As long as A ≥ B nothing changes. Where A < B he does not want the move: as the
//! one who bids he says zero, is made to move and so needs b ≤ A, and as the one who answers he accepts whatever is bid, which is best
//! for the other at zero, and so needs b ≤ B: `bids` = A and `answers` = B. Both grow with A and B, as they do above, so that the least
//! thresholds are again what can be forced within some number of moves.

use serde::Serialize;

use super::{
    Stop,
    answer::outlooks,
    bounded_answer::TablePosition,
    chip_growth::{ANSWERS, BIDS},
    chip_thresholds::BidRule,
    open_auction::OpenAuctionSolver,
    position_index::Id,
    position_query::{Question, TableCoverage, standing},
    sealed_bids::{Bids, HOLDS, LACKS, SealedReach},
    table::Table,
    thresholds::Paths,
};
use crate::{
    board::{Color, Position},
    endgame::{Bank, Endgame, NextStep, Settlement, Side},
};

/// The most chips in all that are judged.
pub const MOST_CHIPS: i64 = 65_535;

/// An auction of whole chips.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Auction {
    /// White's chips and Black's; neither is below zero, and there are at most [`MOST_CHIPS`] in all.
    pub chips: [i64; 2],
    /// The step that is asked for: a bid, an answer to one within the bidder's chips, the settling of equal ones, or the move of whoever has
    /// paid for it. What is not asked for where bids are open, or where they are sealed, nobody can be sure to win by.
    pub asked: NextStep,
    /// Bids may be below zero.
    pub negative: bool,
    /// Bids are sealed, and equal ones are settled so; nothing where they are open.
    pub sealed: Option<Settlement>,
}

/// The outcome of an auction of whole chips with best play, exact for its total.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Verdict {
    /// The side that wins by force, `white` or `black`; null if neither does: where bids are open that is a draw, and where they are sealed
    /// it hangs on bids that nobody can foresee.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub winner: Option<Side>,
    /// The bids with which the winner keeps the shortest forced win, if the winner is to bid.
    pub bid: Option<Bids>,
    /// The answer with which the winner keeps the shortest forced win, if the winner is to answer a bid, `accept` or `reject`, or to settle
    /// equal ones, `take` or `give`.
    pub answer: Option<&'static str>,
    /// If the winner is to answer a bid that the other side has yet to name: the least bid at which the money is to be taken. Of a lower one
    /// the winner pays as much and moves.
    pub accepts: Option<i64>,
    /// The moves of both sides within which the king falls; null if neither side wins by force.
    pub within: Option<usize>,
    /// The chips of both sides.
    pub total: i64,
    /// True if this is exact for so many chips. False if they are more than 65,535: then a win is told where it follows from the shares of the
    /// money, and a null winner says only that none does.
    pub exact: bool,
}

/// What a winner says, if anything is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Words {
    pub(super) bid: Option<Bids>,
    pub(super) answer: Option<&'static str>,
    pub(super) accepts: Option<i64>,
}

/// A forced win of one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Win {
    pub(super) within: usize,
    pub(super) words: Words,
    /// The move to make if the winner gets it, as a place among all of theirs.
    pub(super) mv: usize,
}

impl Auction {
    /// The side that wins by force in a position that the table holds, reversed or not, with its shortest win.
    fn winner(&self, table: &Table, reversed: bool, position: &Position, stop: Stop) -> Option<Option<(Color, Win)>> {
        let frame = TablePosition { table, reversed, stop };
        let here = frame.number(position)?;
        let sides = Color::BOTH.map(|mover| outlooks(table, position, mover));
        for player in Color::BOTH {
            let paths = frame.paths(here, player, &sides)?;
            if let Some(win) = self.win(table, player, &paths, stop) {
                return Some(Some((player, win)));
            }
            if stop() {
                return None;
            }
        }
        Some(None)
    }

    /// The shortest forced win of a player, whose paths may be those of the other one where the table holds the position reversed.
    fn win(&self, table: &Table, player: Color, paths: &Paths, stop: Stop) -> Option<Win> {
        let [own, theirs] = [player, !player].map(|side| self.chips[side.index()]);
        let rule = BidRule { negative: self.negative, sealed: self.sealed.map(|settled| (settled.tie, settled.price)) };
        let levels = table.levels(paths.player, u32::try_from(own + theirs).ok()?, rule, paths.here, stop)?;
        let found = levels.find(|level| {
            // Levels hold one more than a threshold.
            let worths = |ids: &[Id], role: usize| -> Vec<i64> {
                ids.iter().map(|id| i64::from(level.of(*id, role)) - 1).collect()
            };
            let Some(Settlement { tie, price, holder }) = self.sealed else {
                let (moves, least) = (worths(&paths.own, BIDS), worths(&paths.other, ANSWERS).into_iter().min()?);
                let (mv, most) = best(&moves)?;
                let words = self.opened(player, OpenAuctionSolver { most, least, negative: self.negative })?;
                return Some((words, mv));
            };
            let moves = [HOLDS, LACKS].map(|role| worths(&paths.own, role));
            let least = [HOLDS, LACKS].map(|role| worths(&paths.other, role).into_iter().min().unwrap_or(-1));
            let [(held, most), (lacked, without)] = [best(&moves[HOLDS])?, best(&moves[LACKS])?];
            let reach =
                SealedReach { most: [most, without], least, tie, price, negative: self.negative, total: own + theirs };
            let role = if holder == player { HOLDS } else { LACKS };
            let words = self.unsealed(player, role, &reach)?;
            Some((words, if role == HOLDS && words.answer.is_none() { held } else { lacked }))
        });
        found.map(|(n, (words, mv))| Win { within: n + 1, words, mv })
    }

    /// What a player says who is sure to win an open auction; nothing if the player is not.
    fn opened(&self, player: Color, reach: OpenAuctionSolver) -> Option<Words> {
        let [own, theirs] = [player, !player].map(|side| self.chips[side.index()]);
        let (takes, gives) = (|price| reach.takes(theirs, price), |price| reach.gives(theirs, price));
        match self.asked {
            NextStep::Offer(bidder) if bidder == player => reach.bids(theirs).map(Words::bid),
            NextStep::Offer(_) => {
                (theirs <= reach.as_answerer()).then(|| Words::accepts(reach.gives_from(theirs).max(-own)))
            }
            NextStep::Move(mover) => {
                (theirs <= if mover == player { reach.most } else { reach.least }).then(Words::default)
            }
            NextStep::Toss | NextStep::Sealed | NextStep::Tie { .. } | NextStep::Coin(_) => None,
            NextStep::Answer { bidder, bid } if bidder == player => {
                let accepted = bid < -theirs || takes(bid);
                let rejected = bid > theirs || gives(bid);
                (accepted && rejected).then(Words::default)
            }
            NextStep::Answer { bid, .. } => {
                let accept = (bid >= -own && gives(bid)).then_some("accept");
                let reject = (bid <= own && takes(bid)).then_some("reject");
                accept.or(reject).map(Words::answer)
            }
        }
    }

    /// The same of a sealed auction.
    fn unsealed(&self, player: Color, role: usize, reach: &SealedReach) -> Option<Words> {
        let theirs = self.chips[(!player).index()];
        match self.asked {
            NextStep::Sealed => reach.bids(theirs, role).map(Words::bid),
            NextStep::Move(mover) => {
                let after = if mover == player { reach.most } else { reach.least };
                (theirs <= after[role]).then(Words::default)
            }
            NextStep::Tie { holder, bid } if holder == player => {
                let take = (theirs + bid <= reach.most[LACKS]).then_some("take");
                let give = (theirs - bid <= reach.least[HOLDS]).then_some("give");
                give.or(take).map(Words::answer)
            }
            NextStep::Tie { bid, .. } | NextStep::Coin(bid) => reach.tied(theirs, bid, role).then(Words::default),
            NextStep::Toss | NextStep::Offer(_) | NextStep::Answer { .. } => None,
        }
    }
}

/// The place of the greatest threshold, the first among equals, and the threshold.
fn best(worths: &[i64]) -> Option<(usize, i64)> {
    let at = (0..worths.len()).rev().max_by_key(|at| worths[*at])?;
    Some((at, worths[at]))
}

/// Who wins by force with the whole chips of a game and how, or that it is a draw; nothing where that is not known: it is where a table covers
/// the position, all chips stay in the game, the win comes before the draw by turns without progress, and, if neither side wins by force, bids are open.
pub(super) fn forced(table: &Table, moment: &Endgame, stop: Stop) -> Option<Option<(Color, Win)>> {
    let counted = |chips: &[i64; 2]| moment.bank == Bank::Nothing && chips.iter().sum::<i64>() <= MOST_CHIPS;
    let chips = moment.chips.filter(counted)?;
    let TableCoverage::Covered { reversed, .. } = standing(table.size(), &moment.position) else { return None };
    let auction = Auction { chips, asked: moment.asked, negative: moment.negative, sealed: moment.sealed };
    let win = auction.winner(table, reversed, &moment.position, stop)?;
    if win.is_none() && moment.sealed.is_some() {
        return None;
    }
    let late = win.is_some_and(|(_, win)| i64::try_from(win.within).is_ok_and(|within| within > moment.left));
    (!late).then_some(win)
}

impl Words {
    fn bid(bid: Bids) -> Words {
        Words { bid: Some(bid), ..Words::default() }
    }

    fn answer(answer: &'static str) -> Words {
        Words { answer: Some(answer), ..Words::default() }
    }

    fn accepts(from: i64) -> Words {
        Words { accepts: Some(from), ..Words::default() }
    }
}

impl Win {
    /// The same as it is told, of a winner and so many chips in all.
    pub(super) fn verdict(self, winner: Color, total: i64) -> Verdict {
        let Words { bid, answer, accepts } = self.words;
        Verdict {
            winner: Some(Side::from(winner)),
            bid,
            answer,
            accepts,
            within: Some(self.within),
            total,
            exact: true,
        }
    }
}

impl Verdict {
    /// Nobody can force a win.
    pub(super) fn draw(total: i64) -> Verdict {
        Verdict { winner: None, bid: None, answer: None, accepts: None, within: None, total, exact: true }
    }
}

impl Question {
    /// The verdict about an auction in this position; none if no table covers it or `stop` says so. Computes for tens of milliseconds, with a
    /// pawn and many chips for seconds. Panics if the table is one of another board.
    pub fn verdict(&self, table: &Table, auction: &Auction, stop: Stop) -> Option<Verdict> {
        assert_eq!(self.size, table.size(), "the table of another board");
        let total = auction.chips[0] + auction.chips[1];
        let draw = Verdict::draw(total);
        let reversed = match &self.standing {
            TableCoverage::Over { winner } => {
                return Some(Verdict { winner: Some(Side::from(*winner)), within: Some(0), ..draw });
            }
            TableCoverage::Beyond(_) => return None,
            TableCoverage::Covered { reversed, .. } => *reversed,
        };
        let win = auction.winner(table, reversed, &self.position, stop)?;
        Some(win.map_or(draw, |(winner, win)| win.verdict(winner, total)))
    }
}
