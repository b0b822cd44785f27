//! Bots by name, and their search limits.

use std::str::FromStr;

use super::search::SearchLimits;
use crate::rules::Refusal;

/// A bot.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Bot {
    /// Level 1.
    Newcomer,
    /// Level 2.
    Casual,
    /// Level 3.
    Steady,
    /// Level 4.
    Keen,
    /// Level 5.
    Sharp,
    /// Level 6.
    Deep,
    /// Tries every candidate in many short random playouts and keeps the best (flat Monte Carlo).
    Gambler,
    /// Chooses a random candidate.
    Random,
}

impl Bot {
    /// The six levels, weakest first.
    pub const LEVELS: [Bot; 6] = [Bot::Newcomer, Bot::Casual, Bot::Steady, Bot::Keen, Bot::Sharp, Bot::Deep];

    /// Default bot.
    pub const USUAL: Bot = Bot::Steady;

    /// All bots, the strongest level first. The last two are not levels.
    pub const ALL: [Bot; 8] =
        [Bot::Deep, Bot::Sharp, Bot::Keen, Bot::Steady, Bot::Casual, Bot::Newcomer, Bot::Gambler, Bot::Random];

    /// Number of the level, from 1 for the weakest; `None` for the bots that are not levels.
    pub fn level(self) -> Option<usize> {
        Bot::LEVELS.iter().position(|level| *level == self).map(|at| at + 1)
    }

    /// Name in the API.
    pub const fn name(self) -> &'static str {
        match self {
            Bot::Newcomer => "newcomer",
            Bot::Casual => "casual",
            Bot::Steady => "steady",
            Bot::Keen => "keen",
            Bot::Sharp => "sharp",
            Bot::Deep => "deep",
            Bot::Gambler => "gambler",
            Bot::Random => "random",
        }
    }

    /// Description of the bot.
    pub const fn words(self) -> &'static str {
        match self {
            Bot::Newcomer => "looks one move ahead and makes many mistakes: for a first game",
            Bot::Casual => "also looks at your reply, and still makes mistakes",
            Bot::Steady => "looks three moves ahead and makes some mistakes",
            Bot::Keen => "searches several thousand positions for each move",
            Bot::Sharp => "searches fifty thousand positions for each move and makes few mistakes",
            Bot::Deep => "uses all its time to play as well as it can",
            Bot::Gambler => "tries every move in many short random games and keeps the best; uses endgame tables",
            Bot::Random => "plays random legal moves",
        }
    }

    /// Whether the bot uses endgame tables.
    pub const fn asks_tables(self) -> bool {
        match self {
            Bot::Steady | Bot::Keen | Bot::Sharp | Bot::Deep | Bot::Gambler => true,
            Bot::Newcomer | Bot::Casual | Bot::Random => false,
        }
    }

    /// Search limits of a level. Zero for the bots that are not levels.
    pub(super) const fn effort(self, seed: u64) -> SearchLimits {
        let (depth, nodes, noise) = match self {
            Bot::Random | Bot::Gambler => (0, 0, 0),
            Bot::Newcomer => (1, 400, 220),
            Bot::Casual => (2, 2_000, 110),
            Bot::Steady => (3, 8_000, 50),
            Bot::Keen => (8, 12_000, 20),
            Bot::Sharp => (16, 60_000, 8),
            Bot::Deep => (64, 40_000_000, 3),
        };
        SearchLimits { depth, nodes, noise, seed }
    }
}

impl FromStr for Bot {
    type Err = Refusal;
    fn from_str(text: &str) -> Result<Bot, Refusal> {
        Bot::ALL.into_iter().find(|bot| bot.name() == text).ok_or_else(|| {
            let names = Bot::ALL.map(Bot::name).join(", ");
            Refusal::at(0, format!("there is no bot “{text}”: choose one of {names}"))
        })
    }
}
