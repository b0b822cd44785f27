//! A world that a side could be in: what it sees stands where it is, and what it does not see is put where it could stand. Only what that
//! side knows goes in: what it sees, what was captured, and what the game began with.

use rand::{Rng, RngExt};

use super::state::{State, Visibility, moves, unheard};
use crate::{
    board::{Color, Piece, Position, Special, Square, Squares, orthodox},
    rules::{Seat, move_history::MoveHistory},
    variants::king_capture::BOARD,
};

/// The kinds in the order in which the unseen ones are put: those with the fewest squares to stand on first.
const ORDER: [u8; 6] =
    [orthodox::PAWN, orthodox::KING, orthodox::QUEEN, orthodox::ROOK, orthodox::BISHOP, orthodox::KNIGHT];

/// A world in which a side sees, and has heard, what it does.
pub(super) fn determinize(state: &State, us: Color, rng: &mut dyn Rng) -> State {
    let (truth, start) = (&state.course.position, &state.course.start);
    let sight = Visibility::of(truth, us);
    let mut world = WorldSampler { position: sight.position, start, us, free: open(&sight, us), rng };
    let mut unseen = unseen(state, &sight.position, us);
    for square in stopped(&sight, us) {
        world.block(square, &mut unseen);
    }
    for kind in ORDER {
        for _ in 0..unseen[usize::from(kind)] {
            world.settle(kind);
        }
    }
    let position = world.castling();
    let mut sheet = state.sheet.clone();
    for entry in sheet.iter_mut().filter(|entry| entry.seat != Some(Seat::of(us))) {
        *entry = unheard(entry);
    }
    let mut told = state.told.clone();
    told[(!us).index()].clear();
    let mut course = MoveHistory::new(&BOARD, position);
    course.start = *start;
    State { course, sheet, told, taken: state.taken.clone(), ..state.clone() }
}

/// The number of units of each kind that the other side must have where they are not seen. Whatever there is more of than there was at the
/// beginning has been a pawn.
fn unseen(state: &State, seen: &Position, us: Color) -> [usize; 6] {
    let count = |position: &Position, kind: u8| position.of_kind(!us, kind).len() as usize;
    let mut left = [0; 6];
    let mut became = 0;
    for kind in ORDER {
        let taken = state.taken[us.index()].iter().filter(|taken| **taken == kind).count();
        let (had, known) = (count(&state.course.start, kind), count(seen, kind) + taken);
        left[usize::from(kind)] = had.saturating_sub(known);
        became += known.saturating_sub(had);
    }
    let pawns = &mut left[usize::from(orthodox::PAWN)];
    *pawns = pawns.saturating_sub(became);
    left
}

/// The squares in the fog on which a unit of the other side could stand: one that a pawn could take would be seen.
fn open(sight: &Visibility, us: Color) -> Squares {
    let pawns = sight.position.of_kind(us, orthodox::PAWN);
    let reach = |pawn| BOARD.kind(orthodox::PAWN).design.capture_reach(us, pawn);
    pawns.map(reach).fold(sight.fog(), |fog, taken| fog & !taken)
}

/// The squares in the fog on which something must stand, because a pawn would go there otherwise.
fn stopped(sight: &Visibility, us: Color) -> Squares {
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

/// A world in the making.
struct WorldSampler<'w> {
    position: Position,
    start: &'w Position,
    us: Color,
    /// The squares on which something unseen could stand.
    free: Squares,
    rng: &'w mut dyn Rng,
}

impl WorldSampler<'_> {
    /// Puts something on a square on which something must stand.
    fn block(&mut self, square: Square, unseen: &mut [usize; 6]) {
        let weights = ORDER.map(|kind| unseen[usize::from(kind)] * self.likely(kind, square));
        // Where none of those that are left can stand, a pawn has become something.
        let kind = self.one_of(&weights).map_or(orthodox::QUEEN, |index| ORDER[index]);
        let left = if unseen[usize::from(kind)] > 0 { kind } else { orthodox::PAWN };
        unseen[usize::from(left)] = unseen[usize::from(left)].saturating_sub(1);
        self.put(kind, square);
    }

    /// Puts a unit where it could stand.
    fn settle(&mut self, kind: u8) {
        let squares: Vec<Square> = self.free.collect();
        let weights: Vec<usize> = squares.iter().map(|square| self.likely(kind, *square)).collect();
        // A pawn that has no square any more must have become something.
        let kind = if weights.iter().all(|weight| *weight == 0) { orthodox::QUEEN } else { kind };
        let index = self.one_of(&weights).or(self.one_of(&vec![1; squares.len()]));
        if let Some(index) = index {
            self.put(kind, squares[index]);
        }
    }

    fn put(&mut self, kind: u8, square: Square) {
        self.position.put(&BOARD, square, Piece { color: !self.us, kind });
        self.free &= !square.set();
    }

    /// How likely a unit stands on a square, compared with others: near its own side, pawns each on a file of its own, officers where they
    /// began. A guess; it decides nothing but what a bot fears.
    fn likely(&self, kind: u8, square: Square) -> usize {
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

    /// The number of a weight, as often as it weighs; nothing if none does.
    fn one_of(&mut self, weights: &[usize]) -> Option<usize> {
        let all: usize = weights.iter().sum();
        let mut left = (all > 0).then(|| self.rng.random_range(0..all))?;
        weights.iter().position(|weight| {
            let found = left < *weight;
            left = left.wrapping_sub(*weight);
            found
        })
    }

    /// The position, with the rights to castle of whatever stands where it began.
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
