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
    /// The one turn of Clairvoyant Chess that mates.
    Mate,
    /// The guess in Clairvoyant Chess that earns the most.
    Guess,
    /// The cheapest design of csipgs chess that mates.
    Design,
}

/// The form of an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AnswerForm {
    /// A whole number of chips.
    Chips,
    /// One of those that are offered.
    Offered,
    /// A turn of Clairvoyant Chess.
    Turn,
    /// A piece in Betza notation.
    Design,
}

impl AnswerForm {
    /// `chips`, `offered`, `turn` or `design`.
    pub fn name(self) -> &'static str {
        match self {
            AnswerForm::Chips => "chips",
            AnswerForm::Offered => "offered",
            AnswerForm::Turn => "turn",
            AnswerForm::Design => "design",
        }
    }
}

impl PuzzleKind {
    /// All of them, in the order in which they are offered.
    pub const ALL: [PuzzleKind; 9] = [
        PuzzleKind::LeastBid,
        PuzzleKind::Answer,
        PuzzleKind::PaidMove,
        PuzzleKind::CoinMove,
        PuzzleKind::Promotion,
        PuzzleKind::Zugzwang,
        PuzzleKind::Mate,
        PuzzleKind::Guess,
        PuzzleKind::Design,
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
            PuzzleKind::Mate => "mate",
            PuzzleKind::Guess => "guess",
            PuzzleKind::Design => "design",
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
            PuzzleKind::Mate => "Mate for money",
            PuzzleKind::Guess => "The best guess",
            PuzzleKind::Design => "The cheapest mate",
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
            PuzzleKind::Mate => {
                "Clairvoyant Chess: a few zorkmids buy the second part of a turn that mates. Which turn?"
            }
            PuzzleKind::Guess => {
                "Clairvoyant Chess: count your opponent’s turns, and find the guess that earns most on average."
            }
            PuzzleKind::Design => "csipgs chess: design the cheapest piece that mates as soon as it is brought in.",
        }
    }

    /// The form of its answers.
    pub fn form(self) -> AnswerForm {
        match self {
            PuzzleKind::LeastBid => AnswerForm::Chips,
            PuzzleKind::Answer
            | PuzzleKind::PaidMove
            | PuzzleKind::CoinMove
            | PuzzleKind::Promotion
            | PuzzleKind::Zugzwang
            | PuzzleKind::Guess => AnswerForm::Offered,
            PuzzleKind::Mate => AnswerForm::Turn,
            PuzzleKind::Design => AnswerForm::Design,
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
