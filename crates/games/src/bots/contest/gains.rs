//! What a move gains by what it takes, and the order of captures that follows from it.

use super::{Arena, Juncture, KING};
use crate::{
    board::{Move, Special, Square},
    bots::tree::Ranked,
    rules::prospect::Aim,
};

impl Arena<'_> {
    /// The worth of what a move takes, and of what a pawn becomes.
    pub(in crate::bots) fn gain(&self, moment: &Juncture, mv: Move) -> i32 {
        let position = &moment.position;
        let captured = match mv.special {
            Special::Castle | Special::Drop(_) => 0,
            Special::EnPassant => self.scale.value(position.piece(mv.from).map_or(0, |piece| piece.kind)),
            Special::Plain | Special::Double => position.piece(mv.to).map_or(0, |piece| self.victim(piece.kind)),
        };
        let became = mv.promotion.map_or(0, |kind| self.scale.value(kind) - 100);
        captured + became
    }

    fn victim(&self, kind: u8) -> i32 {
        if self.board.kind(kind).design.royal { KING } else { self.scale.value(kind).max(1) }
    }

    /// Ranks a move that gains something: what it takes, less a little for what takes it, and less than nothing where a cheaper
    /// piece is taken by a dearer one and stands guarded.
    pub(super) fn ranked(&self, moment: &Juncture, mv: Move) -> Ranked<Move> {
        let gain = if self.aim == Aim::Lose { 0 } else { self.gain(moment, mv) };
        if gain <= 0 {
            return Ranked { mv, gain: 0, rank: 0 };
        }
        let position = &moment.position;
        let own = position.piece(mv.from).map_or(0, |piece| self.scale.value(piece.kind));
        let guarded = || self.board.attacked(position, !position.turn, mv.to);
        let rank = if own > gain + 60 && guarded() { gain - own } else { gain * 8 - own / 8 };
        Ranked { mv, gain, rank }
    }

    /// The worth of taking what stands on a square, less the taker where it would be taken itself; at least a little.
    pub(in crate::bots) fn taking(&self, moment: &Juncture, mv: Move, square: Square) -> i32 {
        let (position, gain) = (&moment.position, self.gain(moment, mv));
        let own = position.piece(mv.from).map_or(0, |piece| self.scale.value(piece.kind));
        let guarded = gain < KING && own > 0 && self.board.attacked(position, !position.turn, square);
        if guarded { (gain - own).max(gain / 10) } else { gain }
    }
}
