//! Options: the variants in the pool, and whether the players weight them.

use std::{collections::BTreeMap, sync::LazyLock};

use serde::{Deserialize, Serialize};

use crate::{
    rules::{OptionRange, OptionSpec, PresetDescription, RulesVersion},
    variants::nested_game::Nested,
};

/// Options of a game with a randomly chosen variant.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RandomVariant {
    /// Both players submit sealed weights for the variants.
    pub weighted: bool,
    /// Whether each variant may be drawn, by the key of its option.
    #[serde(flatten)]
    games: BTreeMap<String, bool>,
}

/// All variants that may be drawn.
fn drawable() -> impl Iterator<Item = Nested> {
    Nested::all().filter(|game| game.random_since.is_some())
}

/// First version of the rules that has this option.
pub(super) fn since(key: &str) -> RulesVersion {
    drawable().find(|game| flag(*game) == key).and_then(|game| game.random_since).unwrap_or(RulesVersion::FIRST)
}

/// Key of a variant's option.
fn flag(game: Nested) -> String {
    game.key.replace('-', "_")
}

impl Default for RandomVariant {
    fn default() -> Self {
        RandomVariant { weighted: false, games: drawable().map(|game| (flag(game), true)).collect() }
    }
}

impl RandomVariant {
    /// Whether a variant is in the pool.
    pub fn holds(&self, game: Nested) -> bool {
        game.random_since.is_some() && self.games.get(&flag(game)) == Some(&true)
    }

    /// The variants in the pool, in the order of the list.
    pub fn pool(&self) -> impl Iterator<Item = Nested> + '_ {
        drawable().filter(|game| self.holds(*game))
    }
}

/// Options with their labels and ranges.
pub(super) static SETTINGS: LazyLock<Vec<OptionSpec>> = LazyLock::new(|| {
    let weighted =
        OptionSpec { key: "weighted", words: "Both players submit sealed weights first", range: OptionRange::Flag };
    let games = drawable().zip(&*FLAGS).map(|(game, key)| OptionSpec {
        key,
        words: format!("{} may be drawn", game.title).leak(),
        range: OptionRange::Flag,
    });
    std::iter::once(weighted).chain(games).collect()
});

/// Option keys of all variants.
static FLAGS: LazyLock<Vec<&'static str>> = LazyLock::new(|| drawable().map(|game| &*flag(game).leak()).collect());

/// Description of each preset.
pub(super) static WAYS: LazyLock<[PresetDescription; 2]> = LazyLock::new(|| {
    [
        PresetDescription { preset: "standard", words: "Every variant is equally likely.", options: FLAGS.as_slice() },
        PresetDescription {
            preset: "weighted",
            words: "Both players submit sealed weights, which set the odds of the draw.",
            options: FLAGS.as_slice(),
        },
    ]
});

/// Named presets, the default first.
pub(super) fn presets() -> Vec<(&'static str, RandomVariant)> {
    vec![
        ("standard", RandomVariant::default()),
        ("weighted", RandomVariant { weighted: true, ..RandomVariant::default() }),
    ]
}
