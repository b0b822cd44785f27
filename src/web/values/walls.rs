//! A position in which neither side may be able to win: α < β (Larsson and Wästlund, “Endgames in bidding chess”, §13, Figure 10).

/// Walls of pawns as §13 tells of those in Figure 10: no pawn can move, and the white king can only come through by way of a square that a
/// pawn attacks (as d4), onto a pawn that is guarded (e5, by d6). The drawing of the figure is in no text that we have: the board is ours.
pub(in crate::web) const WALLS: &str = "6k1/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/8/1K6";

/// The greatest that α and the least that β can be in a position where they are known to differ. White, on an attacked square, is lost if
/// Black moves next, and even with a pawn of the wall he is if Black moves then: (1/2 + 0) / 2 = 1/4, and elsewhere he has no better. The same
/// for Black.
pub(in crate::web) fn between(fen: &str) -> Option<(&'static str, &'static str)> {
    (fen == WALLS).then_some(("1/4", "3/4"))
}
