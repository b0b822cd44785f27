//! What the endgame tables say about a moment of a game: exactly where three pieces are left, and in proved bounds where four are.

use std::sync::Arc;

use crate::{
    board::Color,
    richman::{Advice, FourAdvice},
};

/// The tables' word about a moment.
#[derive(Clone, Debug)]
pub enum Counsel {
    /// Of at most three pieces.
    Exact(Arc<Advice>),
    /// Of four pieces.
    Bounded(Arc<FourAdvice>),
}

impl Counsel {
    /// What of it is told to whoever may see the whole, or else to everybody.
    pub fn told(&self, whole: bool) -> Option<Counsel> {
        match self {
            Counsel::Exact(advice) => advice.told(whole).map(Counsel::Exact),
            Counsel::Bounded(advice) => advice.told(whole).map(Counsel::Bounded),
        }
    }

    /// The word that a side should say now, as the text of an action; nothing if it is not asked.
    pub fn action(&self, color: Color) -> Option<&str> {
        match self {
            Counsel::Exact(advice) => advice.hint(color).action.as_deref(),
            Counsel::Bounded(advice) => advice.hint(color).action.as_deref(),
        }
    }

    /// The move that a side should make if it has the move, in UCI and in SAN.
    pub fn recommended(&self, color: Color) -> Option<(&str, &str)> {
        match self {
            Counsel::Exact(advice) => advice.hint(color).moves.first().map(|mv| (&*mv.uci, &*mv.san)),
            Counsel::Bounded(advice) => advice.hint(color).moves.first().map(|mv| (&*mv.uci, &*mv.san)),
        }
    }

    /// Tells whether a word is weighed by this rather than by a search: bounds know no chance where there are chips, or α < β.
    pub fn weighs(&self) -> bool {
        match self {
            Counsel::Exact(_) => true,
            Counsel::Bounded(_) => self.chance().is_some(),
        }
    }

    /// White's chance to win, where it is known: where a coin names the movers, and where chips prove a win.
    pub fn chance(&self) -> Option<f64> {
        match self {
            Counsel::Exact(advice) => {
                let sure = |color: Color| advice.hint(color).within.is_some();
                match advice.chips {
                    None => Some(advice.chance.as_ref().unwrap_or(&advice.value).approx),
                    Some(_) if sure(Color::White) => Some(1.0),
                    Some(_) if sure(Color::Black) => Some(0.0),
                    Some(_) => None,
                }
            }
            Counsel::Bounded(advice) => {
                let chance = advice.chance.as_ref().filter(|_| advice.sharp == Some(true))?;
                chance.lo.parse().ok()
            }
        }
    }
}
