//! What money is worth, in hundredths of a pawn: an estimate, in floating point, never a price.

use super::super::search::Effort;

/// The worth of the first zorkmid that somebody has: a queen costs twenty-five, and a move.
const ZORKMID: f64 = 28.0;
/// Who has so many gets half as much for the next as for the first: there is only so much to buy in a turn.
const PLENTY: f64 = 80.0;
/// The worth of each zorkmid beyond that to who thinks of later turns, too.
const LASTING: f64 = 4.0;
/// The most zorkmids that are counted so: as many as a long game brings in.
const RICHES: f64 = 10_000.0;

/// The worth of money to who thinks so far ahead.
#[derive(Clone, Copy, Debug)]
pub(super) struct Money {
    lasting: f64,
}

impl Money {
    /// What it is worth to who thinks of the next turns alone.
    pub(super) const BRIEF: Money = Money { lasting: 0.0 };

    /// What it is worth with such an effort.
    pub(super) fn of(effort: Effort) -> Self {
        Money { lasting: if effort.depth > 8 { LASTING } else { 0.0 } }
    }

    /// The worth of so many zorkmids in one purse.
    pub(super) fn worth(self, zorkmids: i64) -> f64 {
        let owned = zorkmids.max(0) as f64;
        self.lasting * owned.min(RICHES) + ZORKMID * PLENTY * (owned / PLENTY).ln_1p()
    }

    /// The worth of a price to who has so many zorkmids.
    pub(super) fn paid(self, purse: i64, price: i64) -> i32 {
        (self.worth(purse) - self.worth(purse.saturating_sub(price))).round() as i32
    }

    /// The worth of what is earned to who has so many zorkmids.
    pub(super) fn earned(self, purse: i64, pay: i64) -> f64 {
        self.worth(purse.saturating_add(pay)) - self.worth(purse)
    }
}
