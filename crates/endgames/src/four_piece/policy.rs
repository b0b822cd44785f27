//! Exact values x of a set of positions and the moves followed from them: x is everywhere the mean of the best moves.

use dashu_ratio::RBig;

use super::ONE;
use crate::{
    board::Color,
    linear_system::{Equation, OUTSIDE, components, solve},
};

/// Target of a move.
#[derive(Clone, Debug)]
pub(super) enum MoveTarget {
    /// A position in the search, by its number.
    Reached(u32),
    /// A known value.
    Known(RBig),
}

/// A position of the set.
#[derive(Default)]
pub(super) struct Node {
    /// Bounds of its value, in multiples of 2⁻⁶³.
    pub(super) bounds: [i128; 2],
    /// Moves of White and of Black that may be best.
    pub(super) moves: [Vec<MoveTarget>; 2],
}

/// A set of positions with the moves followed.
#[derive(Default)]
pub(super) struct Game {
    pub(super) nodes: Vec<Node>,
}

/// Maximum number of rounds of policy improvement.
const ROUNDS: usize = 100;

/// Strategies of both sides: the index of the chosen move in every position.
type Chosen = [Vec<usize>; 2];

fn value<'v>(values: &'v [RBig], lead: &'v MoveTarget) -> &'v RBig {
    match lead {
        MoveTarget::Reached(number) => &values[*number as usize],
        MoveTarget::Known(value) => value,
    }
}

impl Game {
    /// Labels of a player over the moves that `good` accepts; `u32::MAX` where there is none.
    fn labels(
        &self,
        player: Color,
        ended: impl Fn(usize) -> bool,
        good: impl Fn(usize, &MoveTarget) -> bool,
    ) -> Vec<u32> {
        let mut labels: Vec<u32> = (0..self.nodes.len()).map(|at| if ended(at) { 0 } else { u32::MAX }).collect();
        for label in 1.. {
            let known = |lead: &MoveTarget| match lead {
                MoveTarget::Reached(number) => labels[*number as usize] < label,
                MoveTarget::Known(_) => true,
            };
            let ends = |at: &usize| {
                let node = &self.nodes[*at];
                node.moves[player.index()].iter().any(|lead| good(*at, lead) && known(lead))
                    || node.moves[(!player).index()].iter().all(known)
            };
            let grown: Vec<usize> = (0..labels.len()).filter(|at| labels[*at] == u32::MAX).filter(ends).collect();
            if grown.is_empty() {
                return labels;
            }
            grown.into_iter().for_each(|at| labels[at] = label);
        }
        labels
    }

    /// Values of the chosen moves. `None` if some of them never end the game, or if more than `circle` positions lead to each other.
    fn evaluate(&self, chosen: &Chosen, circle: usize) -> Option<Vec<RBig>> {
        let half = RBig::ONE / RBig::from(2);
        let lead = |at: usize, side: usize| &self.nodes[at].moves[side][chosen[side][at]];
        let inside = |at: usize, side: usize| match lead(at, side) {
            MoveTarget::Reached(number) => *number,
            MoveTarget::Known(_) => OUTSIDE,
        };
        let successors: Vec<[u32; 2]> = (0..self.nodes.len()).map(|at| [0, 1].map(|side| inside(at, side))).collect();
        let (mut values, mut unknown) = (vec![RBig::ZERO; self.nodes.len()], vec![OUTSIDE; self.nodes.len()]);
        let mut solved = true;
        components(&successors, |nodes| {
            if !solved || nodes.len() > circle {
                solved = false;
                return;
            }
            for (number, node) in nodes.iter().enumerate() {
                unknown[*node as usize] = number as u32;
            }
            let equation = |node: &u32| {
                let mut equation = Equation::default();
                for side in [0, 1] {
                    match lead(*node as usize, side) {
                        MoveTarget::Known(value) => equation.constant += &half * value,
                        MoveTarget::Reached(number) => match unknown[*number as usize] {
                            OUTSIDE => equation.constant += &half * &values[*number as usize],
                            own => equation.add(own, half.clone()),
                        },
                    }
                }
                equation
            };
            match solve(nodes.iter().map(equation).collect()) {
                Some(found) => nodes.iter().zip(found).for_each(|(node, value)| values[*node as usize] = value),
                None => solved = false,
            }
            for node in nodes {
                unknown[*node as usize] = OUTSIDE;
            }
        });
        solved.then_some(values)
    }

    /// Best value that a side can reach.
    fn best<'v>(&'v self, values: &'v [RBig], side: Color, at: usize) -> &'v RBig {
        let all = self.nodes[at].moves[side.index()].iter().map(|lead| value(values, lead));
        match side {
            Color::White => all.max(),
            Color::Black => all.min(),
        }
        .unwrap_or(&values[at])
    }

    /// (max over White's moves − min over Black's) / 2 in the first position.
    pub(super) fn bid(&self, values: &[RBig]) -> RBig {
        let best = |side| self.best(values, side, 0);
        (best(Color::White) - best(Color::Black)) / RBig::from(2)
    }

    /// Values that are everywhere the mean of the best moves. `None` if the limits are exceeded.
    pub(super) fn settled(&self, circle: usize) -> Option<Vec<RBig>> {
        let mut chosen = Color::BOTH.map(|player| {
            let labels = self.labels(player, |_| false, |_, _| true);
            let near = |lead: &MoveTarget| match lead {
                MoveTarget::Reached(number) => labels[*number as usize],
                MoveTarget::Known(_) => 0,
            };
            let choose = |node: &Node| {
                let moves = node.moves[player.index()].iter().enumerate();
                moves.min_by_key(|(_, lead)| near(lead)).map_or(0, |(number, _)| number)
            };
            self.nodes.iter().map(choose).collect::<Vec<usize>>()
        });
        for _ in 0..ROUNDS {
            let values = self.evaluate(&chosen, circle)?;
            let mut switched = false;
            for side in Color::BOTH {
                for (at, node) in self.nodes.iter().enumerate() {
                    let (best, moves) = (self.best(&values, side, at), &node.moves[side.index()]);
                    let choice = &mut chosen[side.index()][at];
                    if value(&values, &moves[*choice]) != best {
                        *choice = moves.iter().position(|lead| value(&values, lead) == best).unwrap_or(*choice);
                        switched = true;
                    }
                }
            }
            if !switched {
                return Some(values);
            }
        }
        None
    }

    /// Returns whether the values lie within the bounds of their positions and are proved: α by White's labels, β by Black's.
    pub(super) fn proved(&self, values: &[RBig], player: Color) -> bool {
        let one = RBig::from(ONE);
        let within = |(node, value): (&Node, &RBig)| {
            let scaled = value * &one;
            RBig::from(node.bounds[0]) <= scaled && scaled <= RBig::from(node.bounds[1])
        };
        let over = match player {
            Color::White => RBig::ZERO,
            Color::Black => RBig::ONE,
        };
        let good = |at: usize, lead: &MoveTarget| value(values, lead) == self.best(values, player, at);
        self.nodes.iter().zip(values).all(within)
            && self.labels(player, |at| values[at] == over, good).iter().all(|label| *label != u32::MAX)
    }
}
