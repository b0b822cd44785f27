//! A turn as a search sees it: all that the mover may play, and the guesses that each would make right.

use std::{collections::HashMap, sync::Arc};

use super::{
    action::{Action, Part, Turn},
    onward::{Continuation, leaves},
    playable::{Playable, playable},
    sheet::{Guess, Sheet},
    situation::Situation,
    state::{Phase, Retraction, State},
    trial::PlayedTurn,
};
use crate::{
    board::{Position, Square},
    rules::{
        Prospect, Seat,
        search_problem::{self, Foreseen, Foresight, Makeup, Sequel},
    },
};

/// The decision that a seat has to make; nothing where only a rescue is left, or to open the record.
pub(super) fn prospect(state: &State, seat: Seat) -> Option<Prospect> {
    let role = match state.phase {
        Phase::Both | Phase::Turn if seat == state.mover() => search_problem::Role::Move,
        Phase::Both | Phase::Turn => search_problem::Role::Guess,
        Phase::Response => {
            let played = &state.open()?.played;
            let price = match state.retraction(played) {
                Retraction::For(price) => Some(price).filter(|price| *price <= state.purses[seat.index()]),
                Retraction::OnlyMove => None,
            };
            search_problem::Role::Answer { after: played.after, price }
        }
    };
    // A turn that waits for an answer has been paid, and if it stands it is not forced back any more; another one is after that price.
    let waiting = state.open().map(|record| &record.played);
    let money = state.purses[state.mover().index()] + waiting.map_or(0, |played| played.price);
    let purse = state.purses[state.guesser().index()];
    let left = match role {
        search_problem::Role::Answer { price: Some(price), .. } => purse - price,
        search_problem::Role::Answer { price: None, .. } | search_problem::Role::Move | search_problem::Role::Guess => {
            purse
        }
    };
    let mut guesses = Numbers::default();
    let situation = Situation { terms: &state.terms, position: state.position, homes: state.homes, purse: money };
    let mut turns = Vec::new();
    for Playable { played, makeup } in playable(&situation, Makeup::Assault) {
        if state.brings_back(&played.turn.parts, &played.after).is_some() {
            continue;
        }
        let stands = waiting == Some(&played);
        let next = Situation { position: played.after, purse: if stands { purse } else { left }, ..situation };
        let retraction = match state.retraction(&played) {
            Retraction::For(price) if !stands => Some(price),
            Retraction::For(_) | Retraction::OnlyMove => None,
        };
        let sequel = Sequel { after: played.after, price: played.price, leaves: leaves(&next, retraction), makeup };
        turns.push(foreseen(state, &played, sequel, &mut guesses));
    }
    if turns.is_empty() {
        return None;
    }
    Some(Prospect::Foresight(Foresight {
        role,
        turns,
        guesses: guesses.texts,
        slots: usize::from(state.slots),
        purses: [money, purse],
        before: state.earlier(),
        onward: Arc::new(Continuation::of(state)),
    }))
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

fn foreseen(state: &State, played: &PlayedTurn, sequel: Sequel, numbers: &mut Numbers) -> Foreseen {
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
    Foreseen { text: said.to_string(), right, sequel }
}
