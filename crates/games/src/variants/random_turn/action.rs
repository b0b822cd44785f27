//! What is said in random-turn chess.

use std::{fmt, str::FromStr};

use crate::{
    board::Color,
    rules::{Refusal, chesslike::Deal, protocol},
    variants::{chess960::Array, king_capture::MoveOrPass},
};

/// A throw of the coin, or what its winner does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// Chance lays out the first rank.
    Deal(Array),
    /// The coin gives a colour the move.
    Coin(Color),
    /// A move, or passing.
    Act(MoveOrPass),
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Deal(array) => write!(f, "{} {array}", Array::WORD),
            Action::Coin(color) => write!(f, "{} {}", protocol::COIN, color.name()),
            Action::Act(action) => action.fmt(f),
        }
    }
}

impl FromStr for Action {
    type Err = Refusal;
    fn from_str(text: &str) -> Result<Self, Refusal> {
        match text.split_once(' ') {
            Some((protocol::COIN, color)) => protocol::coin_color(protocol::COIN.len() + 1, color).map(Action::Coin),
            Some((Array::WORD, number)) => number.parse().map(Action::Deal),
            Some(_) | None => text.parse().map(Action::Act),
        }
    }
}
