//! Solves one material of five pieces, and estimates the cost beforehand. Captures lead to bounds of four pieces: from their tables on the 8x8 board,
//! or from the solver of small boards.

use std::convert::Infallible;

use super::{
    files::FiveTable,
    index::{FiveNumbering, FivePieceMaterial, square},
    move_generation::FiveMoveGenerator,
};
use crate::{
    board::{Color, Piece, Position, Size, Square, orthodox::KING},
    four_piece::{
        BLOCK_SIZE, BoundTable, FourProgress, FourTable, NormalizedPosition, ONE, StateSpace, columns, tighten,
    },
    move_graph::rules,
    research::small_boards::SmallTables,
};

/// Memory for all lists, in words of four bytes: the amount per index, and the maximum.
const ROOM_OF_ONE: usize = 16;
const MOST_ROOM: usize = 1 << 30;

/// Memory for the lists of a table, in words of four bytes.
fn room(places: usize) -> usize {
    (ROOM_OF_ONE * places).min(MOST_ROOM)
}

/// Passes the bounds of every four-piece position to `tell`: the outer ones if `which` is 0, the inner ones if it is 1.
fn fill(
    walk: &FiveMoveGenerator,
    size: Size,
    aside: &CaptureBounds<'_>,
    which: usize,
    tell: &mut dyn FnMut(usize, [u64; 2]),
) {
    let squares = walk.numbering.squares;
    let at = |number: usize| square(size, number);
    for lost in (0..3).filter(|lost| walk.same[*lost] == *lost) {
        let [one, two] = walk.trio.left(lost);
        for king in walk.numbering.turns.kings().iter().copied() {
            for bare in (0..squares).filter(|bare| *bare != king) {
                for first in (0..squares).filter(|first| *first != king && *first != bare) {
                    for second in (0..squares).filter(|second| ![king, bare, first].contains(second)) {
                        let pieces = [(one.0, one.1, at(first)), (two.0, two.1, at(second))];
                        let bounds = aside.bounds([at(king), at(bare)], pieces)[which];
                        tell(walk.left(lost, king, bare, [first, second]), bounds);
                    }
                }
            }
        }
    }
}

/// Solves a material on a board. `aside` has the bounds of the four-piece positions.
pub fn solve_five(
    trio: FivePieceMaterial,
    size: Size,
    aside: &CaptureBounds<'_>,
    progress: &mut dyn FnMut(FourProgress),
) -> FiveTable {
    let walk = FiveMoveGenerator::new(trio, size);
    let fence = BoundTable::new(&walk, room(walk.len()));
    fence.set(walk.won(Color::White), [ONE; 2]);
    fence.set(walk.won(Color::Black), [0; 2]);
    fill(&walk, size, aside, 0, &mut |place, bounds| fence.set(place, bounds));
    tighten(&fence, progress);
    let between = || -> Result<(), Infallible> {
        fill(&walk, size, aside, 1, &mut |place, bounds| fence.set(place, bounds));
        Ok(())
    };
    let Ok(columns) = columns(&fence, between);
    FiveTable { trio, size, columns }
}

/// Bytes of memory per index: two bounds during solving, then the output and a label.
const PLACE: u64 = 16 + 10 + 1;
/// Bytes per index in the file, and per entry for wide bounds.
const STORED: u64 = 10;
const WIDE: u64 = 28;
/// Bytes of memory per position with wide bounds during the search for its inner bounds, besides its moves.
const HELD: u64 = 64;
/// Measured seconds of one processor per million moves: few if most positions are sharp, many if both sides often wait.
const SECONDS: [f64; 2] = [0.1, 0.6];

/// Estimated cost of solving a material.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FiveCost {
    /// Number of positions with White's king on a canonical square, and with one order of identical pieces.
    pub positions: usize,
    /// Maximum memory in bytes: if no position has α < β, and if all have.
    pub memory: [u64; 2],
    /// File size in bytes, for the same two cases.
    pub disk: [u64; 2],
    /// Approximate number of moves in all positions.
    pub moves: u64,
    /// Approximate time in seconds of one processor: minimum and maximum.
    pub seconds: [f64; 2],
}

impl FiveCost {
    /// Estimates the cost of a material on a board.
    pub fn of(trio: FivePieceMaterial, size: Size) -> FiveCost {
        let walk = FiveMoveGenerator::new(trio, size);
        let places = walk.len();
        // Counts the moves in a sample of about 64 blocks.
        let blocks = places.div_ceil(BLOCK_SIZE);
        let step = (blocks / 64).max(1);
        let (mut seen, mut moves) = (0u64, 0u64);
        for block in (0..blocks).step_by(step) {
            let first = block * BLOCK_SIZE;
            walk.each(first..(first + BLOCK_SIZE).min(places), false, |_, stand| {
                seen += 1;
                for mover in Color::BOTH {
                    walk.options(mover, stand, |_| moves += 1);
                }
            });
        }
        let positions = positions(&walk.numbering, trio);
        let moves = (positions as u128 * u128::from(moves) / u128::from(seen.max(1))) as u64;
        let (stored, held) = (STORED * places as u64, PLACE * walk.all() as u64);
        let (lists, wide) = (4 * room(places) as u64, HELD * positions as u64 + 4 * moves);
        FiveCost {
            positions,
            memory: [held + lists, held + lists.max(wide)],
            disk: [stored, stored + WIDE * positions as u64],
            moves,
            seconds: SECONDS.map(|million| moves as f64 / 1e6 * million),
        }
    }
}

/// Number of positions.
fn positions(numbering: &FiveNumbering, trio: FivePieceMaterial) -> usize {
    let squares = numbering.squares;
    let [first, second, third] = trio.kinds;
    let orders = match (first == second, trio.together && second == third) {
        (true, true) => 6,
        (false, false) => 1,
        (_, _) => 2,
    };
    let men: usize = (2..5).map(|less| squares - less).product();
    numbering.turns.kings().len() * (squares - 1) * men / orders
}

/// Source of the bounds of four pieces.
pub enum CaptureBounds<'t> {
    /// The needed tables of the 8x8 board.
    Tables(Vec<FourTable>),
    /// Tables of a small board.
    Small(&'t SmallTables),
}

impl CaptureBounds<'_> {
    /// Outer bounds of a position (of α from below, of β from above) and inner ones (of β from below, of α from above). White's king comes first.
    ///
    /// # Panics
    /// If the position has not been solved.
    pub(super) fn bounds(&self, kings: [Square; 2], pieces: [(Color, u8, Square); 2]) -> [[u64; 2]; 2] {
        match self {
            CaptureBounds::Tables(tables) => {
                let framed = NormalizedPosition::new(kings, pieces);
                let found = tables.iter().find(|table| table.pair == framed.pair);
                let table = found.unwrap_or_else(|| panic!("{} must be solved first", framed.pair));
                [table.bounds(framed), table.between(framed)]
            }
            CaptureBounds::Small(tables) => {
                let (board, mut position) = (rules(tables.size()), Position::EMPTY);
                let kings = Color::BOTH.into_iter().zip(kings).map(|(color, square)| (color, KING, square));
                for (color, kind, square) in kings.chain(pieces) {
                    position.put(board, square, Piece { color, kind });
                }
                let Some([low, alpha, beta, high]) = tables.enclosed(&position) else {
                    panic!("four pieces must be solved first")
                };
                [[low, high], [beta, alpha]]
            }
        }
    }
}
