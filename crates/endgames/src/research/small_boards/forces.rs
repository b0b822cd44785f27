//! Which pieces stand beside the two kings, of any number.

use std::fmt;

use crate::board::{
    Color,
    orthodox::{BISHOP, KNIGHT, PAWN, QUEEN, ROOK},
};

/// The kinds that can stand beside a king, the strongest first, with their letters.
pub(super) const KINDS: [(u8, char); 5] = [(QUEEN, 'Q'), (ROOK, 'R'), (BISHOP, 'B'), (KNIGHT, 'N'), (PAWN, 'P')];
/// The place of the pawn among them.
pub(super) const PAWNS: usize = 4;

/// How many pieces of each kind both sides have beside their kings, White first, as in `KRBvK`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Forces(pub(super) [[u8; KINDS.len()]; 2]);

impl Forces {
    fn count(self, color: Color) -> usize {
        self.0[color.index()].iter().map(|count| usize::from(*count)).sum()
    }

    /// The number of pawns.
    pub(super) fn pawns(self) -> usize {
        Color::BOTH.into_iter().map(|color| self.of(color, PAWNS)).sum()
    }

    /// The number of a side's pieces of a kind, by its place among [`KINDS`].
    pub(super) fn of(self, color: Color, kind: usize) -> usize {
        usize::from(self.0[color.index()][kind])
    }

    /// Tells whether both sides have pawns, so that one may be captured in passing.
    pub(super) fn passes(self) -> bool {
        Color::BOTH.into_iter().all(|color| self.of(color, PAWNS) > 0)
    }

    /// The same with colours changed.
    pub(super) fn reversed(self) -> Forces {
        Forces([self.0[1], self.0[0]])
    }

    /// Tells whether White has more pieces, or as many and none weaker: of two forces that differ by their colours only one is solved.
    pub(super) fn leads(self) -> bool {
        let of = |color: Color| (self.count(color), self.0[color.index()]);
        of(Color::White) >= of(Color::Black)
    }

    /// All forces of so many pieces, up to colour, those with fewer pawns first, and then those with stronger pieces.
    pub(super) fn all(pieces: usize) -> Vec<Forces> {
        let mut found = vec![[0; 2 * KINDS.len()]];
        for _ in 2..pieces {
            let more = |counts: [u8; 2 * KINDS.len()]| {
                let last = counts.iter().rposition(|count| *count > 0).unwrap_or(0);
                (last..counts.len()).map(move |at| {
                    let mut next = counts;
                    next[at] += 1;
                    next
                })
            };
            found = found.into_iter().flat_map(more).collect();
        }
        let sides = |counts: [u8; 2 * KINDS.len()]| {
            Forces([0, 1].map(|side| std::array::from_fn(|kind| counts[side * KINDS.len() + kind])))
        };
        let mut all: Vec<Forces> = found.into_iter().map(sides).filter(|forces| forces.leads()).collect();
        all.sort_by_key(|forces| (forces.pawns(), std::cmp::Reverse(*forces)));
        all
    }
}

impl fmt::Display for Forces {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (side, before) in self.0.iter().zip(["K", "vK"]) {
            f.write_str(before)?;
            for (count, (_, letter)) in side.iter().zip(KINDS) {
                (0..*count).try_for_each(|_| write!(f, "{letter}"))?;
            }
        }
        Ok(())
    }
}
