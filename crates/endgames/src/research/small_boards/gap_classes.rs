//! Classes of positions with α < β: counts, largest gaps and lists.

use std::io::{self, Write};

use super::{
    move_generation::{Bounds, narrow},
    placement::{PieceCounts, Placement},
    tables::SmallTables,
};
use crate::four_piece::Sharpness;

/// Counts for one material.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Count {
    /// The material.
    pub forces: PieceCounts,
    /// Number of classes: positions up to symmetry and colour.
    pub classes: usize,
    /// Number of classes with α < β.
    pub apart: usize,
    /// Number of classes in which neither α = β nor α < β is proved.
    pub open: usize,
    /// Number of these with wide bounds: α and β may be more than 10⁻¹⁵ apart.
    pub wide: usize,
    /// Largest proved gap.
    pub widest: Option<LargestGaps>,
}

/// A position with α < β.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LargestGaps {
    /// The position in FEN.
    pub fen: String,
    /// Bounds of α and β.
    pub bounds: Bounds,
}

impl LargestGaps {
    /// Size of the proved gap, in multiples of 2⁻⁶³.
    pub fn gap(&self) -> u64 {
        gap(&self.bounds)
    }
}

fn gap([_, alpha, beta, _]: &Bounds) -> u64 {
    beta.saturating_sub(*alpha)
}

/// Column names of the list of classes.
pub const SMALL_COLUMNS: &str = "fen,material,alpha_low,alpha_high,beta_low,beta_high";

impl SmallTables {
    /// Counts for all materials with a number of pieces.
    pub fn counts(&self, pieces: usize) -> Vec<Count> {
        let count = |forces| {
            let mut count = Count { forces, classes: 0, apart: 0, open: 0, wide: 0, widest: None };
            let mut widest: Option<(Placement, Bounds)> = None;
            self.each(forces, &mut |placement, bounds, state| {
                count.classes += 1;
                match state {
                    Sharpness::Sharp => {}
                    Sharpness::Apart => {
                        count.apart += 1;
                        if widest.is_none_or(|(_, widest)| gap(bounds) > gap(&widest)) {
                            widest = Some((*placement, *bounds));
                        }
                    }
                    Sharpness::Open => {
                        count.open += 1;
                        count.wide += usize::from(!narrow(bounds));
                    }
                }
            });
            count.widest = widest.map(|(placement, bounds)| LargestGaps { fen: self.fen(&placement), bounds });
            count
        };
        PieceCounts::all(pieces).into_iter().map(count).collect()
    }

    /// Writes all classes with α < β for a number of pieces, as comma-separated values. Bounds are multiples of 2⁻⁶³.
    pub fn write(&self, pieces: usize, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{SMALL_COLUMNS}")?;
        for forces in PieceCounts::all(pieces) {
            let mut written = Ok(());
            self.each(forces, &mut |placement, bounds, state| {
                if state == Sharpness::Apart && written.is_ok() {
                    let [a, b, c, d] = bounds;
                    written = writeln!(out, "{},{forces},{a},{b},{c},{d}", self.fen(placement));
                }
            });
            written?;
        }
        Ok(())
    }
}
