//! The options of a Bookie match. Their effect on points is in `score`.

use serde::{Deserialize, Serialize};

use super::{Code, CodeError, Options};
use crate::{
    rules::{OptionRange, OptionSpec, PresetDescription, Refusal, RulesVersion, Side, endings::EndingRules},
    text_enum,
};

/// Number of equal bids after which a coin decides, even where equal bids are discarded (our reading of a gap).
pub const TIES: usize = 3;
/// Most deals of a match.
const DEALS: i64 = 100;

text_enum! {
    /// How equal bids are resolved. After [`TIES`] ties a coin decides in any case.
    #[derive(utoipa::ToSchema)]
    pub enum Tie {
        Coin = "coin": "a coin decides the colours",
        Rebid = "rebid": "both players bid again",
    }
}

text_enum! {
    /// The player whose gains a handicap increases.
    #[derive(utoipa::ToSchema)]
    pub enum Favoured {
        One = "one": "the first player’s",
        Two = "two": "the second player’s",
        White = "white": "those of the player with White",
        Black = "black": "those of the player with Black",
    }
}

/// Options of a match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Bookie {
    /// Number of deals.
    pub deals: i64,
    /// How equal bids are resolved.
    pub tie: Tie,
    /// A coin decides who moves first.
    pub coin_toss: bool,
    /// The side that moves first if no coin decides.
    pub first: Side,
    /// Multiplier of the stakes if neither player concedes, such as `2` or `5/2`; empty for none.
    pub double: String,
    /// A drawn deal counts as a win for Black.
    pub black_wins_draws: bool,
    /// Percentage by which every gain of one player increases, such as `20`; empty for none.
    pub handicap: String,
    /// The player with the handicap.
    pub handicapped: Favoured,
    /// Code of the position to play; empty for a fresh deal.
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

/// The options of a match after parsing.
#[derive(Clone, PartialEq, Debug)]
pub struct Terms {
    /// The options that affect points.
    pub(super) agreed: Options,
    /// The position to play, if it was given.
    pub(super) code: Option<Code>,
    /// Endings on the board in the game's version of the rules.
    pub(super) endings: EndingRules,
}

impl Bookie {
    /// Parses the options, or names the first wrong one.
    pub(super) fn agreement(&self, version: RulesVersion) -> Result<Terms, Refusal> {
        let draws = if self.black_wins_draws { "1" } else { "" };
        let agreed = Options::parse([
            ("first", if self.coin_toss { "" } else { self.first.name() }),
            ("double", self.double.as_str()),
            ("black_wins_draws", draws),
            ("handicap", self.handicap.as_str()),
            ("handicapped", self.handicapped.name()),
        ])
        .map_err(|wrong| Refusal::at(wrong.at, format!("the option {wrong}")))?;
        let endings = EndingRules::FIDE.under(version);
        if self.code.is_empty() {
            return Ok(Terms { agreed, code: None, endings });
        }
        let code = self.code.parse().map_err(|wrong: CodeError| Refusal::new(format!("the option code: {wrong}")))?;
        if self.deals == 1 {
            Ok(Terms { agreed, code: Some(code), endings })
        } else {
            Err(Refusal::new("a code has only one position: play a match of one deal"))
        }
    }
}

/// Named presets, the default first.
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

/// Options with their labels and ranges.
pub(super) const SETTINGS: &[OptionSpec] = &[
    OptionSpec { key: "deals", words: "Deals in the match", range: OptionRange::Whole(1, DEALS) },
    OptionSpec { key: "tie", words: "Equal bids", range: OptionRange::Word(Tie::WORDS) },
    OptionSpec { key: "coin_toss", words: "A coin decides who moves first", range: OptionRange::Flag },
    OptionSpec { key: "first", words: "First to move if no coin decides", range: OptionRange::Word(Side::WORDS) },
    OptionSpec {
        key: "double",
        words: "Stakes multiplier if neither player concedes (empty: none)",
        range: OptionRange::Text("2"),
    },
    OptionSpec { key: "black_wins_draws", words: "Black wins draws", range: OptionRange::Flag },
    OptionSpec {
        key: "handicap",
        words: "Handicap: percent added to one player’s gains (empty: none)",
        range: OptionRange::Text("20"),
    },
    OptionSpec {
        key: "handicapped",
        words: "Handicap: whose gains increase",
        range: OptionRange::Word(Favoured::WORDS),
    },
    OptionSpec {
        key: "code",
        words: "Position known to both before the bids, by its code (empty: a fresh deal)",
        range: OptionRange::Text("the 64 characters"),
    },
];

/// Description of each preset.
pub(super) const WAYS: &[PresetDescription] = &[
    PresetDescription {
        preset: "standard",
        words: "One deal. The higher bid plays White; a coin decides ties.",
        options: &["deals", "tie"],
    },
    PresetDescription {
        preset: "spiced",
        words: "Equal bids are repeated, a coin decides who moves first, Black wins draws, and the stakes double if neither player concedes.",
        options: &["tie", "coin_toss", "double", "black_wins_draws"],
    },
    PresetDescription {
        preset: "match",
        words: "Three deals; points add up. The stakes double if neither player concedes.",
        options: &["deals", "double"],
    },
];
