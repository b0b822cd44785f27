//! The options on which two players agree before a Bookie match. Their effect on points is the affair of `score`.

use serde::{Deserialize, Serialize};

use super::{Code, CodeError, Options};
use crate::{
    rules::{OptionRange, OptionSpec, PresetDescription, Refusal, Side},
    text_enum,
};

/// After so many equal bids the coin decides even where equal bids are made anew (our reading of a gap).
pub const TIES: usize = 3;
/// A match has at most so many deals.
const DEALS: i64 = 100;

text_enum! {
    /// The way equal bids are settled; they are made anew at most [`TIES`] times.
    #[derive(utoipa::ToSchema)]
    pub enum Tie {
        Coin = "coin": "a coin decides the colours",
        Rebid = "rebid": "both bid anew",
    }
}

text_enum! {
    /// Whose gains a handicap makes grow.
    #[derive(utoipa::ToSchema)]
    pub enum Favoured {
        One = "one": "the first player’s",
        Two = "two": "the second player’s",
        White = "white": "those of whoever plays White",
        Black = "black": "those of whoever plays Black",
    }
}

/// The options of a match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Bookie {
    /// The number of deals.
    pub deals: i64,
    /// The way equal bids are settled.
    pub tie: Tie,
    /// A coin decides who moves first.
    pub coin_toss: bool,
    /// The side that moves first if no coin decides it.
    pub first: Side,
    /// By how much the stakes grow if nobody concedes, as `2` or `5/2`; empty for not at all.
    pub double: String,
    /// A drawn deal counts as won by Black.
    pub black_wins_draws: bool,
    /// The percentage by which every gain of one player grows, as `20`; empty for none.
    pub handicap: String,
    /// Whose gains grow.
    pub handicapped: Favoured,
    /// The code of the position to play; empty for a fresh deal.
    pub code: String,
}

impl Default for Bookie {
    fn default() -> Self {
        Bookie {
            deals: 1,
            tie: Tie::Coin,
            coin_toss: false,
            first: Side::White,
            double: String::new(),
            black_wins_draws: false,
            handicap: String::new(),
            handicapped: Favoured::One,
            code: String::new(),
        }
    }
}

/// The terms to which the options of a match come.
#[derive(Clone, PartialEq, Debug)]
pub struct Terms {
    /// The options with which points are worked out.
    pub(super) agreed: Options,
    /// The position to play.
    pub(super) code: Option<Code>,
}

impl Bookie {
    /// The terms of a match.
    pub(super) fn agreement(&self) -> Result<Terms, Refusal> {
        let draws = if self.black_wins_draws { "1" } else { "" };
        let agreed = Options::parse([
            ("first", if self.coin_toss { "" } else { self.first.name() }),
            ("double", self.double.as_str()),
            ("black_wins_draws", draws),
            ("handicap", self.handicap.as_str()),
            ("handicapped", self.handicapped.name()),
        ])
        .map_err(|wrong| Refusal::at(wrong.at, format!("the option {wrong}")))?;
        if self.code.is_empty() {
            return Ok(Terms { agreed, code: None });
        }
        let code = self.code.parse().map_err(|wrong: CodeError| Refusal::new(format!("the option code: {wrong}")))?;
        if self.deals == 1 {
            Ok(Terms { agreed, code: Some(code) })
        } else {
            Err(Refusal::new("a code is one position: play it in a match of one deal"))
        }
    }
}

/// Named terms, the default first.
pub(super) fn presets() -> Vec<(&'static str, Bookie)> {
    let spiced = Bookie {
        tie: Tie::Rebid,
        coin_toss: true,
        double: "2".to_owned(),
        black_wins_draws: true,
        ..Bookie::default()
    };
    vec![
        ("standard", Bookie::default()),
        ("spiced", spiced),
        ("match", Bookie { deals: 3, double: "2".to_owned(), ..Bookie::default() }),
    ]
}

/// The terms in words.
pub(super) const SETTINGS: &[OptionSpec] = &[
    OptionSpec { key: "deals", words: "Deals in the match", range: OptionRange::Whole(1, DEALS) },
    OptionSpec { key: "tie", words: "Equal bids", range: OptionRange::Word(Tie::WORDS) },
    OptionSpec { key: "coin_toss", words: "A coin decides who moves first", range: OptionRange::Flag },
    OptionSpec { key: "first", words: "Who moves first if no coin decides it", range: OptionRange::Word(Side::WORDS) },
    OptionSpec {
        key: "double",
        words: "If nobody concedes after the deal, the stakes are multiplied by (empty: no)",
        range: OptionRange::Text("2"),
    },
    OptionSpec { key: "black_wins_draws", words: "Black wins draws", range: OptionRange::Flag },
    OptionSpec {
        key: "handicap",
        words: "Percent by which one player’s gains grow (empty: none)",
        range: OptionRange::Text("20"),
    },
    OptionSpec { key: "handicapped", words: "Whose gains grow", range: OptionRange::Word(Favoured::WORDS) },
    OptionSpec {
        key: "code",
        words: "Play the position of this code (empty: a fresh deal)",
        range: OptionRange::Text("the 64 characters"),
    },
];

/// A word about each of the named terms.
pub(super) const WAYS: &[PresetDescription] = &[
    PresetDescription {
        preset: "standard",
        words: "One deal: whoever bids more plays White, and a coin decides between equal bids.",
        options: &["deals", "tie"],
    },
    PresetDescription {
        preset: "spiced",
        words: "Equal bids are made anew, a coin says who moves first, Black wins draws, and the stakes double if nobody concedes.",
        options: &["tie", "coin_toss", "double", "black_wins_draws"],
    },
    PresetDescription {
        preset: "match",
        words: "Three deals, whose points are added; the stakes double if nobody concedes.",
        options: &["deals", "double"],
    },
];
