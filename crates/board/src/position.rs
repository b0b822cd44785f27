//! Positions: the state of a board that changes with every move.

use super::{
    piece_type::orthodox,
    square::{Color, Square, Squares},
};

/// A piece on the board: its colour and the index of its piece type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Piece {
    /// Its colour.
    pub color: Color,
    /// Index of its piece type in [`Board::kinds`](super::Board::kinds).
    pub kind: u8,
}

/// Marks an empty square in place of a piece type.
pub(super) const NOTHING: u8 = u8::MAX;

/// Number of piece types that a reserve can hold: the orthodox ones without the king.
pub(super) const HELD: usize = orthodox::KING as usize;

/// The state of a game's board. The [`Board`](super::Board) defines the piece types of the indices.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    pub(super) kinds: [u8; 64],
    pub(super) colors: [Squares; 2],
    pub(super) royals: Squares,
    /// Both sides' reserves, by piece type.
    pub(super) held: [[u8; HELD]; 2],
    /// Promoted pawns, in games with a reserve. They turn back into pawns when captured.
    pub promoted: Squares,
    /// Pieces with a right that ends with their first move: castling rooks, and unmoved pieces of types with first
    /// moves.
    pub rights: Squares,
    /// Squares skipped by double steps, on which en passant is possible now.
    pub en_passant: Squares,
    /// Square of the duck, once it is on the board. It blocks all moves and cannot be captured.
    pub duck: Squares,
    /// The side to move.
    pub turn: Color,
    /// Plies since the last capture or pawn move.
    pub halfmove: u16,
    /// Number of the full move, from 1.
    pub fullmove: u16,
}

impl Position {
    /// An empty board with White to move.
    pub const EMPTY: Position = Position {
        kinds: [NOTHING; 64],
        colors: [Squares::EMPTY; 2],
        royals: Squares::EMPTY,
        held: [[0; HELD]; 2],
        promoted: Squares::EMPTY,
        rights: Squares::EMPTY,
        en_passant: Squares::EMPTY,
        duck: Squares::EMPTY,
        turn: Color::White,
        halfmove: 0,
        fullmove: 1,
    };

    /// The piece on a square.
    #[inline]
    pub fn piece(&self, square: Square) -> Option<Piece> {
        let kind = self.kinds[square.index()];
        (kind != NOTHING).then(|| {
            let color = if self.colors[0].has(square) { Color::White } else { Color::Black };
            Piece { color, kind }
        })
    }

    /// Index of the piece type on a square that must be occupied.
    #[inline]
    pub(super) fn kind(&self, square: Square) -> u8 {
        self.kinds[square.index()]
    }

    /// All pieces with their squares, from a1 upwards.
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        self.occupied().filter_map(|square| self.piece(square).map(|piece| (square, piece)))
    }

    /// Squares of `color`'s pieces.
    #[inline]
    pub fn of(&self, color: Color) -> Squares {
        self.colors[color.index()]
    }

    /// Squares of all pieces and the duck.
    #[inline]
    pub fn occupied(&self) -> Squares {
        self.colors[0] | self.colors[1] | self.duck
    }

    /// Squares of `color`'s pieces of one type.
    pub fn of_kind(&self, color: Color, kind: u8) -> Squares {
        self.of(color).filter(|square| self.kind(*square) == kind).collect()
    }

    /// Removes the piece on a square, if any.
    #[inline]
    pub fn remove(&mut self, square: Square) {
        let others = !square.set();
        self.kinds[square.index()] = NOTHING;
        self.colors[0] &= others;
        self.colors[1] &= others;
        self.royals &= others;
        self.promoted &= others;
        self.rights &= others;
    }

    /// Moves the piece on `from` to the empty square `to`.
    #[inline]
    pub(super) fn carry(&mut self, from: Square, to: Square) {
        let both = from.set() | to.set();
        self.kinds[to.index()] = self.kinds[from.index()];
        self.kinds[from.index()] = NOTHING;
        let owner = usize::from(self.colors[1].has(from));
        self.colors[owner] ^= both;
        if self.royals.has(from) {
            self.royals ^= both;
        }
        if self.promoted.has(from) {
            self.promoted ^= both;
        }
        self.rights &= !both;
    }

    /// The position without its move counters, packed into integers, for hashing and comparison.
    #[inline]
    pub fn words(&self) -> [u64; 16] {
        let mut words = [0; 16];
        for (word, kinds) in words.iter_mut().zip(self.kinds.as_chunks::<8>().0) {
            *word = u64::from_le_bytes(*kinds);
        }
        for (at, held) in self.held.iter().enumerate() {
            let [a, b, c, d, e] = *held;
            words[13 + at] = u64::from_be_bytes([0, 0, 0, a, b, c, d, e]);
        }
        let sets = [self.colors[0], self.promoted, self.rights, self.en_passant];
        for (word, set) in words[8..].iter_mut().zip(sets) {
            *word = set.0;
        }
        words[12] = self.turn as u64;
        words[15] = self.duck.0;
        words
    }

    /// True if the same pieces and the duck are on the same squares.
    pub fn same_placement(&self, other: &Position) -> bool {
        self.kinds == other.kinds && self.colors == other.colors && self.duck == other.duck
    }
}
