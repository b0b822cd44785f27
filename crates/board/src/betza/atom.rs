//! Basic leaps and rides of the notation, and the atoms and modifiers that players invent. The catalogue of inventions
//! is closed, so that every invention can be played.

use std::{fmt, str::FromStr};

use super::{BetzaError, Class, Vectors};

/// A basic leap, or one that repeats over empty squares.
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
    /// Camel, (1,3). The parser also accepts `C`.
    L,
    /// Rook: repeated W, also written `WW`.
    R,
    /// Bishop: repeated F, also written `FF`.
    B,
    /// Nightrider: repeated N.
    NN,
    /// An invented atom.
    Invented {
        /// Its name, as in `<Horse>`.
        name: Name,
        /// The leap as (short, long) side.
        leap: (i8, i8),
        /// The leap may repeat over empty squares.
        rides: bool,
        /// It may not jump.
        lame: bool,
        /// The leap that continues a bent ride.
        then: Option<(i8, i8)>,
    },
}

impl Atom {
    /// All atoms of the notation itself.
    pub const ALL: [Atom; 11] =
        [Atom::W, Atom::F, Atom::D, Atom::A, Atom::H, Atom::G, Atom::N, Atom::L, Atom::R, Atom::B, Atom::NN];

    /// Canonical text of the atom; empty for an invented atom, which is written as its name.
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

    /// True if the leap may repeat over empty squares.
    pub const fn rides(self) -> bool {
        match self {
            Atom::R | Atom::B | Atom::NN => true,
            Atom::W | Atom::F | Atom::D | Atom::A | Atom::H | Atom::G | Atom::N | Atom::L => false,
            Atom::Invented { rides, .. } => rides,
        }
    }

    /// True if the leap may not jump over other pieces.
    pub const fn lame(self) -> bool {
        matches!(self, Atom::Invented { lame: true, .. })
    }

    /// The leap that continues a bent ride.
    pub const fn then(self) -> Option<(i8, i8)> {
        match self {
            Atom::Invented { then, .. } => then,
            _ => None,
        }
    }

    /// Class of its directional modifiers.
    pub const fn class(self) -> Class {
        Class::of(self.leap())
    }

    /// All its steps.
    pub fn vectors(self) -> Vectors {
        Vectors::all(self.leap())
    }
}

/// Writes the canonical text, the name of an invented atom in angle brackets, or one without a name as other programs do: `[F?R]`, `Z`.
impl fmt::Display for Atom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letters = |wanted: (i8, i8), rides: bool| {
            let found = Atom::ALL.into_iter().find(|atom| atom.leap() == wanted && atom.rides() == rides);
            found.map_or("", Atom::text)
        };
        match self {
            Atom::Invented { name: Name::NONE, leap, then: Some(then), .. } => {
                write!(f, "[{}?{}]", letters(*leap, false), letters(*then, true))
            }
            Atom::Invented { name: Name::NONE, .. } => f.write_str("Z"),
            Atom::Invented { name, .. } => write!(f, "<{name}>"),
            atom => f.write_str(atom.text()),
        }
    }
}

/// Maximum length of a name, in letters.
const LONGEST: usize = 12;

/// Name of an invention: a capital letter and one to eleven lower-case letters. [`Name::NONE`] has no letters.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name {
    letters: [u8; LONGEST],
    len: u8,
}

impl Name {
    /// No name: marks an atom or modifier that is written as in other programs and has no price.
    pub const NONE: Name = Name { letters: [0; LONGEST], len: 0 };
}

/// The definition of an invention.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Definition {
    /// An atom that leaps (m,n), 0 ≤ m ≤ n ≤ 7.
    Leaper(i8, i8),
    /// An atom that repeats the leap (m,n) over empty landing squares.
    Rider(i8, i8),
    /// An atom that leaps (m,n) without jumping over other pieces.
    Lame(i8, i8),
    /// An atom that leaps once by the first pair and rides on by the second: a bent rider, such as the gryphon.
    Bent((i8, i8), (i8, i8)),
    /// A modifier: the following leap may repeat.
    Runner,
    /// A modifier: the following leap may not jump.
    Lamed,
    /// A modifier: the following rider repeats its leap at most this often, 1 to 7 times.
    Range(u8),
    /// A modifier: the piece may make the following move twice in a turn.
    Doublemove,
    /// A modifier: the following rider hops over exactly one piece, at any distance; Betza's `p`.
    Hopper,
    /// A modifier: the following rider lands directly behind the first piece in its path; Betza's `g`.
    Grasshopper,
    /// A modifier: only for a piece that has not moved; Betza's `i`.
    Initial,
    /// A modifier: every friendly piece that the piece guards may also move this way (Mannis Charosh, Relay Chess,
    /// 1957).
    Relay,
}

/// An invention: a name with its definition.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Invention {
    /// Its name, written in angle brackets in a piece's text.
    pub name: Name,
    /// Its definition.
    pub definition: Definition,
}

impl Definition {
    /// One example of each sort.
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

    /// True for an atom, false for a modifier.
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

    /// Describes the definition in plain words.
    pub fn in_words(self) -> String {
        match self {
            Definition::Leaper(m, n) => format!("an atom that leaps {n} squares one way and {m} the other"),
            Definition::Rider(m, n) => {
                format!("an atom that repeats the leap of {n} and {m} squares over empty landing squares")
            }
            Definition::Lame(m, n) => {
                format!("an atom that goes {n} squares one way and {m} the other, without jumping over other pieces")
            }
            Definition::Bent((m, n), (k, l)) => {
                format!(
                    "an atom that leaps {n} and {m} squares once, then rides on by leaps of {l} and {k} squares \
                     as nearly as possible in the same direction"
                )
            }
            Definition::Runner => "a modifier: the leap after it may be repeated in its direction".to_owned(),
            Definition::Lamed => "a modifier: the leap after it may not pass over other pieces".to_owned(),
            Definition::Range(1) => "a modifier: the rider after it takes only one step".to_owned(),
            Definition::Range(most) => format!("a modifier: the rider after it takes at most {most} steps"),
            Definition::Doublemove => {
                "a modifier: the piece may move by the atom after it twice in the same turn".to_owned()
            }
            Definition::Hopper => "a modifier: the rider after it hops over exactly one piece".to_owned(),
            Definition::Grasshopper => {
                "a modifier: the rider after it lands directly behind the first piece in its path".to_owned()
            }
            Definition::Initial => "a modifier: only on the piece’s first move".to_owned(),
            Definition::Relay => {
                "a modifier: every friendly piece that the piece guards may also move this way".to_owned()
            }
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
            let why = "a name is a capital letter and one to eleven lower-case letters, as in Horse";
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
            // Bodlaender writes “running”.
            "runner" | "running" => Some(Definition::Runner),
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
                        error(4, "both leaps are the same; write rider(m,n) for a straight ride")
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

/// Parses two digits as a leap.
fn leap(m: u8, n: u8) -> Option<(i8, i8)> {
    let digit = |byte: u8| (b'0'..=b'7').contains(&byte).then(|| (byte - b'0') as i8);
    let (m, n) = (digit(m)?, digit(n)?);
    (m <= n && n > 0).then_some((m, n))
}
