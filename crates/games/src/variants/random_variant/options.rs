//! The options: which games are in the urn, and whether the players weigh them.

use std::{collections::BTreeMap, sync::LazyLock};

use serde::{Deserialize, Serialize};

use crate::{
    rules::{OptionRange, OptionSpec, PresetDescription, RulesVersion},
    variants::nested_game::Nested,
};

/// The options of a game that chance chooses.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RandomVariant {
    /// Both players say, sealed, how much each game weighs.
    pub weighted: bool,
    /// Whether each game may be drawn, by the key of its option.
    #[serde(flatten)]
    games: BTreeMap<String, bool>,
}

/// The games that may be drawn.
fn drawable() -> impl Iterator<Item = Nested> {
    Nested::all().filter(|game| game.random_since.is_some())
}

/// First version of the rules that has an option.
pub(super) fn since(key: &str) -> RulesVersion {
    drawable().find(|game| flag(*game) == key).and_then(|game| game.random_since).unwrap_or(RulesVersion::FIRST)
}

/// The key of a game's option.
fn flag(game: Nested) -> String {
    game.key.replace('-', "_")
}

impl Default for RandomVariant {
    fn default() -> Self {
        RandomVariant { weighted: false, games: drawable().map(|game| (flag(game), true)).collect() }
    }
}

impl RandomVariant {
    /// Whether a game is in the urn.
    pub fn holds(&self, game: Nested) -> bool {
        game.random_since.is_some() && self.games.get(&flag(game)) == Some(&true)
    }

    /// The games in the urn, in the order of the list.
    pub fn urn(&self) -> impl Iterator<Item = Nested> + '_ {
        drawable().filter(|game| self.holds(*game))
    }
}

/// All options in words.
pub(super) static SETTINGS: LazyLock<Vec<OptionSpec>> = LazyLock::new(|| {
    let weighted =
        OptionSpec { key: "weighted", words: "Both players weigh the games first, sealed", range: OptionRange::Flag };
    let games = drawable().zip(&*FLAGS).map(|(game, key)| OptionSpec {
        key,
        words: format!("{} may be drawn", game.title).leak(),
        range: OptionRange::Flag,
    });
    std::iter::once(weighted).chain(games).collect()
});

/// The keys of the options of all games.
static FLAGS: LazyLock<Vec<&'static str>> = LazyLock::new(|| drawable().map(|game| &*flag(game).leak()).collect());

/// A word about each preset.
pub(super) static WAYS: LazyLock<[PresetDescription; 2]> = LazyLock::new(|| {
    [
        PresetDescription {
            preset: "standard",
            words: "Chance names one of the games, each as likely as any other.",
            options: FLAGS.as_slice(),
        },
        PresetDescription {
            preset: "weighted",
            words: "Both say first, sealed from each other, how much each game weighs; then chance draws by both together.",
            options: FLAGS.as_slice(),
        },
    ]
});

/// Named options records, the default first.
pub(super) fn presets() -> Vec<(&'static str, RandomVariant)> {
    vec![
        ("standard", RandomVariant::default()),
        ("weighted", RandomVariant { weighted: true, ..RandomVariant::default() }),
    ]
}
