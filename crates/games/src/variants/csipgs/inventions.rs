//! The inventions of a game with the players' estimates of their cost. The catalogue is a text too, so that pieces can be tried outside the
//! game.

use std::{fmt, str::FromStr};

use num_rational::Ratio;

use crate::{
    board::{BetzaError, Invention, Name},
    rules::Refusal,
};

/// An exact cost in zorkmids. 128 bits, because twelve terms whose inventions cost up to 1000, in thousandths, multiplied with each
/// other, do not fit into 64.
pub type Exact = Ratio<i128>;

/// The most inventions that are read from a text.
const MOST: usize = 100;

/// The inventions of a game, with what they cost.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Catalogue {
    inventions: Vec<Invention>,
    estimates: Vec<Estimate>,
}

impl Catalogue {
    /// The inventions, for reading texts.
    pub fn inventions(&self) -> &[Invention] {
        &self.inventions
    }

    /// The inventions with their cost or multiplier.
    pub fn entries(&self) -> impl Iterator<Item = (Invention, Estimate)> + '_ {
        self.inventions.iter().copied().zip(self.estimates.iter().copied())
    }

    /// Adds an invention at a cost, or a multiplier.
    pub fn add(&mut self, invention: Invention, estimate: Estimate) {
        self.inventions.push(invention);
        self.estimates.push(estimate);
    }

    /// The cost of the invention of a name, or the factor by which it multiplies.
    pub(super) fn cost(&self, name: Name) -> Exact {
        let (_, estimate) = self
            .entries()
            .find(|(known, _)| known.name == name)
            .expect("a piece is priced with the inventions that it was read with");
        estimate.exact()
    }
}

/// `Horse lame(1,2) 2.4; Run runner 5`.
impl fmt::Display for Catalogue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (Invention { name, definition }, estimate)) in self.entries().enumerate() {
            write!(f, "{}{name} {definition} {estimate}", if index > 0 { "; " } else { "" })?;
        }
        Ok(())
    }
}

impl FromStr for Catalogue {
    type Err = Refusal;
    fn from_str(text: &str) -> Result<Catalogue, Refusal> {
        let mut catalogue = Catalogue::default();
        let mut at = 0;
        for entry in text.split(';') {
            let start = at + entry.len() - entry.trim_start().len();
            at += entry.len() + 1;
            let [name, definition, cost] = entry.split_whitespace().collect::<Vec<_>>()[..] else {
                if entry.trim().is_empty() {
                    continue;
                }
                let why = "an invention is a name, what it is, and what it costs, as in Horse lame(1,2) 2.4; several are parted by ;";
                return Err(Refusal::at(start, why));
            };
            let place = |word: &str| start + (word.as_ptr() as usize - entry.trim_start().as_ptr() as usize);
            let here = |word: &'_ str| {
                let from = place(word);
                move |wrong: BetzaError| Refusal::at(from + wrong.at, wrong.why)
            };
            let invention = Invention {
                name: name.parse().map_err(here(name))?,
                definition: definition.parse().map_err(here(definition))?,
            };
            if catalogue.inventions.iter().any(|known| known.name == invention.name) {
                return Err(Refusal::at(start, format!("{name} stands here twice")));
            }
            if catalogue.inventions.len() == MOST {
                return Err(Refusal::at(start, format!("at most {MOST} inventions are read")));
            }
            catalogue.add(invention, Estimate::read((place(cost), cost))?);
        }
        Ok(catalogue)
    }
}

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
