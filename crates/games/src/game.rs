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

use std::{any::Any, ops::Range, sync::Arc};

use num_rational::Ratio;
use rand::Rng;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::{
    bots::Bot,
    rules::{Actor, Diagram, Endgame, Outcome, Refusal, Seat, Turn, Viewer},
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

/// A [`View`](crate::rules::Rules::View), its type forgotten.
pub type AnyView = Arc<dyn Any + Send + Sync>;

/// A game of any variant.
pub trait Game: Send + Sync {
    /// The variant's key.
    fn key(&self) -> &'static str;
    /// The variant in words.
    fn title(&self) -> &'static str;
    /// Says what the game asks for.
    fn turn(&self) -> Turn;
    /// A word for what is asked.
    fn phase(&self) -> &'static str;
    /// A word for what a seat is asked.
    fn task(&self, seat: Seat) -> &'static str;
    /// Steps applied, chance included.
    fn ply(&self) -> usize;
    /// The seats that are asked and have not chosen yet.
    fn awaits(&self) -> Vec<Seat>;
    /// Tells whether a seat may speak on the position now: it is asked, even if it has chosen already and may choose again.
    fn asks(&self, seat: Seat) -> bool;
    /// Tells whether a seat may say a word now.
    fn can(&self, seat: Seat, word: Word) -> bool;
    /// Tells whether there is something that a seat may see, or has chosen, and the other may not know. Where nothing is hidden,
    /// all viewers see the same.
    fn hides(&self, seat: Seat) -> bool;
    /// The number of times that a seat has said something since the last step that was no step itself: an offer, an answer, another choice in
    /// the place of a sealed one.
    fn talk(&self, seat: Seat) -> usize;
    /// The number of times that a seat has put another choice in the place of a sealed one: nobody else learns of it.
    fn resealed(&self, seat: Seat) -> usize;
    /// The number of lines said so far.
    fn said(&self) -> usize;
    /// A seat's own choice that is still sealed.
    fn sealed(&self, seat: Seat) -> Option<String>;
    /// The offers on the table.
    fn offers(&self) -> Offers;
    /// The clocks, if there are any.
    fn clocks(&self) -> &Clocks;
    /// The time in milliseconds that a seat had left after a step, counted from 1; nothing without a clock.
    fn left(&self, step: usize, seat: Seat) -> Option<i64>;
    /// The outcome of the game, once it has one.
    fn outcome(&self) -> Option<Outcome>;
    /// The points of both seats.
    fn score(&self) -> [Ratio<i64>; 2];
    /// Shows what a viewer may see, the part that every variant has.
    fn diagram(&self, viewer: Viewer) -> Diagram;
    /// All that a viewer may see, for programs.
    fn json(&self, viewer: Viewer) -> serde_json::Value;
    /// A viewer's view in the variant's own type, with what a seat that is asked has drafted.
    fn shown(&self, viewer: Viewer, draft: Option<&str>) -> AnyView;
    /// Gives what a seat that is asked sees while it puts an action together, as far as `text` goes: its choices are parts that may
    /// follow. Nothing where actions are said in one piece.
    fn draft(&self, seat: Seat, text: &str) -> Option<Diagram>;
    /// Says something at a time; what is accepted is returned as the line to keep.
    fn act(&mut self, actor: Actor, text: &str, now: i64) -> Result<RecordLine, Refusal>;
    /// Draws what chance says, if it is asked.
    fn chance(&self, rng: &mut dyn Rng) -> Option<String>;
    /// Chooses what a bot in a seat would do, if the seat is asked. `enough` says when to stop thinking.
    fn advise(&self, seat: Seat, bot: Bot, rng: &mut dyn Rng, enough: &mut dyn FnMut() -> bool) -> Option<String>;
    /// A world that a seat could be in, as a game of its own: what the seat may not know is drawn anew.
    fn redealt(&self, seat: Seat, rng: &mut dyn Rng) -> Box<dyn Game>;
    /// The question that the endgame tables can be asked about this moment, if they speak of it.
    fn endgame(&self) -> Option<Endgame>;
    /// The same for every moment from the beginning on.
    fn endgames(&self) -> Vec<Option<Endgame>>;
    /// Looks back at the moment after `ply` steps of a game that is over, and at what was said then; nothing while it goes on.
    fn judged(&self, ply: usize) -> Option<Judged>;
    /// Tells whether a takeback may come back to here.
    fn returnable(&self) -> bool;
    /// A copy.
    fn copy(&self) -> Box<dyn Game>;
    /// The game as it stood after `ply` steps, if it has come so far. Nobody is asked there.
    fn past(&self, ply: usize) -> Option<Box<dyn Game>>;
    /// Shows the game as it stood after each of these numbers of steps, as far as it has come, and replays it only once.
    fn walk(&self, plies: Range<usize>, see: &mut dyn FnMut(&dyn Game));
    /// The number of times that steps were taken back.
    fn retracted(&self) -> usize;
    /// All that was said so far, in order, as a viewer may know it: when the game is over, everything. Said again it is the same
    /// game, to every byte that anybody sees. A sealed choice stands once, as it was made last.
    fn lines(&self, viewer: Viewer) -> Vec<KnownLine>;
    /// Tells of each step, counted from 1 and in order, and of the text that a score sheet has for it, whether the game takes that
    /// text for the step.
    fn reads(&self, written: &[(usize, &str)]) -> Vec<bool>;
    /// The options record.
    fn options(&self) -> Map<String, Value>;
    /// The options record of a game of which nothing special was agreed.
    fn usual(&self) -> Map<String, Value>;
}
