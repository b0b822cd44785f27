//! Quiescence: captures are followed until a moment is quiet enough for an estimate.

use super::{DEEPEST, ENDLESS, Search, pick};
use crate::bots::tree::{Tree, far};

/// The plies of quiescence in which all answers to a check are looked at.
const ANSWERS: i32 = 4;

impl<F: Tree> Search<'_, F> {
    /// The score of a moment once the captures have come to an end.
    pub(in crate::bots) fn calm(&mut self, node: &F::Node) -> i32 {
        self.quiesce(node, -ENDLESS, ENDLESS, 1, 0)
    }

    /// The score once the captures have come to an end.
    pub(super) fn quiesce(&mut self, node: &F::Node, mut alpha: i32, beta: i32, ply: usize, depth: i32) -> i32 {
        if self.counted() {
            return 0;
        }
        if let Some(score) = self.tree.verdict(node) {
            return far(score, ply);
        }
        let pressed = depth < ANSWERS && self.tree.pressed(node);
        let key = self.tree.key(node);
        let mut known = None;
        if let Some(entry) = self.seen.find(key) {
            if beta - alpha <= 1
                && let Some(score) = entry.holds(alpha, beta, ply)
            {
                return score;
            }
            known = entry.mv.clone();
        }
        let stands = self.estimate(node, key);
        if ply >= DEEPEST {
            return stands;
        }
        let mut best = if pressed { -ENDLESS } else { stands };
        if best >= beta {
            return best;
        }
        alpha = alpha.max(best);
        let mut moves = Vec::with_capacity(16);
        self.tree.moves(node, !pressed, &mut moves);
        if moves.is_empty() {
            return if pressed { far(self.tree.stuck(node), ply) } else { best };
        }
        self.order.rank(self.tree, node, &mut moves, known.as_ref(), ply);
        for index in 0..moves.len() {
            pick(&mut moves[index..]);
            let ranked = &moves[index];
            if !pressed && (ranked.rank < 0 || stands + ranked.gain + 150 <= alpha) {
                continue;
            }
            let after = self.tree.after(node, &ranked.mv);
            let score = if self.turns(node, &after) {
                -self.quiesce(&after, -beta, -alpha, ply + 1, depth + 1)
            } else {
                self.quiesce(&after, alpha, beta, ply + 1, depth + 1)
            };
            if self.stopped {
                return 0;
            }
            best = best.max(score);
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        best
    }
}
