//! The players' estimates of what an invention costs, or by what it multiplies.

use std::fmt;

use super::exact::Exact;
use crate::rules::Refusal;

/// An estimate of what an invention costs or multiplies by: a decimal over 0 and up to 1000, of at most three places.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Estimate(pub u32);

impl Estimate {
    /// Reads the number that stands at `at` of a longer text.
    pub(super) fn read((at, text): (usize, &str)) -> Result<Estimate, Refusal> {
        let wrong =
            || Refusal::at(at, "an estimate is a number over 0 and up to 1000 with at most three decimals, as in 2.4");
        let (whole, places) = text.split_once('.').unwrap_or((text, "0"));
        let digits =
            |text: &str, most| !text.is_empty() && text.len() <= most && text.bytes().all(|byte| byte.is_ascii_digit());
        if !digits(whole, 4) || !digits(places, 3) {
            return Err(wrong());
        }
        let number = |text: &str| text.parse::<u32>().map_err(|_| wrong());
        let thousandths = number(whole)? * 1000 + number(&format!("{places:0<3}"))?;
        if (1..=1_000_000).contains(&thousandths) { Ok(Estimate(thousandths)) } else { Err(wrong()) }
    }

    /// As an exact number.
    pub(super) fn exact(self) -> Exact {
        Exact::new(i128::from(self.0), 1000)
    }

    /// The least estimate that is no less than an exact number, if there is one.
    pub(super) fn at_least(exact: Exact) -> Option<Estimate> {
        let thousandths = u32::try_from((exact * 1000).ceil().to_integer()).ok()?;
        (1..=1_000_000).contains(&thousandths).then_some(Estimate(thousandths))
    }
}

/// `2.4`, without zeros at the end.
impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, places) = (self.0 / 1000, self.0 % 1000);
        if places == 0 {
            write!(f, "{whole}")
        } else {
            write!(f, "{whole}.{}", format!("{places:03}").trim_end_matches('0'))
        }
    }
}
