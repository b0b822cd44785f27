//! Assessments of games by the engine and the endgame tables, as stored and served.

use crate::{
    board::Color,
    richman::{Advice, FourAdvice},
    rules::Seat,
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

/// Engine analysis of a finished game. Chances are in thousandths. They are estimates, except at the plies listed in `exact`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct Review {
    /// Seat one's chance to win, before the first ply and after each one; null where no engine can estimate it. In a match, the chance to
    /// win the current deal.
    pub chances: Vec<Option<u16>>,
    /// Plies after which the chance is exact, from the endgame tables.
    pub exact: Vec<usize>,
    /// The biggest mistakes, worst first, at most three.
    pub worst: Vec<Lapse>,
    /// True if the game is longer than the analysis.
    pub cut: bool,
}

/// A mistake: a choice that lowered the player's chances.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = Mistake)]
pub struct Lapse {
    /// Ply of the choice, from 1.
    pub ply: usize,
    /// Seat that made the choice.
    pub seat: Seat,
    /// The choice in game notation, such as SAN.
    pub said: String,
    /// A better choice in game notation.
    pub better: String,
    /// The better choice as an action text.
    pub action: String,
    /// Lost chance, in thousandths.
    pub lost: u16,
    /// True if the values come from the endgame tables and not only from a search.
    pub exact: bool,
}

/// A suggested action for a player.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct Hint {
    /// Action text.
    #[schema(example = "e2e4")]
    pub action: String,
    /// The action in game notation, such as SAN.
    #[schema(example = "e4")]
    pub label: String,
    /// True if the action comes from the endgame tables; otherwise it is the engine's estimate.
    pub exact: bool,
}

/// Advice of the endgame tables for one position.
#[derive(Clone, Debug)]
pub enum TableAdvice {
    /// Exact values, for at most three pieces.
    Exact(Arc<Advice>),
    /// Bounds, for four pieces.
    Bounded(Arc<FourAdvice>),
}

impl TableAdvice {
    /// The part of the advice for a viewer: everything if `whole`, otherwise only the public values.
    pub fn visible_part(&self, whole: bool) -> Option<TableAdvice> {
        match self {
            TableAdvice::Exact(advice) => advice.visible_part(whole).map(TableAdvice::Exact),
            TableAdvice::Bounded(advice) => advice.visible_part(whole).map(TableAdvice::Bounded),
        }
    }

    /// Action text that a side should submit now; none if it is not that side's turn.
    pub fn action(&self, color: Color) -> Option<&str> {
        match self {
            TableAdvice::Exact(advice) => advice.hint(color).action.as_deref(),
            TableAdvice::Bounded(advice) => advice.hint(color).action.as_deref(),
        }
    }

    /// Best move of a side that has the move, in UCI and in SAN.
    pub fn recommended(&self, color: Color) -> Option<(&str, &str)> {
        match self {
            TableAdvice::Exact(advice) => advice.hint(color).moves.first().map(|mv| (&*mv.uci, &*mv.san)),
            TableAdvice::Bounded(advice) => advice.hint(color).moves.first().map(|mv| (&*mv.uci, &*mv.san)),
        }
    }

    /// Returns whether reviews judge by this advice rather than by a search. Bounds give no chance in games with chips, or where α < β.
    pub fn weighs(&self) -> bool {
        match self {
            TableAdvice::Exact(_) => true,
            TableAdvice::Bounded(_) => self.chance().is_some(),
        }
    }

    /// White's chance to win, if known: where a coin decides who moves, and where the chips prove a win.
    pub fn chance(&self) -> Option<f64> {
        match self {
            TableAdvice::Exact(advice) => {
                let sure = |color: Color| advice.hint(color).within.is_some();
                match advice.chips {
                    None => Some(advice.chance.as_ref().unwrap_or(&advice.value).approx),
                    Some(_) if sure(Color::White) => Some(1.0),
                    Some(_) if sure(Color::Black) => Some(0.0),
                    Some(_) => None,
                }
            }
            TableAdvice::Bounded(advice) => {
                let chance = advice.chance.as_ref().filter(|_| advice.narrow)?;
                chance.lo.parse().ok()
            }
        }
    }
}
