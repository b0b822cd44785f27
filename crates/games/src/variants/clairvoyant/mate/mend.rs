//! The pieces that a turn planned by its moves alone still lacks: those that only stand, between an attacker and the own king,
//! or between an own piece and the opponent's king, who must not be in check yet.
//!
//! A plan is tried; what the rules object to first says on which line a piece is missing, and every piece there is tried in turn,
//! with all that it may lack itself. No turn with these moves can do without a piece on that line, so none is missed. Drops that
//! can be made in some order can be made from the opponent's king outwards: a shield stands before what it shields.
//!
//! Which pieces: on each square the cheapest that could give check from nowhere on its lines, and those that are cheaper and
//! could. If there are none of the latter, which is so with the prices of the source, pieces on the lines to the own king lack
//! nothing themselves, and on each line the cheapest that is in no move's way does as well as any.

use super::{KINDS, attackers, between};
use crate::{
    board::{Board, Piece, Square, Squares, Uci, orthodox},
    variants::clairvoyant::{
        action::Part,
        situation::Situation,
        trial::{Fault, PlayedTurn, Trial, possible},
    },
};

/// A turn, as far as it is planned: its drops in any order, and its moves.
#[derive(Clone, Default)]
pub(super) struct Plan {
    pub drops: Vec<(u8, Square)>,
    pub moves: Vec<Uci>,
}

impl Plan {
    fn with(&self, kind: u8, square: Square) -> Plan {
        let mut plan = self.clone();
        plan.drops.push((kind, square));
        plan
    }
}

/// A piece that could stand on a square.
#[derive(Clone, Copy)]
struct Stander {
    price: i64,
    kind: u8,
    square: Square,
    /// It could attack a king of the opponent from there.
    checks: bool,
}

/// Completes plans.
pub(super) struct Mender<'s> {
    situation: &'s Situation<'s>,
    /// The opponent's kings.
    kings: Squares,
    /// No piece that could give check is the cheapest anywhere.
    orderly: bool,
}

impl<'s> Mender<'s> {
    pub(super) fn new(situation: &'s Situation<'s>) -> Self {
        let position = &situation.position;
        let kings = Board::orthodox().royals(position, !position.turn);
        let mender = Mender { situation, kings, orderly: false };
        let orderly = (!position.occupied()).all(|square| mender.standers(square).all(|stander| !stander.checks));
        Mender { orderly, ..mender }
    }

    /// The pieces that are tried on a square, without those that stand there at once or never may.
    fn standers(&self, square: Square) -> impl Iterator<Item = Stander> + use<> {
        let (board, us) = (Board::orthodox(), self.situation.position.turn);
        let ends = Squares::rank(0) | Squares::rank(7);
        let several = self.kings.len() > 1;
        let all = KINDS.map(|kind| {
            let checks = !(board.kind(kind).design.capture_reach(us, square) & self.kings).is_empty();
            let barred = board.is_pawn(kind) && ends.has(square);
            // What attacks without a line cannot be shut off.
            let leaps = kind == orthodox::PAWN || kind == orthodox::KNIGHT;
            let possible = !barred && (several || !checks || !leaps);
            possible.then(|| Stander { price: self.situation.terms.costs.piece(kind), kind, square, checks })
        });
        let safe = all.into_iter().flatten().filter(|stander| !stander.checks).min_by_key(|stander| stander.price);
        let least = safe.map_or(i64::MAX, |safe| safe.price);
        all.into_iter().flatten().filter(move |stander| stander.checks && stander.price < least).chain(safe)
    }

    /// Tells whether a piece that gives no check can be had on a square for so much.
    pub(super) fn stands_for(&self, square: Square, price: i64) -> bool {
        self.orderly && self.standers(square).any(|stander| stander.price <= price)
    }

    /// Tells whether a piece on a square could keep a dropped one from giving check.
    pub(super) fn shields(&self, square: Square, (kind, at): (u8, Square)) -> bool {
        let reach = Board::orthodox().kind(kind).design.capture_reach(self.situation.position.turn, at);
        (reach & self.kings).any(|king| between(at, king).has(square))
    }

    /// Plays a plan; if it fails, says where and why.
    fn play(&self, plan: &Plan) -> Result<PlayedTurn, Box<(Trial<'s>, Fault)>> {
        let mut drops = plan.drops.clone();
        if let Some(king) = self.kings.only() {
            let far = |square: Square| square.file().abs_diff(king.file()).max(square.rank().abs_diff(king.rank()));
            drops.sort_by_key(|(_, square)| far(*square));
        }
        let drops = drops.into_iter().map(|(kind, square)| Part::Drop(kind, square));
        let mut trial = self.situation.trial();
        for part in drops.chain(plan.moves.iter().map(|uci| Part::Move(*uci))) {
            trial = match trial.part(&part) {
                Ok(next) => next,
                Err(fault) => return Err(Box::new((trial, fault))),
            };
        }
        trial.clone().finish().map_err(|fault| Box::new((trial, fault)))
    }

    /// The turn of a plan with all that has to be dropped for it, if there is such a turn.
    pub(super) fn mend(&self, plan: &Plan) -> Option<PlayedTurn> {
        let (trial, fault) = match self.play(plan) {
            Ok(played) => return Some(played),
            Err(failed) => *failed,
        };
        if trial.left() < self.situation.terms.costs.cheapest_piece() {
            return None;
        }
        let us = trial.position.turn;
        match fault {
            Fault::OwnCheck | Fault::Empty => {
                let (king, attackers) = attackers(&trial.position, us)?;
                self.block(plan, king, attackers)
            }
            Fault::Checker(_) => {
                let (king, attackers) = attackers(&trial.position, !us)?;
                self.every(plan, between(attackers.first()?, king))
            }
            Fault::DropChecks(_, square) => {
                let line = between(square, self.kings.only()?);
                self.every(plan, line).or_else(|| self.passing_shield(plan, line))
            }
            _ => None,
        }
    }

    /// With every piece that could stand on a line.
    fn every(&self, plan: &Plan, line: Squares) -> Option<PlayedTurn> {
        let mut standers = line.flat_map(|square| self.standers(square));
        standers.find_map(|stander| self.mend(&plan.with(stander.kind, stander.square)))
    }

    /// With a piece before each attacker of the own king.
    fn block(&self, plan: &Plan, king: Square, mut attackers: Squares) -> Option<PlayedTurn> {
        let line = between(attackers.first()?, king);
        if attackers.any(|attacker| between(attacker, king).is_empty()) {
            return None;
        }
        if !self.orderly {
            return self.every(plan, line);
        }
        let mut standers: Vec<Stander> = line.flat_map(|square| self.standers(square)).collect();
        standers.sort_by_key(|stander| stander.price);
        for stander in standers {
            let next = plan.with(stander.kind, stander.square);
            match self.play(&next) {
                Ok(played) => return Some(played),
                Err(failed) if matches!(failed.1, Fault::Occupied(_) | Fault::Unreachable { .. }) => {}
                Err(_) => return self.mend(&next),
            }
        }
        None
    }

    /// With a shield that stands in the way of the only move, and moves out of it.
    fn passing_shield(&self, plan: &Plan, line: Squares) -> Option<PlayedTurn> {
        let [last] = *plan.moves.as_slice() else { return None };
        let (board, us) = (Board::orthodox(), self.situation.position.turn);
        let mut way = line & (between(last.from, last.to) | last.to.set());
        way.find_map(|square| {
            KINDS.into_iter().find_map(|kind| {
                let mut next = plan.with(kind, square);
                let mut placed = self.situation.position;
                for (kind, square) in &next.drops {
                    placed.put(board, *square, Piece { color: us, kind: *kind });
                }
                let away = possible(&placed, self.situation.homes).into_iter().filter(|mv| mv.from == square);
                away.into_iter().find_map(|mv| {
                    next.moves = vec![board.uci(mv), last];
                    self.mend(&next)
                })
            })
        })
    }
}
