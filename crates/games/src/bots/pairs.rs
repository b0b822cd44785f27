//! Results of pairs of games as counts, and what they say about the worth of a piece: a measured estimate with its interval, in
//! floating point, never a price.

use std::{fmt, str::FromStr};

/// So many standard deviations to each side hold 95 of a hundred results.
pub(super) const WIDTH: f64 = 1.96;

/// Results of pairs of games, by the half points that the army with the piece made in the two games of a pair: how many pairs brought
/// 0, 1, 2, 3 and 4.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Pairs(pub [u32; 5]);

/// The worth of a piece in knights, as measured: the middle of the estimate and the ends of its 95 % interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Gauge {
    /// The lower end of the interval.
    pub low: f64,
    /// The estimate.
    pub worth: f64,
    /// The upper end of the interval.
    pub high: f64,
}

impl Pairs {
    /// Counts a pair that brought so many half points.
    pub fn count(&mut self, half_points: usize) {
        self.0[half_points] += 1;
    }

    /// The number of pairs.
    pub fn played(&self) -> u32 {
        self.0.iter().sum()
    }

    /// The share of the points that the army with the piece made, from 0 to 1, and its variance. One pair won and one lost are added,
    /// so that neither becomes certain where all games came out alike.
    pub fn share(&self) -> (f64, f64) {
        let mut counts = self.0.map(f64::from);
        counts[0] += 1.0;
        counts[4] += 1.0;
        let points = |half_points: usize| half_points as f64 / 4.0;
        let number: f64 = counts.iter().sum();
        let sum = |of: &dyn Fn(f64) -> f64| -> f64 {
            counts.iter().enumerate().map(|(half_points, count)| count * of(points(half_points))).sum()
        };
        let mean = sum(&|points| points) / number;
        let spread = sum(&|points| (points - mean).powi(2)) / number;
        (mean, spread / number)
    }

    /// The lead as the logarithm of the odds, and its variance.
    fn lead(&self) -> (f64, f64) {
        let (share, variance) = self.share();
        let slope = 1.0 / (share * (1.0 - share));
        ((share / (1.0 - share)).ln(), variance * slope * slope)
    }

    /// The worth of the piece of which two stood in the place of two knights. `ruler` holds the results of the army that lacks one
    /// knight: by as much as it falls behind, as the logarithm of the odds, one knight counts. Both uncertainties are in the interval.
    pub fn gauge(&self, ruler: &Pairs) -> Gauge {
        let (lead, variance) = self.lead();
        let (lack, lack_variance) = ruler.lead();
        let knight = -lack;
        let more = lead / (2.0 * knight);
        let deviation = (variance + (lead / knight).powi(2) * lack_variance).sqrt() / (2.0 * knight.abs());
        Gauge { low: 1.0 + more - WIDTH * deviation, worth: 1.0 + more, high: 1.0 + more + WIDTH * deviation }
    }
}

/// The five counts with spaces between.
impl fmt::Display for Pairs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [lost, less, even, more, won] = self.0;
        write!(f, "{lost} {less} {even} {more} {won}")
    }
}

impl FromStr for Pairs {
    type Err = String;
    fn from_str(text: &str) -> Result<Pairs, String> {
        let counts: Option<Vec<u32>> = text.split_whitespace().map(|count| count.parse().ok()).collect();
        let counts = counts.and_then(|counts| counts.try_into().ok());
        counts.map(Pairs).ok_or_else(|| format!("“{text}” is not five counts"))
    }
}
