//! Actions of bidding chess, as text.

use std::{fmt, str::FromStr};

use crate::{
    board::Color,
    rules::{Refusal, chesslike::Deal, protocol},
    variants::{chess960::Array, king_capture::MoveOrPass},
};

/// Most chips that a player can start with.
pub const MOST: i64 = 1_000_000;
/// Most chips that a player can ever have: both starting stacks.
const ALL: i64 = 2 * MOST;

/// An action of a player or chance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// Chance deals the first rank.
    Deal(Array),
    /// A bid in chips. With a negative bid the opponent pays the mover.
    Bid(i64),
    /// Takes the chips and lets the bidder move.
    Accept,
    /// Pays the same price and moves.
    Reject,
    /// Between equal bids: takes the move and gives the marker to the opponent.
    Take,
    /// Between equal bids: gives the move to the opponent and keeps the marker.
    Give,
    /// Between equal bids: the coin gives a colour the move.
    Coin(Color),
    /// A move or a pass.
    Act(MoveOrPass),
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Deal(array) => write!(f, "{} {array}", Array::WORD),
            Action::Bid(bid) => write!(f, "bid {bid}"),
            Action::Accept => f.write_str("accept"),
            Action::Reject => f.write_str("reject"),
            Action::Take => f.write_str("take"),
            Action::Give => f.write_str("give"),
            Action::Coin(color) => write!(f, "{} {}", protocol::COIN, color.name()),
            Action::Act(action) => action.fmt(f),
        }
    }
}

impl FromStr for Action {
    type Err = Refusal;
    fn from_str(text: &str) -> Result<Self, Refusal> {
        match text.split_once(' ') {
            Some(("bid", number)) => bid(4, number).map(Action::Bid),
            Some((protocol::COIN, color)) => protocol::coin_color(protocol::COIN.len() + 1, color).map(Action::Coin),
            Some((Array::WORD, number)) => number.parse().map(Action::Deal),
            Some(_) => text.parse().map(Action::Act),
            None => match text {
                "bid" => Err(Refusal::at(3, "write the number of chips after it, as in bid 40 or bid -12")),
                "accept" => Ok(Action::Accept),
                "reject" => Ok(Action::Reject),
                "take" => Ok(Action::Take),
                "give" => Ok(Action::Give),
                number if number.starts_with(|first: char| first == '-' || first.is_ascii_digit()) => {
                    bid(0, number).map(Action::Bid)
                }
                action => action.parse().map(Action::Act),
            },
        }
    }
}

/// Parses a bid: a whole number of chips with at most seven digits, possibly negative. It begins at byte `at` of the action.
fn bid(at: usize, text: &str) -> Result<i64, Refusal> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let start = at + text.len() - digits.len();
    if let Some(odd) = digits.bytes().position(|byte| !byte.is_ascii_digit()) {
        return Err(Refusal::at(start + odd, "write a whole number of chips, as in bid 40 or bid -12"));
    }
    match text.parse::<i64>() {
        Ok(bid) if digits.len() <= 7 && bid.abs() <= ALL => Ok(bid),
        Ok(_) | Err(_) if digits.is_empty() => {
            Err(Refusal::at(start, "write the number of chips here, as in bid 40 or bid -12"))
        }
        Ok(_) | Err(_) => Err(Refusal::at(at, format!("bid at most {ALL} chips"))),
    }
}
