//! The two chairs of a game, and who acts and looks.

use std::{
    fmt::{self, Display},
    str::FromStr,
};

use serde::{Deserialize, Serialize};

use super::refusal::Refusal;
use crate::board::Color;

/// A chair at the table, not a colour: in Bookie Chess the bids decide the colours.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Seat {
    /// The first chair; White wherever colours are fixed.
    One,
    /// The second chair.
    Two,
}

impl Seat {
    /// Both seats, in order.
    pub const BOTH: [Seat; 2] = [Seat::One, Seat::Two];

    /// The position of this seat in a pair.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The seat that plays a colour where colours are fixed.
    pub const fn of(color: Color) -> Seat {
        match color {
            Color::White => Seat::One,
            Color::Black => Seat::Two,
        }
    }

    /// The colour that this seat plays where colours are fixed.
    pub const fn color(self) -> Color {
        match self {
            Seat::One => Color::White,
            Seat::Two => Color::Black,
        }
    }

    /// `one` or `two`.
    pub const fn name(self) -> &'static str {
        match self {
            Seat::One => "one",
            Seat::Two => "two",
        }
    }
}

impl std::ops::Not for Seat {
    type Output = Seat;
    fn not(self) -> Seat {
        match self {
            Seat::One => Seat::Two,
            Seat::Two => Seat::One,
        }
    }
}

impl Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Seat {
    type Err = Refusal;
    fn from_str(text: &str) -> Result<Seat, Refusal> {
        match text {
            "one" => Ok(Seat::One),
            "two" => Ok(Seat::Two),
            other => Err(Refusal::at(0, format!("“{other}” is no seat; write one or two"))),
        }
    }
}

/// The one who acts; the server speaks for the clock and the operator.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Actor {
    /// A player.
    Seat(Seat),
    /// Chance.
    Chance,
    /// The clock or the operator.
    Server,
}

impl Display for Actor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Actor::Seat(seat) => seat.name(),
            Actor::Chance => "chance",
            Actor::Server => "server",
        })
    }
}

impl FromStr for Actor {
    type Err = Refusal;
    fn from_str(text: &str) -> Result<Actor, Refusal> {
        match text {
            "chance" => Ok(Actor::Chance),
            "server" => Ok(Actor::Server),
            seat => seat.parse().map(Actor::Seat),
        }
    }
}

/// The one who looks; nobody in particular is `None`, and sees least.
pub type Viewer = Option<Seat>;
