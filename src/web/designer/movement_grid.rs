//! The map on which a piece is built by clicking squares: from a piece to its squares, and from squares to a piece.

use crate::board::{Atom, Betza, Mode, ModifiedAtom, Modifiers};
use serde::Deserialize;

/// The kind of step that a click on the map changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum By {
    /// A leap to the square.
    #[default]
    Leap,
    /// A ride to the square and beyond.
    Ride,
}

impl By {
    pub(super) const ALL: [By; 2] = [By::Leap, By::Ride];

    pub(super) const fn text(self) -> &'static str {
        match self {
            By::Leap => "leap",
            By::Ride => "ride",
        }
    }

    pub(super) const fn words(self) -> &'static str {
        match self {
            By::Leap => "leaps to one square",
            By::Ride => "rides until it is blocked",
        }
    }

    pub(super) const NEITHER: &'static str = "The kind of step must be leap or ride.";

    /// Parses a kind of step; a leap by default.
    pub(super) fn read(text: &str) -> Option<By> {
        By::ALL.into_iter().find(|by| by.text() == text).or(text.is_empty().then_some(By::Leap))
    }

    /// The error for a click that has no effect.
    pub(super) fn nowhere(self) -> &'static str {
        match self {
            By::Leap => "There is no such square on the map. Press one of its buttons.",
            By::Ride => "No ride goes there. Rides go along ranks, files and diagonals, or by knight’s moves.",
        }
    }

    /// The atoms whose steps can be changed by clicks, in the order in which they are written.
    const fn atoms(self) -> &'static [Atom] {
        match self {
            By::Leap => &[Atom::W, Atom::F, Atom::D, Atom::A, Atom::H, Atom::G, Atom::N, Atom::L],
            By::Ride => &[Atom::R, Atom::B, Atom::NN],
        }
    }

    /// Whether clicks can change a term: it is not an invention, and none is before it.
    fn owns(self, term: &ModifiedAtom) -> bool {
        self.atoms().contains(&term.atom) && term.bends == Modifiers::default()
    }

    /// The step for a square; for a ride, the first step on the way there.
    fn step(self, (x, y): (i8, i8)) -> (i8, i8) {
        let most = x.unsigned_abs().max(y.unsigned_abs());
        let common = |by: &i8| x % by == 0 && y % by == 0;
        match self {
            By::Ride if most <= REACH.unsigned_abs() => {
                let by = (1..=REACH).rev().find(common).unwrap_or(1);
                (x / by, y / by)
            }
            By::Leap | By::Ride => (x, y),
        }
    }

    /// The atom that contains a step.
    fn atom(self, (x, y): (i8, i8)) -> Option<Atom> {
        let (x, y) = (x.checked_abs()?, y.checked_abs()?);
        let leap = (x.min(y), x.max(y));
        self.atoms().iter().copied().find(|atom| atom.leap() == leap)
    }

    /// The mode in which a piece makes a step.
    fn mode(self, piece: Option<&Betza>, step: (i8, i8)) -> Option<Mode> {
        let terms = piece.iter().flat_map(|piece| &piece.terms);
        let modes = terms.filter(|term| self.owns(term) && term.vectors.has(step)).map(|term| term.mode);
        modes.reduce(|one, two| if one == two { one } else { Mode::Both })
    }

    /// The sign of a step on the map; doubled for a ride.
    const fn sign(self, mode: Mode) -> &'static str {
        match (self, mode) {
            (By::Leap, Mode::Both) => "●",
            (By::Leap, Mode::Moves) => "○",
            (By::Leap, Mode::Captures) => "×",
            (By::Ride, Mode::Both) => "●●",
            (By::Ride, Mode::Moves) => "○○",
            (By::Ride, Mode::Captures) => "××",
        }
    }
}

/// What a click can put on a square: the mode, its value in a form, and its words.
pub(super) const MODES: [(Mode, &str, &str); 3] = [
    (Mode::Both, "both", "● Move and capture"),
    (Mode::Moves, "moves", "○ Move only"),
    (Mode::Captures, "captures", "× Capture only"),
];

pub(super) const NO_MODE: &str = "The mode must be both, moves or captures.";

/// Parses a mode; moves and captures by default.
pub(super) fn read_mode(text: &str) -> Option<Mode> {
    let known = MODES.into_iter().find(|(_, value, _)| *value == text).map(|(mode, ..)| mode);
    known.or(text.is_empty().then_some(Mode::Both))
}

/// The value of a mode in a form.
pub(super) fn mode_text(mode: Mode) -> &'static str {
    MODES.into_iter().find(|(known, ..)| *known == mode).map_or("", |(_, value, _)| value)
}

/// The squares that a click on the map sets.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Symmetry {
    /// All squares of the same atom, up to eight.
    #[default]
    All,
    /// The square and its mirror image to the left or right of the piece.
    Sides,
    /// Only the square.
    One,
}

impl Symmetry {
    pub(super) const ALL: [Symmetry; 3] = [Symmetry::All, Symmetry::Sides, Symmetry::One];

    pub(super) const fn text(self) -> &'static str {
        match self {
            Symmetry::All => "all",
            Symmetry::Sides => "sides",
            Symmetry::One => "one",
        }
    }

    pub(super) const fn words(self) -> &'static str {
        match self {
            Symmetry::All => "full symmetry",
            Symmetry::Sides => "left–right",
            Symmetry::One => "only this square",
        }
    }

    pub(super) const UNKNOWN: &'static str = "The symmetry must be all, sides or one.";

    /// Parses a symmetry; full by default.
    pub(super) fn read(text: &str) -> Option<Symmetry> {
        let known = Symmetry::ALL.into_iter().find(|symmetry| symmetry.text() == text);
        known.or(text.is_empty().then_some(Symmetry::All))
    }

    /// Whether a click on one step of an atom sets another step of the same atom.
    fn joins(self, here: (i8, i8), step: (i8, i8)) -> bool {
        match self {
            Symmetry::All => true,
            Symmetry::Sides => here.0.abs() == step.0.abs() && here.1 == step.1,
            Symmetry::One => here == step,
        }
    }
}

/// One row of the map, from the front.
pub(super) struct MapRow {
    pub(super) cells: Vec<MapCell>,
}

/// One square of the map.
pub(super) struct MapCell {
    /// The value of a click: `1,2` for right and forward; `None` in the middle and where no atom goes.
    pub(super) press: Option<String>,
    pub(super) dark: bool,
    /// Whether the piece is on this square.
    pub(super) middle: bool,
    /// The sign of the piece's step: ● moves and captures, ○ moves only, × captures only; doubled if it rides on.
    pub(super) sign: String,
    /// The square and its steps in words.
    pub(super) said: String,
}

/// A button for all lines of a rider, or for a royal piece.
pub(super) struct Toggle {
    pub(super) press: &'static str,
    pub(super) words: &'static str,
    pub(super) on: bool,
}

const RIDERS: [(&str, &str, Atom); 3] = [
    ("R", "rides like a rook", Atom::R),
    ("B", "rides like a bishop", Atom::B),
    ("NN", "rides like a knight", Atom::NN),
];
const REACH: i8 = 3;

/// The rows of the map for a piece.
pub(super) fn rows(piece: Option<&Betza>) -> Vec<MapRow> {
    let aside = |n: i8, one: &str, other: &str| match n {
        0 => String::new(),
        n if n > 0 => format!("{n} {one}"),
        n => format!("{} {other}", -n),
    };
    let cell = |x: i8, y: i8| {
        let does = |by: By| {
            let mode = by.mode(piece, (x, y))?;
            let words = match mode {
                Mode::Both => "moves and captures",
                Mode::Moves => "moves only",
                Mode::Captures => "captures only",
            };
            Some((by.sign(mode), if by == By::Ride { format!("{words} and rides on") } else { words.to_owned() }))
        };
        let (signs, words): (Vec<&str>, Vec<String>) = By::ALL.into_iter().filter_map(does).unzip();
        let place = [aside(y, "forward", "back"), aside(x, "right", "left")];
        let place: Vec<String> = place.into_iter().filter(|part| !part.is_empty()).collect();
        let words = if words.is_empty() { "nothing".to_owned() } else { words.join("; ") };
        MapCell {
            press: By::Leap.atom((x, y)).map(|_| format!("{x},{y}")),
            dark: (x + y) % 2 != 0,
            middle: (x, y) == (0, 0),
            sign: signs.join(" "),
            said: format!("{}: {words}", place.join(" ")),
        }
    };
    (-REACH..=REACH).rev().map(|y| MapRow { cells: (-REACH..=REACH).map(|x| cell(x, y)).collect() }).collect()
}

/// The buttons of the map.
pub(super) fn lines(piece: Option<&Betza>) -> Vec<Toggle> {
    let rides = |atom| piece.is_some_and(|piece| piece.terms.iter().any(|term| term.atom == atom));
    let mut lines: Vec<Toggle> =
        RIDERS.into_iter().map(|(press, words, atom)| Toggle { press, words, on: rides(atom) }).collect();
    lines.push(Toggle { press: "royal", words: "is royal", on: piece.is_some_and(|piece| piece.royal) });
    lines
}

/// The piece after a click. A square, and those that the symmetry joins to it, get the mode, or become empty if the square has it already.
/// A button toggles a line or the crown. `Some(None)` is an empty piece; `None` means that the click is invalid.
pub(super) fn pressed(
    piece: Option<&Betza>,
    press: &str,
    (by, symmetry, mode): (By, Symmetry, Mode),
) -> Option<Option<Betza>> {
    let mut made = piece.cloned().unwrap_or(Betza { royal: false, relay: false, doublemove: false, terms: Vec::new() });
    let whole = |atom: Atom, mode| ModifiedAtom { atom, vectors: atom.vectors(), mode, bends: Modifiers::default() };
    if press == "royal" {
        made.royal = !made.royal;
    } else if let Some((.., atom)) = RIDERS.into_iter().find(|(name, ..)| *name == press) {
        let before = made.terms.len();
        made.terms.retain(|term| term.atom != atom);
        if made.terms.len() == before {
            made.terms.push(whole(atom, mode));
        }
    } else {
        let (x, y) = press.split_once(',')?;
        let here = by.step((x.parse().ok()?, y.parse().ok()?));
        let pressed = by.atom(here)?;
        let next = Some(mode).filter(|_| by.mode(piece, here) != Some(mode));
        let sets = |atom, step| atom == pressed && symmetry.joins(here, step);
        let wanted = |atom, step| if sets(atom, step) { next } else { by.mode(piece, step) };
        let terms = by.atoms().iter().flat_map(|atom| {
            [Mode::Both, Mode::Moves, Mode::Captures].map(|mode| ModifiedAtom {
                vectors: atom.vectors().only(|step| wanted(*atom, step) == Some(mode)),
                ..whole(*atom, mode)
            })
        });
        let mut changed: Vec<ModifiedAtom> = terms.filter(|term| !term.vectors.is_empty()).collect();
        made.terms.retain(|term| !by.owns(term));
        // Leaps are written before rides.
        match by {
            By::Leap => made.terms.splice(..0, changed).for_each(drop),
            By::Ride => made.terms.append(&mut changed),
        }
    }
    Some((!made.terms.is_empty()).then_some(made))
}
