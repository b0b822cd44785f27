//! The place of every position of a trio in its table. The board is turned until White's king stands on one of few squares, as with four pieces; of like
//! pieces only the set of their squares counts.

use super::trio::Trio;
use crate::{
    board::{Size, Square},
    four::Turns,
};

/// Which pieces are alike.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Like {
    None,
    First,
    Last,
    All,
}

/// The places of the positions of a trio. Squares are numbered rank by rank: rank × files + file.
pub struct FiveNumbering {
    pub(super) turns: Turns,
    pub(super) squares: usize,
    like: Like,
    /// The squares of the three pieces, in the order of the places.
    men: Vec<[u8; 3]>,
}

/// A square by its number on a board.
pub(super) fn square(size: Size, number: usize) -> Square {
    let width = usize::from(size.width());
    Square::new((number % width) as u8, (number / width) as u8)
}

/// The number of a set of two squares.
#[inline(always)]
fn two(a: usize, b: usize) -> usize {
    let (low, high) = (a.min(b), a.max(b));
    high * (high.max(1) - 1) / 2 + low
}

/// The number of a set of three squares.
#[inline(always)]
fn three([a, b, c]: [usize; 3]) -> usize {
    let (low, high) = (a.min(b), a.max(b));
    let (middle, high) = (high.min(c), high.max(c));
    let (low, middle) = (low.min(middle), low.max(middle));
    high * (high.max(1) - 1) * (high.max(2) - 2) / 6 + two(low, middle)
}

impl FiveNumbering {
    /// The places of a trio on a board.
    pub fn new(trio: Trio, size: Size) -> FiveNumbering {
        let [first, second, third] = trio.kinds;
        let like = match (first == second, trio.together && second == third) {
            (true, true) => Like::All,
            (true, false) => Like::First,
            (false, true) => Like::Last,
            (false, false) => Like::None,
        };
        let squares = usize::from(size.width()) * usize::from(size.height());
        let mut numbering = FiveNumbering { turns: Turns::new(size, false), squares, like, men: Vec::new() };
        let mut men = Vec::new();
        for a in 0..squares {
            for b in (0..squares).filter(|b| !matches!(like, Like::First | Like::All) || a < *b) {
                for c in (0..squares).filter(|c| !matches!(like, Like::Last | Like::All) || b < *c) {
                    men.push((numbering.rank([a, b, c]), [a, b, c].map(|square| square as u8)));
                }
            }
        }
        men.sort_unstable();
        numbering.men = men.into_iter().map(|(_, men)| men).collect();
        numbering
    }

    /// The number of places. Not all are positions: on some two pieces would share a square.
    pub fn len(&self) -> usize {
        self.turns.kings().len() * self.squares * self.men.len()
    }

    /// Tells whether there are no places.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of the squares of the three pieces.
    #[inline(always)]
    fn rank(&self, [a, b, c]: [usize; 3]) -> usize {
        match self.like {
            Like::None => (a * self.squares + b) * self.squares + c,
            Like::First => two(a, b) * self.squares + c,
            Like::Last => a * (self.squares * (self.squares - 1) / 2) + two(b, c),
            Like::All => three([a, b, c]),
        }
    }

    /// The place where White's king stands on a square that has places.
    #[inline(always)]
    pub(super) fn inside(&self, slot: usize, bare: usize, men: [usize; 3]) -> usize {
        (slot * self.squares + bare) * self.men.len() + self.rank(men)
    }

    /// The place of squares.
    #[inline(always)]
    pub fn at(&self, king: usize, bare: usize, men: [usize; 3]) -> usize {
        let turned = self.turns.turned(king);
        let of = |square: usize| usize::from(turned[square]);
        self.inside(self.turns.slot(king), of(bare), men.map(of))
    }

    /// White's king, Black's and the three pieces at a place; some of them on one square where nothing stands.
    #[inline(always)]
    pub fn squares(&self, place: usize) -> (usize, usize, [usize; 3]) {
        let (kings, men) = (place / self.men.len(), place % self.men.len());
        let king = self.turns.kings()[kings / self.squares];
        (king, kings % self.squares, self.men[men].map(usize::from))
    }
}
