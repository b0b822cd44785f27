//! Piece types: notation and movement, with those of orthodox chess.

use std::sync::{Arc, LazyLock};

use super::{betza::Betza, movement::Movement, square::Size};

/// A piece type of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PieceType {
    /// Upper-case letter in FEN, SAN and drops.
    pub letter: char,
    /// Number of apostrophes after the letter, in games with more piece types than letters: `A'`.
    pub apostrophes: usize,
    /// Name, such as `knight`.
    pub name: String,
    /// Canonical Betza text, such as `royal-WF`.
    pub betza: String,
    /// Movement.
    pub design: Arc<Movement>,
    /// Additional moves of an unmoved piece.
    pub first: Option<Arc<Movement>>,
    /// Moves that it relays to every friendly piece that it guards.
    pub relayed: Option<Arc<Movement>>,
}

impl PieceType {
    /// Its letter with apostrophes, as written for White.
    pub fn written(&self) -> String {
        format!("{}{}", self.letter, "'".repeat(self.apostrophes))
    }

    /// Creates a piece type from its Betza text for boards of `size`.
    pub fn new(letter: char, name: &str, betza: &Betza, size: Size) -> Self {
        PieceType {
            letter,
            apostrophes: 0,
            name: name.to_owned(),
            betza: betza.to_string(),
            design: Arc::new(betza.design(size)),
            first: betza.first(size).map(Arc::new),
            relayed: betza.relayed(size).map(Arc::new),
        }
    }

    /// True if its attacks depend on more than clear lines.
    pub(super) fn is_wild(&self) -> bool {
        self.design.hops() || self.first.is_some() || self.relayed.is_some()
    }
}

/// Indices of the orthodox piece types in [`Board::orthodox`](crate::Board::orthodox).
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

/// The orthodox piece types in the order of [`orthodox`].
const KINDS: [(char, &str, &str); 6] = [
    ('P', "pawn", "fmWfcF"),
    ('N', "knight", "N"),
    ('B', "bishop", "B"),
    ('R', "rook", "R"),
    ('Q', "queen", "RB"),
    ('K', "king", "royal-WF"),
];

static PIECES: LazyLock<[Betza; 6]> =
    LazyLock::new(|| KINDS.map(|(_, _, betza)| betza.parse().expect("the orthodox pieces are valid Betza texts")));

pub(super) fn orthodox_kinds(size: Size) -> Vec<PieceType> {
    let kinds = KINDS.iter().zip(PIECES.iter());
    kinds.map(|((letter, name, _), betza)| PieceType::new(*letter, name, betza, size)).collect()
}
