//! Placements of any number of pieces on a small board, as sets of squares that are numbered without gaps, and the counts of the pieces.

use std::fmt;

use crate::board::{
    Board, Color, Piece, Position, Size, Square,
    orthodox::{self, BISHOP, KNIGHT, PAWN, QUEEN, ROOK},
};

/// Number of sets: a king and the [`KINDS`] of each colour.
const SETS: usize = 2 * (1 + KINDS.len());

/// A symmetry of the board, as a map of squares.
pub(super) type Symmetry = [u8; 64];

/// A position without a side to move. Squares are numbered rank by rank: rank × files + file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct Placement {
    /// Squares of both kings, then of White's pieces by type, then of Black's.
    sets: [u64; SETS],
    /// En passant square, if a pawn could capture there.
    pub(super) passing: Option<u8>,
}

/// Squares of a set.
pub(super) fn each(set: u64) -> impl Iterator<Item = usize> {
    std::iter::successors((set != 0).then_some(set), |set| Some(set & (set - 1)).filter(|rest| *rest != 0))
        .map(|set| set.trailing_zeros() as usize)
}

fn compact(size: Size, square: Square) -> u8 {
    square.rank() * size.width() + square.file()
}

fn square(size: Size, at: usize) -> Square {
    let width = usize::from(size.width());
    Square::new((at % width) as u8, (at / width) as u8)
}

impl Placement {
    pub(super) const EMPTY: Placement = Placement { sets: [0; SETS], passing: None };

    /// Square of a king; `None` if it has been captured.
    pub(super) fn king(&self, color: Color) -> Option<usize> {
        let set = self.sets[color.index()];
        (set != 0).then(|| set.trailing_zeros() as usize)
    }

    /// Squares of a side's pieces of a type, given as an index into [`KINDS`].
    pub(super) fn of(&self, color: Color, kind: usize) -> u64 {
        self.sets[2 + color.index() * KINDS.len() + kind]
    }

    pub(super) fn put_king(&mut self, color: Color, at: usize) {
        self.sets[color.index()] = 1 << at;
    }

    pub(super) fn put(&mut self, color: Color, kind: usize, set: u64) {
        self.sets[2 + color.index() * KINDS.len() + kind] |= set;
    }

    /// All occupied squares.
    pub(super) fn occupied(&self) -> u64 {
        self.sets.iter().fold(0, |all, set| all | set)
    }

    /// Counts of the pieces.
    pub(super) fn forces(&self) -> PieceCounts {
        PieceCounts(Color::BOTH.map(|color| std::array::from_fn(|kind| self.of(color, kind).count_ones() as u8)))
    }

    /// Image of the placement under a symmetry of the board.
    pub(super) fn turned(&self, symmetry: &Symmetry) -> Placement {
        let map = |set: u64| each(set).fold(0, |turned, at| turned | 1 << symmetry[at]);
        Placement { sets: self.sets.map(map), passing: self.passing.map(|over| symmetry[usize::from(over)]) }
    }

    /// Image of the placement with colours and ranks reversed.
    pub(super) fn reversed(&self, size: Size) -> Placement {
        let (width, height) = (size.width(), size.height());
        let flip = |at: u8| (height - 1 - at / width) * width + at % width;
        let map = |set: u64| each(set).fold(0, |turned, at| turned | 1 << flip(at as u8));
        let mut reversed = Placement { passing: self.passing.map(flip), ..Placement::EMPTY };
        for (at, set) in self.sets.iter().enumerate() {
            let color_changed = match at.checked_sub(2) {
                None => 1 - at,
                Some(at) => 2 + (at + KINDS.len()) % (2 * KINDS.len()),
            };
            reversed.sets[color_changed] = map(*set);
        }
        reversed
    }

    /// The position on a board, with `turn` to move.
    pub(super) fn position(&self, board: &Board, turn: Color) -> Position {
        let mut position = Position::EMPTY;
        position.turn = turn;
        let size = board.size();
        for color in Color::BOTH {
            let mut put = |set: u64, kind: u8| {
                each(set).for_each(|at| position.put(board, square(size, at), Piece { color, kind }));
            };
            put(self.sets[color.index()], orthodox::KING);
            for (at, (kind, _)) in KINDS.iter().enumerate() {
                put(self.of(color, at), *kind);
            }
        }
        if let Some(over) = self.passing {
            position.en_passant = square(size, usize::from(over)).set();
        }
        position
    }

    /// Pieces of a position. The en passant right counts only if a pawn could use it.
    pub(super) fn of_position(board: &Board, position: &Position) -> Placement {
        let size = board.size();
        let mut placement = Placement::EMPTY;
        for (square, piece) in position.pieces() {
            let at = compact(size, square);
            match KINDS.iter().position(|(kind, _)| *kind == piece.kind) {
                Some(kind) => placement.put(piece.color, kind, 1 << at),
                None => placement.sets[piece.color.index()] |= 1 << at,
            }
        }
        placement.passing =
            position.en_passant.first().filter(|over| can_pass(board, position, *over)).map(|over| compact(size, over));
        placement
    }
}

/// Returns whether a pawn that has just stepped over a square can be captured there.
fn can_pass(board: &Board, position: &Position, over: Square) -> bool {
    let pawn = |square: Option<Square>, color: Color| {
        let piece = square.and_then(|square| position.piece(square));
        piece == Some(Piece { color, kind: orthodox::PAWN })
    };
    let size = board.size();
    [(Color::White, 1), (Color::Black, -1)].into_iter().any(|(stepped, forward)| {
        let beside = |side: i8| over.step(side, forward, size);
        pawn(beside(0), stepped) && [-1, 1].into_iter().any(|side| pawn(beside(side), !stepped))
    })
}

/// Symmetries that preserve values: with pawns only the left-right mirror, otherwise all symmetries of the board.
pub(super) fn symmetries(size: Size, pawns: bool) -> Vec<Symmetry> {
    let (width, height) = (size.width(), size.height());
    let turns = if pawns { 1 } else { 2 };
    let diagonals = if !pawns && width == height { 2 } else { 1 };
    let mut found = Vec::new();
    for diagonal in 0..diagonals {
        for up in 0..turns {
            for right in 0..2 {
                let mut symmetry = [0; 64];
                for square in size.squares() {
                    let (x, y) = (square.file(), square.rank());
                    let (x, y) = if diagonal == 1 { (y, x) } else { (x, y) };
                    let x = if right == 1 { width - 1 - x } else { x };
                    let y = if up == 1 { height - 1 - y } else { y };
                    symmetry[usize::from(compact(size, square))] = y * width + x;
                }
                found.push(symmetry);
            }
        }
    }
    found
}

/// Piece types other than the king, strongest first, with their letters.
const KINDS: [(u8, char); 5] = [(QUEEN, 'Q'), (ROOK, 'R'), (BISHOP, 'B'), (KNIGHT, 'N'), (PAWN, 'P')];
/// Index of the pawn in [`KINDS`].
pub(super) const PAWNS: usize = 4;

/// Material as counts of the pieces other than the kings, by side and type. Displayed as `KRBvK`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct PieceCounts(pub(super) [[u8; KINDS.len()]; 2]);

impl PieceCounts {
    fn count(self, color: Color) -> usize {
        self.0[color.index()].iter().map(|count| usize::from(*count)).sum()
    }

    /// Number of pieces, kings included.
    pub(super) fn pieces(self) -> usize {
        2 + Color::BOTH.into_iter().map(|color| self.count(color)).sum::<usize>()
    }

    /// Number of pawns.
    pub(super) fn pawns(self) -> usize {
        Color::BOTH.into_iter().map(|color| self.of(color, PAWNS)).sum()
    }

    /// Number of a side's pieces of a type, given as an index into [`KINDS`].
    pub(super) fn of(self, color: Color, kind: usize) -> usize {
        usize::from(self.0[color.index()][kind])
    }

    /// Returns whether both sides have pawns, so that an en passant capture is possible.
    pub(super) fn passes(self) -> bool {
        Color::BOTH.into_iter().all(|color| self.of(color, PAWNS) > 0)
    }

    /// The material with colours reversed.
    pub(super) fn reversed(self) -> PieceCounts {
        PieceCounts([self.0[1], self.0[0]])
    }

    /// Returns whether White has more pieces, or the same number and none weaker. Only such material is solved; the rest follows by reversing colours.
    pub(super) fn leads(self) -> bool {
        let of = |color: Color| (self.count(color), self.0[color.index()]);
        of(Color::White) >= of(Color::Black)
    }

    /// All materials with a number of pieces, up to colour: those with fewer pawns first, then those with stronger pieces.
    pub(super) fn all(pieces: usize) -> Vec<PieceCounts> {
        let mut found = vec![[0; 2 * KINDS.len()]];
        for _ in 2..pieces {
            let more = |counts: [u8; 2 * KINDS.len()]| {
                let last = counts.iter().rposition(|count| *count > 0).unwrap_or(0);
                (last..counts.len()).map(move |at| {
                    let mut next = counts;
                    next[at] += 1;
                    next
                })
            };
            found = found.into_iter().flat_map(more).collect();
        }
        let sides = |counts: [u8; 2 * KINDS.len()]| {
            PieceCounts([0, 1].map(|side| std::array::from_fn(|kind| counts[side * KINDS.len() + kind])))
        };
        let mut all: Vec<PieceCounts> = found.into_iter().map(sides).filter(|forces| forces.leads()).collect();
        all.sort_by_key(|forces| (forces.pawns(), std::cmp::Reverse(*forces)));
        all
    }
}

impl fmt::Display for PieceCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (side, before) in self.0.iter().zip(["K", "vK"]) {
            f.write_str(before)?;
            for (count, (_, letter)) in side.iter().zip(KINDS) {
                (0..*count).try_for_each(|_| write!(f, "{letter}"))?;
            }
        }
        Ok(())
    }
}
