//! The shapes in which a game asks and its record answers: turns, steps, ways to stop, outcomes.

use num_rational::Ratio;

use super::{refusal::Refusal, seat::Seat};

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
