//! Enclosures of the values of endgames with five pieces and no pawns, one material at a time, on the 8x8 board or a small one.
//!
//! Bounds are tightened and prove themselves as with four pieces (`four_piece.rs`). Positions that differ only by an exchange of identical pieces are
//! the same position. Captures lead to bounds of four pieces.

mod files;
mod index;
mod move_generation;
mod solve;

use crate::{
    answer::Answer,
    board::Size,
    bounded_answer::BoundedAnswer,
    four_piece::{FourFiles, WrongFile, bounded, thresholds_of},
    position_classes::AnswerSummary,
    position_query::{Question, TableCoverage},
    table::Table,
};

pub use files::{FiveFile, FiveFiles, FiveTable, file_of_five};
pub use index::{FiveNumbering, FivePieceMaterial, FivePiecePosition, UnknownTrio};
pub use solve::{CaptureBounds, FiveCost, solve_five};

impl Question {
    /// Returns whether a table of five pieces can cover the position, on this server or another.
    fn is_of_five(&self) -> bool {
        let beyond = matches!(self.coverage, TableCoverage::Uncovered(_)) && !self.castling;
        beyond && self.size == Size::ORTHODOX && FivePiecePosition::of(self.size, &self.position).is_some()
    }

    /// Returns whether a table file can cover the position, on this server or another.
    pub fn is_of_files(&self) -> bool {
        self.is_of_four() || self.is_of_five()
    }

    /// Returns whether the folder has the file for the position.
    pub fn has_file(&self, four: &FourFiles, five: &FiveFiles) -> bool {
        let of_four = self.pair().is_some_and(|pair| four.pairs().contains(&pair));
        of_four
            || self.is_of_five()
                && FivePiecePosition::of(self.size, &self.position).is_some_and(|quint| five.has(quint.trio))
    }

    /// Answer for a position of four or five pieces with its bounds. `None` if a file for it or for one of its moves is missing. `table` is the
    /// three-piece table of the 8x8 board.
    ///
    /// # Errors
    /// If a file cannot be used.
    pub fn of_files(
        &self,
        table: &Table,
        four: &FourFiles,
        five: &FiveFiles,
    ) -> Result<Option<(Answer, BoundedAnswer)>, WrongFile> {
        if self.is_of_five() { self.of_five(table, four, five) } else { self.of_four(table, four) }
    }

    /// Answer for a position of four or five pieces without its moves. `None` if a file for it or for one of its moves is missing.
    ///
    /// # Errors
    /// If a file cannot be used.
    pub fn bounded_summary(
        &self,
        table: &Table,
        four: &FourFiles,
        five: &FiveFiles,
    ) -> Result<Option<AnswerSummary>, WrongFile> {
        if self.is_of_five() {
            return Ok(self.of_five(table, four, five)?.map(|(answer, _)| answer.into()));
        }
        let found = self.bounded_of_four(table, four)?;
        Ok(found.map(|found| found.answer([None, None]).0.into()))
    }

    fn of_five(
        &self,
        table: &Table,
        four: &FourFiles,
        five: &FiveFiles,
    ) -> Result<Option<(Answer, BoundedAnswer)>, WrongFile> {
        bounded(self, table, &mut |position| match five.bounds(position)? {
            Some(bounds) => Ok(Some(bounds)),
            None if FivePiecePosition::of(Size::ORTHODOX, position).is_some() => Ok(None),
            None => thresholds_of(table, four, position),
        })
    }
}
