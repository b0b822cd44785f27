//! Charts of what the seats own: lines from turn to turn, and pegs as on a cribbage board.

use crate::rules::diagram::{Amount, Pair};
use num_rational::Ratio;
use std::fmt::Write;

const WIDTH: i128 = 600;
const HEIGHT: i128 = 160;
/// Left free above and below the lines of purses.
const MARGIN: i128 = 8;
/// A line has about so many corners at most: more would lie closer together than a pen is wide.
const POINTS: usize = 120;
/// No more turns than this are read out.
const SPOKEN: usize = 40;

/// The length of a row: thirty holes, as on a cribbage board.
const ROW: usize = 30;
/// The rows of one player.
const ROWS: usize = 4;
/// From one row to the next, in millimetres.
const ACROSS: usize = 20;
/// From one hole to the next, in millimetres.
const ALONG: usize = 6;
/// What is left free besides after five holes, in millimetres.
const FREE: usize = 3;

/// Two purses that do not share one sum, as two lines.
pub struct Purses<'v>(&'v [Pair<Amount>]);

/// The purses of both seats, the first first.
pub fn purses(turns: &[Pair<Amount>]) -> Purses<'_> {
    Purses(turns)
}

impl Purses<'_> {
    /// The most that anybody owned.
    pub fn most(&self) -> Amount {
        let all = self.0.iter().flat_map(|pair| [pair.one.0, pair.two.0]);
        Amount(all.max().unwrap_or(Ratio::ZERO))
    }

    /// Seat one's line as the corners of a polyline.
    pub fn one(&self) -> String {
        self.line(|pair| pair.one)
    }

    /// Seat two's.
    pub fn two(&self) -> String {
        self.line(|pair| pair.two)
    }

    fn line(&self, of: impl Fn(&Pair<Amount>) -> Amount) -> String {
        let wide = |amount: Ratio<i64>| Ratio::new(i128::from(*amount.numer()), i128::from(*amount.denom()));
        let most = wide(self.most().0).max(Ratio::ONE);
        let height = |pair: &Pair<Amount>| {
            let share = wide(of(pair).0) / most * (HEIGHT - 2 * MARGIN);
            HEIGHT - MARGIN - share.round().to_integer()
        };
        corners(self.0.iter().map(height))
    }

    /// The last amounts of both, to be read instead of seen.
    pub fn words(&self, one: &str, two: &str) -> String {
        let from = self.0.len().saturating_sub(SPOKEN);
        let list = |of: fn(&Pair<Amount>) -> Amount| {
            self.0[from..].iter().map(|pair| of(pair).to_string()).collect::<Vec<_>>().join(", ")
        };
        let last = if from > 0 { format!(" The last {SPOKEN} turns are told.") } else { String::new() };
        format!("{one}, turn by turn: {}. {two}: {}.{last}", list(|pair| pair.one), list(|pair| pair.two))
    }
}

/// One side's share of a sum that never changes, as the corners of an area.
pub fn share(stacks: Vec<i64>, sum: i64) -> String {
    let height = |chips: &i64| HEIGHT - i128::from(*chips) * HEIGHT / i128::from(sum);
    let last = stacks.last().map_or(0, height);
    format!("0,{HEIGHT} {} {WIDTH},{last} {WIDTH},{HEIGHT}", corners(stacks.iter().map(height)))
}

/// Points at even distances from the left edge to the right one, the last one always among them.
fn corners(heights: impl ExactSizeIterator<Item = i128>) -> String {
    let steps = heights.len().saturating_sub(1);
    let apart = steps.div_ceil(POINTS).max(1);
    let mut points = String::new();
    for (index, y) in heights.enumerate().filter(|(index, _)| index % apart == 0 || *index == steps) {
        let x = index as i128 * WIDTH / (steps as i128).max(1);
        // Writing to a string does not fail.
        let _ = write!(points, "{}{x},{y}", if index > 0 { " " } else { "" });
    }
    points
}

/// A hole.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hole {
    /// The amount that a peg in it stands for, 1 to 120.
    pub amount: usize,
    /// Its place from the left edge of the player's half, in millimetres.
    pub x: usize,
    /// Its place from the upper edge of the rows, in millimetres.
    pub y: usize,
}

/// The holes of one player, in the order in which they are counted.
pub fn holes() -> impl Iterator<Item = Hole> {
    (0..ROW * ROWS).map(|hole| {
        let (row, along) = (hole / ROW, hole % ROW);
        let down = if row % 2 == 0 { ROW - 1 - along } else { along };
        Hole { amount: hole + 1, x: row * ACROSS, y: down * ALONG + down / 5 * FREE }
    })
}
