//! A position of a game as a table sees it, and where its moves lead there.

use std::sync::Arc;

use super::{
    Stop,
    answer::Outlook,
    graph::rules,
    index::{Id, LOST, WON},
    intervals::Intervals,
    mechanism::{Mechanism, ONE},
    question::{Standing, standing},
    stakes::Paths,
    table::Table,
};
use crate::board::{Color, Position, Size, Square};

/// A position as the table numbers it: with the extra piece on White's side.
pub(super) struct Frame<'t> {
    pub(super) table: &'t Table,
    pub(super) reversed: bool,
    pub(super) stop: Stop<'t>,
}

impl Frame<'_> {
    pub(super) fn number(&self, position: &Position) -> Option<Id> {
        let size = self.table.size();
        let flipped = if self.reversed { reverse(size, position) } else { *position };
        match standing(size, &flipped) {
            Standing::Covered { setup, .. } => Some(self.table.index().id(setup)),
            Standing::Over { winner: Color::White } => Some(WON),
            Standing::Over { winner: Color::Black } => Some(LOST),
            Standing::Beyond(_) => None,
        }
    }

    /// The enclosures under a mechanism, as they bear on a numbered position.
    pub(super) fn intervals(&self, mechanism: Mechanism, id: Id) -> Option<Arc<Intervals>> {
        self.table.intervals(if self.reversed { mechanism.reversed() } else { mechanism }, id, self.stop)
    }

    /// The bounds of a numbered position as its own colours see it, as multiples of 2^−63.
    pub(super) fn seen(&self, intervals: &Intervals, id: Id) -> [i128; 2] {
        let [low, high] = intervals.of(id).map(i128::from);
        if self.reversed { [i128::from(ONE) - high, i128::from(ONE) - low] } else { [low, high] }
    }

    /// Where the moves lead, for one side.
    pub(super) fn paths(&self, here: Id, player: Color, sides: &[Vec<Outlook>; 2]) -> Option<Paths> {
        let numbers = |color: Color| -> Option<Vec<Id>> {
            let moves = &sides[color.index()];
            if moves.is_empty() {
                return Some(vec![here]);
            }
            moves.iter().map(|outlook| self.number(&outlook.next)).collect()
        };
        let as_numbered = if self.reversed { !player } else { player };
        Some(Paths { player: as_numbered, here, own: numbers(player)?, other: numbers(!player)? })
    }
}

/// The same position with colours and ranks changed.
pub(super) fn reverse(size: Size, position: &Position) -> Position {
    let board = rules(size);
    let mut reversed = Position::EMPTY;
    for (square, mut piece) in position.pieces() {
        piece.color = !piece.color;
        reversed.put(board, Square::new(square.file(), size.height() - 1 - square.rank()), piece);
    }
    reversed
}
