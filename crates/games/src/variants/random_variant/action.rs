//! Actions: the weights of the players, the draw of the variant, and the actions of the drawn game.

use std::{fmt, str::FromStr};

use super::Weights;
use crate::{
    rules::{Refusal, any_game::AnyAction},
    variants::nested_game::Nested,
};

/// First token of the draw.
const NAMES: &str = "variant";

/// An action of a player or chance.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// A player weights the variants.
    Weigh(Weights),
    /// Chance draws a variant.
    Name(Nested),
    /// An action of the drawn game.
    Play(AnyAction),
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Weigh(wishes) => wishes.fmt(f),
            Action::Name(kin) => write!(f, "{NAMES} {kin}"),
            Action::Play(said) => said.fmt(f),
        }
    }
}

impl FromStr for Action {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<Action, Refusal> {
        match text.split_once(' ') {
            Some((NAMES, key)) => {
                let named = key.parse().map(Action::Name);
                named.map_err(|wrong: Refusal| Refusal::at(NAMES.len() + 1, wrong.why))
            }
            Some(("weigh", _)) => text.parse().map(Action::Weigh),
            None if text == "weigh" => text.parse().map(Action::Weigh),
            Some(_) | None => text.parse().map(Action::Play),
        }
    }
}
