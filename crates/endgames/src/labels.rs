//! Labels: how soon a player can force the end of the game with good moves alone, by the sets T and T′ of Larsson and Wästlund, §8.
//!
//! A terminal position has label 0. A position has label n + 1 if the player has a good move to a position labelled at most n, or
//! if all moves of the other side lead to such positions. From a labelled position the player can end the game with probability
//! 1 without ever making a worse move.

use super::{
    graph::Graph,
    index::{FIRST, Id},
};
use crate::board::Color;

/// The label of a position from which the player cannot force the end with good moves.
pub(super) const NEVER: u16 = u16::MAX;

/// Labels for White (T) and Black (T′), by the numbers of the positions.
pub(super) type Labels = [Vec<u16>; 2];

/// Labels in which the terminal positions have 0 and all others none.
pub(super) fn blank(len: usize) -> Labels {
    let mut labels = vec![NEVER; len];
    labels[..FIRST as usize].fill(0);
    [labels.clone(), labels]
}

/// Labels a layer for `player`, whose good moves `good` tells; earlier layers must be labelled already.
pub(super) fn close(graph: &Graph, player: Color, labels: &mut [u16], good: impl Fn(usize, Id) -> bool) {
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
