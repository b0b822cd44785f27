//! Options: the variant on the board, the side that is up for bids, and the kind of bid.

use serde::{Deserialize, Serialize};

use crate::{
    board::Color,
    rules::{Capability, OptionRange, OptionSpec, PresetDescription, Refusal},
    text_enum,
    variants::nested_game::Nested,
};

text_enum! {
    /// Kind of offer.
    #[derive(utoipa::ToSchema)]
    pub enum Currency {
        Seconds = "seconds": "a smaller time budget",
        Unit = "unit": "one of your own pieces",
    }
}

text_enum! {
    /// The side that is up for bids.
    pub enum Prize {
        White = "white": "White, with the first move",
        Black = "black": "Black, with draw odds",
    }
}

impl Prize {
    /// The colour.
    pub const fn color(self) -> Color {
        match self {
            Prize::White => Color::White,
            Prize::Black => Color::Black,
        }
    }
}

/// Options of a game with handicap bidding.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Handicap {
    /// The variant on the board.
    pub base: Nested,
    /// The side that is up for bids.
    pub prize: Prize,
    /// Kind of offer.
    pub slips: Currency,
    /// Time of the side that was not bid for, in seconds, and the highest bid.
    pub seconds: i64,
    /// Increment per move, in seconds.
    pub increment: i64,
}

impl Default for Handicap {
    fn default() -> Self {
        Handicap {
            base: "chess".parse().expect("chess is in the list"),
            prize: Prize::White,
            slips: Currency::Seconds,
            seconds: 300,
            increment: 3,
        }
    }
}

impl Handicap {
    /// Refuses options that exclude each other.
    pub(super) fn validate(&self) -> Result<(), Refusal> {
        match (self.slips, self.base.piece_odds.reason()) {
            (Currency::Unit, Some(why)) => Err(Refusal::new(format!(
                "no piece can be given up in {}: {why}; bid seconds instead",
                self.base.title
            ))),
            (Currency::Unit, None) | (Currency::Seconds, _) => Ok(()),
        }
    }
}

/// Options with their labels and ranges.
pub(super) const SETTINGS: &[OptionSpec] = &[
    OptionSpec { key: "base", words: "The game on the board", range: OptionRange::Game(Capability::Handicap) },
    OptionSpec { key: "prize", words: "Side up for bids", range: OptionRange::Word(Prize::WORDS) },
    OptionSpec { key: "slips", words: "What players bid", range: OptionRange::Word(Currency::WORDS) },
    OptionSpec {
        key: "seconds",
        words: "If you bid seconds: time of the other side",
        range: OptionRange::Whole(10, 86_400),
    },
    OptionSpec {
        key: "increment",
        words: "If you bid seconds: increment per move",
        range: OptionRange::Whole(0, 3_600),
    },
];

/// Description of each preset.
pub(super) const WAYS: &[PresetDescription] = &[
    PresetDescription {
        preset: "standard",
        words: "The player who bids fewer seconds plays White with that time. The time control covers the bidding only.",
        options: &["base", "seconds", "increment"],
    },
    PresetDescription {
        preset: "armageddon",
        words: "The player who bids fewer seconds plays Black with that time, and draws count as Black wins. The time control covers the bidding only.",
        options: &["base", "seconds", "increment"],
    },
    PresetDescription {
        preset: "unit",
        words: "The player who offers the more valuable piece plays White without it.",
        options: &["base", "prize"],
    },
];

/// Named presets, the default first.
pub(super) fn presets() -> Vec<(&'static str, Handicap)> {
    let usual = Handicap::default;
    vec![
        ("standard", usual()),
        ("armageddon", Handicap { prize: Prize::Black, increment: 0, ..usual() }),
        ("unit", Handicap { slips: Currency::Unit, ..usual() }),
    ]
}
