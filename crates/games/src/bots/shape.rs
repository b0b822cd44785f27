//! The structure of pawns.

use super::values::{Stages, Values};
use crate::board::{Color, Square, Squares};

/// The squares of the a-file.
const EDGE: u64 = 0x0101_0101_0101_0101;

/// All squares that pawns of a side guard.
pub(super) fn pawns_guard(color: Color, pawns: Squares) -> Squares {
    let (left, right) = (pawns.0 & !EDGE, pawns.0 & !(EDGE << 7));
    Squares(match color {
        Color::White => left << 7 | right << 9,
        Color::Black => left >> 9 | right >> 7,
    })
}

/// The squares of a file and of those beside it.
pub(super) fn files_about(file: u8) -> Squares {
    beside(file) | file_of(file)
}

/// The squares of a file.
pub(super) fn file_of(file: u8) -> Squares {
    Squares(EDGE << file)
}

fn beside(file: u8) -> Squares {
    let left = if file > 0 { EDGE << (file - 1) } else { 0 };
    let right = if file < 7 { EDGE << (file + 1) } else { 0 };
    Squares(left | right)
}

/// All squares of the ranks before a rank, as a side sees them.
pub(super) fn ranks_before(color: Color, rank: u8) -> Squares {
    Squares(match color {
        Color::White if rank == 7 => 0,
        Color::White => u64::MAX << (8 * (rank + 1)),
        Color::Black => (1 << (8 * rank)) - 1,
    })
}

/// The steps of a king from one square to another.
pub(super) fn steps(from: Square, to: Square) -> i32 {
    i32::from(from.file().abs_diff(to.file()).max(from.rank().abs_diff(to.rank())))
}

/// What the structure of a side's pawns is worth to it.
#[derive(Clone, Copy, Default)]
pub(super) struct Shape {
    /// Their worth but for what their places are worth by themselves.
    pub(super) worth: Stages,
    /// The pawns that no pawn can stop.
    pub(super) passed: Squares,
}

impl Shape {
    /// Looks at the pawns of a side.
    pub(super) fn of(values: &Values, color: Color, own: Squares, hostile: Squares) -> Shape {
        let mut shape = Shape::default();
        let guards = pawns_guard(color, own);
        let threats = pawns_guard(!color, hostile);
        let mut add = |pair: Stages| shape.worth = [shape.worth[0] + pair[0], shape.worth[1] + pair[1]];
        for square in own {
            let (file, rank) = (square.file(), square.rank());
            let before = ranks_before(color, rank);
            let height = usize::from(if color == Color::White { rank } else { 7 - rank });
            let neighbours = own & beside(file);
            let leads = (own & file_of(file) & before).is_empty();
            if leads && (hostile & files_about(file) & before).is_empty() {
                add(values.passed[height]);
                shape.passed |= square.set();
            }
            if !leads {
                add(values.doubled);
            }
            if neighbours.is_empty() {
                add(values.isolated);
            } else if guards.has(square) {
                add(values.guarded[height]);
            } else if !(neighbours & Squares::rank(rank)).is_empty() {
                add(values.phalanx[height]);
            } else if (neighbours & !before).is_empty() && threats.has(ahead(color, square)) {
                add(values.backward);
            }
        }
        shape
    }
}

/// The square before a pawn.
pub(super) fn ahead(color: Color, square: Square) -> Square {
    Square::at(if color == Color::White { square.index() + 8 } else { square.index() - 8 })
}
