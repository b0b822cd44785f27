//! What the engine thinks, as it is kept and served: of a game that is over, and of what a player could say.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::rules::Seat;

/// The engine's opinion on a game that is over. Chances are in thousandths, and estimates but for the steps that are listed as exact.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct Review {
    /// The chance of seat one before the first step and after each one; null where the searches know none. In a match it is the chance
    /// to win the deal.
    pub chances: Vec<Option<u16>>,
    /// The numbers of steps after which the endgame tables know the chance exactly.
    pub exact: Vec<usize>,
    /// The choices that gave most away, the worst first, three at most.
    pub worst: Vec<Lapse>,
    /// True if the game has more steps than were looked at.
    pub cut: bool,
}

/// A choice that gave something away.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct Lapse {
    /// The number of the step that it made, from 1.
    pub ply: usize,
    /// Whose it was.
    pub seat: Seat,
    /// What was said, as players write it.
    pub said: String,
    /// What would have been better, as players write it.
    pub better: String,
    /// The same as an action.
    pub action: String,
    /// The chance that was given away, in thousandths.
    pub lost: u16,
    /// True if the endgame tables say so, and not only a search.
    pub exact: bool,
}

/// What a player could say now.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct Hint {
    /// The text of the action.
    #[schema(example = "e2e4")]
    pub action: String,
    /// The same as players write it.
    #[schema(example = "e4")]
    pub label: String,
    /// True if the endgame tables say so; else it is an opinion.
    pub exact: bool,
}
