//! The test that stands between check and mate: whether a side that has no free move can buy itself a turn. A search for one turn
//! that is legal and can be paid, not for all of them. It misses none, whatever the options and the prices are, as long as a move
//! costs no less for the move before it, which [`Costs::read`](super::cost::Costs::read) sees to.
//!
//! Why. A turn without drops is a free move and the bought moves after it; `by_moves` walks all of those. With a second own king
//! there is no check, so that one drop is a turn: the king where he is bought, or, where no check has to be met, any piece. Let
//! now a turn with drops meet a check of the only king, and let none that is part of it do so; then the king is in check until
//! the last of its at most two moves. The pieces that do not move are found by [`mend`], which drops what the rest of the turn
//! lacks and misses nothing. Here are listed the moves, and the pieces that are dropped to make them. For the last move of a
//! dropped piece and for the king's place after all moves, the squares that matter are `goals`: his attackers and the squares
//! between; a move to no such square leaves him in check, unless it captures an attacker in passing.
//!
//! 1. *No move*, or *one move* of a dropped piece to a goal, or, where any unit may be moved after a drop, any one move.
//! 2. *Two moves of one dropped piece.* If the first is quiet and no promotion, the piece could have been dropped where that move
//!    led, for less: the first gave no check, or the second would be forbidden. So the first captures or promotes, and the second
//!    goes to a goal.
//! 3. *Two moves of two dropped pieces.* The first is needed for itself, and goes to a goal; or because it opens the way of the
//!    second, which only a capture in passing does; or because its piece was a shield that stood in the way, which is the mender's
//!    affair. But for captures in passing no line to the king opens, so both go to goals of the position before the turn.
//! 4. *A move of a dropped piece and one of another*, in either order: all moves of the other are tried, and for each the goals of
//!    the king after it. The dropped piece that moves first goes to a goal, or opens a line in passing, or was a shield.
//! 5. *Two moves of units that stood there*: all pairs.
//!
//! A quiet move of a dropped piece to a goal is left out where a piece dropped there does the same for no more: see [`Mover`].
//!
//! No position of one king a side has more than 218 moves, so that there are at most 218 · 218 pairs; a dropped piece has at most
//! 5 · 64 places.

mod mend;
mod mover;

use super::{
    action::Turn,
    situation::Situation,
    trial::{PlayedTurn, Trial, possible, safe},
};
use crate::board::{Board, Color, Move, Piece, Position, Special, Square, Squares, Uci, orthodox};
use mend::{Mender, Plan};
use mover::{Mover, way};

/// The kinds that are dropped to stand or to move.
const KINDS: [u8; 5] = [orthodox::PAWN, orthodox::KNIGHT, orthodox::BISHOP, orthodox::ROOK, orthodox::QUEEN];

/// A turn with a purchase that the mover can pay and that leaves no check, if there is one. Only meant for positions in which no
/// free move does.
pub(super) fn rescue(situation: &Situation) -> Option<Turn> {
    let trial = situation.trial();
    let search = Search { situation, base: &situation.position, mender: Mender::new(situation) };
    let played = search.by_moves(&trial).or_else(|| search.by_drops(&trial));
    played.map(|played| played.turn)
}

struct Search<'s> {
    situation: &'s Situation<'s>,
    base: &'s Position,
    mender: Mender<'s>,
}

/// The squares strictly between two of one rank, file or diagonal; none for other squares.
fn between(from: Square, to: Square) -> Squares {
    let (dx, dy) = (to.file() as i8 - from.file() as i8, to.rank() as i8 - from.rank() as i8);
    if from == to || (dx != 0 && dy != 0 && dx.abs() != dy.abs()) {
        return Squares::EMPTY;
    }
    let next = |at: &Square| at.step(dx.signum(), dy.signum(), Board::orthodox().size()).filter(|next| *next != to);
    std::iter::successors(next(&from), next).collect()
}

/// The units that attack the only king of `us`, with the king; nothing for several kings.
fn attackers(position: &Position, us: Color) -> Option<(Square, Squares)> {
    let board = Board::orthodox();
    let king = board.royals(position, us).only()?;
    let strikes = |from: &Square| board.struck(position, !us, king, position.occupied(), from.set());
    Some((king, position.of(!us).filter(strikes).collect()))
}

/// The attackers of the own only king, and the squares between them and him.
fn goals(position: &Position) -> Squares {
    attackers(position, position.turn).map_or(Squares::EMPTY, |(king, attackers)| {
        attackers.fold(attackers, |set, attacker| set | between(attacker, king))
    })
}

fn plan(drops: &[(u8, Square)], moves: &[Uci]) -> Plan {
    Plan { drops: drops.to_vec(), moves: moves.to_vec() }
}

impl Search<'_> {
    /// Ends the turn with one to all of the moves that may still be made.
    fn by_moves(&self, trial: &Trial) -> Option<PlayedTurn> {
        let bought = trial.bought_next()?;
        if bought && trial.left() < self.situation.terms.costs.cheapest_move() {
            return None;
        }
        let homes = self.situation.homes;
        let ends = safe(&trial.position, homes).into_iter();
        ends.filter_map(|mv| trial.go(mv).ok()).find_map(|next| next.finish().ok()).or_else(|| {
            let further = possible(&trial.position, homes).into_iter().filter_map(|mv| trial.go(mv).ok());
            further.into_iter().find_map(|next| self.by_moves(&next))
        })
    }

    /// Drops: a second king, or in the order of the list above what meets the check.
    fn by_drops(&self, trial: &Trial) -> Option<PlayedTurn> {
        let one = |kinds: &[u8]| {
            let drops = kinds.iter().flat_map(|kind| (!self.base.occupied()).map(move |square| (*kind, square)));
            drops.into_iter().find_map(|(kind, square)| trial.drop(kind, square).ok()?.finish().ok())
        };
        if goals(self.base).is_empty() {
            return one(&KINDS).or_else(|| one(&[orthodox::KING]));
        }
        one(&[orthodox::KING])
            .or_else(|| self.mender.mend(&Plan::default()))
            .or_else(|| self.by_one_piece())
            .or_else(|| self.by_two_pieces())
            .or_else(|| self.by_others())
    }

    /// One dropped piece that moves, once or twice.
    fn by_one_piece(&self) -> Option<PlayedTurn> {
        let goals = goals(self.base);
        let once = self.movers(self.base, goals).into_iter().filter(|mover| !mover.replaceable);
        let mut plans = once.map(|mover| plan(&[mover.drop()], &[mover.uci]));
        plans.find_map(|plan| self.mender.mend(&plan)).or_else(|| self.twice())
    }

    /// One dropped piece that moves twice: first it captures or promotes.
    fn twice(&self) -> Option<PlayedTurn> {
        let (board, us) = (Board::orthodox(), self.base.turn);
        let hostile = self.base.of(!us);
        for (kind, square) in self.droppable(self.base, 2) {
            let (design, pawn) = (&board.kind(kind).design, board.is_pawn(kind));
            let captures = design.targets(us, square, self.base.occupied(), hostile) & hostile;
            if captures.is_empty() && !pawn {
                continue;
            }
            let mut placed = *self.base;
            placed.put(board, square, Piece { color: us, kind });
            for mv in possible(&placed, self.situation.homes).into_iter().filter(|mv| mv.from == square) {
                if mv.promotion.is_none() && board.captured(&placed, mv).is_none() {
                    continue;
                }
                let Some(after) = self.after(&placed, mv) else { continue };
                let goals = goals(&after);
                let seconds = possible(&after, self.situation.homes).into_iter();
                let mut seconds = seconds.filter(|second| second.from == mv.to && reaches(&after, *second, goals));
                let plans = |second| plan(&[(kind, square)], &[board.uci(mv), board.uci(second)]);
                if let Some(played) = seconds.find_map(|second| self.mender.mend(&plans(second))) {
                    return Some(played);
                }
            }
        }
        None
    }

    /// Two dropped pieces that move once each.
    fn by_two_pieces(&self) -> Option<PlayedTurn> {
        let goals = goals(self.base);
        let several = attackers(self.base, self.base.turn).is_some_and(|(_, attackers)| attackers.len() > 1);
        let movers = if several { self.movers(self.base, goals) } else { Vec::new() };
        let pairs = movers.iter().flat_map(|first| movers.iter().map(move |second| (first, second)));
        let useful = |(first, second): &(&Mover, &Mover)| {
            first.from() != second.from()
                && first.to() != second.to()
                && [(first, second), (second, first)].into_iter().all(|(one, other)| {
                    !one.replaceable || other.way().has(one.to()) || self.mender.shields(one.from(), other.drop())
                })
        };
        let both = |first: &Mover, second: &Mover| {
            self.mender.mend(&plan(&[first.drop(), second.drop()], &[first.uci, second.uci]))
        };
        pairs.filter(useful).find_map(|(first, second)| both(first, second)).or_else(|| {
            self.passers().into_iter().find_map(|(passer, after)| {
                let last = self.movers(&after, self::goals(&after));
                let first = self.movers(self.base, self::goals(&after));
                let last = last.iter().filter(|mover| mover.from() != passer.from()).find_map(|m| both(&passer, m));
                last.or_else(|| first.iter().filter(|m| m.from() != passer.from()).find_map(|m| both(m, &passer)))
            })
        })
    }

    /// Moves of units that were not dropped, where those may be bought after a drop.
    fn by_others(&self) -> Option<PlayedTurn> {
        let (board, costs) = (Board::orthodox(), &self.situation.terms.costs);
        let left = self.situation.trial().left();
        if !self.situation.terms.any_after_drop || left < costs.cheapest_piece() + costs.cheapest_move() {
            return None;
        }
        let possible = |position: &Position| possible(position, self.situation.homes).into_iter();
        let after = |mv: Move| Some((board.uci(mv), self.after(self.base, mv)?));
        let moves: Vec<(Uci, Position)> = possible(self.base).filter_map(after).collect();
        let one = moves.iter().find_map(|(uci, _)| self.mender.mend(&plan(&[], &[*uci])));
        if one.is_some() || left < costs.cheapest_piece() + 2 * costs.cheapest_move() {
            return one;
        }
        let two = moves.iter().find_map(|(uci, after)| {
            possible(after).find_map(|second| self.mender.mend(&plan(&[], &[*uci, board.uci(second)])))
        });
        let mixed = || moves.iter().find_map(|(uci, after)| self.beside(*uci, after));
        let opened = || {
            self.passers().into_iter().find_map(|(passer, after)| {
                let plans = possible(&after).map(|mv| plan(&[passer.drop()], &[passer.uci, board.uci(mv)]));
                plans.into_iter().find_map(|plan| self.mender.mend(&plan))
            })
        };
        two.or_else(mixed).or_else(opened)
    }

    /// A move of another unit, and a dropped piece that moves before or after it.
    fn beside(&self, other: Uci, after: &Position) -> Option<PlayedTurn> {
        let goals = goals(after);
        let way = way(other);
        let useful = |mover: &&Mover| !mover.replaceable || way.has(mover.to());
        let later = self.movers(after, goals);
        let later = later.iter().filter(useful).map(|mover| plan(&[mover.drop()], &[other, mover.uci]));
        let sooner = self.movers(self.base, goals);
        let sooner = sooner.iter().filter(useful).map(|mover| plan(&[mover.drop()], &[mover.uci, other]));
        later.chain(sooner).find_map(|plan| self.mender.mend(&plan))
    }

    /// The position after a move, the same side still to move; none if the move takes the last king.
    fn after(&self, position: &Position, mv: Move) -> Option<Position> {
        let trial = Trial::new(self.situation.terms, position, self.situation.homes, 0);
        trial.go(mv).ok().map(|next| next.position)
    }
}

/// Tells whether a move goes to one of some squares, or captures there in passing.
fn reaches(position: &Position, mv: Move, goals: Squares) -> bool {
    goals.has(mv.to)
        || (mv.special == Special::EnPassant
            && Board::orthodox().captured(position, mv).is_some_and(|(square, _)| goals.has(square)))
}
