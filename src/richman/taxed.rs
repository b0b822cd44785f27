//! The answer about a position where the bank takes a share of every payment: enclosures of its values, of the bid and of all moves.

use serde::Serialize;
use utoipa::ToSchema;

use super::{
    answer::{Outlook, outlooks},
    bank::{Bounds, ONE, Tax},
    frame::Frame,
    question::{Question, Standing},
    table::Table,
};
use crate::board::{Color, Position};

/// The number of decimals that are written.
const DECIMALS: usize = 12;
/// 10 to that number.
const SCALE: i128 = 1_000_000_000_000;

/// Two decimal numbers between which a number lies; the lower one is rounded down and the upper one up.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct Enclosure {
    /// Not above the number.
    #[schema(example = "0.666666666666")]
    pub lo: String,
    /// Not below the number.
    #[schema(example = "0.666666666667")]
    pub hi: String,
}

/// A move of one side, where the bank takes a share.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct TaxedMove {
    /// The move in UCI.
    pub uci: String,
    /// The move in SAN; the capture of a king ends with `#`.
    pub san: String,
    /// The value of the position after it.
    pub value: Enclosure,
    /// True unless another move of this side is proved better.
    pub best: bool,
}

/// What is known about a position where the bank takes a share of every payment. Values are the share of the players' money below which
/// Black must be for White to win.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct Taxed {
    /// The least solution: what White can force.
    pub alpha: Enclosure,
    /// The greatest solution: what Black cannot overcome.
    pub beta: Enclosure,
    /// True where both are enclosed within 10⁻¹²; null where they are not.
    pub sharp: Option<bool>,
    /// What the move is worth, as a share of the players' money before the payment; negative where the mover is paid.
    pub bid: Enclosure,
    /// True if the bid is proved negative, false if it is proved not to be; null otherwise.
    pub zugzwang: Option<bool>,
    /// All moves of White, the greatest lower bounds first, equal ones in the order of their UCI text.
    pub white: Vec<TaxedMove>,
    /// All moves of Black, the least upper bounds first, equal ones in the order of their UCI text.
    pub black: Vec<TaxedMove>,
}

/// A multiple of 2^−63 as a decimal number, rounded down or up.
fn decimal(number: i128, up: bool) -> String {
    let scaled = number * SCALE;
    let floor = scaled.div_euclid(i128::from(ONE));
    let whole = floor + i128::from(up && scaled.rem_euclid(i128::from(ONE)) != 0);
    let (sign, size) = (if whole < 0 { "-" } else { "" }, whole.unsigned_abs());
    let scale = SCALE.unsigned_abs();
    format!("{sign}{}.{:0DECIMALS$}", size / scale, size % scale)
}

fn enclosure([low, high]: [i128; 2]) -> Enclosure {
    Enclosure { lo: decimal(low, false), hi: decimal(high, true) }
}

/// The bounds of a position as its own colours see it.
fn seen(bounds: &Bounds, frame: &Frame, id: u32) -> [i128; 2] {
    let [low, high] = bounds.of(id).map(i128::from);
    if frame.reversed { [i128::from(ONE) - high, i128::from(ONE) - low] } else { [low, high] }
}

/// The moves of a side, and the bounds of the value after the best one; those of the position itself if there is none.
fn told(outlooks: Vec<Outlook>, worths: &[[i128; 2]], mover: Color, here: [i128; 2]) -> (Vec<TaxedMove>, [i128; 2]) {
    // Black wants the least value, which is White's greatest with the sign changed.
    let wish = |[low, high]: [i128; 2]| match mover {
        Color::White => [low, high],
        Color::Black => [-high, -low],
    };
    let wished = |end: usize| worths.iter().map(|worth| wish(*worth)[end]).max();
    let best = match (wished(0), wished(1)) {
        (Some(low), Some(high)) => wish([low, high]),
        (None, _) | (_, None) => here,
    };
    let mut moves: Vec<(Outlook, [i128; 2])> = outlooks.into_iter().zip(worths.iter().copied()).collect();
    moves.sort_by(|a, b| wish(b.1)[0].cmp(&wish(a.1)[0]).then_with(|| a.0.uci.cmp(&b.0.uci)));
    let tell = |(outlook, worth): (Outlook, [i128; 2])| TaxedMove {
        uci: outlook.uci,
        san: outlook.san,
        value: enclosure(worth),
        best: wish(worth)[1] >= wish(best)[0],
    };
    (moves.into_iter().map(tell).collect(), best)
}

impl Question {
    /// What is known where the bank takes a share of every payment; nothing where no table covers the position or the game is over. The
    /// first question about a share solves its whole board, for some seconds on the ordinary one. Panics if the table is one of another board.
    pub fn taxed(&self, table: &Table, tax: Tax) -> Option<Taxed> {
        assert_eq!(self.size, table.size(), "the table of another board");
        let Standing::Covered { reversed, .. } = self.standing else { return None };
        let frame = Frame { table, reversed };
        let bounds = table.bounds(tax);
        let value = |position: &Position| Some(seen(&bounds, &frame, frame.number(position)?));
        let here = value(&self.position)?;
        let side = |mover| {
            let outlooks = outlooks(table, &self.position, mover);
            let worths = outlooks.iter().map(|outlook| value(&outlook.next)).collect::<Option<Vec<[i128; 2]>>>()?;
            Some(told(outlooks, &worths, mover, here))
        };
        let ((white, most), (black, least)) = (side(Color::White)?, side(Color::Black)?);
        let bid = [tax.bid(most[0] - least[1])[0], tax.bid(most[1] - least[0])[1]];
        let narrow = (here[1] - here[0]) * SCALE <= i128::from(ONE);
        let zugzwang = match bid {
            [_, high] if high < 0 => Some(true),
            [low, _] if low >= 0 => Some(false),
            [_, _] => None,
        };
        Some(Taxed {
            alpha: enclosure(here),
            beta: enclosure(here),
            sharp: narrow.then_some(true),
            bid: enclosure(bid),
            zugzwang,
            white,
            black,
        })
    }
}

impl Table {
    /// Tells, exactly and in whole numbers, whether the bounds for a share of the bank bound solutions of its equations: the lower ones are
    /// nowhere above what they give rise to, and the upper ones nowhere below.
    pub fn certifies(&self, tax: Tax) -> bool {
        self.bounds(tax).certified(&self.graphs())
    }
}
