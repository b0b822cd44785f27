//! Squares, sets of squares, board sizes and colours. Contains geometry only, no pieces.

use std::{fmt, str::FromStr};

/// One of the two sides.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Color {
    /// Moves up the board, towards the higher ranks.
    White,
    /// Moves down the board, towards rank 1.
    Black,
}

impl Color {
    /// White, then Black.
    pub const BOTH: [Color; 2] = [Color::White, Color::Black];

    /// Index in a pair: White 0, Black 1.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// `white` or `black`.
    pub const fn name(self) -> &'static str {
        match self {
            Color::White => "white",
            Color::Black => "black",
        }
    }
}

impl std::ops::Not for Color {
    type Output = Color;
    #[inline]
    fn not(self) -> Color {
        match self {
            Color::White => Color::Black,
            Color::Black => Color::White,
        }
    }
}

impl FromStr for Color {
    type Err = BadSquare;
    fn from_str(text: &str) -> Result<Self, BadSquare> {
        match text {
            "white" => Ok(Color::White),
            "black" => Ok(Color::Black),
            _ => Err(BadSquare(text.to_owned())),
        }
    }
}

/// A square of a board of at most 8×8: file 0..=7 for a–h, rank 0..=7 for 1–8. Its index is `rank * 8 + file` for every
/// board size.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(u8);

/// Error for a text that names no square.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("“{0}” is not a square: a square is a letter a–h and a digit 1–8")]
pub struct BadSquare(pub String);

impl Square {
    /// The square on `file` and `rank`, both 0..=7.
    #[inline]
    pub const fn new(file: u8, rank: u8) -> Self {
        assert!(file < 8 && rank < 8);
        Square(rank * 8 + file)
    }

    /// The square with an index 0..=63.
    #[inline]
    pub const fn at(index: usize) -> Self {
        assert!(index < 64);
        Square(index as u8)
    }

    /// File: 0 for a to 7 for h.
    #[inline]
    pub const fn file(self) -> u8 {
        self.0 & 7
    }

    /// Rank: 0 for 1 to 7 for 8.
    #[inline]
    pub const fn rank(self) -> u8 {
        self.0 >> 3
    }

    /// Index: `rank * 8 + file`, below 64.
    #[inline]
    pub const fn index(self) -> usize {
        (self.0 & 63) as usize
    }

    /// The set of this square alone.
    pub const fn set(self) -> Squares {
        Squares(1 << (self.0 & 63))
    }

    /// True if the square is dark, as a1 is.
    pub const fn dark(self) -> bool {
        (self.file() + self.rank()).is_multiple_of(2)
    }

    /// The square `dx` files right and `dy` ranks up, if it is on a board of `size`.
    pub fn step(self, dx: i8, dy: i8, size: Size) -> Option<Square> {
        let (x, y) = (self.file() as i8 + dx, self.rank() as i8 + dy);
        let inside = (0..size.width as i8).contains(&x) && (0..size.height as i8).contains(&y);
        inside.then(|| Square::new(x as u8, y as u8))
    }

    /// The squares around this one on a board of `size`.
    pub fn neighbours(self, size: Size) -> Squares {
        let steps = (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (dx, dy))).filter(|step| *step != (0, 0));
        steps.filter_map(|(dx, dy)| self.step(dx, dy, size)).collect()
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.file()) as char, self.rank() + 1)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Square {
    type Err = BadSquare;
    fn from_str(text: &str) -> Result<Self, BadSquare> {
        match text.as_bytes() {
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Ok(Square::new(file - b'a', rank - b'1')),
            _ => Err(BadSquare(text.to_owned())),
        }
    }
}

/// A set of squares, one bit each. Iterates from a1 upwards.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Squares(pub u64);

impl Squares {
    /// The empty set.
    pub const EMPTY: Squares = Squares(0);

    /// All squares of a rank 0..=7.
    pub const fn rank(rank: u8) -> Self {
        Squares(0xff << (8 * rank))
    }

    /// Number of squares in the set.
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// True if the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// True if the set contains `square`.
    pub const fn has(self, square: Square) -> bool {
        self.0 & square.set().0 != 0
    }

    /// The square of a set with exactly one.
    pub fn only(self) -> Option<Square> {
        (self.0 != 0 && self.0 & (self.0 - 1) == 0).then(|| Square(self.0.trailing_zeros() as u8))
    }

    /// The lowest square.
    pub fn first(self) -> Option<Square> {
        (self.0 != 0).then(|| Square(self.0.trailing_zeros() as u8))
    }
}

impl Iterator for Squares {
    type Item = Square;
    #[inline]
    fn next(&mut self) -> Option<Square> {
        if self.0 == 0 {
            return None;
        }
        let square = Square(self.0.trailing_zeros() as u8);
        self.0 &= self.0 - 1;
        Some(square)
    }
}

impl FromIterator<Square> for Squares {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Squares::EMPTY, |set, square| set | square.set())
    }
}

macro_rules! set_operation {
    ($($operation:ident $method:ident $assign:ident $assign_method:ident $symbol:tt),*) => {$(
        impl std::ops::$operation for Squares {
            type Output = Squares;
            #[inline]
            fn $method(self, other: Squares) -> Squares { Squares(self.0 $symbol other.0) }
        }
        impl std::ops::$assign for Squares {
            #[inline]
            fn $assign_method(&mut self, other: Squares) { self.0 = self.0 $symbol other.0 }
        }
    )*};
}
set_operation!(BitAnd bitand BitAndAssign bitand_assign &, BitOr bitor BitOrAssign bitor_assign |, BitXor bitxor BitXorAssign bitxor_assign ^);

impl std::ops::Not for Squares {
    type Output = Squares;
    #[inline]
    fn not(self) -> Squares {
        Squares(!self.0)
    }
}

impl fmt::Debug for Squares {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

/// Size of a board: 1 to 8 files by 1 to 8 ranks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Size {
    width: u8,
    height: u8,
}

impl Size {
    /// The orthodox board, 8×8.
    pub const ORTHODOX: Size = Size { width: 8, height: 8 };

    /// A board of `width` files and `height` ranks; `None` unless both are 1..=8.
    pub const fn new(width: u8, height: u8) -> Option<Size> {
        if width >= 1 && width <= 8 && height >= 1 && height <= 8 { Some(Size { width, height }) } else { None }
    }

    /// Number of files.
    #[inline]
    pub const fn width(self) -> u8 {
        self.width
    }

    /// Number of ranks.
    #[inline]
    pub const fn height(self) -> u8 {
        self.height
    }

    /// All squares of the board.
    pub fn squares(self) -> Squares {
        let row = (1u64 << self.width) - 1;
        Squares((0..self.height).fold(0, |set, rank| set | row << (8 * rank)))
    }

    /// The `n`th rank, from 0, from the point of view of `color`.
    pub const fn rank_of(self, color: Color, n: u8) -> u8 {
        match color {
            Color::White => n,
            Color::Black => self.height - 1 - n,
        }
    }

    /// The farthest rank of `color`, where its pawns promote.
    pub const fn last_rank(self, color: Color) -> Squares {
        Squares::rank(self.rank_of(color, self.height - 1))
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}×{}", self.width, self.height)
    }
}
