//! Steps as data: what pieces are made of.

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
    /// The leap by which a ride goes on after the first: the same, or another for one that bends.
    pub then: (i8, i8),
    /// The number and place of the units that it has to pass over.
    pub hurdle: Hurdle,
    /// Only as long as the piece has not moved.
    pub first: bool,
}

/// The units that a step has to pass over, on the squares where it might land before.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Hurdle {
    /// None: all those squares are empty.
    None,
    /// Exactly one, anywhere: a xiangqi cannon's capture, Betza's `p`.
    One,
    /// Exactly one, on the last of them: the grasshopper, Betza's `g`.
    Last,
}

impl Step {
    /// A reach that no board of eight squares a side can exhaust.
    pub const RIDE: u8 = 8;

    /// Tells whether it keeps to one colour of squares.
    pub const fn keeps_color(self) -> bool {
        (self.dx + self.dy) % 2 == 0 && (self.reach == 1 || (self.then.0 + self.then.1) % 2 == 0)
    }

    /// Tells whether what it needs is more than that nothing stands on a straight line.
    pub(super) fn conditional(self) -> bool {
        let leap = (self.dx, self.dy);
        self.hurdle != Hurdle::None
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
pub(super) fn union(steps: &[Step]) -> Vec<Step> {
    let mut union: Vec<Step> = Vec::with_capacity(steps.len());
    for step in steps {
        let key = |step: &Step| Step { moves: false, captures: false, ..*step };
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
