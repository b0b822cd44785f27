//! Inventions of a game with the players' estimates of their costs.
//!
//! A catalogue has a text form, so that pieces can be tried outside a game.

use std::{fmt, str::FromStr};

use num_rational::Ratio;

use crate::{
    board::{BetzaError, Invention, Name},
    rules::Refusal,
};

/// Exact cost in zorkmids. Needs 128 bits: fractions of twelve terms with multiplied estimates, up to 1000 each in
/// thousandths, overflow 64.
pub type Exact = Ratio<i128>;

/// Maximum number of inventions read from a text.
const MOST: usize = 100;

/// Inventions of a game with their costs.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Catalogue {
    inventions: Vec<Invention>,
    estimates: Vec<Estimate>,
}

impl Catalogue {
    /// Inventions, for parsing pieces.
    pub fn inventions(&self) -> &[Invention] {
        &self.inventions
    }

    /// Inventions with their costs or factors.
    pub fn entries(&self) -> impl Iterator<Item = (Invention, Estimate)> + '_ {
        self.inventions.iter().copied().zip(self.estimates.iter().copied())
    }

    /// Adds an invention with its cost or factor.
    pub fn add(&mut self, invention: Invention, estimate: Estimate) {
        self.inventions.push(invention);
        self.estimates.push(estimate);
    }

    /// Cost or factor of the invention with this name; 1 for one without a name, which has no price.
    pub(super) fn cost(&self, name: Name) -> Exact {
        if name == Name::NONE {
            return Exact::ONE;
        }
        let (_, estimate) = self
            .entries()
            .find(|(known, _)| known.name == name)
            .expect("a piece is priced with the inventions that it was read with");
        estimate.exact()
    }
}

/// Formats as `Horse lame(1,2) 2.4; Run runner 5`.
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
                let why = "write an invention as name, definition and cost, as in Horse lame(1,2) 2.4; separate several with ;";
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
                return Err(Refusal::at(start, format!("{name} is listed twice: give each invention its own name")));
            }
            if catalogue.inventions.len() == MOST {
                return Err(Refusal::at(start, format!("there are more than {MOST} inventions: remove some")));
            }
            catalogue.add(invention, Estimate::read((place(cost), cost))?);
        }
        Ok(catalogue)
    }
}

/// Estimated cost or factor of an invention, in thousandths: above 0 and at most 1000.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Estimate(pub u32);

impl Estimate {
    /// Reads the number at offset `at` of a longer text.
    pub(super) fn read((at, text): (usize, &str)) -> Result<Estimate, Refusal> {
        let wrong = || {
            Refusal::at(at, "an estimate is a number above 0 and at most 1000, with at most three decimals, as in 2.4")
        };
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

    pub(super) fn exact(self) -> Exact {
        Exact::new(i128::from(self.0), 1000)
    }

    /// Smallest estimate that is not less than an exact cost, if there is one.
    pub(super) fn at_least(exact: Exact) -> Option<Estimate> {
        let thousandths = u32::try_from((exact * 1000).ceil().to_integer()).ok()?;
        (1..=1_000_000).contains(&thousandths).then_some(Estimate(thousandths))
    }
}

/// Formats as `2.4`, without trailing zeros.
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
