//! Directional modifiers and the steps of an atom that each selects. One table serves parsing, writing and
//! descriptions.

use std::fmt;

/// Classes of atoms that share directional modifiers.
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
    /// The class of a leap with sides (short, long).
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

/// A set of steps that differ only in sign and orientation. Iterates as (dx, dy), clockwise from forward.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Vectors {
    leap: (i8, i8),
    /// One bit for each of [`images`].
    bits: u8,
}

/// All reflections of a leap, clockwise from forward. Those of a straight leap coincide in pairs.
const fn images((m, n): (i8, i8)) -> [(i8, i8); 8] {
    [(m, n), (n, m), (n, -m), (m, -n), (-m, -n), (-n, -m), (-n, m), (-m, n)]
}

impl Vectors {
    /// All reflections of a leap with sides (short, long).
    pub(super) fn all(leap: (i8, i8)) -> Vectors {
        // Of coinciding reflections only the first counts.
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

    /// The steps for which `keep` returns true.
    pub fn only(self, keep: impl Fn((i8, i8)) -> bool) -> Vectors {
        let images = images(self.leap);
        let bits = (0..8).filter(|&i| keep(images[i])).fold(0, |bits, i| bits | 1 << i);
        Vectors { leap: self.leap, bits: self.bits & bits }
    }

    /// True if the set is empty.
    pub fn is_empty(self) -> bool {
        self.bits == 0
    }

    /// Number of steps in the set.
    pub fn len(self) -> usize {
        self.bits.count_ones() as usize
    }

    /// True if the set contains the step.
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

/// True if a direction contains the step (dx, dy).
type Selects = fn(i8, i8) -> bool;

/// A modifier with its description and the steps it selects.
struct Direction {
    name: &'static str,
    words: &'static str,
    selects: Selects,
}

const fn direction(name: &'static str, words: &'static str, selects: Selects) -> Direction {
    Direction { name, words, selects }
}

/// Larger sets come first, so that a greedy choice in this order gives a short and unique spelling.
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

/// `f` and `b` alone mean halves: csipgs prices them at seven and four tenths, and half a knight of wide or narrow
/// steps at five tenths. XBoard reads them as pairs of steps.
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

/// The modifiers that together select exactly `vectors`, with their descriptions.
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

/// Indices of the letters that form no pair, for a knightwise atom.
pub(super) fn singles(modifiers: &[u8]) -> impl Iterator<Item = usize> {
    let pair = |at: usize| {
        let two = modifiers.get(at..at + 2);
        two.is_some_and(|two| KNIGHTWISE.iter().any(|direction| direction.name.as_bytes() == two))
    };
    let next = move |at: &usize| Some(at + if pair(*at) { 2 } else { 1 });
    std::iter::successors(Some(0), next).take_while(|at| *at < modifiers.len()).filter(move |at| !pair(*at))
}

/// Selects steps by directional letters, read from the left, with two letters together where they form a direction. No
/// letters select all steps. The error is the index of the first letter that is not a direction of this class.
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
