//! The trait that every variant answers, and the words it is asked in. No I/O, no clock, no randomness of its own.

pub mod course;
pub mod diagram;
pub mod endgame;
pub mod fide;
pub mod graph;
pub mod regicide;

pub mod bidding;
pub mod bookie;
pub mod chess;
pub mod csipgs;
pub mod clairvoyant;
pub mod lrs;
pub mod random_turn;

use std::{
    fmt::{self, Debug, Display},
    str::FromStr,
};

use num_rational::Ratio;
use rand::Rng;
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::board::{Board, START, pgn::Pgn};

pub use diagram::{Choice, Diagram, Entry, Place};
pub use endgame::Endgame;

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

/// Who acts; the server speaks for the clock and the operator.
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

/// Who looks; nobody in particular is `None`, and sees least.
pub type Viewer = Option<Seat>;

/// What the game asks for. The clocks of all who are asked run.
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

/// What the record answers, in the same shapes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step<A> {
    /// The seat that was asked acted.
    One(Seat, A),
    /// Both seats had chosen: seat one's choice, then seat two's.
    Both([A; 2]),
    /// Chance spoke.
    Chance(A),
    /// The game, or what part of it the rules let a player end, was stopped.
    End(Outcome),
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
}

/// How a game ended, with the reason in words.
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

    /// Who won.
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

/// Why something was refused, in words fit for the player, and where in the text it went wrong.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{why}")]
pub struct Refusal {
    /// What was wrong and what to do.
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

/// One option of a variant, for forms and for the API: the key is the field's name, and its type is that of the default.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Setting {
    /// The field's name in the options record.
    pub key: &'static str,
    /// What it is, in a few words.
    pub words: &'static str,
    /// What it may be.
    pub range: Range,
}

/// What an option may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Range {
    /// On or off.
    Flag,
    /// A whole number between two bounds, both included.
    Whole(i64, i64),
    /// One of some words: each with what it means.
    Word(&'static [(&'static str, &'static str)]),
    /// A text with an example.
    Text(&'static str),
}

/// The rules of one family of games. The implementor's fields are its options, flat: flags, whole numbers and texts.
///
/// [`Live`](crate::game::Live) makes a game of any rules, and the list of variants finds it by its key:
///
/// ```
/// use zorkmid::{game::Clocks, rules::{Actor, Outcome, Seat, Turn}, variants};
///
/// let chess = variants::find("chess").unwrap();
/// let mut game = chess.begin(&chess.defaults(), Clocks::new([None; 2]))?;
/// assert_eq!(game.turn(), Turn::One(Seat::One));
/// for (seat, text) in [(Seat::One, "f2f3"), (Seat::Two, "e7e5"), (Seat::One, "g2g4"), (Seat::Two, "d8h4")] {
///     game.act(Actor::Seat(seat), text, 0)?;
/// }
/// assert_eq!(game.outcome(), Some(Outcome::Win(Seat::Two, "checkmate")));
/// # Ok::<(), zorkmid::rules::Refusal>(())
/// ```
pub trait Rules: Clone + Debug + Default + PartialEq + Serialize + DeserializeOwned + Send + Sync + 'static {
    /// The variant in addresses and in the API.
    const KEY: &'static str;
    /// The variant in words.
    const TITLE: &'static str;
    /// One sentence for somebody who has never heard of it.
    const SUMMARY: &'static str;
    /// Further pages that help to play it: address and words.
    const PAGES: &'static [(&'static str, &'static str)] = &[];

    /// Everything true of a game in progress. Never serialised.
    type State: Clone + PartialEq + Debug + Send + Sync + 'static;
    /// What a player or chance may say. Its text is its only encoding.
    type Action: Clone + PartialEq + Debug + Display + FromStr<Err = Refusal> + Send + Sync + 'static;
    /// What one viewer may see: all that leaves the server.
    type View: Serialize + PartialEq + Debug + AsRef<Diagram> + Send + Sync + 'static;

    /// Named options records, the default first.
    fn presets() -> Vec<(&'static str, Self)>;
    /// The options in words, in the order of a form.
    fn settings() -> &'static [Setting];
    /// Says what is wrong with a combination of options. Ranges of [`Self::settings`] are checked elsewhere.
    fn validate(&self) -> Result<(), Refusal> {
        Ok(())
    }

    /// The last position of a game in portable notation, as FEN.
    fn last_position(game: &Pgn) -> Result<String, Refusal> {
        course::last_position(Board::orthodox(), START, game)
    }

    /// The state before anything has happened.
    fn start(&self) -> Self::State;
    /// What the game asks for.
    fn turn(&self, state: &Self::State) -> Turn;
    /// A word for what is asked: `move`, `bid`, `answer` …
    fn phase(&self, state: &Self::State) -> &'static str;
    /// A word for what one seat is asked, where both are asked for different things.
    fn task(&self, state: &Self::State, _seat: Seat) -> &'static str {
        self.phase(state)
    }
    /// Whether an actor who is asked may do this.
    fn check(&self, state: &Self::State, actor: Actor, action: &Self::Action) -> Result<(), Refusal>;
    /// Carries out what was checked.
    fn apply(&self, state: &mut Self::State, step: Step<Self::Action>);
    /// What these rules make of a way to stop.
    fn end(&self, state: &Self::State, seat: Seat, end: End) -> Result<Outcome, Refusal>;
    /// The points of both seats, exact.
    fn score(&self, state: &Self::State) -> [Ratio<i64>; 2];
    /// What a viewer may see.
    fn view(&self, state: &Self::State, viewer: Viewer) -> Self::View;
    /// Whether some viewer may see what another may not. Where it says no, the views of both seats and of nobody are the same, but for
    /// what is listed as choices.
    fn hides(&self, _state: &Self::State) -> bool {
        false
    }
    /// What a seat that is asked sees while it puts an action together from parts: the board after `text`, which is as much of the
    /// action as there is, and as choices the parts that may follow. Nothing where actions are said in one piece.
    fn draft(&self, _state: &Self::State, _seat: Seat, _text: &str) -> Option<Self::View> {
        None
    }
    /// A world that this seat could be in: what it may not know is drawn anew.
    fn redeal(&self, state: &Self::State, seat: Seat, rng: &mut dyn Rng) -> Self::State;
    /// Chance speaks. Only asked if [`Self::turn`] says [`Turn::Chance`].
    fn draw(&self, state: &Self::State, rng: &mut dyn Rng) -> Self::Action;
    /// Some sensible actions of a seat that is asked, at least one; never used for legality.
    fn candidates(&self, state: &Self::State, seat: Seat, rng: &mut dyn Rng) -> Vec<Self::Action>;
    /// A rough count of what each seat has, in hundredths of a pawn, for players that look only a little ahead.
    fn standing(&self, state: &Self::State) -> [i64; 2];
    /// What the endgame tables can be asked about this moment, if they speak of it.
    fn endgame(&self, _state: &Self::State) -> Option<Endgame> {
        None
    }
    /// Whether a takeback may come back to here.
    fn returnable(&self, _state: &Self::State) -> bool {
        true
    }
}
