//! Exact values of single four-piece positions.
//!
//! The search follows only those moves that may be best by the proved bounds. Among the positions reached, it fixes moves, computes the resulting
//! values x as fractions, and switches to better moves until there are none. Then x is everywhere the mean of the best moves followed. No other
//! move is better, because x lies within the proved bounds of its own position.
//!
//! x is α if White has labels wherever x > 0. A position has a label if one of White's best moves leads to a labelled position or out of the
//! reached set, or if all of Black's moves do. White plays best moves towards the end and so keeps x on average until the game leaves the reached
//! set, which it does with probability 1. If it leaves by a move that was not followed, α is at least as large as needed. So x ≤ α. Conversely, let
//! z be x in the reached set and α elsewhere. Then z ≤ α and Φ(z) ≤ z. Since α is the least such function, α ≤ x. For β, reverse the colours.

use std::collections::HashMap;

use dashu_ratio::RBig;

use super::{
    NARROW, ONE,
    columns::WrongFile,
    files::{FourFiles, FourPlace},
    solve::rounded,
};
use crate::{
    Stop,
    answer::worth,
    board::{Color, Position, Size},
    linear_system::{Equation, OUTSIDE, components, solve},
    move_graph::rules,
    table::Table,
};

/// Limits of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FourLimits {
    /// Maximum number of positions reached.
    pub reached: usize,
    /// Maximum number of them that lead to each other by the chosen moves.
    pub circle: usize,
}

impl FourLimits {
    /// Limits of a search that takes a few seconds.
    pub const BRIEF: FourLimits = FourLimits { reached: 20_000, circle: 300 };
}

/// Exact α and β of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FourExact {
    /// The lower value α.
    pub alpha: RBig,
    /// The upper value β.
    pub beta: RBig,
    /// (max over White's moves − min over Black's moves) / 2, if α = β.
    pub bid: Option<RBig>,
    /// α and β after the moves where the search found them, by the position after the move.
    pub(super) after: [HashMap<FourPlace, RBig>; 2],
    /// Number of positions solved for α and β together.
    pub solved: usize,
}

/// Exact α and β of a four-piece position. `None` if a file is missing, a limit is exceeded, or `stop` returns true.
///
/// # Errors
/// If a file cannot be used.
pub(super) fn thresholds(
    table: &Table,
    files: &FourFiles,
    position: &Position,
    limits: FourLimits,
    stop: Stop,
) -> Result<Option<FourExact>, WrongFile> {
    let reached = |threshold| -> Result<Option<Reach<'_>>, WrongFile> {
        let mut reach = Reach::new(table, files, threshold);
        Ok(reach.follow(position, limits.reached, stop)?.map(|()| reach))
    };
    let Some(reach) = reached(Threshold::Alpha)? else { return Ok(None) };
    let Some(values) = reach.settled(limits.circle).filter(|values| reach.proved(values, Color::White)) else {
        return Ok(None);
    };
    let (alpha, solved) = (values[0].clone(), values.len());
    let lower = reach.after(position, &values)?;
    if !reach.wide && reach.proved(&values, Color::Black) {
        let (bid, after) = (Some(reach.bid(&values)), [lower.clone(), lower]);
        return Ok(Some(FourExact { beta: alpha.clone(), alpha, bid, after, solved }));
    }
    let Some(reach) = reached(Threshold::Beta)? else { return Ok(None) };
    let found = reach.settled(limits.circle).filter(|values| reach.proved(values, Color::Black));
    let Some(values) = found else { return Ok(None) };
    // With α = β here, the best moves have the same mean for α and β. No α is above its β, so they are equal after each best move.
    let bid = (alpha == values[0]).then(|| reach.bid(&values));
    let after = [lower, reach.after(position, &values)?];
    Ok(Some(FourExact { alpha, beta: values[0].clone(), bid, after, solved: solved + values.len() }))
}

/// The value being computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Threshold {
    Alpha,
    Beta,
}

/// Target of a move.
#[derive(Clone, Debug)]
enum MoveTarget {
    /// A position in the search, by its number.
    Reached(u32),
    /// A known value.
    Known(RBig),
}

/// A position in the search.
struct Node {
    position: Position,
    bounds: [i128; 2],
    /// Moves of White and of Black that may be best.
    moves: [Vec<MoveTarget>; 2],
}

/// A search from a position.
struct Reach<'t> {
    table: &'t Table,
    files: &'t FourFiles,
    threshold: Threshold,
    numbers: HashMap<FourPlace, u32>,
    known: HashMap<FourPlace, [i128; 2]>,
    nodes: Vec<Node>,
    /// Set if the bounds of some position are so wide that α and β may differ there.
    wide: bool,
}

impl<'t> Reach<'t> {
    fn new(table: &'t Table, files: &'t FourFiles, threshold: Threshold) -> Self {
        Reach {
            table,
            files,
            threshold,
            numbers: HashMap::new(),
            known: HashMap::new(),
            nodes: Vec::new(),
            wide: false,
        }
    }

    /// Values after the moves of both sides in a position, where the search has them.
    fn after(&self, position: &Position, values: &[RBig]) -> Result<HashMap<FourPlace, RBig>, WrongFile> {
        let (board, mut from) = (rules(Size::ORTHODOX), *position);
        let mut found = HashMap::new();
        for mover in Color::BOTH {
            from.turn = mover;
            for mv in board.moves(&from) {
                let Some((key, _)) = self.files.canonical(&board.after(&from, mv))? else { continue };
                if let Some(number) = self.numbers.get(&key) {
                    found.insert(key, values[*number as usize].clone());
                }
            }
        }
        Ok(found)
    }

    /// Bounds of α or β in a four-piece position.
    fn bounds(&mut self, key: FourPlace, position: &Position) -> Result<Option<[i128; 2]>, WrongFile> {
        if let Some(known) = self.known.get(&key) {
            return Ok(Some(*known));
        }
        let Some([alpha, beta]) = self.files.bounds(position)? else { return Ok(None) };
        self.wide |= beta[1] - alpha[0] > i128::from(NARROW);
        let bounds = match self.threshold {
            Threshold::Alpha => alpha,
            Threshold::Beta => beta,
        };
        self.known.insert(key, bounds);
        Ok(Some(bounds))
    }

    /// Adds a position and everything reached from it. `None` if a limit is exceeded, a file is missing, or `stop` returns true.
    fn follow(&mut self, from: &Position, limit: usize, stop: Stop) -> Result<Option<()>, WrongFile> {
        let Some((key, position)) = self.files.canonical(from)? else { return Ok(None) };
        if self.add(key, position)?.is_none() {
            return Ok(None);
        }
        let mut next = 0;
        while next < self.nodes.len() {
            if self.nodes.len() > limit || stop() {
                return Ok(None);
            }
            for mover in Color::BOTH {
                let Some(moves) = self.moves(next, mover)? else { return Ok(None) };
                self.nodes[next].moves[mover.index()] = moves;
            }
            next += 1;
        }
        Ok(Some(()))
    }

    fn add(&mut self, key: FourPlace, position: Position) -> Result<Option<u32>, WrongFile> {
        if let Some(number) = self.numbers.get(&key) {
            return Ok(Some(*number));
        }
        let Some(bounds) = self.bounds(key, &position)? else { return Ok(None) };
        let number = self.nodes.len() as u32;
        self.numbers.insert(key, number);
        self.nodes.push(Node { position, bounds, moves: [Vec::new(), Vec::new()] });
        Ok(Some(number))
    }

    /// Targets of the moves of a side that may be best.
    fn moves(&mut self, at: usize, mover: Color) -> Result<Option<Vec<MoveTarget>>, WrongFile> {
        enum Followed {
            Four(FourPlace, Position),
            Known(RBig),
        }
        let (board, mut from) = (rules(Size::ORTHODOX), self.nodes[at].position);
        from.turn = mover;
        let mut found: Vec<(Followed, [i128; 2])> = Vec::new();
        for mv in board.moves(&from) {
            let after = board.after(&from, mv);
            if let Some(worth) = worth(self.table, &after) {
                let exact = self.table.exact(worth);
                let bounds = rounded(&exact).map(i128::from);
                found.push((Followed::Known(exact), bounds));
            } else {
                let Some((key, position)) = self.files.canonical(&after)? else { return Ok(None) };
                let Some(bounds) = self.bounds(key, &position)? else { return Ok(None) };
                found.push((Followed::Four(key, position), bounds));
            }
        }
        let all = || found.iter().map(|(_, bounds)| bounds);
        let (least, most) = match mover {
            Color::White => (all().map(|bounds| bounds[0]).max(), None),
            Color::Black => (None, all().map(|bounds| bounds[1]).min()),
        };
        found.retain(|(_, bounds)| {
            least.is_none_or(|least| bounds[1] >= least) && most.is_none_or(|most| bounds[0] <= most)
        });
        let mut leads = Vec::new();
        for (found, _) in found {
            leads.push(match found {
                Followed::Known(value) => MoveTarget::Known(value),
                Followed::Four(key, position) => match self.add(key, position)? {
                    Some(number) => MoveTarget::Reached(number),
                    None => return Ok(None),
                },
            });
        }
        Ok(Some(leads))
    }
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

impl Reach<'_> {
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
    fn bid(&self, values: &[RBig]) -> RBig {
        let best = |side| self.best(values, side, 0);
        (best(Color::White) - best(Color::Black)) / RBig::from(2)
    }

    /// Values that are everywhere the mean of the best moves. `None` if the limits are exceeded.
    fn settled(&self, circle: usize) -> Option<Vec<RBig>> {
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
    fn proved(&self, values: &[RBig], player: Color) -> bool {
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
