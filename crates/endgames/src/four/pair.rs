//! Which two pieces stand beside the two kings.

use std::{fmt, str::FromStr};

use crate::board::{
    Color,
    orthodox::{BISHOP, KNIGHT, PAWN, QUEEN, ROOK},
};

/// The kinds that can stand beside a king, the strongest first, with their letters.
const KINDS: [(u8, char); 5] = [(QUEEN, 'Q'), (ROOK, 'R'), (BISHOP, 'B'), (KNIGHT, 'N'), (PAWN, 'P')];
/// What a pawn becomes.
pub(super) const PROMOTED: [u8; 4] = [QUEEN, ROOK, BISHOP, KNIGHT];

/// The material of an endgame with four pieces, of which White has the stronger one beside the kings, or both. What Black has is looked up with the
/// colours changed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Pair {
    /// The kind of White's piece, of the stronger one if both are White's.
    pub first: u8,
    /// The kind of the other piece.
    pub second: u8,
    /// Both are White's.
    pub together: bool,
}

/// The place of a kind among [`KINDS`]: less for stronger ones.
pub(crate) fn rank(kind: u8) -> usize {
    KINDS.iter().position(|(other, _)| *other == kind).unwrap_or(KINDS.len())
}

/// The letter of a kind.
pub(crate) fn letter(kind: u8) -> char {
    KINDS.get(rank(kind)).map_or('?', |(_, letter)| *letter)
}

impl Pair {
    /// Tells whether a kind can stand beside a king.
    pub(super) fn has(kind: u8) -> bool {
        rank(kind) < KINDS.len()
    }

    /// Every pair, each after all those that it can turn into.
    pub fn all() -> impl Iterator<Item = Pair> {
        let kinds = || KINDS.into_iter().map(|(kind, _)| kind);
        let pairs = kinds().flat_map(move |first| {
            let weaker = kinds().filter(move |second| rank(first) <= rank(*second));
            weaker.flat_map(move |second| [true, false].map(|together| Pair { first, second, together }))
        });
        let mut pairs: Vec<Pair> = pairs.collect();
        pairs.sort_by_key(|pair| pair.pawns());
        pairs.into_iter()
    }

    /// That of two pieces, or of them with colours changed.
    pub(crate) fn of(mut pieces: [(Color, u8); 2]) -> Pair {
        pieces.sort_by_key(|(_, kind)| rank(*kind));
        let [(color, first), (other, second)] = pieces;
        Pair { first, second, together: color == other }
    }

    /// The same with another kind in the place of the second, which is how a pawn's promotion ends.
    pub(super) fn with(self, kind: u8) -> Pair {
        let [first, second] = if rank(self.first) <= rank(kind) { [self.first, kind] } else { [kind, self.first] };
        Pair { first, second, ..self }
    }

    /// The pairs that must be solved for this one, itself among them.
    pub fn needs(self) -> impl Iterator<Item = Pair> {
        let of = |pair: Pair| PROMOTED.into_iter().filter(move |_| pair.pawns() > 0).map(move |kind| pair.with(kind));
        std::iter::once(self).chain(of(self)).chain(of(self).flat_map(of))
    }

    /// Tells whether two pawns stand against each other, so that the right to capture in passing is a part of the position.
    pub fn passes(self) -> bool {
        self.pawns() == 2 && !self.together
    }

    /// The number of pawns.
    pub fn pawns(self) -> usize {
        [self.first, self.second].into_iter().filter(|kind| *kind == PAWN).count()
    }
}

impl fmt::Display for Pair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, second] = [self.first, self.second].map(letter);
        if self.together { write!(f, "K{first}{second}vK") } else { write!(f, "K{first}vK{second}") }
    }
}

/// A text that names no pair.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("write two pieces beside the kings, the stronger one first, as in KRBvK or KRvKB")]
pub struct UnknownPair;

impl FromStr for Pair {
    type Err = UnknownPair;
    fn from_str(text: &str) -> Result<Pair, UnknownPair> {
        Pair::all().find(|pair| pair.to_string() == text).ok_or(UnknownPair)
    }
}
