//! What a game and its players exchange: seats and other actors, whose turn it is, steps, outcomes, refusals, and what a coin says.

use std::{
    fmt::{self, Display},
    str::FromStr,
};

use num_rational::Ratio;
use serde::{Deserialize, Serialize};

use crate::board::Color;

/// The turn: what the game asks for. The clocks of all who are asked run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    /// One seat is to act.
    One(Seat),
    /// Both seats choose, sealed from each other.
    Both,
    /// Chance is to speak.
    Chance,
    /// The game is over.
    Over(Outcome),
}

/// The record's answer, in the same shapes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step<A> {
    /// The seat that was asked acted.
    One(Seat, A),
    /// Both seats had chosen: seat one's choice, then seat two's.
    Both([A; 2]),
    /// Chance spoke.
    Chance(A),
    /// A seat stopped the game, or what part of it the rules let a player end. They say what that means.
    End(Seat, End),
}

impl<A> Step<A> {
    /// The same step with its actions replaced.
    pub fn map<B>(self, replace: impl Fn(A) -> B) -> Step<B> {
        match self {
            Step::One(seat, action) => Step::One(seat, replace(action)),
            Step::Both(actions) => Step::Both(actions.map(replace)),
            Step::Chance(action) => Step::Chance(replace(action)),
            Step::End(seat, end) => Step::End(seat, end),
        }
    }
}

/// Ways to stop that every game knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// The seat gives up the game, or the deal of a match.
    Resign,
    /// The seat gives up all that is left of a match.
    ResignMatch,
    /// Both agree on a draw.
    Agree,
    /// The seat claims a draw that the rules grant.
    Claim,
    /// The seat's time is over.
    Flag,
    /// Both seats' time is over at the same moment, where both were asked.
    Flags,
}

impl End {
    /// The outcome of a way to stop in a single game: `claim` and `flag` say what this game makes of those.
    pub fn outcome(
        self,
        seat: Seat,
        claim: impl FnOnce() -> Result<Outcome, Refusal>,
        flag: impl FnOnce() -> Outcome,
    ) -> Result<Outcome, Refusal> {
        match self {
            End::Resign => Ok(Outcome::Win(!seat, RESIGNATION)),
            End::ResignMatch => Err(Refusal::new("this is a single game, not a match: write resign")),
            End::Agree => Ok(Outcome::Draw(AGREEMENT)),
            End::Claim => claim(),
            End::Flag => Ok(flag()),
            End::Flags => Ok(Outcome::Draw(TIME)),
        }
    }
}

/// The reason of a loss by giving up.
pub const RESIGNATION: &str = "resignation";
/// The reason of a draw that both agreed on.
pub const AGREEMENT: &str = "agreement";
/// The reason of a loss on time.
pub const TIME: &str = "time";

/// The end of a game, with the reason in words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// A seat won.
    Win(Seat, &'static str),
    /// Nobody won.
    Draw(&'static str),
    /// The game does not count.
    Void(&'static str),
}

impl Outcome {
    /// The reason in words, as `checkmate`.
    pub const fn reason(self) -> &'static str {
        match self {
            Outcome::Win(_, reason) | Outcome::Draw(reason) | Outcome::Void(reason) => reason,
        }
    }

    /// The seat that won.
    pub const fn winner(self) -> Option<Seat> {
        match self {
            Outcome::Win(seat, _) => Some(seat),
            Outcome::Draw(_) | Outcome::Void(_) => None,
        }
    }

    /// One point for a win, half for a draw, none for a game that does not count.
    pub fn points(self) -> [Ratio<i64>; 2] {
        let (zero, half, one) = (Ratio::ZERO, Ratio::new_raw(1, 2), Ratio::ONE);
        match self {
            Outcome::Win(Seat::One, _) => [one, zero],
            Outcome::Win(Seat::Two, _) => [zero, one],
            Outcome::Draw(_) => [half, half],
            Outcome::Void(_) => [zero, zero],
        }
    }
}

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

/// Why something was refused, in words fit for the player, and where in the text it went wrong.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{why}")]
pub struct Refusal {
    /// The fault, and what to do.
    pub why: String,
    /// The offset in bytes of the first wrong character.
    pub at: Option<usize>,
}

impl Refusal {
    /// A refusal of the whole.
    pub fn new(why: impl Into<String>) -> Self {
        Refusal { why: why.into(), at: None }
    }

    /// A refusal that points at a byte of the text.
    pub fn at(at: usize, why: impl Into<String>) -> Self {
        Refusal { why: why.into(), at: Some(at) }
    }
}

impl From<crate::board::BadUci> for Refusal {
    fn from(bad: crate::board::BadUci) -> Self {
        Refusal::at(bad.at, bad.to_string())
    }
}

/// How much time each seat has from now on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AgreedClocks {
    /// The seconds of seat one and of seat two, for the rest of the game.
    pub seconds: [u32; 2],
    /// The seconds added after every move.
    pub increment: u32,
}

/// The word before the colour.
pub const COIN: &str = "coin";

/// Reads the colour, which begins at a byte of what was said.
///
/// # Errors
/// If it is none.
pub fn coin_color(at: usize, text: &str) -> Result<Color, Refusal> {
    text.parse().map_err(|_| Refusal::at(at, "the coin says white or black"))
}
