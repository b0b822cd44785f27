//! The inventions of a game, with what they cost: for reading and pricing texts, and as a text of its own, so that pieces can be
//! tried outside the game.

use std::{fmt, str::FromStr};

use super::{estimate::Estimate, exact::Exact};
use crate::{
    board::{BetzaError, Invention, Name},
    rules::Refusal,
};

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
