//! How a board is turned until White's king stands on one of few squares: without pawns on one of ten of the ordinary board, with a pawn on one of
//! thirty-two.

use crate::board::Size;

/// The squares that White's king is turned to, and how the other squares turn with it. Squares are numbered rank by rank: rank × files + file.
pub(crate) struct Turns {
    /// The squares of White's king that have places, in the order of these.
    kings: Vec<usize>,
    /// For each square of White's king the number of the one that it is turned to.
    slot: [usize; 64],
    /// For each square of White's king how the board is turned.
    turn: [usize; 64],
    /// How a turn moves each square.
    turned: [[u8; 64]; 8],
}

impl Turns {
    /// The turns of a board, with pawns only the mirror in the middle between the files.
    pub(crate) fn new(size: Size, pawns: bool) -> Turns {
        let (width, height) = (usize::from(size.width()), usize::from(size.height()));
        // In the middle between the files, in that between the ranks, and in the long diagonal, by the bits of the number.
        let turned = |turn: usize, square: usize| {
            let (file, rank) = (square % width, square / width);
            let file = if turn & 1 == 0 { file } else { width - 1 - file };
            let rank = if turn & 2 == 0 { rank } else { height - 1 - rank };
            if turn & 4 == 0 { rank * width + file } else { file * width + rank }
        };
        let turns = match (pawns, width == height) {
            (true, _) => 2,
            (false, false) => 4,
            (false, true) => 8,
        };
        let squares = width * height;
        let stays = |square: &usize| (1..turns).all(|turn| turned(turn, *square) >= *square);
        let kings: Vec<usize> = (0..squares).filter(stays).collect();
        let mut found = Turns { kings, slot: [0; 64], turn: [0; 64], turned: [[0; 64]; 8] };
        for (turn, all) in found.turned.iter_mut().enumerate().take(turns) {
            *all = std::array::from_fn(|square| if square < squares { turned(turn, square) as u8 } else { 0 });
        }
        for square in 0..squares {
            for turn in (0..turns).rev() {
                if let Some(slot) = found.kings.iter().position(|king| *king == turned(turn, square)) {
                    (found.slot[square], found.turn[square]) = (slot, turn);
                }
            }
        }
        found
    }

    /// The squares of White's king, in the order of the places.
    pub(crate) fn kings(&self) -> &[usize] {
        &self.kings
    }

    /// The number of the square that one of White's king is turned to.
    #[inline(always)]
    pub(crate) fn slot(&self, king: usize) -> usize {
        self.slot[king]
    }

    /// How the board is turned where White's king stands on a square.
    #[inline(always)]
    pub(crate) fn turned(&self, king: usize) -> &[u8; 64] {
        &self.turned[self.turn[king]]
    }
}
