//! The deals of a match.

use serde::Serialize;

use super::{amount::Amount, pair::Pair};
use crate::rules::{Side, seat::Seat};

/// One deal of a match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, utoipa::ToSchema)]
pub struct Deal {
    /// The colour that each seat played in it, once that was known.
    #[schema(inline)]
    pub colors: Option<Pair<Side>>,
    /// How it ended, once it has.
    pub end: Option<DealEnd>,
    /// Tags of its record in portable game notation, beyond those that every game has.
    #[serde(skip)]
    pub tags: Vec<(&'static str, String)>,
}

/// The end of a deal.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, utoipa::ToSchema)]
pub struct DealEnd {
    /// The number of steps applied when it had ended.
    pub ply: usize,
    /// The seat that won it.
    pub winner: Option<Seat>,
    /// True if there were no stakes yet, so that nobody won, lost or drew.
    pub void: bool,
    /// Why.
    pub reason: &'static str,
    /// The points that it brought both seats.
    #[schema(inline)]
    pub points: Pair<Amount>,
}
