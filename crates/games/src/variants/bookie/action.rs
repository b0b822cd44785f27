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
    /// A player’s bid on White, in percent.
    Bid(Bid),
    /// The coin between equal bids gives seat one this colour.
    Colors(Color),
    /// The coin gives this colour the first move.
    First(Color),
    /// Chance deals pawns and kings to the officers: the whole board.
    Deal(Position),
    /// Plays on for higher stakes, or concedes.
    Decide(Decision),
    /// A move.
    Move(Uci),
}

impl Action {
    /// The action in words, for the move list.
    pub(super) fn description(&self) -> String {
        let side = |color: &Color| if *color == Color::White { "White" } else { "Black" };
        match self {
            Action::Officers(_) => "Officers dealt".to_owned(),
            Action::Bid(bid) => format!("bids {} on White", bid.on(Color::White)),
            Action::Colors(_) => "Equal bids: the coin decides the colours".to_owned(),
            Action::First(color) => format!("The coin gives {} the first move", side(color)),
            Action::Deal(_) => "Pawns and kings dealt".to_owned(),
            Action::Decide(Decision::Play) => "plays on for higher stakes".to_owned(),
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
                "bid" => Err(Refusal::at(3, "write your percentage for White after bid, as in bid 60")),
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

/// Parses a percentage that begins at byte `at` of the action.
fn bid(at: usize, percent: &str) -> Result<Bid, Refusal> {
    percent.parse().map_err(|wrong: super::BadWord| Refusal::at(at, wrong.to_string()))
}

/// Parses a coin toss: its subject and a colour.
fn coin(throw: &str) -> Result<Action, Refusal> {
    let wrong = || Refusal::at(5, "write a toss as seat1 white, seat1 black, first white or first black");
    let (about, color) = throw.split_once(' ').ok_or_else(wrong)?;
    let color: Color = color.parse().map_err(|_| wrong())?;
    match about {
        "seat1" => Ok(Action::Colors(color)),
        "first" => Ok(Action::First(color)),
        _ => Err(wrong()),
    }
}

/// Parses the placement field of a FEN, which begins at byte `at` of the action. Further fields are refused.
fn placed(placement: &str, at: usize) -> Result<Position, Refusal> {
    if let Some(odd) = placement.find([' ', '_', '+']) {
        return Err(Refusal::at(at + odd, "a deal ends after the placement of the pieces"));
    }
    board().parse_fen(placement).map_err(|error| Refusal::at(at + error.at, error.to_string()))
}
