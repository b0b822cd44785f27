//! The counting of moves and of sequences of moves (perft), without listing the last of them.

use super::{laws::Board, position::Position};

impl Board {
    /// Counts the legal moves of the side to move.
    #[inline]
    pub fn count(&self, position: &Position) -> u64 {
        let choices = self.pawns.as_ref().map_or(0, |pawns| pawns.promotions.len() as u64);
        let mut count = 0;
        self.batches(position, |batch| {
            count += u64::from((batch.targets & !batch.promotes).len());
            if !batch.promotes.is_empty() {
                count += choices * u64::from((batch.targets & batch.promotes).len());
            }
        });
        count
    }

    /// Counts the sequences of `depth` legal moves.
    pub fn perft(&self, position: &Position, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => self.count(position),
            _ => self.moves(position).into_iter().map(|mv| self.perft(&self.after(position, mv), depth - 1)).sum(),
        }
    }
}
