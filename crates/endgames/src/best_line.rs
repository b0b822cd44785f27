//! The line of best play from a position, and the exact thresholds α_n and β_n of what is sure within n moves.

use dashu_int::UBig;
use dashu_ratio::RBig;
use serde::Serialize;

use super::{
    answer::outlooks,
    fractions::Fraction,
    move_graph::Graphs,
    position_index::{LOST, Setup, WON},
    position_query::{Question, TableCoverage},
    reference_method,
    table::Table,
};
use crate::board::Color;

/// The greatest number of moves in a line.
const LONGEST: usize = 200;

/// The number of moves in a line whose movers were not named.
const ALTERNATING: usize = 40;

/// One move of a line.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LineMove {
    /// The move in UCI.
    pub uci: String,
    /// The move in SAN.
    pub san: String,
    /// `white` or `black`.
    pub mover: &'static str,
    /// The value of the position after the move.
    pub value: Fraction,
}

/// A line of best play.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct OptimalLine {
    /// The moves, up to the capture of a king or the end of the turns.
    pub moves: Vec<LineMove>,
}

/// A text that does not name movers.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("turns, character {}: {why}", at + 1)]
pub struct BadTurns {
    /// Offset of the wrong byte.
    pub at: usize,
    /// The fault, and what to write instead.
    pub why: String,
}

/// Reads who moves, as `wbbw`.
pub fn turns(text: &str) -> Result<Vec<Color>, BadTurns> {
    let mut turns = Vec::with_capacity(text.len().min(LONGEST));
    for (at, letter) in text.char_indices() {
        if turns.len() == LONGEST {
            return Err(BadTurns { at, why: format!("a line has at most {LONGEST} moves") });
        }
        turns.push(match letter {
            'w' => Color::White,
            'b' => Color::Black,
            other => return Err(BadTurns { at, why: format!("“{other}” is no side; write w or b for each move") }),
        });
    }
    Ok(turns)
}

/// White and Black in turn, White first.
pub fn alternation() -> Vec<Color> {
    Color::BOTH.into_iter().cycle().take(ALTERNATING).collect()
}

/// Tells whether a pawn becomes less than a queen.
fn lesser(uci: &str) -> bool {
    uci.len() > "a7a8".len() && !uci.ends_with('q')
}

impl Question {
    /// The line that arises when the movers play a best move each; among best moves one that brings the end nearest, of those
    /// a promotion to a queen or none before others, and then the first by UCI text. Empty unless the table covers the position.
    pub fn mainline(&self, table: &Table, turns: &[Color]) -> OptimalLine {
        let mut moves = Vec::new();
        let mut position = self.position;
        if !matches!(self.standing, TableCoverage::Covered { .. }) {
            return OptimalLine { moves };
        }
        for mover in turns {
            let outlooks = outlooks(table, &position, *mover);
            let Some(first) = outlooks.first() else { continue };
            let equal = outlooks.iter().take_while(|outlook| table.compare(outlook.worth, first.worth).is_eq());
            let Some(best) = equal.min_by_key(|outlook| (outlook.label, lesser(&outlook.uci))) else { continue };
            moves.push(LineMove {
                uci: best.uci.clone(),
                san: best.san.clone(),
                mover: mover.name(),
                value: table.written(best.worth).clone(),
            });
            position = best.next;
            if !matches!(super::position_query::standing(self.size, &position), TableCoverage::Covered { .. }) {
                break;
            }
        }
        OptimalLine { moves }
    }
}

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
            (Some(alpha), Some(beta)) => reference_method::simplest(alpha.clone(), beta.clone()),
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
