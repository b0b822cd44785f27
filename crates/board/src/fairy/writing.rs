//! Writing pieces in the dialect.

use crate::{
    betza::{Bends, Betza, Mode, Term},
    step::{Hurdle, Step},
};

/// Why a knight that rides and one that may not jump cannot be in one piece.
const JUMPS: &str = "beside knight’s leaps that ride, Fairy-Stockfish lets those that are lame jump";

/// Why a piece that hops on some lines cannot go along them in other ways too.
const LINES: &str =
    "beside rides over a piece, Fairy-Stockfish confuses other ways of going along ranks and files or diagonals";

/// Why the terms of one piece are not played as each says by itself: that program keeps squares and ways apart, not ways and directions.
pub(super) fn mixed(terms: &[Term]) -> Option<&'static str> {
    let meet = |one: &Term, two: &Term| one.mode == two.mode || one.mode == Mode::Both || two.mode == Mode::Both;
    let hurdle = |term: &Term| term.bends.hurdle.map(|(_, hurdle)| hurdle);
    let pairs =
        || terms.iter().flat_map(|one| terms.iter().map(move |two| (one, two))).filter(|(one, two)| meet(one, two));
    let jumps = |one: &Term, two: &Term| {
        one.atom.leap() == (1, 2) && two.atom.leap() == (1, 2) && one.reach() > 1 && two.lame()
    };
    let lines = |one: &Term, two: &Term| {
        let blocked = two.reach() > 1 || two.lame();
        hurdle(one).is_some() && hurdle(one) != hurdle(two) && blocked && one.atom.class() == two.atom.class()
    };
    if pairs().any(|(one, two)| jumps(one, two)) {
        return Some(JUMPS);
    }
    pairs().any(|(one, two)| lines(one, two)).then_some(LINES)
}

/// Writes what a piece does in the dialect, its prefixes left aside, and names what the dialect cannot say.
pub fn write(piece: &Betza) -> (String, Vec<String>) {
    let (mut text, mut unsaid) = (String::new(), Vec::new());
    unsaid.extend(mixed(&piece.terms).map(str::to_owned));
    // Of two terms in one direction the later counts there, and that must be the one that can do more.
    let mut terms: Vec<&Term> = piece.terms.iter().collect();
    terms.sort_by_key(|term| (!term.lame(), term.reach()));
    for term in terms {
        match written(term) {
            Ok(term) => {
                // W after W must not be read as WW.
                if text.chars().last().is_some_and(|last| term.starts_with(last)) {
                    text += "mc";
                }
                text += &term;
            }
            Err(why) => unsaid.push(format!("{term}: {why}")),
        }
    }
    (text, unsaid)
}

/// A term in the dialect, or why it has no words for it.
fn written(term: &Term) -> Result<String, &'static str> {
    let Bends { runner: _, lamed: _, range: _, doublemove, hurdle, first, relay } = term.bends;
    let lacks = [
        (doublemove.is_some(), "there are no moves of two steps"),
        (first.is_some(), "first moves there are only for pieces where pawns begin"),
        (relay.is_some(), "there are no relays"),
        (term.atom.then().is_some(), "there are no rides that bend"),
    ];
    if let Some((_, why)) = lacks.into_iter().find(|(has, _)| *has) {
        return Err(why);
    }
    let hop = match hurdle.map(|(_, hurdle)| hurdle) {
        None | Some(Hurdle::None) => "",
        Some(_) if term.reach() < Step::RIDE || term.atom.leap().1 > 1 || term.lame() => {
            return Err("only rooks and bishops pass over a piece there");
        }
        Some(Hurdle::One) => "p",
        Some(Hurdle::Last) => "g",
    };
    let letter = |ride: &str, leap: &str| match term.reach() {
        1 => leap.to_owned(),
        Step::RIDE.. => ride.to_owned(),
        most => format!("{leap}{most}"),
    };
    let (lame, once) = (term.lame(), term.reach() == 1);
    let atom = match (term.atom.leap(), lame, once) {
        ((0, 1), _, _) => letter("R", "W"),
        ((1, 1), _, _) => letter("B", "F"),
        ((1, 2), false, _) => letter("NN", "N"),
        ((0, 2), false, true) => "D".to_owned(),
        ((2, 2), false, true) => "A".to_owned(),
        ((0, 3), false, true) => "H".to_owned(),
        ((1, 3), false, true) => "L".to_owned(),
        ((2, 3), false, true) => "Z".to_owned(),
        ((3, 3), false, true) => "G".to_owned(),
        ((0, 2), true, true) => "D".to_owned(),
        ((2, 2), true, true) => "A".to_owned(),
        ((1, 2), true, true) => "N".to_owned(),
        ((2, 3), true, true) => "Z".to_owned(),
        (_, false, true) => return Err("there is no leap so long"),
        (_, true, true) => return Err("this leap cannot be lame there"),
        (_, _, false) => return Err("only single steps and knight’s leaps can be repeated there"),
    };
    let plain = Term { bends: Bends::default(), ..*term }.to_string();
    let modifiers = plain.strip_suffix(&term.atom.to_string()).unwrap_or_default();
    let long = term.atom.leap().1 > 1;
    Ok(format!("{modifiers}{hop}{}{atom}", if lame && long { "n" } else { "" }))
}
