//! The bounds of all positions of a board with so many pieces and fewer.

use std::{
    collections::HashMap,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    thread,
};

use super::{
    bounds::Bounds, enclosure::enclose, forces::Forces, numbering::Numbering, placement::Placement, steps::Steps,
};
use crate::{
    board::{Color, Position, Size},
    graph::rules,
    mechanism::ONE,
};

/// The bounds of all positions of some forces.
pub(super) struct Solved {
    pub(super) numbering: Numbering,
    /// The numbers of the positions, ascending.
    pub(super) stands: Vec<u32>,
    /// Their bounds.
    pub(super) bounds: Vec<Bounds>,
}

/// Which forces were solved, and how many of those with as many pieces and pawns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SmallProgress {
    /// The forces.
    pub forces: Forces,
    /// How many of the same number of pieces are solved.
    pub done: usize,
    /// How many there are.
    pub total: usize,
}

/// Why a board was not solved.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unenclosed {
    /// Bounds that never came to rest.
    #[error("the bounds of {0} do not come to rest")]
    Restless(Forces),
    /// Positions that cannot be numbered with 32 bits.
    #[error("{0} has more positions than the 4,294,967,295 that can be numbered: try fewer pieces or a smaller board")]
    TooMany(Forces),
}

/// The bounds of all positions of a board with up to so many pieces, White having the stronger forces.
pub struct SmallTables {
    pub(super) size: Size,
    pub(super) known: HashMap<Forces, Solved>,
    pieces: usize,
}

/// The bounds of what a placement is with colours changed.
fn reversed([alpha_low, alpha_high, beta_low, beta_high]: Bounds) -> Bounds {
    [beta_high, beta_low, alpha_high, alpha_low].map(|bound| ONE - bound)
}

impl SmallTables {
    /// Nothing solved yet.
    pub fn new(size: Size) -> SmallTables {
        SmallTables { size, known: HashMap::new(), pieces: 1 }
    }

    /// The board's extent.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The number of pieces up to which everything is solved.
    pub fn pieces(&self) -> usize {
        self.pieces
    }

    /// The bounds of a position of this board with both kings; nothing where more pieces stand than are solved.
    pub fn enclosed(&self, position: &Position) -> Option<Bounds> {
        let placement = Placement::of_position(rules(self.size), position);
        let forces = placement.forces();
        let kings = Color::BOTH.into_iter().all(|color| placement.king(color).is_some());
        let solved = kings && [forces, forces.reversed()].iter().any(|forces| self.known.contains_key(forces));
        solved.then(|| self.bounds(&placement))
    }

    /// The bounds of a placement of forces that are solved.
    pub(super) fn bounds(&self, placement: &Placement) -> Bounds {
        let forces = placement.forces();
        if !forces.leads() {
            return reversed(self.led(forces.reversed(), &placement.reversed(self.size)));
        }
        self.led(forces, placement)
    }

    fn led(&self, forces: Forces, placement: &Placement) -> Bounds {
        let Some(known) = self.known.get(&forces) else { panic!("{forces} is asked for before it is solved") };
        let place = known.numbering.place(placement) as u32;
        match known.stands.binary_search(&place) {
            Ok(at) => known.bounds[at],
            Err(_) => panic!("{placement:?} is no position of {forces}"),
        }
    }

    /// The most memory, in bytes, that everything with one piece more can take.
    pub fn costs(&self) -> u64 {
        let each = (size_of::<u32>() + size_of::<Bounds>()) as u64;
        let numbers = |forces| Numbering::new(self.size, forces).len() as u64;
        Forces::all(self.pieces + 1).into_iter().map(numbers).fold(0, u64::saturating_add).saturating_mul(each)
    }

    fn solved(&self, forces: Forces) -> Result<Solved, Unenclosed> {
        let numbering = Numbering::new(self.size, forces);
        let steps = Steps::new(&numbering, &|placement| self.bounds(placement));
        let bounds = enclose(&steps).ok_or(Unenclosed::Restless(forces))?;
        Ok(Solved { numbering, stands: steps.stands, bounds })
    }

    /// Solves everything with one piece more, on so many threads.
    pub fn grow(&mut self, threads: usize, progress: &(dyn Fn(SmallProgress) + Sync)) -> Result<(), Unenclosed> {
        let all = Forces::all(self.pieces + 1);
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
                    let solved = self.solved(*forces);
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
                self.known.insert(forces, solved?);
            }
        }
        self.pieces += 1;
        Ok(())
    }

    /// Everything of some forces with as many pieces as are solved, and the placements of each class; of two that differ by colours alone one.
    pub(super) fn each(&self, forces: Forces, tell: &mut dyn FnMut(&Placement, &Bounds)) {
        let Some(known) = self.known.get(&forces) else { return };
        let even = forces == forces.reversed();
        for (place, bounds) in known.stands.iter().zip(&known.bounds) {
            let Some(placement) = known.numbering.placement(*place as usize) else { continue };
            if !even || known.numbering.place(&placement.reversed(self.size)) >= *place as usize {
                tell(&placement, bounds);
            }
        }
    }

    /// The placement as FEN, with the square on which a pawn may be captured in passing if there is one.
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
