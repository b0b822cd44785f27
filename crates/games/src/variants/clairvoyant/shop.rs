//! The shop: the pieces that a mover can buy, with prices and reasons against. Also the tables of prices and earnings for a page.

use serde::Serialize;

use super::{
    action,
    guess_sheet::letter,
    prices::{Before, NAMES, Purchase},
    state::State,
    turn_builder::{Fault, Trial},
};
use crate::board::{Board, Squares};

/// A piece in the shop.
#[derive(PartialEq, Debug, Serialize, utoipa::ToSchema)]
#[schema(as = ShopOffer)]
pub struct Offer {
    /// Name of the piece type.
    pub name: &'static str,
    /// Letter of the piece in drops.
    pub letter: char,
    /// Price.
    pub price: i64,
    /// Squares where it can be dropped now.
    pub squares: Vec<String>,
    /// Empty squares where it would give check.
    #[serde(skip)]
    pub checking: Vec<String>,
    /// Why it cannot be dropped anywhere; empty if it can.
    pub why_not: String,
}

/// Lists the pieces that the mover can buy as the next part of a turn, with the squares for each.
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
            Some(fault) if squares.is_empty() => fault.message(),
            Some(_) | None => String::new(),
        };
        let checking = faults.iter().filter_map(|fault| match fault {
            Fault::DropChecks(_, square) => Some(square.to_string()),
            _ => None,
        });
        let (price, checking) = (state.terms.costs.piece(number), checking.collect());
        Offer { name: NAMES[kind], letter: letter(number), price, squares, checking, why_not }
    };
    (0..NAMES.len()).map(offer).collect()
}

/// Prices of one piece type.
#[derive(PartialEq, Debug, Serialize, utoipa::ToSchema)]
pub struct Price {
    /// Name of the piece type.
    pub name: &'static str,
    /// Price of a new piece.
    pub piece: i64,
    /// Price of a bought move without capture, by case.
    pub quiet: String,
    /// Price of a bought move with capture.
    pub capture: i64,
    /// Price of a move without capture by the same piece after a capture, by case.
    pub retreat: String,
    /// Price of a second capture by the same piece.
    pub recapture: i64,
}

/// Payoffs of one piece type.
#[derive(PartialEq, Debug, Serialize, utoipa::ToSchema)]
pub struct Payoff {
    /// Name of the piece type.
    pub name: &'static str,
    /// The piece moves.
    pub unit: i64,
    /// The piece moves to the guessed square.
    pub unit_to: i64,
    /// A piece of this type is bought.
    pub buy: i64,
    /// A piece of this type is bought and dropped on the guessed square.
    pub buy_drop: i64,
}

/// Payoffs that do not depend on a piece type.
#[derive(PartialEq, Debug, Serialize, utoipa::ToSchema)]
pub struct Bonuses {
    /// Castling to the guessed square.
    pub castling: i64,
    /// A bought move.
    pub extra: i64,
    /// A locked retraction guess that was correct.
    pub retraction: i64,
    /// Flat payment instead of guesses for a forced move.
    pub forced: i64,
}

/// Prices of a piece type.
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

/// Payoffs of a piece type.
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

/// Prices of a piece type for the mover in the current position.
#[derive(PartialEq, Debug)]
pub struct CurrentPrice {
    /// Name of the piece type.
    pub name: &'static str,
    /// Price of a new piece.
    pub piece: i64,
    /// Prices of a bought move without and with capture, and of both after a capture by the same piece; `None` without such a piece that can
    /// move.
    pub moves: Option<[i64; 4]>,
}

/// Prices of all piece types for the mover, after a free move that leaves the king out of check.
pub(super) fn current_prices(state: &State) -> Vec<CurrentPrice> {
    let board = Board::orthodox();
    let check = board.in_check(&state.position, state.position.turn);
    let movable = board.pseudo_moves(&state.position);
    let costs = &state.terms.costs;
    let current = |kind: u8| {
        let price = |captures: bool, captured: bool| {
            let before = Some(Before { captured });
            costs.of(&Purchase { kind, captures, before, check_at_start: check, check_now: false })
        };
        CurrentPrice {
            name: NAMES[usize::from(kind)],
            piece: costs.piece(kind),
            moves: (movable.iter().any(|mv| state.position.piece(mv.from).is_some_and(|piece| piece.kind == kind)))
                .then(|| [price(false, false), price(true, false), price(false, true), price(true, true)]),
        }
    };
    (0..NAMES.len() as u8).map(current).collect()
}
