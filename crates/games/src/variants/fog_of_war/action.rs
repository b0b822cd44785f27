//! What players say: moves, and nothing else.

use std::{fmt, str::FromStr};

use crate::{board::Uci, rules::Refusal};

/// A move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Action(pub Uci);

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Action {
    type Err = Refusal;
    fn from_str(text: &str) -> Result<Self, Refusal> {
        Ok(Action(text.parse()?))
    }
}
