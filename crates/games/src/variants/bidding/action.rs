//! Actions of bidding chess, as text.

use std::{fmt, str::FromStr};

use crate::{
    board::Color,
    rules::{Refusal, chesslike::Deal, protocol},
    variants::{chess960::Array, king_capture::MoveOrPass},
};

/// No stack is greater at the beginning.
pub const MOST: i64 = 1_000_000;
/// The most chips that a stack can come to hold: both of the beginning.
const ALL: i64 = 2 * MOST;

/// An action of a player or the coin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// Chance lays out the first rank.
    Deal(Array),
    /// A bid in chips; below zero whoever moves is paid for it.
    Bid(i64),
    /// Takes the money and lets the bidder move.
    Accept,
    /// Pays the same and moves.
    Reject,
    /// Between equal bids: takes the move and gives the marker away.
    Take,
    /// Between equal bids: lets the other move and keeps the marker.
    Give,
    /// Between equal bids the coin gives a colour the move.
    Coin(Color),
    /// A move, or passing.
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

/// A whole number of chips of at most seven digits, with a minus before it if the mover is to be paid; it begins at byte `at` of what was
/// said.
fn bid(at: usize, text: &str) -> Result<i64, Refusal> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let start = at + text.len() - digits.len();
    if let Some(odd) = digits.bytes().position(|byte| !byte.is_ascii_digit()) {
        return Err(Refusal::at(start + odd, "a bid is a whole number of chips, as in bid 40 or bid -12"));
    }
    match text.parse::<i64>() {
        Ok(bid) if digits.len() <= 7 && bid.abs() <= ALL => Ok(bid),
        Ok(_) | Err(_) if digits.is_empty() => {
            Err(Refusal::at(start, "write the number of chips here, as in bid 40 or bid -12"))
        }
        Ok(_) | Err(_) => Err(Refusal::at(at, format!("there are never more than {ALL} chips in a stack"))),
    }
}
