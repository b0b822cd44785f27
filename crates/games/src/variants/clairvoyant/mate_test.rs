//! The test that stands between check and mate: whether a side that has no free move can buy itself a turn. A search for one turn
//! that is legal and can be paid, not for all of them. It misses none, whatever the options and the prices are, as long as a move
//! costs no less for the move before it, which [`Costs::read`](super::prices::Costs::read) sees to.
//!
//! Why. A turn without drops is a free move and the bought moves after it; `by_moves` walks all of those. With a second own king
//! there is no check, so that one drop is a turn: the king where he is bought, or, where no check has to be met, any piece. Let
//! now a turn with drops meet a check of the only king, and let none that is part of it do so; then the king is in check until
//! the last of its at most two moves. The pieces that do not move are found by [`Mender`], which drops what the rest of the turn
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

use super::{
    action::{Part, Turn},
    turn_builder::{Fault, PlayedTurn, Situation, Trial, possible, safe},
};
use crate::board::{Board, Color, Move, Piece, Position, Special, Square, Squares, Uci, orthodox};

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

    /// The kinds and squares of pieces that could be paid together with so many moves.
    fn droppable(&self, position: &Position, moves: i64) -> Vec<(u8, Square)> {
        let (board, costs) = (Board::orthodox(), &self.situation.terms.costs);
        let ends = Squares::rank(0) | Squares::rank(7);
        let left = self.situation.trial().left() - moves * costs.cheapest_move();
        let kinds = KINDS.into_iter().filter(|kind| costs.piece(*kind) <= left);
        let empty = !(position.occupied() | self.base.occupied());
        let squares = |kind| if board.is_pawn(kind) { empty & !ends } else { empty };
        kinds.flat_map(|kind| squares(kind).map(move |square| (kind, square))).collect()
    }

    /// The moves to one of some squares of pieces that could be dropped, made in a position of the turn.
    fn movers(&self, at: &Position, goals: Squares) -> Vec<Mover> {
        let (board, us) = (Board::orthodox(), at.turn);
        let mut movers = Vec::new();
        for (kind, square) in self.droppable(at, 1) {
            let design = &board.kind(kind).design;
            let reaching = if board.is_pawn(kind) {
                ahead(square, goals) || !(design.capture_reach(us, square) & at.en_passant).is_empty()
            } else {
                !(design.targets(us, square, at.occupied(), at.of(!us)) & goals).is_empty()
            };
            if !reaching {
                continue;
            }
            let mut placed = *at;
            placed.put(board, square, Piece { color: us, kind });
            let moves = possible(&placed, self.situation.homes).into_iter().filter(|mv| mv.from == square);
            // What a pawn becomes at the end of a turn is the same for the own king.
            let moves = moves.filter(|mv| mv.promotion.is_none_or(|kind| kind == orthodox::QUEEN));
            movers.extend(moves.filter(|mv| reaches(&placed, *mv, goals)).map(|mv| {
                let quiet = board.captured(&placed, mv).is_none();
                let price = self.situation.terms.costs.piece(kind) + self.situation.terms.costs.cheapest_move_of(kind);
                let replaceable = quiet && self.mender.stands_for(mv.to, price);
                Mover { kind, uci: board.uci(mv), replaceable }
            }));
        }
        movers
    }

    /// The captures in passing that dropped pawns could make, and where each leads.
    fn passers(&self) -> Vec<(Mover, Position)> {
        let board = Board::orthodox();
        let mut passers = Vec::new();
        if self.base.en_passant.is_empty() {
            return passers;
        }
        for (kind, square) in self.droppable(self.base, 1).into_iter().filter(|(kind, _)| board.is_pawn(*kind)) {
            let mut placed = *self.base;
            placed.put(board, square, Piece { color: self.base.turn, kind });
            let moves = possible(&placed, self.situation.homes).into_iter();
            let passing = moves.filter(|mv| mv.from == square && mv.special == Special::EnPassant);
            passers.extend(passing.filter_map(|mv| {
                Some((Mover { kind, uci: board.uci(mv), replaceable: false }, self.after(&placed, mv)?))
            }));
        }
        passers
    }
}

/// Tells whether a move goes to one of some squares, or captures there in passing.
fn reaches(position: &Position, mv: Move, goals: Squares) -> bool {
    goals.has(mv.to)
        || (mv.special == Special::EnPassant
            && Board::orthodox().captured(position, mv).is_some_and(|(square, _)| goals.has(square)))
}

/// A turn, as far as it is planned: its drops in any order, and its moves.
#[derive(Clone, Default)]
struct Plan {
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

/// Finds the pieces that a turn planned by its moves alone still lacks: those that only stand, between an attacker and the own king,
/// or between an own piece and the opponent's king, who must not be in check yet.
///
/// A plan is tried; what the rules object to first says on which line a piece is missing, and every piece there is tried in turn,
/// with all that it may lack itself. No turn with these moves can do without a piece on that line, so none is missed. Drops that
/// can be made in some order can be made from the opponent's king outwards: a shield stands before what it shields.
///
/// Which pieces: on each square the cheapest that could give check from nowhere on its lines, and those that are cheaper and
/// could. If there are none of the latter, which is so with the prices of the source, pieces on the lines to the own king lack
/// nothing themselves, and on each line the cheapest that is in no move's way does as well as any.
struct Mender<'s> {
    situation: &'s Situation<'s>,
    /// The opponent's kings.
    kings: Squares,
    /// No piece that could give check is the cheapest anywhere.
    orderly: bool,
}

impl<'s> Mender<'s> {
    fn new(situation: &'s Situation<'s>) -> Self {
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
    fn stands_for(&self, square: Square, price: i64) -> bool {
        self.orderly && self.standers(square).any(|stander| stander.price <= price)
    }

    /// Tells whether a piece on a square could keep a dropped one from giving check.
    fn shields(&self, square: Square, (kind, at): (u8, Square)) -> bool {
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
    fn mend(&self, plan: &Plan) -> Option<PlayedTurn> {
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

/// A move of a piece that is to be dropped for it.
#[derive(Clone, Copy)]
struct Mover {
    kind: u8,
    /// The move.
    pub uci: Uci,
    /// True if it is quiet and a piece dropped where it leads costs no more, gives no check and so does the same, unless this one
    /// comes there only after another move, or is a shield before it moves.
    pub replaceable: bool,
}

impl Mover {
    fn from(&self) -> Square {
        self.uci.from
    }

    fn to(&self) -> Square {
        self.uci.to
    }

    /// The kind, and the square where it is dropped.
    fn drop(&self) -> (u8, Square) {
        (self.kind, self.uci.from)
    }

    /// The squares where nothing else may be dropped.
    fn way(&self) -> Squares {
        way(self.uci)
    }
}

/// The squares where nothing may be dropped for a move to be made.
fn way(uci: Uci) -> Squares {
    between(uci.from, uci.to) | uci.from.set() | uci.to.set()
}

/// Tells whether a pawn on a square might reach one of some squares in a move.
fn ahead(square: Square, goals: Squares) -> bool {
    let near = |goal: Square| goal.file().abs_diff(square.file()) <= 1 && goal.rank().abs_diff(square.rank()) <= 2;
    goals.into_iter().any(near)
}
