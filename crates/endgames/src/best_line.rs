//! The line of best play from a position, and the exact thresholds α_n and β_n for wins within n moves.

use dashu_int::UBig;
use dashu_ratio::RBig;
use serde::Serialize;

use super::{
    answer::move_outcomes,
    fractions::Fraction,
    move_graph::Graphs,
    position_index::{LOST, Setup, WON},
    position_query::{Question, TableCoverage},
    reference_method,
    table::Table,
};
use crate::board::Color;

/// Maximum number of moves in a line.
const MAX_LINE: usize = 200;

/// Number of moves in a line without given movers.
const ALTERNATING: usize = 40;

/// One move of a line.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LineMove {
    /// Move in UCI.
    pub uci: String,
    /// Move in SAN.
    pub san: String,
    /// Side that moves.
    #[cfg_attr(feature = "openapi", schema(value_type = crate::endgame::Side))]
    pub mover: &'static str,
    /// Value of the position after the move.
    pub value: Fraction,
}

/// Line of best play.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct OptimalLine {
    /// Moves, up to a king capture or the last given mover.
    pub moves: Vec<LineMove>,
    /// Reason why there are no moves; null if the table covers the position.
    pub reason: Option<String>,
}

/// Error in a text of movers.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("turns, character {}: {why}", at + 1)]
pub struct BadTurns {
    /// Byte offset of the error.
    pub at: usize,
    /// Reason, and the correct form.
    pub why: String,
}

/// Parses a text of movers such as `wbbw`.
pub fn turns(text: &str) -> Result<Vec<Color>, BadTurns> {
    let mut turns = Vec::with_capacity(text.len().min(MAX_LINE));
    for (at, letter) in text.char_indices() {
        if turns.len() == MAX_LINE {
            return Err(BadTurns { at, why: format!("a line has at most {MAX_LINE} moves") });
        }
        turns.push(match letter {
            'w' => Color::White,
            'b' => Color::Black,
            other => {
                return Err(BadTurns { at, why: format!("“{other}” is not a side; write w or b for each move") });
            }
        });
    }
    Ok(turns)
}

/// White and Black alternating, White first.
pub fn alternation() -> Vec<Color> {
    Color::BOTH.into_iter().cycle().take(ALTERNATING).collect()
}

/// Returns whether a move is a promotion to less than a queen.
fn is_underpromotion(uci: &str) -> bool {
    uci.len() > "a7a8".len() && !uci.ends_with('q')
}

impl Question {
    /// Line without moves, with the reason; `None` if the table of three pieces covers the position.
    pub fn without_line(&self) -> Option<OptimalLine> {
        let reason = match &self.coverage {
            TableCoverage::Covered { .. } => return None,
            TableCoverage::Over { winner } => format!("the game is over: {} has won", winner.name()),
            TableCoverage::Uncovered(_) if self.is_of_files() || self.is_of_small_board() => {
                "Lines of best play are computed for at most three pieces".to_owned()
            }
            TableCoverage::Uncovered(reason) => reason.clone(),
        };
        Some(OptimalLine { moves: Vec::new(), reason: Some(reason) })
    }

    /// Line of best play with the given movers; empty with a reason unless the table covers the position. Among equally good moves it takes the one that brings
    /// the end nearest. Ties go to a move that is not an underpromotion, then to the first by UCI text.
    pub fn mainline(&self, table: &Table, turns: &[Color]) -> OptimalLine {
        let mut moves = Vec::new();
        let mut position = self.position;
        if let Some(line) = self.without_line() {
            return line;
        }
        for mover in turns {
            let outlooks = move_outcomes(table, &position, *mover);
            let Some(first) = outlooks.first() else { continue };
            let equal = outlooks.iter().take_while(|outlook| table.compare(outlook.worth, first.worth).is_eq());
            let Some(best) = equal.min_by_key(|outlook| (outlook.label, is_underpromotion(&outlook.uci))) else {
                continue;
            };
            moves.push(LineMove {
                uci: best.uci.clone(),
                san: best.san.clone(),
                mover: mover.name(),
                value: table.formatted(best.worth).clone(),
            });
            position = best.next;
            if !matches!(super::position_query::coverage(self.size, &position), TableCoverage::Covered { .. }) {
                break;
            }
        }
        OptimalLine { moves, reason: None }
    }
}

/// Maximum n: thresholds are kept in 64 bits.
pub const MAX_HORIZON: usize = 60;

/// Thresholds of a position for every n from 0 up to the requested one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Horizon {
    /// α_n, by n.
    pub alpha: Vec<RBig>,
    /// β_n, by n.
    pub beta: Vec<RBig>,
}

impl Horizon {
    /// Computes the thresholds of a position up to `n`, which is capped at [`MAX_HORIZON`]. With `reversed`, `setup` has the colours exchanged. Takes
    /// some tens of milliseconds, and up to a second on the 8×8 board with a pawn.
    pub fn of(table: &Table, setup: Setup, reversed: bool, n: usize) -> Horizon {
        let graphs = table.graphs();
        let id = table.index().id(setup) as usize;
        let layers = graphs.up_to(id as u32).unwrap_or_default();
        let [alpha, beta] = [0, 1].map(|start| series(&graphs, layers, id, start, n.min(MAX_HORIZON)));
        if !reversed {
            return Horizon { alpha, beta };
        }
        let turned = |series: Vec<RBig>| series.into_iter().map(|share| RBig::ONE - share).collect();
        Horizon { alpha: turned(beta), beta: turned(alpha) }
    }

    /// Fraction with the least denominator between α_n and β_n for the last n: s_n in the paper (§7).
    pub fn simplest(&self) -> RBig {
        match (self.alpha.last(), self.beta.last()) {
            (Some(alpha), Some(beta)) => reference_method::simplest(alpha.clone(), beta.clone()),
            _ => RBig::ZERO,
        }
    }
}

/// Thresholds of one position from 0 to n. Every position with both kings begins at `start`.
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
