//! The directional modifiers: the steps of an atom that each of them selects. One table serves reading, writing and descriptions.

use std::fmt;

/// The kinds of atom that share directional modifiers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Class {
    /// Along a file or a rank: W, D, H, R.
    Orthogonal,
    /// Along a diagonal: F, A, G, B.
    Diagonal,
    /// Neither: N, L, NN.
    Knightwise,
}

impl Class {
    /// The class of a leap of (short, long) side.
    pub(super) const fn of((short, long): (i8, i8)) -> Class {
        if short == 0 {
            Class::Orthogonal
        } else if short == long {
            Class::Diagonal
        } else {
            Class::Knightwise
        }
    }
}

/// A set of steps that differ only in sign and in which side lies along the files; iterates as (dx, dy), clockwise from forward.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Vectors {
    leap: (i8, i8),
    /// One bit for each of [`images`].
    bits: u8,
}

/// All images of a leap under reflection, clockwise from forward; those of a straight leap coincide in pairs.
const fn images((m, n): (i8, i8)) -> [(i8, i8); 8] {
    [(m, n), (n, m), (n, -m), (m, -n), (-m, -n), (-n, -m), (-n, m), (-m, n)]
}

impl Vectors {
    /// All images of a leap of (short, long) side.
    pub(super) fn all(leap: (i8, i8)) -> Vectors {
        // Of the images that coincide only the first counts.
        let images = images(leap);
        let bits = (0..8).filter(|&i| !images[..i].contains(&images[i])).fold(0, |bits, i| bits | 1 << i);
        Vectors { leap, bits }
    }

    fn those(self, select: Selects) -> Vectors {
        let images = images(self.leap);
        let bits = (0..8).filter(|&i| select(images[i].0, images[i].1)).fold(0, |bits, i| bits | 1 << i);
        Vectors { leap: self.leap, bits: self.bits & bits }
    }

    fn without(self, other: Vectors) -> Vectors {
        Vectors { leap: self.leap, bits: self.bits & !other.bits }
    }

    fn holds(self, other: Vectors) -> bool {
        other.bits & !self.bits == 0
    }

    /// Those of its steps that `keep` wants.
    pub fn only(self, keep: impl Fn((i8, i8)) -> bool) -> Vectors {
        let images = images(self.leap);
        let bits = (0..8).filter(|&i| keep(images[i])).fold(0, |bits, i| bits | 1 << i);
        Vectors { leap: self.leap, bits: self.bits & bits }
    }

    /// Tells whether no step is in the set.
    pub fn is_empty(self) -> bool {
        self.bits == 0
    }

    /// The number of steps in the set.
    pub fn len(self) -> usize {
        self.bits.count_ones() as usize
    }

    /// Tells whether a step is in the set.
    pub fn has(self, step: (i8, i8)) -> bool {
        self.into_iter().any(|known| known == step)
    }
}

impl Iterator for Vectors {
    type Item = (i8, i8);
    fn next(&mut self) -> Option<(i8, i8)> {
        if self.bits == 0 {
            return None;
        }
        let next = self.bits.trailing_zeros() as usize;
        self.bits &= self.bits - 1;
        Some(images(self.leap)[next])
    }
}

impl fmt::Debug for Vectors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

/// Tells whether a direction contains the step (dx, dy).
type Selects = fn(i8, i8) -> bool;

/// A modifier, what it is called in words, and the steps it selects.
struct Direction {
    name: &'static str,
    words: &'static str,
    selects: Selects,
}

const fn direction(name: &'static str, words: &'static str, selects: Selects) -> Direction {
    Direction { name, words, selects }
}

/// Larger sets first, so that taking what fits in this order gives a short and unique spelling.
static ORTHOGONAL: [Direction; 6] = [
    direction("v", "forward or backward", |dx, _| dx == 0),
    direction("f", "forward", |_, dy| dy > 0),
    direction("b", "backward", |_, dy| dy < 0),
    direction("s", "sideways", |_, dy| dy == 0),
    direction("l", "to the left", |dx, _| dx < 0),
    direction("r", "to the right", |dx, _| dx > 0),
];

static DIAGONAL: [Direction; 12] = [
    direction("f", "diagonally forward", |_, dy| dy > 0),
    direction("b", "diagonally backward", |_, dy| dy < 0),
    direction("l", "diagonally to the left", |dx, _| dx < 0),
    direction("r", "diagonally to the right", |dx, _| dx > 0),
    direction("fl", "diagonally forward left", |dx, dy| dx < 0 && dy > 0),
    direction("fr", "diagonally forward right", |dx, dy| dx > 0 && dy > 0),
    direction("bl", "diagonally backward left", |dx, dy| dx < 0 && dy < 0),
    direction("br", "diagonally backward right", |dx, dy| dx > 0 && dy < 0),
    direction("lf", "diagonally forward left", |dx, dy| dx < 0 && dy > 0),
    direction("rf", "diagonally forward right", |dx, dy| dx > 0 && dy > 0),
    direction("lb", "diagonally backward left", |dx, dy| dx < 0 && dy < 0),
    direction("rb", "diagonally backward right", |dx, dy| dx > 0 && dy < 0),
];

/// `f` and `b` alone are the halves: csipgs prices them as seven and four tenths, and half a knight of wide or narrow steps costs
/// five tenths. XBoard reads them as pairs.
static KNIGHTWISE: [Direction; 24] = [
    direction("fh", "forward", |_, dy| dy > 0),
    direction("bh", "backward", |_, dy| dy < 0),
    direction("lh", "to the left", |dx, _| dx < 0),
    direction("rh", "to the right", |dx, _| dx > 0),
    direction("v", "with the long side along the file", |dx, dy| dy.abs() > dx.abs()),
    direction("s", "with the long side along the rank", |dx, dy| dx.abs() > dy.abs()),
    direction("ff", "farthest forward", |dx, dy| dy > dx.abs()),
    direction("fs", "forward and far sideways", |dx, dy| dy > 0 && dx.abs() > dy),
    direction("bb", "farthest backward", |dx, dy| -dy > dx.abs()),
    direction("bs", "backward and far sideways", |dx, dy| dy < 0 && dx.abs() > -dy),
    direction("ll", "farthest to the left", |dx, dy| -dx > dy.abs()),
    direction("lv", "to the left and far along the file", |dx, dy| dx < 0 && dy.abs() > -dx),
    direction("rr", "farthest to the right", |dx, dy| dx > dy.abs()),
    direction("rv", "to the right and far along the file", |dx, dy| dx > 0 && dy.abs() > dx),
    direction("fl", "forward and far to the left", |dx, dy| dy > 0 && -dx > dy),
    direction("fr", "forward and far to the right", |dx, dy| dy > 0 && dx > dy),
    direction("bl", "backward and far to the left", |dx, dy| dy < 0 && dx < dy),
    direction("br", "backward and far to the right", |dx, dy| dy < 0 && dx > -dy),
    direction("lf", "left and far forward", |dx, dy| dx < 0 && dy > -dx),
    direction("rf", "right and far forward", |dx, dy| dx > 0 && dy > dx),
    direction("lb", "left and far backward", |dx, dy| dx < 0 && dy < dx),
    direction("rb", "right and far backward", |dx, dy| dx > 0 && -dy > dx),
    direction("f", "forward", |_, dy| dy > 0),
    direction("b", "backward", |_, dy| dy < 0),
];

fn table(class: Class) -> &'static [Direction] {
    match class {
        Class::Orthogonal => &ORTHOGONAL,
        Class::Diagonal => &DIAGONAL,
        Class::Knightwise => &KNIGHTWISE,
    }
}

/// The modifiers, with their words, that together select exactly `vectors`.
pub(super) fn cover(class: Class, vectors: Vectors) -> Vec<(&'static str, &'static str)> {
    let all = Vectors::all(vectors.leap);
    let mut left = vectors;
    let mut names = Vec::new();
    for direction in table(class) {
        let selected = all.those(direction.selects);
        if !left.is_empty() && left.holds(selected) {
            names.push((direction.name, direction.words));
            left = left.without(selected);
        }
    }
    names
}

/// The places of the letters of a knightwise atom that stand alone, not two together.
pub(super) fn singles(modifiers: &[u8]) -> impl Iterator<Item = usize> {
    let pair = |at: usize| {
        let two = modifiers.get(at..at + 2);
        two.is_some_and(|two| KNIGHTWISE.iter().any(|direction| direction.name.as_bytes() == two))
    };
    let next = move |at: &usize| Some(at + if pair(*at) { 2 } else { 1 });
    std::iter::successors(Some(0), next).take_while(|at| *at < modifiers.len()).filter(move |at| !pair(*at))
}

/// The steps that the letters of `modifiers` select, read from the left, two together where two make a direction; all steps if
/// there are no letters. The error is the index of the first letter that is no direction here.
pub(super) fn select(class: Class, leap: (i8, i8), modifiers: &[u8]) -> Result<Vectors, usize> {
    let all = Vectors::all(leap);
    if modifiers.is_empty() {
        return Ok(all);
    }
    let find = |name: &[u8]| table(class).iter().find(|direction| direction.name.as_bytes() == name);
    let mut selected = Vectors { leap, bits: 0 };
    let mut at = 0;
    while at < modifiers.len() {
        let two = modifiers.get(at..at + 2).and_then(find);
        let direction = two.or_else(|| find(&modifiers[at..=at])).ok_or(at)?;
        selected.bits |= all.those(direction.selects).bits;
        at += direction.name.len();
    }
    Ok(selected)
}
