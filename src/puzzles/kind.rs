//! The kinds of puzzles.

use std::str::FromStr;

use crate::rules::Refusal;

/// What a puzzle asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PuzzleKind {
    /// The least bid that surely wins.
    LeastBid,
    /// Whether a bid is to be accepted.
    Answer,
    /// The one move that still wins once it is paid for.
    PaidMove,
    /// The best move where a coin names the mover.
    CoinMove,
    /// The best promotion where a coin names the mover.
    Promotion,
    /// The position in which nobody wants to move.
    Zugzwang,
}

impl PuzzleKind {
    /// All of them, in the order in which they are offered.
    pub const ALL: [PuzzleKind; 6] = [
        PuzzleKind::LeastBid,
        PuzzleKind::Answer,
        PuzzleKind::PaidMove,
        PuzzleKind::CoinMove,
        PuzzleKind::Promotion,
        PuzzleKind::Zugzwang,
    ];

    /// Its key in addresses.
    pub fn key(self) -> &'static str {
        match self {
            PuzzleKind::LeastBid => "least-bid",
            PuzzleKind::Answer => "answer",
            PuzzleKind::PaidMove => "paid-move",
            PuzzleKind::CoinMove => "coin-move",
            PuzzleKind::Promotion => "promotion",
            PuzzleKind::Zugzwang => "zugzwang",
        }
    }

    /// Its name.
    pub fn title(self) -> &'static str {
        match self {
            PuzzleKind::LeastBid => "The least bid",
            PuzzleKind::Answer => "Accept or reject",
            PuzzleKind::PaidMove => "Worth its price",
            PuzzleKind::CoinMove => "Once the coin has fallen",
            PuzzleKind::Promotion => "Knight or queen",
            PuzzleKind::Zugzwang => "Find the zugzwang",
        }
    }

    /// One line about it.
    pub fn words(self) -> &'static str {
        match self {
            PuzzleKind::LeastBid => "A hundred chips, an open bid: how little is enough to win for certain?",
            PuzzleKind::Answer => "The other side names a price. Take the money, or pay it and move?",
            PuzzleKind::PaidMove => "The move is paid for. Only one of them still wins.",
            PuzzleKind::CoinMove => "A coin decides every mover. Which move leaves the best chances?",
            PuzzleKind::Promotion => "Where kings are captured, a queen is not always best.",
            PuzzleKind::Zugzwang => "Four boards, and on one of them the move is a burden.",
        }
    }

    /// The puzzle kind of a day, by its number: each has its turn.
    pub fn of_day(day: u32) -> PuzzleKind {
        PuzzleKind::ALL[day as usize % PuzzleKind::ALL.len()]
    }
}

impl FromStr for PuzzleKind {
    type Err = Refusal;

    fn from_str(key: &str) -> Result<PuzzleKind, Refusal> {
        PuzzleKind::ALL.into_iter().find(|kind| kind.key() == key).ok_or_else(|| {
            let known = PuzzleKind::ALL.map(PuzzleKind::key).join(", ");
            Refusal::new(format!("There is no such kind of puzzle; there are {known}."))
        })
    }
}
