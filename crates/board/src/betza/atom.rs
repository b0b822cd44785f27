//! Atoms: the basic leaps and rides of the notation, and those that players invent.

use std::fmt;

use super::{Class, Name, Vectors};

/// A basic leap, or a leap repeated over empty squares.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Atom {
    /// Wazir, (0,1).
    W,
    /// Ferz, (1,1).
    F,
    /// Dabbaba, (0,2).
    D,
    /// Alfil, (2,2).
    A,
    /// The (0,3) leaper.
    H,
    /// The (3,3) leaper.
    G,
    /// Knight, (1,2).
    N,
    /// Camel, (1,3); `C` is read as `L`.
    L,
    /// Rook: repeated W, also written `WW`.
    R,
    /// Bishop: repeated F, also written `FF`.
    B,
    /// Nightrider: repeated N.
    NN,
    /// An atom that players invented: how it leaps and whether it repeats the leap or may not jump.
    Invented {
        /// Its name, as in `<Horse>`.
        name: Name,
        /// The leap as (short, long) side.
        leap: (i8, i8),
        /// The leap may be repeated over empty squares.
        rides: bool,
        /// It may not jump.
        lame: bool,
        /// The leap by which it rides on after the first, if that is another.
        then: Option<(i8, i8)>,
    },
}

impl Atom {
    /// Every atom of the notation itself.
    pub const ALL: [Atom; 11] =
        [Atom::W, Atom::F, Atom::D, Atom::A, Atom::H, Atom::G, Atom::N, Atom::L, Atom::R, Atom::B, Atom::NN];

    /// The letter or letters of its canonical text; nothing for an invented atom, which is written as its name.
    pub const fn text(self) -> &'static str {
        match self {
            Atom::Invented { .. } => "",
            Atom::W => "W",
            Atom::F => "F",
            Atom::D => "D",
            Atom::A => "A",
            Atom::H => "H",
            Atom::G => "G",
            Atom::N => "N",
            Atom::L => "L",
            Atom::R => "R",
            Atom::B => "B",
            Atom::NN => "NN",
        }
    }

    /// Its leap as (short, long) side, 0 ≤ short ≤ long.
    pub const fn leap(self) -> (i8, i8) {
        match self {
            Atom::W | Atom::R => (0, 1),
            Atom::F | Atom::B => (1, 1),
            Atom::D => (0, 2),
            Atom::A => (2, 2),
            Atom::H => (0, 3),
            Atom::G => (3, 3),
            Atom::N | Atom::NN => (1, 2),
            Atom::L => (1, 3),
            Atom::Invented { leap, .. } => leap,
        }
    }

    /// Tells whether the leap may be repeated over empty squares.
    pub const fn rides(self) -> bool {
        match self {
            Atom::R | Atom::B | Atom::NN => true,
            Atom::W | Atom::F | Atom::D | Atom::A | Atom::H | Atom::G | Atom::N | Atom::L => false,
            Atom::Invented { rides, .. } => rides,
        }
    }

    /// Tells whether the leap may not pass over other pieces.
    pub const fn lame(self) -> bool {
        matches!(self, Atom::Invented { lame: true, .. })
    }

    /// The leap by which it rides on after the first, if that is another.
    pub const fn then(self) -> Option<(i8, i8)> {
        match self {
            Atom::Invented { then, .. } => then,
            _ => None,
        }
    }

    /// Which directional modifiers it takes.
    pub const fn class(self) -> Class {
        Class::of(self.leap())
    }

    /// All its steps.
    pub fn vectors(self) -> Vectors {
        Vectors::all(self.leap())
    }
}

/// The letters of its text, or the name of an invented atom in angle brackets.
impl fmt::Display for Atom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Atom::Invented { name, .. } => write!(f, "<{name}>"),
            atom => f.write_str(atom.text()),
        }
    }
}
