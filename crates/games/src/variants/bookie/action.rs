//! Actions of a Bookie match, as text.

use std::{fmt, str::FromStr};

use super::{Bid, Decision, board};
use crate::{
    board::{Color, Position, Uci},
    rules::Refusal,
};

/// An action of a player or chance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// Chance deals the officers.
    Officers(Position),
    /// A player’s percentage for White.
    Bid(Bid),
    /// Between equal bids the coin gives seat one this colour.
    Colors(Color),
    /// The coin says who moves first.
    First(Color),
    /// Chance has dealt pawns and kings to the officers: the whole board.
    Deal(Position),
    /// Plays on for more, or concedes.
    Decide(Decision),
    /// A move.
    Move(Uci),
}

impl Action {
    /// The action as the account of a match tells it.
    pub(super) fn told(&self) -> String {
        let side = |color: &Color| if *color == Color::White { "White" } else { "Black" };
        match self {
            Action::Officers(_) => "The officers are dealt".to_owned(),
            Action::Bid(bid) => format!("{} on White", bid.on(Color::White)),
            Action::Colors(_) => "The bids are equal: the coin gives the colours".to_owned(),
            Action::First(color) => format!("The coin gives {} the first move", side(color)),
            Action::Deal(_) => "Pawns and kings are dealt".to_owned(),
            Action::Decide(Decision::Play) => "plays on for more".to_owned(),
            Action::Decide(Decision::Concede) => "concedes".to_owned(),
            Action::Move(uci) => uci.to_string(),
        }
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Officers(position) => write!(f, "officers {}", board().placement_fen(position)),
            Action::Bid(bid) => write!(f, "bid {bid}"),
            Action::Colors(color) => write!(f, "coin seat1 {}", color.name()),
            Action::First(color) => write!(f, "coin first {}", color.name()),
            Action::Deal(position) => write!(f, "deal {}", board().placement_fen(position)),
            Action::Decide(decision) => decision.fmt(f),
            Action::Move(uci) => uci.fmt(f),
        }
    }
}

impl FromStr for Action {
    type Err = Refusal;
    fn from_str(text: &str) -> Result<Self, Refusal> {
        match text.split_once(' ') {
            Some(("bid", percent)) => bid(4, percent).map(Action::Bid),
            Some(("officers", placement)) => placed(placement, 9).map(Action::Officers),
            Some(("deal", placement)) => placed(placement, 5).map(Action::Deal),
            Some(("coin", throw)) => coin(throw),
            Some(_) => Ok(Action::Move(text.parse()?)),
            None => match text {
                "bid" => Err(Refusal::at(3, "write your percentage for White after it, as in bid 60")),
                "play" => Ok(Action::Decide(Decision::Play)),
                "concede" => Ok(Action::Decide(Decision::Concede)),
                number if number.starts_with(|first: char| first == '-' || first.is_ascii_digit()) => {
                    bid(0, number).map(Action::Bid)
                }
                uci => Ok(Action::Move(uci.parse()?)),
            },
        }
    }
}

/// A percentage that begins at byte `at` of what was said.
fn bid(at: usize, percent: &str) -> Result<Bid, Refusal> {
    percent.parse().map_err(|wrong: super::BadWord| Refusal::at(at, wrong.to_string()))
}

/// A throw of the coin: what it is about, and a colour.
fn coin(throw: &str) -> Result<Action, Refusal> {
    let wrong = || Refusal::at(5, "a coin is thrown as seat1 white, seat1 black, first white or first black");
    let (about, color) = throw.split_once(' ').ok_or_else(wrong)?;
    let color: Color = color.parse().map_err(|_| wrong())?;
    match about {
        "seat1" => Ok(Action::Colors(color)),
        "first" => Ok(Action::First(color)),
        _ => Err(wrong()),
    }
}

/// The first field of a FEN and nothing else, beginning at byte `at` of the whole text.
fn placed(placement: &str, at: usize) -> Result<Position, Refusal> {
    if let Some(odd) = placement.find([' ', '_', '+']) {
        return Err(Refusal::at(at + odd, "a deal is the placement of the pieces and nothing after it"));
    }
    board().parse_fen(placement).map_err(|error| Refusal::at(at + error.at, error.to_string()))
}
