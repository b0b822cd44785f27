//! One game in progress, its variant forgotten: sealing, clocks, resigning, agreeing, taking back, replay. Knows no storage and no
//! pages; time and chance come in as arguments.

mod clock;
mod judged;
mod live;
pub mod record;
mod told;
mod word;

pub use clock::{Clock, ClockView, Clocks};
pub use judged::{Judged, Remark, Told};
pub use live::Live;
pub use told::told;
pub use word::Word;

use serde::Serialize;

use crate::rules::{Actor, Seat};

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
pub struct KnownLine {
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
