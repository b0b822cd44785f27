//! Candidates for players that do not think: free moves, some purchases, some sheets. Never used for legality.

use rand::{Rng, RngExt, seq::IndexedRandom};

use super::{
    action::{Action, Part, Turn},
    blind::plausible,
    sheet::Sheet,
    state::{Phase, Retraction, State},
    trial::possible,
};
use crate::{
    board::{Board, Move, Square, orthodox},
    rules::Seat,
};

/// The number of different sheets that are offered.
const SHEETS: usize = 4;

/// The number of squares that are offered for the dearest piece that can be bought.
const DROPS: usize = 64;

/// Some sensible actions of a seat that is asked, at least one.
pub(super) fn candidates(state: &State, seat: Seat, rng: &mut dyn Rng) -> Vec<Action> {
    match state.phase {
        Phase::Both | Phase::Turn if seat == state.mover() => turns(state, rng),
        Phase::Both | Phase::Turn => {
            let sheet = |rng: &mut dyn Rng| plausible(&state.position, state.homes, state.slots, rng);
            let mut sheets: Vec<Action> = (0..SHEETS).map(|_| Action::Guess(sheet(rng))).collect();
            if rng.random_ratio(1, 8) {
                sheets.push(Action::Guess(Sheet::default()));
            }
            sheets
        }
        Phase::Response => answers(state, seat, rng),
    }
}

fn answers(state: &State, seat: Seat, rng: &mut dyn Rng) -> Vec<Action> {
    let mut answers = vec![Action::Answer { disclose: false, retract: false }];
    let Some(record) = state.open() else { return answers };
    let purse = state.purses[seat.index()];
    let affordable = matches!(state.retraction(&record.played), Retraction::For(price) if price <= purse);
    if affordable && rng.random_ratio(1, 4) {
        answers.push(Action::Answer { disclose: false, retract: true });
    }
    answers
}

fn said(parts: Vec<Part>) -> Action {
    Action::Turn { disclose: false, locks: 0, turn: Turn { parts } }
}

fn turns(state: &State, rng: &mut dyn Rng) -> Vec<Action> {
    let board = Board::orthodox();
    let part = |mv: Move| Part::Move(board.uci(mv));
    let free = state.free_moves();
    if free.is_empty() {
        return vec![state.rescue().map_or(Action::Disclose, |turn| said(turn.parts))];
    }
    let mates = |mv: &&Move| {
        let after = board.after(&state.position, **mv);
        board.in_check(&after, after.turn) && !board.has_move(&after)
    };
    let mating: Vec<Action> = free.iter().filter(mates).map(|mv| said(vec![part(*mv)])).collect();
    if !mating.is_empty() {
        return mating;
    }
    let mut turns: Vec<Action> = free.iter().map(|mv| said(vec![part(*mv)])).collect();
    // Checks stand there more than once, so that whoever chooses at random gets somewhere.
    let checks = |mv: &&Move| {
        let after = board.after(&state.position, **mv);
        board.in_check(&after, after.turn)
    };
    let checks: Vec<Action> = free.iter().filter(checks).map(|mv| said(vec![part(*mv)])).collect();
    if !checks.is_empty() {
        turns.extend(checks.iter().cycle().take(free.len() / 2).cloned());
    }
    let paid = drops(state, rng).into_iter().map(|drop| vec![drop]).chain(extra(state, &free, rng));
    let playable = |parts: &Vec<Part>| {
        let turn = Turn { parts: parts.clone() };
        let played = state.trial().play(&turn);
        played.is_ok_and(|played| state.brings_back(parts, &played.after).is_none())
    };
    turns.extend(paid.filter(playable).map(said));
    if rng.random_ratio(1, 16)
        && state.locked < state.terms.guesses
        && let Some(Action::Turn { turn, .. }) = turns.choose(rng).cloned()
    {
        turns.push(Action::Turn { disclose: false, locks: 1, turn });
    }
    turns
}

/// A few free moves with a bought one after them.
fn extra(state: &State, free: &[Move], rng: &mut dyn Rng) -> Vec<Vec<Part>> {
    let (board, trial) = (Board::orthodox(), state.trial());
    if trial.left() < state.terms.costs.cheapest_move() {
        return Vec::new();
    }
    let pair = |rng: &mut dyn Rng| {
        let first = free.choose(rng)?;
        let next = trial.go(*first).ok()?;
        let second = *possible(&next.position, state.homes).choose(rng)?;
        Some(vec![Part::Move(board.uci(*first)), Part::Move(board.uci(second))])
    };
    (0..2).filter_map(|_| pair(rng)).collect()
}

/// Drops that the mover could pay, of the dearest pieces most: who has money does best to spend it before the other does.
fn drops(state: &State, rng: &mut dyn Rng) -> Vec<Part> {
    let left = state.trial().left();
    let empty: Vec<Square> = (!state.position.occupied()).collect();
    let kinds = [orthodox::QUEEN, orthodox::ROOK, orthodox::BISHOP, orthodox::KNIGHT, orthodox::PAWN];
    let mut affordable = kinds.into_iter().filter(|kind| state.terms.costs.piece(*kind) <= left);
    let Some(dearest) = affordable.next() else { return Vec::new() };
    let squares = |number: usize, rng: &mut dyn Rng| empty.sample(rng, number).copied().collect::<Vec<_>>();
    let mut drops: Vec<Part> = squares(DROPS, rng).into_iter().map(|square| Part::Drop(dearest, square)).collect();
    drops.extend(affordable.flat_map(|kind| squares(1, rng).into_iter().map(move |square| Part::Drop(kind, square))));
    drops
}
