//! Enclosures of the values of endgames with five pieces and no pawns, one material at a time, on the ordinary board or a small one.
//!
//! Bounds tighten, and prove themselves, exactly as those of four pieces (`four_piece.rs`). Positions that differ by an exchange of like pieces are the
//! same. Captures lead into bounds of four pieces.

mod files;
mod index;
mod move_generation;
mod solve;

use crate::{
    answer::Answer,
    board::Size,
    bounded_answer::BoundedAnswer,
    four_piece::{FourFiles, WrongFile, bounded, thresholds_of},
    position_query::{Question, TableCoverage},
    table::Table,
};

pub use files::{FiveFile, FiveFiles, FiveTable, file_of_five};
pub use index::{FiveNumbering, FivePieceMaterial, FivePiecePosition, UnknownTrio};
pub use solve::{CaptureBounds, FiveCost, solve_five};

impl Question {
    /// Tells whether a table of five pieces could tell of this, on some server.
    fn is_of_five(&self) -> bool {
        let beyond = matches!(self.standing, TableCoverage::Beyond(_)) && !self.castling;
        beyond && self.size == Size::ORTHODOX && FivePiecePosition::of(self.size, &self.position).is_some()
    }

    /// Tells whether a file could tell of this, on some server.
    pub fn is_of_files(&self) -> bool {
        self.is_of_four() || self.is_of_five()
    }

    /// Tells whether the folder has the file that tells of this.
    pub fn has_file(&self, four: &FourFiles, five: &FiveFiles) -> bool {
        let of_four = self.pair().is_some_and(|pair| four.pairs().contains(&pair));
        of_four
            || self.is_of_five()
                && FivePiecePosition::of(self.size, &self.position).is_some_and(|quint| five.has(quint.trio))
    }

    /// What is known of a position of four pieces or of five, and the answer that goes with it; nothing where no file tells of it or of what it turns
    /// into. The table is that of three pieces on the ordinary board.
    ///
    /// # Errors
    /// If a file cannot be used.
    pub fn of_files(
        &self,
        table: &Table,
        four: &FourFiles,
        five: &FiveFiles,
    ) -> Result<Option<(Answer, BoundedAnswer)>, WrongFile> {
        if !self.is_of_five() {
            return self.of_four(table, four);
        }
        bounded(self, &mut |position| match five.bounds(position)? {
            Some(bounds) => Ok(Some(bounds)),
            None if FivePiecePosition::of(Size::ORTHODOX, position).is_some() => Ok(None),
            None => thresholds_of(table, four, position),
        })
    }
}
