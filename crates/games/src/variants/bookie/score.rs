//! The score: the stakes that bids set and the points that games pay (rules 2 and 3 of the source, and its “rule alterations”). Exact: halves
//! and percentages are fractions, never floats. Needs no board.

use std::{fmt, str::FromStr};

use num_rational::Ratio;

use super::alterations::{Handicapped, Options};
use crate::{board::Color, rules::Seat};

/// A player's estimate of White’s chance to win, in percent: 0 to 100. The bid on Black is 100 minus this number (our reading of a gap: the source’s
/// bids always sum to 100, and with independent numbers it would cost nothing to bid 0 on one’s own colour).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Bid(u8);

/// Error of a text that is not one of the expected words.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("“{found}” is not understood; write {expected}")]
pub struct BadWord {
    /// The beginning of the text.
    pub found: String,
    /// Expected text.
    pub expected: &'static str,
}

impl BadWord {
    fn new(found: &str, expected: &'static str) -> Self {
        BadWord { found: found.chars().take(40).collect(), expected }
    }
}

impl Bid {
    /// A bid of this percentage on White, if that is at most 100.
    pub const fn new(percent: u8) -> Option<Bid> {
        if percent <= 100 { Some(Bid(percent)) } else { None }
    }

    /// The percentage bid on a colour; the two sum to 100.
    pub const fn on(self, color: Color) -> u8 {
        match color {
            Color::White => self.0,
            Color::Black => 100 - self.0,
        }
    }
}

impl fmt::Display for Bid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Bid {
    type Err = BadWord;
    fn from_str(text: &str) -> Result<Self, BadWord> {
        let plain = (1..=3).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
        let bid = if plain { text.parse().ok().and_then(Bid::new) } else { None };
        bid.ok_or_else(|| BadWord::new(text, "a whole number from 0 to 100, your percentage for White"))
    }
}

/// Both players’ bids.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Bids {
    /// Bid of the player in the first seat.
    pub one: Bid,
    /// Bid of the player in the second seat.
    pub two: Bid,
}

impl Bids {
    /// The bid of the player in a seat.
    pub const fn of(&self, seat: Seat) -> Bid {
        match seat {
            Seat::One => self.one,
            Seat::Two => self.two,
        }
    }

    /// The player of White: the one who bid more on White. `None` for equal bids; then a coin decides (our reading of a gap).
    pub fn white(&self) -> Option<Seat> {
        match self.one.cmp(&self.two) {
            std::cmp::Ordering::Less => Some(Seat::Two),
            std::cmp::Ordering::Equal => None,
            std::cmp::Ordering::Greater => Some(Seat::One),
        }
    }
}

/// Open bids and the colours: everything that determines the stakes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Wager {
    bids: Bids,
    white: Seat,
}

/// White was given to the player who bid less on White.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the higher bid on White must play White; only equal bids leave a choice")]
pub struct WagerError;

/// The result of a deal, on the board or by conceding: the colours’ names or `draw`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Verdict {
    /// This colour won.
    Win(Color),
    /// A draw.
    Draw,
}

/// A player’s decision on the multiplied stakes: `play` or `concede`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Decision {
    /// Play on for the multiplied stakes.
    Play,
    /// Lose at the base stakes.
    Concede,
}

/// The stakes of a deal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Stakes {
    /// The stakes of the bids.
    Base,
    /// Both players chose to play on: times [`Options::double`], if there is one.
    Grown,
}

/// The outcome of both decisions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Decided {
    /// The game is played for [`Stakes::Grown`].
    Play,
    /// The game is over, at [`Stakes::Base`].
    Over(Verdict),
}

impl Wager {
    /// The wager of two bids, with the player in the seat `white` playing White.
    pub fn new(bids: Bids, white: Seat) -> Result<Wager, WagerError> {
        if bids.white().is_some_and(|higher| higher != white) { Err(WagerError) } else { Ok(Wager { bids, white }) }
    }

    /// The bids.
    pub const fn bids(&self) -> Bids {
        self.bids
    }

    /// The seat that plays a colour.
    pub fn seat(&self, color: Color) -> Seat {
        match (color, self.white) {
            (Color::White, white) => white,
            (Color::Black, Seat::One) => Seat::Two,
            (Color::Black, Seat::Two) => Seat::One,
        }
    }

    /// The colour that a seat plays.
    pub fn color(&self, seat: Seat) -> Color {
        if seat == self.white { Color::White } else { Color::Black }
    }

    /// Points for a win of a colour before any option: the loser's bid on the loser's own colour, 0 to 100.
    pub fn stake(&self, color: Color) -> u8 {
        self.bids.of(self.seat(!color)).on(!color)
    }

    /// The outcome of two simultaneous decisions, by seat. If both concede, it is a draw (our reading of a gap).
    pub fn decide(&self, [one, two]: [Decision; 2]) -> Decided {
        match (one, two) {
            (Decision::Play, Decision::Play) => Decided::Play,
            (Decision::Play, Decision::Concede) => Decided::Over(Verdict::Win(self.color(Seat::One))),
            (Decision::Concede, Decision::Play) => Decided::Over(Verdict::Win(self.color(Seat::Two))),
            (Decision::Concede, Decision::Concede) => Decided::Over(Verdict::Draw),
        }
    }

    /// Points of the first and the second seat. The steps are applied in this order (our reading of a gap): the opponent's bid on the opponent's own
    /// colour; half of it for a draw, unless Black wins draws; the multiplier, if the stakes have grown; the handicap.
    pub fn score(&self, options: &Options, stakes: Stakes, verdict: Verdict) -> [Ratio<i64>; 2] {
        let multiplier = match (stakes, options.double) {
            (Stakes::Grown, Some(double)) => double,
            (Stakes::Grown, None) | (Stakes::Base, _) => Ratio::ONE,
        };
        [Seat::One, Seat::Two].map(|seat| {
            let color = self.color(seat);
            let share = match verdict {
                Verdict::Win(winner) => Ratio::from_integer(i64::from(winner == color)),
                Verdict::Draw if options.black_wins_draws => Ratio::from_integer(i64::from(color == Color::Black)),
                Verdict::Draw => Ratio::new_raw(1, 2),
            };
            Ratio::from_integer(i64::from(self.stake(color))) * share * multiplier * self.growth(options, seat)
        })
    }

    /// Factor of the handicap on the gains of a seat.
    fn growth(&self, options: &Options, seat: Seat) -> Ratio<i64> {
        match &options.handicap {
            Some(handicap) if self.named(handicap.whose) == seat => Ratio::ONE + handicap.percent / 100,
            Some(_) | None => Ratio::ONE,
        }
    }

    fn named(&self, whose: Handicapped) -> Seat {
        match whose {
            Handicapped::Color(color) => self.seat(color),
            Handicapped::Seat(seat) => seat,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verdict::Win(color) => color.name(),
            Verdict::Draw => "draw",
        })
    }
}

impl FromStr for Verdict {
    type Err = BadWord;
    fn from_str(text: &str) -> Result<Self, BadWord> {
        match text {
            "white" => Ok(Verdict::Win(Color::White)),
            "black" => Ok(Verdict::Win(Color::Black)),
            "draw" => Ok(Verdict::Draw),
            _ => Err(BadWord::new(text, "the winner: white, black or draw")),
        }
    }
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Decision::Play => "play",
            Decision::Concede => "concede",
        })
    }
}

impl FromStr for Decision {
    type Err = BadWord;
    fn from_str(text: &str) -> Result<Self, BadWord> {
        match text {
            "play" => Ok(Decision::Play),
            "concede" => Ok(Decision::Concede),
            _ => Err(BadWord::new(text, "play or concede")),
        }
    }
}
