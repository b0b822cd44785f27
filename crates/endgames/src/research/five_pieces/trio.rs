//! Which three pieces stand beside the two kings.

use std::{fmt, str::FromStr};

use crate::{
    board::{
        Color,
        orthodox::{BISHOP, KNIGHT, QUEEN, ROOK},
    },
    four::{Pair, letter, rank},
};

/// The kinds, the strongest first.
const KINDS: [u8; 4] = [QUEEN, ROOK, BISHOP, KNIGHT];

/// The material of an endgame with five pieces, of which White has three or four. What Black has is looked up with the colours changed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Trio {
    /// The kinds: White's, the stronger ones first, and behind them Black's if one is.
    pub kinds: [u8; 3],
    /// All three are White's.
    pub together: bool,
}

impl Trio {
    /// Every trio.
    pub fn all() -> impl Iterator<Item = Trio> {
        let sides = [true, false].into_iter().flat_map(|together| KINDS.map(|first| (together, first)));
        let pairs = sides.flat_map(|(together, first)| KINDS.map(|second| (together, [first, second])));
        let pairs = pairs.filter(|(_, [first, second])| rank(*first) <= rank(*second));
        pairs.flat_map(|(together, [first, second])| {
            let thirds = KINDS.into_iter().filter(move |third| !together || rank(second) <= rank(*third));
            thirds.map(move |third| Trio { kinds: [first, second, third], together })
        })
    }

    /// Whose a piece is.
    pub fn owner(self, piece: usize) -> Color {
        if self.together || piece < 2 { Color::White } else { Color::Black }
    }

    /// What a capture of a piece leaves, in the order of the table of four pieces or in that of colours changed.
    pub(super) fn left(self, lost: usize) -> [(Color, u8); 2] {
        let of = |piece: usize| (self.owner(piece), self.kinds[piece]);
        match lost {
            0 => [of(1), of(2)],
            1 => [of(0), of(2)],
            _ => [of(0), of(1)],
        }
    }

    /// The tables of four pieces that captures lead to.
    pub fn needs(self) -> Vec<Pair> {
        let mut pairs = Vec::new();
        for lost in 0..3 {
            let pair = Pair::of(self.left(lost));
            if !pairs.contains(&pair) {
                pairs.push(pair);
            }
        }
        pairs
    }
}

impl fmt::Display for Trio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, second, third] = self.kinds.map(letter);
        if self.together { write!(f, "K{first}{second}{third}vK") } else { write!(f, "K{first}{second}vK{third}") }
    }
}

/// A text that names no trio.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum UnknownTrio {
    /// There is a pawn.
    #[error("five pieces are solved without pawns")]
    Pawns,
    /// It is something else.
    #[error(
        "write three pieces beside the kings, White having two of them or all, the stronger first, as in KNNNvK or KRBvKN"
    )]
    Other,
}

impl FromStr for Trio {
    type Err = UnknownTrio;
    fn from_str(text: &str) -> Result<Trio, UnknownTrio> {
        let unknown = if text.contains('P') { UnknownTrio::Pawns } else { UnknownTrio::Other };
        Trio::all().find(|trio| trio.to_string() == text).ok_or(unknown)
    }
}
