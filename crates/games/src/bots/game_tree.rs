//! What the search needs to know of a game, and the order in which it tries moves.

/// The score of a game that the side to move has won; less one for every ply until then.
pub(super) const WON: i32 = 30_000;
/// Scores beyond this are of games that are decided.
pub(super) const DECIDED: i32 = 29_000;
/// The number of different quiet moves that the search tells apart when it remembers which were good.
pub(super) const SLOTS: usize = 1 << 13;

/// A move with what is known of it before it is tried.
#[derive(Clone, Debug)]
pub(super) struct OrderedMove<M> {
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
    fn moves(&self, node: &Self::Node, loud: bool, moves: &mut Vec<OrderedMove<Self::Move>>);
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

/// What is known of quiet moves.
pub(super) struct Order<M> {
    /// Two that refuted something, by ply.
    killers: Vec<[Option<M>; 2]>,
    /// How often a move was good, by side and slot.
    history: Vec<i32>,
}

impl<M: Clone + PartialEq> Order<M> {
    /// Nothing is known yet of lines of so many plies.
    pub(super) fn new(plies: usize) -> Self {
        Order { killers: vec![[None, None]; plies], history: vec![0; 2 * SLOTS] }
    }

    /// Sorts moves, the likely best first.
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

    /// Ranks moves: the likely best highest.
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

    /// Remembers that the last of the moves tried, a quiet one, was good, and the others were not.
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
