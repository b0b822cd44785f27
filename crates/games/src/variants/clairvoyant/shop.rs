//! The shop: what a mover could buy, for how much, and why not.

use serde::Serialize;

use super::{
    action,
    cost::NAMES,
    letters::letter,
    state::State,
    trial::{Fault, Trial},
};
use crate::board::Squares;

/// A piece in the shop.
#[derive(PartialEq, Debug, Serialize, utoipa::ToSchema)]
#[schema(as = ShopOffer)]
pub struct Offer {
    /// The kind.
    pub name: &'static str,
    /// Its letter in drops.
    pub letter: char,
    /// Its price.
    pub price: i64,
    /// The squares where it may be dropped now.
    pub squares: Vec<String>,
    /// Why it cannot be dropped anywhere; empty if it can.
    pub why_not: String,
}

/// Lists what the mover could buy after what is put together already, and where it could be dropped.
pub(super) fn shop(state: &State, trial: &Trial) -> Vec<Offer> {
    let offer = |kind: usize| {
        let number = kind as u8;
        let mut squares = Vec::new();
        let mut faults = Vec::new();
        let empty: Squares = !trial.position.occupied();
        let fresh = trial.dropped().is_empty();
        for square in empty.filter(|square| !fresh || !state.banned(&action::Part::Drop(number, *square))) {
            match trial.drop(number, square) {
                Ok(_) => squares.push(square.to_string()),
                Err(fault) => faults.push(fault),
            }
        }
        let why_not = match faults.iter().find(|fault| matches!(fault, Fault::Money { .. })).or(faults.first()) {
            Some(fault) if squares.is_empty() => fault.words(),
            Some(_) | None => String::new(),
        };
        let price = state.terms.costs.piece(number);
        Offer { name: NAMES[kind], letter: letter(number), price, squares, why_not }
    };
    (0..NAMES.len()).map(offer).collect()
}
