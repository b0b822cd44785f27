//! The shop: what a mover could buy, for how much, and why not; and the prices and the earnings of right guesses, as a page lists them.

use serde::Serialize;

use super::{
    action,
    guess_sheet::letter,
    prices::NAMES,
    state::State,
    turn_builder::{Fault, Trial},
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

/// The prices of one kind of piece.
#[derive(PartialEq, Debug, Serialize, utoipa::ToSchema)]
pub struct Price {
    /// The kind.
    pub name: &'static str,
    /// A new piece.
    pub piece: i64,
    /// A bought move without capture, by case.
    pub quiet: String,
    /// A bought move with capture.
    pub capture: i64,
    /// A second move of the same unit without capture after a capture, by case.
    pub retreat: String,
    /// A second capture by the same unit.
    pub recapture: i64,
}

/// The payoffs of one kind of piece.
#[derive(PartialEq, Debug, Serialize, utoipa::ToSchema)]
pub struct Payoff {
    /// The kind.
    pub name: &'static str,
    /// It moves.
    pub unit: i64,
    /// It moves to the guessed square.
    pub unit_to: i64,
    /// Such a piece is bought.
    pub buy: i64,
    /// Such a piece is bought and dropped on the guessed square.
    pub buy_drop: i64,
}

/// Payoffs that are not about one kind of piece.
#[derive(PartialEq, Debug, Serialize, utoipa::ToSchema)]
pub struct Bonuses {
    /// Castling to the guessed square.
    pub castling: i64,
    /// A bought move.
    pub extra: i64,
    /// A retraction that was locked.
    pub retraction: i64,
    /// One forced move: instead of all guesses.
    pub forced: i64,
}

/// The prices of a kind of piece.
pub(super) fn price(state: &State, kind: usize) -> Price {
    let row = &state.terms.costs.rows[kind];
    Price {
        name: NAMES[kind],
        piece: row.piece,
        quiet: cases(&row.quiet),
        capture: row.capture,
        retreat: cases(&row.retreat),
        recapture: row.recapture,
    }
}

/// The payoffs of a kind of piece.
pub(super) fn payoff(state: &State, kind: usize) -> Payoff {
    let row = &state.terms.payoffs.rows[kind];
    Payoff { name: NAMES[kind], unit: row.unit, unit_to: row.unit_to, buy: row.buy, buy_drop: row.buy_drop }
}

/// The other payoffs.
pub(super) fn bonuses(state: &State) -> Bonuses {
    let payoffs = &state.terms.payoffs;
    Bonuses { castling: payoffs.castling, extra: payoffs.extra, retraction: payoffs.retraction, forced: payoffs.forced }
}

fn cases(amounts: &[i64]) -> String {
    let mut different = amounts.to_vec();
    different.dedup();
    different.iter().map(i64::to_string).collect::<Vec<_>>().join("/")
}
