//! The judging of a guess sheet against the turn that was played.

use super::{
    action::Part,
    payoff::Payoffs,
    sheet::{Guess, Sheet},
    trial::PlayedTurn,
};
use crate::board::{Position, Special, Square};

impl Payoffs {
    /// The earnings of each guess of a sheet against the turn that was played in the end. Each is judged alone.
    pub fn hits(&self, sheet: &Sheet, before: &Position, played: &PlayedTurn) -> Vec<i64> {
        sheet.guesses.iter().map(|guess| self.hit(*guess, before, played)).collect()
    }

    fn hit(&self, guess: Guess, before: &Position, played: &PlayedTurn) -> i64 {
        let moves = || played.moves.iter().flatten();
        let row = |kind: u8| &self.rows[usize::from(kind)];
        let kind = |square: Square| before.piece(square).map(|piece| piece.kind);
        match guess {
            Guess::Unit(unit) => {
                let moved = moves().any(|done| done.unit == unit);
                kind(unit).filter(|_| moved).map_or(0, |kind| row(kind).unit)
            }
            Guess::UnitTo(unit, to) => kind(unit).map_or(0, |kind| {
                let arrived = moves().filter(|done| done.unit == unit && done.landing == to);
                let worth = arrived.map(|done| match done.mv.special {
                    Special::Castle => self.castling,
                    Special::Plain | Special::Double | Special::EnPassant | Special::Drop(_) => row(kind).unit_to,
                });
                worth.max().unwrap_or(0)
            }),
            Guess::Buy(kind) => {
                let bought =
                    played.turn.parts.iter().any(|part| matches!(part, Part::Drop(other, _) if *other == kind));
                if bought { row(kind).buy } else { 0 }
            }
            Guess::BuyDrop(kind, square) => {
                if played.turn.parts.contains(&Part::Drop(kind, square)) {
                    row(kind).buy_drop
                } else {
                    0
                }
            }
            Guess::Extra => {
                if moves().any(|done| done.bought) {
                    self.extra
                } else {
                    0
                }
            }
        }
    }
}
