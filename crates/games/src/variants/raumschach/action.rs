//! What players say: a move.

use std::{fmt, str::FromStr};

use crate::{
    board::space::{BadMove, CubeMove},
    rules::Refusal,
};

/// A move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Action(pub CubeMove);

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Action {
    type Err = Refusal;
    fn from_str(text: &str) -> Result<Self, Refusal> {
        text.parse().map(Action).map_err(|bad: BadMove| Refusal::at(bad.at, bad.to_string()))
    }
}
