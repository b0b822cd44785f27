//! Mate test: whether a side without a free move can buy a legal turn. The search stops at the first such turn. It misses none, whatever the
//! options and prices are, provided that no earlier move of a turn makes a later one cheaper, which
//! [`Costs::read`](super::prices::Costs::read) ensures.
//!
//! Why the search is complete: a turn without drops is a free move followed by bought moves, and `by_moves` tries all of these. With two own kings
//! there is no check, so a single drop is enough: a second king or, where there is no check to meet, any piece. Now let a turn with drops meet a
//! check to the only king, and let no proper part of the turn do so. Then the king is in check until the last of its at most two moves. [`Mender`]
//! finds the dropped pieces that do not move: it drops whatever the rest of the turn lacks, and misses nothing. The list below covers the moves,
//! and the pieces that are dropped to make them. For the last move of a dropped piece only the `goals` matter: the attackers of the king, where it
//! is after all moves, and the squares between them and the king. A move to any other square leaves the king in check, unless it captures an
//! attacker en passant.
//!
//! 1. *No move*, or *one move* of a dropped piece to a goal, or any one move, where any piece may move after a drop.
//! 2. *Two moves of one dropped piece.* If the first were quiet and no promotion, the piece could be dropped on its destination for less: the first
//!    move cannot give check, or the second would be forbidden. So the first captures or promotes, and the second goes to a goal.
//! 3. *Two moves of two dropped pieces.* There are three reasons for the first move. It goes to a goal itself; it opens the way for the second,
//!    which only an en passant capture does; or its piece was a shield in the way, and the mender covers that. Apart from en passant
//!    captures no line to the king opens, so both moves go to goals of the position before the turn.
//! 4. *A move of a dropped piece and one of another piece*, in either order: all moves of the other piece are tried, each with the goals of the
//!    position after it. A dropped piece that moves first goes to a goal, opens a line en passant, or was a shield.
//! 5. *Two moves of pieces that were on the board*: all pairs.
//!
//! A quiet move of a dropped piece to a goal is left out where a piece dropped on the goal does the same at no higher price: see [`Mover`].
//!
//! A position with one king on each side has at most 218 moves, so there are at most 218 · 218 pairs. A dropped piece has at most 5 · 64 types
//! and squares.

use super::{
    action::{Part, Turn},
    turn_builder::{Fault, PlayedTurn, Situation, Trial, possible, safe},
};
use crate::board::{Board, Color, Move, Piece, Position, Special, Square, Squares, Uci, orthodox};

/// Piece types that are dropped to block or to move.
const KINDS: [u8; 5] = [orthodox::PAWN, orthodox::KNIGHT, orthodox::BISHOP, orthodox::ROOK, orthodox::QUEEN];

/// A turn with a purchase that the mover can pay for and that leaves no check, if there is one. Meant only for positions without a legal free move.
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

/// Squares strictly between two squares on one rank, file or diagonal; empty for other pairs.
fn between(from: Square, to: Square) -> Squares {
    let (dx, dy) = (to.file() as i8 - from.file() as i8, to.rank() as i8 - from.rank() as i8);
    if from == to || (dx != 0 && dy != 0 && dx.abs() != dy.abs()) {
        return Squares::EMPTY;
    }
    let next = |at: &Square| at.step(dx.signum(), dy.signum(), Board::orthodox().size()).filter(|next| *next != to);
    std::iter::successors(next(&from), next).collect()
}

/// The only king of `us` and the pieces that attack it; `None` for several kings.
fn attackers(position: &Position, us: Color) -> Option<(Square, Squares)> {
    let board = Board::orthodox();
    let king = board.royals(position, us).only()?;
    let strikes = |from: &Square| board.attacks_square(position, !us, king, position.occupied(), from.set());
    Some((king, position.of(!us).filter(strikes).collect()))
}

/// Attackers of the only own king, and the squares between them and the king.
fn goals(position: &Position) -> Squares {
    attackers(position, position.turn).map_or(Squares::EMPTY, |(king, attackers)| {
        attackers.fold(attackers, |set, attacker| set | between(attacker, king))
    })
}

fn plan(drops: &[(u8, Square)], moves: &[Uci]) -> Plan {
    Plan { drops: drops.to_vec(), moves: moves.to_vec() }
}

impl Search<'_> {
    /// Completes the turn with at least one of the moves that are still possible.
    fn by_moves(&self, trial: &Trial) -> Option<PlayedTurn> {
        let bought = trial.bought_next()?;
        if bought && trial.left() < self.situation.terms.costs.cheapest_move() {
            return None;
        }
        let homes = self.situation.homes;
        let ends = safe(&trial.position, homes).into_iter();
        ends.filter_map(|mv| trial.add_move(mv).ok()).find_map(|next| next.finish().ok()).or_else(|| {
            let further = possible(&trial.position, homes).into_iter().filter_map(|mv| trial.add_move(mv).ok());
            further.into_iter().find_map(|next| self.by_moves(&next))
        })
    }

    /// Completes the turn with drops: a second king, or the cases of the module documentation in order.
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

    /// One dropped piece that moves once or twice.
    fn by_one_piece(&self) -> Option<PlayedTurn> {
        let goals = goals(self.base);
        let once = self.movers(self.base, goals).into_iter().filter(|mover| !mover.replaceable);
        let mut plans = once.map(|mover| plan(&[mover.drop()], &[mover.uci]));
        plans.find_map(|plan| self.mender.mend(&plan)).or_else(|| self.twice())
    }

    /// One dropped piece that moves twice. The first move captures or promotes.
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

    /// Moves of pieces that were not dropped, where they can be bought after a drop.
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
        let mixed = || moves.iter().find_map(|(uci, after)| self.by_mixed_moves(*uci, after));
        let opened = || {
            self.passers().into_iter().find_map(|(passer, after)| {
                let plans = possible(&after).map(|mv| plan(&[passer.drop()], &[passer.uci, board.uci(mv)]));
                plans.into_iter().find_map(|plan| self.mender.mend(&plan))
            })
        };
        two.or_else(mixed).or_else(opened)
    }

    /// A move of another piece, and a dropped piece that moves before or after it.
    fn by_mixed_moves(&self, other: Uci, after: &Position) -> Option<PlayedTurn> {
        let goals = goals(after);
        let way = way(other);
        let useful = |mover: &&Mover| !mover.replaceable || way.has(mover.to());
        let later = self.movers(after, goals);
        let later = later.iter().filter(useful).map(|mover| plan(&[mover.drop()], &[other, mover.uci]));
        let sooner = self.movers(self.base, goals);
        let sooner = sooner.iter().filter(useful).map(|mover| plan(&[mover.drop()], &[mover.uci, other]));
        later.chain(sooner).find_map(|plan| self.mender.mend(&plan))
    }

    /// The position after a move with the same side to move; `None` if the move captures the last king.
    fn after(&self, position: &Position, mv: Move) -> Option<Position> {
        let trial = Trial::new(self.situation.terms, position, self.situation.homes, 0);
        trial.add_move(mv).ok().map(|next| next.position)
    }

    /// Types and squares of pieces that are affordable together with this number of moves.
    fn droppable(&self, position: &Position, moves: i64) -> Vec<(u8, Square)> {
        let (board, costs) = (Board::orthodox(), &self.situation.terms.costs);
        let ends = Squares::rank(0) | Squares::rank(7);
        let left = self.situation.trial().left() - moves * costs.cheapest_move();
        let kinds = KINDS.into_iter().filter(|kind| costs.piece(*kind) <= left);
        let empty = !(position.occupied() | self.base.occupied());
        let squares = |kind| if board.is_pawn(kind) { empty & !ends } else { empty };
        kinds.flat_map(|kind| squares(kind).map(move |square| (kind, square))).collect()
    }

    /// Moves to one of the goals by pieces that could be dropped, in a position of the turn.
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
            // The promotion type at the end of a turn makes no difference for the mover's king.
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

    /// En passant captures by dropped pawns, and the position after each.
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

/// Whether a move goes to one of some squares, or captures there en passant.
fn reaches(position: &Position, mv: Move, goals: Squares) -> bool {
    goals.has(mv.to)
        || (mv.special == Special::EnPassant
            && Board::orthodox().captured(position, mv).is_some_and(|(square, _)| goals.has(square)))
}

/// A planned turn: its drops in any order, and its moves.
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

/// A candidate for a drop on a square.
#[derive(Clone, Copy)]
struct Stander {
    price: i64,
    kind: u8,
    square: Square,
    /// From that square it could attack a king of the opponent.
    checks: bool,
}

/// Completes a turn that is planned by its moves alone. It finds the missing pieces that only block: between an attacker and the mover's king,
/// or between a piece of the mover and the opponent's king, which must not be in check yet.
///
/// It plays the plan. The first objection of the rules shows on which line a piece is missing. Every possible piece on that line is then tried,
/// together with whatever that piece lacks in turn. No turn with these moves can do without a piece on that line, so none is missed. Drops that
/// are possible in some order are possible from the opponent's king outwards, because a shield then comes before the piece that it shields.
///
/// The candidates for a square are the cheapest piece that could not give check from there, and any cheaper ones that could. With the source's
/// prices there are none of the latter. Then pieces on the lines to the mover's king lack nothing themselves, and on each line the cheapest
/// piece that is in no move's way is as good as any other.
struct Mender<'s> {
    situation: &'s Situation<'s>,
    /// The opponent's kings.
    kings: Squares,
    /// No piece that could give check is the cheapest on any square.
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

    /// The candidates for a square, without pawns on the last ranks and checks that cannot be blocked.
    fn standers(&self, square: Square) -> impl Iterator<Item = Stander> + use<> {
        let (board, us) = (Board::orthodox(), self.situation.position.turn);
        let ends = Squares::rank(0) | Squares::rank(7);
        let several = self.kings.len() > 1;
        let all = KINDS.map(|kind| {
            let checks = !(board.kind(kind).design.capture_reach(us, square) & self.kings).is_empty();
            let barred = board.is_pawn(kind) && ends.has(square);
            // An attack without a line cannot be blocked.
            let leaps = kind == orthodox::PAWN || kind == orthodox::KNIGHT;
            let possible = !barred && (several || !checks || !leaps);
            possible.then(|| Stander { price: self.situation.terms.costs.piece(kind), kind, square, checks })
        });
        let safe = all.into_iter().flatten().filter(|stander| !stander.checks).min_by_key(|stander| stander.price);
        let least = safe.map_or(i64::MAX, |safe| safe.price);
        all.into_iter().flatten().filter(move |stander| stander.checks && stander.price < least).chain(safe)
    }

    /// Whether a piece that gives no check can be dropped on a square for at most this price.
    fn stands_for(&self, square: Square, price: i64) -> bool {
        self.orderly && self.standers(square).any(|stander| stander.price <= price)
    }

    /// Whether a piece on a square could block a check by a dropped piece.
    fn shields(&self, square: Square, (kind, at): (u8, Square)) -> bool {
        let reach = Board::orthodox().kind(kind).design.capture_reach(self.situation.position.turn, at);
        (reach & self.kings).any(|king| between(at, king).has(square))
    }

    /// Plays a plan. The error has the turn as far as it got and the fault.
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

    /// The turn of a plan with every drop that it lacks, if there is one.
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

    /// Tries every candidate on a line.
    fn every(&self, plan: &Plan, line: Squares) -> Option<PlayedTurn> {
        let mut standers = line.flat_map(|square| self.standers(square));
        standers.find_map(|stander| self.mend(&plan.with(stander.kind, stander.square)))
    }

    /// Blocks the attackers of the mover's king.
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

    /// Tries a shield that is in the way of the only move and moves out of it first.
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

/// A move of a piece that is dropped to make it.
#[derive(Clone, Copy)]
struct Mover {
    kind: u8,
    /// The move.
    pub uci: Uci,
    /// The move is quiet, and a piece dropped on its destination costs no more, gives no check and so does the same. This does not hold if the
    /// move is possible only after another one, or if the piece is a shield before it moves.
    pub replaceable: bool,
}

impl Mover {
    fn from(&self) -> Square {
        self.uci.from
    }

    fn to(&self) -> Square {
        self.uci.to
    }

    /// The piece type and the square of the drop.
    fn drop(&self) -> (u8, Square) {
        (self.kind, self.uci.from)
    }

    /// Squares that must stay empty.
    fn way(&self) -> Squares {
        way(self.uci)
    }
}

/// Squares on which nothing else may be dropped, or the move is impossible.
fn way(uci: Uci) -> Squares {
    between(uci.from, uci.to) | uci.from.set() | uci.to.set()
}

/// Whether a pawn on a square might reach one of some squares in one move. A rough filter.
fn ahead(square: Square, goals: Squares) -> bool {
    let near = |goal: Square| goal.file().abs_diff(square.file()) <= 1 && goal.rank().abs_diff(square.rank()) <= 2;
    goals.into_iter().any(near)
}
