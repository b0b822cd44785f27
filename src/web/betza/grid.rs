//! The map on which a piece is built by pressing squares: from a piece to its squares, and from squares to a piece.

use crate::board::{Atom, Bends, Betza, Mode, Term};

/// One row of the map, from the front.
pub(super) struct Row {
    pub(super) cells: Vec<Cell>,
}

/// One square of the map.
pub(super) struct Cell {
    /// What a press says: `1,2`, right and forward; nothing in the middle and where no atom leads.
    pub(super) press: Option<String>,
    pub(super) dark: bool,
    /// What the piece does there: ● moves and captures, ○ moves, × captures.
    pub(super) sign: &'static str,
    /// The same in words.
    pub(super) said: String,
}

/// A button for all lines of a rider, or for a royal piece.
pub(super) struct Line {
    pub(super) press: &'static str,
    pub(super) words: &'static str,
    pub(super) on: bool,
}

/// The atoms that one square of the map can be an image of.
const LEAPERS: [Atom; 8] = [Atom::W, Atom::F, Atom::D, Atom::A, Atom::H, Atom::G, Atom::N, Atom::L];
const RIDERS: [(&str, &str, Atom); 3] = [
    ("R", "rides like a rook", Atom::R),
    ("B", "rides like a bishop", Atom::B),
    ("NN", "rides like a knight", Atom::NN),
];
const REACH: i8 = 3;

/// The atom that leaps to a square.
fn leaper(x: i8, y: i8) -> Option<Atom> {
    let (x, y) = (x.checked_abs()?, y.checked_abs()?);
    let leap = (x.min(y), x.max(y));
    LEAPERS.into_iter().find(|atom| atom.leap() == leap)
}

/// What the leaps of a piece do on a square.
fn mode(piece: Option<&Betza>, x: i8, y: i8) -> Option<Mode> {
    let terms = piece.iter().flat_map(|piece| &piece.terms);
    let modes = terms.filter(|term| !term.atom.rides() && term.vectors.has((x, y))).map(|term| term.mode);
    modes.reduce(|one, two| if one == two { one } else { Mode::Both })
}

/// The rows of the map for a piece.
pub(super) fn rows(piece: Option<&Betza>) -> Vec<Row> {
    let aside = |n: i8, one: &str, other: &str| match n {
        0 => String::new(),
        n if n > 0 => format!("{n} {one}"),
        n => format!("{} {other}", -n),
    };
    let cell = |x: i8, y: i8| {
        let (sign, does) = match mode(piece, x, y) {
            None => ("", "nothing"),
            Some(Mode::Both) => ("●", "moves and captures"),
            Some(Mode::Moves) => ("○", "only moves"),
            Some(Mode::Captures) => ("×", "only captures"),
        };
        let place = [aside(y, "forward", "back"), aside(x, "right", "left")];
        let place: Vec<String> = place.into_iter().filter(|part| !part.is_empty()).collect();
        Cell {
            press: leaper(x, y).map(|_| format!("{x},{y}")),
            dark: (x + y) % 2 != 0,
            sign,
            said: format!("{}: {does}", place.join(" ")),
        }
    };
    (-REACH..=REACH).rev().map(|y| Row { cells: (-REACH..=REACH).map(|x| cell(x, y)).collect() }).collect()
}

/// The buttons beside the map.
pub(super) fn lines(piece: Option<&Betza>) -> Vec<Line> {
    let rides = |atom| piece.is_some_and(|piece| piece.terms.iter().any(|term| term.atom == atom));
    let mut lines: Vec<Line> =
        RIDERS.into_iter().map(|(press, words, atom)| Line { press, words, on: rides(atom) }).collect();
    lines.push(Line { press: "royal", words: "is royal", on: piece.is_some_and(|piece| piece.royal) });
    lines
}

/// The piece that a press makes of another: a square goes from nothing to moves and captures, to moves only, to captures only, to
/// nothing; a line or the crown comes and goes. No piece if nothing is left of it; nothing if there is no such press.
pub(super) fn pressed(piece: Option<&Betza>, press: &str) -> Option<Option<Betza>> {
    let mut made = piece.cloned().unwrap_or(Betza { royal: false, relay: false, doublemove: false, terms: Vec::new() });
    let whole = |atom: Atom, mode| Term { atom, vectors: atom.vectors(), mode, bends: Bends::default() };
    if press == "royal" {
        made.royal = !made.royal;
    } else if let Some((.., atom)) = RIDERS.into_iter().find(|(name, ..)| *name == press) {
        let before = made.terms.len();
        made.terms.retain(|term| term.atom != atom);
        if made.terms.len() == before {
            made.terms.push(whole(atom, Mode::Both));
        }
    } else {
        let (x, y) = press.split_once(',')?;
        let (x, y) = (x.parse().ok()?, y.parse().ok()?);
        leaper(x, y).filter(|_| x.abs() <= REACH && y.abs() <= REACH)?;
        let next = match mode(piece, x, y) {
            None => Some(Mode::Both),
            Some(Mode::Both) => Some(Mode::Moves),
            Some(Mode::Moves) => Some(Mode::Captures),
            Some(Mode::Captures) => None,
        };
        let riders = made.terms.iter().copied().filter(|term| term.atom.rides());
        let wanted = |step: (i8, i8)| if step == (x, y) { next } else { mode(piece, step.0, step.1) };
        let leaps = LEAPERS.into_iter().flat_map(|atom| {
            [Mode::Both, Mode::Moves, Mode::Captures].map(|mode| Term {
                vectors: atom.vectors().only(|step| wanted(step) == Some(mode)),
                ..whole(atom, mode)
            })
        });
        made.terms = leaps.filter(|term| !term.vectors.is_empty()).chain(riders).collect();
    }
    Some((!made.terms.is_empty()).then_some(made))
}
