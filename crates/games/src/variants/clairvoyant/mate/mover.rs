//! Moves of pieces that are dropped in order to make them.

use super::{KINDS, Search, between, possible, reaches};
use crate::board::{Board, Piece, Position, Special, Square, Squares, Uci, orthodox};

/// A move of a piece that is to be dropped for it.
#[derive(Clone, Copy)]
pub(super) struct Mover {
    kind: u8,
    /// The move.
    pub uci: Uci,
    /// True if it is quiet and a piece dropped where it leads costs no more, gives no check and so does the same, unless this one
    /// comes there only after another move, or is a shield before it moves.
    pub replaceable: bool,
}

impl Mover {
    pub(super) fn from(&self) -> Square {
        self.uci.from
    }

    pub(super) fn to(&self) -> Square {
        self.uci.to
    }

    /// The kind, and the square where it is dropped.
    pub(super) fn drop(&self) -> (u8, Square) {
        (self.kind, self.uci.from)
    }

    /// The squares where nothing else may be dropped.
    pub(super) fn way(&self) -> Squares {
        way(self.uci)
    }
}

/// The squares where nothing may be dropped for a move to be made.
pub(super) fn way(uci: Uci) -> Squares {
    between(uci.from, uci.to) | uci.from.set() | uci.to.set()
}

impl Search<'_> {
    /// The kinds and squares of pieces that could be paid together with so many moves.
    pub(super) fn droppable(&self, position: &Position, moves: i64) -> Vec<(u8, Square)> {
        let (board, costs) = (Board::orthodox(), &self.situation.terms.costs);
        let ends = Squares::rank(0) | Squares::rank(7);
        let left = self.situation.trial().left() - moves * costs.cheapest_move();
        let kinds = KINDS.into_iter().filter(|kind| costs.piece(*kind) <= left);
        let empty = !(position.occupied() | self.base.occupied());
        let squares = |kind| if board.is_pawn(kind) { empty & !ends } else { empty };
        kinds.flat_map(|kind| squares(kind).map(move |square| (kind, square))).collect()
    }

    /// The moves to one of some squares of pieces that could be dropped, made in a position of the turn.
    pub(super) fn movers(&self, at: &Position, goals: Squares) -> Vec<Mover> {
        let (board, us) = (Board::orthodox(), at.turn);
        let mut movers = Vec::new();
        for (kind, square) in self.droppable(at, 1) {
            let design = &board.kind(kind).design;
            let reaching = if board.is_pawn(kind) {
                ahead(square, goals) || !(design.capture_reach(us, square) & at.en_passant).is_empty()
            } else {
                !(design.targets(us, square, at.occupied(), at.of(!us)) & goals).is_empty()
            };
            if !reaching {
                continue;
            }
            let mut placed = *at;
            placed.put(board, square, Piece { color: us, kind });
            let moves = possible(&placed, self.situation.homes).into_iter().filter(|mv| mv.from == square);
            // What a pawn becomes at the end of a turn is the same for the own king.
            let moves = moves.filter(|mv| mv.promotion.is_none_or(|kind| kind == orthodox::QUEEN));
            movers.extend(moves.filter(|mv| reaches(&placed, *mv, goals)).map(|mv| {
                let quiet = board.captured(&placed, mv).is_none();
                let price = self.situation.terms.costs.piece(kind) + self.situation.terms.costs.cheapest_move_of(kind);
                let replaceable = quiet && self.mender.stands_for(mv.to, price);
                Mover { kind, uci: board.uci(mv), replaceable }
            }));
        }
        movers
    }

    /// The captures in passing that dropped pawns could make, and where each leads.
    pub(super) fn passers(&self) -> Vec<(Mover, Position)> {
        let board = Board::orthodox();
        let mut passers = Vec::new();
        if self.base.en_passant.is_empty() {
            return passers;
        }
        for (kind, square) in self.droppable(self.base, 1).into_iter().filter(|(kind, _)| board.is_pawn(*kind)) {
            let mut placed = *self.base;
            placed.put(board, square, Piece { color: self.base.turn, kind });
            let moves = possible(&placed, self.situation.homes).into_iter();
            let passing = moves.filter(|mv| mv.from == square && mv.special == Special::EnPassant);
            passers.extend(passing.filter_map(|mv| {
                Some((Mover { kind, uci: board.uci(mv), replaceable: false }, self.after(&placed, mv)?))
            }));
        }
        passers
    }
}

/// Tells whether a pawn on a square might reach one of some squares in a move.
fn ahead(square: Square, goals: Squares) -> bool {
    let near = |goal: Square| goal.file().abs_diff(square.file()) <= 1 && goal.rank().abs_diff(square.rank()) <= 2;
    goals.into_iter().any(near)
}
