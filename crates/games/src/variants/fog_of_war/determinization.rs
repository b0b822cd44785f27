//! Determinization for bots: samples a full position that is consistent with one player's knowledge. Visible pieces stay where they are, and hidden
//! ones are placed at random. The sampler uses only what that player knows: the visible squares, the captures so far and the starting position.

use std::sync::Arc;

use rand::{Rng, RngExt};

use super::state::{State, Visibility, moves, redacted};
use crate::{
    board::{Color, Piece, Position, Special, Square, Squares, orthodox},
    rules::{Seat, move_history::MoveHistory},
    variants::king_capture::BOARD,
};

/// Piece types in the order in which hidden pieces are placed: roughly, those with the fewest possible squares first.
const ORDER: [u8; 6] =
    [orthodox::PAWN, orthodox::KING, orthodox::QUEEN, orthodox::ROOK, orthodox::BISHOP, orthodox::KNIGHT];

/// A state in which `us` sees the same board and the same part of the move list as in the true one.
pub(super) fn determinize(state: &State, us: Color, rng: &mut dyn Rng) -> State {
    let (truth, start) = (&state.history.position, &state.history.start);
    let sight = Visibility::of(truth, us);
    let mut world = WorldSampler { position: sight.position, start, us, free: open(&sight, us), rng };
    let mut unseen = hidden_counts(state, &sight.position, us);
    for square in blocking_squares(&sight, us) {
        world.block(square, &mut unseen);
    }
    for kind in ORDER {
        for _ in 0..unseen[usize::from(kind)] {
            world.settle(kind);
        }
    }
    let position = world.castling();
    let mut sheet = state.entries.clone();
    for entry in sheet.iter_mut().filter(|entry| entry.seat != Some(Seat::of(us))) {
        *entry = Arc::new(redacted(entry));
    }
    let mut told = state.last_squares.clone();
    told[(!us).index()].clear();
    let mut course = MoveHistory::new(&BOARD, position);
    course.start = *start;
    State {
        history: course,
        entries: sheet,
        last_squares: told,
        captured_kinds: state.captured_kinds.clone(),
        ..state.clone()
    }
}

/// Number of hidden pieces of each type that the opponent must have. Visible or captured pieces beyond the starting number are promoted pawns.
fn hidden_counts(state: &State, seen: &Position, us: Color) -> [usize; 6] {
    let count = |position: &Position, kind: u8| position.of_kind(!us, kind).len() as usize;
    let mut left = [0; 6];
    let mut became = 0;
    for kind in ORDER {
        let taken = state.captured_kinds[us.index()].iter().filter(|taken| **taken == kind).count();
        let (had, known) = (count(&state.history.start, kind), count(seen, kind) + taken);
        left[usize::from(kind)] = had.saturating_sub(known);
        became += known.saturating_sub(had);
    }
    let pawns = &mut left[usize::from(orthodox::PAWN)];
    *pawns = pawns.saturating_sub(became);
    left
}

/// Squares in the fog that may hold an opposing piece. A piece that one of our pawns could capture would be visible, so those squares are empty.
fn open(sight: &Visibility, us: Color) -> Squares {
    let pawns = sight.position.of_kind(us, orthodox::PAWN);
    let reach = |pawn| BOARD.kind(orthodox::PAWN).design.capture_reach(us, pawn);
    pawns.map(reach).fold(sight.fog(), |fog, taken| fog & !taken)
}

/// Squares in the fog that must be occupied, because otherwise one of our pawns could advance there.
fn blocking_squares(sight: &Visibility, us: Color) -> Squares {
    let pawn =
        |mv: &&crate::board::Move| sight.position.piece(mv.from).is_some_and(|piece| piece.kind == orthodox::PAWN);
    let must = |mv: &crate::board::Move| {
        let between = Square::new(mv.from.file(), (mv.from.rank() + mv.to.rank()) / 2);
        mv.special != Special::Double || sight.squares.has(between)
    };
    let pushes = moves(&sight.position, us);
    let pushes = pushes.iter().filter(pawn).filter(|mv| must(mv)).map(|mv| mv.to);
    pushes.collect::<Squares>() & !sight.squares
}

/// A position under construction.
struct WorldSampler<'w> {
    position: Position,
    start: &'w Position,
    us: Color,
    /// Squares on which a hidden piece may still be placed.
    free: Squares,
    rng: &'w mut dyn Rng,
}

impl WorldSampler<'_> {
    /// Places a hidden piece on a square that must be occupied.
    fn block(&mut self, square: Square, unseen: &mut [usize; 6]) {
        let weights = ORDER.map(|kind| unseen[usize::from(kind)] * self.likelihood(kind, square));
        // If none of the remaining pieces can be here, it is a promoted pawn.
        let kind = self.weighted_index(&weights).map_or(orthodox::QUEEN, |index| ORDER[index]);
        let left = if unseen[usize::from(kind)] > 0 { kind } else { orthodox::PAWN };
        unseen[usize::from(left)] = unseen[usize::from(left)].saturating_sub(1);
        self.put(kind, square);
    }

    /// Places a hidden piece on a possible square.
    fn settle(&mut self, kind: u8) {
        let squares: Vec<Square> = self.free.collect();
        let weights: Vec<usize> = squares.iter().map(|square| self.likelihood(kind, *square)).collect();
        // A pawn without a possible square must have promoted.
        let kind = if weights.iter().all(|weight| *weight == 0) { orthodox::QUEEN } else { kind };
        let index = self.weighted_index(&weights).or(self.weighted_index(&vec![1; squares.len()]));
        if let Some(index) = index {
            self.put(kind, squares[index]);
        }
    }

    fn put(&mut self, kind: u8, square: Square) {
        self.position.put(&BOARD, square, Piece { color: !self.us, kind });
        self.free &= !square.set();
    }

    /// Relative likelihood of a piece on a square. Pieces are likelier near their own side, pawns on files without another pawn, and others on their
    /// starting squares. This is a heuristic that only affects how bots play.
    fn likelihood(&self, kind: u8, square: Square) -> usize {
        let them = !self.us;
        let steps = BOARD.size().rank_of(them, square.rank());
        if kind == orthodox::PAWN {
            let file = |other: &Square| other.file() == square.file();
            let alone = !self.position.of_kind(them, orthodox::PAWN).any(|other| file(&other));
            let near = [0, 8, 4, 3, 2, 1, 1, 0][usize::from(steps)];
            return near * if alone { 4 } else { 1 };
        }
        let home = self.start.piece(square) == Some(Piece { color: them, kind });
        let near = 8 - usize::from(steps);
        match (home, kind) {
            (true, _) => 60,
            (false, orthodox::KING) => near * near / 8 + 1,
            (false, _) => near,
        }
    }

    /// Draws an index with probability proportional to its weight; `None` if all weights are zero.
    fn weighted_index(&mut self, weights: &[usize]) -> Option<usize> {
        let all: usize = weights.iter().sum();
        let mut left = (all > 0).then(|| self.rng.random_range(0..all))?;
        weights.iter().position(|weight| {
            let found = left < *weight;
            left = left.wrapping_sub(*weight);
            found
        })
    }

    /// The finished position. The opponent keeps the castling rights of kings and rooks that are still on their starting squares.
    fn castling(self) -> Position {
        let WorldSampler { mut position, start, us, .. } = self;
        let stays = |square: &Square| position.piece(*square) == start.piece(*square);
        let king = BOARD.royals(start, !us).all(|square| position.piece(square) == start.piece(square));
        let rooks: Squares = (start.rights & start.of(!us)).filter(stays).collect();
        if king {
            position.rights |= rooks;
        }
        position
    }
}
