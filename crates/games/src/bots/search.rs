//! Search of games without hidden information: iterative-deepening alpha-beta with a transposition table, quiescence, and move
//! ordering by killers and history.

mod root;

use std::sync::LazyLock;

use super::{
    game_tree::{DECIDED, Order, OrderedMove, Tree, far, kept},
    transposition::{Bound, Estimates, TranspositionTable},
};

/// Greatest length of a line, in plies.
const DEEPEST: usize = 120;
/// Bound above every score.
const ENDLESS: i32 = 32_000;
/// Nodes that the first iteration may use, whatever the time: some tens of milliseconds.
const LOOK: u64 = 50_000;
/// Nodes between two calls of `enough`.
const BETWEEN: u64 = 512;
/// Plies to look back for repetitions.
const MEMORY: usize = 60;

/// Limits of a search.
#[derive(Clone, Copy, Debug)]
pub(super) struct SearchLimits {
    /// Greatest depth, in plies.
    pub(super) depth: i32,
    /// Most nodes.
    pub(super) nodes: u64,
    /// Greatest deliberate error of an evaluation, in hundredths of a pawn.
    pub(super) noise: i32,
    /// Seed of the errors.
    pub(super) seed: u64,
}

impl SearchLimits {
    /// Deterministic error of a node's evaluation, between -`most` and `most`.
    pub(super) fn off(self, key: u64, most: i32) -> i32 {
        let drawn = (key ^ self.seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 33;
        (drawn % (2 * most as u64 + 1)) as i32 - most
    }
}

/// The best move found.
#[derive(Clone, Debug)]
pub(super) struct BestMove<M> {
    /// The move.
    pub(super) mv: M,
    /// Its score for the mover.
    pub(super) score: i32,
}

/// A search in progress.
pub(super) struct Search<'a, F: Tree> {
    tree: &'a F,
    effort: SearchLimits,
    enough: &'a mut dyn FnMut() -> bool,
    nodes: u64,
    stopped: bool,
    seen: TranspositionTable<F::Move>,
    estimates: Estimates,
    path: Vec<u64>,
    order: Order<F::Move>,
    /// Evaluations along the current line, by ply.
    stands: Vec<i32>,
    /// True during the first iteration, which always gets [`LOOK`] nodes.
    first: bool,
    /// Receives the depth, the number of nodes and the best move of the first iteration and of every later complete one.
    report: Option<&'a mut IterationReport<'a, F::Move>>,
}

/// Receiver of iterations: depth in plies, nodes so far, and the best move.
pub(super) type IterationReport<'a, M> = dyn FnMut(i32, u64, &BestMove<M>) + 'a;

/// Late-move reductions in plies, by depth and number of moves tried.
static REDUCTIONS: LazyLock<Vec<[i32; 64]>> = LazyLock::new(|| {
    let reduction = |depth: usize, tried: usize| {
        if depth == 0 || tried == 0 { 0 } else { (0.7 + (depth as f64).ln() * (tried as f64).ln() / 2.0) as i32 }
    };
    (0..64).map(|depth| std::array::from_fn(|tried| reduction(depth, tried))).collect()
});

/// Late-move reduction in plies.
fn reduction(depth: i32, tried: usize) -> i32 {
    REDUCTIONS[depth.min(63) as usize][tried.min(63)]
}

/// Brings the highest-ranked move to the front. Cheaper than sorting, as most nodes need only a few moves.
fn pick<M>(moves: &mut [OrderedMove<M>]) {
    let best = (1..moves.len()).fold(0, |best, at| if moves[at].rank > moves[best].rank { at } else { best });
    moves.swap(0, best);
}

impl<'a, F: Tree> Search<'a, F> {
    /// A search from the end of a game with these earlier keys.
    pub(super) fn new(
        tree: &'a F,
        effort: SearchLimits,
        before: Vec<u64>,
        enough: &'a mut dyn FnMut() -> bool,
    ) -> Self {
        Search {
            tree,
            effort,
            enough,
            nodes: 0,
            stopped: false,
            seen: TranspositionTable::new(),
            estimates: Estimates::new(),
            path: before,
            order: Order::new(DEEPEST + 1),
            stands: vec![-ENDLESS; DEEPEST + 1],
            first: true,
            report: None,
        }
    }

    /// The search with a receiver of its iterations.
    pub(super) fn reporting(self, report: &'a mut IterationReport<'a, F::Move>) -> Self {
        Search { report: Some(report), ..self }
    }

    /// The best move of a node in the transposition table.
    pub(super) fn remembered(&self, node: &F::Node) -> Option<F::Move> {
        self.seen.find(self.tree.key(node))?.mv.clone()
    }

    /// Whether a move passes the turn to the other side.
    fn turns(&self, before: &F::Node, after: &F::Node) -> bool {
        self.tree.side(before) != self.tree.side(after)
    }

    /// Score of a child node for the side that moved to it.
    fn below(&mut self, node: &F::Node, turns: bool, depth: i32, alpha: i32, beta: i32, ply: usize) -> i32 {
        if turns {
            -self.search(node, depth, -beta, -alpha, ply, true)
        } else {
            self.search(node, depth, alpha, beta, ply, true)
        }
    }

    /// Whether the search was interrupted.
    pub(super) fn stopped(&self) -> bool {
        self.stopped
    }

    /// Counts a node. Returns whether the search must stop.
    fn counted(&mut self) -> bool {
        self.nodes += 1;
        let looked = !self.first || self.nodes >= LOOK;
        let late = looked && self.nodes.is_multiple_of(BETWEEN) && (self.enough)();
        if late || self.nodes >= self.effort.nodes {
            self.stopped = true;
        }
        self.stopped
    }

    /// Evaluation of a node, including its deliberate error.
    fn estimate(&mut self, node: &F::Node, key: u64) -> i32 {
        let estimate = self.estimates.find(key, || self.tree.estimate(node));
        estimate + self.effort.off(key, self.effort.noise)
    }

    fn search(&mut self, node: &F::Node, depth: i32, mut alpha: i32, beta: i32, ply: usize, may_pass: bool) -> i32 {
        if self.counted() {
            return 0;
        }
        if let Some(score) = self.tree.verdict(node) {
            return far(score, ply);
        }
        let key = self.tree.key(node);
        if self.path.iter().rev().take(MEMORY).any(|known| *known == key) {
            return self.tree.drawn(node);
        }
        let pressed = self.tree.pressed(node);
        let mut depth = depth + i32::from(pressed);
        let wide = beta - alpha > 1;
        let mut known = None;
        if let Some(entry) = self.seen.find(key) {
            if !wide
                && entry.depth >= depth
                && let Some(score) = entry.holds(alpha, beta, ply)
            {
                return score;
            }
            known = entry.mv.clone();
        }
        if depth <= 0 || ply >= DEEPEST {
            return self.quiesce(node, alpha, beta, ply, 0);
        }
        let stands = if pressed { -ENDLESS } else { self.estimate(node, key) };
        self.stands[ply] = stands;
        // The evaluation improved since the side's previous move.
        let rising = !pressed && ply >= 2 && stands > self.stands[ply - 2];
        if !wide && !pressed && beta.abs() < DECIDED {
            if depth <= 7 && stands - 80 * (depth - i32::from(rising)) >= beta {
                return stands;
            }
            if depth <= 3 && stands + 150 + 150 * depth < alpha {
                let score = self.quiesce(node, alpha, beta, ply, 0);
                if score <= alpha || self.stopped {
                    return score;
                }
            }
            if may_pass
                && depth >= 3
                && stands >= beta
                && let Some(passed) = self.tree.pass(node)
            {
                let reduced = depth - 4 - depth / 4 - ((stands - beta) / 150).min(3);
                self.path.push(key);
                let score = -self.search(&passed, reduced, -beta, 1 - beta, ply + 1, false);
                self.path.pop();
                if self.stopped {
                    return 0;
                }
                if score >= beta {
                    return if score > DECIDED { beta } else { score };
                }
            }
        }
        if known.is_none() && depth >= 5 {
            depth -= 1;
        }
        let mut moves = Vec::with_capacity(48);
        self.tree.moves(node, false, &mut moves);
        if moves.is_empty() {
            return far(self.tree.stuck(node), ply);
        }
        self.order.rank(self.tree, node, &mut moves, known.as_ref(), ply);
        self.path.push(key);
        let (mut best, mut chosen, floor) = (-ENDLESS, None, alpha);
        for index in 0..moves.len() {
            pick(&mut moves[index..]);
            let quiet = moves[index].gain <= 0;
            let tame = quiet && !pressed && !self.tree.threatens(node, &moves[index].mv);
            if !wide && tame && best > -DECIDED && depth <= 6 {
                let late = index as i32 > (3 + depth * depth) / (2 - i32::from(rising));
                if late || stands + 70 + 90 * depth <= alpha {
                    continue;
                }
            }
            let after = self.tree.after(node, &moves[index].mv);
            let turns = self.turns(node, &after);
            let mut score = ENDLESS;
            if index > 0 {
                let mut less = 0;
                if depth >= 3 && index >= 2 && tame {
                    // Reduces moves with a good history less, and others more.
                    let known = (moves[index].rank / 6_000).clamp(-2, 2);
                    less = reduction(depth, index) - i32::from(wide) + i32::from(!rising && !wide) - known;
                    less = less.clamp(0, depth - 2);
                }
                score = self.below(&after, turns, depth - 1 - less, alpha, alpha + 1, ply + 1);
                if score > alpha && less > 0 {
                    score = self.below(&after, turns, depth - 1, alpha, alpha + 1, ply + 1);
                }
            }
            if index == 0 || (wide && score > alpha) {
                score = self.below(&after, turns, depth - 1, alpha, beta, ply + 1);
            }
            if self.stopped {
                break;
            }
            if score > best {
                (best, chosen) = (score, Some(moves[index].mv.clone()));
            }
            alpha = alpha.max(best);
            if alpha >= beta {
                if quiet {
                    self.order.praise(self.tree, node, &moves[..=index], depth, ply);
                }
                break;
            }
        }
        self.path.pop();
        if self.stopped {
            return 0;
        }
        let bound = match best {
            best if best >= beta => Bound::AtLeast,
            best if best <= floor => Bound::AtMost,
            _ => Bound::Exact,
        };
        self.seen.keep(key, depth, kept(best, ply), bound, chosen);
        best
    }
}
