//! Types that a game and its players exchange: seats and other actors, turns, steps, outcomes, refusals and coin results.

use std::{
    fmt::{self, Display},
    str::FromStr,
};

use num_rational::Ratio;
use serde::{Deserialize, Serialize};

use crate::board::Color;

/// Whose turn it is. The clocks of all pending seats run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    /// One seat must act.
    One(Seat),
    /// Both seats choose at the same time; neither sees the other's choice.
    Both,
    /// Chance must act.
    Chance,
    /// The game is over.
    Over(Outcome),
}

/// A step of the record: the response to a [`Turn`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step<A> {
    /// The pending seat acted.
    One(Seat, A),
    /// Both seats have chosen: seat one's action, then seat two's.
    Both([A; 2]),
    /// Chance acted.
    Chance(A),
    /// A seat ended the game, or a part of it such as the deal of a match. The variant decides which.
    End(Seat, End),
}

impl<A> Step<A> {
    /// The same step with every action replaced.
    pub fn map<B>(self, replace: impl Fn(A) -> B) -> Step<B> {
        match self {
            Step::One(seat, action) => Step::One(seat, replace(action)),
            Step::Both(actions) => Step::Both(actions.map(replace)),
            Step::Chance(action) => Step::Chance(replace(action)),
            Step::End(seat, end) => Step::End(seat, end),
        }
    }
}

/// Ways to end a game that all variants share.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// The seat resigns the game, or the current deal of a match.
    Resign,
    /// The seat resigns the rest of a match.
    ResignMatch,
    /// Both seats agree on a draw.
    Agree,
    /// The seat claims a draw under the rules.
    Claim,
    /// The seat lost on time.
    Flag,
    /// Both seats ran out of time at the same moment, in a turn of both.
    Flags,
    /// The seat has left, and its opponent claims the win.
    Left,
    /// The seat has left, and its opponent calls the game a draw.
    LeftDrawn,
}

impl End {
    /// Outcome of this ending in a single game. `claim` and `flag` supply the variant's outcomes for those two. A player who has left
    /// loses as on time, and draws if the opponent cannot win.
    pub fn outcome(
        self,
        seat: Seat,
        claim: impl FnOnce() -> Result<Outcome, Refusal>,
        flag: impl FnOnce() -> Outcome,
    ) -> Result<Outcome, Refusal> {
        match self {
            End::Resign => Ok(Outcome::Win(!seat, RESIGNATION)),
            End::ResignMatch => Err(Refusal::new("this is a single game, not a match: use resign")),
            End::Agree => Ok(Outcome::Draw(AGREEMENT)),
            End::Claim => claim(),
            End::Flag => Ok(flag()),
            End::Flags => Ok(Outcome::Draw(TIME)),
            End::Left => Ok(match flag() {
                Outcome::Win(winner, _) => Outcome::Win(winner, LEFT),
                Outcome::Draw(_) => Outcome::Draw(LEFT),
                void @ Outcome::Void(_) => void,
            }),
            End::LeftDrawn => Ok(Outcome::Draw(LEFT)),
        }
    }
}

/// Reason of a loss by resignation.
pub const RESIGNATION: &str = "resignation";
/// Reason of an agreed draw.
pub const AGREEMENT: &str = "agreement";
/// Reason of a loss on time.
pub const TIME: &str = "time";
/// Reason of a result that a player claimed because the opponent had left.
pub const LEFT: &str = "a player left the game";

/// Result of a game, with its reason.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// A seat won.
    Win(Seat, &'static str),
    /// A draw.
    Draw(&'static str),
    /// The game does not count.
    Void(&'static str),
}

impl Outcome {
    /// The reason, such as `checkmate`.
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

    /// One point for a win, half a point each for a draw, none for a game that does not count.
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

/// One of the two players, not a colour: in Bookie Chess the bids decide the colours.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Seat {
    /// The first chair; White where colours are fixed.
    One,
    /// The second chair.
    Two,
}

impl Seat {
    /// Both seats, in order.
    pub const BOTH: [Seat; 2] = [Seat::One, Seat::Two];

    /// Index of this seat in a pair.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The seat that plays a colour, where colours are fixed.
    pub const fn of(color: Color) -> Seat {
        match color {
            Color::White => Seat::One,
            Color::Black => Seat::Two,
        }
    }

    /// The colour that this seat plays, where colours are fixed.
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
            other => Err(Refusal::at(0, format!("there is no seat “{other}”: use one or two"))),
        }
    }
}

/// The source of an action. The server acts for the clock and the operator.
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

/// The seat that a view is made for; `None` for spectators, who see least.
pub type Viewer = Option<Seat>;

/// Reason why an input was refused, in words for the player, with the place of the fault.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{why}")]
pub struct Refusal {
    /// Reason and remedy.
    pub why: String,
    /// Byte offset of the first wrong character.
    pub at: Option<usize>,
}

impl Refusal {
    /// A refusal of the whole input.
    pub fn new(why: impl Into<String>) -> Self {
        Refusal { why: why.into(), at: None }
    }

    /// A refusal that points at a byte of the input.
    pub fn at(at: usize, why: impl Into<String>) -> Self {
        Refusal { why: why.into(), at: Some(at) }
    }
}

impl From<crate::board::BadUci> for Refusal {
    fn from(bad: crate::board::BadUci) -> Self {
        Refusal::at(bad.at, bad.to_string())
    }
}

/// Time that each seat has from now on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AgreedClocks {
    /// Seconds of seat one and of seat two, for the rest of the game.
    pub seconds: [u32; 2],
    /// Increment in seconds after every move.
    pub increment: u32,
}

/// First word of a coin action, followed by the colour.
pub const COIN: &str = "coin";

/// Parses a colour that begins at byte `at` of an action.
///
/// # Errors
/// If the text is not a colour.
pub fn coin_color(at: usize, text: &str) -> Result<Color, Refusal> {
    text.parse().map_err(|_| Refusal::at(at, "a coin's result is white or black"))
}
