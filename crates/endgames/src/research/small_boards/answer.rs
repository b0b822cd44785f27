//! Answers for positions of four pieces on small boards, from bounds that are computed on demand.

use super::tables::SmallTables;
use crate::{
    answer::Answer,
    board::{Color, Position, orthodox},
    bounded_answer::BoundedAnswer,
    four_piece::bounded,
    position_query::{Question, TableCoverage},
    solve::covers,
    table::Table,
};

/// Number of squares up to which a board is solved on demand.
const MAX_SQUARES: u8 = 18;
/// Number of pieces of the positions solved on demand, kings included.
const PIECES: usize = 4;

impl SmallTables {
    /// Bounds of all positions of the board of a table with up to four pieces, and where α = β; `None` if the bounds do not converge. Takes one to five
    /// seconds of one processor with 16 to 18 squares.
    pub(crate) fn of_four(table: &Table) -> Option<SmallTables> {
        let mut tables = SmallTables::new(table.size());
        while tables.pieces() < PIECES {
            tables.grow(1, Some(table), &|_| ()).ok()?;
        }
        // Only more pieces would need the moves.
        tables.known.values_mut().for_each(|solved| solved.candidates = None);
        Some(tables)
    }
}

impl Question {
    /// Returns whether the position has four pieces on a board of at most 18 squares. Every table of such a board covers it.
    pub fn is_of_small_board(&self) -> bool {
        let kings = Color::BOTH.map(|color| self.position.of_kind(color, orthodox::KING).len());
        self.size.width() * self.size.height() <= MAX_SQUARES
            && covers(self.size)
            && matches!(self.coverage, TableCoverage::Uncovered(_))
            && !self.castling
            && usize::try_from(self.position.occupied().len()) == Ok(PIECES)
            && kings == [1, 1]
    }

    /// Answer for a position of four pieces on a small board with its bounds. `None` for any other position. The first answer solves the board; see
    /// [`Table::solve_small_board`].
    ///
    /// Panics if `table` belongs to another board.
    pub fn of_small_board(&self, table: &Table) -> Option<(Answer, BoundedAnswer)> {
        assert_eq!(self.size, table.size(), "the table belongs to another board");
        if !self.is_of_small_board() {
            return None;
        }
        let small = table.small_board()?;
        let bounds = |position: &Position| {
            let [alpha_low, alpha_high, beta_low, beta_high] = small.enclosed(position)?.map(i128::from);
            Some([[alpha_low, alpha_high], [beta_low, beta_high]])
        };
        // Only files can fail.
        let (answer, enclosed) = bounded(self, table, &mut |position| Ok(bounds(position))).ok().flatten()?;
        let sharp = small.sharp(&self.position);
        Some((Answer { sharp, ..answer }, BoundedAnswer { sharp, ..enclosed }))
    }
}
