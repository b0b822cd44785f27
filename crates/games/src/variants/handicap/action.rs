//! What is said: the slips, the coin between equal ones, and what is said in the game on the board.

use std::{fmt, str::FromStr};

use super::Slip;
use crate::{
    board::Color,
    rules::{Refusal, any_game::AnyAction, protocol},
};

/// The coin’s words before the colour.
const COIN: &str = "coin seat1";

/// Something that is said.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// A player writes a slip.
    Bid(Slip),
    /// Between equal slips the coin gives seat one a colour.
    Coin(Color),
    /// It belongs to the game on the board.
    Play(AnyAction),
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Bid(slip) => slip.fmt(f),
            Action::Coin(color) => write!(f, "{COIN} {}", color.name()),
            Action::Play(said) => said.fmt(f),
        }
    }
}

impl FromStr for Action {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<Action, Refusal> {
        if let Some(color) = text.strip_prefix(COIN).and_then(|rest| rest.strip_prefix(' ')) {
            return protocol::coin_color(COIN.len() + 1, color).map(Action::Coin);
        }
        let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
        match Slip::read(word, rest) {
            Some(slip) => slip.map(Action::Bid),
            None => text.parse().map(Action::Play),
        }
    }
}
