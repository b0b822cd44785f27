//! A place on a drawn board: a square of a flat one, or of one level of several.

use std::{fmt, str::FromStr};

use super::{
    space::CubeCell,
    square::{BadSquare, Square},
};

/// A place on a drawn board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Locus {
    /// The level, 0 for A, on a board of several.
    pub level: Option<u8>,
    /// The square on it.
    pub square: Square,
}

impl Locus {
    /// The spots of some squares.
    pub fn each(squares: impl IntoIterator<Item = impl Into<Locus>>) -> Vec<Locus> {
        squares.into_iter().map(Into::into).collect()
    }

    /// Tells whether it is dark: in a cube the cells above and below a cell are of the other colour, as those beside it are.
    pub const fn dark(self) -> bool {
        match self.level {
            Some(level) => self.square.dark() == level.is_multiple_of(2),
            None => self.square.dark(),
        }
    }

    /// The letter of a level.
    pub const fn letter(level: u8) -> char {
        (b'A' + level) as char
    }
}

impl From<Square> for Locus {
    fn from(square: Square) -> Locus {
        Locus { level: None, square }
    }
}

impl From<CubeCell> for Locus {
    fn from(cell: CubeCell) -> Locus {
        Locus { level: Some(cell.level()), square: Square::new(cell.file(), cell.rank()) }
    }
}

impl fmt::Display for Locus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.level.map_or(Ok(()), |level| write!(f, "{}", Locus::letter(level)))?;
        self.square.fmt(f)
    }
}

impl fmt::Debug for Locus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Locus {
    type Err = BadSquare;
    fn from_str(text: &str) -> Result<Self, BadSquare> {
        match text.parse::<CubeCell>() {
            Ok(cell) => Ok(cell.into()),
            Err(_) => text.parse().map(Square::into),
        }
    }
}
