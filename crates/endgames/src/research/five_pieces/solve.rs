//! Solving a trio.

use std::convert::Infallible;

use super::{aside::Aside, file::FiveTable, numbering::square, trio::Trio, walk::FiveWalk};
use crate::{
    board::{Color, Size},
    four::{Fence, FourProgress, Ground, ONE, columns, draw},
};

/// The room that all lists may take, in places of four bytes: so much for a place of the table, and never more than this.
const ROOM_OF_ONE: usize = 16;
const MOST_ROOM: usize = 1 << 30;

/// The room that lists may take for a table, in places of four bytes.
pub(super) fn room(places: usize) -> usize {
    (ROOM_OF_ONE * places).min(MOST_ROOM)
}

/// Tells every place of four pieces with their bounds, or with what lies between these.
fn fill(walk: &FiveWalk, size: Size, aside: &Aside<'_>, which: usize, tell: &mut dyn FnMut(usize, [u64; 2])) {
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
pub fn solve_five(trio: Trio, size: Size, aside: &Aside<'_>, progress: &mut dyn FnMut(FourProgress)) -> FiveTable {
    let walk = FiveWalk::new(trio, size);
    let fence = Fence::new(&walk, room(walk.len()));
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
