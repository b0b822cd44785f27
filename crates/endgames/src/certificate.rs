//! The proof that a table is right: every equation holds exactly, and both players can end every game with best moves alone.
//!
//! The equations make the values a Richman function x, so α ≤ x ≤ β. By Proposition 2 of Larsson and Wästlund the labels of T
//! then show α = x and, with the colours changed, those of T′ show β = x.

use super::{
    graph::Graph,
    index::{Id, Index, Setup},
    labels::{self, Labels, NEVER},
    values::{ValueId, Values},
};
use crate::board::Color;

/// A flaw in a table.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Flaw {
    /// A position without one of the kings has a value other than 0 or 1.
    #[error("captured kings do not count 0 and 1")]
    Terminal,
    /// The table is not the one that its digest was taken of.
    #[error("the table does not have the digest it is known by")]
    Digest,
    /// A value is not the mean of the best options.
    #[error("the value of {0:?} is not the mean of the best options")]
    Equation(Setup),
    /// A label is not what the closure gives.
    #[error("the label of {0:?} for {1:?} does not follow from its options")]
    Label(Setup, Color),
    /// A player cannot force the end with best moves alone.
    #[error("{1:?} cannot end the game from {0:?} with best moves alone")]
    Endless(Setup, Color),
}

/// The value of the best option of `mover`, by exact comparison.
pub(super) fn best(graph: &Graph, values: &Values, ids: &[ValueId], mover: Color, at: usize) -> ValueId {
    let better = match mover {
        Color::White => std::cmp::Ordering::Greater,
        Color::Black => std::cmp::Ordering::Less,
    };
    let mut options = graph.options(mover, at).iter().map(|id| ids[*id as usize]);
    let first = options.next().unwrap_or_default();
    options.fold(first, |best, value| if values.cmp(value, best) == better { value } else { best })
}

/// Checks every equation of a layer exactly. Gives the values of the best options of White and of Black.
pub(super) fn equations(
    index: &Index,
    graph: &Graph,
    values: &Values,
    ids: &[ValueId],
) -> Result<[Vec<ValueId>; 2], Flaw> {
    let bests = Color::BOTH.map(|mover| (0..graph.len()).map(|at| best(graph, values, ids, mover, at)).collect());
    let [white, black]: &[Vec<ValueId>; 2] = &bests;
    let mut held = std::collections::HashSet::new();
    for at in 0..graph.len() {
        let value = ids[graph.id(at) as usize];
        if held.insert((value, white[at], black[at])) && !values.is_mean(value, white[at], black[at]) {
            return Err(Flaw::Equation(index.setup(&graph.layer, graph.id(at))));
        }
    }
    Ok(bests)
}

/// Labels a layer whose equations hold: good moves are those to exactly the best value.
pub(super) fn label(
    index: &Index,
    graph: &Graph,
    ids: &[ValueId],
    bests: &[Vec<ValueId>; 2],
    labels: &mut Labels,
) -> Result<(), Flaw> {
    for player in Color::BOTH {
        let best = &bests[player.index()];
        let own = &mut labels[player.index()];
        labels::close(graph, player, own, |at, id| ids[id as usize] == best[at]);
        if let Some(id) = graph.layer.ids.clone().find(|id| own[*id as usize] == NEVER) {
            return Err(Flaw::Endless(index.setup(&graph.layer, id), player));
        }
    }
    Ok(())
}

/// Compares the labels of a layer with those of a table.
pub(super) fn same_labels(index: &Index, graph: &Graph, found: &Labels, stored: &Labels) -> Result<(), Flaw> {
    for player in Color::BOTH {
        let differs = |id: &Id| found[player.index()][*id as usize] != stored[player.index()][*id as usize];
        if let Some(id) = graph.layer.ids.clone().find(differs) {
            return Err(Flaw::Label(index.setup(&graph.layer, id), player));
        }
    }
    Ok(())
}
