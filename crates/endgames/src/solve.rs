//! The exact table of a board, solved layer by layer: iterate, choose strategies, solve them exactly, improve them, certify. The approximate values
//! of the iteration only propose strategies. The table holds only values that are computed and checked exactly.

use dashu_ratio::RBig;

use super::{
    certificate::{self, Flaw, Labels},
    linear_system::{self, Equation, OUTSIDE, components},
    move_graph::{Graph, rules},
    position_index::{FIRST, Id, Index, Material, Places, WON},
    table::{Progress, Table},
    value_pool::{ONE, Pool, ValueId, ZERO},
};
use crate::board::{Board, Color, Size};

/// Failure to solve a table.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unsolved {
    /// The tables do not cover boards of this size.
    #[error("the tables cover boards from 3×3 to 8×8, not {0}")]
    Board(Size),
    /// The chosen moves form a cycle that no move leaves.
    #[error("the chosen moves of {0} never end the game")]
    Endless(Material),
    /// The strategies kept changing.
    #[error("no best strategies for {0} were found in {ROUNDS} rounds")]
    Restless(Material),
    /// The result is not a certified table.
    #[error(transparent)]
    Flaw(#[from] Flaw),
}

/// Moves whose approximate values differ by no more than this count as equal when strategies are proposed.
const TIE: f64 = 1e-12;

/// Maximum number of rounds of improvement.
const ROUNDS: usize = 100;

/// Returns whether the tables cover boards of this size.
pub fn covers(size: Size) -> bool {
    (3..=8).contains(&size.width()) && (3..=8).contains(&size.height())
}

/// Solves and certifies all positions with at most three pieces on a board.
pub fn solve(size: Size, progress: &mut dyn FnMut(Progress)) -> Result<Table, Unsolved> {
    solve_from(size, SWEEPS, progress)
}

/// Solves with `sweeps` sweeps of iteration before strategies are proposed. The table does not depend on this number.
pub fn solve_from(size: Size, sweeps: usize, progress: &mut dyn FnMut(Progress)) -> Result<Table, Unsolved> {
    solve_by(rules(size), sweeps, progress)
}

/// Solves by the moves of `board`, which may differ from the table rules. Tests use this to make tables that a verifier must reject.
pub fn solve_by(board: &Board, sweeps: usize, progress: &mut dyn FnMut(Progress)) -> Result<Table, Unsolved> {
    let size = board.size();
    if !covers(size) {
        return Err(Unsolved::Board(size));
    }
    let index = Index::new(size);
    let places = Places::new(&index, |id, _| id);
    let mut work = Work::new(index.len());
    for layer in index.layers() {
        let graph = Graph::build(board, &index, &places, layer);
        work.solve(&graph, sweeps)?;
        let bests = certificate::equations(&index, &graph, &work.pool.values, &work.ids)?;
        certificate::label(&index, &graph, &work.ids, &bests, &mut work.labels)?;
        progress(Progress::after(&index, layer));
    }
    Ok(Table::new(index, work.pool.values, work.ids, work.labels))
}

/// Moves of both sides in every position of a layer, as numbers of the next positions.
type Strategies = [Vec<Id>; 2];

/// Results so far, by position number.
struct Work {
    pool: Pool,
    ids: Vec<ValueId>,
    approximate: Vec<f64>,
    labels: Labels,
}

impl Work {
    fn new(len: usize) -> Work {
        let mut ids = vec![ZERO; len];
        let mut approximate = vec![0.5; len];
        ids[WON as usize] = ONE;
        approximate[..FIRST as usize].copy_from_slice(&[0.0, 1.0]);
        Work { pool: Pool::new(), ids, approximate, labels: certificate::blank_labels(len) }
    }

    fn solve(&mut self, graph: &Graph, sweeps: usize) -> Result<(), Unsolved> {
        iterate(graph, &mut self.approximate, sweeps);
        let mut chosen = self.propose(graph);
        for _ in 0..ROUNDS {
            self.evaluate(graph, &chosen)?;
            if !self.improve(graph, &mut chosen) {
                for id in graph.layer.ids.clone() {
                    let exact = self.pool.values.get(self.ids[id as usize]);
                    self.approximate[id as usize] = exact.to_f64_fast();
                }
                return Ok(());
            }
        }
        Err(Unsolved::Restless(graph.layer.material))
    }

    /// Chooses for each side, among the moves that look best, one that brings the end of the game nearest.
    fn propose(&mut self, graph: &Graph) -> Strategies {
        Color::BOTH.map(|player| {
            let values = &self.approximate;
            let best: Vec<f64> = (0..graph.len()).map(|at| best_approximation(graph, values, player, at)).collect();
            let good = |at: usize, id: Id| (values[id as usize] - best[at]).abs() <= TIE;
            let labels = &mut self.labels[player.index()];
            certificate::close_labels(graph, player, labels, good);
            let choose = |at: usize| {
                let options = graph.options(player, at).iter().copied();
                options.filter(|id| good(at, *id)).min_by_key(|id| labels[*id as usize])
            };
            (0..graph.len()).map(|at| choose(at).unwrap_or(graph.id(at))).collect()
        })
    }

    /// Computes the exact values of a layer for the chosen moves.
    fn evaluate(&mut self, graph: &Graph, chosen: &Strategies) -> Result<(), Unsolved> {
        let inside = |id: Id| if graph.layer.ids.contains(&id) { id - graph.layer.ids.start } else { OUTSIDE };
        let successors: Vec<[u32; 2]> =
            (0..graph.len()).map(|at| [inside(chosen[0][at]), inside(chosen[1][at])]).collect();
        let mut unknown = vec![OUTSIDE; graph.len()];
        let mut solved = true;
        components(&successors, |nodes| {
            if let [node] = nodes
                && !successors[*node as usize].contains(node)
            {
                let at = *node as usize;
                let [white, black] = [0, 1].map(|side| self.ids[chosen[side][at] as usize]);
                self.ids[graph.id(at) as usize] = self.pool.mean(white, black);
                return;
            }
            for (number, node) in nodes.iter().enumerate() {
                unknown[*node as usize] = number as u32;
            }
            let half = RBig::ONE / RBig::from(2);
            let equation = |node: &u32| {
                let mut equation = Equation::default();
                for side in [0, 1] {
                    let successor = successors[*node as usize][side];
                    if successor != OUTSIDE && unknown[successor as usize] != OUTSIDE {
                        equation.add(unknown[successor as usize], half.clone());
                    } else {
                        let known = self.ids[chosen[side][*node as usize] as usize];
                        equation.constant += &half * self.pool.values.get(known);
                    }
                }
                equation
            };
            match linear_system::solve(nodes.iter().map(equation).collect()) {
                Some(values) => {
                    for (node, value) in nodes.iter().zip(values) {
                        self.ids[graph.id(*node as usize) as usize] = self.pool.intern(value);
                    }
                }
                None => solved = false,
            }
            for node in nodes {
                unknown[*node as usize] = OUTSIDE;
            }
        });
        if solved { Ok(()) } else { Err(Unsolved::Endless(graph.layer.material)) }
    }

    /// Switches to strictly better moves, by exact comparison. Returns whether there were any.
    fn improve(&self, graph: &Graph, chosen: &mut Strategies) -> bool {
        let mut switched = false;
        for mover in Color::BOTH {
            for (at, choice) in chosen[mover.index()].iter_mut().enumerate() {
                let best = certificate::best(graph, &self.pool.values, &self.ids, mover, at);
                if best != self.ids[*choice as usize] {
                    let better = graph.options(mover, at).iter().find(|id| self.ids[**id as usize] == best);
                    *choice = better.copied().unwrap_or(*choice);
                    switched = true;
                }
            }
        }
        switched
    }
}

/// Maximum number of sweeps, even if the last digits still change.
const SWEEPS: usize = 1000;

/// Sweeps over a layer in place, in alternating direction, until nothing changes: x = (max over White's moves + min over Black's moves) / 2. On
/// entry, `values` holds the initial values of the layer and the final values of all earlier layers.
fn iterate(graph: &Graph, values: &mut [f64], sweeps: usize) {
    for sweep in 0..sweeps {
        let mut changed = false;
        for step in 0..graph.len() {
            let at = if sweep % 2 == 0 { step } else { graph.len() - 1 - step };
            let value = (best_approximation(graph, values, Color::White, at)
                + best_approximation(graph, values, Color::Black, at))
                / 2.0;
            let own = &mut values[graph.id(at) as usize];
            changed |= *own != value;
            *own = value;
        }
        if !changed {
            return;
        }
    }
}

/// Best value among `mover`'s moves: White's greatest, Black's least.
#[inline]
fn best_approximation(graph: &Graph, values: &[f64], mover: Color, at: usize) -> f64 {
    let options = graph.options(mover, at).iter().map(|id| values[*id as usize]);
    match mover {
        Color::White => options.fold(0.0, |best: f64, value| if value > best { value } else { best }),
        Color::Black => options.fold(1.0, |best: f64, value| if value < best { value } else { best }),
    }
}
