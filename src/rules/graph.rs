//! What both seats own from turn to turn, as two lines: for games whose purses do not share one sum. Knows no game.

use std::fmt::Write;

use num_rational::Ratio;
use serde::Serialize;

use super::diagram::{Amount, Pair};

/// What both seats owned, turn by turn, from the first to the last.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
#[serde(transparent)]
pub struct Lines(pub Vec<Pair<Amount>>);

/// The drawing's own measures.
const WIDTH: i128 = 600;
const HEIGHT: i128 = 160;
/// Left free above and below the lines.
const MARGIN: i128 = 8;
/// No more turns than this are read out.
const SPOKEN: usize = 40;

impl Lines {
    /// The most that anybody owned.
    pub fn most(&self) -> Amount {
        let all = self.0.iter().flat_map(|pair| [pair.one.0, pair.two.0]);
        Amount(all.max().unwrap_or(Ratio::ZERO))
    }

    /// Seat one's line as the corners of a polyline in a drawing 600 wide and 160 high.
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
        let steps = (self.0.len() as i128 - 1).max(1);
        let mut points = String::new();
        for (index, pair) in self.0.iter().enumerate() {
            let share = wide(of(pair).0) / most * (HEIGHT - 2 * MARGIN);
            let (x, y) = (index as i128 * WIDTH / steps, HEIGHT - MARGIN - share.round().to_integer());
            // Writing to a string does not fail.
            let _ = write!(points, "{}{x},{y}", if index > 0 { " " } else { "" });
        }
        points
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
