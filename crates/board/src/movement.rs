//! Pieces as data: steps, and their compilation to tables, once per piece and board size.

use super::square::{Color, Size, Square, Squares};

/// One step of a piece, as White sees it: `dx` files right, `dy` ranks forward; Black's is the opposite.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct ElementaryStep {
    /// Files to the mover's right.
    pub dx: i8,
    /// Ranks forward.
    pub dy: i8,
    /// The number of times that the step may be repeated over empty squares: 1 for a leap, [`Step::RIDE`] for no limit.
    pub reach: u8,
    /// May go to an empty square.
    pub moves: bool,
    /// May capture.
    pub captures: bool,
    /// Must not jump: the squares that [`Step::passes`] names must be empty too.
    pub lame: bool,
    /// The leap by which a ride goes on after the first: the same, or another for one that bends.
    pub then: (i8, i8),
    /// The number and place of the units that it has to pass over.
    pub hurdle: HopCondition,
    /// Only as long as the piece has not moved.
    pub first: bool,
}

/// The units that a step has to pass over, on the squares where it might land before.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum HopCondition {
    /// None: all those squares are empty.
    None,
    /// Exactly one, anywhere: a xiangqi cannon's capture, Betza's `p`.
    One,
    /// Exactly one, on the last of them: the grasshopper, Betza's `g`.
    Last,
}

impl ElementaryStep {
    /// A reach that no board of eight squares a side can exhaust.
    pub const RIDE: u8 = 8;

    /// Tells whether it keeps to one colour of squares.
    pub const fn keeps_color(self) -> bool {
        (self.dx + self.dy) % 2 == 0 && (self.reach == 1 || (self.then.0 + self.then.1) % 2 == 0)
    }

    /// Tells whether what it needs is more than that nothing stands on a straight line.
    fn conditional(self) -> bool {
        let leap = (self.dx, self.dy);
        self.hurdle != HopCondition::None
            || self.reach > 1 && self.then != leap
            || self.lame && (passes(leap).next().is_some() || self.reach > 1 && passes(self.then).next().is_some())
    }
}

/// The squares, as seen from where it begins, that a leap which may not jump must find empty: along the long side as far as it is
/// longer, then diagonally. For a knight's leap that is the neighbour on the long side, as for the horse of xiangqi.
pub(super) fn passes((dx, dy): (i8, i8)) -> impl Iterator<Item = (i8, i8)> {
    let (mut x, mut y) = (0, 0);
    std::iter::from_fn(move || {
        let (left, up): (i8, i8) = (dx - x, dy - y);
        x += if left.abs() >= up.abs() { left.signum() } else { 0 };
        y += if up.abs() >= left.abs() { up.signum() } else { 0 };
        ((x, y) != (dx, dy)).then_some((x, y))
    })
}

/// Merges steps of one direction and reach: it may move if any of them may, and capture if any may.
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

/// One square where a step may land, and what must hold on the way there.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Way {
    to: Square,
    /// The squares that must be empty.
    clear: Squares,
    /// The squares of which exactly one must be occupied; none for a step that passes over nothing.
    over: Squares,
}

impl Way {
    fn open(&self, occupied: Squares) -> bool {
        (self.clear & occupied).is_empty() && (self.over.is_empty() || (self.over & occupied).len() == 1)
    }
}

/// Where a step with further conditions leads from every square, by colour, nearest first. Apart from the rides, because the squares on
/// the way need not lie in the order of their indices.
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

    /// The squares where it may land with `occupied` in the way, the first blocker included if it is one of them.
    fn reached(&self, color: usize, from: Square, occupied: Squares) -> Squares {
        let ways = &self.from[color][from.index()];
        ways.iter().filter(|way| way.open(occupied)).map(|way| way.to).collect()
    }

    /// The ways to `target`.
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

/// The squares that one ridden step passes from every square, by colour.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Ride {
    rays: [[Squares; 64]; 2],
    /// True where the ray runs towards higher indices, by colour.
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
pub struct Movement {
    /// The piece is royal.
    pub royal: bool,
    steps: Vec<ElementaryStep>,
    leap_moves: [[Squares; 64]; 2],
    leap_captures: [[Squares; 64]; 2],
    rides: Vec<Ride>,
    ways: Vec<Ways>,
    capture_reach: [[Squares; 64]; 2],
}

impl Movement {
    /// Compiles `steps` for boards of `size`. Steps may repeat or overlap: the piece has their union.
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

    /// The steps, each direction and reach once, in a fixed order.
    pub fn steps(&self) -> &[ElementaryStep] {
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

    /// The squares it may go to without capturing.
    pub fn quiet(&self, color: Color, from: Square, occupied: Squares) -> Squares {
        self.targets(color, from, occupied, Squares::EMPTY) & !occupied
    }

    /// The squares it attacks: where it could capture if a hostile unit stood there.
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

    /// The squares it would attack on an empty board.
    #[inline]
    pub fn capture_reach(&self, color: Color, from: Square) -> Squares {
        self.capture_reach[color.index()][from.index()]
    }

    /// Tells whether it attacks `target` with `occupied` in the way. `target` must be in [`Self::capture_reach`].
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

    /// Tells whether it passes over other units, so that one that goes away may end an attack.
    pub(super) fn hops(&self) -> bool {
        self.steps.iter().any(|step| step.hurdle != HopCondition::None)
    }

    /// Calls `path` with the squares between `from` and `target` for every way in which it could capture there, if it passes over nothing.
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
