//! All mating turns of a position, for puzzles with a unique solution. The opponent makes no guesses. Also finds drops that guard the escape
//! squares of a king in check.

use super::{
    action::Turn,
    mate_test,
    options::Terms,
    prices::Costs,
    state::{Phase, State},
    turn_builder::{PlayedTurn, Situation, Trial, possible},
};
use crate::board::{Board, Color, Piece, Position, Square, Squares, orthodox};

/// Most zorkmids with which a mover's turns can all be searched. With more, three pieces could be dropped and one of them moved.
const RICHEST: i64 = 11;

/// Piece types that this money can buy and move.
const KINDS: [u8; 4] = [orthodox::PAWN, orthodox::KNIGHT, orthodox::BISHOP, orthodox::ROOK];

impl State {
    /// Every mating turn, if the opponent has made no guess and cannot pay for a retraction. `None` otherwise, or if the mover is too rich. A turn
    /// with several drops is listed in every order.
    pub fn mating(&self) -> Option<Vec<Turn>> {
        let purse = self.purses[self.guesser().index()];
        let stands = purse < self.terms.costs.retraction(false, true);
        if self.phase != Phase::Both || self.outcome.is_some() || !stands || self.trial().left() > RICHEST {
            return None;
        }
        let mut search = Walk { state: self, purse, found: Vec::new() };
        search.moves(&self.trial());
        search.drops(&self.trial());
        Some(search.found)
    }

    /// Mating turns without drops that the mover cannot pay for, with their prices, the cheapest first.
    pub fn mating_if_rich(&self) -> Vec<(Turn, i64)> {
        let mut search = Walk { state: self, purse: self.purses[self.guesser().index()], found: Vec::new() };
        search.moves(&self.trial().of_purse(i64::MAX));
        let rich = |turn: Turn| {
            let price = self.trial().of_purse(i64::MAX).play(&turn).ok()?.price;
            (price > self.trial().left()).then_some((turn, price))
        };
        let mut found: Vec<(Turn, i64)> = search.found.into_iter().filter_map(rich).collect();
        found.sort_by_key(|(_, price)| *price);
        found
    }

    /// A turn in algebraic notation, whatever it costs. An illegal turn remains as it is.
    pub fn san(&self, turn: &Turn) -> String {
        let played = self.trial().of_purse(i64::MAX).play(turn);
        played.map_or_else(|_| turn.to_string(), |played| played.san(&self.position))
    }

    /// Whether a turn mates after it was played.
    fn mates(&self, played: &PlayedTurn, purse: i64) -> bool {
        let (board, after) = (Board::orthodox(), played.after);
        let rescued = || {
            let terms: &Terms = &self.terms;
            mate_test::rescue(&Situation { terms, position: after, homes: self.homes, purse }).is_some()
        };
        board.in_check(&after, after.turn) && !board.has_move(&after) && !rescued()
    }
}

/// A search through all turns. A drop gives no check and opens no line, so a turn without a move cannot mate.
struct Walk<'s> {
    state: &'s State,
    purse: i64,
    found: Vec<Turn>,
}

impl Walk<'_> {
    fn moves(&mut self, trial: &Trial) {
        let Some(bought) = trial.bought_next() else { return };
        if bought && trial.left() < self.state.terms.costs.cheapest_move() {
            return;
        }
        for next in possible(&trial.position, self.state.homes).into_iter().filter_map(|mv| trial.add_move(mv).ok()) {
            self.moves(&next);
            let check = Board::orthodox().in_check(&next.position, !next.position.turn);
            let played = if check { next.finish().ok() } else { None };
            self.found.extend(played.filter(|played| self.state.mates(played, self.purse)).map(|played| played.turn));
        }
    }

    fn drops(&mut self, trial: &Trial) {
        let costs = &self.state.terms.costs;
        let empty: Vec<Square> = (!trial.position.occupied()).collect();
        for kind in KINDS.into_iter().filter(|kind| costs.piece(*kind) + costs.cheapest_move() <= trial.left()) {
            for next in empty.iter().filter_map(|square| trial.drop(kind, *square).ok()) {
                self.moves(&next);
                self.drops(&next);
            }
        }
    }
}

/// Most pieces that are dropped as guards.
const MOST: usize = 3;
/// Number of pieces kept for each set of guarded squares, the cheapest ones.
const ALIKE: usize = 2;
/// Number of ways to guard that are listed for a check.
const WAYS: usize = 30;

/// A piece that could be dropped as a guard.
struct Guard {
    kind: u8,
    square: Square,
    price: i64,
    /// The escape squares that it guards.
    guards: Squares,
}

/// Several drops by piece type and square.
pub(super) type Drops = Vec<(u8, Square)>;

/// Sets of drops at the start of a checking turn that make it mate, each with the money left. Empty if the check can be met by other than king
/// moves.
pub(super) fn guards(start: &Trial<'_>, trial: &Trial<'_>, costs: &Costs) -> Vec<(i64, Drops)> {
    let mut found = Vec::new();
    let Ok(played) = trial.clone().finish() else { return found };
    let Some(flights) = flights(&played.after) else { return found };
    let us = !played.after.turn;
    let guards = all(start, &played.after, us, flights, costs, trial.left());
    choose(&guards, flights, trial.left(), &mut Vec::new(), &mut found);
    found
}

/// Escape squares of the king in check; `None` if there are none, if there is no check, or if another piece can meet it.
fn flights(after: &Position) -> Option<Squares> {
    let board = Board::orthodox();
    let king = board.royals(after, after.turn).only().filter(|_| board.in_check(after, after.turn))?;
    let moves = board.moves(after);
    let flees = moves.iter().all(|mv| mv.from == king);
    flees.then(|| moves.iter().map(|mv| mv.to).collect()).filter(|flights: &Squares| !flights.is_empty())
}

/// Pieces that guard some of the escape squares against the opponent's king, the cheapest first.
fn all(start: &Trial<'_>, after: &Position, us: Color, flights: Squares, costs: &Costs, left: i64) -> Vec<Guard> {
    let board = Board::orthodox();
    // The king does not block attacks on squares behind it.
    let occupied = after.occupied() & !board.royals(after, !us);
    let mut guards: Vec<Guard> = Vec::new();
    let mut kinds: Vec<u8> = (orthodox::PAWN..orthodox::KING).filter(|kind| costs.piece(*kind) <= left).collect();
    kinds.sort_by_key(|kind| costs.piece(*kind));
    for kind in kinds {
        let price = costs.piece(kind);
        for square in !after.occupied() {
            let mut placed = *after;
            placed.put(board, square, Piece { color: us, kind });
            let guards_it = |flight: &Square| board.attacks_square(&placed, us, *flight, occupied, square.set());
            let guarded: Squares = flights.filter(guards_it).collect();
            let alike = guards.iter().filter(|known| known.guards == guarded).count();
            if !guarded.is_empty() && alike < ALIKE && start.drop(kind, square).is_ok() {
                guards.push(Guard { kind, square, price, guards: guarded });
            }
        }
    }
    guards
}

/// Chooses guards recursively until all squares are covered.
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
