//! Makes moves: captured pieces, castling targets and the position after a move.

use super::{
    board::{Board, Castling},
    fen::USUAL_FILE,
    moves::{Move, Special},
    position::{Piece, Position},
    square::{Color, Square, Squares},
};

impl Board {
    /// The captured piece with its square.
    pub fn captured(&self, position: &Position, mv: Move) -> Option<(Square, Piece)> {
        let square = match mv.special {
            Special::Plain | Special::Double => mv.to,
            Special::EnPassant => passed(position.turn, mv.to),
            Special::Castle | Special::Drop(_) => return None,
        };
        position.piece(square).map(|piece| (square, piece))
    }

    /// Moves and removes pieces, and changes nothing else.
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

    /// The position after a null move, which passes the turn.
    pub fn after_null(&self, position: &Position) -> Position {
        let black = position.turn == Color::Black;
        Position {
            en_passant: Squares::EMPTY,
            halfmove: position.halfmove.saturating_add(1),
            fullmove: position.fullmove.saturating_add(u16::from(black)),
            turn: !position.turn,
            ..*position
        }
    }

    /// The position after a generated move of the side to move.
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

    /// The castling rules, on boards of at least four files.
    pub(super) fn castling_layer(&self) -> Option<&Castling> {
        self.castling.as_ref().filter(|_| self.size().width() >= 4)
    }

    /// Squares of king and rook after castling: on g and f, or on c and d. Boards with fewer than four files have no
    /// castling.
    pub fn castled(&self, king: Square, rook: Square) -> (Square, Square) {
        let width = self.size().width();
        if width < 4 {
            return (king, rook);
        }
        let (king_file, rook_file) = if rook.file() > king.file() { (width - 2, width - 3) } else { (2, 3) };
        (Square::new(king_file, king.rank()), Square::new(rook_file, king.rank()))
    }

    /// Rooks of `rooks` with which the king may castle.
    #[inline]
    pub(super) fn castles(&self, position: &Position, king: Square, castling: &Castling, rooks: Squares) -> Squares {
        let us = position.turn;
        let may = |rook: &Square| {
            let (king_to, rook_to) = self.castled(king, *rook);
            let path = span(king, king_to) | span(*rook, rook_to);
            let clear = (path & position.occupied() & !king.set() & !rook.set()).is_empty();
            let others = position.occupied() & !king.set() & !rook.set();
            let safe = |square| {
                self.is_shielded(position, us, square)
                    || !self.attacks_square(position, !us, square, others, position.of(!us))
            };
            let free = self.is_shielded(position, us, king) || !self.attacked(position, !us, king);
            clear && (!castling.safe || (free && span(king, king_to).all(safe)))
        };
        rooks.filter(may).collect()
    }

    /// Castling moves of the given king, for games in which a side may have several. The caller must know which king
    /// has not moved.
    pub fn castling_moves(&self, position: &Position, king: Square) -> Vec<Move> {
        let Some(castling) = self.castling_layer() else { return Vec::new() };
        let rooks = position.rights & position.of(position.turn) & Squares::rank(king.rank());
        let castles = |to| Move { from: king, to, promotion: None, special: Special::Castle };
        self.castles(position, king, castling, rooks).map(castles).collect()
    }

    /// The target square in a move's text. For castling from the usual squares it is the king's target, otherwise the
    /// rook's square, as in Chess960.
    pub fn target(&self, mv: Move) -> Square {
        let rook_named = self.castling.as_ref().is_none_or(|castling| castling.king_takes_rook);
        if mv.special != Special::Castle || rook_named {
            return mv.to;
        }
        let outer = [0, self.size().width() - 1].contains(&mv.to.file());
        let usual = self.size().width() < 8 || mv.from.file() == USUAL_FILE && outer;
        self.castled_far(mv).filter(|_| usual).unwrap_or(mv.to)
    }

    /// True if a castling right belongs to a king or rook on an unusual starting square.
    pub fn castles_elsewhere(&self, position: &Position) -> bool {
        let Some(castling) = self.castling_layer() else { return false };
        let outer = [0, self.size().width() - 1];
        Color::BOTH.into_iter().any(|color| {
            let mut rooks = position.rights & position.of_kind(color, castling.rook);
            rooks.any(|rook| {
                let usual = self.home(position, color).is_some_and(|king| king.file() == USUAL_FILE);
                !usual || !outer.contains(&rook.file())
            })
        })
    }

    /// The castling king's target, unless it is so near that the text could mean an ordinary king move.
    pub fn castled_far(&self, mv: Move) -> Option<Square> {
        let to = (mv.special == Special::Castle).then(|| self.castled(mv.from, mv.to).0);
        to.filter(|to| to.file().abs_diff(mv.from.file()) >= 2)
    }
}

/// The square behind `square` from the point of view of `us`.
pub(super) fn passed(us: Color, square: Square) -> Square {
    Square::at(if us == Color::White { square.index() - 8 } else { square.index() + 8 })
}

/// The squares between two squares of one rank, including both.
fn span(from: Square, to: Square) -> Squares {
    (from.file().min(to.file())..=from.file().max(to.file())).map(|file| Square::new(file, from.rank())).collect()
}
