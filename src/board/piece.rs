//! Pieces as data: steps compiled to tables, once per piece and board size.

use super::square::{Color, Size, Square, Squares};

/// One step of a piece, as White sees it: `dx` files right, `dy` ranks forward; Black's is the opposite.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Step {
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
}

impl Step {
    /// A reach that no board of eight squares a side can exhaust.
    pub const RIDE: u8 = 8;

    /// Tells whether the leap of (short, long) side has a lame form: a straight one, or the knight's.
    pub const fn lamable((short, long): (i8, i8)) -> bool {
        short == 0 || short == long || (short == 1 && long == 2)
    }

    /// The squares, as seen from where it begins, that a lame step must find empty: for a straight step all on the line between,
    /// for a knight's the neighbour on the long side (the Chinese Knight of xiangqi).
    fn passes(self) -> impl Iterator<Item = (i8, i8)> {
        let long = self.dx.abs().max(self.dy.abs());
        let (x, y) = (self.dx / long, self.dy / long);
        let straight = self.dx == 0 || self.dy == 0 || self.dx.abs() == self.dy.abs();
        (1..if straight { long } else { 2 }).map(move |i| (x * i, y * i))
    }
}

/// Where a lame step leads from every square, by colour: the squares where it may land, nearest first, each with all that must be
/// empty on the way there. Apart from the rides, because the squares on the way need not lie in the order of their indices.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Lame {
    ways: [[Vec<(Square, Squares)>; 64]; 2],
    moves: bool,
    captures: bool,
}

impl Lame {
    fn compile(step: Step, size: Size) -> Lame {
        let ways = Color::BOTH.map(|color| {
            let sign = if color == Color::White { 1 } else { -1 };
            std::array::from_fn(|from| {
                let mut ways = Vec::new();
                let mut at = Some(Square::at(from)).filter(|from| size.squares().has(*from));
                let mut between = Squares::EMPTY;
                for _ in 0..step.reach {
                    let Some(here) = at else { break };
                    for (dx, dy) in step.passes() {
                        between |= here.step(dx * sign, dy * sign, size).map_or(Squares::EMPTY, Square::set);
                    }
                    at = here.step(step.dx * sign, step.dy * sign, size);
                    ways.extend(at.map(|to| (to, between)));
                    between |= at.map_or(Squares::EMPTY, Square::set);
                }
                ways
            })
        });
        Lame { ways, moves: step.moves, captures: step.captures }
    }

    /// The squares where it may land with `occupied` in the way, the first blocker included if it is one of them.
    fn reached(&self, color: usize, from: Square, occupied: Squares) -> Squares {
        let ways = &self.ways[color][from.index()];
        ways.iter().filter(|(_, between)| (*between & occupied).is_empty()).map(|(to, _)| *to).collect()
    }

    /// The squares that must be empty on the way to `target`.
    fn between(&self, color: usize, from: Square, target: Square) -> Option<Squares> {
        self.ways[color][from.index()].iter().find(|(to, _)| *to == target).map(|(_, between)| *between)
    }
}

/// The squares that one ridden step passes from every square, by colour.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Ride {
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
pub struct Design {
    /// The piece is royal.
    pub royal: bool,
    steps: Vec<Step>,
    leap_moves: [[Squares; 64]; 2],
    leap_captures: [[Squares; 64]; 2],
    rides: Vec<Ride>,
    lame: Vec<Lame>,
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
            lame: Vec::new(),
            capture_reach: [[Squares::EMPTY; 64]; 2],
        };
        for step in design.steps.clone() {
            design.add(step, size);
        }
        design
    }

    fn add(&mut self, step: Step, size: Size) {
        if step.lame && step.passes().next().is_some() {
            let lame = Lame::compile(step, size);
            if step.captures {
                for (reach, ways) in self.capture_reach.iter_mut().flatten().zip(lame.ways.iter().flatten()) {
                    *reach |= ways.iter().map(|(to, _)| *to).collect();
                }
            }
            self.lame.push(lame);
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
        for lame in &self.lame {
            let reached = lame.reached(c, from, occupied);
            if lame.moves {
                targets |= reached & !occupied;
            }
            if lame.captures {
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
        let rides = self.rides.iter().filter(|ride| ride.captures).map(|ride| ride.reached(c, from, occupied));
        let lame = self.lame.iter().filter(|lame| lame.captures).map(|lame| lame.reached(c, from, occupied));
        rides.chain(lame).fold(leaps, |set, reached| set | reached)
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
            || self.lame.iter().any(|lame| {
                lame.captures && lame.between(c, from, target).is_some_and(|between| (between & occupied).is_empty())
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
        for lame in self.lame.iter().filter(|lame| lame.captures) {
            if let Some(between) = lame.between(c, from, target) {
                path(between);
            }
        }
    }
}

/// Merges steps of one direction and reach: it may move if any of them may, and capture if any may.
pub(super) fn union(steps: &[Step]) -> Vec<Step> {
    let mut union: Vec<Step> = Vec::with_capacity(steps.len());
    for step in steps {
        let key = |step: &Step| (step.dx, step.dy, step.reach, step.lame);
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
