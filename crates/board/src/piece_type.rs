//! Piece types: how they are written and how they move, and those of ordinary chess.

use std::sync::{Arc, LazyLock};

use super::{betza::Betza, movement::Movement, square::Size};

/// One kind of piece in a game: how it is written and how it moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PieceType {
    /// The upper-case letter that names it in FEN, SAN and drops.
    pub letter: char,
    /// The number of apostrophes behind the letter, where one board has more kinds than there are letters: `A'`.
    pub dress: usize,
    /// Its name in words, as `knight`.
    pub name: String,
    /// Its canonical Betza text, as `royal-WF`.
    pub betza: String,
    /// Its way of moving.
    pub design: Arc<Movement>,
    /// What it may do besides as long as it has not moved.
    pub first: Option<Arc<Movement>>,
    /// What it lends to every friendly piece that it guards.
    pub relayed: Option<Arc<Movement>>,
}

impl PieceType {
    /// Its letter and apostrophes, as White's pieces are written.
    pub fn written(&self) -> String {
        format!("{}{}", self.letter, "'".repeat(self.dress))
    }

    /// A kind that moves as `betza` says, on boards of `size`.
    pub fn new(letter: char, name: &str, betza: &Betza, size: Size) -> Self {
        PieceType {
            letter,
            dress: 0,
            name: name.to_owned(),
            betza: betza.to_string(),
            design: Arc::new(betza.design(size)),
            first: betza.first(size).map(Arc::new),
            relayed: betza.relayed(size).map(Arc::new),
        }
    }

    /// Tells whether its attacks are more than clear ways from where it stands.
    pub(super) fn is_wild(&self) -> bool {
        self.design.hops() || self.first.is_some() || self.relayed.is_some()
    }
}

/// The indices of the orthodox kinds in [`Board::orthodox`].
pub mod orthodox {
    /// Pawn.
    pub const PAWN: u8 = 0;
    /// Knight.
    pub const KNIGHT: u8 = 1;
    /// Bishop.
    pub const BISHOP: u8 = 2;
    /// Rook.
    pub const ROOK: u8 = 3;
    /// Queen.
    pub const QUEEN: u8 = 4;
    /// King.
    pub const KING: u8 = 5;
}

/// The orthodox kinds in the order of [`orthodox`].
const KINDS: [(char, &str, &str); 6] = [
    ('P', "pawn", "fmWfcF"),
    ('N', "knight", "N"),
    ('B', "bishop", "B"),
    ('R', "rook", "R"),
    ('Q', "queen", "RB"),
    ('K', "king", "royal-WF"),
];

static PIECES: LazyLock<[Betza; 6]> =
    LazyLock::new(|| KINDS.map(|(_, _, betza)| betza.parse().expect("the orthodox pieces are Betza pieces")));

pub(super) fn orthodox_kinds(size: Size) -> Vec<PieceType> {
    let kinds = KINDS.iter().zip(PIECES.iter());
    kinds.map(|((letter, name, _), betza)| PieceType::new(*letter, name, betza, size)).collect()
}
