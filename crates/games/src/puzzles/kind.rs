//! Kinds of puzzles.

use std::str::FromStr;

use serde::Serialize;

use crate::rules::Refusal;

/// Question that a puzzle asks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PuzzleKind {
    /// The lowest bid that is certain to win.
    LeastBid,
    /// Whether to accept a bid.
    Answer,
    /// The only winning move after paying for it.
    PaidMove,
    /// The best move where a coin decides who moves.
    CoinMove,
    /// The best promotion where a coin decides who moves.
    Promotion,
    /// The position in which neither side wants to move.
    Zugzwang,
    /// The only mating turn in Clairvoyant Chess.
    Mate,
    /// The guess in Clairvoyant Chess with the highest expected payment.
    Guess,
    /// The cheapest mating design in csipgs chess.
    Design,
}

/// Form of an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum AnswerForm {
    /// A whole number of chips.
    Chips,
    /// One of the offered answers.
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
    /// All kinds, in the order in which pages list them.
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

    /// Key in addresses.
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

    /// Name of the kind.
    pub fn title(self) -> &'static str {
        match self {
            PuzzleKind::LeastBid => "The lowest bid",
            PuzzleKind::Answer => "Accept or reject",
            PuzzleKind::PaidMove => "Worth its price",
            PuzzleKind::CoinMove => "After the coin toss",
            PuzzleKind::Promotion => "Knight or queen",
            PuzzleKind::Zugzwang => "Find the zugzwang",
            PuzzleKind::Mate => "Mate for money",
            PuzzleKind::Guess => "The best guess",
            PuzzleKind::Design => "The cheapest mate",
        }
    }

    /// One line of description.
    pub fn words(self) -> &'static str {
        match self {
            PuzzleKind::LeastBid => "You make an open bid. What is the lowest that is certain to win?",
            PuzzleKind::Answer => "Your opponent bids. Take the chips, or pay and move?",
            PuzzleKind::PaidMove => "You have paid for the move. Only one still wins.",
            PuzzleKind::CoinMove => "A coin decides who moves. Which move gives the best chances?",
            PuzzleKind::Promotion => "Where kings can be captured, a queen is not always best.",
            PuzzleKind::Zugzwang => "Four boards. On one of them neither side wants to move.",
            PuzzleKind::Mate => "Clairvoyant Chess: a few zorkmids buy the second part of a mating turn. Find it.",
            PuzzleKind::Guess => {
                "Clairvoyant Chess: count your opponent’s turns and find the guess that earns most on average."
            }
            PuzzleKind::Design => "csipgs Chess: design the cheapest piece that mates as soon as it enters.",
        }
    }

    /// Form of its answers.
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

    /// Numbers of puzzles that together show every position of the kind once, up to symmetry, if there are few. Other numbers repeat them.
    pub fn numbers(self) -> Option<&'static [u32]> {
        match self {
            PuzzleKind::Zugzwang => Some(&[0, 1, 4]),
            PuzzleKind::LeastBid
            | PuzzleKind::Answer
            | PuzzleKind::PaidMove
            | PuzzleKind::CoinMove
            | PuzzleKind::Promotion
            | PuzzleKind::Mate
            | PuzzleKind::Guess
            | PuzzleKind::Design => None,
        }
    }

    /// The puzzle kind of a day, by its number. The kinds take turns.
    pub fn of_day(day: u32) -> PuzzleKind {
        PuzzleKind::ALL[day as usize % PuzzleKind::ALL.len()]
    }
}

impl FromStr for PuzzleKind {
    type Err = Refusal;

    fn from_str(key: &str) -> Result<PuzzleKind, Refusal> {
        PuzzleKind::ALL.into_iter().find(|kind| kind.key() == key).ok_or_else(|| {
            let known = PuzzleKind::ALL.map(PuzzleKind::key).join(", ");
            Refusal::new(format!("There is no such kind of puzzle. Choose one of {known}."))
        })
    }
}
