//! Piece types of the cube, and precomputed targets on an empty cube.

use std::sync::LazyLock;

use super::{CELLS, CubeCell};
use crate::square::Color;

/// A piece type of Raumschach.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CubeKind {
    /// Steps one rank or one level towards the opponent.
    Pawn,
    /// Leaps two along one axis and one along another.
    Knight,
    /// Slides diagonally along two axes.
    Bishop,
    /// Slides diagonally along all three axes.
    Unicorn,
    /// Slides along one axis.
    Rook,
    /// Combines rook, bishop and unicorn.
    Queen,
    /// Steps to any adjacent cell.
    King,
}

impl CubeKind {
    /// All piece types.
    pub const ALL: [CubeKind; 7] = [
        CubeKind::Pawn,
        CubeKind::Knight,
        CubeKind::Bishop,
        CubeKind::Unicorn,
        CubeKind::Rook,
        CubeKind::Queen,
        CubeKind::King,
    ];
    /// Promotion pieces, strongest first.
    pub const PROMOTIONS: [CubeKind; 5] =
        [CubeKind::Queen, CubeKind::Rook, CubeKind::Knight, CubeKind::Bishop, CubeKind::Unicorn];

    /// Name in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            CubeKind::Pawn => "pawn",
            CubeKind::Knight => "knight",
            CubeKind::Bishop => "bishop",
            CubeKind::Unicorn => "unicorn",
            CubeKind::Rook => "rook",
            CubeKind::Queen => "queen",
            CubeKind::King => "king",
        }
    }

    /// Capital letter in positions and moves.
    pub const fn letter(self) -> char {
        match self {
            CubeKind::Pawn => 'P',
            CubeKind::Knight => 'N',
            CubeKind::Bishop => 'B',
            CubeKind::Unicorn => 'U',
            CubeKind::Rook => 'R',
            CubeKind::Queen => 'Q',
            CubeKind::King => 'K',
        }
    }

    /// The piece type with this capital letter.
    pub fn of_letter(letter: char) -> Option<CubeKind> {
        CubeKind::ALL.into_iter().find(|kind| kind.letter() == letter)
    }

    /// Approximate value in hundredths of a pawn, from the average number of cells that the piece reaches in a cube
    /// with a third of the cells occupied. The king has value 0, since it is never lost. Maack ranks the pieces in the
    /// same order.
    pub const fn worth(self) -> i64 {
        match self {
            CubeKind::Pawn => 100,
            CubeKind::Knight => 460,
            CubeKind::Bishop => 470,
            CubeKind::Unicorn => 220,
            CubeKind::Rook => 350,
            CubeKind::Queen => 1_040,
            CubeKind::King => 0,
        }
    }

    /// Description of its moves.
    pub const fn words(self) -> &'static str {
        match self {
            CubeKind::Pawn => {
                "Steps one rank forward or one level towards the opponent. Captures with both steps at once, or with one of them and a step to the side."
            }
            CubeKind::Knight => "Leaps two cells along one axis and one along another.",
            CubeKind::Bishop => "Slides diagonally along two axes, through the edges of cells.",
            CubeKind::Unicorn => "Slides diagonally along all three axes, through the corners of cells.",
            CubeKind::Rook => "Slides along one axis: a file, a rank or straight up and down.",
            CubeKind::Queen => "Slides as a rook, bishop or unicorn.",
            CubeKind::King => "Steps to any of the cells around it.",
        }
    }

    /// Number of cells that a white piece reaches from a cell of an empty cube.
    pub fn reach(self, from: CubeCell) -> usize {
        let rays = &TABLES.rays[from.index()];
        match self {
            CubeKind::Pawn => TABLES.steps[0][from.index()].len(),
            CubeKind::Knight => TABLES.leaps[from.index()].len(),
            CubeKind::King => rays.iter().filter(|ray| !ray.is_empty()).count(),
            CubeKind::Bishop | CubeKind::Unicorn | CubeKind::Rook | CubeKind::Queen => {
                rays[Tables::directions(self)].iter().map(Vec::len).sum()
            }
        }
    }
}

/// Number of directions: 6 along one axis, 12 along two, 8 along three.
pub(super) const DIRECTIONS: usize = 26;

/// Precomputed targets on an empty cube.
pub(super) struct Tables {
    /// By cell and direction: the cells on the ray, nearest first.
    pub(super) rays: Vec<[Vec<CubeCell>; DIRECTIONS]>,
    /// By cell: a knight's targets.
    pub(super) leaps: Vec<Vec<CubeCell>>,
    /// By colour and cell: a pawn's quiet targets.
    pub(super) steps: [Vec<Vec<CubeCell>>; 2],
    /// By colour and cell: the cells that a pawn attacks.
    pub(super) takes: [Vec<Vec<CubeCell>>; 2],
    /// By cell: the set of cells on a line with it.
    lines: Vec<u128>,
}

pub(super) static TABLES: LazyLock<Tables> = LazyLock::new(Tables::new);

/// Quiet steps of a white pawn, as files, ranks and levels.
const STEPS: [[i8; 3]; 2] = [[0, 1, 0], [0, 0, 1]];
/// Captures of a white pawn.
const TAKES: [[i8; 3]; 5] = [[-1, 1, 0], [1, 1, 0], [-1, 0, 1], [1, 0, 1], [0, 1, 1]];

/// All offsets of at most `most` cells along each axis.
fn offsets(most: i8) -> impl Iterator<Item = [i8; 3]> {
    let axis = move || -most..=most;
    axis().flat_map(move |z| axis().flat_map(move |y| axis().map(move |x| [x, y, z])))
}

impl Tables {
    fn new() -> Tables {
        let along = |axes: usize| offsets(1).filter(move |by| by.iter().filter(|one| **one != 0).count() == axes);
        let directions: Vec<[i8; 3]> = along(1).chain(along(2)).chain(along(3)).collect();
        let ray = |from: CubeCell, by: [i8; 3]| std::iter::successors(from.step(by), |at| at.step(by)).collect();
        let rays: Vec<[Vec<CubeCell>; DIRECTIONS]> =
            CubeCell::all().map(|from| std::array::from_fn(|index| ray(from, directions[index]))).collect();
        let knight: Vec<[i8; 3]> = offsets(2).filter(|by| leap(*by)).collect();
        let from = |offsets: &[[i8; 3]]| -> Vec<Vec<CubeCell>> {
            CubeCell::all().map(|from| offsets.iter().filter_map(|by| from.step(*by)).collect()).collect()
        };
        let turned = |offsets: &[[i8; 3]]| -> Vec<[i8; 3]> { offsets.iter().map(|[x, y, z]| [*x, -y, -z]).collect() };
        let line = |rays: &[Vec<CubeCell>; DIRECTIONS]| rays.iter().flatten().fold(0, |set, cell| set | cell.bit());
        Tables {
            leaps: from(&knight),
            steps: [from(&STEPS), from(&turned(&STEPS))],
            takes: [from(&TAKES), from(&turned(&TAKES))],
            lines: rays.iter().map(line).collect(),
            rays,
        }
    }

    /// True if two cells are on one line.
    pub(super) fn aligned(&self, one: CubeCell, other: CubeCell) -> bool {
        self.lines[one.index()] & other.bit() != 0
    }

    /// Directions of a slider or king; empty for other pieces.
    pub(super) const fn directions(kind: CubeKind) -> std::ops::Range<usize> {
        match kind {
            CubeKind::Rook => 0..6,
            CubeKind::Bishop => 6..18,
            CubeKind::Unicorn => 18..26,
            CubeKind::Queen | CubeKind::King => 0..26,
            CubeKind::Pawn | CubeKind::Knight => 0..0,
        }
    }
}

/// True for a knight's leap: 0, 1 and 2 cells along the three axes in any order.
fn leap(by: [i8; 3]) -> bool {
    let mut far = by.map(i8::abs);
    far.sort_unstable();
    far == [0, 1, 2]
}

/// True if a pawn of this colour promotes on the cell: on the last rank of the last level.
pub(super) fn promotes(color: Color, cell: CubeCell) -> bool {
    match color {
        Color::White => cell.level() == super::SIDE - 1 && cell.rank() == super::SIDE - 1,
        Color::Black => cell.level() == 0 && cell.rank() == 0,
    }
}

const _: () = assert!(CELLS < u128::BITS as usize);
