//! The classes of positions with α < β, and what is counted of them.

use std::io::{self, Write};

use super::{
    move_generation::{Bounds, apart, narrow},
    placement::{PieceCounts, Placement},
    tables::SmallTables,
};

/// What is counted of some forces.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Count {
    /// The forces.
    pub forces: PieceCounts,
    /// Positions that are the same up to a symmetry of the board, or by colour, counted once.
    pub classes: usize,
    /// Those with α < β.
    pub apart: usize,
    /// Those whose bounds neither meet nor part.
    pub open: usize,
    /// The widest gap that is proved.
    pub widest: Option<LargestGaps>,
}

/// A position with α < β.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LargestGaps {
    /// The position as FEN.
    pub fen: String,
    /// What is known of α and β.
    pub bounds: Bounds,
}

impl LargestGaps {
    /// The width of the gap that is proved, in multiples of 2⁻⁶³.
    pub fn gap(&self) -> u64 {
        gap(&self.bounds)
    }
}

fn gap([_, alpha, beta, _]: &Bounds) -> u64 {
    beta.saturating_sub(*alpha)
}

/// The columns of the file of classes.
pub const SMALL_COLUMNS: &str = "fen,material,alpha_low,alpha_high,beta_low,beta_high";

impl SmallTables {
    /// Counts all forces of so many pieces.
    pub fn counts(&self, pieces: usize) -> Vec<Count> {
        let count = |forces| {
            let mut count = Count { forces, classes: 0, apart: 0, open: 0, widest: None };
            let mut widest: Option<(Placement, Bounds)> = None;
            self.each(forces, &mut |placement, bounds| {
                count.classes += 1;
                if apart(bounds) {
                    count.apart += 1;
                    if widest.is_none_or(|(_, widest)| gap(bounds) > gap(&widest)) {
                        widest = Some((*placement, *bounds));
                    }
                } else if !narrow(bounds) {
                    count.open += 1;
                }
            });
            count.widest = widest.map(|(placement, bounds)| LargestGaps { fen: self.fen(&placement), bounds });
            count
        };
        PieceCounts::all(pieces).into_iter().map(count).collect()
    }

    /// Writes all classes of so many pieces with α < β, as comma-separated values: bounds are whole multiples of 2⁻⁶³.
    pub fn write(&self, pieces: usize, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{SMALL_COLUMNS}")?;
        for forces in PieceCounts::all(pieces) {
            let mut written = Ok(());
            self.each(forces, &mut |placement, bounds| {
                if apart(bounds) && written.is_ok() {
                    let [a, b, c, d] = bounds;
                    written = writeln!(out, "{},{forces},{a},{b},{c},{d}", self.fen(placement));
                }
            });
            written?;
        }
        Ok(())
    }
}
