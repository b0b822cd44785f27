//! Atoms: the basic leaps and rides of the notation, and the atoms and modifiers that players invent. The catalogue of inventions is closed, so that
//! every invention can be played.

use std::{fmt, str::FromStr};

use super::{BetzaError, Class, Vectors};

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

/// The longest name, in letters.
const LONGEST: usize = 12;

/// The name of an invention: a capital letter and one to eleven small ones.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name {
    letters: [u8; LONGEST],
    len: u8,
}

/// The definition of an invention.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Definition {
    /// An atom that leaps (m,n), 0 ≤ m ≤ n ≤ 7.
    Leaper(i8, i8),
    /// An atom that repeats such a leap over empty landing squares.
    Rider(i8, i8),
    /// An atom that leaps (m,n) but not over other pieces.
    Lame(i8, i8),
    /// An atom that leaps once as the first pair says, and rides on as the second: a bent rider, as the gryphon is.
    Bent((i8, i8), (i8, i8)),
    /// A modifier: the leap after it may be repeated.
    Runner,
    /// A modifier: the leap after it may not jump.
    Lamed,
    /// A modifier: the rider after it repeats its leap at most so often, 1 to 7.
    Range(u8),
    /// A modifier: after moving by the atom after it the piece may in the same turn move so again.
    Doublemove,
    /// A modifier: the rider after it passes over exactly one piece, wherever that stands; Betza's `p`.
    Hopper,
    /// A modifier: the rider after it lands right behind the first piece on its way; Betza's `g`.
    Grasshopper,
    /// A modifier: only as long as the piece has not moved; Betza's `i`.
    Initial,
    /// A modifier: every friendly piece that the piece guards may move so too (Mannis Charosh, Relay Chess, 1957).
    Relay,
}

/// A name with its meaning.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Invention {
    /// As it stands in a piece's text between angle brackets.
    pub name: Name,
    /// Its meaning.
    pub definition: Definition,
}

impl Definition {
    /// One of every sort.
    pub const EXAMPLES: [Definition; 12] = [
        Definition::Leaper(1, 4),
        Definition::Rider(1, 3),
        Definition::Lame(1, 2),
        Definition::Bent((1, 1), (0, 1)),
        Definition::Runner,
        Definition::Lamed,
        Definition::Range(3),
        Definition::Hopper,
        Definition::Grasshopper,
        Definition::Initial,
        Definition::Relay,
        Definition::Doublemove,
    ];

    /// Tells whether it stands in the place of an atom; else it modifies one.
    pub const fn is_atom(self) -> bool {
        match self {
            Definition::Leaper(..) | Definition::Rider(..) | Definition::Lame(..) | Definition::Bent(..) => true,
            Definition::Runner
            | Definition::Lamed
            | Definition::Range(_)
            | Definition::Doublemove
            | Definition::Hopper
            | Definition::Grasshopper
            | Definition::Initial
            | Definition::Relay => false,
        }
    }

    /// Says in plain words what it does.
    pub fn in_words(self) -> String {
        match self {
            Definition::Leaper(m, n) => format!("an atom that leaps {n} squares one way and {m} the other"),
            Definition::Rider(m, n) => {
                format!("an atom that repeats the leap of {n} and {m} squares over empty landing squares")
            }
            Definition::Lame(m, n) => {
                format!("an atom that goes {n} squares one way and {m} the other, but not over other pieces")
            }
            Definition::Bent((m, n), (k, l)) => {
                format!(
                    "an atom that leaps {n} and {m} squares once, and rides on by leaps of {l} and {k} squares turned away from that least"
                )
            }
            Definition::Runner => "a modifier: the leap after it may be repeated in its direction".to_owned(),
            Definition::Lamed => "a modifier: the leap after it may not pass over other pieces".to_owned(),
            Definition::Range(1) => "a modifier: the rider after it takes only one step".to_owned(),
            Definition::Range(most) => format!("a modifier: the rider after it takes at most {most} steps"),
            Definition::Doublemove => {
                "a modifier: having moved by the atom after it, the piece may do so again in the same turn".to_owned()
            }
            Definition::Hopper => "a modifier: the rider after it passes over exactly one piece".to_owned(),
            Definition::Grasshopper => {
                "a modifier: the rider after it lands right behind the first piece on its way".to_owned()
            }
            Definition::Initial => "a modifier: only as long as the piece has not moved".to_owned(),
            Definition::Relay => "a modifier: every friendly piece that the piece guards may move so too".to_owned(),
        }
    }
}

impl FromStr for Name {
    type Err = BetzaError;
    fn from_str(text: &str) -> Result<Name, BetzaError> {
        let fits = |(at, letter): (usize, &u8)| {
            if at == 0 { letter.is_ascii_uppercase() } else { letter.is_ascii_lowercase() }
        };
        let wrong = text.bytes().enumerate().position(|(at, letter)| !fits((at, &letter)));
        let at = wrong.unwrap_or(if text.len() > LONGEST { LONGEST } else { text.len() });
        if wrong.is_some() || !(2..=LONGEST).contains(&text.len()) {
            let why = "a name is a capital letter and one to eleven small ones, as in Horse";
            return Err(BetzaError { at, why: why.to_owned() });
        }
        let mut letters = [0; LONGEST];
        letters[..text.len()].copy_from_slice(text.as_bytes());
        Ok(Name { letters, len: text.len() as u8 })
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.letters[..usize::from(self.len)].iter().try_for_each(|letter| write!(f, "{}", char::from(*letter)))
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// `leaper(1,4)`, `rider(0,2)`, `lame(1,2)`, `bent(1,1,0,1)`, `runner`, `lamed`, `range(3)`, `doublemove`, `hopper`, `grasshopper`,
/// `initial`, `relay`.
impl fmt::Display for Definition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Definition::Leaper(m, n) => write!(f, "leaper({m},{n})"),
            Definition::Rider(m, n) => write!(f, "rider({m},{n})"),
            Definition::Lame(m, n) => write!(f, "lame({m},{n})"),
            Definition::Runner => f.write_str("runner"),
            Definition::Lamed => f.write_str("lamed"),
            Definition::Range(most) => write!(f, "range({most})"),
            Definition::Doublemove => f.write_str("doublemove"),
            Definition::Bent((m, n), (k, l)) => write!(f, "bent({m},{n},{k},{l})"),
            Definition::Hopper => f.write_str("hopper"),
            Definition::Grasshopper => f.write_str("grasshopper"),
            Definition::Initial => f.write_str("initial"),
            Definition::Relay => f.write_str("relay"),
        }
    }
}

impl FromStr for Definition {
    type Err = BetzaError;
    fn from_str(text: &str) -> Result<Definition, BetzaError> {
        let error = |at: usize, why: &str| Err(BetzaError { at, why: why.to_owned() });
        let (word, rest) = text.split_at(text.find('(').unwrap_or(text.len()));
        let inside = rest.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or_default();
        let plain = match word {
            "runner" => Some(Definition::Runner),
            "lamed" => Some(Definition::Lamed),
            "doublemove" => Some(Definition::Doublemove),
            "hopper" => Some(Definition::Hopper),
            "grasshopper" => Some(Definition::Grasshopper),
            "initial" => Some(Definition::Initial),
            "relay" => Some(Definition::Relay),
            _ => None,
        };
        match (plain, word, rest.is_empty()) {
            (Some(plain), _, true) => Ok(plain),
            (None, "range", _) => match inside.as_bytes() {
                [most @ b'1'..=b'7'] => Ok(Definition::Range(most - b'0')),
                _ => error(5, "a range is written range(k) with k from 1 to 7"),
            },
            (None, "bent", _) => match inside.as_bytes() {
                [m, b',', n, b',', k, b',', l] => match (leap(*m, *n), leap(*k, *l)) {
                    (Some(first), Some(then)) if first == then => {
                        error(4, "this bends nowhere; write rider(m,n) for a ride that goes on as it began")
                    }
                    (Some(first), Some(then)) => Ok(Definition::Bent(first, then)),
                    (_, _) => error(4, BENT),
                },
                _ => error(4, BENT),
            },
            (None, "leaper" | "rider" | "lame", _) => match (word, inside.as_bytes()) {
                (word, [m, b',', n]) if let Some((m, n)) = leap(*m, *n) => Ok(match word {
                    "leaper" => Definition::Leaper(m, n),
                    "rider" => Definition::Rider(m, n),
                    _ => Definition::Lame(m, n),
                }),
                _ => error(word.len(), "a leap is written (m,n) with 0 ≤ m ≤ n ≤ 7 and n at least 1, as in (1,2)"),
            },
            _ => error(
                0,
                "an invention is leaper(m,n), rider(m,n), lame(m,n) or bent(m,n,k,l), or the modifier runner, lamed, range(k), hopper, \
                 grasshopper, initial, relay or doublemove",
            ),
        }
    }
}

const BENT: &str =
    "a bent rider is written bent(m,n,k,l), both leaps with 0 ≤ m ≤ n ≤ 7 and n at least 1, as in bent(1,1,0,1)";

/// The leap of two digits, if it is one.
fn leap(m: u8, n: u8) -> Option<(i8, i8)> {
    let digit = |byte: u8| (b'0'..=b'7').contains(&byte).then(|| (byte - b'0') as i8);
    let (m, n) = (digit(m)?, digit(n)?);
    (m <= n && n > 0).then_some((m, n))
}
