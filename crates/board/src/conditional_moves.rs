//! Moves that depend on more than a piece's own steps: first moves, and moves relayed by a guarding piece.

use super::{
    board::Board,
    movement::Movement,
    position::Position,
    square::{Color, Square, Squares},
};

impl Board {
    /// True if a piece attacks `target` by a first move or by a relayed move.
    pub(super) fn attacks_conditionally(
        &self,
        at: &Position,
        by: Color,
        target: Square,
        occupied: Squares,
        strikers: Squares,
    ) -> bool {
        let strikes = |design: &Movement, from: Square| {
            design.capture_reach(by, from).has(target) && design.strikes(by, from, target, occupied)
        };
        strikers.clone().any(|from| {
            let kind = self.kind(at.kind(from));
            at.rights.has(from) && kind.first.as_ref().is_some_and(|first| strikes(first, from))
        }) || self
            .relays(at, by, occupied, strikers)
            .any(|(relayed, guarded)| guarded.clone().any(|unit| strikes(relayed, unit)))
    }

    /// Moves that pieces of `by` relay, each with the pieces it guards. Relayed moves are not relayed further.
    pub(super) fn relays<'a>(
        &'a self,
        position: &'a Position,
        by: Color,
        occupied: Squares,
        units: Squares,
    ) -> impl Iterator<Item = (&'a Movement, Squares)> {
        units.filter_map(move |from| {
            let kind = self.kind(position.kind(from));
            let relayed = kind.relayed.as_deref()?;
            let guarded = self.own_attacks(position, by, from, occupied) & units;
            (!guarded.is_empty()).then_some((relayed, guarded))
        })
    }

    /// Squares that the piece on `from` attacks by its own moves.
    pub(super) fn own_attacks(&self, position: &Position, by: Color, from: Square, occupied: Squares) -> Squares {
        let kind = self.kind(position.kind(from));
        let attacks = kind.design.attacks(by, from, occupied);
        match &kind.first {
            Some(first) if position.rights.has(from) => attacks | first.attacks(by, from, occupied),
            Some(_) | None => attacks,
        }
    }

    /// Targets of a piece's first moves and relayed moves.
    pub(super) fn conditional_targets(&self, position: &Position, us: Color, from: Square) -> Squares {
        let (occupied, hostile) = (position.occupied(), position.of(!us));
        let mut targets = Squares::EMPTY;
        let kind = self.kind(position.kind(from));
        if let Some(first) = kind.first.as_ref().filter(|_| position.rights.has(from)) {
            targets |= first.targets(us, from, occupied, hostile);
        }
        for (relayed, guarded) in self.relays(position, us, occupied, position.of(us)) {
            if guarded.has(from) {
                targets |= relayed.targets(us, from, occupied, hostile);
            }
        }
        targets
    }
}
