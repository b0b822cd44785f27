//! Options of bidding chess, their help texts, and the grammar of actions.

use serde::{Deserialize, Serialize};

use super::MOST;
use crate::{
    rules::{
        ActionForm, Capability, OptionRange, OptionSpec, PresetDescription, START_SETTING, Side, TaskHelp,
        auction_game::Base,
        endgame::{Bank, Price, Tie},
    },
    text_enum,
    variants::king_capture::DEFAULT_NO_PROGRESS,
};

text_enum! {
    /// How bids are made.
    #[derive(utoipa::ToSchema)]
    pub enum Scheme {
        Open = "open": "the last mover bids; the opponent takes the chips, or pays the same and moves",
        Secret = "secret": "both players submit sealed bids; the higher bidder pays and moves",
    }
}

/// Options of a game of bidding chess.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Bidding {
    /// The variant on the board.
    pub base: Base,
    /// How bids are made.
    pub scheme: Scheme,
    /// How equal sealed bids are resolved.
    pub tie: Tie,
    /// The side that holds the marker first, or wins all ties.
    pub holder: Side,
    /// The sealed bid that is the price.
    pub price: Price,
    /// The part of every payment that goes to the bank.
    pub bank: Bank,
    /// Bids may be negative.
    pub negative: bool,
    /// White’s chips at the start.
    pub white: i64,
    /// Black’s chips at the start.
    pub black: i64,
    /// Number of plies without a capture or a pawn move that make a draw.
    pub no_progress: i64,
    /// Both players may use the endgame tables during the game.
    pub panel: bool,
    /// Starting position as FEN; empty for the usual one. The side that is not to move counts as the last mover.
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
            no_progress: DEFAULT_NO_PROGRESS,
            panel: false,
            fen: String::new(),
        }
    }
}

/// Named presets, the default first: the source’s suggestion, sealed bids, known protocols from the literature, and other variants on the board.
pub(super) fn presets() -> Vec<(&'static str, Bidding)> {
    let of = |key: &'static str| {
        let base = Base::find(key).expect("every preset names a variant that can be auctioned");
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

/// Options with their labels and ranges.
pub(super) const SETTINGS: &[OptionSpec] = &[
    OptionSpec { key: "base", words: "The game on the board", range: OptionRange::Game(Capability::Auction) },
    OptionSpec { key: "scheme", words: "How bids are made", range: OptionRange::Word(Scheme::WORDS) },
    OptionSpec { key: "tie", words: "Equal sealed bids", range: OptionRange::Word(Tie::WORDS) },
    OptionSpec {
        key: "holder",
        words: "Side that holds the marker first, or wins all ties",
        range: OptionRange::Word(Side::WORDS),
    },
    OptionSpec { key: "price", words: "Sealed bids", range: OptionRange::Word(Price::WORDS) },
    OptionSpec { key: "bank", words: "Where payments go", range: OptionRange::Word(Bank::WORDS) },
    OptionSpec { key: "negative", words: "Bids may be negative", range: OptionRange::Flag },
    OptionSpec { key: "white", words: "White’s chips", range: OptionRange::Whole(1, MOST) },
    OptionSpec { key: "black", words: "Black’s chips", range: OptionRange::Whole(1, MOST) },
    OptionSpec {
        key: "no_progress",
        words: "Turns without a capture or a pawn move that make a draw",
        range: OptionRange::Whole(20, 3000),
    },
    OptionSpec { key: "panel", words: "Both players may use the endgame tables", range: OptionRange::Flag },
    START_SETTING,
];

/// Description of each preset.
pub(super) const WAYS: &[PresetDescription] = &[
    PresetDescription {
        preset: "open",
        words: "The last mover bids. The opponent takes the chips, or pays the same and moves.",
        options: &["base", "negative", "white", "black"],
    },
    PresetDescription {
        preset: "secret",
        words: "Sealed bids; the higher bidder pays and moves. The marker wins ties and then changes hands.",
        options: &["tie", "holder", "negative", "white", "black"],
    },
    PresetDescription {
        preset: "develin-payne",
        words: "Sealed bids of zero or more. On a tie the marker’s holder moves and hands it over, or lets the opponent move.",
        options: &["holder", "white", "black"],
    },
    PresetDescription {
        preset: "richman",
        words: "Sealed bids; a coin decides ties.",
        options: &["negative", "white", "black"],
    },
    PresetDescription {
        preset: "poorman",
        words: "Sealed bids of zero or more. The mover pays the bank, so chips you spend are gone.",
        options: &["tie", "bank", "white", "black"],
    },
    PresetDescription {
        preset: "second-price",
        words: "Sealed bids; the higher bidder pays the lower bid.",
        options: &["tie", "negative", "white", "black"],
    },
    PresetDescription {
        preset: "crazyhouse",
        words: "Open bids. Captured pieces change sides and can be dropped.",
        options: &["scheme", "white", "black"],
    },
    PresetDescription {
        preset: "chess960",
        words: "Open bids. The pieces of the first rank are shuffled first.",
        options: &["scheme", "white", "black"],
    },
    PresetDescription {
        preset: "antichess",
        words: "Open bids. The mover must capture if possible. Lose all your pieces to win.",
        options: &["scheme", "white", "black"],
    },
];

/// Help for each task, two lines each.
pub(super) const LESSONS: &[TaskHelp] = &[
    TaskHelp {
        task: "bid",
        lines: [
            "Bid chips for the next move: the more you bid, the likelier it is yours. The mover pays.",
            "Capture the king, or reach the variant’s own goal. Leftover chips are worth nothing.",
        ],
    },
    TaskHelp {
        task: "answer",
        lines: [
            "Your opponent named a price for the next move.",
            "Take the chips and let them move, or pay the same and move yourself.",
        ],
    },
    TaskHelp { task: "tie", lines: ["The bids are equal: you decide who moves.", "The mover pays."] },
    TaskHelp {
        task: "move",
        lines: [
            "You won the move: choose a piece, then its destination. There is no check: capture the king, or reach the variant’s own goal.",
            "Then the player who moved bids again, or both do in secret. So one side may move several times in a row.",
        ],
    },
];

/// Grammar of actions.
pub(super) const PHRASES: &[ActionForm] = &[
    ActionForm {
        phases: &["bid"],
        text: "bid {least..most}",
        words: "Bids this many chips for the next move; with a negative bid the opponent pays the mover. The word bid is optional.",
    },
    ActionForm { phases: &["answer"], text: "accept", words: "Takes the chips and lets the bidder move." },
    ActionForm { phases: &["answer"], text: "reject", words: "Pays the same number of chips and moves." },
    ActionForm { phases: &["tie"], text: "take", words: "Pays the bid, moves, and gives the marker away." },
    ActionForm { phases: &["tie"], text: "give", words: "Lets the opponent pay and move, and keeps the marker." },
    ActionForm { phases: &["move"], text: "{move}", words: "Makes a move." },
    ActionForm { phases: &["move"], text: "{drop}", words: "Drops a captured piece, in variants with drops." },
    ActionForm { phases: &["move"], text: "pass", words: "Passes; only legal without a move." },
];
