//! Pieces as data: steps compiled to tables, once per piece and board size.

use super::square::{Color, Size, Square, Squares};

/// One step of a piece, as White sees it: `dx` files right, `dy` ranks forward; Black's is the opposite.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Step {
    /// Files to the mover's right.
    pub dx: i8,
    /// Ranks forward.
    pub dy: i8,
    /// How often the step may be repeated over empty squares: 1 for a leap, [`Step::RIDE`] for no limit.
    pub reach: u8,
    /// May go to an empty square.
    pub moves: bool,
    /// May capture.
    pub captures: bool,
}

impl Step {
    /// A reach that no board of eight squares a side can exhaust.
    pub const RIDE: u8 = 8;
}

/// The squares that one ridden step passes from every square, by colour.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Ride {
    rays: [[Squares; 64]; 2],
    /// Whether the ray runs towards higher indices, by colour.
    upward: [bool; 2],
    moves: bool,
    captures: bool,
}

impl Ride {
    /// The squares reached from `from` with `occupied` in the way, the first blocker included.
    #[inline(always)]
    fn reached(&self, color: usize, from: Square, occupied: Squares) -> Squares {
        let ray = self.rays[color][from.index()].0;
        let blockers = ray & occupied.0;
        if self.upward[color] {
            let first = blockers & blockers.wrapping_neg();
            Squares(ray & (first ^ first.wrapping_sub(1)))
        } else {
            Squares(ray & (u64::MAX << (63 - (blockers | 1).leading_zeros())))
        }
    }

    /// The squares strictly between `from` and a `target` that lies on the ray from `from`.
    #[inline(always)]
    fn between(&self, color: usize, from: Square, target: Square) -> Squares {
        let ray = self.rays[color][from.index()].0;
        let below = target.set().0 - 1;
        Squares(ray & if self.upward[color] { below } else { !below & !target.set().0 })
    }
}

/// A piece type compiled for one board size.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Design {
    /// Whether the piece is royal.
    pub royal: bool,
    steps: Vec<Step>,
    leap_moves: [[Squares; 64]; 2],
    leap_captures: [[Squares; 64]; 2],
    rides: Vec<Ride>,
    capture_reach: [[Squares; 64]; 2],
}

impl Design {
    /// Compiles `steps` for boards of `size`. Steps may repeat or overlap: the piece has their union.
    pub fn compile(royal: bool, steps: &[Step], size: Size) -> Self {
        let mut design = Design {
            royal,
            steps: union(steps),
            leap_moves: [[Squares::EMPTY; 64]; 2],
            leap_captures: [[Squares::EMPTY; 64]; 2],
            rides: Vec::new(),
            capture_reach: [[Squares::EMPTY; 64]; 2],
        };
        for step in design.steps.clone() {
            design.add(step, size);
        }
        design
    }

    fn add(&mut self, step: Step, size: Size) {
        let mut rays = [[Squares::EMPTY; 64]; 2];
        for color in Color::BOTH {
            let sign = if color == Color::White { 1 } else { -1 };
            for from in size.squares() {
                let mut at = from;
                for _ in 0..step.reach {
                    let Some(next) = at.step(step.dx * sign, step.dy * sign, size) else { break };
                    rays[color.index()][from.index()] |= next.set();
                    at = next;
                }
            }
        }
        let add = |table: &mut [[Squares; 64]; 2]| {
            for (known, new) in table.iter_mut().flatten().zip(rays.iter().flatten()) {
                *known |= *new;
            }
        };
        if step.captures {
            add(&mut self.capture_reach);
        }
        if step.reach == 1 && step.moves {
            add(&mut self.leap_moves);
        }
        if step.reach == 1 && step.captures {
            add(&mut self.leap_captures);
        }
        if step.reach > 1 {
            let up = (step.dy, step.dx) > (0, 0);
            self.rides.push(Ride { rays, upward: [up, !up], moves: step.moves, captures: step.captures });
        }
    }

    /// The steps, each direction and reach once, in a fixed order.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// All squares that a piece of `color` on `from` may go to: empty ones and ones with a `hostile` unit.
    #[inline]
    pub fn targets(&self, color: Color, from: Square, occupied: Squares, hostile: Squares) -> Squares {
        let c = color.index();
        let mut targets =
            (self.leap_moves[c][from.index()] & !occupied) | (self.leap_captures[c][from.index()] & hostile);
        for ride in &self.rides {
            let reached = ride.reached(c, from, occupied);
            if ride.moves {
                targets |= reached & !occupied;
            }
            if ride.captures {
                targets |= reached & hostile;
            }
        }
        targets
    }

    /// The squares it may go to without capturing.
    pub fn quiet(&self, color: Color, from: Square, occupied: Squares) -> Squares {
        self.targets(color, from, occupied, Squares::EMPTY) & !occupied
    }

    /// The squares it attacks: where it could capture if a hostile unit stood there.
    pub fn attacks(&self, color: Color, from: Square, occupied: Squares) -> Squares {
        let c = color.index();
        self.rides
            .iter()
            .filter(|ride| ride.captures)
            .fold(self.leap_captures[c][from.index()], |set, ride| set | ride.reached(c, from, occupied))
    }

    /// The squares it would attack on an empty board.
    #[inline]
    pub fn capture_reach(&self, color: Color, from: Square) -> Squares {
        self.capture_reach[color.index()][from.index()]
    }

    /// Whether it attacks `target` with `occupied` in the way. `target` must be in [`Self::capture_reach`].
    #[inline]
    pub(super) fn strikes(&self, color: Color, from: Square, target: Square, occupied: Squares) -> bool {
        let c = color.index();
        self.leap_captures[c][from.index()].has(target)
            || self.rides.iter().any(|ride| {
                ride.captures
                    && ride.rays[c][from.index()].has(target)
                    && (ride.between(c, from, target) & occupied).is_empty()
            })
    }

    /// Calls `path` with the squares between `from` and `target` for every way in which it could capture there.
    #[inline]
    pub(super) fn paths(&self, color: Color, from: Square, target: Square, mut path: impl FnMut(Squares)) {
        let c = color.index();
        if self.leap_captures[c][from.index()].has(target) {
            path(Squares::EMPTY);
        }
        for ride in &self.rides {
            if ride.captures && ride.rays[c][from.index()].has(target) {
                path(ride.between(c, from, target));
            }
        }
    }
}

/// Merges steps of one direction and reach: it may move if any of them may, and capture if any may.
pub(super) fn union(steps: &[Step]) -> Vec<Step> {
    let mut union: Vec<Step> = Vec::with_capacity(steps.len());
    for step in steps {
        match union.iter_mut().find(|known| (known.dx, known.dy, known.reach) == (step.dx, step.dy, step.reach)) {
            Some(known) => {
                known.moves |= step.moves;
                known.captures |= step.captures;
            }
            None => union.push(*step),
        }
    }
    union.sort();
    union
}
