//! The costs of things, in zorkmids: the table “Cost of Extra Stuff” of Jim Aikin's page, in one place. Knows no position.

use super::table;
use crate::rules::Refusal;

/// The costs of a piece of one kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CostRow {
    /// A new piece.
    pub piece: i64,
    /// An extra move that does not capture. Only the king's has three amounts: the king is not in check, was in check when the
    /// turn began, is in check after an earlier move of the turn.
    pub quiet: [i64; 3],
    /// An extra move that captures.
    pub capture: i64,
    /// A further move of the same unit, without capture, after a capture. Only the king's has two amounts: his capture was not
    /// into check, or it was.
    pub retreat: [i64; 2],
    /// A second capture by the same unit.
    pub recapture: i64,
}

/// The costs of all things.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Costs {
    /// By kind, in the order of the orthodox kinds.
    pub rows: [CostRow; 6],
    /// Forcing a retraction: of an ordinary turn, of one that gives check, of one that ends a check.
    pub retract: [i64; 3],
}

/// A bought move, as far as its price depends on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Purchase {
    /// The kind of the unit when it moves.
    pub kind: u8,
    /// It captures.
    pub captures: bool,
    /// The moves made before in the same turn, if there were any.
    pub before: Option<Before>,
    /// The own king was in check when the turn began.
    pub check_at_start: bool,
    /// The own king is in check just before this move.
    pub check_now: bool,
}

/// The moves before a bought one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Before {
    /// The same unit captured by one of them: “in a single turn” is wherever in the turn that was (our reading).
    pub captured: bool,
}

const fn row(piece: i64, quiet: i64, capture: i64, retreat: i64, recapture: i64) -> CostRow {
    CostRow { piece, quiet: [quiet; 3], capture, retreat: [retreat; 2], recapture }
}

/// The names of the kinds in tables.
pub(super) const NAMES: [&str; 6] = ["pawn", "knight", "bishop", "rook", "queen", "king"];

impl Default for Costs {
    fn default() -> Self {
        Costs {
            rows: [
                row(3, 3, 3, 5, 7),
                row(12, 7, 15, 18, 23),
                row(12, 7, 15, 18, 23),
                row(15, 9, 16, 21, 26),
                row(25, 12, 20, 24, 29),
                CostRow { piece: 150, quiet: [3, 7, 11], capture: 9, retreat: [18, 25], recapture: 23 },
            ],
            retract: [10, 15, 25],
        }
    }
}

impl Costs {
    /// The table of the source with some rows replaced: `pawn 3 3 3 5 7; king 150 3/7/11 9 18/25 23; retract 10/15/25`.
    pub fn read(text: &str) -> Result<Costs, Refusal> {
        let mut costs = Costs::default();
        for row in table::rows(text) {
            match NAMES.iter().position(|name| *name == row.name) {
                Some(kind) => {
                    let CostRow { piece, quiet, capture, retreat, recapture } = &mut costs.rows[kind];
                    let one = std::slice::from_mut::<i64>;
                    row.fill(&mut [one(piece), &mut quiet[..], one(capture), &mut retreat[..], one(recapture)])?;
                    if quiet[1] > quiet[2] {
                        return Err(row.refuse(format!(
                            "in the row {} a move that is made in check costs {} as the first of a turn and only {} after \
                             another: it costs no less there",
                            row.name, quiet[1], quiet[2]
                        )));
                    }
                }
                None if row.name == "retract" => row.fill(&mut [&mut costs.retract])?,
                None => {
                    let rows = NAMES.join(", ");
                    return Err(row.refuse(format!(
                        "“{}” is no row of the table of costs; its rows are {rows} and retract",
                        row.name
                    )));
                }
            }
        }
        Ok(costs)
    }

    /// The price of a new piece.
    pub fn piece(&self, kind: u8) -> i64 {
        self.rows[usize::from(kind)].piece
    }

    /// The price of a bought move. The king's three prices are the source's note **, read so that they cover every case: 11 if an
    /// earlier move of the turn left him in check, else 7 if he was in check when the turn began, else 3.
    pub fn of(&self, bought: &Purchase) -> i64 {
        let row = &self.rows[usize::from(bought.kind)];
        let after_own_capture = bought.before.is_some_and(|before| before.captured);
        match (bought.captures, after_own_capture) {
            (true, true) => row.recapture,
            (true, false) => row.capture,
            (false, true) => row.retreat[usize::from(bought.check_now)],
            (false, false) if bought.before.is_some() && bought.check_now => row.quiet[2],
            (false, false) => row.quiet[usize::from(bought.check_at_start)],
        }
    }

    /// The price of forcing a retraction; a turn that both ends a check and gives one costs as much as one that ends it.
    pub fn retraction(&self, ends_check: bool, gives_check: bool) -> i64 {
        self.retract[if ends_check { 2 } else { usize::from(gives_check) }]
    }

    /// The least that anything costs that a turn can be made of.
    pub fn cheapest(&self) -> i64 {
        self.cheapest_piece().min(self.cheapest_move())
    }

    /// The least that a new piece costs.
    pub fn cheapest_piece(&self) -> i64 {
        self.rows.iter().map(|row| row.piece).min().unwrap_or(0)
    }

    /// The least that any bought move costs.
    pub fn cheapest_move(&self) -> i64 {
        (0..self.rows.len() as u8).map(|kind| self.cheapest_move_of(kind)).min().unwrap_or(0)
    }

    /// The least that a bought move of a kind costs.
    pub fn cheapest_move_of(&self, kind: u8) -> i64 {
        let row = &self.rows[usize::from(kind)];
        let [a, b, c] = row.quiet;
        let [d, e] = row.retreat;
        [a, b, c, d, e, row.capture, row.recapture].into_iter().min().unwrap_or(0)
    }
}
