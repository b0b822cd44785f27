//! The search through games in which nothing is hidden: iterative deepening alpha-beta with a table of what was seen, quiescence,
//! and an order of moves that learns which were good.

mod root;

use std::sync::LazyLock;

use super::{
    game_tree::{DECIDED, Order, OrderedMove, Tree, far, kept},
    transposition::{Bound, Estimates, TranspositionTable},
};

/// The deepest line that is followed, in plies.
const DEEPEST: usize = 120;
/// Higher than every score.
const ENDLESS: i32 = 32_000;
/// The first look at every move may take so many nodes, whatever the time: some tens of milliseconds.
const LOOK: u64 = 50_000;
/// So many nodes are searched between two questions whether it is enough.
const BETWEEN: u64 = 512;
/// The furthest that repetitions are looked for, in plies.
const MEMORY: usize = 60;

/// The limits of a search.
#[derive(Clone, Copy, Debug)]
pub(super) struct SearchLimits {
    /// Plies.
    pub(super) depth: i32,
    /// Moments.
    pub(super) nodes: u64,
    /// The most by which an estimate is off, on purpose.
    pub(super) noise: i32,
    /// The number that decides how each estimate is off.
    pub(super) seed: u64,
}

impl SearchLimits {
    /// By how much an estimate of a moment with a key is off if it is off by this much at most, the same whenever it is asked.
    pub(super) fn off(self, key: u64, most: i32) -> i32 {
        let drawn = (key ^ self.seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 33;
        (drawn % (2 * most as u64 + 1)) as i32 - most
    }
}

/// The best move that was found.
#[derive(Clone, Debug)]
pub(super) struct BestMove<M> {
    /// The move.
    pub(super) mv: M,
    /// Its score, for the side that makes it.
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
    /// The estimates of the moments on the way, by ply.
    stands: Vec<i32>,
    /// The first look at every move is not cut short by time before [`LOOK`].
    first: bool,
}

/// The plies by which later quiet moves are looked at less deeply, by depth and by the moves tried before.
static REDUCTIONS: LazyLock<Vec<[i32; 64]>> = LazyLock::new(|| {
    let reduction = |depth: usize, tried: usize| {
        if depth == 0 || tried == 0 { 0 } else { (0.7 + (depth as f64).ln() * (tried as f64).ln() / 2.0) as i32 }
    };
    (0..64).map(|depth| std::array::from_fn(|tried| reduction(depth, tried))).collect()
});

/// The plies by which a move is looked at less deeply.
fn reduction(depth: i32, tried: usize) -> i32 {
    REDUCTIONS[depth.min(63) as usize][tried.min(63)]
}

/// Brings the likely best move to the front: where one refutes, the others need no order.
fn pick<M>(moves: &mut [OrderedMove<M>]) {
    let best = (1..moves.len()).fold(0, |best, at| if moves[at].rank > moves[best].rank { at } else { best });
    moves.swap(0, best);
}

impl<'a, F: Tree> Search<'a, F> {
    /// A search after a game that went through moments with these keys.
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
        }
    }

    /// The move that was best at a moment which was looked at on the way, as far as that is remembered.
    pub(super) fn remembered(&self, node: &F::Node) -> Option<F::Move> {
        self.seen.find(self.tree.key(node))?.mv.clone()
    }

    /// Tells whether the other side is to move after a move.
    fn turns(&self, before: &F::Node, after: &F::Node) -> bool {
        self.tree.side(before) != self.tree.side(after)
    }

    /// The score of a moment for the side that moved before it.
    fn below(&mut self, node: &F::Node, turns: bool, depth: i32, alpha: i32, beta: i32, ply: usize) -> i32 {
        if turns {
            -self.search(node, depth, -beta, -alpha, ply, true)
        } else {
            self.search(node, depth, alpha, beta, ply, true)
        }
    }

    /// Tells whether the search has ended before it was done.
    pub(super) fn stopped(&self) -> bool {
        self.stopped
    }

    /// Counts a moment; tells whether the search is over.
    fn counted(&mut self) -> bool {
        self.nodes += 1;
        let looked = !self.first || self.nodes >= LOOK;
        let late = looked && self.nodes.is_multiple_of(BETWEEN) && (self.enough)();
        if late || self.nodes >= self.effort.nodes {
            self.stopped = true;
        }
        self.stopped
    }

    /// The estimate of a moment with a key, with what it is off.
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
        // The side to move stands better than at its own move before.
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
                    // Less where the move was often good, more where it was not.
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
