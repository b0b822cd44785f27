//! Actions of a game that is chess but for a twist: moves, and what chance lays out before the first of them.

use std::{
    fmt::{self, Debug, Display},
    str::FromStr,
};

use rand::Rng;

use crate::{
    board::{Board, Position, Uci},
    rules::refusal::Refusal,
};

/// A deal that chance lays out before the first move. Its text is what follows the word.
pub trait Deal: Clone + PartialEq + Debug + Display + FromStr<Err = Refusal> + Send + Sync + 'static {
    /// The word that begins the action's text.
    const WORD: &'static str;
    /// Draws one.
    fn draw(rng: &mut dyn Rng) -> Self;
    /// The position to begin from.
    fn position(&self, board: &Board) -> Position;
}

/// No deal: nothing is left to chance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoDeal {}

impl Display for NoDeal {
    fn fmt(&self, _f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {}
    }
}

impl FromStr for NoDeal {
    type Err = Refusal;
    fn from_str(_text: &str) -> Result<Self, Refusal> {
        Err(Refusal::new("nothing is left to chance here"))
    }
}

impl Deal for NoDeal {
    const WORD: &'static str = "";
    fn draw(_rng: &mut dyn Rng) -> Self {
        unreachable!("nothing is left to chance")
    }
    fn position(&self, _board: &Board) -> Position {
        match *self {}
    }
}

/// A move, or what chance lays out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action<D> {
    /// A player's move.
    Move(Uci),
    /// Chance's word.
    Deal(D),
}

impl<D: Deal> Display for Action<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Move(uci) => Display::fmt(uci, f),
            Action::Deal(deal) => write!(f, "{} {deal}", D::WORD),
        }
    }
}

impl<D: Deal> FromStr for Action<D> {
    type Err = Refusal;
    fn from_str(text: &str) -> Result<Self, Refusal> {
        match text.strip_prefix(D::WORD).and_then(|rest| rest.strip_prefix(' ')).filter(|_| !D::WORD.is_empty()) {
            Some(deal) => {
                let within = |wrong: Refusal| Refusal { at: wrong.at.map(|at| at + D::WORD.len() + 1), ..wrong };
                deal.parse().map(Action::Deal).map_err(within)
            }
            None => Ok(Action::Move(text.parse()?)),
        }
    }
}
