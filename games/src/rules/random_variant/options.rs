//! The options: which games are in the urn, and whether the players weigh them.

use serde::{Deserialize, Serialize};

use crate::rules::{
    kin::Kin,
    setting::{Range, Setting, Way},
};

/// Declares the options, one for each game that may be drawn.
macro_rules! urn {
    ($($field:ident: $kin:ident = $words:literal,)*) => {
        /// The options of a game that chance chooses.
        #[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct RandomVariant {
            /// Both players say, sealed, how much each game weighs.
            pub weighted: bool,
            $(#[doc = $words] pub $field: bool,)*
        }

        impl Default for RandomVariant {
            fn default() -> Self {
                RandomVariant { weighted: false, $($field: true,)* }
            }
        }

        impl RandomVariant {
            /// Tells whether a game is in the urn.
            pub fn holds(&self, kin: Kin) -> bool {
                match kin { $(Kin::$kin => self.$field,)* }
            }
        }

        /// All options in words.
        pub(super) const SETTINGS: &[Setting] = &[
            Setting { key: "weighted", words: "Both players weigh the games first, sealed", range: Range::Flag },
            $(Setting { key: stringify!($field), words: $words, range: Range::Flag },)*
        ];

        /// What belongs to every way of playing.
        const GAMES: &[&str] = &[$(stringify!($field),)*];
    };
}

urn! {
    chess: Chess = "Chess may be drawn",
    three_check: ThreeCheck = "Three-check chess may be drawn",
    king_of_the_hill: Hill = "King of the Hill may be drawn",
    crazyhouse: Crazyhouse = "Crazyhouse may be drawn",
    antichess: Antichess = "Antichess may be drawn",
    horde: Horde = "Horde may be drawn",
    racing_kings: RacingKings = "Racing kings may be drawn",
    minichess: Minichess = "Minichess may be drawn",
    chess960: Chess960 = "Chess960 may be drawn",
    fog_of_war: FogOfWar = "Fog of war may be drawn",
    duck: Duck = "Duck chess may be drawn",
    shatranj: Shatranj = "Shatranj may be drawn",
    old_chess: OldChess = "Old chess may be drawn",
    lrs: Lrs = "LRS chess may be drawn",
}

/// A word about each preset.
pub(super) const WAYS: &[Way] = &[
    Way { preset: "standard", words: "Chance names one of the games, each as likely as any other.", options: GAMES },
    Way {
        preset: "weighted",
        words: "Both say first, sealed from each other, how much each game weighs; then chance draws by both together.",
        options: GAMES,
    },
];

impl RandomVariant {
    /// The games in the urn, in the order in which they are offered.
    pub fn urn(&self) -> impl Iterator<Item = Kin> + '_ {
        Kin::ALL.iter().copied().filter(|kin| self.holds(*kin))
    }
}

/// Named options records, the default first.
pub(super) fn presets() -> Vec<(&'static str, RandomVariant)> {
    vec![
        ("standard", RandomVariant::default()),
        ("weighted", RandomVariant { weighted: true, ..RandomVariant::default() }),
    ]
}
