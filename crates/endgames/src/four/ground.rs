//! What bounds are drawn together on: places with numbers, and where the moves from them lead.

use std::ops::Range;

use crate::board::Color;

/// So many places have what lies between them in common, such as the square of White's king; nobody asks for more at a time.
pub(crate) const TAKEN: usize = 1 << 12;

/// Positions that lead to each other and out to places behind theirs.
pub(crate) trait Ground: Sync {
    /// Where everything stands at a place.
    type Spot: Copy;

    /// The number of places of the table.
    fn len(&self) -> usize;

    /// The number of all places, inside and outside.
    fn all(&self) -> usize;

    /// Shows the positions at some of the places that are taken together, from the first on or from the last; on other places there is none.
    fn each(&self, places: Range<usize>, back: bool, tell: impl FnMut(usize, Self::Spot));

    /// Tells the places that the moves of a side lead to. Where a king can be captured nothing else is told. Either side can always move.
    fn options(&self, mover: Color, spot: Self::Spot, tell: impl FnMut(usize));
}
