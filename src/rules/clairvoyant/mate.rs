//! Whether a side that has no free move can buy itself a turn: the test that stands between check and mate. A search for one
//! turn that is legal and can be paid, not for all of them.
//!
//! Why it is bounded, and misses nothing under the usual options and prices. Let a turn be legal that ends without check.
//!
//! 1. *Without drops* it is a free move and the bought moves after it; `by_moves` walks all of those, at most 218 · 218 (no position
//!    of one king a side has more than 218 moves), and leaves off where the cheapest move costs more than is left.
//! 2. *With a new king* that one drop is a legal turn too, for with two kings there is no check: `by_king` tries each empty square
//!    once. A king gives check to neighbours only, so that no other drop makes a square possible for it.
//! 3. *With other drops and no move* every attacker's line is blocked. A pawn, or where it is barred or would give check a knight,
//!    or a bishop, blocks as well as anything and for least: pawns, knights and bishops on one square never give check together,
//!    so no shield is needed. `by_drops` tries each kind on each square between, at most six a line and one line an attacker.
//! 4. *With drops that move*, moves are for what was dropped, two at most. A dropped piece that first makes a quiet move could as
//!    well have been dropped where that led, for less, but for a pawn that steps where it may not be dropped, because it promotes
//!    there or gives check. A sole quiet move of another piece only blocks, as a drop would for less. So the first move that
//!    counts is a capture or a pawn's step: `matters` keeps just these. Two pieces have to move only against two attackers, and
//!    those that stay are blocks, as in 3, or shields.
//! 5. *Shields*, pieces between another and the opponent's king, serve three moments at most: either drop, if it would give check,
//!    and the first move, if the same piece is to move again. For a drop `shielded` tries each square between; for the first move
//!    `by_shields` tries one piece on each of the at most 27 squares in line with their king.
//!
//! So at most (1 + 27 · 5) rounds of 3 and 4 are made, each of at most 5 · 62 drops for each of the two pieces that move, and a purse
//! of 60 affords few of them. A capture in passing may open the line behind the pawn that gave check; where one is possible,
//! `by_shields` tries the lines of the own king too. Where moves may be bought for any unit after a drop, one piece more is tried on
//! every square, for the king to step into its shade; two are not.

use super::{
    action::Turn,
    state::State,
    trial::{Fault, Played, Trial, possible, safe},
};
use crate::board::{Board, Color, Position, Square, Squares, orthodox};

/// The kinds in the order in which they are tried: cheap ones first in the source's table.
const KINDS: [u8; 5] = [orthodox::PAWN, orthodox::KNIGHT, orthodox::BISHOP, orthodox::ROOK, orthodox::QUEEN];

/// The most pieces that are dropped to be moved: no more moves can be bought.
const MOVERS: usize = 2;

/// A turn with a purchase that the mover can pay and that leaves no check, if there is one. Only meant for positions in which no
/// free move does.
pub(super) fn rescue(state: &State) -> Option<Turn> {
    let (trial, search) = (state.trial(), Search { state });
    let played = search
        .by_moves(&trial)
        .or_else(|| search.by_king(&trial))
        .or_else(|| search.by_drops(&trial))
        .or_else(|| search.by_shields(&trial));
    played.map(|played| played.turn)
}

struct Search<'s> {
    state: &'s State,
}

/// The squares strictly between two of one rank, file or diagonal; none for other squares.
pub(super) fn between(from: Square, to: Square) -> Squares {
    let (dx, dy) = (to.file() as i8 - from.file() as i8, to.rank() as i8 - from.rank() as i8);
    if dx != 0 && dy != 0 && dx.abs() != dy.abs() {
        return Squares::EMPTY;
    }
    let mut squares = Squares::EMPTY;
    let mut at = from;
    while let Some(next) = at.step(dx.signum(), dy.signum(), Board::orthodox().size()).filter(|next| *next != to) {
        squares |= next.set();
        at = next;
        if dx == 0 && dy == 0 {
            break;
        }
    }
    squares
}

/// The only king of `us`, and the units that attack it.
fn attackers(position: &Position, us: Color) -> Option<(Square, Squares)> {
    let board = Board::orthodox();
    let king = board.royals(position, us).only()?;
    let strikes = |from: &Square| board.struck(position, !us, king, position.occupied(), from.set());
    Some((king, position.of(!us).filter(strikes).collect()))
}

fn empty(position: &Position) -> Squares {
    !position.occupied()
}

impl Search<'_> {
    /// Ends the turn with one to all of the moves that may still be made.
    fn by_moves(&self, trial: &Trial) -> Option<Played> {
        let costs = &self.state.terms.costs;
        let bought = trial.bought_next()?;
        if bought && trial.left() < costs.cheapest_move() {
            return None;
        }
        let homes = self.state.homes;
        let ends = safe(&trial.position, homes).into_iter();
        ends.filter_map(|mv| trial.go(mv).ok()).find_map(|next| next.finish().ok()).or_else(|| {
            let further = possible(&trial.position, homes).into_iter().filter_map(|mv| trial.go(mv).ok());
            further.into_iter().find_map(|next| self.by_moves(&next))
        })
    }

    /// A second king lifts every check.
    fn by_king(&self, trial: &Trial) -> Option<Played> {
        if self.state.terms.costs.piece(orthodox::KING) > trial.left() {
            return None;
        }
        let mut squares = empty(&trial.position);
        squares.find_map(|square| trial.drop(orthodox::KING, square).ok()?.finish().ok())
    }

    /// Pieces dropped between the attackers and the king, and pieces dropped to move.
    fn by_drops(&self, trial: &Trial) -> Option<Played> {
        if !trial.dropped().is_empty()
            && let Ok(played) = trial.clone().finish()
        {
            return Some(played);
        }
        let (king, attackers) = attackers(&trial.position, trial.position.turn)?;
        if attackers.is_empty() {
            let mut drops = KINDS.into_iter().flat_map(|kind| empty(&trial.position).map(move |square| (kind, square)));
            return drops.find_map(|(kind, square)| trial.drop(kind, square).ok()?.finish().ok());
        }
        let lines = attackers.fold(Squares::EMPTY, |set, attacker| set | between(attacker, king));
        for (kind, square) in KINDS.into_iter().flat_map(|kind| lines.map(move |square| (kind, square))) {
            if let Some(played) = trial.drop(kind, square).ok().and_then(|next| self.by_drops(&next)) {
                return Some(played);
            }
        }
        self.by_movers(trial, attackers | lines, attackers.len() as usize, MOVERS)
    }

    /// Pieces dropped so that they can go to one of the squares that matter, or capture something on their way.
    fn by_movers(&self, trial: &Trial, goals: Squares, attackers: usize, movers: usize) -> Option<Played> {
        let (costs, position) = (&self.state.terms.costs, &trial.position);
        let mut dropped = Vec::new();
        for kind in KINDS {
            if costs.piece(kind) + costs.cheapest_move() > trial.left() {
                continue;
            }
            for square in empty(position).filter(|square| self.matters(position, kind, *square, goals)) {
                for next in self.shielded(trial, kind, square) {
                    if let Some(played) = self.by_moves(&next) {
                        return Some(played);
                    }
                    if movers > 1 && attackers > 1 && reaches(position, kind, square, goals) {
                        dropped.push(next);
                    }
                }
            }
        }
        dropped.iter().find_map(|next| self.by_movers(next, goals, attackers, movers - 1))
    }

    /// Whether a piece dropped here could do something by moving.
    fn matters(&self, position: &Position, kind: u8, square: Square, goals: Squares) -> bool {
        let (board, us) = (Board::orthodox(), position.turn);
        let (design, hostile) = (&board.kind(kind).design, position.of(!us));
        let targets = design.targets(us, square, position.occupied(), hostile);
        let pawn = board.is_pawn(kind);
        let passing = pawn && !(design.capture_reach(us, square) & position.en_passant).is_empty();
        let promotes = pawn && !(targets & board.size().last_rank(us)).is_empty();
        let step = pawn && between_files(square, goals);
        passing || promotes || step || !(targets & (goals | hostile)).is_empty()
    }

    /// The drop; if it would give check, the drop behind a shield that is dropped first.
    fn shielded<'t>(&self, trial: &Trial<'t>, kind: u8, square: Square) -> Vec<Trial<'t>> {
        match trial.drop(kind, square) {
            Ok(next) => vec![next],
            Err(Fault::DropChecks(..)) => {
                let Some(king) = Board::orthodox().royals(&trial.position, !trial.position.turn).only() else {
                    return Vec::new();
                };
                let shields = between(square, king).filter_map(|shield| {
                    KINDS.into_iter().find_map(|other| trial.drop(other, shield).ok()?.drop(kind, square).ok())
                });
                shields.collect()
            }
            Err(_) => Vec::new(),
        }
    }

    /// One piece anywhere near a line to a king, which may make a check impossible that forbade the rest, or, where moves can be
    /// bought for any unit after a drop, make a square safe; then everything again.
    fn by_shields(&self, trial: &Trial) -> Option<Played> {
        let costs = &self.state.terms.costs;
        let (own, present) = attackers(&trial.position, trial.position.turn)?;
        if present.is_empty() || costs.piece(orthodox::PAWN) + costs.cheapest_move() > trial.left() {
            return None;
        }
        let us = trial.position.turn;
        let theirs = Board::orthodox().royals(&trial.position, !us).only();
        let queen = &Board::orthodox().kind(orthodox::QUEEN).design;
        let mut lines = theirs.map_or(Squares::EMPTY, |king| queen.capture_reach(us, king));
        if !trial.position.en_passant.is_empty() {
            lines |= queen.capture_reach(us, own);
        }
        let any = self.state.terms.any_after_drop;
        for square in empty(&trial.position) {
            for kind in KINDS {
                let Ok(next) = trial.drop(kind, square) else { continue };
                let found = if lines.has(square) { self.by_drops(&next) } else { None };
                if let Some(played) = found.or_else(|| if any { self.by_moves(&next) } else { None }) {
                    return Some(played);
                }
            }
        }
        None
    }
}

/// Whether a piece that is dropped here can go straight to one of the squares.
fn reaches(position: &Position, kind: u8, square: Square, goals: Squares) -> bool {
    let (us, design) = (position.turn, &Board::orthodox().kind(kind).design);
    !(design.targets(us, square, position.occupied(), position.of(!us)) & goals).is_empty()
}

/// Whether a pawn on a square might step straight onto one of some squares.
fn between_files(square: Square, goals: Squares) -> bool {
    goals.into_iter().any(|goal| goal.file() == square.file() && goal.rank().abs_diff(square.rank()) <= 2)
}
