//! The board of Raumschach: a cube of five files, ranks and levels, with its pieces. It shares only colours and board
//! locations with the flat boards.

mod move_generation;
mod notation;
mod piece_type;

use std::{fmt, str::FromStr};

use super::square::{BadSquare, Color, Square};

pub use notation::{BadMove, START};
pub use piece_type::CubeKind;

/// Number of files, of ranks and of levels.
pub const SIDE: u8 = 5;
/// Number of cells.
const CELLS: usize = 125;

/// A cell of the cube: level 0..=4 for A–E, file 0..=4 for a–e, rank 0..=4 for 1–5.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CubeCell(u8);

/// Error for a text that names no cell.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("“{0}” is not a cell: a cell is a level A–E, a file a–e and a rank 1–5")]
pub struct BadCell(pub String);

impl CubeCell {
    /// The cell on a level, file and rank, each 0..=4.
    pub const fn new(level: u8, file: u8, rank: u8) -> CubeCell {
        assert!(level < SIDE && file < SIDE && rank < SIDE);
        CubeCell((level * SIDE + rank) * SIDE + file)
    }

    /// All cells, from Aa1 upwards: file by file, rank by rank, level by level.
    pub fn all() -> impl DoubleEndedIterator<Item = CubeCell> {
        (0..CELLS as u8).map(CubeCell)
    }

    /// Level: 0 for A to 4 for E.
    pub const fn level(self) -> u8 {
        self.0 / (SIDE * SIDE)
    }

    /// File: 0 for a to 4 for e.
    pub const fn file(self) -> u8 {
        self.0 % SIDE
    }

    /// Rank: 0 for 1 to 4 for 5.
    pub const fn rank(self) -> u8 {
        self.0 / SIDE % SIDE
    }

    /// Index of the cell in [`CubeCell::all`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The cell at a distance in files, ranks and levels, if it is in the cube.
    pub fn step(self, [files, ranks, levels]: [i8; 3]) -> Option<CubeCell> {
        let along = |at: u8, by: i8| at.checked_add_signed(by).filter(|at| *at < SIDE);
        Some(CubeCell::new(along(self.level(), levels)?, along(self.file(), files)?, along(self.rank(), ranks)?))
    }

    /// The set of this cell alone.
    const fn bit(self) -> u128 {
        1 << self.0
    }
}

impl fmt::Display for CubeCell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (level, file) = (char::from(b'A' + self.level()), char::from(b'a' + self.file()));
        write!(f, "{level}{file}{}", self.rank() + 1)
    }
}

impl fmt::Debug for CubeCell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for CubeCell {
    type Err = BadCell;
    fn from_str(text: &str) -> Result<Self, BadCell> {
        match text.as_bytes() {
            [level @ b'A'..=b'E', file @ b'a'..=b'e', rank @ b'1'..=b'5'] => {
                Ok(CubeCell::new(level - b'A', file - b'a', rank - b'1'))
            }
            _ => Err(BadCell(text.to_owned())),
        }
    }
}

/// A piece with its colour.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct CubePiece {
    /// Its piece type.
    pub kind: CubeKind,
    /// Its colour.
    pub color: Color,
}

/// A move from one cell to another.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct CubeMove {
    /// The origin.
    pub from: CubeCell,
    /// The target.
    pub to: CubeCell,
    /// The promotion piece.
    pub promotion: Option<CubeKind>,
}

/// Placement, side to move and counters. There is exactly one king of each colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CubePosition {
    cells: [Option<CubePiece>; CELLS],
    units: [u128; 2],
    kings: [CubeCell; 2],
    key: u64,
    /// The side to move.
    pub turn: Color,
    /// Plies since the last capture or pawn move.
    pub halfmove: u16,
    /// Number of the full move, from 1.
    pub fullmove: u16,
}

impl CubePosition {
    /// A position of two kings with White to move.
    fn of_kings(kings: [CubeCell; 2]) -> CubePosition {
        let mut position = CubePosition {
            cells: [None; CELLS],
            units: [0; 2],
            kings,
            key: 0,
            turn: Color::White,
            halfmove: 0,
            fullmove: 1,
        };
        for color in Color::BOTH {
            position.put(kings[color.index()], CubePiece { kind: CubeKind::King, color });
        }
        position
    }

    /// The piece on a cell.
    pub fn piece(&self, cell: CubeCell) -> Option<CubePiece> {
        self.cells[cell.index()]
    }

    /// Cells of a colour's pieces, from Aa1 upwards.
    pub fn of(&self, color: Color) -> impl Iterator<Item = CubeCell> + use<> {
        cells(self.units[color.index()])
    }

    /// All pieces with their cells, from Aa1 upwards.
    pub fn pieces(&self) -> impl Iterator<Item = (CubeCell, CubePiece)> + '_ {
        cells(self.units[0] | self.units[1]).filter_map(|cell| Some((cell, self.piece(cell)?)))
    }

    /// Cell of the king.
    pub fn king(&self, color: Color) -> CubeCell {
        self.kings[color.index()]
    }

    /// True if a side has only its king.
    pub fn bare(&self, color: Color) -> bool {
        self.units[color.index()] == self.king(color).bit()
    }

    /// Hash of the position without its counters.
    pub fn key(&self) -> u64 {
        match self.turn {
            Color::White => self.key,
            Color::Black => !self.key,
        }
    }

    /// True if the positions are equal except for the counters.
    pub fn repeats(&self, other: &CubePosition) -> bool {
        self.key() == other.key() && self.turn == other.turn && self.cells == other.cells
    }

    /// The same position with the other player to move.
    #[must_use]
    pub fn passed(mut self) -> CubePosition {
        self.turn = !self.turn;
        self
    }

    fn put(&mut self, cell: CubeCell, piece: CubePiece) {
        self.take(cell);
        self.cells[cell.index()] = Some(piece);
        self.units[piece.color.index()] |= cell.bit();
        self.key ^= number(cell, piece);
        if piece.kind == CubeKind::King {
            self.kings[piece.color.index()] = cell;
        }
    }

    fn take(&mut self, cell: CubeCell) -> Option<CubePiece> {
        let piece = self.cells[cell.index()].take()?;
        self.units[piece.color.index()] &= !cell.bit();
        self.key ^= number(cell, piece);
        Some(piece)
    }
}

/// Iterates over the cells of a set.
fn cells(mut set: u128) -> impl Iterator<Item = CubeCell> {
    std::iter::from_fn(move || {
        let cell = (set != 0).then(|| CubeCell(set.trailing_zeros() as u8))?;
        set &= set - 1;
        Some(cell)
    })
}

/// Contribution of a piece on a cell to the hash, by the finalizer of SplitMix64.
fn number(cell: CubeCell, piece: CubePiece) -> u64 {
    let place = (piece.kind as u64 * 2 + piece.color as u64) * CELLS as u64 + cell.0 as u64 + 1;
    let mixed = place.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// A square of a displayed board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BoardLocation {
    /// Level, 0 for A; `None` on a flat board.
    pub level: Option<u8>,
    /// Square on that level.
    pub square: Square,
}

impl BoardLocation {
    /// Converts squares or cells.
    pub fn each(squares: impl IntoIterator<Item = impl Into<BoardLocation>>) -> Vec<BoardLocation> {
        squares.into_iter().map(Into::into).collect()
    }

    /// True if it is dark. In a cube, cells that share a face have different colours.
    pub const fn dark(self) -> bool {
        match self.level {
            Some(level) => self.square.dark() == level.is_multiple_of(2),
            None => self.square.dark(),
        }
    }

    /// Letter of a level.
    pub const fn letter(level: u8) -> char {
        (b'A' + level) as char
    }
}

impl From<Square> for BoardLocation {
    fn from(square: Square) -> BoardLocation {
        BoardLocation { level: None, square }
    }
}

impl From<CubeCell> for BoardLocation {
    fn from(cell: CubeCell) -> BoardLocation {
        BoardLocation { level: Some(cell.level()), square: Square::new(cell.file(), cell.rank()) }
    }
}

impl fmt::Display for BoardLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.level.map_or(Ok(()), |level| write!(f, "{}", BoardLocation::letter(level)))?;
        self.square.fmt(f)
    }
}

impl fmt::Debug for BoardLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for BoardLocation {
    type Err = BadSquare;
    fn from_str(text: &str) -> Result<Self, BadSquare> {
        match text.parse::<CubeCell>() {
            Ok(cell) => Ok(cell.into()),
            Err(_) => text.parse().map(Square::into),
        }
    }
}
