//! Atoms and modifiers that players invent during a game: their names, what they do, and how they stand in a piece's text. Knows
//! a closed catalogue, so that every invention can be played; not what an invention costs.

use std::{fmt, str::FromStr};

use super::BetzaError;
use crate::board::piece::Step;

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
    /// An atom that leaps (m,n) but not over other pieces; straight leaps and (1,2) only.
    Lame(i8, i8),
    /// A modifier: the leap after it may be repeated.
    Runner,
    /// A modifier: the leap after it may not jump.
    Lamed,
    /// A modifier: the rider after it repeats its leap at most so often, 1 to 7.
    Range(u8),
    /// A modifier: after moving by the atom after it the piece may in the same turn move so again.
    Doublemove,
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
    /// Tells whether it stands in the place of an atom; else it modifies one.
    pub const fn is_atom(self) -> bool {
        match self {
            Definition::Leaper(..) | Definition::Rider(..) | Definition::Lame(..) => true,
            Definition::Runner | Definition::Lamed | Definition::Range(_) | Definition::Doublemove => false,
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
            Definition::Runner => "a modifier: the leap after it may be repeated in its direction".to_owned(),
            Definition::Lamed => "a modifier: the leap after it may not pass over other pieces".to_owned(),
            Definition::Range(1) => "a modifier: the rider after it takes only one step".to_owned(),
            Definition::Range(most) => format!("a modifier: the rider after it takes at most {most} steps"),
            Definition::Doublemove => {
                "a modifier: having moved by the atom after it, the piece may do so again in the same turn".to_owned()
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

/// `leaper(1,4)`, `rider(0,2)`, `lame(1,2)`, `runner`, `lamed`, `range(3)`, `doublemove`.
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
        }
    }
}

impl FromStr for Definition {
    type Err = BetzaError;
    fn from_str(text: &str) -> Result<Definition, BetzaError> {
        let error = |at: usize, why: &str| Err(BetzaError { at, why: why.to_owned() });
        let (word, rest) = text.split_at(text.find('(').unwrap_or(text.len()));
        let inside = rest.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
        match (word, rest.is_empty()) {
            ("runner", true) => Ok(Definition::Runner),
            ("lamed", true) => Ok(Definition::Lamed),
            ("doublemove", true) => Ok(Definition::Doublemove),
            ("range", _) => match inside.unwrap_or_default().as_bytes() {
                [most @ b'1'..=b'7'] => Ok(Definition::Range(most - b'0')),
                _ => error(5, "a range is written range(k) with k from 1 to 7"),
            },
            ("leaper" | "rider" | "lame", _) => {
                let (m, n) = match inside.unwrap_or_default().as_bytes() {
                    [m @ b'0'..=b'7', b',', n @ b'1'..=b'7'] if m <= n => ((m - b'0') as i8, (n - b'0') as i8),
                    _ => {
                        return error(
                            word.len(),
                            "a leap is written (m,n) with 0 ≤ m ≤ n ≤ 7 and n at least 1, as in (1,2)",
                        );
                    }
                };
                match word {
                    "leaper" => Ok(Definition::Leaper(m, n)),
                    "rider" => Ok(Definition::Rider(m, n)),
                    _ if Step::lamable((m, n)) => Ok(Definition::Lame(m, n)),
                    _ => error(4, "only straight leaps, (0,n) and (n,n), and the knight’s (1,2) have a lame form"),
                }
            }
            _ => error(
                0,
                "an invention is leaper(m,n), rider(m,n) or lame(m,n), or the modifier runner, lamed, range(k) or doublemove",
            ),
        }
    }
}
