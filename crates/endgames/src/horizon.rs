//! What is sure within n moves, exactly: α_n, the share of the money below which Black's purse must be so that White takes the king within
//! n moves, and β_n, that above which Black takes the white one (Larsson and Wästlund, “Endgames in bidding chess”, §5, equation 2). With a fair
//! coin they are White's chance to have won after n moves, and one minus Black's. As whole numbers over 2^n.

use dashu_int::UBig;
use dashu_ratio::RBig;

use super::{
    graph::Graphs,
    index::{LOST, Setup, WON},
    paper,
    table::Table,
};
use crate::board::Color;

/// The greatest n: thresholds are kept in 64 bits.
pub const FURTHEST: usize = 60;

/// The thresholds of a position for every n from 0 to the one that was asked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Horizon {
    /// α_n.
    pub alpha: Vec<RBig>,
    /// β_n.
    pub beta: Vec<RBig>,
}

impl Horizon {
    /// The thresholds of a position of a table up to n, at most [`FURTHEST`]; if it is reversed, the setup has White's and Black's sides
    /// exchanged. Computes for some tens of milliseconds, on the ordinary board with a pawn for up to a second.
    pub fn of(table: &Table, setup: Setup, reversed: bool, n: usize) -> Horizon {
        let graphs = table.graphs();
        let id = table.index().id(setup) as usize;
        let layers = graphs.up_to(id as u32).unwrap_or_default();
        let [alpha, beta] = [0, 1].map(|start| series(&graphs, layers, id, start, n.min(FURTHEST)));
        if !reversed {
            return Horizon { alpha, beta };
        }
        let turned = |series: Vec<RBig>| series.into_iter().map(|share| RBig::ONE - share).collect();
        Horizon { alpha: turned(beta), beta: turned(alpha) }
    }

    /// The fraction with the least denominator between α_n and β_n for the last n: the paper's s_n (§7).
    pub fn simplest(&self) -> RBig {
        match (self.alpha.last(), self.beta.last()) {
            (Some(alpha), Some(beta)) => paper::simplest(alpha.clone(), beta.clone()),
            _ => RBig::ZERO,
        }
    }
}

/// The thresholds of one position from 0 to n, where all positions in which both kings stand start from `start`.
fn series(graphs: &Graphs, layers: usize, id: usize, start: u64, n: usize) -> Vec<RBig> {
    let mut level = vec![start; graphs.ids()];
    (level[LOST as usize], level[WON as usize]) = (0, 1);
    let mut next = level.clone();
    let mut found = Vec::with_capacity(n + 1);
    for step in 0..=n {
        found.push(RBig::from_parts(level[id].into(), UBig::ONE << step));
        if step == n {
            break;
        }
        for graph in graphs.needed(layers) {
            for at in 0..graph.len() {
                let options = |mover| graph.options(mover, at).iter().map(|id| level[*id as usize]);
                let white = options(Color::White).max().unwrap_or_default();
                let black = options(Color::Black).min().unwrap_or_default();
                next[graph.id(at) as usize] = white + black;
            }
        }
        next[WON as usize] = level[WON as usize] * 2;
        std::mem::swap(&mut level, &mut next);
    }
    found
}
