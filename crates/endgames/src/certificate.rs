//! The certificate of a table: every equation holds exactly, and both players can end every game with best moves alone.
//!
//! The equations make the values a Richman function x, so α ≤ x ≤ β. By Proposition 2 of Larsson and Wästlund the labels of T then prove α = x. With
//! the colours exchanged, the labels of T′ prove β = x.
//!
//! T and T′ are the sets of Larsson and Wästlund, §8. A label is the number of moves within which a player can end the game with good moves alone
//! and a lucky coin. A terminal position has label 0. A position has label n + 1 if the player has a good move to a position labelled at most n, or
//! if all moves of the opponent reach such positions. From a labelled position the player can end the game with probability 1 without ever making a
//! worse move.

use super::{
    move_graph::Graph,
    position_index::{FIRST, Id, Index, Setup},
    value_pool::{ValueId, Values},
};
use crate::board::Color;

/// Flaw in a table.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Flaw {
    /// A position with a captured king has a value other than 0 or 1.
    #[error("the two finished games must have the values 0 and 1")]
    Terminal,
    /// The digest does not match the contents of the table.
    #[error("the digest does not match the table")]
    Digest,
    /// A value is not the mean of the best moves' values.
    #[error("the value of {0:?} is not the mean of its best moves")]
    Equation(Setup),
    /// A label differs from the computed closure.
    #[error("the label of {0:?} for {1:?} does not follow from its moves")]
    Label(Setup, Color),
    /// A player cannot force the end with best moves alone.
    #[error("{1:?} cannot end the game from {0:?} with best moves alone")]
    Endless(Setup, Color),
}

/// Value of the best move of `mover`, by exact comparison.
pub(super) fn best(graph: &Graph, values: &Values, ids: &[ValueId], mover: Color, at: usize) -> ValueId {
    let better = match mover {
        Color::White => std::cmp::Ordering::Greater,
        Color::Black => std::cmp::Ordering::Less,
    };
    let mut options = graph.options(mover, at).iter().map(|id| ids[*id as usize]);
    let first = options.next().unwrap_or_default();
    options.fold(first, |best, value| if values.cmp(value, best) == better { value } else { best })
}

/// Checks every equation of a layer exactly. Returns the values of the best moves of White and of Black.
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

/// Labels a layer whose equations hold. Good moves are those with exactly the best value.
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
        close_labels(graph, player, own, |at, id| ids[id as usize] == best[at]);
        if let Some(id) = graph.layer.ids.clone().find(|id| own[*id as usize] == NEVER) {
            return Err(Flaw::Endless(index.setup(&graph.layer, id), player));
        }
    }
    Ok(())
}

/// Compares the computed labels of a layer with the stored ones.
pub(super) fn same_labels(index: &Index, graph: &Graph, found: &Labels, stored: &Labels) -> Result<(), Flaw> {
    for player in Color::BOTH {
        let differs = |id: &Id| found[player.index()][*id as usize] != stored[player.index()][*id as usize];
        if let Some(id) = graph.layer.ids.clone().find(differs) {
            return Err(Flaw::Label(index.setup(&graph.layer, id), player));
        }
    }
    Ok(())
}

/// Label of a position from which the player cannot force the end with good moves.
pub(super) const NEVER: u16 = u16::MAX;

/// Labels for White (T) and Black (T′), by position number.
pub(super) type Labels = [Vec<u16>; 2];

/// Initial labels: 0 for terminal positions and [`NEVER`] for all others.
pub(super) fn blank_labels(len: usize) -> Labels {
    let mut labels = vec![NEVER; len];
    labels[..FIRST as usize].fill(0);
    [labels.clone(), labels]
}

/// Labels a layer for `player`; `good` selects the player's good moves. Earlier layers must have labels already.
pub(super) fn close_labels(graph: &Graph, player: Color, labels: &mut [u16], good: impl Fn(usize, Id) -> bool) {
    let highest = labels[..graph.layer.ids.start as usize].iter().filter(|label| **label != NEVER).max().copied();
    labels[graph.layer.ids.start as usize..graph.layer.ids.end as usize].fill(NEVER);
    let mut open: Vec<u32> = (0..graph.len() as u32).collect();
    for label in 1..NEVER {
        let before = open.len();
        open.retain(|at| {
            let at = *at as usize;
            let known = |id: Id| labels[id as usize] < label;
            let ends = graph.options(player, at).iter().any(|id| known(*id) && good(at, *id))
                || graph.options(!player, at).iter().all(|id| known(*id));
            if ends {
                labels[graph.id(at) as usize] = label;
            }
            !ends
        });
        if open.is_empty() || (open.len() == before && highest.is_none_or(|highest| highest < label)) {
            return;
        }
    }
}
