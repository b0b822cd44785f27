//! Inventions in a piece's text: atoms, and modifiers with the terms that they cannot change.

use super::{Atom, Bends, BetzaError, Definition, Invention, Term};
use crate::step::Hurdle;

/// The atom that an invention stands for, if it is one.
pub(super) fn standing_for(Invention { name, definition }: Invention) -> Option<Atom> {
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
pub(super) fn bend(bends: &mut Bends, Invention { name, definition }: Invention, at: usize) -> Result<(), BetzaError> {
    let twice = match definition {
        Definition::Runner => bends.runner.replace(name).is_some(),
        Definition::Lamed => bends.lamed.replace(name).is_some(),
        Definition::Range(most) => bends.range.replace((name, most)).is_some(),
        Definition::Doublemove => bends.doublemove.replace(name).is_some(),
        Definition::Hopper => bends.hurdle.replace((name, Hurdle::One)).is_some(),
        Definition::Grasshopper => bends.hurdle.replace((name, Hurdle::Last)).is_some(),
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
pub(super) fn bent(term: Term, at: usize) -> Result<Term, BetzaError> {
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
