//! Piece types of a game: text, name, cost and moves; and the cheapest text for the same moves.

use std::sync::{Arc, LazyLock, OnceLock};

use super::{
    options::Prefixes,
    piece_names,
    price::{self, Catalogue, Exact, Quantum},
};
use crate::{
    board::{Atom, Betza, Mode, ModifiedAtom, Modifiers, Movement, MovementSummary, PieceType, Size, Vectors},
    rules::Refusal,
};

/// Maximum number of terms in a design (our reading).
const MOST_TERMS: usize = 12;

/// Designs that both players start with, in the order of their slots.
pub(super) const STANDARD: [&str; 6] = ["B", "BR", "fcFfmW", "N", "R", "royal-WF"];

/// Orthodox piece names with their letters.
const LETTERED: [(&str, char); 6] =
    [("pawn", 'P'), ("knight", 'N'), ("bishop", 'B'), ("rook", 'R'), ("queen", 'Q'), ("king", 'K')];

/// A piece type. Two types are equal if their texts are, because a text keeps its meaning throughout a game.
#[derive(Clone, Debug)]
pub(super) struct PieceDesign {
    /// Canonical text.
    pub(super) text: String,
    /// Name that players know, or else the text.
    pub(super) name: String,
    /// Parsed notation.
    pub(super) piece: Arc<Betza>,
    /// Cost before rounding.
    pub(super) exact: Exact,
    /// Moves and captures.
    pub(super) design: Arc<Movement>,
    /// Moves that it may make twice in a turn.
    pub(super) double_moves: Option<Arc<Movement>>,
    /// Moves that it may make only before it has moved.
    pub(super) first: Option<Arc<Movement>>,
    /// Moves that it lends to other pieces.
    pub(super) relayed: Option<Arc<Movement>>,
    words: OnceLock<String>,
    called: OnceLock<String>,
}

impl PartialEq for PieceDesign {
    fn eq(&self, other: &PieceDesign) -> bool {
        self.text == other.text
    }
}

impl PieceDesign {
    /// Piece type with a known cost, for boards of a size.
    pub(super) fn new(piece: Betza, exact: Exact, size: Size) -> PieceDesign {
        let text = piece.to_string();
        PieceDesign {
            name: name(&text).unwrap_or(&text).to_owned(),
            design: Arc::new(piece.design(size)),
            double_moves: piece.repeatable(size).map(Arc::new),
            first: piece.first(size).map(Arc::new),
            relayed: piece.relayed(size).map(Arc::new),
            words: OnceLock::new(),
            called: OnceLock::new(),
            text,
            piece: Arc::new(piece),
            exact,
        }
    }

    /// Price in tenths of a zorkmid.
    pub(super) fn price(&self, quantum: Quantum) -> i64 {
        quantum.price(self.exact)
    }

    /// Description of its moves.
    pub(super) fn words(&self) -> &str {
        self.words.get_or_init(|| self.piece.in_words())
    }

    /// Catalogue name if there is one, else the text.
    pub(super) fn display_name(&self) -> &str {
        let find = || match piece_names::named(&MovementSummary::of(&self.piece)).and_then(|known| known.names.first())
        {
            Some(name) if self.name == self.text => (*name).to_owned(),
            Some(_) | None => self.name.clone(),
        };
        self.called.get_or_init(find)
    }

    /// Whether it is an orthodox piece with a familiar picture, which needs no drawing.
    pub(super) fn is_pictured(&self) -> bool {
        LETTERED.iter().any(|(name, _)| *name == self.name)
    }

    /// Board kind with a letter that is not taken. `taken` tests a letter with a number of apostrophes. Orthodox pieces
    /// get their own letter; others get a free one, with more apostrophes when all letters are taken.
    pub(super) fn kind(&self, taken: impl Fn(char, usize) -> bool) -> PieceType {
        let own = LETTERED.iter().find(|(name, _)| *name == self.name).map(|(_, letter)| (*letter, 0));
        let reserved = |letter: &char| LETTERED.iter().any(|(_, known)| known == letter);
        let free = |dress| ('A'..='Z').filter(|letter| !reserved(letter)).map(move |letter| (letter, dress));
        let mut all = own.into_iter().chain((0..).flat_map(free));
        let (letter, dress) =
            all.find(|(letter, dress)| !taken(*letter, *dress)).expect("the number of apostrophes is unlimited");
        self.kind_as(letter, dress)
    }

    /// Board kind with this letter and number of apostrophes.
    pub(super) fn kind_as(&self, letter: char, apostrophes: usize) -> PieceType {
        let (name, betza) = (self.name.clone(), self.text.clone());
        let (first, relayed) = (self.first.clone(), self.relayed.clone());
        PieceType { letter, apostrophes, name, betza, design: self.design.clone(), first, relayed }
    }

    /// Rough value for bots, in hundredths of a zorkmid.
    pub(super) fn worth(&self) -> i64 {
        i64::try_from((self.exact * 100).to_integer()).unwrap_or(i64::MAX).min(100_000)
    }
}

/// Types of [`STANDARD`] on boards of a size. Those for the ordinary board are created once.
pub(super) fn standard(size: Size) -> [Arc<PieceDesign>; 6] {
    static ORTHODOX: LazyLock<[Arc<PieceDesign>; 6]> = LazyLock::new(|| made(Size::ORTHODOX));
    if size == Size::ORTHODOX { ORTHODOX.clone() } else { made(size) }
}

fn made(size: Size) -> [Arc<PieceDesign>; 6] {
    STANDARD.map(|text| {
        let piece: Betza = text.parse().expect("the standard designs are valid Betza notation");
        let exact = price::exact(&piece, &Catalogue::default());
        Arc::new(PieceDesign::new(piece, exact, size))
    })
}

/// Familiar name of a piece, by its text.
fn name(text: &str) -> Option<&'static str> {
    Some(match text {
        "royal-WF" | "royal-FW" => "king",
        "BR" | "RB" => "queen",
        "R" => "rook",
        "B" => "bishop",
        "N" => "knight",
        "cfFmfW" | "mfWcfF" => "pawn",
        "WF" | "FW" => "commoner",
        "W" => "wazir",
        "F" => "ferz",
        "D" => "dabbaba",
        "A" => "alfil",
        "L" => "camel",
        "NN" => "nightrider",
        _ => return None,
    })
}

/// Reads a piece at `offset` of an action, with its exact cost. Refuses prefixes that the rules do not allow now.
pub(super) fn read(
    text: &str,
    offset: usize,
    catalogue: &Catalogue,
    allowed: Prefixes,
) -> Result<(Betza, Exact), Refusal> {
    let piece = Betza::read(text, catalogue.inventions())
        .map_err(|wrong| Refusal::at(offset + wrong.at, format!("{text}: {wrong}")))?;
    if let Some((prefix, why)) = forbidden(&piece, allowed) {
        return Err(Refusal::at(offset + text.find(prefix).unwrap_or(0), why));
    }
    let exact = price::exact(&piece, catalogue);
    Ok((piece, exact))
}

/// Reason why the rules of a game do not allow a piece now, after the prefix that causes it. `None` if they allow it.
pub(super) fn forbidden(piece: &Betza, allowed: Prefixes) -> Option<(&'static str, String)> {
    if piece.terms.len() > MOST_TERMS {
        let terms = piece.terms.len();
        Some(("", format!("a piece has at most {MOST_TERMS} terms, but this one has {terms}: remove some")))
    } else if piece.relay && !allowed.relay {
        Some(("relay-", "relay- is not allowed in this game: remove it".to_owned()))
    } else if piece.doublemove && !allowed.doublemove {
        Some(("doublemove-", "doublemove- is not allowed now in this game: remove it".to_owned()))
    } else {
        None
    }
}

/// Atoms in writing order, each leaper with the rider that starts with the same step.
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

/// A cheaper text of the same moves, with its exact cost; `None` if there is none that a game would accept.
///
/// Terms with inventions stay as they are. Without them the result is the cheapest of all texts. No leap or ride of the
/// notation is a combination of others, so each atom needs exactly its steps, and only the split into terms is free.
pub fn cheaper(piece: &Betza, catalogue: &Catalogue) -> Option<(Betza, Exact)> {
    let (own, invented): (Vec<ModifiedAtom>, Vec<ModifiedAtom>) = piece.terms.iter().partition(|term| plain(term));
    let mut terms: Vec<ModifiedAtom> =
        ATOMS.into_iter().flat_map(|(atom, rider)| cheapest_terms(&own, atom, rider)).collect();
    terms.extend(invented);
    let candidate = Betza { terms, ..piece.clone() };
    let cost = price::exact(&candidate, catalogue);
    let better = cost < price::exact(piece, catalogue) && candidate.terms.len() <= MOST_TERMS;
    (better && MovementSummary::of(&candidate) == MovementSummary::of(piece)).then_some((candidate, cost))
}

/// Whether a term uses no inventions.
fn plain(term: &ModifiedAtom) -> bool {
    Atom::ALL.contains(&term.atom) && term.bends == Modifiers::default()
}

/// Cheapest terms for all steps of an atom in a piece, except those that a rider of the piece covers.
fn cheapest_terms(terms: &[ModifiedAtom], atom: Atom, rider: Option<Atom>) -> Vec<ModifiedAtom> {
    let does = |by: Atom, step, mode| {
        let right = |term: &&ModifiedAtom| term.atom == by && (term.mode == Mode::Both || term.mode == mode);
        terms.iter().filter(right).any(|term| term.vectors.has(step))
    };
    let ridden = |step, mode| rider.is_some_and(|rider| does(rider, step, mode));
    let needed = |mode| atom.vectors().only(|step| does(atom, step, mode) && !ridden(step, mode));
    let (moves, captures) = (needed(Mode::Moves), needed(Mode::Captures));
    // Steps that a shared term may include: the piece makes them anyway, by the atom or by the rider.
    let harmless = |step, mode| does(atom, step, mode) || ridden(step, mode);
    let common = atom.vectors().only(|step| harmless(step, Mode::Moves) && harmless(step, Mode::Captures));
    let common: Vec<(i8, i8)> = common.collect();
    let term = |vectors: Vectors, mode| ModifiedAtom { atom, vectors, mode, bends: Modifiers::default() };
    // Every choice of the steps that share one term for both moving and capturing.
    let choices = (0..1u32 << common.len()).map(|chosen| {
        let both = |step| common.iter().position(|known| *known == step).is_some_and(|at| chosen >> at & 1 == 1);
        [
            term(atom.vectors().only(both), Mode::Both),
            term(moves.only(|step| !both(step)), Mode::Moves),
            term(captures.only(|step| !both(step)), Mode::Captures),
        ]
    });
    let cost = |terms: &[ModifiedAtom; 3]| -> Exact {
        let used = terms.iter().filter(|term| !term.vectors.is_empty());
        used.map(|term| price::factor(term, &Catalogue::default())).sum()
    };
    // Among equally cheap choices, take the one with most shared steps.
    let best = choices.min_by_key(|terms| (cost(terms), std::cmp::Reverse(terms[0].vectors.len())));
    best.into_iter().flatten().filter(|term| !term.vectors.is_empty()).collect()
}
