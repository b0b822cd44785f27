//! Exact values written for people: fractions in groups of three digits, decimals, percents. Nothing is decided here.

use crate::richman::{Enclosure, Fraction};

/// Numbers with more digits than this are laid out in groups.
const SHORT: usize = 12;

/// A fraction as it is set.
#[derive(Clone, Debug)]
pub(in crate::web) struct Amount {
    /// The digits of the numerator in groups of three, with a minus sign if it is negative.
    pub(in crate::web) num: Vec<String>,
    /// The same of the denominator.
    pub(in crate::web) den: Vec<String>,
    /// The number of digits of the denominator.
    pub(in crate::web) digits: usize,
    /// Set if it has to be laid out over several lines.
    pub(in crate::web) long: bool,
    /// Set if there is nothing below the line.
    pub(in crate::web) whole: bool,
    /// The decimal with ten places.
    pub(in crate::web) decimal: String,
}

impl Amount {
    /// The numerator in one piece.
    pub(in crate::web) fn above(&self) -> String {
        self.num.concat()
    }

    /// The denominator in one piece.
    pub(in crate::web) fn below(&self) -> String {
        self.den.concat()
    }
}

impl From<&Fraction> for Amount {
    fn from(fraction: &Fraction) -> Amount {
        Amount {
            num: groups(&fraction.num),
            den: groups(&fraction.den),
            digits: fraction.den.len(),
            long: fraction.den.len() > SHORT,
            whole: fraction.den == "1",
            decimal: decimal(fraction.approx, 10),
        }
    }
}

/// A number that is enclosed, with so many places: once where both bounds look alike, else both.
pub(in crate::web) fn between(enclosure: &Enclosure, places: usize) -> String {
    let [low, high] = [&enclosure.lo, &enclosure.hi].map(|bound| decimal(bound.parse().unwrap_or_default(), places));
    if low == high { low } else { format!("between {low} and {high}") }
}

/// Digits in groups of three, counted from the right.
fn groups(number: &str) -> Vec<String> {
    let digits = number.trim_start_matches('-');
    let first = digits.len() % 3;
    let mut groups: Vec<String> = Vec::with_capacity(digits.len() / 3 + 1);
    if first > 0 {
        groups.push(digits[..first].to_owned());
    }
    groups.extend((first..digits.len()).step_by(3).map(|at| digits[at..at + 3].to_owned()));
    if number.starts_with('-')
        && let Some(first) = groups.first_mut()
    {
        first.insert(0, '−');
    }
    groups
}

/// A decimal with a true minus sign.
pub(in crate::web) fn decimal(value: f64, places: usize) -> String {
    format!("{value:.places$}").replace('-', "−")
}

/// A share in percent with two places.
pub(in crate::web) fn percent(value: f64) -> String {
    format!("{}\u{a0}%", decimal(value * 100.0, 2))
}

/// A whole number with a true minus sign.
pub(in crate::web) fn signed(number: i64) -> String {
    number.to_string().replace('-', "−")
}
