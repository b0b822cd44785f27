//! Solves a trio, and estimates the cost before it begins. A capture leaves bounds of four pieces, from their tables on the ordinary board, or from the
//! solver of small boards.

use std::convert::Infallible;

use super::{
    files::FiveTable,
    index::{FiveNumbering, FivePieceMaterial, square},
    move_generation::FiveWalk,
};
use crate::{
    board::{Color, Piece, Position, Size, Square, orthodox::KING},
    four_piece::{BoundTable, FourProgress, FourTable, NormalizedPosition, ONE, StateSpace, TAKEN, columns, draw},
    move_graph::rules,
    research::small_boards::SmallTables,
};

/// The room that all lists may take, in places of four bytes: so much for a place of the table, and never more than this.
const ROOM_OF_ONE: usize = 16;
const MOST_ROOM: usize = 1 << 30;

/// The room that lists may take for a table, in places of four bytes.
fn room(places: usize) -> usize {
    (ROOM_OF_ONE * places).min(MOST_ROOM)
}

/// Tells every place of four pieces with their bounds, or with what lies between these.
fn fill(walk: &FiveWalk, size: Size, aside: &CaptureBounds<'_>, which: usize, tell: &mut dyn FnMut(usize, [u64; 2])) {
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

/// Solves a trio on a board.
pub fn solve_five(
    trio: FivePieceMaterial,
    size: Size,
    aside: &CaptureBounds<'_>,
    progress: &mut dyn FnMut(FourProgress),
) -> FiveTable {
    let walk = FiveWalk::new(trio, size);
    let fence = BoundTable::new(&walk, room(walk.len()));
    fence.set(walk.won(Color::White), [ONE; 2]);
    fence.set(walk.won(Color::Black), [0; 2]);
    fill(&walk, size, aside, 0, &mut |place, bounds| fence.set(place, bounds));
    draw(&fence, progress);
    let between = || -> Result<(), Infallible> {
        fill(&walk, size, aside, 1, &mut |place, bounds| fence.set(place, bounds));
        Ok(())
    };
    let Ok(columns) = columns(&fence, between);
    FiveTable { trio, size, columns }
}

/// The bytes of a place in memory: two bounds while it is solved, then what is written and a label.
const PLACE: u64 = 16 + 10 + 1;
/// The bytes of a place in the file, and of one whose bounds stay apart.
const STORED: u64 = 10;
const WIDE: u64 = 28;
/// The bytes of a wide position in memory while what lies between its bounds is found, beside its moves.
const HELD: u64 = 64;
/// Seconds of one processor for a million moves, as was measured: little where the play is sharp, much where both sides wait.
const SECONDS: [f64; 2] = [0.1, 0.6];

/// What solving a trio costs.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FiveCost {
    /// The positions, up to the symmetries of the board and the order of like pieces.
    pub positions: usize,
    /// The bytes of memory at most: if no position has α < β, and if all have.
    pub memory: [u64; 2],
    /// The bytes of the file, in the same way.
    pub disk: [u64; 2],
    /// The moves of all positions, about.
    pub moves: u64,
    /// Seconds of one processor, from and to about.
    pub seconds: [f64; 2],
}

impl FiveCost {
    /// Of a trio on a board.
    pub fn of(trio: FivePieceMaterial, size: Size) -> FiveCost {
        let walk = FiveWalk::new(trio, size);
        let places = walk.len();
        // Of the places that are taken together every some hundredth is looked at.
        let blocks = places.div_ceil(TAKEN);
        let step = (blocks / 64).max(1);
        let (mut seen, mut moves) = (0u64, 0u64);
        for block in (0..blocks).step_by(step) {
            let first = block * TAKEN;
            walk.each(first..(first + TAKEN).min(places), false, |_, stand| {
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

/// The number of positions.
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

/// The bounds of four pieces.
pub enum CaptureBounds<'t> {
    /// On the ordinary board: the tables that are needed.
    Tables(Vec<FourTable>),
    /// On a small board.
    Small(&'t SmallTables),
}

impl CaptureBounds<'_> {
    /// The bounds of a position, and what β is not below and α not above. White's king comes first.
    ///
    /// # Panics
    /// If it was not solved.
    pub(super) fn bounds(&self, kings: [Square; 2], pieces: [(Color, u8, Square); 2]) -> [[u64; 2]; 2] {
        match self {
            CaptureBounds::Tables(tables) => {
                let framed = NormalizedPosition::new(kings, pieces);
                let found = tables.iter().find(|table| table.pair == framed.pair);
                let table = found.unwrap_or_else(|| panic!("{} is asked for before it is solved", framed.pair));
                [table.bounds(framed), table.between(framed)]
            }
            CaptureBounds::Small(tables) => {
                let (board, mut position) = (rules(tables.size()), Position::EMPTY);
                let kings = Color::BOTH.into_iter().zip(kings).map(|(color, square)| (color, KING, square));
                for (color, kind, square) in kings.chain(pieces) {
                    position.put(board, square, Piece { color, kind });
                }
                let Some([low, alpha, beta, high]) = tables.enclosed(&position) else {
                    panic!("a position of four pieces is asked for before it is solved")
                };
                [[low, high], [beta, alpha]]
            }
        }
    }
}
