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
    NARROW,
    columns::WrongFile,
    files::{FourFiles, FourPlace},
    policy::{Game, MoveTarget, Node},
    solve::rounded,
};
use crate::{
    NEVER_STOP, Stop,
    answer::worth,
    board::{Color, Position, Size},
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
    let Some(values) = reach.values(limits.circle) else { return Ok(None) };
    let (alpha, solved) = (values[0].clone(), values.len());
    let lower = reach.after(position, &values)?;
    if !reach.wide && reach.game.proved(&values, Color::Black) {
        let (bid, after) = (Some(reach.game.bid(&values)), [lower.clone(), lower]);
        return Ok(Some(FourExact { beta: alpha.clone(), alpha, bid, after, solved }));
    }
    let Some(reach) = reached(Threshold::Beta)? else { return Ok(None) };
    let Some(values) = reach.values(limits.circle) else { return Ok(None) };
    // With α = β here, the best moves have the same mean for α and β. No α is above its β, so they are equal after each best move.
    let bid = (alpha == values[0]).then(|| reach.game.bid(&values));
    let after = [lower, reach.after(position, &values)?];
    Ok(Some(FourExact { alpha, beta: values[0].clone(), bid, after, solved: solved + values.len() }))
}

/// Exact α or β of a four-piece position. `None` if a file is missing or a limit is exceeded.
///
/// # Errors
/// If a file cannot be used.
pub(super) fn exact_threshold(
    table: &Table,
    files: &FourFiles,
    position: &Position,
    threshold: Threshold,
    limits: FourLimits,
) -> Result<Option<RBig>, WrongFile> {
    let mut reach = Reach::new(table, files, threshold);
    let followed = reach.follow(position, limits.reached, NEVER_STOP)?;
    Ok(followed.and_then(|()| reach.values(limits.circle)).map(|mut values| values.swap_remove(0)))
}

/// The value being computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Threshold {
    /// The lower value.
    Alpha,
    /// The upper value.
    Beta,
}

impl Threshold {
    /// The side whose labels prove the value.
    fn prover(self) -> Color {
        match self {
            Threshold::Alpha => Color::White,
            Threshold::Beta => Color::Black,
        }
    }
}

/// A search from a position.
struct Reach<'t> {
    table: &'t Table,
    files: &'t FourFiles,
    threshold: Threshold,
    numbers: HashMap<FourPlace, u32>,
    known: HashMap<FourPlace, [i128; 2]>,
    /// Positions by their number in `game`.
    positions: Vec<Position>,
    game: Game,
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
            positions: Vec::new(),
            game: Game::default(),
            wide: false,
        }
    }

    /// Proved values of all positions of the search. `None` if a limit is exceeded.
    fn values(&self, circle: usize) -> Option<Vec<RBig>> {
        self.game.settled(circle).filter(|values| self.game.proved(values, self.threshold.prover()))
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
        while next < self.positions.len() {
            if self.positions.len() > limit || stop() {
                return Ok(None);
            }
            for mover in Color::BOTH {
                let Some(moves) = self.moves(next, mover)? else { return Ok(None) };
                self.game.nodes[next].moves[mover.index()] = moves;
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
        let number = self.positions.len() as u32;
        self.numbers.insert(key, number);
        self.positions.push(position);
        self.game.nodes.push(Node { bounds, ..Node::default() });
        Ok(Some(number))
    }

    /// Targets of the moves of a side that may be best.
    fn moves(&mut self, at: usize, mover: Color) -> Result<Option<Vec<MoveTarget>>, WrongFile> {
        enum Followed {
            Four(FourPlace, Position),
            Known(RBig),
        }
        let (board, mut from) = (rules(Size::ORTHODOX), self.positions[at]);
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
