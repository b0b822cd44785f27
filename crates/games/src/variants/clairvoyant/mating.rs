//! The turns that mate at once, all of them, for whoever asks which is the only one. The other side guesses nothing.

use super::{
    action::Turn,
    mate,
    options::Terms,
    situation::Situation,
    state::{Phase, State},
    trial::{PlayedTurn, Trial, possible},
};
use crate::board::{Board, Square, orthodox};

/// The most zorkmids of a mover whose turns can all be looked through: with more, three pieces are dropped and one of them moved.
const RICHEST: i64 = 11;

/// The kinds that so much money can buy and move.
const KINDS: [u8; 4] = [orthodox::PAWN, orthodox::KNIGHT, orthodox::BISHOP, orthodox::ROOK];

impl State {
    /// Every turn that mates, if the other side has written no guess and cannot pay to have it taken back; nothing where that is not so, or
    /// where the mover is too rich. A turn that drops several pieces stands here in every order.
    pub fn mating(&self) -> Option<Vec<Turn>> {
        let purse = self.purses[self.guesser().index()];
        let stands = purse < self.terms.costs.retraction(false, true);
        if self.phase != Phase::Both || self.outcome.is_some() || !stands || self.trial().left() > RICHEST {
            return None;
        }
        let mut search = Walk { state: self, purse, found: Vec::new() };
        search.moves(&self.trial());
        search.drops(&self.trial());
        Some(search.found)
    }

    /// The turns of moves alone that would mate a mover’s opponent if money were no object, with their prices, the cheapest first; those
    /// that can be paid are left out.
    pub fn mating_if_rich(&self) -> Vec<(Turn, i64)> {
        let mut search = Walk { state: self, purse: self.purses[self.guesser().index()], found: Vec::new() };
        search.moves(&self.trial().of_purse(i64::MAX));
        let rich = |turn: Turn| {
            let price = self.trial().of_purse(i64::MAX).play(&turn).ok()?.price;
            (price > self.trial().left()).then_some((turn, price))
        };
        let mut found: Vec<(Turn, i64)> = search.found.into_iter().filter_map(rich).collect();
        found.sort_by_key(|(_, price)| *price);
        found
    }

    /// Tells whether a turn that was carried out mates.
    fn mates(&self, played: &PlayedTurn, purse: i64) -> bool {
        let (board, after) = (Board::orthodox(), played.after);
        let rescued = || {
            let terms: &Terms = &self.terms;
            mate::rescue(&Situation { terms, position: after, homes: self.homes, purse }).is_some()
        };
        board.in_check(&after, after.turn) && !board.has_move(&after) && !rescued()
    }
}

/// A walk through all turns. A drop gives no check and opens no line, so that a turn without a move mates nobody.
struct Walk<'s> {
    state: &'s State,
    purse: i64,
    found: Vec<Turn>,
}

impl Walk<'_> {
    fn moves(&mut self, trial: &Trial) {
        let Some(bought) = trial.bought_next() else { return };
        if bought && trial.left() < self.state.terms.costs.cheapest_move() {
            return;
        }
        for next in possible(&trial.position, self.state.homes).into_iter().filter_map(|mv| trial.go(mv).ok()) {
            self.moves(&next);
            let check = Board::orthodox().in_check(&next.position, !next.position.turn);
            let played = if check { next.finish().ok() } else { None };
            self.found.extend(played.filter(|played| self.state.mates(played, self.purse)).map(|played| played.turn));
        }
    }

    fn drops(&mut self, trial: &Trial) {
        let costs = &self.state.terms.costs;
        let empty: Vec<Square> = (!trial.position.occupied()).collect();
        for kind in KINDS.into_iter().filter(|kind| costs.piece(*kind) + costs.cheapest_move() <= trial.left()) {
            for next in empty.iter().filter_map(|square| trial.drop(kind, *square).ok()) {
                self.moves(&next);
                self.drops(&next);
            }
        }
    }
}
