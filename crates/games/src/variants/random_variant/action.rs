//! What is said: the players’ wishes, the game that chance names, and what is said in that game.

use std::{fmt, str::FromStr};

use super::Weights;
use crate::{
    rules::{Refusal, any_game::AnyAction},
    variants::nested_game::Nested,
};

/// The word with which chance names the game.
const NAMES: &str = "variant";

/// Something that is said.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// A player weighs the games.
    Weigh(Weights),
    /// Chance names one.
    Name(Nested),
    /// It belongs to the game that was named.
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
