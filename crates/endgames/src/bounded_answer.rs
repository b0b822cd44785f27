//! The answer about a position under any bidding mechanism: enclosures of its values, of the bid and of all moves.

use std::sync::Arc;

use serde::Serialize;

use super::{
    NEVER_STOP, Stop,
    answer::{MoveOutcome, move_outcomes},
    bidding_mechanism::{Intervals, Mechanism, ONE},
    four_piece::NARROW,
    move_graph::rules,
    position_index::{Id, LOST, WON},
    position_query::{Question, TableCoverage, coverage},
    table::Table,
    thresholds::Paths,
};
use crate::board::{Color, Position, Size, Square};

/// Number of decimals in an answer.
const DECIMALS: usize = 12;
/// Number of decimals for bounds that are proved to the last few bits.
pub(super) const MORE_DECIMALS: usize = 18;

/// Decimal bounds of a number: `lo` is rounded down and `hi` is rounded up.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Interval {
    /// Lower bound.
    #[cfg_attr(feature = "openapi", schema(example = "0.666666666666"))]
    pub lo: String,
    /// Upper bound.
    #[cfg_attr(feature = "openapi", schema(example = "0.666666666667"))]
    pub hi: String,
}

/// Move of one side under a bidding mechanism.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct EnclosedMove {
    /// Move in UCI.
    pub uci: String,
    /// Move in SAN. A king capture ends with `#`.
    pub san: String,
    /// Value of the position after the move.
    pub value: Interval,
    /// True unless another move of this side is proved better.
    pub best: bool,
}

/// Everything known about a position under a bidding mechanism. Values are the share of the players' money below which Black must be for White to
/// win.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct BoundedAnswer {
    /// Lower value α, the least solution: what White can force.
    pub alpha: Interval,
    /// Upper value β, the greatest solution: what Black cannot overcome.
    pub beta: Interval,
    /// True if α = β, false if α < β, null if the question is open, however narrow the bounds are.
    pub sharp: Option<bool>,
    /// Whether α and β differ by less than 10⁻¹⁵. This does not prove that they are equal.
    #[serde(skip)]
    pub narrow: bool,
    /// Worth of the move, as a share of the players' money before the payment. Negative if the mover is paid. Zero if neither side wants the move
    /// and bids may not be negative.
    pub bid: Interval,
    /// True if neither side is proved to want the move, false if the opposite is proved, null otherwise.
    pub zugzwang: Option<bool>,
    /// All moves of White, greatest lower bound first, then by UCI text.
    pub white: Vec<EnclosedMove>,
    /// All moves of Black, least upper bound first, then by UCI text.
    pub black: Vec<EnclosedMove>,
}

/// Formats a multiple of 2^−63 with this number of decimals, at most 18, rounded down or up.
fn decimal(number: i128, up: bool, decimals: usize) -> String {
    let scale = (0..decimals).fold(1, |scale: i128, _| scale * 10);
    let scaled = number * scale;
    let floor = scaled.div_euclid(i128::from(ONE));
    let whole = floor + i128::from(up && scaled.rem_euclid(i128::from(ONE)) != 0);
    let (sign, size) = (if whole < 0 { "-" } else { "" }, whole.unsigned_abs());
    let scale = scale.unsigned_abs();
    format!("{sign}{}.{:0decimals$}", size / scale, size % scale)
}

/// Formats bounds given as multiples of 2^−63.
pub(super) fn enclosure(bounds: [i128; 2]) -> Interval {
    enclosure_to(bounds, DECIMALS)
}

/// Formats bounds given as multiples of 2^−63 with this number of decimals.
pub(super) fn enclosure_to([low, high]: [i128; 2], decimals: usize) -> Interval {
    Interval { lo: decimal(low, false, decimals), hi: decimal(high, true, decimals) }
}

/// Move in UCI and in SAN, with the bounds of the position after it.
type BoundedMove = (String, String, [i128; 2]);

/// Bounds of the value after a side's best move, from the bounds after each move; `here`, the bounds of the position itself, if there is none.
pub(super) fn best_bounds(mover: Color, moves: impl Iterator<Item = [i128; 2]> + Clone, here: [i128; 2]) -> [i128; 2] {
    let best = |end: usize| {
        let all = moves.clone().map(|bounds| bounds[end]);
        match mover {
            Color::White => all.max(),
            Color::Black => all.min(),
        }
    };
    [best(0).unwrap_or(here[0]), best(1).unwrap_or(here[1])]
}

/// Publishes the moves of a side, and returns the bounds of the value after the best move.
fn publish_moves(mut moves: Vec<BoundedMove>, mover: Color, here: [i128; 2]) -> (Vec<EnclosedMove>, [i128; 2]) {
    // Black wants the least value: White's order with the sign changed.
    let wish = |[low, high]: [i128; 2]| match mover {
        Color::White => [low, high],
        Color::Black => [-high, -low],
    };
    let best = best_bounds(mover, moves.iter().map(|(_, _, worth)| *worth), here);
    moves.sort_by(|a, b| wish(b.2)[0].cmp(&wish(a.2)[0]).then_with(|| a.0.cmp(&b.0)));
    let tell = |(uci, san, worth): BoundedMove| EnclosedMove {
        uci,
        san,
        value: enclosure(worth),
        best: wish(worth)[1] >= wish(best)[0],
    };
    (moves.into_iter().map(tell).collect(), best)
}

/// Returns whether neither side wants to move, from the bounds of the difference of both sides' best values; `None` if that is not proved.
pub(super) fn is_zugzwang(wanted: [i128; 2]) -> Option<bool> {
    match wanted {
        [_, high] if high < 0 => Some(true),
        [low, _] if low >= 0 => Some(false),
        [_, _] => None,
    }
}

impl Question {
    /// Answer under a bidding mechanism. Returns `None` if no table covers the position, the game is over, or `stop` fires.
    ///
    /// The first request for a mechanism solves all positions that can follow from this one. With a pawn on the 8×8 board this takes a few seconds.
    ///
    /// Panics if `table` belongs to another board.
    pub fn enclosed(&self, table: &Table, mechanism: Mechanism, stop: Stop) -> Option<BoundedAnswer> {
        assert_eq!(self.size, table.size(), "the table belongs to another board");
        let TableCoverage::Covered { reversed, .. } = self.coverage else { return None };
        let frame = TablePosition { table, reversed, stop };
        let number = frame.number(&self.position)?;
        let intervals = frame.intervals(mechanism, number)?;
        let value = |position: &Position| Some(frame.own_bounds(&intervals, frame.number(position)?));
        let here = frame.own_bounds(&intervals, number);
        let side = |mover| {
            let bounded = |MoveOutcome { uci, san, next, .. }: MoveOutcome| Some((uci, san, value(&next)?));
            let moves =
                move_outcomes(table, &self.position, mover).into_iter().map(bounded).collect::<Option<Vec<_>>>()?;
            Some(publish_moves(moves, mover, here))
        };
        let ((white, most), (black, least)) = (side(Color::White)?, side(Color::Black)?);
        let wanted = [most[0] - least[1], most[1] - least[0]];
        let bid = [mechanism.bid(wanted[0])[0], mechanism.bid(wanted[1])[1]];
        Some(BoundedAnswer {
            alpha: enclosure(here),
            beta: enclosure(here),
            sharp: (here[0] == here[1]).then_some(true),
            narrow: here[1] - here[0] <= i128::from(NARROW),
            bid: enclosure(bid),
            zugzwang: is_zugzwang(wanted),
            white,
            black,
        })
    }

    /// Bounds of the share of the money below which Black must be, under a mechanism. Returns `None` if no table covers the position or the game is
    /// over.
    ///
    /// Panics if `table` belongs to another board.
    pub fn share(&self, table: &Table, mechanism: Mechanism) -> Option<Interval> {
        assert_eq!(self.size, table.size(), "the table belongs to another board");
        let TableCoverage::Covered { reversed, .. } = self.coverage else { return None };
        let frame = TablePosition { table, reversed, stop: NEVER_STOP };
        let number = frame.number(&self.position)?;
        Some(enclosure(frame.own_bounds(&*frame.intervals(mechanism, number)?, number)))
    }

    /// Checks in whole numbers that the enclosures behind this answer bound solutions of the mechanism's equations: no lower bound exceeds its
    /// operator value, and no upper bound is below it. Returns `None` if there are no enclosures.
    pub fn certified(&self, table: &Table, mechanism: Mechanism) -> Option<bool> {
        let TableCoverage::Covered { reversed, .. } = self.coverage else { return None };
        let frame = TablePosition { table, reversed, stop: NEVER_STOP };
        let intervals = frame.intervals(mechanism, frame.number(&self.position)?)?;
        Some(intervals.certified(&table.graphs()))
    }
}

/// View of a position in the numbering of the table, which has the extra piece on White's side.
pub(super) struct TablePosition<'t> {
    pub(super) table: &'t Table,
    pub(super) reversed: bool,
    pub(super) stop: Stop<'t>,
}

impl TablePosition<'_> {
    pub(super) fn number(&self, position: &Position) -> Option<Id> {
        let size = self.table.size();
        let flipped = if self.reversed { reverse(size, position) } else { *position };
        match coverage(size, &flipped) {
            TableCoverage::Covered { setup, .. } => Some(self.table.index().id(setup)),
            TableCoverage::Over { winner: Color::White } => Some(WON),
            TableCoverage::Over { winner: Color::Black } => Some(LOST),
            TableCoverage::Uncovered(_) => None,
        }
    }

    /// Enclosures under a mechanism that cover a numbered position.
    pub(super) fn intervals(&self, mechanism: Mechanism, id: Id) -> Option<Arc<Intervals>> {
        self.table.intervals(if self.reversed { mechanism.reversed() } else { mechanism }, id, self.stop)
    }

    /// Bounds of a numbered position in the colours of the original position, as multiples of 2^−63.
    pub(super) fn own_bounds(&self, intervals: &Intervals, id: Id) -> [i128; 2] {
        let [low, high] = intervals.of(id).map(i128::from);
        if self.reversed { [i128::from(ONE) - high, i128::from(ONE) - low] } else { [low, high] }
    }

    /// Positions after the moves of both sides, from the point of view of `player`.
    pub(super) fn paths(&self, here: Id, player: Color, sides: &[Vec<MoveOutcome>; 2]) -> Option<Paths> {
        let numbers = |color: Color| -> Option<Vec<Id>> {
            let moves = &sides[color.index()];
            if moves.is_empty() {
                return Some(vec![here]);
            }
            moves.iter().map(|outlook| self.number(&outlook.next)).collect()
        };
        let as_numbered = if self.reversed { !player } else { player };
        Some(Paths { player: as_numbered, here, own: numbers(player)?, other: numbers(!player)? })
    }
}

/// The position with colours exchanged and ranks mirrored.
pub(super) fn reverse(size: Size, position: &Position) -> Position {
    let board = rules(size);
    let mut reversed = Position::EMPTY;
    for (square, mut piece) in position.pieces() {
        piece.color = !piece.color;
        reversed.put(board, Square::new(square.file(), size.height() - 1 - square.rank()), piece);
    }
    reversed
}
