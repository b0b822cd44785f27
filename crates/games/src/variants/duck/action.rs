//! What players say: a move and the duck's square in one.

use std::{fmt, str::FromStr};

use crate::{
    board::{Square, Uci},
    rules::Refusal,
};

/// A turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Action {
    /// The move.
    pub mv: Uci,
    /// Where the duck comes; nothing where the king is captured.
    pub duck: Option<Square>,
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.mv.fmt(f)?;
        self.duck.map_or(Ok(()), |square| write!(f, " {square}"))
    }
}

/// How a turn is written.
const TURN: &str = "a turn is written as a move and the duck’s square, as in e2e4 d5";

/// Reads `e2e4 d5`, or `e2e4,e4d5` as engines write it: behind the comma stands first where the unit has come.
impl FromStr for Action {
    type Err = Refusal;
    fn from_str(text: &str) -> Result<Self, Refusal> {
        let Some(at) = text.find([' ', ',']) else {
            return Ok(Action { mv: unit(text)?, duck: None });
        };
        let (mv, rest) = (unit(&text[..at])?, &text[at + 1..]);
        let arrived = mv.to.to_string();
        let (place, said) = match rest.strip_prefix(&arrived) {
            _ if text[at..].starts_with(' ') => (at + 1, rest),
            Some(said) => (at + 1 + arrived.len(), said),
            None => {
                let why =
                    format!("behind the comma come the square of the move and the duck’s, as in {mv},{arrived}d5");
                return Err(Refusal::at(at + 1, why));
            }
        };
        Ok(Action { mv, duck: Some(said.parse().map_err(|_| Refusal::at(place, TURN))?) })
    }
}

fn unit(text: &str) -> Result<Uci, Refusal> {
    text.parse::<Uci>().map_err(|bad| Refusal::at(bad.at, TURN))
}
