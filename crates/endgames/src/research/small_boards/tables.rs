//! Bounds of all positions of a board with up to a number of pieces.
//!
//! With Φ(x) = (max over White's moves + min over Black's) / 2 rounded down, an iteration that grows from 0 stays below α, the least solution of x
//! = Φ(x). Rounded up, an iteration that shrinks from 1 stays above β, the greatest solution. The order of the positions does not matter, because Φ
//! is monotone. From the other side, any z ≥ Φ(z) bounds α from above, and any y ≤ Φ(y) bounds β from below. Every mean is rounded outward.

use std::{
    collections::HashMap,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    thread,
};

use super::{
    index::Numbering,
    move_generation::{Bounds, Candidates, Steps, down, narrow, up},
    placement::{PieceCounts, Placement},
};
use crate::{
    bidding_mechanism::ONE,
    board::{Color, Position, Size},
    four_piece::Sharpness,
    move_graph::rules,
    table::Table,
};

/// Number of pieces up to which α = β everywhere: the exact tables prove it.
pub(super) const EXACT: usize = 3;

/// Memory of a decision, in bytes for each position.
const DECISION: u64 = 300;

/// Bounds of all positions of one material.
pub(super) struct Solved {
    pub(super) numbering: Numbering,
    /// Number of the first position, counted over all materials.
    pub(super) first: usize,
    /// Indexes of the positions, ascending.
    pub(super) stands: Vec<u32>,
    /// Bounds of the positions, in the same order.
    pub(super) bounds: Vec<Bounds>,
    /// Relations of α and β, in the same order.
    pub(super) states: Vec<Sharpness>,
    /// Moves that may be best, if the material is decided.
    pub(super) candidates: Option<Candidates>,
}

/// Progress report: a material that has been solved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SmallProgress {
    /// The material.
    pub forces: PieceCounts,
    /// Number of materials solved so far.
    pub done: usize,
    /// Number of materials with this number of pieces.
    pub total: usize,
}

/// Reason why a board was not solved.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unenclosed {
    /// The bounds did not converge.
    #[error("the bounds of {0} do not converge")]
    Restless(PieceCounts),
    /// The positions cannot be numbered with 32 bits.
    #[error("{0} has more than 4,294,967,295 positions: try fewer pieces or a smaller board")]
    TooMany(PieceCounts),
}

/// Bounds of all positions of a board with up to a number of pieces. White has the stronger material.
pub struct SmallTables {
    pub(super) size: Size,
    pub(super) known: HashMap<PieceCounts, Solved>,
    pieces: usize,
    /// Number of pieces up to which α = β is decided.
    pub(super) decided: usize,
    /// Number of the next position, counted over all materials. Number 0 is the game that is over.
    pub(super) next: usize,
}

/// Bounds of a placement after reversing colours.
pub(super) fn reversed([alpha_low, alpha_high, beta_low, beta_high]: Bounds) -> Bounds {
    [beta_high, beta_low, alpha_high, alpha_low].map(|bound| ONE - bound)
}

impl SmallTables {
    /// Empty tables for a board.
    pub fn new(size: Size) -> SmallTables {
        SmallTables { size, known: HashMap::new(), pieces: 1, decided: EXACT, next: 1 }
    }

    /// Board size.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Number of pieces up to which everything is solved.
    pub fn pieces(&self) -> usize {
        self.pieces
    }

    /// Placement of a position with both kings, if its material has been solved.
    fn covered(&self, position: &Position) -> Option<Placement> {
        let placement = Placement::of_position(rules(self.size), position);
        let forces = placement.forces();
        let kings = Color::BOTH.into_iter().all(|color| placement.king(color).is_some());
        let solved = kings && [forces, forces.reversed()].iter().any(|forces| self.known.contains_key(forces));
        solved.then_some(placement)
    }

    /// Bounds of a position of this board with both kings. `None` if its material has not been solved.
    pub fn enclosed(&self, position: &Position) -> Option<Bounds> {
        Some(self.bounds(&self.covered(position)?))
    }

    /// True if α = β is proved in a position of this board with both kings, and false if α < β is. `None` if neither is, or if its material has not
    /// been solved.
    pub fn sharp(&self, position: &Position) -> Option<bool> {
        let (solved, at) = self.find(&self.covered(position)?);
        solved.states[at].known()
    }

    /// Bounds of a placement whose material has been solved.
    pub(super) fn bounds(&self, placement: &Placement) -> Bounds {
        let (solved, at) = self.find(placement);
        if placement.forces().leads() { solved.bounds[at] } else { reversed(solved.bounds[at]) }
    }

    /// Material of a placement that has been solved, and the rank of the placement in it. Colours are reversed if Black has the stronger pieces.
    pub(super) fn find(&self, placement: &Placement) -> (&Solved, usize) {
        let forces = placement.forces();
        if !forces.leads() {
            return self.find(&placement.reversed(self.size));
        }
        let Some(solved) = self.known.get(&forces) else { panic!("{forces} must be solved first") };
        let place = solved.numbering.place(placement) as u32;
        match solved.stands.binary_search(&place) {
            Ok(at) => (solved, at),
            Err(_) => panic!("{placement:?} is not a position of {forces}"),
        }
    }

    /// Maximum memory, in bytes, for everything with one more piece. `decides` adds what deciding α = β takes with the usual number of moves.
    pub fn costs(&self, decides: bool) -> u64 {
        let bounds = (size_of::<u32>() + size_of::<Bounds>() + size_of::<Sharpness>()) as u64;
        let each = bounds + if decides { DECISION } else { 0 };
        let numbers = |forces| Numbering::new(self.size, forces).len() as u64;
        PieceCounts::all(self.pieces + 1).into_iter().map(numbers).fold(0, u64::saturating_add).saturating_mul(each)
    }

    fn solved(&self, forces: PieceCounts, decides: bool) -> Result<Solved, Unenclosed> {
        let numbering = Numbering::new(self.size, forces);
        let known = |placement: &Placement| {
            let (solved, at) = self.find(placement);
            let code = 2 * (solved.first + at) as u32;
            match placement.forces().leads() {
                true => (code, solved.bounds[at]),
                false => (code + 1, reversed(solved.bounds[at])),
            }
        };
        let steps = Steps::new(&numbering, &known);
        let bounds = enclose(&steps).ok_or(Unenclosed::Restless(forces))?;
        let state = |[a, b, c, d]: &Bounds| match self.pieces < EXACT {
            true => Sharpness::Sharp,
            false => Sharpness::proved_by([[*a, *b], [*c, *d]]),
        };
        let states = bounds.iter().map(state).collect();
        let candidates = decides.then(|| steps.candidates(&bounds));
        Ok(Solved { numbering, first: 0, stands: steps.stands, bounds, states, candidates })
    }

    /// Solves everything with one more piece. With `exact`, the exact table of this board, also decides where α = β, unless fewer pieces were solved
    /// without it.
    ///
    /// # Errors
    /// If a material has too many positions, or if its bounds do not converge.
    pub fn grow(
        &mut self,
        threads: usize,
        exact: Option<&Table>,
        progress: &(dyn Fn(SmallProgress) + Sync),
    ) -> Result<(), Unenclosed> {
        let exact = exact.filter(|_| self.pieces == self.decided);
        let all = PieceCounts::all(self.pieces + 1);
        if let Some(forces) =
            all.iter().find(|forces| u32::try_from(Numbering::new(self.size, **forces).len()).is_err())
        {
            return Err(Unenclosed::TooMany(*forces));
        }
        let done = AtomicUsize::new(0);
        for level in all.chunk_by(|a, b| a.pawns() == b.pawns()) {
            let (next, found) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
            let work = || {
                while let Some(forces) = level.get(next.fetch_add(1, Relaxed)) {
                    let solved = self.solved(*forces, exact.is_some());
                    found.lock().unwrap_or_else(PoisonError::into_inner).push((*forces, solved));
                    progress(SmallProgress { forces: *forces, done: 1 + done.fetch_add(1, Relaxed), total: all.len() });
                }
            };
            thread::scope(|scope| {
                for _ in 1..threads {
                    scope.spawn(work);
                }
                work();
            });
            for (forces, solved) in found.into_inner().unwrap_or_else(PoisonError::into_inner) {
                let solved = Solved { first: self.next, ..solved? };
                self.next += solved.stands.len();
                self.known.insert(forces, solved);
            }
        }
        self.pieces += 1;
        if let Some(exact) = exact {
            self.decide(exact);
        }
        Ok(())
    }

    /// Visits one placement of each class of a material, up to symmetry and colour, with its bounds and its relation of α and β.
    pub(super) fn each(&self, forces: PieceCounts, tell: &mut dyn FnMut(&Placement, &Bounds, Sharpness)) {
        let Some(known) = self.known.get(&forces) else { return };
        let even = forces == forces.reversed();
        for ((place, bounds), state) in known.stands.iter().zip(&known.bounds).zip(&known.states) {
            let Some(placement) = known.numbering.placement(*place as usize) else { continue };
            if !even || known.numbering.place(&placement.reversed(self.size)) >= *place as usize {
                tell(&placement, bounds, *state);
            }
        }
    }

    /// The placement in FEN, with its en passant square if it has one.
    pub(super) fn fen(&self, placement: &Placement) -> String {
        let board = rules(self.size);
        let position = placement.position(board, Color::White);
        let fen = board.placement_fen(&position);
        match position.en_passant.first() {
            None => fen,
            Some(over) => format!("{fen} w - {over} 0 1"),
        }
    }
}

/// Distance at which bounds are no longer tightened.
const ENOUGH: u64 = 64;
/// Maximum number of rounds; more are never needed.
const MOST_ROUNDS: usize = 1_000_000;

/// Sweeps over some positions, alternately forwards and backwards, until nothing changes.
fn settle(positions: &[usize], mut draw: impl FnMut(usize) -> bool) -> Option<()> {
    for round in 0..MOST_ROUNDS {
        let mut moved = false;
        let mut one = |at: &usize| moved |= draw(*at);
        if round % 2 == 0 {
            positions.iter().for_each(&mut one);
        } else {
            positions.iter().rev().for_each(&mut one);
        }
        if !moved {
            return Some(());
        }
    }
    None
}

/// Bounds of all positions. `None` if they do not converge.
fn enclose(steps: &Steps) -> Option<Vec<Bounds>> {
    let mut outer = vec![[0, ONE]; steps.len()];
    let all: Vec<usize> = (0..steps.len()).collect();
    settle(&all, |at| {
        let [low, high] = outer[at];
        if high - low <= ENOUGH {
            return false;
        }
        let grown = down(steps.reached(at, 0, |to| outer[to][0])).max(low);
        let shrunk = up(steps.reached(at, 3, |to| outer[to][1])).min(high);
        outer[at] = [grown, shrunk];
        [grown, shrunk] != [low, high]
    })?;
    let mut found: Vec<Bounds> = outer.iter().map(|[low, high]| [*low, *high, *low, *high]).collect();
    let wide: Vec<usize> = all.into_iter().filter(|at| !narrow(&found[*at])).collect();
    for at in &wide {
        let [low, high] = outer[*at];
        found[*at] = [low, low, high, high];
    }
    settle(&wide, |at| {
        let bounds = found[at];
        let alpha = up(steps.reached(at, 1, |to| found[to][1])).max(bounds[1]);
        let beta = down(steps.reached(at, 2, |to| found[to][2])).min(bounds[2]);
        found[at] = [bounds[0], alpha, beta, bounds[3]];
        found[at] != bounds
    })?;
    Some(found)
}
