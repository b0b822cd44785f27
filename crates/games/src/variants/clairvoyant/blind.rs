//! All that a seat may not know, drawn anew: the opponent's sealed sheet and locks, and in blind games every sheet that has not
//! been opened, with the balance that it comes to. And the plausible sheets that are drawn, for players that choose at random.

use std::sync::Arc;

use rand::{Rng, RngExt, seq::IndexedRandom};

use super::{
    record::{self, Fate},
    sheet::{Guess, Sheet},
    state::State,
    trial::safe,
};
use crate::{
    board::{Board, Position, Square, orthodox},
    rules::Seat,
};

/// A sheet that somebody might write about a position, of at most `slots` guesses.
pub(super) fn plausible(position: &Position, homes: [Option<Square>; 2], slots: u8, rng: &mut dyn Rng) -> Sheet {
    let board = Board::orthodox();
    let moves = safe(position, homes);
    let one = |rng: &mut dyn Rng| {
        let mv = moves.choose(rng);
        match (rng.random_range(0..16), mv) {
            (0, _) => Guess::Extra,
            (1, _) | (_, None) => Guess::Buy(rng.random_range(0..orthodox::KING)),
            (2, _) => Guess::BuyDrop(rng.random_range(0..orthodox::KING), Square::at(rng.random_range(0..64))),
            (3..7, Some(mv)) => Guess::Unit(mv.from),
            (_, Some(mv)) => Guess::UnitTo(mv.from, board.target(*mv)),
        }
    };
    let written = rng.random_range(0..=slots);
    Sheet { guesses: (0..written).map(|_| one(rng)).collect() }
}

/// A world that `seat` could be in. Only what the other seat alone knows differs.
pub(super) fn redeal(state: &State, seat: Seat, rng: &mut dyn Rng) -> State {
    let mut world = state.clone();
    if world.outcome.is_some() {
        return world;
    }
    let (other, terms, known) = (!seat, world.terms.clone(), world.opened[(!seat).index()]);
    // The number of the other seat's last turn, and what is locked for the sheet after it.
    let (mut number, mut locked) = (0, 0u8);
    for (index, record) in world.records.iter_mut().enumerate() {
        let (own, fresh) = (record.mover == other, record.number != number);
        if own && fresh {
            (number, locked) = (record.number, 0);
        }
        if index < known {
            locked += if own { record.locks } else { 0 };
            continue;
        }
        if own {
            let left = terms.guesses.saturating_sub(locked);
            let locks = if rng.random_ratio(1, 6) { rng.random_range(0..=left) } else { 0 };
            if locks != record.locks {
                Arc::make_mut(record).locks = locks;
            }
            locked += locks;
        } else if let Fate::Settled { sheet: Some(_), .. } = record.fate {
            let slots = terms.slots(locked);
            let sheet = plausible(&record.before, world.homes, slots, rng);
            let hits = world.terms.payoffs.hits(&sheet, &record.before, &record.played);
            let income = hits.iter().sum();
            let listed = record::listed(&sheet, &hits);
            Arc::make_mut(record).fate = Fate::Settled { sheet: Some((sheet, hits)), listed, income };
        }
    }
    if world.mover() == other {
        world.locked = if number == world.turns + 1 { locked } else { 0 };
    } else {
        world.slots = terms.slots(locked);
        if world.sheet.is_some() {
            world.sheet = Some(plausible(&world.position, world.homes, world.slots, rng));
        }
    }
    let records = world.records.iter().map(Arc::as_ref);
    world.purses[other.index()] = record::balance(records, other, &world.terms);
    world
}
