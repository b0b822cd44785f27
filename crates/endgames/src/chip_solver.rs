//! Exact results with whole chips. Whether a side is sure to win is a finite question with an exact answer for every total, which shares of the
//! money cannot give. This file covers open auctions: the side that moved last names a bid, and the opponent takes the chips, or pays as many and
//! moves. `sealed_bids.rs` covers sealed bids.
//!
//! For a player, let `bids` be the greatest number of chips that the opponent may hold while the player, who is to bid, still forces a win within n
//! moves. Let `answers` be the same number when the opponent is to bid. Both are −1 if no number suffices. Let A be the best `bids` after the
//! player's own moves, since the side that has moved bids next. Let B be the worst `answers` after the opponent's moves. Both are for n − 1 moves.
//! Then
//!
//! `bids` = ⌊(A + B) / 2⌋ and `answers` = ⌊(A + B + 1) / 2⌋.
//!
//! Let the opponent hold b chips. As bidder the player needs a whole x with b + x ≤ A and b − x ≤ B. As answerer the player loses if the opponent
//! has an x with b + x > A and b − x > B. The limits of the stacks never bind, because A and B are at most the total. If neither side can force a
//! win, the result is a draw.
//!
//! If bids may not be negative, x is at least zero. If A ≥ B, nothing changes. If A < B, the player does not want the move. As bidder the player
//! bids zero and has to move, so the win needs b ≤ A. As answerer the player accepts any bid; the opponent's best bid is then zero, so the win needs
//! b ≤ B. Hence `bids` = A and `answers` = B. Both still grow with A and B, so the least thresholds are again those of wins within some number of
//! moves.

use serde::Serialize;

use super::{
    Stop,
    answer::move_outcomes,
    bounded_answer::TablePosition,
    chip_growth::{ANSWERER, BIDDER, Level},
    chip_thresholds::BidRule,
    open_auction::OpenAuctionSolver,
    position_index::Id,
    position_query::{Question, TableCoverage, coverage},
    sealed_bids::{Bids, SealedReach, WITH_MARKER, WITHOUT_MARKER},
    table::Table,
    thresholds::Paths,
};
use crate::{
    board::{Color, Position},
    endgame::{Bank, Endgame, NextStep, Settlement, Side},
    text_enum,
};

/// Maximum total of chips for which exact verdicts are computed.
pub const MOST_CHIPS: i64 = 65_535;

/// Auction with whole chips.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Auction {
    /// Chips of White and of Black. Neither is negative, and their sum is at most [`MOST_CHIPS`].
    pub chips: [i64; 2],
    /// Next step: a bid, an answer to a bid within the bidder's chips, the choice after equal bids, or the move. A step that does not fit the
    /// auction (open or sealed) has no sure winner.
    pub next_step: NextStep,
    /// Whether bids may be negative.
    pub negative: bool,
    /// How sealed bids are settled; `None` for open bids.
    pub sealed: Option<Settlement>,
}

text_enum! {
    /// Answer to a bid, or choice after equal bids.
    #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
    pub enum BidAnswer {
        Accept = "accept": "take the chips and let the bidder move",
        Reject = "reject": "pay the same and move",
        Take = "take": "after equal bids, pay and move",
        Give = "give": "after equal bids, let the opponent pay and move",
    }
}

/// Result of an auction of whole chips with best play, exact for its total.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Verdict {
    /// Side that wins by force; null if neither does. With open bids null means a draw. With sealed bids it means that the
    /// result depends on unpredictable bids.
    pub winner: Option<Side>,
    /// Bids with which the winner still wins, if the winner is to bid. With sealed bids, those without a gap around the fastest ones.
    pub winning_bids: Option<Bids>,
    /// Bids that keep the winner's shortest forced win, if the winner is to bid.
    pub fastest_bids: Option<Bids>,
    /// Former name of `fastest_bids`.
    pub bid: Option<Bids>,
    /// Answer that keeps the winner's shortest forced win.
    pub answer: Option<BidAnswer>,
    /// If the opponent has yet to name a bid: the least bid that the winner accepts. The winner rejects a lower bid, pays it and moves.
    pub accepts: Option<i64>,
    /// Number of moves, both sides counted, within which the king is captured. Null if neither side wins by force.
    pub within: Option<usize>,
    /// Total chips of both sides.
    pub total: i64,
    /// True if the result is exact for this total. False above 65,535 chips: a winner then follows from the shares of the money, and a null winner
    /// means only that none does.
    pub exact: bool,
}

/// Bid or answer of a winner, if the next step is one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct WinningAction {
    /// Bids that win in the fewest moves.
    pub(super) fastest: Option<Bids>,
    /// Bids that win in any number of moves.
    pub(super) winning: Option<Bids>,
    pub(super) answer: Option<BidAnswer>,
    pub(super) accepts: Option<i64>,
}

/// Forced win of one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Win {
    pub(super) within: usize,
    pub(super) action: WinningAction,
    /// Move to make if the winner gets it, as an index into the winner's moves.
    pub(super) mv: usize,
}

impl Auction {
    /// Side that wins by force in a position of the table, with its shortest win. `reversed` says that the table holds the position with colours
    /// exchanged.
    fn winner(&self, table: &Table, reversed: bool, position: &Position, stop: Stop) -> Option<Option<(Color, Win)>> {
        let frame = TablePosition { table, reversed, stop };
        let here = frame.number(position)?;
        let sides = Color::BOTH.map(|mover| move_outcomes(table, position, mover));
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

    /// Shortest forced win of `player`. In a reversed position, `paths` has the opposite colour.
    fn win(&self, table: &Table, player: Color, paths: &Paths, stop: Stop) -> Option<Win> {
        let [own, theirs] = [player, !player].map(|side| self.chips[side.index()]);
        let rule = BidRule { negative: self.negative, sealed: self.sealed.map(|settled| (settled.tie, settled.price)) };
        let levels = table.levels(paths.player, u32::try_from(own + theirs).ok()?, rule, paths.here, stop)?;
        let action = |level: &Level, fastest: Option<Bids>| {
            // A level stores one more than each threshold.
            let worths = |ids: &[Id], role: usize| -> Vec<i64> {
                ids.iter().map(|id| i64::from(level.of(*id, role)) - 1).collect()
            };
            let Some(Settlement { tie, price, holder }) = self.sealed else {
                let (moves, least) = (worths(&paths.own, BIDDER), worths(&paths.other, ANSWERER).into_iter().min()?);
                let (mv, most) = best(&moves)?;
                let words =
                    self.open_auction_action(player, OpenAuctionSolver { most, least, negative: self.negative })?;
                return Some((words, mv));
            };
            let moves = [WITH_MARKER, WITHOUT_MARKER].map(|role| worths(&paths.own, role));
            let least =
                [WITH_MARKER, WITHOUT_MARKER].map(|role| worths(&paths.other, role).into_iter().min().unwrap_or(-1));
            let [(held, most), (lacked, without)] = [best(&moves[WITH_MARKER])?, best(&moves[WITHOUT_MARKER])?];
            let reach =
                SealedReach { most: [most, without], least, tie, price, negative: self.negative, total: own + theirs };
            let role = if holder == player { WITH_MARKER } else { WITHOUT_MARKER };
            let words = match fastest {
                Some(fastest) => WinningAction::bid(reach.bids_around(theirs, role, fastest)),
                None => self.sealed_auction_action(player, role, &reach)?,
            };
            Some((words, if role == WITH_MARKER && words.answer.is_none() { held } else { lacked }))
        };
        let (n, (words, mv)) = levels.find(|level| action(level, None))?;
        let fastest = words.fastest;
        let winning = fastest.and_then(|_| action(levels.last()?, fastest)).and_then(|(words, _)| words.fastest);
        Some(Win { within: n + 1, action: WinningAction { winning, ..words }, mv })
    }

    /// Bid or answer of a player who is sure to win an open auction; `None` if the player is not.
    fn open_auction_action(&self, player: Color, reach: OpenAuctionSolver) -> Option<WinningAction> {
        let [own, theirs] = [player, !player].map(|side| self.chips[side.index()]);
        let (takes, gives) = (|price| reach.takes(theirs, price), |price| reach.gives(theirs, price));
        match self.next_step {
            NextStep::Offer(bidder) if bidder == player => reach.bids(theirs).map(WinningAction::bid),
            NextStep::Offer(_) => {
                (theirs <= reach.as_answerer()).then(|| WinningAction::accepts(reach.gives_from(theirs).max(-own)))
            }
            NextStep::Move(mover) => {
                (theirs <= if mover == player { reach.most } else { reach.least }).then(WinningAction::default)
            }
            NextStep::Toss | NextStep::Sealed | NextStep::Tie { .. } | NextStep::Coin(_) => None,
            NextStep::Answer { bidder, bid } if bidder == player => {
                let accepted = bid < -theirs || takes(bid);
                let rejected = bid > theirs || gives(bid);
                (accepted && rejected).then(WinningAction::default)
            }
            NextStep::Answer { bid, .. } => {
                let accept = (bid >= -own && gives(bid)).then_some(BidAnswer::Accept);
                let reject = (bid <= own && takes(bid)).then_some(BidAnswer::Reject);
                accept.or(reject).map(WinningAction::answer)
            }
        }
    }

    /// Bid or answer of a player who is sure to win a sealed auction; `None` if the player is not.
    fn sealed_auction_action(&self, player: Color, role: usize, reach: &SealedReach) -> Option<WinningAction> {
        let theirs = self.chips[(!player).index()];
        match self.next_step {
            NextStep::Sealed => reach.bids(theirs, role).map(WinningAction::bid),
            NextStep::Move(mover) => {
                let after = if mover == player { reach.most } else { reach.least };
                (theirs <= after[role]).then(WinningAction::default)
            }
            NextStep::Tie { holder, bid } if holder == player => {
                let take = (theirs + bid <= reach.most[WITHOUT_MARKER]).then_some(BidAnswer::Take);
                let give = (theirs - bid <= reach.least[WITH_MARKER]).then_some(BidAnswer::Give);
                give.or(take).map(WinningAction::answer)
            }
            NextStep::Tie { bid, .. } | NextStep::Coin(bid) => {
                reach.tied(theirs, bid, role).then(WinningAction::default)
            }
            NextStep::Toss | NextStep::Offer(_) | NextStep::Answer { .. } => None,
        }
    }
}

/// Index and value of the greatest threshold, the first among equals.
fn best(worths: &[i64]) -> Option<(usize, i64)> {
    let at = (0..worths.len()).rev().max_by_key(|at| worths[*at])?;
    Some((at, worths[at]))
}

/// Side that wins by force with the whole chips of a game, and how; `Some(None)` for a draw.
///
/// Returns `None` where the result is unknown: no table covers the position, the bank takes chips, the total is too large, or the win would come
/// after the draw by turns without progress. With sealed bids it is also unknown if neither side wins by force.
pub(super) fn forced(table: &Table, moment: &Endgame, stop: Stop) -> Option<Option<(Color, Win)>> {
    let counted = |chips: &[i64; 2]| moment.bank == Bank::Nothing && chips.iter().sum::<i64>() <= MOST_CHIPS;
    let chips = moment.chips.filter(counted)?;
    let TableCoverage::Covered { reversed, .. } = coverage(table.size(), &moment.position) else { return None };
    let auction = Auction { chips, next_step: moment.next_step, negative: moment.negative, sealed: moment.sealed };
    let win = auction.winner(table, reversed, &moment.position, stop)?;
    if win.is_none() && moment.sealed.is_some() {
        return None;
    }
    let late = win.is_some_and(|(_, win)| i64::try_from(win.within).is_ok_and(|within| within > moment.turns_left));
    (!late).then_some(win)
}

impl WinningAction {
    fn bid(bid: Bids) -> WinningAction {
        WinningAction { fastest: Some(bid), ..WinningAction::default() }
    }

    fn answer(answer: BidAnswer) -> WinningAction {
        WinningAction { answer: Some(answer), ..WinningAction::default() }
    }

    fn accepts(from: i64) -> WinningAction {
        WinningAction { accepts: Some(from), ..WinningAction::default() }
    }
}

impl Win {
    /// Publishes the win as a verdict for this winner and total.
    pub(super) fn verdict(self, winner: Color, total: i64) -> Verdict {
        let WinningAction { fastest, winning, answer, accepts } = self.action;
        Verdict {
            winner: Some(Side::from(winner)),
            winning_bids: winning,
            fastest_bids: fastest,
            bid: fastest,
            answer,
            accepts,
            within: Some(self.within),
            total,
            exact: true,
        }
    }
}

impl Verdict {
    /// Verdict if neither side can force a win.
    pub fn draw(total: i64) -> Verdict {
        Verdict {
            winner: None,
            winning_bids: None,
            fastest_bids: None,
            bid: None,
            answer: None,
            accepts: None,
            within: None,
            total,
            exact: true,
        }
    }
}

impl Question {
    /// Verdict on an auction in this position. Returns `None` if no table covers it or `stop` fires. Takes tens of milliseconds, and seconds with a
    /// pawn and many chips.
    ///
    /// Panics if `table` belongs to another board.
    pub fn verdict(&self, table: &Table, auction: &Auction, stop: Stop) -> Option<Verdict> {
        assert_eq!(self.size, table.size(), "the table belongs to another board");
        let total = auction.chips[0] + auction.chips[1];
        let draw = Verdict::draw(total);
        let reversed = match &self.coverage {
            TableCoverage::Over { winner } => {
                return Some(Verdict { winner: Some(Side::from(*winner)), within: Some(0), ..draw });
            }
            TableCoverage::Uncovered(_) => return None,
            TableCoverage::Covered { reversed, .. } => *reversed,
        };
        let win = auction.winner(table, reversed, &self.position, stop)?;
        Some(win.map_or(draw, |(winner, win)| win.verdict(winner, total)))
    }
}
