//! The options on which two players agree before a game of bidding chess, their help texts, and the grammar of actions.

use serde::{Deserialize, Serialize};

use super::MOST;
use crate::{
    rules::{
        ActionForm, Capability, OptionRange, OptionSpec, PresetDescription, START_SETTING, Side, TaskHelp,
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
pub(super) const SETTINGS: &[OptionSpec] = &[
    OptionSpec { key: "base", words: "The game on the board", range: OptionRange::Game(Capability::Auction) },
    OptionSpec { key: "scheme", words: "How bids are made", range: OptionRange::Word(Scheme::WORDS) },
    OptionSpec { key: "tie", words: "Equal sealed bids", range: OptionRange::Word(Tie::WORDS) },
    OptionSpec {
        key: "holder",
        words: "Who has the marker first, or wins all ties",
        range: OptionRange::Word(Side::WORDS),
    },
    OptionSpec { key: "price", words: "Sealed bids", range: OptionRange::Word(Price::WORDS) },
    OptionSpec { key: "bank", words: "Where payments go", range: OptionRange::Word(Bank::WORDS) },
    OptionSpec { key: "negative", words: "Bids may be below zero", range: OptionRange::Flag },
    OptionSpec { key: "white", words: "White’s chips", range: OptionRange::Whole(1, MOST) },
    OptionSpec { key: "black", words: "Black’s chips", range: OptionRange::Whole(1, MOST) },
    OptionSpec {
        key: "no_progress",
        words: "Turns without a capture or a pawn move that make a draw",
        range: OptionRange::Whole(20, 3000),
    },
    OptionSpec { key: "panel", words: "Both players may look at the endgame tables", range: OptionRange::Flag },
    START_SETTING,
];

/// A word about each preset.
pub(super) const WAYS: &[PresetDescription] = &[
    PresetDescription {
        preset: "open",
        words: "Whoever moved last names a sum; the other takes the money, or pays as much and moves.",
        options: &["base", "negative", "white", "black"],
    },
    PresetDescription {
        preset: "secret",
        words: "Both bid sealed, and the higher bid pays and moves; at equal bids the marker decides, and is handed over.",
        options: &["tie", "holder", "negative", "white", "black"],
    },
    PresetDescription {
        preset: "develin-payne",
        words: "Sealed bids of zero or more; at equal bids the holder of the marker may also let the other move and keep it.",
        options: &["holder", "white", "black"],
    },
    PresetDescription {
        preset: "richman",
        words: "Sealed bids, and a coin decides between equal ones.",
        options: &["negative", "white", "black"],
    },
    PresetDescription {
        preset: "poorman",
        words: "Sealed bids of zero or more, and whoever moves pays the bank: chips that are spent are gone.",
        options: &["tie", "bank", "white", "black"],
    },
    PresetDescription {
        preset: "second-price",
        words: "Sealed bids, and whoever bids more moves for what the other has bid.",
        options: &["tie", "negative", "white", "black"],
    },
    PresetDescription {
        preset: "crazyhouse",
        words: "Open bids for moves of crazyhouse: what is captured changes sides and is dropped.",
        options: &["scheme", "white", "black"],
    },
    PresetDescription {
        preset: "chess960",
        words: "Open bids, after chance has laid out the first rank.",
        options: &["scheme", "white", "black"],
    },
    PresetDescription {
        preset: "antichess",
        words: "Open bids, and whoever moves must capture if he can; whoever has nothing left has won.",
        options: &["scheme", "white", "black"],
    },
];

/// Two lines on each task.
pub(super) const LESSONS: &[TaskHelp] = &[
    TaskHelp {
        task: "bid",
        lines: [
            "Bid chips for the next move: the more you bid, the likelier it is yours, and whoever gets it pays.",
            "Take the king to win, or what else wins in this game; chips left over are worth nothing.",
        ],
    },
    TaskHelp {
        task: "answer",
        lines: [
            "The other side has named a price for the next move.",
            "Either you let it move for that, or you move for the same yourself.",
        ],
    },
    TaskHelp { task: "tie", lines: ["Both have bid the same, and you decide who moves.", "Whoever moves pays."] },
    TaskHelp {
        task: "move",
        lines: [
            "You have won the move: press a piece, then its square. The rules of check do not bind: take the king to win, or what else wins in this game.",
            "Then both bid again, so the same side may move several times.",
        ],
    },
];

/// All that is said.
pub(super) const PHRASES: &[ActionForm] = &[
    ActionForm {
        phases: &["bid"],
        text: "bid {least..most}",
        words: "Bids so many chips for the next move; below zero whoever moves is paid for it. The word may be left out.",
    },
    ActionForm {
        phases: &["answer"],
        text: "accept",
        words: "Takes the chips that were bid, and lets the bidder move.",
    },
    ActionForm { phases: &["answer"], text: "reject", words: "Pays as many, and moves." },
    ActionForm { phases: &["tie"], text: "take", words: "Pays what both bid, moves, and gives the marker away." },
    ActionForm { phases: &["tie"], text: "give", words: "Lets the other pay and move, and keeps the marker." },
    ActionForm { phases: &["move"], text: "{move}", words: "A unit moves." },
    ActionForm {
        phases: &["move"],
        text: "{drop}",
        words: "Drops a captured piece, where the game on the board knows that.",
    },
    ActionForm { phases: &["move"], text: "pass", words: "Does nothing, if no unit can move." },
];
