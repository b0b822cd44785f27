//! The answer about a position under any mechanism of bidding: enclosures of its values, of the bid and of all moves.

use std::sync::Arc;

use serde::Serialize;

use super::{
    Stop, TO_THE_END,
    answer::{MoveOutcome, outlooks},
    bidding_mechanism::{Intervals, Mechanism, ONE},
    move_graph::rules,
    position_index::{Id, LOST, WON},
    position_query::{Question, TableCoverage, standing},
    table::Table,
    thresholds::Paths,
};
use crate::board::{Color, Position, Size, Square};

/// The number of decimals that are written.
const DECIMALS: usize = 12;
/// The same for bounds that are proved to a few of the last bits.
pub(super) const MORE_DECIMALS: usize = 18;
/// 10 to the number of decimals that makes two bounds as good as one.
const SCALE: i128 = 1_000_000_000_000;

/// Two decimal numbers between which a number lies; the lower one is rounded down and the upper one up.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Interval {
    /// Not above the number.
    #[cfg_attr(feature = "openapi", schema(example = "0.666666666666"))]
    pub lo: String,
    /// Not below the number.
    #[cfg_attr(feature = "openapi", schema(example = "0.666666666667"))]
    pub hi: String,
}

/// A move of one side under a mechanism of bidding.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct EnclosedMove {
    /// The move in UCI.
    pub uci: String,
    /// The move in SAN; the capture of a king ends with `#`.
    pub san: String,
    /// The value of the position after it.
    pub value: Interval,
    /// True unless another move of this side is proved better.
    pub best: bool,
}

/// What is known about a position under a mechanism of bidding. Values are the share of the players' money below which Black must be for
/// White to win.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct BoundedAnswer {
    /// The least solution: what White can force.
    pub alpha: Interval,
    /// The greatest solution: what Black cannot overcome.
    pub beta: Interval,
    /// True where both are enclosed within 10⁻¹², false where it is proved that α < β, null otherwise.
    pub sharp: Option<bool>,
    /// What the move is worth, as a share of the players' money before the payment; negative where the mover is paid, and zero where nobody
    /// wants the move and nobody can be paid for it.
    pub bid: Interval,
    /// True if it is proved that neither side wants to move, false if it is proved that one does or that it is all the same; null otherwise.
    pub zugzwang: Option<bool>,
    /// All moves of White, the greatest lower bounds first, equal ones in the order of their UCI text.
    pub white: Vec<EnclosedMove>,
    /// All moves of Black, the least upper bounds first, equal ones in the order of their UCI text.
    pub black: Vec<EnclosedMove>,
}

/// A multiple of 2^−63 as a decimal number with so many decimals, 18 at most, rounded down or up.
fn decimal(number: i128, up: bool, decimals: usize) -> String {
    let scale = (0..decimals).fold(1, |scale: i128, _| scale * 10);
    let scaled = number * scale;
    let floor = scaled.div_euclid(i128::from(ONE));
    let whole = floor + i128::from(up && scaled.rem_euclid(i128::from(ONE)) != 0);
    let (sign, size) = (if whole < 0 { "-" } else { "" }, whole.unsigned_abs());
    let scale = scale.unsigned_abs();
    format!("{sign}{}.{:0decimals$}", size / scale, size % scale)
}

/// A number between two multiples of 2^−63.
pub(super) fn enclosure(bounds: [i128; 2]) -> Interval {
    enclosure_to(bounds, DECIMALS)
}

/// The same with so many decimals.
pub(super) fn enclosure_to([low, high]: [i128; 2], decimals: usize) -> Interval {
    Interval { lo: decimal(low, false, decimals), hi: decimal(high, true, decimals) }
}

/// A move by its names in UCI and in SAN, with the bounds of what it leads to.
pub(super) type BoundedMove = (String, String, [i128; 2]);

/// The moves of a side, and the bounds of the value after the best one; those of the position itself if there is none.
pub(super) fn told(
    mut moves: Vec<BoundedMove>,
    mover: Color,
    here: [i128; 2],
    decimals: usize,
) -> (Vec<EnclosedMove>, [i128; 2]) {
    // Black wants the least value, which is White's greatest with the sign changed.
    let wish = |[low, high]: [i128; 2]| match mover {
        Color::White => [low, high],
        Color::Black => [-high, -low],
    };
    let wished = |end: usize| moves.iter().map(|(_, _, worth)| wish(*worth)[end]).max();
    let best = match (wished(0), wished(1)) {
        (Some(low), Some(high)) => wish([low, high]),
        (None, _) | (_, None) => here,
    };
    moves.sort_by(|a, b| wish(b.2)[0].cmp(&wish(a.2)[0]).then_with(|| a.0.cmp(&b.0)));
    let tell = |(uci, san, worth): BoundedMove| EnclosedMove {
        uci,
        san,
        value: enclosure_to(worth, decimals),
        best: wish(worth)[1] >= wish(best)[0],
    };
    (moves.into_iter().map(tell).collect(), best)
}

/// Whether it is proved that neither side wants to move, by the bounds of what the move is worth to both together.
pub(super) fn unwanted(wanted: [i128; 2]) -> Option<bool> {
    match wanted {
        [_, high] if high < 0 => Some(true),
        [low, _] if low >= 0 => Some(false),
        [_, _] => None,
    }
}

impl Question {
    /// What is known under a mechanism of bidding; none where no table covers the position, the game is over, or `stop` says so. The first question about
    /// a mechanism solves the positions that can come of this one, with a pawn for some seconds on the ordinary board. Panics if the table is
    /// one of another board.
    pub fn enclosed(&self, table: &Table, mechanism: Mechanism, stop: Stop) -> Option<BoundedAnswer> {
        assert_eq!(self.size, table.size(), "the table of another board");
        let TableCoverage::Covered { reversed, .. } = self.standing else { return None };
        let frame = TablePosition { table, reversed, stop };
        let number = frame.number(&self.position)?;
        let intervals = frame.intervals(mechanism, number)?;
        let value = |position: &Position| Some(frame.seen(&intervals, frame.number(position)?));
        let here = frame.seen(&intervals, number);
        let side = |mover| {
            let bounded = |MoveOutcome { uci, san, next, .. }: MoveOutcome| Some((uci, san, value(&next)?));
            let moves = outlooks(table, &self.position, mover).into_iter().map(bounded).collect::<Option<Vec<_>>>()?;
            Some(told(moves, mover, here, DECIMALS))
        };
        let ((white, most), (black, least)) = (side(Color::White)?, side(Color::Black)?);
        let wanted = [most[0] - least[1], most[1] - least[0]];
        let bid = [mechanism.bid(wanted[0])[0], mechanism.bid(wanted[1])[1]];
        let narrow = (here[1] - here[0]) * SCALE <= i128::from(ONE);
        Some(BoundedAnswer {
            alpha: enclosure(here),
            beta: enclosure(here),
            sharp: narrow.then_some(true),
            bid: enclosure(bid),
            zugzwang: unwanted(wanted),
            white,
            black,
        })
    }

    /// Bounds of the share of the money below which Black must be, under a mechanism; nothing where no table covers the position or the game is
    /// over. Panics if the table is one of another board.
    pub fn share(&self, table: &Table, mechanism: Mechanism) -> Option<Interval> {
        assert_eq!(self.size, table.size(), "the table of another board");
        let TableCoverage::Covered { reversed, .. } = self.standing else { return None };
        let frame = TablePosition { table, reversed, stop: TO_THE_END };
        let number = frame.number(&self.position)?;
        Some(enclosure(frame.seen(&*frame.intervals(mechanism, number)?, number)))
    }

    /// Tells, exactly and in whole numbers, whether the enclosures that answer this question bound solutions of the mechanism's equations:
    /// the lower bounds are nowhere above what they give rise to, and the upper ones nowhere below. Nothing where there are none.
    pub fn certified(&self, table: &Table, mechanism: Mechanism) -> Option<bool> {
        let TableCoverage::Covered { reversed, .. } = self.standing else { return None };
        let frame = TablePosition { table, reversed, stop: TO_THE_END };
        let intervals = frame.intervals(mechanism, frame.number(&self.position)?)?;
        Some(intervals.certified(&table.graphs()))
    }
}

/// A position as the table numbers it: with the extra piece on White's side.
pub(super) struct TablePosition<'t> {
    pub(super) table: &'t Table,
    pub(super) reversed: bool,
    pub(super) stop: Stop<'t>,
}

impl TablePosition<'_> {
    pub(super) fn number(&self, position: &Position) -> Option<Id> {
        let size = self.table.size();
        let flipped = if self.reversed { reverse(size, position) } else { *position };
        match standing(size, &flipped) {
            TableCoverage::Covered { setup, .. } => Some(self.table.index().id(setup)),
            TableCoverage::Over { winner: Color::White } => Some(WON),
            TableCoverage::Over { winner: Color::Black } => Some(LOST),
            TableCoverage::Beyond(_) => None,
        }
    }

    /// The enclosures under a mechanism, as they bear on a numbered position.
    pub(super) fn intervals(&self, mechanism: Mechanism, id: Id) -> Option<Arc<Intervals>> {
        self.table.intervals(if self.reversed { mechanism.reversed() } else { mechanism }, id, self.stop)
    }

    /// The bounds of a numbered position as its own colours see it, as multiples of 2^−63.
    pub(super) fn seen(&self, intervals: &Intervals, id: Id) -> [i128; 2] {
        let [low, high] = intervals.of(id).map(i128::from);
        if self.reversed { [i128::from(ONE) - high, i128::from(ONE) - low] } else { [low, high] }
    }

    /// Where the moves lead, for one side.
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

/// The same position with colours and ranks changed.
pub(super) fn reverse(size: Size, position: &Position) -> Position {
    let board = rules(size);
    let mut reversed = Position::EMPTY;
    for (square, mut piece) in position.pieces() {
        piece.color = !piece.color;
        reversed.put(board, Square::new(square.file(), size.height() - 1 - square.rank()), piece);
    }
    reversed
}
