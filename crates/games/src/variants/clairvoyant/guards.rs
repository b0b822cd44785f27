//! Pieces that are dropped to guard where a king in check could go, so that he is mated.

use super::{cost::Costs, trial::Trial};
use crate::board::{Board, Color, Piece, Position, Square, Squares, orthodox};

/// The most pieces that are dropped to guard.
const MOST: usize = 3;
/// The pieces that guard the same squares and are thought of, the cheapest of all.
const ALIKE: usize = 2;
/// The ways to guard that are listed for a check, the first that are found.
const WAYS: usize = 30;

/// A piece that is dropped to guard.
struct Guard {
    kind: u8,
    square: Square,
    price: i64,
    /// What it guards of the squares that matter.
    guards: Squares,
}

/// Several pieces that are dropped, by kind and square.
pub(super) type Drops = Vec<(u8, Square)>;

/// What could be dropped at the start of a turn that gives check so that it mates, with what is left of the money after both; nothing if the check
/// can be met by more than a move of the king.
pub(super) fn guards(start: &Trial<'_>, trial: &Trial<'_>, costs: &Costs) -> Vec<(i64, Drops)> {
    let mut found = Vec::new();
    let Ok(played) = trial.clone().finish() else { return found };
    let Some(flights) = flights(&played.after) else { return found };
    let us = !played.after.turn;
    let guards = all(start, &played.after, us, flights, costs, trial.left());
    choose(&guards, flights, trial.left(), &mut Vec::new(), &mut found);
    found
}

/// The squares to which the king in check can go; nothing if there are none, if there is no check, or if somebody else can help.
fn flights(after: &Position) -> Option<Squares> {
    let board = Board::orthodox();
    let king = board.royals(after, after.turn).only().filter(|_| board.in_check(after, after.turn))?;
    let moves = board.moves(after);
    let flees = moves.iter().all(|mv| mv.from == king);
    flees.then(|| moves.iter().map(|mv| mv.to).collect()).filter(|flights: &Squares| !flights.is_empty())
}

/// The pieces that guard some of these squares while the king of the other side goes there, the cheapest first.
fn all(start: &Trial<'_>, after: &Position, us: Color, flights: Squares, costs: &Costs, left: i64) -> Vec<Guard> {
    let board = Board::orthodox();
    // He does not hide behind himself.
    let occupied = after.occupied() & !board.royals(after, !us);
    let mut guards: Vec<Guard> = Vec::new();
    let mut kinds: Vec<u8> = (orthodox::PAWN..orthodox::KING).filter(|kind| costs.piece(*kind) <= left).collect();
    kinds.sort_by_key(|kind| costs.piece(*kind));
    for kind in kinds {
        let price = costs.piece(kind);
        for square in !after.occupied() {
            let mut placed = *after;
            placed.put(board, square, Piece { color: us, kind });
            let guards_it = |flight: &Square| board.struck(&placed, us, *flight, occupied, square.set());
            let guarded: Squares = flights.filter(guards_it).collect();
            let alike = guards.iter().filter(|known| known.guards == guarded).count();
            if !guarded.is_empty() && alike < ALIKE && start.drop(kind, square).is_ok() {
                guards.push(Guard { kind, square, price, guards: guarded });
            }
        }
    }
    guards
}

/// Goes on choosing pieces until all squares are guarded.
fn choose(guards: &[Guard], open: Squares, left: i64, chosen: &mut Drops, found: &mut Vec<(i64, Drops)>) {
    let Some(first) = open.into_iter().next() else {
        found.push((left, chosen.clone()));
        return;
    };
    if chosen.len() == MOST || found.len() >= WAYS {
        return;
    }
    for guard in guards.iter().filter(|guard| guard.guards.has(first) && guard.price <= left) {
        if chosen.iter().all(|(_, square)| *square != guard.square) {
            chosen.push((guard.kind, guard.square));
            choose(guards, open & !guard.guards, left - guard.price, chosen, found);
            chosen.pop();
        }
    }
}
