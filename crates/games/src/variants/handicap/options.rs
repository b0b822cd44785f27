//! The options: the game on the board, what is bid for, and what is bid.

use serde::{Deserialize, Serialize};

use crate::{
    board::Color,
    rules::{Capability, OptionRange, OptionSpec, PresetDescription, Refusal},
    text_enum,
    variants::nested_game::Nested,
};

text_enum! {
    /// What stands on the slips.
    #[derive(utoipa::ToSchema)]
    pub enum Currency {
        Seconds = "seconds": "the seconds with which one would play it",
        Unit = "unit": "the unit that one would give up for it",
    }
}

text_enum! {
    /// The side that is bid for.
    #[derive(utoipa::ToSchema)]
    pub enum Prize {
        White = "white": "White, who moves first",
        Black = "black": "Black, who wins every draw",
    }
}

impl Prize {
    /// Its colour.
    pub const fn color(self) -> Color {
        match self {
            Prize::White => Color::White,
            Prize::Black => Color::Black,
        }
    }
}

/// The options of a game before which the players bid a handicap.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Handicap {
    /// The game on the board.
    pub base: Nested,
    /// The side that is bid for.
    pub prize: Prize,
    /// What is bid.
    pub slips: Currency,
    /// The seconds of the side that does not get it, and the most that can be bid.
    pub seconds: i64,
    /// The seconds added after every move.
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
    /// Refuses what does not go together.
    pub(super) fn fit(&self) -> Result<(), Refusal> {
        match (self.slips, self.base.piece_odds.reason()) {
            (Currency::Unit, Some(why)) => {
                Err(Refusal::new(format!("before {} no unit is given up: {why}; bid seconds instead", self.base.title)))
            }
            (Currency::Unit, None) | (Currency::Seconds, _) => Ok(()),
        }
    }
}

/// All options in words.
pub(super) const SETTINGS: &[OptionSpec] = &[
    OptionSpec { key: "base", words: "The game on the board", range: OptionRange::Game(Capability::Handicap) },
    OptionSpec { key: "prize", words: "The side that is bid for", range: OptionRange::Word(Prize::WORDS) },
    OptionSpec { key: "slips", words: "What both write on their slips", range: OptionRange::Word(Currency::WORDS) },
    OptionSpec {
        key: "seconds",
        words: "Where seconds are bid: those of the side that does not get it",
        range: OptionRange::Whole(10, 86_400),
    },
    OptionSpec {
        key: "increment",
        words: "Where seconds are bid: those added per move",
        range: OptionRange::Whole(0, 3_600),
    },
];

/// A word about each preset.
pub(super) const WAYS: &[PresetDescription] = &[
    PresetDescription {
        preset: "standard",
        words: "Who would play White in fewer seconds has White, and that time; agreed clocks are for the slips alone.",
        options: &["base", "seconds", "increment"],
    },
    PresetDescription {
        preset: "armageddon",
        words: "Who would play Black in fewer seconds has Black, that time, and wins every draw; agreed clocks are for the slips alone.",
        options: &["base", "seconds", "increment"],
    },
    PresetDescription {
        preset: "unit",
        words: "Who would give up the greater unit for White has White, and begins without it.",
        options: &["base", "prize"],
    },
];

/// Named options records, the default first.
pub(super) fn presets() -> Vec<(&'static str, Handicap)> {
    let usual = Handicap::default;
    vec![
        ("standard", usual()),
        ("armageddon", Handicap { prize: Prize::Black, increment: 0, ..usual() }),
        ("unit", Handicap { slips: Currency::Unit, ..usual() }),
    ]
}
