//! A turn as a search sees it: all that the mover may play, and the guesses that each would make right.

use std::collections::HashMap;

use super::{
    super::Seat,
    action::{Action, Part, Turn},
    mate,
    sheet::{Guess, Sheet},
    situation::Situation,
    state::{Phase, Retraction, State},
    trial::{PlayedTurn, Trial, possible},
};
use crate::{
    board::{Board, Position, Square, orthodox},
    rules::prospect::{self, Foreseen, Foresight, Leaves, Prospect},
};

/// The most turns that are listed.
const MOST: usize = 3_000;

/// The decision that a seat has to make; nothing where only a rescue is left, or to open the record.
pub(super) fn prospect(state: &State, seat: Seat) -> Option<Prospect> {
    let role = match state.phase {
        Phase::Both | Phase::Turn if seat == state.mover() => prospect::Role::Move,
        Phase::Both | Phase::Turn => prospect::Role::Guess,
        Phase::Response => {
            let played = &state.open()?.played;
            let price = match state.retraction(played) {
                Retraction::For(price) => Some(price).filter(|price| *price <= state.purses[seat.index()]),
                Retraction::OnlyMove => None,
            };
            prospect::Role::Answer { after: played.after, price }
        }
    };
    // A turn that waits for an answer has been paid, and if it stands it is not forced back any more; another one is after that price.
    let waiting = state.open().map(|record| &record.played);
    let money = state.purses[state.mover().index()] + waiting.map_or(0, |played| played.price);
    let purse = state.purses[state.guesser().index()];
    let left = match role {
        prospect::Role::Answer { price: Some(price), .. } => purse - price,
        prospect::Role::Answer { price: None, .. } | prospect::Role::Move | prospect::Role::Guess => purse,
    };
    let mut guesses = Numbers::default();
    let mut listed = |played: PlayedTurn| {
        let stands = waiting == Some(&played);
        let leaves = leaves(state, &played, if stands { purse } else { left }, stands);
        foreseen(state, &played, leaves, &mut guesses)
    };
    let turns: Vec<Foreseen> = playable(state, money).into_iter().map(&mut listed).collect();
    if turns.is_empty() {
        return None;
    }
    let (slots, before) = (usize::from(state.slots), state.recent());
    let purses = [money, purse];
    Some(Prospect::Foresight(Foresight { role, turns, guesses: guesses.texts, slots, purses, before }))
}

/// The turns that a mover with so much money may play: a free move, one with a bought move after it that captures or gives check, a drop, one with a
/// move of what was dropped that captures, promotes or gives check.
fn playable(state: &State, money: i64) -> Vec<PlayedTurn> {
    let (board, trial) = (Board::orthodox(), state.trial().of_purse(money));
    let mut played = Vec::new();
    let may = |trial: &Trial<'_>| trial.left() >= state.terms.costs.cheapest_move() && trial.bought_next().is_some();
    for first in state.free_moves().into_iter().filter_map(|mv| trial.go(mv).ok()) {
        if may(&first) {
            for mv in possible(&first.position, state.homes) {
                let captures = board.captured(&first.position, mv).is_some();
                let sharp = |next: &Trial<'_>| captures || board.in_check(&next.position, !next.position.turn);
                played.extend(first.go(mv).ok().filter(sharp).and_then(|next| next.finish().ok()));
            }
        }
        played.extend(first.finish().ok());
    }
    let empty = !state.position.occupied();
    for kind in (orthodox::PAWN..orthodox::KING).filter(|kind| state.terms.costs.piece(*kind) <= trial.left()) {
        for (square, dropped) in empty.filter_map(|square| Some((square, trial.drop(kind, square).ok()?))) {
            if dropped.left() >= state.terms.costs.cheapest_move_of(kind) {
                for mv in possible(&dropped.position, state.homes).into_iter().filter(|mv| mv.from == square) {
                    let strikes = mv.promotion.is_some() || board.captured(&dropped.position, mv).is_some();
                    let sharp = |next: &Trial<'_>| strikes || board.in_check(&next.position, !next.position.turn);
                    played.extend(dropped.go(mv).ok().filter(sharp).and_then(|next| next.finish().ok()));
                }
            }
            played.extend(dropped.finish().ok());
        }
    }
    played.retain(|played| state.brings_back(&played.turn.parts, &played.after).is_none());
    // The dearest are left out where there are too many.
    played.sort_by_key(|played| played.price);
    played.truncate(MOST);
    played
}

/// Guesses by number.
#[derive(Default)]
struct Numbers {
    known: HashMap<String, usize>,
    texts: Vec<String>,
}

impl Numbers {
    fn of(&mut self, guess: Guess) -> usize {
        let text = guess.to_string();
        *self.known.entry(text).or_insert_with_key(|text| {
            self.texts.push(text.clone());
            self.texts.len() - 1
        })
    }
}

fn foreseen(state: &State, played: &PlayedTurn, leaves: Leaves, numbers: &mut Numbers) -> Foreseen {
    let before: &Position = &state.position;
    let stood = |unit: Square| before.piece(unit).is_some();
    let mut guesses = Vec::new();
    for done in played.moves.iter().flatten() {
        if stood(done.unit) {
            guesses.extend([Guess::Unit(done.unit), Guess::UnitTo(done.unit, done.landing)]);
        }
        if done.bought {
            guesses.push(Guess::Extra);
        }
    }
    for part in &played.turn.parts {
        if let Part::Drop(kind, square) = part {
            guesses.extend([Guess::Buy(*kind), Guess::BuyDrop(*kind, *square)]);
        }
    }
    let sheet = Sheet { guesses };
    let hits = state.terms.payoffs.hits(&sheet, before, played);
    let right = sheet.guesses.iter().zip(hits).map(|(guess, pay)| (numbers.of(*guess), pay)).collect();
    let said = Action::Turn { disclose: false, locks: 0, turn: Turn { parts: played.turn.parts.clone() } };
    Foreseen { text: said.to_string(), after: played.after, price: played.price, right, leaves }
}

/// What a turn leaves to a guesser who has so much, and cannot force it back if it `stands`.
fn leaves(state: &State, played: &PlayedTurn, purse: i64, stands: bool) -> Leaves {
    let (board, after) = (Board::orthodox(), played.after);
    if !board.in_check(&after, after.turn) || board.has_move(&after) {
        return Leaves::Moves;
    }
    let situation = Situation { terms: &state.terms, position: after, homes: state.homes, purse };
    match (mate::rescue(&situation), state.retraction(played)) {
        (Some(_), _) => Leaves::Rescue,
        (None, Retraction::For(price)) if !stands && price <= purse => Leaves::Retraction,
        (None, Retraction::For(_) | Retraction::OnlyMove) => Leaves::Nothing,
    }
}
