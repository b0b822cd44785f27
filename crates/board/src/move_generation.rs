//! Generates moves in batches that differ only in their target, and counts them (perft).

use super::{
    board::{Board, MoveObligation, RoyalRule},
    make_move::passed,
    moves::{Move, Special},
    position::Position,
    square::{Color, Square, Squares},
};

/// All moves of one piece that differ only in their target.
#[derive(Clone, Copy, Debug)]
struct TargetSet {
    /// Origin; for drops, any of the targets.
    from: Square,
    targets: Squares,
    pub(super) promotes: Squares,
    special: Special,
}

/// Limits on the moves of a side with one royal piece under [`RoyalRule::Check`].
struct Safety {
    royal: Square,
    /// Targets that pieces other than the royal one may use.
    allowed: Squares,
    /// Own pieces that may move to some squares only.
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

    /// Generates legal moves where the side to move must capture or must not give check.
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

    /// Calls `sink` with every batch of moves that leave the royal piece safe.
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

    /// Finds checks and pins against the only royal piece of `us`.
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

    /// Passes on the safe part of a batch.
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
                safe.targets = batch
                    .targets
                    .filter(|to| !self.attacks_square(position, !us, *to, without, hostile & !to.set()))
                    .collect();
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

    /// Explains why a move is illegal even though it leaves the royal piece safe.
    pub fn illegality_reason(&self, position: &Position, mv: Move) -> Option<&'static str> {
        if self.explosions {
            let mut after = *position;
            self.relocate(&mut after, mv);
            if self.royals(&after, position.turn).is_empty() {
                return Some("the explosion would remove the mover’s own king");
            }
        }
        let safe =
            self.royalty != RoyalRule::Check || self.leaves_safe(position, position.turn, mv.from, mv.to, mv.special);
        let why = match self.duty {
            MoveObligation::None => None,
            MoveObligation::Capture => Some("a capture is possible, and captures are compulsory"),
            MoveObligation::Peace => Some("that gives check, and no move may give check"),
        };
        why.filter(|_| safe)
    }

    /// True if `side` is not in check after a move of the side to move.
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

    /// Calls `sink` with every batch of pseudo-legal moves of `us`, which may leave royal pieces attacked.
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

    /// Calls `sink` with every batch of pseudo-legal moves of one piece, without castling.
    #[inline]
    fn unit_batches(&self, position: &Position, us: Color, from: Square, sink: &mut impl FnMut(TargetSet)) {
        let occupied = position.occupied();
        let hostile = position.of(!us);
        let kind = position.kind(from);
        let mut targets = self.kind(kind).design.targets(us, from, occupied, hostile);
        if self.wild {
            targets |= self.conditional_targets(position, us, from);
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
            // In games with two moves in a row, the skipped square may belong to the mover's own pawn.
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

    /// Adds the legal moves that end on `squares`, in the order of [`Self::moves`]. Castling counts as ending on the
    /// rook's square.
    #[inline]
    pub fn moves_onto(&self, position: &Position, squares: Squares, moves: &mut Vec<Move>) {
        self.batches(position, |batch| self.expand(TargetSet { targets: batch.targets & squares, ..batch }, moves));
    }

    /// All pseudo-legal moves of the side to move. They may leave a royal piece attacked.
    pub fn pseudo_moves(&self, position: &Position) -> Vec<Move> {
        let mut moves = Vec::with_capacity(48);
        self.pseudo_batches(position, position.turn, &mut |batch| self.expand(batch, &mut moves));
        moves
    }

    /// Pseudo-legal moves of one piece of the side to move, without castling.
    pub fn pseudo_moves_of(&self, position: &Position, unit: Square) -> Vec<Move> {
        let mut moves = Vec::new();
        self.unit_batches(position, position.turn, unit, &mut |batch| self.expand(batch, &mut moves));
        moves
    }

    /// True if the side to move has a legal move.
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
