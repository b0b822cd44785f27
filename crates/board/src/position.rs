//! Positions: what changes on a board from move to move.

use super::{
    piece_type::orthodox,
    square::{Color, Square, Squares},
};

/// A unit on the board: its colour and the index of its kind.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Piece {
    /// Whose it is.
    pub color: Color,
    /// The index of its kind in [`Board::kinds`](super::Board::kinds).
    pub kind: u8,
}

/// No kind: what stands on an empty square.
pub(super) const NOTHING: u8 = u8::MAX;

/// The number of kinds that can be held to be dropped: the orthodox ones but for the king.
pub(super) const HELD: usize = orthodox::KING as usize;

/// Everything that changes from move to move. Which kinds the indices mean, the [`Board`](super::Board) knows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    pub(super) kinds: [u8; 64],
    pub(super) colors: [Squares; 2],
    pub(super) royals: Squares,
    /// What both sides have to drop, by kind.
    pub(super) held: [[u8; HELD]; 2],
    /// The units that were pawns and are pawns again when they are captured, where there are holdings.
    pub promoted: Squares,
    /// The units with a right that their first move ends: rooks that may castle, and where kinds have first moves, those of them that
    /// have not moved.
    pub rights: Squares,
    /// The squares skipped by double steps on which a pawn may be captured now.
    pub en_passant: Squares,
    /// The square of the duck, once it stands on the board: nothing goes there or through, and nothing captures it.
    pub duck: Squares,
    /// The side to move.
    pub turn: Color,
    /// Plies since the last capture or pawn move.
    pub halfmove: u16,
    /// The number of the full move, from 1.
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

    /// The unit on a square.
    #[inline]
    pub fn piece(&self, square: Square) -> Option<Piece> {
        let kind = self.kinds[square.index()];
        (kind != NOTHING).then(|| {
            let color = if self.colors[0].has(square) { Color::White } else { Color::Black };
            Piece { color, kind }
        })
    }

    /// The kind index on a square that is known to be occupied.
    #[inline]
    pub(super) fn kind(&self, square: Square) -> u8 {
        self.kinds[square.index()]
    }

    /// All units with their squares, from a1 upwards.
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        self.occupied().filter_map(|square| self.piece(square).map(|piece| (square, piece)))
    }

    /// The squares of `color`'s units.
    #[inline]
    pub fn of(&self, color: Color) -> Squares {
        self.colors[color.index()]
    }

    /// All squares with a unit, and that of the duck.
    #[inline]
    pub fn occupied(&self) -> Squares {
        self.colors[0] | self.colors[1] | self.duck
    }

    /// The squares of `color`'s units of one kind.
    pub fn of_kind(&self, color: Color, kind: u8) -> Squares {
        self.of(color).filter(|square| self.kind(*square) == kind).collect()
    }

    /// Takes whatever stands on a square off the board.
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

    /// Moves the unit on `from` to the empty square `to`.
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

    /// All by which two positions of a board can differ but for the counters of moves, in words.
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

    /// Tells whether the same units stand on the same squares, and the duck.
    pub fn same_placement(&self, other: &Position) -> bool {
        self.kinds == other.kinds && self.colors == other.colors && self.duck == other.duck
    }
}
