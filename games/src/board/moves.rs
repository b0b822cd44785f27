//! Moves: generating them, making them, writing them in UCI, counting them. No game rules beyond the board's own layers.

use super::{
    fen::USUAL_FILE,
    laws::Board,
    layers::{Castling, Duty, Royalty},
    position::{Piece, Position},
    square::{Color, Square, Squares},
};

/// The effect of a move beyond going from one square to another.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Special {
    /// Nothing.
    Plain,
    /// A pawn steps twice.
    Double,
    /// A pawn captures in passing.
    EnPassant,
    /// The king castles with the rook on the move's `to` square.
    Castle,
    /// A piece of this kind comes from the mover's holdings.
    Drop(u8),
}

/// A move of a unit on the board, or of a piece from the holdings.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Move {
    /// Where the unit stands; for a drop where it comes.
    pub from: Square,
    /// Where it goes; for castling the square of the rook.
    pub to: Square,
    /// The kind that a pawn becomes.
    pub promotion: Option<u8>,
    /// Its further effect.
    pub special: Special,
}

/// All moves of one unit that differ only in their target.
#[derive(Clone, Copy, Debug)]
struct Batch {
    /// Where it stands; for drops any of the targets.
    from: Square,
    targets: Squares,
    promotes: Squares,
    special: Special,
}

/// The limits that a side with one royal piece under [`Royalty::Check`] must heed.
struct Safety {
    royal: Square,
    /// Where a unit other than the royal must land.
    allowed: Squares,
    /// Own units that may only move on some squares.
    pinned: Squares,
}

impl Board {
    /// Calls `sink` with every batch of legal moves of the side to move.
    #[inline]
    fn batches(&self, position: &Position, mut sink: impl FnMut(Batch)) {
        match self.duty {
            Duty::None => self.safe_batches(position, sink),
            Duty::Capture | Duty::Peace => self.dutiful_batches(position, &mut sink),
        }
    }

    /// The same where the side to move has a duty: what is left of the moves that it could make without.
    #[inline(never)]
    fn dutiful_batches(&self, position: &Position, sink: &mut dyn FnMut(Batch)) {
        let us = position.turn;
        let mut batches = Vec::with_capacity(32);
        self.safe_batches(position, |batch| batches.push(batch));
        let captures = |batch: &Batch| match batch.special {
            Special::Plain | Special::Double => batch.targets & position.of(!us),
            Special::EnPassant => batch.targets,
            Special::Castle | Special::Drop(_) => Squares::EMPTY,
        };
        let quiet = |batch: &Batch| {
            batch.targets.filter(|to| self.leaves_safe(position, !us, batch.from, *to, batch.special)).collect()
        };
        let free = self.duty == Duty::None
            || self.duty == Duty::Capture && batches.iter().all(|batch| captures(batch).is_empty());
        for batch in batches {
            let targets = match self.duty {
                _ if free => batch.targets,
                Duty::Capture => captures(&batch),
                Duty::Peace | Duty::None => quiet(&batch),
            };
            if !targets.is_empty() {
                sink(Batch { targets, ..batch });
            }
        }
    }

    /// Calls `sink` with every batch of moves of the side to move that leave its royal piece safe.
    #[inline]
    fn safe_batches(&self, position: &Position, mut sink: impl FnMut(Batch)) {
        let us = position.turn;
        let royals = self.royals(position, us);
        match (self.royalty, royals.only()) {
            (Royalty::Check, Some(_)) if self.wild => self.pseudo_batches(position, us, &mut |batch| {
                let safe = |to: &Square| self.leaves_safe(position, us, batch.from, *to, batch.special);
                let targets: Squares = batch.targets.filter(safe).collect();
                if !targets.is_empty() {
                    sink(Batch { targets, ..batch });
                }
            }),
            (Royalty::Check, Some(royal)) => {
                let mut pins = [Squares::EMPTY; 64];
                let safety = self.safety(position, us, royal, &mut pins);
                self.pseudo_batches(position, us, &mut |batch| {
                    self.restrict(position, us, &safety, &pins, batch, &mut sink)
                });
            }
            (Royalty::Check | Royalty::Capture | Royalty::Ordinary, _) => self.pseudo_batches(position, us, &mut sink),
        }
    }

    /// Finds the checks and pins against the only royal piece of `us`.
    #[inline]
    fn safety(&self, position: &Position, us: Color, royal: Square, pins: &mut [Squares; 64]) -> Safety {
        let mut safety = Safety { royal, allowed: !Squares::EMPTY, pinned: Squares::EMPTY };
        let occupied = position.occupied();
        for striker in self.may_strike(position, !us, royal) {
            let design = &self.kind(position.kind(striker)).design;
            if !design.capture_reach(!us, striker).has(royal) {
                continue;
            }
            design.paths(!us, striker, royal, |between| {
                let blockers = between & occupied;
                if blockers.is_empty() {
                    safety.allowed &= between | striker.set();
                } else if let Some(blocker) = blockers.only().filter(|blocker| position.of(us).has(*blocker)) {
                    let line = between | striker.set();
                    let pin = &mut pins[blocker.index()];
                    *pin = if safety.pinned.has(blocker) { *pin & line } else { line };
                    safety.pinned |= blocker.set();
                }
            });
        }
        safety
    }

    /// Passes on the part of a batch that leaves the royal piece safe.
    #[inline]
    fn restrict(
        &self,
        position: &Position,
        us: Color,
        safety: &Safety,
        pins: &[Squares; 64],
        batch: Batch,
        sink: &mut impl FnMut(Batch),
    ) {
        let mut safe = batch;
        match batch.special {
            Special::Castle | Special::EnPassant => {
                safe.targets =
                    batch.targets.filter(|to| self.leaves_safe(position, us, batch.from, *to, batch.special)).collect();
            }
            Special::Drop(_) => safe.targets &= safety.allowed,
            Special::Plain | Special::Double if batch.from == safety.royal => {
                let without = position.occupied() & !batch.from.set();
                let hostile = position.of(!us);
                safe.targets =
                    batch.targets.filter(|to| !self.struck(position, !us, *to, without, hostile & !to.set())).collect();
            }
            Special::Plain | Special::Double => {
                safe.targets &= safety.allowed;
                if safety.pinned.has(batch.from) {
                    safe.targets &= pins[batch.from.index()];
                }
            }
        }
        if !safe.targets.is_empty() {
            sink(safe);
        }
    }

    /// What is wrong with a move that leaves the royal piece safe and is not legal all the same.
    pub fn neglected(&self, position: &Position, mv: Move) -> Option<&'static str> {
        let safe =
            self.royalty != Royalty::Check || self.leaves_safe(position, position.turn, mv.from, mv.to, mv.special);
        let why = match self.duty {
            Duty::None => None,
            Duty::Capture => Some("something can be captured, and whoever can capture must"),
            Duty::Peace => Some("that gives check, and no move may"),
        };
        why.filter(|_| safe)
    }

    /// Tells whether a side is not in check after a move of the side to move.
    fn leaves_safe(&self, position: &Position, side: Color, from: Square, to: Square, special: Special) -> bool {
        let mut after = *position;
        self.relocate(&mut after, Move { from, to, promotion: None, special });
        !self.in_check(&after, side)
    }

    /// Calls `sink` with every batch of moves of `us` that the pieces' steps and the layers allow, royal pieces left aside.
    #[inline]
    fn pseudo_batches(&self, position: &Position, us: Color, sink: &mut impl FnMut(Batch)) {
        for from in position.of(us) {
            self.unit_batches(position, us, from, sink);
        }
        if let Some(castling) = self.castling_layer() {
            let rooks = position.rights & position.of(us);
            let back = Squares::rank(self.size().rank_of(us, 0));
            if !rooks.is_empty()
                && let Some(king) = (position.of_kind(us, castling.king) & back).only()
            {
                self.castles(position, king, castling, rooks & back, sink);
            }
        }
        if self.holdings {
            self.drops(position, us, |kind, targets| {
                if let Some(from) = targets.first() {
                    sink(Batch { from, targets, promotes: Squares::EMPTY, special: Special::Drop(kind) });
                }
            });
        }
    }

    /// Calls `sink` with every batch of moves of one unit of `us`, castling left aside.
    #[inline]
    fn unit_batches(&self, position: &Position, us: Color, from: Square, sink: &mut impl FnMut(Batch)) {
        let occupied = position.occupied();
        let hostile = position.of(!us);
        let kind = position.kind(from);
        let mut targets = self.kind(kind).design.targets(us, from, occupied, hostile);
        if self.wild {
            targets |= self.targets_besides(position, us, from);
        }
        let pawns = self.pawns.as_ref().filter(|pawns| pawns.kind == kind);
        let promotes = match pawns {
            Some(pawns) if !pawns.promotions.is_empty() => self.size().last_rank(us),
            Some(_) | None => Squares::EMPTY,
        };
        if !targets.is_empty() {
            sink(Batch { from, targets, promotes, special: Special::Plain });
        }
        let Some(pawns) = pawns else { return };
        if pawns.double_from[us.index()].has(from)
            && let Some(to) = self.double_target(us, from, occupied)
        {
            sink(Batch { from, targets: to.set(), promotes, special: Special::Double });
        }
        if !position.en_passant.is_empty() {
            let reach = self.kind(kind).design.capture_reach(us, from) & position.en_passant & !occupied;
            // Where one side moves twice in a row, the skipped square may be its own.
            let reach: Squares = reach
                .filter(|to| {
                    let victim = passed(us, *to);
                    hostile.has(victim) && position.kind(victim) == kind
                })
                .collect();
            if !reach.is_empty() {
                sink(Batch { from, targets: reach, promotes: Squares::EMPTY, special: Special::EnPassant });
            }
        }
    }

    /// The castling moves of one particular king, for games in which a side may have several: the rights belong to the king that
    /// has not moved, and only the caller knows which one that is.
    pub fn castling_moves(&self, position: &Position, king: Square) -> Vec<Move> {
        let (mut moves, rooks) =
            (Vec::new(), position.rights & position.of(position.turn) & Squares::rank(king.rank()));
        if let Some(castling) = self.castling_layer() {
            self.castles(position, king, castling, rooks, &mut |batch| self.expand(batch, &mut moves));
        }
        moves
    }

    fn double_target(&self, us: Color, from: Square, occupied: Squares) -> Option<Square> {
        let forward = if us == Color::White { 1 } else { -1 };
        let over = from.step(0, forward, self.size()).filter(|over| !occupied.has(*over))?;
        over.step(0, forward, self.size()).filter(|to| !occupied.has(*to))
    }

    fn castles(
        &self,
        position: &Position,
        king: Square,
        castling: &Castling,
        rooks: Squares,
        sink: &mut impl FnMut(Batch),
    ) {
        let us = position.turn;
        let targets: Squares = rooks
            .filter(|rook| {
                let (king_to, rook_to) = self.castled(king, *rook);
                let path = span(king, king_to) | span(*rook, rook_to);
                let clear = (path & position.occupied() & !king.set() & !rook.set()).is_empty();
                let others = position.occupied() & !king.set() & !rook.set();
                let safe = |square| !self.struck(position, !us, square, others, position.of(!us));
                clear && (!castling.safe || (!self.attacked(position, !us, king) && span(king, king_to).all(safe)))
            })
            .collect();
        if !targets.is_empty() {
            sink(Batch { from: king, targets, promotes: Squares::EMPTY, special: Special::Castle });
        }
    }

    /// The layer of castling, which needs a board of at least four files.
    pub(super) fn castling_layer(&self) -> Option<&Castling> {
        self.castling.as_ref().filter(|_| self.size().width() >= 4)
    }

    /// Where king and rook stand after castling: on g and f, or on c and d. On fewer than four files nobody castles.
    pub fn castled(&self, king: Square, rook: Square) -> (Square, Square) {
        let width = self.size().width();
        if width < 4 {
            return (king, rook);
        }
        let (king_file, rook_file) = if rook.file() > king.file() { (width - 2, width - 3) } else { (2, 3) };
        (Square::new(king_file, king.rank()), Square::new(rook_file, king.rank()))
    }

    /// All legal moves of the side to move, in a fixed order.
    pub fn moves(&self, position: &Position) -> Vec<Move> {
        let mut moves = Vec::with_capacity(48);
        self.batches(position, |batch| self.expand(batch, &mut moves));
        moves
    }

    /// Adds the legal moves that end on some squares, in the same order as [`Self::moves`]. A castling move ends on its rook's square.
    #[inline]
    pub fn moves_onto(&self, position: &Position, squares: Squares, moves: &mut Vec<Move>) {
        self.batches(position, |batch| self.expand(Batch { targets: batch.targets & squares, ..batch }, moves));
    }

    /// All moves of the side to move that the pieces' steps and the layers allow, even if a royal piece is left attacked.
    pub fn pseudo_moves(&self, position: &Position) -> Vec<Move> {
        let mut moves = Vec::with_capacity(48);
        self.pseudo_batches(position, position.turn, &mut |batch| self.expand(batch, &mut moves));
        moves
    }

    /// Those of one unit of the side to move, castling left aside.
    pub fn pseudo_moves_of(&self, position: &Position, unit: Square) -> Vec<Move> {
        let mut moves = Vec::new();
        self.unit_batches(position, position.turn, unit, &mut |batch| self.expand(batch, &mut moves));
        moves
    }

    /// Tells whether the side to move has a legal move.
    pub fn has_move(&self, position: &Position) -> bool {
        let mut any = false;
        self.batches(position, |_| any = true);
        any
    }

    #[inline]
    fn expand(&self, batch: Batch, moves: &mut Vec<Move>) {
        let Batch { from, special, .. } = batch;
        if let Special::Drop(_) = special {
            moves.extend(batch.targets.map(|to| Move { from: to, to, promotion: None, special }));
            return;
        }
        for to in batch.targets & !batch.promotes {
            moves.push(Move { from, to, promotion: None, special });
        }
        for to in batch.targets & batch.promotes {
            let kinds = self.pawns.as_ref().map_or(&[][..], |pawns| &pawns.promotions);
            moves.extend(kinds.iter().map(|kind| Move { from, to, promotion: Some(*kind), special }));
        }
    }

    /// Counts the legal moves of the side to move.
    #[inline]
    pub fn count(&self, position: &Position) -> u64 {
        let choices = self.pawns.as_ref().map_or(0, |pawns| pawns.promotions.len() as u64);
        let mut count = 0;
        self.batches(position, |batch| {
            count += u64::from((batch.targets & !batch.promotes).len());
            if !batch.promotes.is_empty() {
                count += choices * u64::from((batch.targets & batch.promotes).len());
            }
        });
        count
    }

    /// Counts the sequences of `depth` legal moves.
    pub fn perft(&self, position: &Position, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => self.count(position),
            _ => self.moves(position).into_iter().map(|mv| self.perft(&self.after(position, mv), depth - 1)).sum(),
        }
    }

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
    fn relocate(&self, position: &mut Position, mv: Move) {
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
        if let Some(kind) = mv.promotion {
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

    /// The square that the move's text names as its target: for castling the king's where king and rook stand as usual, else the rook's,
    /// as in Chess960.
    pub fn target(&self, mv: Move) -> Square {
        let rook_named = self.castling.as_ref().is_none_or(|castling| castling.king_takes_rook);
        if mv.special != Special::Castle || rook_named {
            return mv.to;
        }
        let outer = [0, self.size().width() - 1].contains(&mv.to.file());
        let usual = self.size().width() < 8 || mv.from.file() == USUAL_FILE && outer;
        self.castled_far(mv).filter(|_| usual).unwrap_or(mv.to)
    }

    /// Tells whether somebody may castle with king or rook elsewhere than where they begin in ordinary chess.
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

    /// Where the king comes who castles, unless that is so near that an ordinary move of his could be meant.
    pub fn castled_far(&self, mv: Move) -> Option<Square> {
        let to = (mv.special == Special::Castle).then(|| self.castled(mv.from, mv.to).0);
        to.filter(|to| to.file().abs_diff(mv.from.file()) >= 2)
    }
}

/// The square behind `square` as a pawn of `us` sees it.
fn passed(us: Color, square: Square) -> Square {
    Square::at(if us == Color::White { square.index() - 8 } else { square.index() + 8 })
}

/// The squares from one to another of the same rank, both included.
fn span(from: Square, to: Square) -> Squares {
    (from.file().min(to.file())..=from.file().max(to.file())).map(|file| Square::new(file, from.rank())).collect()
}
