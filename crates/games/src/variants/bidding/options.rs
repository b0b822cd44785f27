//! The options on which two players agree before a game of bidding chess, their help texts, and the grammar of actions.

use serde::{Deserialize, Serialize};

use super::MOST;
use crate::{
    rules::{
        Edition, Lesson, Phrase, Range, START_SETTING, Setting, Side, Way,
        auction_game::Base,
        endgame::{Bank, Price, Tie},
    },
    text_enum,
    variants::king_capture::QUIET,
};

text_enum! {
    /// The way bids are made.
    #[derive(utoipa::ToSchema)]
    pub enum Scheme {
        Open = "open": "whoever moved last bids; the other takes the money, or pays the same and moves",
        Secret = "secret": "both bid sealed; the higher bid moves and pays",
    }
}

/// The options of a game of bidding chess.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Bidding {
    /// The game on the board.
    pub base: Base,
    /// The way bids are made.
    pub scheme: Scheme,
    /// The way equal sealed bids are settled.
    pub tie: Tie,
    /// The side that holds the marker first, or wins all ties.
    pub holder: Side,
    /// The sealed bid that is paid.
    pub price: Price,
    /// The part of every payment that goes to the bank.
    pub bank: Bank,
    /// Bids may be below zero.
    pub negative: bool,
    /// White’s chips at the start.
    pub white: i64,
    /// Black’s chips at the start.
    pub black: i64,
    /// So many turns without a capture or a pawn move make a draw.
    pub no_progress: i64,
    /// The players may look at the endgame tables during the game.
    pub panel: bool,
    /// The position to begin from; empty for the usual one. The side that is not to move is deemed to have moved last.
    pub fen: String,
}

impl Default for Bidding {
    fn default() -> Self {
        Bidding {
            base: Base::chess(),
            scheme: Scheme::Open,
            tie: Tie::Marker,
            holder: Side::White,
            price: Price::First,
            bank: Bank::Nothing,
            negative: true,
            white: 100,
            black: 100,
            no_progress: QUIET,
            panel: false,
            fen: String::new(),
        }
    }
}

/// Named agreements, the default first: the source’s suggestion, sealed bids, and the two protocols that others have written about.
pub(super) fn presets() -> Vec<(&'static str, Bidding)> {
    let of = |key: &'static str| {
        let base = Base::find(key).expect("it is played at auction");
        (key, Bidding { base, ..Bidding::default() })
    };
    let secret = Bidding { scheme: Scheme::Secret, ..Bidding::default() };
    vec![
        ("open", Bidding::default()),
        ("secret", secret.clone()),
        ("develin-payne", Bidding { tie: Tie::Choice, negative: false, ..secret.clone() }),
        ("richman", Bidding { tie: Tie::Coin, ..secret.clone() }),
        ("poorman", Bidding { bank: Bank::All, negative: false, ..secret.clone() }),
        ("second-price", Bidding { price: Price::Second, ..secret }),
        of("crazyhouse"),
        of("chess960"),
        of("antichess"),
    ]
}

/// The options in words.
pub(super) const SETTINGS: &[Setting] = &[
    Setting { key: "base", words: "The game on the board", range: Range::Game(Edition::Auction) },
    Setting { key: "scheme", words: "How bids are made", range: Range::Word(Scheme::WORDS) },
    Setting { key: "tie", words: "Equal sealed bids", range: Range::Word(Tie::WORDS) },
    Setting { key: "holder", words: "Who has the marker first, or wins all ties", range: Range::Word(Side::WORDS) },
    Setting { key: "price", words: "Sealed bids", range: Range::Word(Price::WORDS) },
    Setting { key: "bank", words: "Where payments go", range: Range::Word(Bank::WORDS) },
    Setting { key: "negative", words: "Bids may be below zero", range: Range::Flag },
    Setting { key: "white", words: "White’s chips", range: Range::Whole(1, MOST) },
    Setting { key: "black", words: "Black’s chips", range: Range::Whole(1, MOST) },
    Setting {
        key: "no_progress",
        words: "Turns without a capture or a pawn move that make a draw",
        range: Range::Whole(20, 3000),
    },
    Setting { key: "panel", words: "Both players may look at the endgame tables", range: Range::Flag },
    START_SETTING,
];

/// A word about each preset.
pub(super) const WAYS: &[Way] = &[
    Way {
        preset: "open",
        words: "Whoever moved last names a sum; the other takes the money, or pays as much and moves.",
        options: &["base", "negative", "white", "black"],
    },
    Way {
        preset: "secret",
        words: "Both bid sealed, and the higher bid pays and moves; at equal bids the marker decides, and is handed over.",
        options: &["tie", "holder", "negative", "white", "black"],
    },
    Way {
        preset: "develin-payne",
        words: "Sealed bids of zero or more; at equal bids the holder of the marker may also let the other move and keep it.",
        options: &["holder", "white", "black"],
    },
    Way {
        preset: "richman",
        words: "Sealed bids, and a coin decides between equal ones.",
        options: &["negative", "white", "black"],
    },
    Way {
        preset: "poorman",
        words: "Sealed bids of zero or more, and whoever moves pays the bank: chips that are spent are gone.",
        options: &["tie", "bank", "white", "black"],
    },
    Way {
        preset: "second-price",
        words: "Sealed bids, and whoever bids more moves for what the other has bid.",
        options: &["tie", "negative", "white", "black"],
    },
    Way {
        preset: "crazyhouse",
        words: "Open bids for moves of crazyhouse: what is captured changes sides and is dropped.",
        options: &["scheme", "white", "black"],
    },
    Way {
        preset: "chess960",
        words: "Open bids, after chance has laid out the first rank.",
        options: &["scheme", "white", "black"],
    },
    Way {
        preset: "antichess",
        words: "Open bids, and whoever moves must capture if he can; whoever has nothing left has won.",
        options: &["scheme", "white", "black"],
    },
];

/// Two lines on each task.
pub(super) const LESSONS: &[Lesson] = &[
    Lesson {
        task: "bid",
        lines: [
            "Bid chips for the next move: the more you bid, the likelier it is yours, and whoever gets it pays.",
            "Take the king to win, or what else wins in this game; chips left over are worth nothing.",
        ],
    },
    Lesson {
        task: "answer",
        lines: [
            "The other side has named a price for the next move.",
            "Either you let it move for that, or you move for the same yourself.",
        ],
    },
    Lesson { task: "tie", lines: ["Both have bid the same, and you decide who moves.", "Whoever moves pays."] },
    Lesson {
        task: "move",
        lines: [
            "You have won the move: press a piece, then its square. The rules of check do not bind: take the king to win, or what else wins in this game.",
            "Then both bid again, so the same side may move several times.",
        ],
    },
];

/// All that is said.
pub(super) const PHRASES: &[Phrase] = &[
    Phrase {
        phases: &["bid"],
        text: "bid {least..most}",
        words: "Bids so many chips for the next move; below zero whoever moves is paid for it. The word may be left out.",
    },
    Phrase { phases: &["answer"], text: "accept", words: "Takes the chips that were bid, and lets the bidder move." },
    Phrase { phases: &["answer"], text: "reject", words: "Pays as many, and moves." },
    Phrase { phases: &["tie"], text: "take", words: "Pays what both bid, moves, and gives the marker away." },
    Phrase { phases: &["tie"], text: "give", words: "Lets the other pay and move, and keeps the marker." },
    Phrase { phases: &["move"], text: "{move}", words: "A unit moves." },
    Phrase {
        phases: &["move"],
        text: "{drop}",
        words: "Drops a captured piece, where the game on the board knows that.",
    },
    Phrase { phases: &["move"], text: "pass", words: "Does nothing, if no unit can move." },
];
