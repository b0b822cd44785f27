//! Pieces as texts: the part of Betza's notation that csipgs chess uses. Knows how a text moves; not what it costs, nor whether a
//! game allows it.

mod directions;
mod parse;
mod words;

use std::{fmt, str::FromStr};

use super::{
    piece::{Design, Step, union},
    square::Size,
};
pub use directions::{Class, Vectors};

/// The longest text that is read as a piece, in bytes.
pub const LONGEST: usize = 256;

/// A piece as a list of terms, in the order in which they were written.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Betza {
    /// `royal-`: must not be lost.
    pub royal: bool,
    /// `relay-`: priced by csipgs, defined by nobody; a rule set has to allow it.
    pub relay: bool,
    /// `doublemove-`: may move twice in its turn; a rule set has to allow it.
    pub doublemove: bool,
    /// One or more; the piece may do what any of them may.
    pub terms: Vec<Term>,
}

/// An atom with what its modifiers leave of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Term {
    /// How far it goes and how often.
    pub atom: Atom,
    /// The steps that its directional modifiers select; never empty, all of the atom's where there are none.
    pub vectors: Vectors,
    /// What it may do where it arrives.
    pub mode: Mode,
}

/// What a term may do on the square where it arrives.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Mode {
    /// Go to an empty square or capture: neither `m` nor `c`, or both.
    Both,
    /// `m`: only go to an empty square.
    Moves,
    /// `c`: only capture.
    Captures,
}

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
}

impl Atom {
    /// Every atom, as canonical text lists them nowhere but as a reader may want to see them.
    pub const ALL: [Atom; 11] =
        [Atom::W, Atom::F, Atom::D, Atom::A, Atom::H, Atom::G, Atom::N, Atom::L, Atom::R, Atom::B, Atom::NN];

    /// The letter or letters of its canonical text.
    pub const fn text(self) -> &'static str {
        match self {
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
        }
    }

    /// Whether the leap may be repeated over empty squares.
    pub const fn rides(self) -> bool {
        match self {
            Atom::R | Atom::B | Atom::NN => true,
            Atom::W | Atom::F | Atom::D | Atom::A | Atom::H | Atom::G | Atom::N | Atom::L => false,
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

impl Term {
    /// Whether its directional modifiers leave the atom whole.
    pub fn whole(&self) -> bool {
        self.vectors == self.atom.vectors()
    }

    /// Its steps as White takes them.
    pub fn steps(&self) -> impl Iterator<Item = Step> + use<> {
        let Term { atom, vectors, mode } = *self;
        vectors.map(move |(dx, dy)| Step {
            dx,
            dy,
            reach: if atom.rides() { Step::RIDE } else { 1 },
            moves: mode != Mode::Captures,
            captures: mode != Mode::Moves,
        })
    }
}

impl Betza {
    /// The steps of all terms as White takes them, each direction and reach once.
    pub fn steps(&self) -> Vec<Step> {
        union(&self.terms.iter().flat_map(Term::steps).collect::<Vec<_>>())
    }

    /// The piece compiled for boards of `size`.
    pub fn design(&self, size: Size) -> Design {
        Design::compile(self.royal, &self.steps(), size)
    }

    /// Whether no sequence of its moves and captures ever reaches a square of the other colour: every step keeps the sum of
    /// file and rank even or odd as it was.
    pub fn colourbound(&self) -> bool {
        self.terms.iter().all(|term| term.vectors.into_iter().all(|(dx, dy)| (dx + dy) % 2 == 0))
    }

    /// What the piece does, in a few plain sentences for players and screen readers.
    pub fn in_words(&self) -> String {
        words::of(self)
    }
}

impl FromStr for Betza {
    type Err = BetzaError;
    fn from_str(text: &str) -> Result<Self, BetzaError> {
        parse::piece(text)
    }
}

/// The canonical text: prefixes, then the terms in their order, each as mode letter, directions and atom.
impl fmt::Display for Betza {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (prefix, has) in [("royal-", self.royal), ("relay-", self.relay), ("doublemove-", self.doublemove)] {
            if has {
                f.write_str(prefix)?;
            }
        }
        // W after W must not be read as WW, nor D after D as DD: then the second writes its mode in full.
        let mut before = "";
        for term in &self.terms {
            let text = term.atom.text();
            if before.len() == 1 && text.starts_with(before) && term.mode == Mode::Both && term.whole() {
                f.write_str("mc")?;
            }
            write!(f, "{term}")?;
            before = text;
        }
        Ok(())
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.mode {
            Mode::Both => "",
            Mode::Moves => "m",
            Mode::Captures => "c",
        })?;
        if !self.whole() {
            for (name, _) in directions::cover(self.atom.class(), self.vectors) {
                f.write_str(name)?;
            }
        }
        f.write_str(self.atom.text())
    }
}

/// What is wrong with a piece's text, where, and what to write instead.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("character {}: {why}", at + 1)]
pub struct BetzaError {
    /// Offset in bytes of what is wrong.
    pub at: usize,
    /// What is wrong and what to write instead.
    pub why: String,
}
