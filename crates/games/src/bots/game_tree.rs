//! Interface between games and the search, and move ordering.

/// Score of a won game for the side to move, reduced by one for each ply until then.
pub(super) const WON: i32 = 30_000;
/// Scores beyond this belong to decided games.
pub(super) const DECIDED: i32 = 29_000;
/// Number of slots for the history of quiet moves.
pub(super) const SLOTS: usize = 1 << 13;

/// A move with its ordering data.
#[derive(Clone, Debug)]
pub(super) struct OrderedMove<M> {
    /// The move.
    pub(super) mv: M,
    /// Material gain before any reply. Positive for captures and promotions; moves without gain are quiet.
    pub(super) gain: i32,
    /// Order of moves with a gain. Negative if the move probably loses more than it gains.
    pub(super) rank: i32,
}

/// A two-player game without hidden information or chance.
pub(super) trait Tree {
    /// A state of the game.
    type Node: Clone;
    /// A move.
    type Move: Clone + PartialEq;

    /// Hash key of a node.
    fn key(&self, node: &Self::Node) -> u64;
    /// The side to move, 0 or 1.
    fn side(&self, node: &Self::Node) -> usize;
    /// Score of a node that is decided without looking at its moves: [`WON`], its negative, or a draw score.
    fn verdict(&self, node: &Self::Node) -> Option<i32>;
    /// Score of a draw.
    fn drawn(&self, _node: &Self::Node) -> i32 {
        0
    }
    /// Adds the moves; only captures and promotions if `loud`.
    fn moves(&self, node: &Self::Node, loud: bool, moves: &mut Vec<OrderedMove<Self::Move>>);
    /// The node after a move.
    fn after(&self, node: &Self::Node, mv: &Self::Move) -> Self::Node;
    /// Score of a side without a move.
    fn stuck(&self, node: &Self::Node) -> i32;
    /// Static evaluation of a quiet node.
    fn estimate(&self, node: &Self::Node) -> i32;
    /// Whether the node is too sharp for a static evaluation, such as a check.
    fn pressed(&self, node: &Self::Node) -> bool;
    /// Whether a quiet move makes a threat that needs an answer, such as a check.
    fn threatens(&self, _node: &Self::Node, _mv: &Self::Move) -> bool {
        false
    }
    /// The node after a null move, unless passing could be the best move (zugzwang).
    fn pass(&self, node: &Self::Node) -> Option<Self::Node>;
    /// Slot of a quiet move, below [`SLOTS`].
    fn slot(&self, mv: &Self::Move) -> usize;
}

/// Score of a decided node `ply` plies from the root.
pub(super) fn far(score: i32, ply: usize) -> i32 {
    if score.abs() >= WON { score - score.signum() * ply as i32 } else { score }
}

/// A score for the transposition table: the distance to the end counts from the node instead of the root.
pub(super) fn kept(score: i32, ply: usize) -> i32 {
    if score.abs() >= DECIDED { score + score.signum() * ply as i32 } else { score }
}

/// The inverse of [`kept`].
pub(super) fn near(score: i32, ply: usize) -> i32 {
    if score.abs() >= DECIDED { score - score.signum() * ply as i32 } else { score }
}

/// Move-ordering data for quiet moves.
pub(super) struct Order<M> {
    /// Two killer moves for each ply.
    killers: Vec<[Option<M>; 2]>,
    /// History scores, by side and slot.
    history: Vec<i32>,
}

impl<M: Clone + PartialEq> Order<M> {
    /// Empty data for lines of up to `plies` plies.
    pub(super) fn new(plies: usize) -> Self {
        Order { killers: vec![[None, None]; plies], history: vec![0; 2 * SLOTS] }
    }

    /// Sorts moves, the most promising first.
    pub(super) fn sort<F: Tree<Move = M>>(
        &self,
        tree: &F,
        node: &F::Node,
        moves: &mut [OrderedMove<M>],
        known: Option<&M>,
        ply: usize,
    ) {
        self.rank(tree, node, moves, known, ply);
        moves.sort_by_key(|ranked| -ranked.rank);
    }

    /// Ranks moves, the most promising highest.
    pub(super) fn rank<F: Tree<Move = M>>(
        &self,
        tree: &F,
        node: &F::Node,
        moves: &mut [OrderedMove<M>],
        known: Option<&M>,
        ply: usize,
    ) {
        let side = tree.side(node) * SLOTS;
        for ranked in moves.iter_mut() {
            if known == Some(&ranked.mv) {
                ranked.rank = 1 << 30;
            } else if ranked.gain > 0 {
                ranked.rank += if ranked.rank >= 0 { 1 << 24 } else { -(1 << 24) };
            } else {
                let killer = self.killers[ply].iter().position(|killer| killer.as_ref() == Some(&ranked.mv));
                ranked.rank = match killer {
                    Some(place) => (1 << 22) - place as i32,
                    None => ranked.rank + self.history[side + tree.slot(&ranked.mv)],
                };
            }
        }
    }

    /// Records that the last move tried, a quiet one, caused a cutoff, and that the earlier ones did not.
    pub(super) fn praise<F: Tree<Move = M>>(
        &mut self,
        tree: &F,
        node: &F::Node,
        tried: &[OrderedMove<M>],
        depth: i32,
        ply: usize,
    ) {
        let Some((good, others)) = tried.split_last() else { return };
        let killers = &mut self.killers[ply];
        if killers[0].as_ref() != Some(&good.mv) {
            killers.swap(0, 1);
            killers[0] = Some(good.mv.clone());
        }
        let side = tree.side(node) * SLOTS;
        let weight = (depth * depth).min(400);
        let mut learn = |mv: &M, weight: i32| {
            let entry = &mut self.history[side + tree.slot(mv)];
            *entry += weight - *entry * weight.abs() / 16_384;
        };
        learn(&good.mv, weight);
        for other in others.iter().filter(|other| other.gain <= 0) {
            learn(&other.mv, -weight);
        }
    }
}
