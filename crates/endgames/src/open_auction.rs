//! Open auctions with whole chips: the most that the opponent may hold while a player still wins by force, in any number of moves.
//! Thresholds are defined in `chip_solver.rs`.

use super::{
    NEVER_STOP,
    answer::move_outcomes,
    bounded_answer::TablePosition,
    chip_growth::{ANSWERER, BIDDER},
    chip_thresholds::BidRule,
    position_query::{Question, TableCoverage},
    sealed_bids::Bids,
    table::Table,
};
use crate::board::Color;

/// A player's limits for the price of the next move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OpenAuctionSolver {
    /// Most chips that the opponent may hold after the player's best move.
    pub most: i64,
    /// Most chips that the opponent may hold after the opponent's own best move.
    pub least: i64,
    /// Whether bids may be negative.
    pub negative: bool,
}

impl OpenAuctionSolver {
    /// Returns whether the player wins by paying `price` to the opponent, who holds `theirs` before, and moving.
    pub fn takes(self, theirs: i64, price: i64) -> bool {
        theirs + price <= self.most
    }

    /// Returns whether the player wins by receiving `price` and letting the opponent move.
    pub fn gives(self, theirs: i64, price: i64) -> bool {
        theirs - price <= self.least
    }

    /// Least price for which [`OpenAuctionSolver::gives`] holds.
    pub fn gives_from(self, theirs: i64) -> i64 {
        let least = theirs - self.least;
        if self.negative { least } else { least.max(0) }
    }

    /// Bids with which the player wins, whatever the answer is.
    pub fn bids(self, theirs: i64) -> Option<Bids> {
        let bids = Bids { from: self.gives_from(theirs), to: self.most - theirs };
        (bids.from <= bids.to).then_some(bids)
    }

    /// Most chips that the opponent may hold while the player, who is to bid, still wins.
    pub fn as_bidder(self) -> i64 {
        if self.unwanted() { self.most } else { (self.most + self.least).div_euclid(2) }
    }

    /// Most chips that the opponent may hold while the player, who is to answer a bid, still wins.
    pub fn as_answerer(self) -> i64 {
        if self.unwanted() { self.least } else { (self.most + self.least + 1).div_euclid(2) }
    }

    /// Returns whether the player does not want the move and cannot be paid for it. Such a player bids zero, or lets the opponent move when
    /// answering.
    fn unwanted(self) -> bool {
        self.most < self.least && !self.negative
    }
}

/// Move of a player, with the threshold after it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChipMove {
    /// Move in UCI.
    pub uci: String,
    /// Move in SAN.
    pub san: String,
    /// Most chips that the opponent may hold after the move: all of them if it captures the king, −1 if no number suffices.
    pub most: i64,
}

/// A player's thresholds in a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Holding {
    /// Moves of the player, best values first.
    pub moves: Vec<ChipMove>,
    /// Limits for the price of the next move.
    pub reach: OpenAuctionSolver,
}

impl Question {
    /// Thresholds of a player with `total` chips in all. Returns `None` if no table covers the position or the player has no move. A new total takes
    /// some tens of milliseconds, and some hundreds with a pawn.
    ///
    /// Panics if `table` belongs to another board.
    pub fn holding(&self, table: &Table, player: Color, total: u32) -> Option<Holding> {
        assert_eq!(self.size, table.size(), "the table belongs to another board");
        let TableCoverage::Covered { reversed, .. } = self.coverage else { return None };
        let frame = TablePosition { table, reversed, stop: NEVER_STOP };
        let sides = Color::BOTH.map(|mover| move_outcomes(table, &self.position, mover));
        let paths = frame.paths(frame.number(&self.position)?, player, &sides)?;
        let levels =
            table.levels(paths.player, total, BidRule { negative: true, sealed: None }, paths.here, NEVER_STOP)?;
        let level = levels.last()?;
        // A level stores one more than each threshold.
        let of = |id: u32, role: usize| i64::from(level.of(id, role)) - 1;
        let own = &sides[player.index()];
        let moves = own.iter().zip(&paths.own).map(|(outlook, id)| ChipMove {
            uci: outlook.uci.clone(),
            san: outlook.san.clone(),
            most: of(*id, BIDDER),
        });
        let moves: Vec<ChipMove> = moves.collect();
        let reach = OpenAuctionSolver {
            most: moves.iter().map(|reached| reached.most).max()?,
            least: paths.other.iter().map(|id| of(*id, ANSWERER)).min()?,
            negative: true,
        };
        Some(Holding { moves, reach })
    }
}
