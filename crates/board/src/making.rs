//! Moves that are made: what they capture, and the position after them.

use super::{
    laws::Board,
    moves::{Move, Special},
    position::{Piece, Position},
    square::{Color, Square, Squares},
};

impl Board {
    /// The unit that a move captures, with its square.
    pub fn captured(&self, position: &Position, mv: Move) -> Option<(Square, Piece)> {
        let square = match mv.special {
            Special::Plain | Special::Double => mv.to,
            Special::EnPassant => passed(position.turn, mv.to),
            Special::Castle | Special::Drop(_) => return None,
        };
        position.piece(square).map(|piece| (square, piece))
    }

    /// Moves the units and nothing else.
    #[inline]
    pub(super) fn relocate(&self, position: &mut Position, mv: Move) {
        let explodes = self.explosions && self.captured(position, mv).is_some();
        match mv.special {
            Special::Drop(kind) => position.put(self, mv.to, Piece { color: position.turn, kind }),
            Special::Plain | Special::Double => {
                position.remove(mv.to);
                position.carry(mv.from, mv.to);
            }
            Special::EnPassant => {
                position.remove(passed(position.turn, mv.to));
                position.carry(mv.from, mv.to);
            }
            Special::Castle => {
                let (king_to, rook_to) = self.castled(mv.from, mv.to);
                let pieces = [(king_to, position.piece(mv.from)), (rook_to, position.piece(mv.to))];
                position.remove(mv.from);
                position.remove(mv.to);
                for (square, piece) in pieces {
                    if let Some(piece) = piece {
                        position.put(self, square, piece);
                    }
                }
            }
        }
        if explodes {
            position.remove(mv.to);
            for square in mv.to.neighbours(self.size()) & position.occupied() {
                if !self.is_pawn(position.kind(square)) {
                    position.remove(square);
                }
            }
        }
    }

    /// The position after a move of the side to move that was generated in it.
    #[inline]
    pub fn after(&self, position: &Position, mv: Move) -> Position {
        let us = position.turn;
        let kind = match mv.special {
            Special::Drop(kind) => kind,
            Special::Plain | Special::Double | Special::EnPassant | Special::Castle => position.kind(mv.from),
        };
        let pawn = self.is_pawn(kind);
        let capture = position.of(!us).has(mv.to) || mv.special == Special::EnPassant;
        let mut next = *position;
        self.relocate(&mut next, mv);
        if let Some(kind) = mv.promotion.filter(|_| next.of(us).has(mv.to)) {
            next.put(self, mv.to, Piece { color: us, kind });
        }
        if self.holdings {
            self.hold(position, mv, &mut next);
        }
        next.en_passant = match (&self.pawns, mv.special) {
            (Some(pawns), Special::Double) if pawns.passes(us, mv.from, self.size()) && mv.promotion.is_none() => {
                passed(us, mv.to).set()
            }
            (Some(_) | None, _) => Squares::EMPTY,
        };
        if !next.rights.is_empty() && self.castling.as_ref().is_some_and(|castling| castling.king == kind) {
            next.rights &= !next.of(us);
        }
        next.halfmove = if pawn || capture { 0 } else { position.halfmove.saturating_add(1) };
        next.fullmove = position.fullmove.saturating_add(u16::from(us == Color::Black));
        next.turn = !us;
        next
    }
}

/// The square behind `square` as a pawn of `us` sees it.
pub(super) fn passed(us: Color, square: Square) -> Square {
    Square::at(if us == Color::White { square.index() - 8 } else { square.index() + 8 })
}
