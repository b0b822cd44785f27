//! The inventions as a page tells of them.

use num_rational::Ratio;
use serde::Serialize;

use crate::{board::Invention, rules::diagram::Amount, variants::csipgs::estimate::Estimate};

/// An invention.
#[derive(PartialEq, Debug, Serialize, utoipa::ToSchema)]
pub struct Invented {
    /// Its name, without brackets.
    pub name: String,
    /// As it was invented: `lame(1,2)`.
    pub definition: String,
    /// Its description in words.
    pub words: String,
    /// It is an atom; else it modifies one.
    pub atom: bool,
    /// The cost of the atom, or the factor by which the modifier multiplies; nothing while it is being estimated.
    pub cost: Option<Amount>,
}

/// Tells of an invention, and what it costs if that is known.
pub(super) fn invented(invention: Invention, estimate: Option<Estimate>) -> Invented {
    Invented {
        name: invention.name.to_string(),
        definition: invention.definition.to_string(),
        words: invention.definition.in_words(),
        atom: invention.definition.is_atom(),
        cost: estimate.map(|Estimate(thousandths)| Amount(Ratio::new(i64::from(thousandths), 1000))),
    }
}
