//! The place of every position of a pair in its table. White's king stands on one of ten squares, with a pawn on one of thirty-two: the board is turned
//! until it does, and the other pieces with it.

use super::{framed::Quad, pair::Pair};
use crate::board::Square;

/// The bits of a place below those of White's king: three squares.
pub(super) const BLOCK: u32 = 18;

/// The places of the positions of a pair.
pub struct Numbering {
    /// The squares of White's king that have places, in the order of these.
    kings: Vec<usize>,
    /// For each square of White's king the number of the one that it is turned to.
    pub(super) slot: [usize; 64],
    /// For each square of White's king how the board is turned.
    turn: [usize; 64],
    /// How a turn moves each square.
    turned: [[u8; 64]; 8],
}

/// Turns a square: in the middle between the files, in that between the ranks, and in the long diagonal, by the bits of the number.
fn turned(turn: usize, square: usize) -> usize {
    let (file, rank) = (square % 8, square / 8);
    let file = if turn & 1 == 0 { file } else { 7 - file };
    let rank = if turn & 2 == 0 { rank } else { 7 - rank };
    if turn & 4 == 0 { rank * 8 + file } else { file * 8 + rank }
}

impl Numbering {
    /// The places of a pair: with pawns the board is only mirrored in the middle between the files.
    pub fn new(pair: Pair) -> Numbering {
        let turns = if pair.pawns() > 0 { 2 } else { 8 };
        let stays = |square: &usize| (1..turns).all(|turn| turned(turn, *square) >= *square);
        let kings: Vec<usize> = (0..64).filter(stays).collect();
        let mut numbering = Numbering { kings, slot: [0; 64], turn: [0; 64], turned: [[0; 64]; 8] };
        for (turn, all) in numbering.turned.iter_mut().enumerate() {
            *all = std::array::from_fn(|square| turned(turn, square) as u8);
        }
        for square in 0..64 {
            for turn in (0..turns).rev() {
                if let Some(slot) = numbering.kings.iter().position(|king| *king == turned(turn, square)) {
                    (numbering.slot[square], numbering.turn[square]) = (slot, turn);
                }
            }
        }
        numbering
    }

    /// The number of places. Not all are positions: on some two pieces would share a square, and a pawn would stand on an outer rank.
    pub fn len(&self) -> usize {
        self.kings.len() << BLOCK
    }

    /// Tells whether there are no places.
    pub fn is_empty(&self) -> bool {
        self.kings.is_empty()
    }

    /// The squares of White's king, in the order of the places.
    pub(super) fn kings(&self) -> &[usize] {
        &self.kings
    }

    /// How the board is turned where White's king stands on a square.
    #[inline(always)]
    pub(super) fn turned(&self, king: usize) -> &[u8; 64] {
        &self.turned[self.turn[king]]
    }

    /// The place of squares.
    #[inline(always)]
    pub(super) fn at(&self, king: usize, bare: usize, first: usize, second: usize) -> usize {
        let turned = self.turned(king);
        let of = |square: usize| usize::from(turned[square]);
        self.slot[king] << BLOCK | of(bare) << 12 | of(first) << 6 | of(second)
    }

    /// The place of a position.
    pub fn place(&self, quad: Quad) -> usize {
        self.at(quad.king.index(), quad.bare.index(), quad.first.index(), quad.second.index())
    }

    /// The position at a place, were it one.
    pub fn quad(&self, place: usize) -> Quad {
        let at = |shift: u32| Square::at(place >> shift & 63);
        Quad { king: Square::at(self.kings[place >> BLOCK]), bare: at(12), first: at(6), second: at(0) }
    }
}
