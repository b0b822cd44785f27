//! One game in progress, its variant forgotten: sealing, clocks, resigning, agreeing, taking back, replay. Knows no storage and no
//! pages; time and chance come in as arguments.

mod clock;
mod live;
pub mod record;

pub use clock::{Clock, ClockView, Clocks};
pub use live::Live;

use serde::Serialize;

use crate::{
    rules::{Actor, DealEnd, Seat},
    variants::bookie::amount,
};

/// A game is drawn after this many steps.
pub const LONGEST: usize = 10_000;

/// The reason of a draw after [`LONGEST`] steps.
pub const TOO_LONG: &str = "too long";
/// The reason why a game that was called off has no result.
pub const ABORTED: &str = "aborted";
/// The reason why a game to which nobody came has no result.
pub const DESERTED: &str = "nobody came";
/// The reason of a loss that the operator has declared.
pub const FORFEIT: &str = "forfeit";

/// One line of the record: who said what, when.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordLine {
    /// The actor who spoke.
    pub actor: Actor,
    /// The action, in its own canonical text.
    pub text: String,
    /// When, in milliseconds since the epoch.
    pub time: i64,
}

/// One thing that was said in a game, as far as somebody may know it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VisibleLine {
    /// The actor who spoke.
    pub actor: Actor,
    /// The action, in its own canonical text; nothing while it is hidden.
    pub text: Option<String>,
    /// When, in milliseconds since the epoch.
    pub time: i64,
    /// The number of the step that it made, from 1, or made half of; nothing for what is no step, waits or was taken back.
    pub step: Option<usize>,
}

/// The offers that have been made and not yet answered.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, utoipa::ToSchema)]
pub struct Offers {
    /// The seat that offers a draw.
    pub draw: Option<Seat>,
    /// The seat that asks to take back.
    pub takeback: Option<Seat>,
    /// The seat whose offer was declined, until the next step or offer.
    pub declined: Option<Seat>,
    /// True for each seat that wants a rematch, seat one's first.
    pub rematch: [bool; 2],
    /// The key of the game that is to be played then, where it is another one.
    pub game: Option<String>,
}

/// A look back at a moment, and at the step that followed. Chances are estimates, from 0 to 1.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct MoveReview {
    /// Seat one's chance, if the searches know one.
    pub chance: Option<f64>,
    /// What each seat said.
    pub said: [Option<LabelledAction>; 2],
    /// What each seat should have said, where that is something else.
    pub better: [Option<BetterAction>; 2],
}

/// An action, for programs and for people.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LabelledAction {
    /// The action's text.
    pub action: String,
    /// The same as players write it.
    pub label: String,
}

/// What a seat should have said.
#[derive(Clone, PartialEq, Debug)]
pub struct BetterAction {
    /// The action.
    pub told: LabelledAction,
    /// The chance that was given away, if that can be told before it is known what followed.
    pub lost: Option<f64>,
}

impl MoveReview {
    /// A moment of which nothing is said but the chance.
    pub fn of(chance: Option<f64>) -> MoveReview {
        MoveReview { chance, ..MoveReview::default() }
    }

    /// What a seat said, if it was asked.
    pub fn of_seat(&self, seat: Seat) -> Option<&LabelledAction> {
        self.said[seat.index()].as_ref()
    }
}

/// A word that every game knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlayerCommand {
    /// Gives up the game, or the deal of a match.
    Resign,
    /// Gives up all that is left of a match.
    ResignMatch,
    /// Offers a draw, or agrees to one.
    Draw,
    /// Asks to take back the last own step, or agrees to that.
    Takeback,
    /// Turns down what the other side has offered.
    Decline,
    /// Takes back an offer of one's own.
    Withdraw,
    /// Calls the game off before both have chosen anything.
    Abort,
    /// Claims a draw that the rules grant.
    Claim,
    /// Asks to play again: the same game, or another one that is named.
    Rematch,
}

impl PlayerCommand {
    /// All of them.
    pub const ALL: [PlayerCommand; 9] = [
        PlayerCommand::Resign,
        PlayerCommand::ResignMatch,
        PlayerCommand::Draw,
        PlayerCommand::Takeback,
        PlayerCommand::Decline,
        PlayerCommand::Withdraw,
        PlayerCommand::Abort,
        PlayerCommand::Claim,
        PlayerCommand::Rematch,
    ];

    /// The text in which it is said.
    pub const fn text(self) -> &'static str {
        match self {
            PlayerCommand::Resign => "resign",
            PlayerCommand::ResignMatch => "resign match",
            PlayerCommand::Draw => "draw",
            PlayerCommand::Takeback => "takeback",
            PlayerCommand::Decline => "decline",
            PlayerCommand::Withdraw => "withdraw",
            PlayerCommand::Abort => "abort",
            PlayerCommand::Claim => "claim",
            PlayerCommand::Rematch => "rematch",
        }
    }

    /// The word that a text is, if it is one. Behind `rematch` another game may be named, as in `rematch bidding`.
    pub fn read(text: &str) -> Option<PlayerCommand> {
        let named = PlayerCommand::named(text).map(|_| PlayerCommand::Rematch);
        named.or_else(|| PlayerCommand::ALL.into_iter().find(|word| word.text() == text))
    }

    /// The key of the game for which a rematch is asked, where it is named.
    pub fn named(text: &str) -> Option<&str> {
        text.strip_prefix(PlayerCommand::Rematch.text())?.strip_prefix(' ')
    }
}

/// Tells who won a deal, why, and what that brings either seat. `names` are the names of the seats.
pub fn told(end: &DealEnd, names: &[String; 2]) -> String {
    let reason = end.reason;
    if end.void {
        return format!("No stakes, no points: {reason}");
    }
    let result = match end.winner {
        Some(seat) => format!("{} wins: {reason}", names[seat.index()]),
        None => format!("A draw: {reason}"),
    };
    let gain = |seat: Seat| format!("{} gets {}", names[seat.index()], amount(&end.points.of(seat).0));
    // Whoever won is told first.
    let first = end.winner.unwrap_or(Seat::One);
    format!("{result}. {}, {}", gain(first), gain(!first))
}
