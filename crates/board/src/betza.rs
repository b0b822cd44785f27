//! Pieces in the part of Betza's notation that csipgs chess uses: their types, their canonical text and what invented modifiers make of them.
//! Prices, and what a game allows, are rules of csipgs chess.

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

/// The longest text that is read as a piece, in bytes.
pub const LONGEST: usize = 256;

/// A piece as a list of terms, in the order in which they were written.
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
    /// `royal-`: must not be lost.
    pub royal: bool,
    /// `relay-`: lends its powers to every friendly piece that it guards; a rule set has to allow it.
    pub relay: bool,
    /// `doublemove-`: may move twice in its turn; a rule set has to allow it.
    pub doublemove: bool,
    /// One or more; the piece may do what any of them may.
    pub terms: Vec<ModifiedAtom>,
}

/// An atom with what its modifiers leave of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ModifiedAtom {
    /// The atom: how far it goes and how often.
    pub atom: Atom,
    /// The steps that its directional modifiers select; never empty, all of the atom's where there are none.
    pub vectors: Vectors,
    /// Its rights where it arrives.
    pub mode: Mode,
    /// The invented modifiers before it.
    pub bends: Bends,
}

/// The invented modifiers of a term, at most one of each sort; none in any game but those with inventions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Bends {
    /// The leap may be repeated.
    pub runner: Option<Name>,
    /// The leap may not jump.
    pub lamed: Option<Name>,
    /// The ride is this long at most.
    pub range: Option<(Name, u8)>,
    /// The piece may move so twice in its turn.
    pub doublemove: Option<Name>,
    /// The ride passes over exactly one piece.
    pub hurdle: Option<(Name, HopCondition)>,
    /// The piece may move so as long as it has not moved.
    pub first: Option<Name>,
    /// Friendly pieces that the piece guards may move so too.
    pub relay: Option<Name>,
}

impl Bends {
    /// The names of the modifiers, in the order in which they are written.
    pub fn names(&self) -> impl Iterator<Item = Name> + use<> {
        let (range, hurdle) = (self.range.map(|(name, _)| name), self.hurdle.map(|(name, _)| name));
        [self.runner, self.lamed, range, self.doublemove, hurdle, self.first, self.relay].into_iter().flatten()
    }
}

/// A term's rights on the square where it arrives.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Mode {
    /// Go to an empty square or capture: neither `m` nor `c`, or both.
    Both,
    /// `m`: only go to an empty square.
    Moves,
    /// `c`: only capture.
    Captures,
}

impl ModifiedAtom {
    /// Tells whether its directional modifiers leave the atom whole.
    pub fn whole(&self) -> bool {
        self.vectors == self.atom.vectors()
    }

    /// The number of times that its leap may be repeated: 1 for a leap, [`Step::RIDE`] for no limit.
    pub fn reach(&self) -> u8 {
        let reach = if self.atom.rides() || self.bends.runner.is_some() { ElementaryStep::RIDE } else { 1 };
        self.bends.range.map_or(reach, |(_, most)| most.min(reach))
    }

    /// Tells whether it may not pass over other pieces.
    pub fn lame(&self) -> bool {
        self.atom.lame() || self.bends.lamed.is_some()
    }

    /// Its steps as White takes them. One that bends goes on in every direction that is nearest to its first leap's.
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

/// The leaps by which a ride goes on after a leap: itself, or those of another kind that turn away from it least.
fn onward(leap: (i8, i8), then: Option<(i8, i8)>) -> Vec<(i8, i8)> {
    let Some(then) = then else { return vec![leap] };
    let along = |(dx, dy): (i8, i8)| dx * leap.0 + dy * leap.1;
    let most = Vectors::all(then).map(along).max();
    Vectors::all(then).filter(|next| Some(along(*next)) == most).collect()
}

impl Betza {
    /// The steps of all terms as White takes them, each direction and reach once.
    pub fn steps(&self) -> Vec<ElementaryStep> {
        union(&self.terms.iter().flat_map(ModifiedAtom::steps).collect::<Vec<_>>())
    }

    /// The piece compiled for boards of `size`, as it goes at any time.
    pub fn design(&self, size: Size) -> Movement {
        let steps: Vec<ElementaryStep> = self.steps().into_iter().filter(|step| !step.first).collect();
        Movement::compile(self.royal, &steps, size)
    }

    /// The steps that only a piece which has not moved may take, compiled for boards of `size`.
    pub fn first(&self, size: Size) -> Option<Movement> {
        self.part(size, |term| term.bends.first.is_some())
    }

    /// The part of the piece that may be used twice in a turn, compiled for boards of `size`: all of it behind `doublemove-`, else
    /// the terms that an invented doublemove modifies.
    pub fn repeatable(&self, size: Size) -> Option<Movement> {
        self.part(size, |term| term.bends.first.is_none() && (self.doublemove || term.bends.doublemove.is_some()))
    }

    /// The part of the piece that it lends to friendly pieces, compiled for boards of `size`: all of it behind `relay-`, else the terms that
    /// an invented relay modifies. What it may do only as long as it has not moved, it does not lend.
    pub fn relayed(&self, size: Size) -> Option<Movement> {
        self.part(size, |term| term.bends.first.is_none() && (self.relay || term.bends.relay.is_some()))
    }

    fn part(&self, size: Size, belongs: impl Fn(&ModifiedAtom) -> bool) -> Option<Movement> {
        let steps: Vec<ElementaryStep> =
            self.terms.iter().filter(|term| belongs(term)).flat_map(ModifiedAtom::steps).collect();
        (!steps.is_empty()).then(|| Movement::compile(self.royal, &steps, size))
    }

    /// Reads a text in which the names of `inventions` may stand between angle brackets.
    pub fn read(text: &str, inventions: &[Invention]) -> Result<Betza, BetzaError> {
        Self::read_noted(text, inventions).map(|(piece, _)| piece)
    }

    /// The same, with a note for everything that other pages mean otherwise.
    pub fn read_noted(text: &str, inventions: &[Invention]) -> Result<(Betza, Vec<String>), BetzaError> {
        parse::piece(text, inventions)
    }

    /// Tells whether no sequence of its moves and captures ever reaches a square of the other colour: every step keeps the sum of
    /// file and rank even or odd as it was.
    pub fn colourbound(&self) -> bool {
        self.terms.iter().flat_map(ModifiedAtom::steps).all(ElementaryStep::keeps_color)
    }

    /// Says what the piece does, in a few plain sentences for players and screen readers.
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
            let bare = term.mode == Mode::Both && term.whole() && term.bends == Bends::default();
            if before.len() == 1 && text.starts_with(before) && bare {
                f.write_str("mc")?;
            }
            write!(f, "{term}")?;
            before = text;
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
        self.bends.names().try_for_each(|name| write!(f, "<{name}>"))?;
        self.atom.fmt(f)
    }
}

/// An error in a piece's text: what is wrong, where, and what to write instead.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("character {}: {why}", at + 1)]
pub struct BetzaError {
    /// Offset in bytes of what is wrong.
    pub at: usize,
    /// The fault, and what to write instead.
    pub why: String,
}

/// The atom that an invention stands for, if it is one.
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

/// Adds an invented modifier to those of a term.
fn bend(bends: &mut Bends, Invention { name, definition }: Invention, at: usize) -> Result<(), BetzaError> {
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
        let why = format!("a second modifier of the sort of <{name}> changes nothing; write one");
        return Err(BetzaError { at, why });
    }
    Ok(())
}

/// The most invented modifiers of a term: more of the dearest would cost more than can be counted exactly.
const MOST: usize = 4;

/// Refuses modifiers that cannot change the atom at `at`.
fn bent(term: ModifiedAtom, at: usize) -> Result<ModifiedAtom, BetzaError> {
    let rides = term.atom.rides();
    let why = match term.bends {
        bends if bends.names().count() > MOST => {
            format!("an atom takes at most {MOST} invented modifiers; leave some of them out")
        }
        Bends { runner: Some(name), .. } if rides => format!("this atom rides already; leave <{name}> out"),
        Bends { range: Some((name, _)), runner: None, .. } if !rides => {
            format!("<{name}> limits riders, and this atom takes only one step; leave it out")
        }
        Bends { hurdle: Some((name, _)), .. } if term.reach() == 1 => {
            format!("<{name}> needs a rider that may land behind a piece, and this takes only one step; leave it out")
        }
        Bends { hurdle: Some((name, _)), lamed: Some(lamed), .. } => {
            format!("<{name}> passes over a piece, and <{lamed}> over none; leave one of them out")
        }
        Bends { first: Some(name), doublemove: Some(twice), .. } => {
            format!("a first move is no second one; leave <{name}> or <{twice}> out")
        }
        Bends { first: Some(name), relay: Some(relay), .. } => {
            format!("a first move is not relayed; leave <{name}> or <{relay}> out")
        }
        Bends { lamed: Some(name), .. } if term.atom.lame() => format!("this atom is lame already; leave <{name}> out"),
        Bends { .. } => return Ok(term),
    };
    Err(BetzaError { at, why })
}
