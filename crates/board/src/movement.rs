//! Elementary steps of pieces, and their compilation into tables for each board size.

use super::square::{Color, Size, Square, Squares};

/// A step of a piece from White's point of view; Black's has the opposite signs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct ElementaryStep {
    /// Files to the mover's right.
    pub dx: i8,
    /// Ranks forward.
    pub dy: i8,
    /// Maximum number of repetitions over empty squares: 1 for a leap, [`ElementaryStep::RIDE`] for no limit.
    pub reach: u8,
    /// True if it may go to an empty square.
    pub moves: bool,
    /// True if it may capture.
    pub captures: bool,
    /// True if it must not jump: its intermediate squares (see `passes`) must be empty too.
    pub lame: bool,
    /// The leap that continues a ride: the same, or another for a bent rider.
    pub then: (i8, i8),
    /// Pieces over which it must hop.
    pub hurdle: HopCondition,
    /// True if only an unmoved piece may use it.
    pub first: bool,
}

/// Pieces on earlier landing squares over which a step must hop.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum HopCondition {
    /// None. All these squares are empty.
    None,
    /// Exactly one, on any of them: the capture of a xiangqi cannon, Betza's `p`.
    One,
    /// Exactly one, on the last of them: the grasshopper, Betza's `g`.
    Last,
}

impl ElementaryStep {
    /// A reach that no 8×8 board can exhaust.
    pub const RIDE: u8 = 8;

    /// True if it never changes the colour of the square.
    pub const fn keeps_color(self) -> bool {
        (self.dx + self.dy) % 2 == 0 && (self.reach == 1 || (self.then.0 + self.then.1) % 2 == 0)
    }

    /// True if it depends on more than empty squares along a straight line.
    fn conditional(self) -> bool {
        let leap = (self.dx, self.dy);
        self.hurdle != HopCondition::None
            || self.reach > 1 && self.then != leap
            || self.lame && (passes(leap).next().is_some() || self.reach > 1 && passes(self.then).next().is_some())
    }
}

/// Intermediate squares of a leap that must not jump, relative to its origin: first along the longer side, then
/// diagonally. For a knight's leap this is the orthogonal neighbour, as for the horse of xiangqi.
pub(super) fn passes((dx, dy): (i8, i8)) -> impl Iterator<Item = (i8, i8)> {
    let (mut x, mut y) = (0, 0);
    std::iter::from_fn(move || {
        let (left, up): (i8, i8) = (dx - x, dy - y);
        x += if left.abs() >= up.abs() { left.signum() } else { 0 };
        y += if up.abs() >= left.abs() { up.signum() } else { 0 };
        ((x, y) != (dx, dy)).then_some((x, y))
    })
}

/// Merges steps that differ only in whether they move or capture.
pub(super) fn union(steps: &[ElementaryStep]) -> Vec<ElementaryStep> {
    let mut union: Vec<ElementaryStep> = Vec::with_capacity(steps.len());
    for step in steps {
        let key = |step: &ElementaryStep| ElementaryStep { moves: false, captures: false, ..*step };
        match union.iter_mut().find(|known| key(known) == key(step)) {
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

/// A landing square of a step, with its conditions.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Way {
    to: Square,
    /// Squares that must be empty.
    clear: Squares,
    /// Squares of which exactly one must be occupied; empty for a step that does not hop.
    over: Squares,
}

impl Way {
    fn open(&self, occupied: Squares) -> bool {
        (self.clear & occupied).is_empty() && (self.over.is_empty() || (self.over & occupied).len() == 1)
    }
}

/// By colour and origin: the landing squares of a conditional step, nearest first. Kept apart from rides because
/// intermediate squares need not be in the order of their indices.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Ways {
    from: [[Vec<Way>; 64]; 2],
    moves: bool,
    captures: bool,
}

impl Ways {
    fn compile(step: ElementaryStep, size: Size) -> Ways {
        let from = Color::BOTH.map(|color| {
            let sign = if color == Color::White { 1 } else { -1 };
            std::array::from_fn(|from| {
                let from = Some(Square::at(from)).filter(|from| size.squares().has(*from));
                from.map_or(Vec::new(), |from| ways(step, from, sign, size))
            })
        });
        Ways { from, moves: step.moves, captures: step.captures }
    }

    /// Landing squares with `occupied` as blockers, including a blocker itself.
    fn reached(&self, color: usize, from: Square, occupied: Squares) -> Squares {
        let ways = &self.from[color][from.index()];
        ways.iter().filter(|way| way.open(occupied)).map(|way| way.to).collect()
    }

    /// The ways to reach `target`.
    fn onto(&self, color: usize, from: Square, target: Square) -> impl Iterator<Item = &Way> {
        self.from[color][from.index()].iter().filter(move |way| way.to == target)
    }
}

/// The ways of one step from one square.
fn ways(step: ElementaryStep, from: Square, sign: i8, size: Size) -> Vec<Way> {
    let mut ways = Vec::new();
    let mut at = from;
    let (mut landings, mut passed, mut last) = (Squares::EMPTY, Squares::EMPTY, Squares::EMPTY);
    for number in 0..step.reach {
        let (dx, dy) = if number == 0 { (step.dx, step.dy) } else { step.then };
        if step.lame {
            for (x, y) in passes((dx, dy)) {
                passed |= at.step(x * sign, y * sign, size).map_or(Squares::EMPTY, Square::set);
            }
        }
        let Some(to) = at.step(dx * sign, dy * sign, size) else { break };
        let (clear, over) = match step.hurdle {
            HopCondition::None => (landings | passed, Squares::EMPTY),
            HopCondition::One => (passed, landings),
            HopCondition::Last => (passed | landings & !last, last),
        };
        if step.hurdle == HopCondition::None || number > 0 {
            ways.push(Way { to, clear, over });
        }
        last = to.set();
        landings |= last;
        at = to;
    }
    ways
}

/// By colour and origin: the squares of a ride in one direction.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Ride {
    rays: [[Squares; 64]; 2],
    /// By colour: true if the ray runs towards higher indices.
    upward: [bool; 2],
    moves: bool,
    captures: bool,
}

impl Ride {
    /// Squares reached with `occupied` as blockers, including the first blocker.
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

    /// Squares strictly between `from` and a `target` on the ray from `from`.
    #[inline(always)]
    fn between(&self, color: usize, from: Square, target: Square) -> Squares {
        let ray = self.rays[color][from.index()].0;
        let below = target.set().0 - 1;
        Squares(ray & if self.upward[color] { below } else { !below & !target.set().0 })
    }
}

/// Movement of a piece type, compiled for one board size.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Movement {
    /// True if the piece is royal.
    pub royal: bool,
    steps: Vec<ElementaryStep>,
    leap_moves: [[Squares; 64]; 2],
    leap_captures: [[Squares; 64]; 2],
    rides: Vec<Ride>,
    ways: Vec<Ways>,
    capture_reach: [[Squares; 64]; 2],
}

impl Movement {
    /// Compiles `steps` for boards of `size`. Repeated or overlapping steps are merged.
    pub fn compile(royal: bool, steps: &[ElementaryStep], size: Size) -> Self {
        let mut design = Movement {
            royal,
            steps: union(steps),
            leap_moves: [[Squares::EMPTY; 64]; 2],
            leap_captures: [[Squares::EMPTY; 64]; 2],
            rides: Vec::new(),
            ways: Vec::new(),
            capture_reach: [[Squares::EMPTY; 64]; 2],
        };
        for step in design.steps.clone() {
            design.add(step, size);
        }
        design
    }

    fn add(&mut self, step: ElementaryStep, size: Size) {
        if step.conditional() {
            let ways = Ways::compile(step, size);
            if step.captures {
                for (reach, ways) in self.capture_reach.iter_mut().flatten().zip(ways.from.iter().flatten()) {
                    *reach |= ways.iter().map(|way| way.to).collect();
                }
            }
            self.ways.push(ways);
            return;
        }
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

    /// The merged steps in a fixed order.
    pub fn steps(&self) -> &[ElementaryStep] {
        &self.steps
    }

    /// Targets of a piece of `color` on `from`: empty squares and squares with `hostile` pieces.
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
        for ways in &self.ways {
            let reached = ways.reached(c, from, occupied);
            if ways.moves {
                targets |= reached & !occupied;
            }
            if ways.captures {
                targets |= reached & hostile;
            }
        }
        targets
    }

    /// Targets without capture.
    pub fn quiet(&self, color: Color, from: Square, occupied: Squares) -> Squares {
        self.targets(color, from, occupied, Squares::EMPTY) & !occupied
    }

    /// Attacked squares: those on which it could capture a hostile piece.
    pub fn attacks(&self, color: Color, from: Square, occupied: Squares) -> Squares {
        let c = color.index();
        let leaps = self.leap_captures[c][from.index()];
        let mut attacks = leaps;
        for ride in &self.rides {
            if ride.captures {
                attacks |= ride.reached(c, from, occupied);
            }
        }
        for ways in &self.ways {
            if ways.captures {
                attacks |= ways.reached(c, from, occupied);
            }
        }
        attacks
    }

    /// Squares attacked on an empty board.
    #[inline]
    pub fn capture_reach(&self, color: Color, from: Square) -> Squares {
        self.capture_reach[color.index()][from.index()]
    }

    /// True if it attacks `target` with `occupied` as blockers. `target` must be in [`Self::capture_reach`].
    #[inline]
    pub(super) fn strikes(&self, color: Color, from: Square, target: Square, occupied: Squares) -> bool {
        let c = color.index();
        self.leap_captures[c][from.index()].has(target)
            || self.rides.iter().any(|ride| {
                ride.captures
                    && ride.rays[c][from.index()].has(target)
                    && (ride.between(c, from, target) & occupied).is_empty()
            })
            || self.ways.iter().any(|ways| ways.captures && ways.onto(c, from, target).any(|way| way.open(occupied)))
    }

    /// True if it hops over other pieces, so that removing a piece may end an attack.
    pub(super) fn hops(&self) -> bool {
        self.steps.iter().any(|step| step.hurdle != HopCondition::None)
    }

    /// Calls `path` with the squares between `from` and `target`, once for every way to capture there. Not for pieces
    /// that hop.
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
        for way in self.ways.iter().filter(|ways| ways.captures).flat_map(|ways| ways.onto(c, from, target)) {
            path(way.clear);
        }
    }
}
