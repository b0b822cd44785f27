//! The piece types of the cube, and the cells that each reaches on an empty cube, computed once.

use std::sync::LazyLock;

use super::{CELLS, CubeCell};
use crate::square::Color;

/// A kind of piece.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CubeKind {
    /// Steps or climbs.
    Pawn,
    /// Leaps two along one axis and one along another.
    Knight,
    /// Slides along two axes alike.
    Bishop,
    /// Slides along all three axes alike.
    Unicorn,
    /// Slides along one axis.
    Rook,
    /// Slides as rook, bishop and unicorn.
    Queen,
    /// Steps to any cell beside its own, and is mated.
    King,
}

impl CubeKind {
    /// All kinds.
    pub const ALL: [CubeKind; 7] = [
        CubeKind::Pawn,
        CubeKind::Knight,
        CubeKind::Bishop,
        CubeKind::Unicorn,
        CubeKind::Rook,
        CubeKind::Queen,
        CubeKind::King,
    ];
    /// The kinds that a pawn may become, the strongest first.
    pub const PROMOTIONS: [CubeKind; 5] =
        [CubeKind::Queen, CubeKind::Rook, CubeKind::Knight, CubeKind::Bishop, CubeKind::Unicorn];

    /// The name in words.
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

    /// The capital letter in positions and on score sheets.
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

    /// The kind of a capital letter.
    pub fn of_letter(letter: char) -> Option<CubeKind> {
        CubeKind::ALL.into_iter().find(|kind| kind.letter() == letter)
    }

    /// Its rough worth in hundredths of a pawn, by the cells that it reaches on average of a cube of which a third is taken; the king,
    /// who is never lost, has none. Maack puts the kinds in the same order.
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

    /// Its moves in a sentence.
    pub const fn words(self) -> &'static str {
        match self {
            CubeKind::Pawn => {
                "Steps one rank forward or one level towards the enemy, and captures where it would come with two such steps, or with one and a step to the side."
            }
            CubeKind::Knight => "Leaps two cells along one axis and one along another.",
            CubeKind::Bishop => "Slides along two axes alike: through the edges of cells.",
            CubeKind::Unicorn => "Slides along all three axes alike: through the corners of cells.",
            CubeKind::Rook => "Slides along one axis: a file, a rank or straight up and down.",
            CubeKind::Queen => "Slides as rook, bishop and unicorn do.",
            CubeKind::King => "Steps to any of the cells around it.",
        }
    }

    /// The number of cells that a white piece of this kind reaches from a cell of an empty cube.
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

/// The number of directions: along one axis, along two, along three.
pub(super) const DIRECTIONS: usize = 26;

/// What is known of the empty cube.
pub(super) struct Tables {
    /// From each cell, in each direction, the cells in their order.
    pub(super) rays: Vec<[Vec<CubeCell>; DIRECTIONS]>,
    /// The leaps of a knight from each cell.
    pub(super) leaps: Vec<Vec<CubeCell>>,
    /// The quiet steps of each colour's pawn from each cell.
    pub(super) steps: [Vec<Vec<CubeCell>>; 2],
    /// The cells where each colour's pawn captures, from each cell.
    pub(super) takes: [Vec<Vec<CubeCell>>; 2],
    /// By two cells, whether a line leads from one to the other.
    lines: Vec<u128>,
}

/// What is known of the empty cube.
pub(super) static TABLES: LazyLock<Tables> = LazyLock::new(Tables::new);

/// The quiet steps of White's pawn, as files, ranks and levels.
const STEPS: [[i8; 3]; 2] = [[0, 1, 0], [0, 0, 1]];
/// Where it captures.
const TAKES: [[i8; 3]; 5] = [[-1, 1, 0], [1, 1, 0], [-1, 0, 1], [1, 0, 1], [0, 1, 1]];

/// All offsets of at most so many cells along each axis.
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

    /// Tells whether two cells stand on one line.
    pub(super) fn aligned(&self, one: CubeCell, other: CubeCell) -> bool {
        self.lines[one.index()] & other.bit() != 0
    }

    /// The directions of a piece that slides, or of the king; none for others.
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

/// Tells whether a knight goes so far: no cell along one axis, one along another, two along the third.
fn leap(by: [i8; 3]) -> bool {
    let mut far = by.map(i8::abs);
    far.sort_unstable();
    far == [0, 1, 2]
}

/// The cells on which a pawn of a colour becomes something: the far edge of the enemy’s first rank.
pub(super) fn promotes(color: Color, cell: CubeCell) -> bool {
    match color {
        Color::White => cell.level() == super::SIDE - 1 && cell.rank() == super::SIDE - 1,
        Color::Black => cell.level() == 0 && cell.rank() == 0,
    }
}

const _: () = assert!(CELLS < u128::BITS as usize);
