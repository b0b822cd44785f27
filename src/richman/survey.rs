//! Remarkable facts of a table: how its values and denominators are spread, which positions are zugzwangs, and which value
//! has the largest denominator. Positions are counted up to the symmetries of the board.

use std::cmp::Ordering;

use dashu_base::BitTest;
use dashu_int::IBig;
use dashu_ratio::RBig;

use super::{index::Setup, material::Material, table::Table};

/// Into how many equal parts the values from 0 to 1 are divided for counting.
pub const PARTS: usize = 20;

/// The spread of a table's values for one material.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spread {
    /// The material, the extra piece being White's.
    pub material: Material,
    /// The number of positions.
    pub positions: usize,
    /// The number of them that are quiescent: the best option of either side keeps the value.
    pub quiescent: usize,
    /// The number of positions with a value in each of the [`PARTS`] parts, a boundary counting to the part above it.
    pub values: [usize; PARTS],
    /// The number of positions with a denominator of so many bits; a denominator of 1 has one bit.
    pub bits: Vec<usize>,
    /// A position whose value has the largest denominator of all.
    pub largest: Setup,
}

/// The remarkable facts of a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Survey {
    /// Material by material in the order in which they were solved.
    pub spreads: Vec<Spread>,
    /// Every position in which neither side wants to move, one of each symmetric set.
    pub zugzwangs: Vec<Setup>,
}

impl Survey {
    /// Looks at every position of a table. Generates all moves anew, which takes a good part of a second.
    pub fn of(table: &Table) -> Survey {
        let mut survey = Survey { spreads: Vec::new(), zugzwangs: Vec::new() };
        table.every(&mut |setup, value, worth| {
            if survey.spreads.last().is_none_or(|spread| spread.material != setup.material) {
                survey.spreads.push(Spread::new(setup));
            }
            if let Some(spread) = survey.spreads.last_mut() {
                spread.count(table, setup, value, worth);
            }
            if worth == Ordering::Less {
                survey.zugzwangs.push(setup);
            }
        });
        survey
    }
}

impl Spread {
    fn new(first: Setup) -> Spread {
        Spread {
            material: first.material,
            positions: 0,
            quiescent: 0,
            values: [0; PARTS],
            bits: Vec::new(),
            largest: first,
        }
    }

    fn count(&mut self, table: &Table, setup: Setup, value: &RBig, worth: Ordering) {
        self.positions += 1;
        self.quiescent += usize::from(worth == Ordering::Equal);
        self.values[part(value)] += 1;
        let length = value.denominator().bit_len();
        if self.bits.len() <= length {
            self.bits.resize(length + 1, 0);
        }
        self.bits[length] += 1;
        if value.denominator() > table.value(self.largest).denominator() {
            self.largest = setup;
        }
    }
}

/// The part of the values from 0 to 1 that a value is counted in.
fn part(value: &RBig) -> usize {
    let scaled = value.numerator() * IBig::from(PARTS) / IBig::from(value.denominator().clone());
    usize::try_from(scaled).map_or(PARTS - 1, |part| part.min(PARTS - 1))
}
