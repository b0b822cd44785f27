//! How far whole chips reach in the open auction: the most that the other side may hold while a player still wins by force, however long it takes.
//! Thresholds are defined in `chip_solver.rs`.

use super::{
    TO_THE_END,
    answer::outlooks,
    bounded_answer::TablePosition,
    chip_growth::{ANSWERS, BIDS},
    chip_thresholds::BidRule,
    position_query::{Question, TableCoverage},
    sealed_bids::Bids,
    table::Table,
};
use crate::board::Color;

/// What a player needs of the price of the next move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OpenAuctionSolver {
    /// The most chips that the other side may hold once the player has made the best move.
    pub most: i64,
    /// The most that it may hold once it has made its own best move.
    pub least: i64,
    /// Bids may be below zero.
    pub negative: bool,
}

impl OpenAuctionSolver {
    /// Tells whether the player wins by paying a price to the other side, which holds so many chips before, and moving.
    pub fn takes(self, theirs: i64, price: i64) -> bool {
        theirs + price <= self.most
    }

    /// Tells whether the player wins by being paid a price and letting the other side move.
    pub fn gives(self, theirs: i64, price: i64) -> bool {
        theirs - price <= self.least
    }

    /// The least bid of which that holds.
    pub fn gives_from(self, theirs: i64) -> i64 {
        let least = theirs - self.least;
        if self.negative { least } else { least.max(0) }
    }

    /// The bids with which the player wins, whatever the answer is.
    pub fn bids(self, theirs: i64) -> Option<Bids> {
        let bids = Bids { from: self.gives_from(theirs), to: self.most - theirs };
        (bids.from <= bids.to).then_some(bids)
    }

    /// The most chips that the other side may hold while the player, who is to bid, still wins.
    pub fn as_bidder(self) -> i64 {
        if self.unwanted() { self.most } else { (self.most + self.least).div_euclid(2) }
    }

    /// The same while the player is to answer a bid.
    pub fn as_answerer(self) -> i64 {
        if self.unwanted() { self.least } else { (self.most + self.least + 1).div_euclid(2) }
    }

    /// Tells whether the player does not want to move and cannot be paid for it: the bid is nothing, and who is to answer lets the other
    /// move.
    fn unwanted(self) -> bool {
        self.most < self.least && !self.negative
    }
}

/// A move of a player, and how far chips reach after it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChipMove {
    /// The move in UCI.
    pub uci: String,
    /// The move in SAN.
    pub san: String,
    /// The most chips that the other side may hold after it; all of them if the move takes the king, −1 if no number will do.
    pub most: i64,
}

/// How far a player's chips reach in a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Holding {
    /// The player's moves, the ones with the best values first.
    pub moves: Vec<ChipMove>,
    /// What the next move may cost.
    pub reach: OpenAuctionSolver,
}

impl Question {
    /// How far a player's chips reach, of so many in all; nothing if no table covers the position, or if the player has no move in it. Computes for
    /// some tens of milliseconds when a total is new, with a pawn for some hundreds. Panics if the table is one of another board.
    pub fn holding(&self, table: &Table, player: Color, total: u32) -> Option<Holding> {
        assert_eq!(self.size, table.size(), "the table of another board");
        let TableCoverage::Covered { reversed, .. } = self.standing else { return None };
        let frame = TablePosition { table, reversed, stop: TO_THE_END };
        let sides = Color::BOTH.map(|mover| outlooks(table, &self.position, mover));
        let paths = frame.paths(frame.number(&self.position)?, player, &sides)?;
        let levels =
            table.levels(paths.player, total, BidRule { negative: true, sealed: None }, paths.here, TO_THE_END)?;
        let level = levels.last()?;
        // Levels hold one more than a threshold.
        let of = |id: u32, role: usize| i64::from(level.of(id, role)) - 1;
        let own = &sides[player.index()];
        let moves = own.iter().zip(&paths.own).map(|(outlook, id)| ChipMove {
            uci: outlook.uci.clone(),
            san: outlook.san.clone(),
            most: of(*id, BIDS),
        });
        let moves: Vec<ChipMove> = moves.collect();
        let reach = OpenAuctionSolver {
            most: moves.iter().map(|reached| reached.most).max()?,
            least: paths.other.iter().map(|id| of(*id, ANSWERS)).min()?,
            negative: true,
        };
        Some(Holding { moves, reach })
    }
}
