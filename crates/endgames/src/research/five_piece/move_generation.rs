//! Moves of five-piece positions, as indexes into their table and beyond it.
//!
//! Indexes after the end of the table denote the positions outside it: the two ends of the game, then the four-piece positions after a
//! capture. `solve.rs` fills in their values.

use std::ops::Range;

use super::index::{FiveNumbering, FivePieceMaterial};
use crate::{
    board::{Color, Size},
    four_piece::{Rays, StateSpace, each},
};

/// White's king on a canonical square, Black's king, and the three pieces.
#[derive(Clone, Copy)]
pub(super) struct PackedFivePosition {
    pub(super) king: usize,
    pub(super) bare: usize,
    pub(super) men: [usize; 3],
}

/// Move generator of one material.
pub(super) struct FiveMoveGenerator {
    pub(super) trio: FivePieceMaterial,
    pub(super) numbering: FiveNumbering,
    rays: Rays,
    len: usize,
    /// For each piece, the first piece whose capture leaves the same material.
    pub(super) same: [usize; 3],
}

impl FiveMoveGenerator {
    pub(super) fn new(trio: FivePieceMaterial, size: Size) -> FiveMoveGenerator {
        let numbering = FiveNumbering::new(trio, size);
        let same = [0, 1, 2].map(|lost| (0..lost).find(|other| trio.left(*other) == trio.left(lost)).unwrap_or(lost));
        FiveMoveGenerator { trio, len: numbering.len(), numbering, rays: Rays::new(size), same }
    }

    /// Index of the end of the game after `by` has captured the king.
    #[inline(always)]
    pub(super) fn won(&self, by: Color) -> usize {
        self.len + usize::from(by == Color::White)
    }

    /// Number of indexes for the four-piece positions after the capture of one piece.
    fn room(&self) -> usize {
        self.numbering.turns.kings().len() * self.numbering.squares.pow(3)
    }

    /// Index of a four-piece position after the capture of piece `lost`.
    #[inline(always)]
    pub(super) fn left(&self, lost: usize, king: usize, bare: usize, men: [usize; 2]) -> usize {
        let (turns, squares) = (&self.numbering.turns, self.numbering.squares);
        let turned = turns.turned(king);
        let of = |square: usize| usize::from(turned[square]);
        let kings = turns.slot(king) * squares + of(bare);
        self.len + 2 + self.same[lost] * self.room() + (kings * squares + of(men[0])) * squares + of(men[1])
    }

    /// Index of the position after the capture of piece `lost`, given the squares before it.
    #[inline(always)]
    fn taken(&self, lost: usize, king: usize, bare: usize, [a, b, c]: [usize; 3]) -> usize {
        let men = match lost {
            0 => [b, c],
            1 => [a, c],
            _ => [a, b],
        };
        self.left(lost, king, bare, men)
    }

    #[inline(always)]
    fn white(&self, PackedFivePosition { king, bare, men }: PackedFivePosition, mut tell: impl FnMut(usize)) {
        let FivePieceMaterial { kinds, together } = self.trio;
        let occupied = men.iter().fold(1u64 << king | 1 << bare, |all, square| all | 1 << square);
        let theirs = 1u64 << bare | if together { 0 } else { 1 << men[2] };
        let free = !occupied | theirs;
        let own = if together { 3 } else { 2 };
        let mut goes = [0; 3];
        for piece in 0..own {
            goes[piece] = self.rays.reach(kinds[piece], men[piece], occupied) & free;
        }
        let steps = self.rays.king(king) & free;
        if (steps | goes[0] | goes[1] | goes[2]) >> bare & 1 != 0 {
            return tell(self.won(Color::White));
        }
        let slot = self.numbering.turns.slot(king);
        for piece in 0..own {
            each(goes[piece], |to| {
                let mut next = men;
                next[piece] = to;
                match !together && to == men[2] {
                    true => tell(self.taken(2, king, bare, next)),
                    false => tell(self.numbering.inside(slot, bare, next)),
                }
            });
        }
        each(steps, |to| match !together && to == men[2] {
            true => tell(self.taken(2, to, bare, men)),
            false => tell(self.numbering.at(to, bare, men)),
        });
    }

    #[inline(always)]
    fn black(&self, PackedFivePosition { king, bare, men }: PackedFivePosition, mut tell: impl FnMut(usize)) {
        let FivePieceMaterial { kinds, together } = self.trio;
        let occupied = men.iter().fold(1u64 << king | 1 << bare, |all, square| all | 1 << square);
        let theirs = occupied & !(1 << bare | if together { 0 } else { 1 << men[2] });
        let free = !occupied | theirs;
        let steps = self.rays.king(bare) & free;
        let goes = if together { 0 } else { self.rays.reach(kinds[2], men[2], occupied) & free };
        if (steps | goes) >> king & 1 != 0 {
            return tell(self.won(Color::Black));
        }
        let slot = self.numbering.turns.slot(king);
        let lost = |to: usize| men.iter().position(|man| *man == to);
        each(steps, |to| match lost(to) {
            Some(lost) => tell(self.taken(lost, king, to, men)),
            None => tell(self.numbering.inside(slot, to, men)),
        });
        each(goes, |to| {
            let next = [men[0], men[1], to];
            match lost(to) {
                Some(lost) => tell(self.taken(lost, king, bare, next)),
                None => tell(self.numbering.inside(slot, bare, next)),
            }
        });
    }
}

impl StateSpace for FiveMoveGenerator {
    type Spot = PackedFivePosition;

    fn len(&self) -> usize {
        self.len
    }

    fn all(&self) -> usize {
        self.len + 2 + 3 * self.room()
    }

    #[inline(always)]
    fn each(&self, places: Range<usize>, back: bool, mut tell: impl FnMut(usize, PackedFivePosition)) {
        for at in 0..places.len() {
            let place = if back { places.end - 1 - at } else { places.start + at };
            let (king, bare, men) = self.numbering.squares(place);
            let occupied = men.iter().fold(1u64 << king | 1 << bare, |all, square| all | 1 << square);
            if occupied.count_ones() == 5 {
                tell(place, PackedFivePosition { king, bare, men });
            }
        }
    }

    #[inline(always)]
    fn options(&self, mover: Color, stand: PackedFivePosition, tell: impl FnMut(usize)) {
        match mover {
            Color::White => self.white(stand, tell),
            Color::Black => self.black(stand, tell),
        }
    }
}
