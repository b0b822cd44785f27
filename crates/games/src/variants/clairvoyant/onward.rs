//! The turns that may follow a turn: what a search needs of the rules beyond the turn that is asked for.

use std::sync::Arc;

use super::{
    mate,
    options::Terms,
    playable::{Playable, playable},
    situation::Situation,
    state::State,
};
use crate::{
    board::{Board, Position, Square},
    rules::search_problem::{Leaves, Makeup, Onward, Sequel},
};

/// The terms on which the game goes on.
#[derive(Debug)]
pub(super) struct Continuation {
    terms: Arc<Terms>,
    homes: [Option<Square>; 2],
}

impl Continuation {
    /// Those of a state.
    pub(super) fn of(state: &State) -> Self {
        Continuation { terms: state.terms.clone(), homes: state.homes }
    }
}

impl Onward for Continuation {
    fn sequels(&self, position: &Position, [own, other]: [i64; 2], most: Makeup) -> Vec<Sequel> {
        let board = Board::orthodox();
        let situation = Situation { terms: &self.terms, position: *position, homes: self.homes, purse: own };
        let ends_check = board.in_check(position, position.turn);
        let sequel = |Playable { played, makeup }| {
            let next = Situation { position: played.after, purse: other, ..situation };
            let leaves = leaves(&next, Some(self.terms.costs.retraction(ends_check, true)));
            Sequel { after: played.after, price: played.price, leaves, makeup }
        };
        playable(&situation, most).into_iter().map(sequel).collect()
    }
}

/// What a turn leaves to the side that is to move after it, if that can force it back for such a price, or cannot.
pub(super) fn leaves(next: &Situation, retraction: Option<i64>) -> Leaves {
    let (board, after) = (Board::orthodox(), &next.position);
    if !board.in_check(after, after.turn) || board.has_move(after) {
        return Leaves::Moves;
    }
    match (mate::rescue(next), retraction) {
        (Some(_), _) => Leaves::Rescue,
        (None, Some(price)) if price <= next.purse => Leaves::Retraction,
        (None, Some(_) | None) => Leaves::Nothing,
    }
}
