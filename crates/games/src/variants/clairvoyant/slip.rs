//! What is put together, slip by slip: the parts of a turn, or the guesses of a sheet, as whoever does it sees them.

use super::{cost::NAMES, trial::Trial};
use crate::{
    board::{Board, Color, Square},
    rules::Dropped,
};

/// An action that is put together.
#[derive(Clone, PartialEq, Debug)]
pub struct Draft {
    /// The parts of a turn, or every guess of a sheet at its place.
    pub lines: Vec<Part>,
    /// All guesses are opened first.
    pub disclose: bool,
    /// The number of guesses that are staked on a retraction.
    pub locks: u8,
    /// Its price so far, in zorkmids; nothing for a sheet.
    pub price: i64,
    /// The money that would be left in the viewer's purse.
    pub left: i64,
    /// Why it cannot be said as it stands; empty if it can.
    pub unfinished: String,
    /// The fault of the part that was to be added.
    pub refused: Option<String>,
    /// The part of it that was left out.
    pub rest: String,
    /// The guess that a move is bought, if it may be added.
    pub extra: Option<Part>,
    /// Something may still be added.
    pub open: bool,
}

/// One part of it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Part {
    /// Its text; empty where nothing is guessed.
    pub text: String,
    /// Its meaning.
    pub words: String,
    /// The meaning in a word or two, where the piece is shown beside it.
    pub short: String,
    /// The name of the piece.
    pub piece: Option<&'static str>,
    /// Its price, or what it would earn.
    pub amount: i64,
    /// Why it cannot be said; empty if it can.
    pub wrong: String,
}

/// The name of what stands on a square.
pub(super) fn name(trial: &Trial, square: Square) -> &'static str {
    trial.position.piece(square).map_or("piece", |piece| NAMES[usize::from(piece.kind)])
}

/// A piece of the mover's that is dropped, or guessed to be; `said` before its square.
pub(super) fn dropped(kind: u8, mover: Color, said: String, lead: &'static str) -> Dropped {
    Dropped::new(Board::orthodox().kind(kind), mover, said, lead)
}
