//! Exact values of positions for fixed moves of both sides.
//!
//! Each position is then the mean of its two successors. Tarjan's algorithm finds the strongly connected components. The linear system of each
//! component is solved by elimination in Markowitz order: the position with the fewest connections first. Every coefficient is a probability, so the
//! only subtraction is 1 minus the probability of an immediate return.

use std::collections::BTreeSet;

use dashu_ratio::RBig;

/// Equation of one unknown: x = Σ coefficient · x(other) + constant.
#[derive(Clone, Debug, Default)]
pub(super) struct Equation {
    /// Unknowns with their coefficients, in ascending order, each once.
    terms: Vec<(u32, RBig)>,
    /// Constant part.
    pub(super) constant: RBig,
}

impl Equation {
    /// Adds `coefficient · x(unknown)`.
    pub(super) fn add(&mut self, unknown: u32, coefficient: RBig) {
        match self.terms.binary_search_by_key(&unknown, |term| term.0) {
            Ok(at) => self.terms[at].1 += coefficient,
            Err(at) => self.terms.insert(at, (unknown, coefficient)),
        }
    }

    fn take(&mut self, unknown: u32) -> Option<RBig> {
        let at = self.terms.binary_search_by_key(&unknown, |term| term.0).ok()?;
        Some(self.terms.remove(at).1)
    }
}

/// Solves one equation per unknown. Returns `None` if the system is singular.
pub(super) fn solve(mut equations: Vec<Equation>) -> Option<Vec<RBig>> {
    let count = equations.len();
    // For each unknown, the equations of other unknowns that use it.
    let mut users: Vec<BTreeSet<u32>> = vec![BTreeSet::new(); count];
    for (own, equation) in equations.iter().enumerate() {
        for (unknown, _) in equation.terms.iter().filter(|term| term.0 as usize != own) {
            users[*unknown as usize].insert(own as u32);
        }
    }
    let cost = |equation: &Equation, users: &BTreeSet<u32>| equation.terms.len() * users.len();
    let mut queue: BTreeSet<(usize, u32)> =
        (0..count).map(|at| (cost(&equations[at], &users[at]), at as u32)).collect();
    let mut order = Vec::with_capacity(count);
    while let Some((_, pivot)) = queue.pop_first() {
        let at = pivot as usize;
        let mut equation = std::mem::take(&mut equations[at]);
        if let Some(back) = equation.take(pivot) {
            let leaves = RBig::ONE - back;
            if leaves.is_zero() {
                return None;
            }
            equation.constant /= &leaves;
            equation.terms.iter_mut().for_each(|term| term.1 /= &leaves);
        }
        let mine = std::mem::take(&mut users[at]);
        let touched: BTreeSet<u32> = mine.iter().copied().chain(equation.terms.iter().map(|term| term.0)).collect();
        for other in &touched {
            queue.remove(&(cost(&equations[*other as usize], &users[*other as usize]), *other));
        }
        for (unknown, _) in &equation.terms {
            users[*unknown as usize].remove(&pivot);
        }
        for user in mine {
            let row = &mut equations[user as usize];
            let Some(share) = row.take(pivot) else { continue };
            row.constant += &share * &equation.constant;
            for (unknown, coefficient) in &equation.terms {
                row.add(*unknown, &share * coefficient);
                if *unknown != user {
                    users[*unknown as usize].insert(user);
                }
            }
        }
        for other in touched {
            queue.insert((cost(&equations[other as usize], &users[other as usize]), other));
        }
        order.push((pivot, equation));
    }
    let mut solution = vec![RBig::ZERO; count];
    for (pivot, equation) in order.into_iter().rev() {
        solution[pivot as usize] = equation
            .terms
            .iter()
            .fold(equation.constant, |sum, (unknown, coefficient)| sum + coefficient * &solution[*unknown as usize]);
    }
    Some(solution)
}

/// Node of the graph, or [`OUTSIDE`].
pub(super) type Node = u32;

/// Marks a successor outside the graph.
pub(super) const OUTSIDE: Node = Node::MAX;

const UNSEEN: u32 = u32::MAX;
const DONE: u32 = u32::MAX - 1;

/// Calls `component` with the nodes of each strongly connected component, after all components reachable from it.
pub(super) fn components(successors: &[[Node; 2]], mut component: impl FnMut(&[Node])) {
    let mut depth = vec![UNSEEN; successors.len()];
    let mut lowest = vec![0u32; successors.len()];
    let mut stack: Vec<Node> = Vec::new();
    let mut path: Vec<(Node, usize)> = Vec::new();
    let mut count = 0;
    for root in 0..successors.len() as Node {
        if depth[root as usize] != UNSEEN {
            continue;
        }
        path.push((root, 0));
        while let Some((node, next)) = path.pop() {
            let at = node as usize;
            if next == 0 {
                depth[at] = count;
                lowest[at] = count;
                count += 1;
                stack.push(node);
            } else {
                let child = successors[at][next - 1];
                if child != OUTSIDE && depth[child as usize] != DONE {
                    lowest[at] = lowest[at].min(lowest[child as usize]);
                }
            }
            if let Some(child) = successors[at].get(next) {
                path.push((node, next + 1));
                if *child != OUTSIDE && depth[*child as usize] == UNSEEN {
                    path.push((*child, 0));
                }
                continue;
            }
            if lowest[at] == depth[at] {
                let start = stack.iter().rposition(|other| *other == node).unwrap_or_default();
                for other in &stack[start..] {
                    depth[*other as usize] = DONE;
                }
                component(&stack[start..]);
                stack.truncate(start);
            }
        }
    }
}
