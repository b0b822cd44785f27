//! A game as the search sees it: nodes, moves and estimates. Scores are in hundredths of a pawn, for the side that is to move.

/// The score of a game that the side to move has won; less one for every ply until then.
pub(super) const WON: i32 = 30_000;
/// Scores beyond this are of games that are decided.
pub(super) const DECIDED: i32 = 29_000;
/// The number of different quiet moves that the search tells apart when it remembers which were good.
pub(super) const SLOTS: usize = 1 << 13;

/// A move with what is known of it before it is tried.
#[derive(Clone, Debug)]
pub(super) struct Ranked<M> {
    /// The move.
    pub(super) mv: M,
    /// The gain if nothing answers it: above zero for captures and the like. Moves that gain nothing are quiet.
    pub(super) gain: i32,
    /// The order in which moves that gain something are tried; below zero if they are likely to lose more than they gain.
    pub(super) rank: i32,
}

/// A game of two sides with nothing hidden and nothing left to chance.
pub(super) trait Tree {
    /// A moment of the game.
    type Node: Clone;
    /// A move.
    type Move: Clone + PartialEq;

    /// A number that differs from moment to moment.
    fn key(&self, node: &Self::Node) -> u64;
    /// The side to move, 0 or 1.
    fn side(&self, node: &Self::Node) -> usize;
    /// The score of a moment that is decided before anybody looks at the moves: [`WON`], minus that, or that of a draw.
    fn verdict(&self, node: &Self::Node) -> Option<i32>;
    /// The score of a draw.
    fn drawn(&self, _node: &Self::Node) -> i32 {
        0
    }
    /// Adds the moves; the `loud` ones only, if that is all that is asked for.
    fn moves(&self, node: &Self::Node, loud: bool, moves: &mut Vec<Ranked<Self::Move>>);
    /// The moment after a move.
    fn after(&self, node: &Self::Node, mv: &Self::Move) -> Self::Node;
    /// The score of a side that has no move.
    fn stuck(&self, node: &Self::Node) -> i32;
    /// The estimate of a quiet moment.
    fn estimate(&self, node: &Self::Node) -> i32;
    /// Tells whether the moment is too sharp for an estimate, as a check is.
    fn pressed(&self, node: &Self::Node) -> bool;
    /// Tells whether a quiet move threatens what cannot be left alone, as a check does.
    fn threatens(&self, _node: &Self::Node, _mv: &Self::Move) -> bool {
        false
    }
    /// The moment if the side to move did nothing, where that would not be the best for it.
    fn pass(&self, node: &Self::Node) -> Option<Self::Node>;
    /// A number below [`SLOTS`] for a quiet move.
    fn slot(&self, mv: &Self::Move) -> usize;
}

/// The score of a decided moment that lies so many plies ahead.
pub(super) fn far(score: i32, ply: usize) -> i32 {
    if score.abs() >= WON { score - score.signum() * ply as i32 } else { score }
}

/// A score as it is kept: decided moments as far from the node as they are.
pub(super) fn kept(score: i32, ply: usize) -> i32 {
    if score.abs() >= DECIDED { score + score.signum() * ply as i32 } else { score }
}

/// The reverse of [`kept`].
pub(super) fn near(score: i32, ply: usize) -> i32 {
    if score.abs() >= DECIDED { score - score.signum() * ply as i32 } else { score }
}
