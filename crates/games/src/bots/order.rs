//! The order in which moves are tried: the one that was best before, captures, moves that were good elsewhere.

use super::tree::{Ranked, SLOTS, Tree};

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
        moves: &mut [Ranked<M>],
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
        moves: &mut [Ranked<M>],
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
        tried: &[Ranked<M>],
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
