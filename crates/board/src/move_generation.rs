//! Generates moves in batches that differ only in their target, and counts them (perft). It applies no game rules beyond the board's own layers.

use super::{
    board::{Board, MoveObligation, RoyalRule},
    make_move::passed,
    moves::{Move, Special},
    position::Position,
    square::{Color, Square, Squares},
};

/// All moves of one unit that differ only in their target.
#[derive(Clone, Copy, Debug)]
struct TargetSet {
    /// Where it stands; for drops any of the targets.
    from: Square,
    targets: Squares,
    pub(super) promotes: Squares,
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
    fn batches(&self, position: &Position, mut sink: impl FnMut(TargetSet)) {
        match self.duty {
            MoveObligation::None => self.safe_batches(position, sink),
            MoveObligation::Capture | MoveObligation::Peace => self.dutiful_batches(position, &mut sink),
        }
    }

    /// The same where the side to move has a duty: what is left of the moves that it could make without.
    #[inline(never)]
    fn dutiful_batches(&self, position: &Position, sink: &mut dyn FnMut(TargetSet)) {
        let us = position.turn;
        let mut batches = Vec::with_capacity(32);
        self.safe_batches(position, |batch| batches.push(batch));
        let captures = |batch: &TargetSet| match batch.special {
            Special::Plain | Special::Double => batch.targets & position.of(!us),
            Special::EnPassant => batch.targets,
            Special::Castle | Special::Drop(_) => Squares::EMPTY,
        };
        let quiet = |batch: &TargetSet| {
            batch.targets.filter(|to| self.leaves_safe(position, !us, batch.from, *to, batch.special)).collect()
        };
        let free = self.duty == MoveObligation::None
            || self.duty == MoveObligation::Capture && batches.iter().all(|batch| captures(batch).is_empty());
        for batch in batches {
            let targets = match self.duty {
                _ if free => batch.targets,
                MoveObligation::Capture => captures(&batch),
                MoveObligation::Peace | MoveObligation::None => quiet(&batch),
            };
            if !targets.is_empty() {
                sink(TargetSet { targets, ..batch });
            }
        }
    }

    /// Calls `sink` with every batch of moves of the side to move that leave its royal piece safe.
    #[inline]
    fn safe_batches(&self, position: &Position, mut sink: impl FnMut(TargetSet)) {
        let us = position.turn;
        let royals = self.royals(position, us);
        match (self.royalty, royals.only()) {
            (RoyalRule::Check, None) if self.explosions => {}
            (RoyalRule::Check, Some(_)) if self.wild || self.explosions => {
                self.pseudo_batches(position, us, &mut |batch| {
                    let safe = |to: &Square| self.leaves_safe(position, us, batch.from, *to, batch.special);
                    let targets: Squares = batch.targets.filter(safe).collect();
                    if !targets.is_empty() {
                        sink(TargetSet { targets, ..batch });
                    }
                })
            }
            (RoyalRule::Check, Some(royal)) => {
                let mut pins = [Squares::EMPTY; 64];
                let safety = self.safety(position, us, royal, &mut pins);
                self.pseudo_batches(position, us, &mut |batch| {
                    self.restrict(position, us, &safety, &pins, batch, &mut sink)
                });
            }
            (RoyalRule::Check | RoyalRule::Capture | RoyalRule::Ordinary, _) => {
                self.pseudo_batches(position, us, &mut sink)
            }
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
        batch: TargetSet,
        sink: &mut impl FnMut(TargetSet),
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
        if self.explosions {
            let mut after = *position;
            self.relocate(&mut after, mv);
            if self.royals(&after, position.turn).is_empty() {
                return Some("the explosion would remove its own king");
            }
        }
        let safe =
            self.royalty != RoyalRule::Check || self.leaves_safe(position, position.turn, mv.from, mv.to, mv.special);
        let why = match self.duty {
            MoveObligation::None => None,
            MoveObligation::Capture => Some("something can be captured, and whoever can capture must"),
            MoveObligation::Peace => Some("that gives check, and no move may"),
        };
        why.filter(|_| safe)
    }

    /// Tells whether a side is not in check after a move of the side to move.
    fn leaves_safe(&self, position: &Position, side: Color, from: Square, to: Square, special: Special) -> bool {
        let mut after = *position;
        self.relocate(&mut after, Move { from, to, promotion: None, special });
        if self.explosions {
            let [own, theirs] = [side, !side].map(|color| self.royals(&after, color));
            if own.is_empty() || theirs.is_empty() {
                return !own.is_empty();
            }
        }
        !self.in_check(&after, side)
    }

    /// Calls `sink` with every batch of moves of `us` that the pieces' steps and the layers allow, royal pieces left aside.
    #[inline]
    fn pseudo_batches(&self, position: &Position, us: Color, sink: &mut impl FnMut(TargetSet)) {
        for from in position.of(us) {
            self.unit_batches(position, us, from, sink);
        }
        if let Some(castling) = self.castling_layer() {
            let rooks = position.rights & position.of(us);
            let back = Squares::rank(self.size().rank_of(us, 0));
            if !rooks.is_empty()
                && let Some(king) = (position.of_kind(us, castling.king) & back).only()
            {
                let targets = self.castles(position, king, castling, rooks & back);
                if !targets.is_empty() {
                    sink(TargetSet { from: king, targets, promotes: Squares::EMPTY, special: Special::Castle });
                }
            }
        }
        if self.holdings {
            self.drops(position, us, |kind, targets| {
                if let Some(from) = targets.first() {
                    sink(TargetSet { from, targets, promotes: Squares::EMPTY, special: Special::Drop(kind) });
                }
            });
        }
    }

    /// Calls `sink` with every batch of moves of one unit of `us`, castling left aside.
    #[inline]
    fn unit_batches(&self, position: &Position, us: Color, from: Square, sink: &mut impl FnMut(TargetSet)) {
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
            sink(TargetSet { from, targets, promotes, special: Special::Plain });
        }
        let Some(pawns) = pawns else { return };
        if pawns.double_from[us.index()].has(from)
            && let Some(to) = self.double_target(us, from, occupied)
        {
            sink(TargetSet { from, targets: to.set(), promotes, special: Special::Double });
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
                sink(TargetSet { from, targets: reach, promotes: Squares::EMPTY, special: Special::EnPassant });
            }
        }
    }

    fn double_target(&self, us: Color, from: Square, occupied: Squares) -> Option<Square> {
        let forward = if us == Color::White { 1 } else { -1 };
        let over = from.step(0, forward, self.size()).filter(|over| !occupied.has(*over))?;
        over.step(0, forward, self.size()).filter(|to| !occupied.has(*to))
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
        self.batches(position, |batch| self.expand(TargetSet { targets: batch.targets & squares, ..batch }, moves));
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
    fn expand(&self, batch: TargetSet, moves: &mut Vec<Move>) {
        let TargetSet { from, special, .. } = batch;
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
}
