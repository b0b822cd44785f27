//! Squares that pieces attack on the 8x8 board or a smaller one. A test compares the moves with those of the board module. This one works without
//! positions, because solving generates billions of moves.

use crate::board::{
    Size,
    orthodox::{BISHOP, KING, KNIGHT, QUEEN, ROOK},
};

/// The eight directions, straight and diagonal in turn. The square number increases in the first four.
const DIRECTIONS: [(i32, i32); 8] = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];
const STRAIGHT: [usize; 4] = [0, 2, 4, 6];
const SLANTED: [usize; 4] = [1, 3, 5, 7];
const LEAPS: [(i32, i32); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// Attacked squares as bit sets, by square.
pub(crate) struct Rays {
    king: [u64; 64],
    knight: [u64; 64],
    rays: [[u64; 64]; 8],
}

/// Calls `tell` for the squares of a set.
#[inline(always)]
pub(crate) fn each(mut set: u64, mut tell: impl FnMut(usize)) {
    while set != 0 {
        tell(set.trailing_zeros() as usize);
        set &= set - 1;
    }
}

impl Rays {
    /// Computes all sets.
    pub(crate) fn new(size: Size) -> Rays {
        let (width, height) = (i32::from(size.width()), i32::from(size.height()));
        // The square at an offset in files and ranks, if it is on the board.
        let from = |square: usize, (x, y): (i32, i32)| {
            let (file, rank) = (square as i32 % width + x, square as i32 / width + y);
            let on = square < (width * height) as usize && (0..width).contains(&file) && (0..height).contains(&rank);
            on.then_some((rank * width + file) as usize)
        };
        let leaps = |square: usize, steps: &[(i32, i32)]| {
            steps.iter().filter_map(|step| from(square, *step)).fold(0, |all, to| all | 1 << to)
        };
        let ray = |square: usize, step: (i32, i32)| {
            std::iter::successors(from(square, step), |at| from(*at, step)).fold(0, |all, to| all | 1 << to)
        };
        Rays {
            king: std::array::from_fn(|square| leaps(square, &DIRECTIONS)),
            knight: std::array::from_fn(|square| leaps(square, &LEAPS)),
            rays: std::array::from_fn(|at| std::array::from_fn(|square| ray(square, DIRECTIONS[at]))),
        }
    }

    /// Squares that a king attacks.
    #[inline(always)]
    pub(crate) fn king(&self, square: usize) -> u64 {
        self.king[square]
    }

    #[inline(always)]
    fn slide(&self, square: usize, occupied: u64, directions: [usize; 4]) -> u64 {
        let mut all = 0;
        for direction in directions {
            let ray = self.rays[direction][square];
            let met = ray & occupied;
            let hidden = match (met, direction < 4) {
                (0, _) => 0,
                (_, true) => self.rays[direction][met.trailing_zeros() as usize],
                (_, false) => self.rays[direction][63 - met.leading_zeros() as usize],
            };
            all |= ray & !hidden;
        }
        all
    }

    /// Squares that a piece other than a pawn attacks, including those of its own pieces.
    #[inline(always)]
    pub(crate) fn reach(&self, kind: u8, square: usize, occupied: u64) -> u64 {
        match kind {
            KING => self.king[square],
            KNIGHT => self.knight[square],
            BISHOP => self.slide(square, occupied, SLANTED),
            ROOK => self.slide(square, occupied, STRAIGHT),
            QUEEN => self.slide(square, occupied, SLANTED) | self.slide(square, occupied, STRAIGHT),
            _ => 0,
        }
    }

    /// Squares that a pawn of the 8x8 board can move to or capture on, including captures of its own pieces.
    #[inline(always)]
    pub(super) fn pawn(&self, white: bool, square: usize, occupied: u64) -> u64 {
        let (ahead, slanted, home): (_, [usize; 2], _) =
            if white { (square + 8, [1, 3], 1) } else { (square - 8, [5, 7], 6) };
        let mut all = 1 << ahead & !occupied;
        if all != 0 && square / 8 == home {
            all |= 1 << if white { square + 16 } else { square - 16 } & !occupied;
        }
        let near = self.king[square] & occupied;
        all | slanted.into_iter().fold(0, |taken, direction| taken | self.rays[direction][square] & near)
    }
}
