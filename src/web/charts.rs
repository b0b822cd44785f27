//! Charts of the seats' money: lines over the turns, and pegs as on a cribbage board.

use crate::rules::diagram::{Amount, Pair};
use num_rational::Ratio;
use std::fmt::Write;

const WIDTH: i128 = 600;
const HEIGHT: i128 = 160;
/// Margin above and below the lines.
const MARGIN: i128 = 8;
/// Maximum number of points of a line. More points would overlap.
const POINTS: usize = 120;
/// Most turns in a chart's text for screen readers.
const SPOKEN: usize = 40;

/// Holes in a row, as on a cribbage board.
const ROW: usize = 30;
/// Rows of one player.
const ROWS: usize = 4;
/// Distance between rows, in millimetres.
const ACROSS: usize = 20;
/// Distance between holes, in millimetres.
const ALONG: usize = 6;
/// Extra space after five holes, in millimetres.
const FREE: usize = 3;

/// The purses of both seats as one line if their sum is constant, and as two lines otherwise.
pub struct Purses<'v>(&'v [Pair<Amount>]);

/// The purses of both seats over the turns.
pub fn purses(turns: &[Pair<Amount>]) -> Purses<'_> {
    Purses(turns)
}

impl Purses<'_> {
    /// The sum of both amounts, if it never changes. Then seat one's line alone says everything.
    pub fn constant_sum(&self) -> Option<Amount> {
        let sum = |pair: &Pair<Amount>| pair.one.0 + pair.two.0;
        let first = sum(self.0.first()?);
        self.0.iter().all(|pair| sum(pair) == first).then_some(Amount(first))
    }

    /// The largest amount of either seat.
    fn most(&self) -> Amount {
        let all = self.0.iter().flat_map(|pair| [pair.one.0, pair.two.0]);
        Amount(all.max().unwrap_or(Ratio::ZERO))
    }

    /// Amount at the top of the scale: the constant sum, or the largest amount.
    pub fn scale(&self) -> Amount {
        self.constant_sum().unwrap_or_else(|| self.most())
    }

    /// Seat one's line as the points of a polyline.
    pub fn one(&self) -> String {
        self.line(|pair| pair.one)
    }

    /// Seat two's line as the points of a polyline.
    pub fn two(&self) -> String {
        self.line(|pair| pair.two)
    }

    fn line(&self, of: impl Fn(&Pair<Amount>) -> Amount) -> String {
        let wide = |amount: Ratio<i64>| Ratio::new(i128::from(*amount.numer()), i128::from(*amount.denom()));
        let most = wide(self.scale().0).max(Ratio::ONE);
        let height = |pair: &Pair<Amount>| {
            let share = wide(of(pair).0) / most * (HEIGHT - 2 * MARGIN);
            HEIGHT - MARGIN - share.round().to_integer()
        };
        corners(self.0.iter().map(height))
    }

    /// The last amounts of both seats, for screen readers.
    pub fn words(&self, one: &str, two: &str) -> String {
        let from = self.0.len().saturating_sub(SPOKEN);
        let list = |of: fn(&Pair<Amount>) -> Amount| {
            self.0[from..].iter().map(|pair| of(pair).to_string()).collect::<Vec<_>>().join(", ")
        };
        let last = if from > 0 { format!(" Only the last {SPOKEN} turns are listed.") } else { String::new() };
        format!("{one}, turn by turn: {}. {two}: {}.{last}", list(|pair| pair.one), list(|pair| pair.two))
    }
}

/// One side's share of a constant sum, as the points of an area.
pub fn share(stacks: Vec<i64>, sum: i64) -> String {
    let height = |chips: &i64| HEIGHT - i128::from(*chips) * HEIGHT / i128::from(sum);
    let last = stacks.last().map_or(0, height);
    format!("0,{HEIGHT} {} {WIDTH},{last} {WIDTH},{HEIGHT}", corners(stacks.iter().map(height)))
}

/// Points at even intervals from the left edge to the right edge, always with the last one.
fn corners(heights: impl ExactSizeIterator<Item = i128>) -> String {
    let steps = heights.len().saturating_sub(1);
    let apart = steps.div_ceil(POINTS).max(1);
    let mut points = String::new();
    for (index, y) in heights.enumerate().filter(|(index, _)| index % apart == 0 || *index == steps) {
        let x = index as i128 * WIDTH / (steps as i128).max(1);
        // Writing to a string cannot fail.
        let _ = write!(points, "{}{x},{y}", if index > 0 { " " } else { "" });
    }
    points
}

/// A hole.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hole {
    /// The amount of a peg in this hole, 1 to 120.
    pub amount: usize,
    /// Distance from the left edge of the player's half, in millimetres.
    pub x: usize,
    /// Distance from the top edge of the rows, in millimetres.
    pub y: usize,
}

/// The holes of one player, in counting order.
pub fn holes() -> impl Iterator<Item = Hole> {
    (0..ROW * ROWS).map(|hole| {
        let (row, along) = (hole / ROW, hole % ROW);
        let down = if row % 2 == 0 { ROW - 1 - along } else { along };
        Hole { amount: hole + 1, x: row * ACROSS, y: down * ALONG + down / 5 * FREE }
    })
}
