//! The engine's and the endgame tables' opinions of games, as they are kept and served.

use crate::{
    board::Color,
    richman::{Advice, FourAdvice},
    rules::Seat,
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

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

/// The tables' word about a moment.
#[derive(Clone, Debug)]
pub enum TableAdvice {
    /// Of at most three pieces.
    Exact(Arc<Advice>),
    /// Of four pieces.
    Bounded(Arc<FourAdvice>),
}

impl TableAdvice {
    /// What of it is told to whoever may see the whole, or else to everybody.
    pub fn told(&self, whole: bool) -> Option<TableAdvice> {
        match self {
            TableAdvice::Exact(advice) => advice.told(whole).map(TableAdvice::Exact),
            TableAdvice::Bounded(advice) => advice.told(whole).map(TableAdvice::Bounded),
        }
    }

    /// The word that a side should say now, as the text of an action; nothing if it is not asked.
    pub fn action(&self, color: Color) -> Option<&str> {
        match self {
            TableAdvice::Exact(advice) => advice.hint(color).action.as_deref(),
            TableAdvice::Bounded(advice) => advice.hint(color).action.as_deref(),
        }
    }

    /// The move that a side should make if it has the move, in UCI and in SAN.
    pub fn recommended(&self, color: Color) -> Option<(&str, &str)> {
        match self {
            TableAdvice::Exact(advice) => advice.hint(color).moves.first().map(|mv| (&*mv.uci, &*mv.san)),
            TableAdvice::Bounded(advice) => advice.hint(color).moves.first().map(|mv| (&*mv.uci, &*mv.san)),
        }
    }

    /// Tells whether a word is weighed by this rather than by a search: bounds know no chance where there are chips, or α < β.
    pub fn weighs(&self) -> bool {
        match self {
            TableAdvice::Exact(_) => true,
            TableAdvice::Bounded(_) => self.chance().is_some(),
        }
    }

    /// White's chance to win, where it is known: where a coin names the movers, and where chips prove a win.
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
                let chance = advice.chance.as_ref().filter(|_| advice.sharp == Some(true))?;
                chance.lo.parse().ok()
            }
        }
    }
}
