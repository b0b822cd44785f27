//! Root of the search with iterative deepening, and quiescence.

use super::{BestMove, DEEPEST, ENDLESS, Search, pick, reduction};
use crate::bots::{
    game_tree::{DECIDED, OrderedMove, Tree, WON, far},
    transposition::TranspositionTable,
};

/// Half-width of the first aspiration window. Each retry triples it,
const MARGIN: i32 = 25;
/// and beyond this the window is unlimited.
const WIDEST: i32 = 500;
/// Plies of quiescence that search all replies to a check.
const ANSWERS: i32 = 4;

impl<F: Tree> Search<'_, F> {
    /// Finds the best move, if there is one. An only move is not searched.
    pub(in crate::bots) fn best(&mut self, root: &F::Node) -> Option<BestMove<F::Move>> {
        let moves = self.sorted(root);
        match moves.as_slice() {
            [only] => Some(BestMove { mv: only.mv.clone(), score: 0 }),
            _ => self.deepen(root, moves),
        }
    }

    /// [`Self::best`] that also searches an only move.
    pub(in crate::bots) fn rated(&mut self, root: &F::Node) -> Option<BestMove<F::Move>> {
        let moves = self.sorted(root);
        self.deepen(root, moves)
    }

    /// Exact scores of all moves from the last completed iteration. If the first iteration is interrupted, the remaining moves
    /// get a static score.
    pub(in crate::bots) fn scores(&mut self, root: &F::Node) -> Vec<BestMove<F::Move>> {
        let moves = self.sorted(root);
        let mut scores = Vec::new();
        self.path.push(self.tree.key(root));
        for depth in 1..=self.effort.depth {
            let mut found = Vec::with_capacity(moves.len());
            for ranked in &moves {
                let after = self.tree.after(root, &ranked.mv);
                let turns = self.turns(root, &after);
                let mut score = self.below(&after, turns, depth - 1, -ENDLESS, ENDLESS, 1);
                if self.stopped && depth > 1 {
                    return scores;
                } else if self.stopped {
                    score = self.glance(&after, turns);
                }
                found.push(BestMove { mv: ranked.mv.clone(), score });
            }
            scores = found;
            self.first = false;
            if self.stopped {
                break;
            }
        }
        scores
    }

    /// Static score of a node for the side that moved to it.
    fn glance(&mut self, node: &F::Node, turns: bool) -> i32 {
        let score = self.tree.verdict(node).unwrap_or_else(|| self.estimate(node, self.tree.key(node)));
        if turns { -score } else { score }
    }

    fn sorted(&self, root: &F::Node) -> Vec<OrderedMove<F::Move>> {
        let mut moves = Vec::new();
        self.tree.moves(root, false, &mut moves);
        self.order.sort(self.tree, root, &mut moves, None, 0);
        moves
    }

    /// Iterative deepening, with aspiration windows from depth 5.
    fn deepen(&mut self, root: &F::Node, mut moves: Vec<OrderedMove<F::Move>>) -> Option<BestMove<F::Move>> {
        let mut found = BestMove { mv: moves.first()?.mv.clone(), score: 0 };
        self.seen = TranspositionTable::new();
        self.path.push(self.tree.key(root));
        for depth in 1..=self.effort.depth {
            let about = depth >= 5 && found.score.abs() < DECIDED;
            let mut margin = if about { MARGIN } else { ENDLESS };
            let mut window = [(found.score - margin).max(-ENDLESS), (found.score + margin).min(ENDLESS)];
            let best = loop {
                let best = self.look(root, &mut moves, depth, window, &mut found);
                margin = if margin > WIDEST { ENDLESS } else { 3 * margin };
                match window {
                    [low, _] if best <= low && low > -ENDLESS => window[0] = (best - margin).max(-ENDLESS),
                    [_, high] if best >= high && high < ENDLESS => window[1] = (best + margin).min(ENDLESS),
                    _ => break best,
                }
                if self.stopped {
                    break best;
                }
            };
            self.first = false;
            if let Some(report) = self.report.as_mut().filter(|_| depth == 1 || !self.stopped) {
                report(depth, self.nodes, &found);
            }
            let settled = best.abs() > DECIDED && WON - best.abs() <= depth;
            if self.stopped || settled || self.nodes >= self.effort.nodes || (self.enough)() {
                break;
            }
        }
        self.path.pop();
        Some(found)
    }

    /// Searches the root moves within a window. Returns the best score or a bound of it. A move that beats the lower end is
    /// stored in `found` and comes first in the next iteration.
    fn look(
        &mut self,
        root: &F::Node,
        moves: &mut [OrderedMove<F::Move>],
        depth: i32,
        [low, high]: [i32; 2],
        found: &mut BestMove<F::Move>,
    ) -> i32 {
        let pressed = self.tree.pressed(root);
        let (mut best, mut place, mut alpha) = (-ENDLESS, 0, low);
        for (index, ranked) in moves.iter().enumerate() {
            let after = self.tree.after(root, &ranked.mv);
            let turns = self.turns(root, &after);
            let mut score = ENDLESS;
            if index > 0 {
                let tame = ranked.gain <= 0 && !pressed && !self.tree.threatens(root, &ranked.mv);
                let less = if depth >= 3 && index >= 3 && tame {
                    (reduction(depth, index) - 1).clamp(0, depth - 2)
                } else {
                    0
                };
                score = self.below(&after, turns, depth - 1 - less, alpha, alpha + 1, 1);
                if score > alpha && less > 0 {
                    score = self.below(&after, turns, depth - 1, alpha, alpha + 1, 1);
                }
            }
            if index == 0 || score > alpha {
                score = self.below(&after, turns, depth - 1, alpha, high, 1);
            }
            if self.stopped {
                break;
            }
            if score > best {
                (best, place) = (score, index);
                if score > low {
                    *found = BestMove { mv: ranked.mv.clone(), score };
                }
            }
            alpha = alpha.max(best);
            if alpha >= high {
                break;
            }
        }
        moves[..=place].rotate_right(1);
        best
    }

    /// Quiescence score of a node with a full window.
    pub(in crate::bots) fn calm(&mut self, node: &F::Node) -> i32 {
        self.quiesce(node, -ENDLESS, ENDLESS, 1, 0)
    }

    /// Quiescence search: follows captures until the position is quiet.
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
