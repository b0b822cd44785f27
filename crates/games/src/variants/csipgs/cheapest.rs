//! The cheapest way to write a piece: of all texts of the notation that mean the same moves, one that costs least. Prices are no sum
//! over squares, so that `mWcW` costs more than `W`; and what a ride does anyway, a leap need not say again.

use super::{
    piece_type::MOST_TERMS,
    price::{self, Catalogue, Exact},
};
use crate::board::{Atom, Bends, Betza, Mode, Powers, Term, Vectors};

/// The atoms in the order in which they are written, each leap with the rider that begins with it.
const ATOMS: [(Atom, Option<Atom>); 11] = [
    (Atom::W, Some(Atom::R)),
    (Atom::F, Some(Atom::B)),
    (Atom::D, None),
    (Atom::A, None),
    (Atom::H, None),
    (Atom::G, None),
    (Atom::N, Some(Atom::NN)),
    (Atom::L, None),
    (Atom::R, None),
    (Atom::B, None),
    (Atom::NN, None),
];

/// A cheaper text of the same moves, with its exact cost; nothing if there is none that a game would read. Terms with inventions stay
/// as they are. Without them it is the cheapest of all: no leap or ride of the notation can be put together from others, so each
/// atom's steps are needed as they are, and only how they are parted into terms is free.
pub fn cheaper(piece: &Betza, catalogue: &Catalogue) -> Option<(Betza, Exact)> {
    let (own, invented): (Vec<Term>, Vec<Term>) = piece.terms.iter().partition(|term| plain(term));
    let mut terms: Vec<Term> = ATOMS.into_iter().flat_map(|(atom, rider)| parted(&own, atom, rider)).collect();
    terms.extend(invented);
    let candidate = Betza { terms, ..piece.clone() };
    let cost = price::exact(&candidate, catalogue);
    let better = cost < price::exact(piece, catalogue) && candidate.terms.len() <= MOST_TERMS;
    (better && Powers::of(&candidate) == Powers::of(piece)).then_some((candidate, cost))
}

/// Tells whether a term is of the notation itself.
fn plain(term: &Term) -> bool {
    Atom::ALL.contains(&term.atom) && term.bends == Bends::default()
}

/// The cheapest terms for all that an atom does in a piece and no ride of the same piece does anyway.
fn parted(terms: &[Term], atom: Atom, rider: Option<Atom>) -> Vec<Term> {
    let does = |by: Atom, step, mode| {
        let right = |term: &&Term| term.atom == by && (term.mode == Mode::Both || term.mode == mode);
        terms.iter().filter(right).any(|term| term.vectors.has(step))
    };
    let ridden = |step, mode| rider.is_some_and(|rider| does(rider, step, mode));
    let needed = |mode| atom.vectors().only(|step| does(atom, step, mode) && !ridden(step, mode));
    let (moves, captures) = (needed(Mode::Moves), needed(Mode::Captures));
    // What may be said beside what must be: a ride of the piece does it too.
    let harmless = |step, mode| does(atom, step, mode) || ridden(step, mode);
    let common = atom.vectors().only(|step| harmless(step, Mode::Moves) && harmless(step, Mode::Captures));
    let common: Vec<(i8, i8)> = common.collect();
    let term = |vectors: Vectors, mode| Term { atom, vectors, mode, bends: Bends::default() };
    // Every choice of the steps that one term has for both moving and capturing.
    let choices = (0..1u32 << common.len()).map(|chosen| {
        let both = |step| common.iter().position(|known| *known == step).is_some_and(|at| chosen >> at & 1 == 1);
        [
            term(atom.vectors().only(both), Mode::Both),
            term(moves.only(|step| !both(step)), Mode::Moves),
            term(captures.only(|step| !both(step)), Mode::Captures),
        ]
    });
    let cost = |terms: &[Term; 3]| -> Exact {
        let used = terms.iter().filter(|term| !term.vectors.is_empty());
        used.map(|term| price::factor(term, &Catalogue::default())).sum()
    };
    // Of those that cost the same, the one that says most at once.
    let best = choices.min_by_key(|terms| (cost(terms), std::cmp::Reverse(terms[0].vectors.len())));
    best.into_iter().flatten().filter(|term| !term.vectors.is_empty()).collect()
}
