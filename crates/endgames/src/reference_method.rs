//! The method of Larsson and Wästlund (§§5–8), unchanged: iterate big integers n times and guess simplest fractions. It shares only the numbering
//! and the moves with the tables. It is their test oracle and the baseline of their speed.

use dashu_int::UBig;
use dashu_ratio::RBig;

use super::{
    move_graph::{Graph, rules},
    position_index::{FIRST, Id, Index, Layer, Material, Places, Setup, WON},
};
use crate::board::{Color, Size};

/// Thresholds α_n and β_n of all positions of some materials, as whole numbers over 2^n.
pub struct Thresholds {
    index: Index,
    graphs: Vec<Graph>,
    n: usize,
    /// α_n, by position number.
    lower: Vec<UBig>,
    /// β_n, by position number.
    upper: Vec<UBig>,
}

impl Thresholds {
    /// Thresholds for n = 0. Promotions to materials other than `materials` are left out.
    pub fn new(size: Size, materials: &[Material]) -> Thresholds {
        let index = Index::new(size);
        let places = Places::new(&index, |id, _| id);
        let wanted = |layer: &&Layer| materials.contains(&layer.material);
        let build = |layer: &Layer| {
            let mut graph = Graph::build(rules(size), &index, &places, layer);
            let known =
                |id: Id| id < FIRST || index.layers().iter().filter(wanted).any(|layer| layer.ids.contains(&id));
            graph.keep(known);
            graph
        };
        let graphs = index.layers().iter().filter(wanted).map(build).collect();
        let mut lower = vec![UBig::ZERO; index.len()];
        let mut upper = vec![UBig::ZERO; index.len()];
        for graph in &graphs {
            let graph: &Graph = graph;
            upper[graph.layer.ids.start as usize..graph.layer.ids.end as usize].fill(UBig::ONE);
        }
        lower[WON as usize] = UBig::ONE;
        upper[WON as usize] = UBig::ONE;
        Thresholds { index, graphs, n: 0, lower, upper }
    }

    /// Number n of iterations so far.
    pub fn n(&self) -> usize {
        self.n
    }

    /// Advances from n to n + 1 by equation (2): α_{n+1}(P) = (max over White's moves of α_n + min over Black's moves of α_n) / 2, and the same for
    /// β.
    pub fn step(&mut self) {
        for values in [&mut self.lower, &mut self.upper] {
            let next: Vec<Vec<UBig>> =
                self.graphs.iter().map(|graph| (0..graph.len()).map(|at| sum(graph, values, at)).collect()).collect();
            for (graph, next) in self.graphs.iter().zip(next) {
                for (at, value) in next.into_iter().enumerate() {
                    values[graph.id(at) as usize] = value;
                }
            }
            values[WON as usize] <<= 1;
        }
        self.n += 1;
    }

    /// Positions with their α_n and β_n.
    pub fn positions(&self) -> impl Iterator<Item = (Setup, RBig, RBig)> {
        let one = UBig::ONE << self.n;
        let bound = move |value: &UBig| RBig::from_parts(value.clone().into(), one.clone());
        self.graphs.iter().flat_map(|graph| graph.layer.ids.clone().map(move |id| (graph, id))).map(
            move |(graph, id)| {
                let setup = self.index.setup(&graph.layer, id);
                (setup, bound(&self.lower[id as usize]), bound(&self.upper[id as usize]))
            },
        )
    }

    /// Number of equations that the guesses s_n violate.
    pub fn violated(&self) -> usize {
        let mut guesses = vec![RBig::ZERO; self.index.len()];
        guesses[WON as usize] = RBig::ONE;
        let ids = self.graphs.iter().flat_map(|graph| graph.layer.ids.clone());
        for (id, (_, lower, upper)) in ids.zip(self.positions()) {
            guesses[id as usize] = simplest(lower, upper);
        }
        let wrong = |graph: &Graph, at: usize| {
            let options = |mover| graph.options(mover, at).iter().map(|id| &guesses[*id as usize]);
            let sum = options(Color::White).max().zip(options(Color::Black).min()).map(|(white, black)| white + black);
            sum != Some(&guesses[graph.id(at) as usize] * RBig::from(2))
        };
        self.graphs.iter().map(|graph| (0..graph.len()).filter(|at| wrong(graph, *at)).count()).sum()
    }
}

fn sum(graph: &Graph, values: &[UBig], at: usize) -> UBig {
    let options = |mover| graph.options(mover, at).iter().map(|id| &values[*id as usize]);
    let bests = options(Color::White).max().zip(options(Color::Black).min());
    bests.map_or(UBig::ZERO, |(white, black)| white + black)
}

/// Fraction with the least denominator between two bounds, both included.
pub fn simplest(lower: RBig, upper: RBig) -> RBig {
    let inner = RBig::simplest_in(lower.clone(), upper.clone());
    [lower, upper]
        .into_iter()
        .fold(inner, |best, bound| if bound.denominator() < best.denominator() { bound } else { best })
}
