//! Pieces in the part of Betza's notation that csipgs chess uses: data types, canonical text and invented modifiers.
//! Prices and the limits of a game are defined by csipgs chess itself.

mod atom;
mod description;
mod direction;
mod parse;

use std::{fmt, str::FromStr};

use super::{
    movement::{ElementaryStep, HopCondition, Movement, union},
    square::Size,
};

pub use atom::{Atom, Definition, Invention, Name};
pub use direction::{Class, Vectors};

/// Maximum length of a piece's text, in bytes.
pub const LONGEST: usize = 256;

/// A piece as a list of terms, in their written order.
///
/// ```
/// use zorkmid_board::{Betza, Size, Square};
///
/// let knight: Betza = "N".parse()?;
/// let design = knight.design(Size::ORTHODOX);
/// let corner: Square = "a1".parse()?;
/// assert_eq!(design.capture_reach(zorkmid_board::Color::White, corner).len(), 2);
///
/// let wrong = "NX".parse::<Betza>().unwrap_err();
/// assert_eq!(wrong.at, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Betza {
    /// `royal-`: it must not be lost.
    pub royal: bool,
    /// `relay-`: it relays its moves to every friendly piece that it guards, if the rules allow it.
    pub relay: bool,
    /// `doublemove-`: it may move twice in a turn, if the rules allow it.
    pub doublemove: bool,
    /// One or more terms. The piece has the moves of all of them.
    pub terms: Vec<ModifiedAtom>,
}

/// An atom with its modifiers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ModifiedAtom {
    /// The atom: direction and length of the leap, and whether it repeats.
    pub atom: Atom,
    /// Steps that the directional modifiers select; all of the atom's steps without modifiers. Never empty.
    pub vectors: Vectors,
    /// Whether it moves, captures or both.
    pub mode: Mode,
    /// Its invented modifiers.
    pub bends: Modifiers,
}

/// Invented modifiers of a term, at most one of each sort. Only games with inventions have them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Modifiers {
    /// The leap may repeat.
    pub runner: Option<Name>,
    /// The leap may not jump.
    pub lamed: Option<Name>,
    /// Maximum length of the ride.
    pub range: Option<(Name, u8)>,
    /// The piece may make this move twice in a turn.
    pub doublemove: Option<Name>,
    /// The ride hops over exactly one piece.
    pub hurdle: Option<(Name, HopCondition)>,
    /// Only for a piece that has not moved.
    pub first: Option<Name>,
    /// Friendly pieces that the piece guards may also move this way.
    pub relay: Option<Name>,
}

impl Modifiers {
    /// Names of the modifiers, in written order.
    pub fn names(&self) -> impl Iterator<Item = Name> + use<> {
        let (range, hurdle) = (self.range.map(|(name, _)| name), self.hurdle.map(|(name, _)| name));
        [self.runner, self.lamed, range, self.doublemove, hurdle, self.first, self.relay].into_iter().flatten()
    }
}

/// Whether a term moves, captures or both.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Mode {
    /// Moves and captures: neither `m` nor `c`, or both.
    Both,
    /// `m`: moves only.
    Moves,
    /// `c`: captures only.
    Captures,
}

impl ModifiedAtom {
    /// True if the directional modifiers select all steps of the atom.
    pub fn whole(&self) -> bool {
        self.vectors == self.atom.vectors()
    }

    /// Maximum number of repetitions of the leap: 1 for a leap, [`ElementaryStep::RIDE`] for no limit.
    pub fn reach(&self) -> u8 {
        let reach = if self.atom.rides() || self.bends.runner.is_some() { ElementaryStep::RIDE } else { 1 };
        self.bends.range.map_or(reach, |(_, most)| most.min(reach))
    }

    /// True if it may not jump over other pieces.
    pub fn lame(&self) -> bool {
        self.atom.lame() || self.bends.lamed.is_some()
    }

    /// Its steps from White's point of view. A bent ride continues in every direction closest to its first leap.
    pub fn steps(&self) -> impl Iterator<Item = ElementaryStep> + use<> {
        let (reach, lame, term) = (self.reach(), self.lame(), *self);
        let hurdle = term.bends.hurdle.map_or(HopCondition::None, |(_, hurdle)| hurdle);
        term.vectors.flat_map(move |(dx, dy)| {
            let onward = onward((dx, dy), term.atom.then());
            onward.into_iter().map(move |then| ElementaryStep {
                dx,
                dy,
                reach,
                moves: term.mode != Mode::Captures,
                captures: term.mode != Mode::Moves,
                lame,
                then,
                hurdle,
                first: term.bends.first.is_some(),
            })
        })
    }
}

/// The leaps that continue a ride: the same leap, or for a bent ride those closest to its direction.
fn onward(leap: (i8, i8), then: Option<(i8, i8)>) -> Vec<(i8, i8)> {
    let Some(then) = then else { return vec![leap] };
    let along = |(dx, dy): (i8, i8)| dx * leap.0 + dy * leap.1;
    let most = Vectors::all(then).map(along).max();
    Vectors::all(then).filter(|next| Some(along(*next)) == most).collect()
}

impl Betza {
    /// The steps of all terms from White's point of view, merged by direction and reach.
    pub fn steps(&self) -> Vec<ElementaryStep> {
        union(&self.terms.iter().flat_map(ModifiedAtom::steps).collect::<Vec<_>>())
    }

    /// Compiles the moves that the piece always has, for boards of `size`.
    pub fn design(&self, size: Size) -> Movement {
        let steps: Vec<ElementaryStep> = self.steps().into_iter().filter(|step| !step.first).collect();
        Movement::compile(self.royal, &steps, size)
    }

    /// Compiles the moves of an unmoved piece only, for boards of `size`.
    pub fn first(&self, size: Size) -> Option<Movement> {
        self.part(size, |term| term.bends.first.is_some())
    }

    /// Compiles the moves that the piece may make twice in a turn, for boards of `size`: all with `doublemove-`,
    /// otherwise the terms with an invented doublemove.
    pub fn repeatable(&self, size: Size) -> Option<Movement> {
        self.part(size, |term| term.bends.first.is_none() && (self.doublemove || term.bends.doublemove.is_some()))
    }

    /// Compiles the moves that the piece relays to friendly pieces, for boards of `size`: all with `relay-`, otherwise
    /// the terms with an invented relay. First moves are not relayed.
    pub fn relayed(&self, size: Size) -> Option<Movement> {
        self.part(size, |term| term.bends.first.is_none() && (self.relay || term.bends.relay.is_some()))
    }

    fn part(&self, size: Size, belongs: impl Fn(&ModifiedAtom) -> bool) -> Option<Movement> {
        let steps: Vec<ElementaryStep> =
            self.terms.iter().filter(|term| belongs(term)).flat_map(ModifiedAtom::steps).collect();
        (!steps.is_empty()).then(|| Movement::compile(self.royal, &steps, size))
    }

    /// Parses a text that may contain the names of `inventions` in angle brackets.
    pub fn read(text: &str, inventions: &[Invention]) -> Result<Betza, BetzaError> {
        Self::read_noted(text, inventions).map(|(piece, _)| piece)
    }

    /// Parses a text as [`Betza::read`] does. Adds a note wherever other sources give the text a different meaning.
    pub fn read_noted(text: &str, inventions: &[Invention]) -> Result<(Betza, Vec<String>), BetzaError> {
        parse::piece(text, inventions, false)
    }

    /// Parses a text that may also use the notation of other programs, which has no price: `R4` with at most four steps, `R0` and `DD`
    /// without a limit, `gQ` and `pR` that hop, `nN` that cannot jump, `Z` for the (2,3) leap, `[F?R]` that goes on outwards. Adds notes as
    /// [`Betza::read_noted`] does.
    pub fn read_free(text: &str, inventions: &[Invention]) -> Result<(Betza, Vec<String>), BetzaError> {
        parse::piece(text, inventions, true)
    }

    /// True if the piece needs the notation of other programs, which has no price.
    pub fn is_free(&self) -> bool {
        self.terms.iter().any(|term| {
            matches!(term.atom, Atom::Invented { name: Name::NONE, .. })
                || term.bends.names().any(|name| name == Name::NONE)
        })
    }

    /// True if the piece can never reach a square of the other colour.
    pub fn colourbound(&self) -> bool {
        self.terms.iter().flat_map(ModifiedAtom::steps).all(ElementaryStep::keeps_color)
    }

    /// Describes the piece in plain sentences, for players and screen readers.
    pub fn in_words(&self) -> String {
        description::of(self)
    }
}

impl FromStr for Betza {
    type Err = BetzaError;
    fn from_str(text: &str) -> Result<Self, BetzaError> {
        Betza::read(text, &[])
    }
}

/// Writes the canonical text: prefixes, then the terms in order, each as mode letter, directions and atom.
impl fmt::Display for Betza {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (prefix, has) in [("royal-", self.royal), ("relay-", self.relay), ("doublemove-", self.doublemove)] {
            if has {
                f.write_str(prefix)?;
            }
        }
        // Two terms W must not read as WW, nor D and D as DD, so the second one writes out its mode.
        let mut before = String::new();
        for term in &self.terms {
            let (atom, written) = (term.atom.to_string(), term.to_string());
            if before.len() == 1 && written.starts_with(&before) {
                f.write_str("mc")?;
            }
            f.write_str(&written)?;
            before = if written.ends_with(&atom) { atom } else { String::new() };
        }
        Ok(())
    }
}

impl fmt::Display for ModifiedAtom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.mode {
            Mode::Both => "",
            Mode::Moves => "m",
            Mode::Captures => "c",
        })?;
        if !self.whole() {
            for (name, _) in direction::cover(self.atom.class(), self.vectors) {
                f.write_str(name)?;
            }
        }
        let Modifiers { runner, lamed, range, hurdle, .. } = self.bends;
        self.bends.names().filter(|name| *name != Name::NONE).try_for_each(|name| write!(f, "<{name}>"))?;
        if lamed == Some(Name::NONE) {
            f.write_str("n")?;
        }
        if let Some((Name::NONE, hurdle)) = hurdle {
            f.write_str(hop_letter(hurdle))?;
        }
        self.atom.fmt(f)?;
        match range {
            Some((Name::NONE, most)) => write!(f, "{most}"),
            // A repeated letter makes a leap ride.
            Some(_) | None if runner == Some(Name::NONE) => self.atom.fmt(f),
            Some(_) | None => Ok(()),
        }
    }
}

/// An error in a piece's text.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("character {}: {why}", at + 1)]
pub struct BetzaError {
    /// Byte offset of the error.
    pub at: usize,
    /// Description of the error and how to correct it.
    pub why: String,
}

/// The invented atom; `None` for a modifier.
fn standing_for(Invention { name, definition }: Invention) -> Option<Atom> {
    let atom = |leap, rides, lame, then| Some(Atom::Invented { name, leap, rides, lame, then });
    match definition {
        Definition::Leaper(m, n) => atom((m, n), false, false, None),
        Definition::Rider(m, n) => atom((m, n), true, false, None),
        Definition::Lame(m, n) => atom((m, n), false, true, None),
        Definition::Bent(first, then) => atom(first, true, false, Some(then)),
        Definition::Runner
        | Definition::Lamed
        | Definition::Range(_)
        | Definition::Doublemove
        | Definition::Hopper
        | Definition::Grasshopper
        | Definition::Initial
        | Definition::Relay => None,
    }
}

/// Adds an invented modifier to a term.
fn bend(bends: &mut Modifiers, Invention { name, definition }: Invention, at: usize) -> Result<(), BetzaError> {
    let twice = match definition {
        Definition::Runner => bends.runner.replace(name).is_some(),
        Definition::Lamed => bends.lamed.replace(name).is_some(),
        Definition::Range(most) => bends.range.replace((name, most)).is_some(),
        Definition::Doublemove => bends.doublemove.replace(name).is_some(),
        Definition::Hopper => bends.hurdle.replace((name, HopCondition::One)).is_some(),
        Definition::Grasshopper => bends.hurdle.replace((name, HopCondition::Last)).is_some(),
        Definition::Initial => bends.first.replace(name).is_some(),
        Definition::Relay => bends.relay.replace(name).is_some(),
        Definition::Leaper(..) | Definition::Rider(..) | Definition::Lame(..) | Definition::Bent(..) => false,
    };
    if twice {
        let why = format!("a second modifier like <{name}> changes nothing; write only one");
        return Err(BetzaError { at, why });
    }
    Ok(())
}

/// Letter of a hop in the notation of other programs.
fn hop_letter(hurdle: HopCondition) -> &'static str {
    match hurdle {
        HopCondition::None => "",
        HopCondition::One => "p",
        HopCondition::Last => "g",
    }
}

/// A modifier in an error: its name, or the letter of one without a name.
fn shown(name: Name, letter: &str) -> String {
    if name == Name::NONE { format!("“{letter}”") } else { format!("<{name}>") }
}

/// Maximum number of invented modifiers of a term. The exact price of more could overflow.
const MOST: usize = 4;

/// Rejects modifiers that cannot change the atom at `at`.
fn bent(term: ModifiedAtom, at: usize) -> Result<ModifiedAtom, BetzaError> {
    let rides = term.atom.rides();
    let why = match term.bends {
        bends if bends.names().count() > MOST => {
            format!("an atom takes at most {MOST} invented modifiers; leave some of them out")
        }
        Modifiers { runner: Some(name), .. } if rides => format!("this atom already rides; leave <{name}> out"),
        Modifiers { range: Some((name, _)), runner: None, .. } if !rides => {
            format!("<{name}> limits riders, and this atom takes only one step; leave it out")
        }
        Modifiers { hurdle: Some((name, hurdle)), .. } if term.reach() == 1 => {
            format!(
                "{} needs a rider that may land behind a piece, and this atom takes only one step; leave it out",
                shown(name, hop_letter(hurdle))
            )
        }
        Modifiers { hurdle: Some((name, hurdle)), lamed: Some(lamed), .. } => {
            let (hops, lamed) = (shown(name, hop_letter(hurdle)), shown(lamed, "n"));
            format!("{hops} must hop over a piece, and {lamed} must not; leave one of them out")
        }
        Modifiers { lamed: Some(Name::NONE), .. } if term.atom.leap().1 == 1 => {
            "“n” changes nothing before single steps; leave it out".to_owned()
        }
        Modifiers { first: Some(name), doublemove: Some(twice), .. } => {
            format!("a first move cannot be repeated; leave <{name}> or <{twice}> out")
        }
        Modifiers { first: Some(name), relay: Some(relay), .. } => {
            format!("a first move cannot be relayed; leave <{name}> or <{relay}> out")
        }
        Modifiers { lamed: Some(name), .. } if term.atom.lame() => {
            format!("this atom is already lame; leave <{name}> out")
        }
        Modifiers { .. } => return Ok(term),
    };
    Err(BetzaError { at, why })
}
