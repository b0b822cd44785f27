//! The bots by name, from the strongest to those that only try their luck, and how much each of them thinks.

use std::str::FromStr;

use super::search::SearchLimits;
use crate::rules::Refusal;

/// The bots that can be asked to play.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Bot {
    /// The first level.
    Newcomer,
    /// The second level.
    Casual,
    /// The third level.
    Steady,
    /// The fourth level.
    Keen,
    /// The fifth level.
    Sharp,
    /// The sixth level.
    Deep,
    /// Tries every candidate in many short random continuations and keeps the best (flat Monte Carlo).
    Gambler,
    /// Chooses any candidate.
    Random,
}

impl Bot {
    /// The six levels, the weakest first.
    pub const LEVELS: [Bot; 6] = [Bot::Newcomer, Bot::Casual, Bot::Steady, Bot::Keen, Bot::Sharp, Bot::Deep];

    /// The bot for who has not chosen one.
    pub const USUAL: Bot = Bot::Steady;

    /// All bots, the strongest first; the last two think in no way that a level is named after.
    pub const ALL: [Bot; 8] =
        [Bot::Deep, Bot::Sharp, Bot::Keen, Bot::Steady, Bot::Casual, Bot::Newcomer, Bot::Gambler, Bot::Random];

    /// The name in the API.
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

    /// Says in words what the bot does.
    pub const fn words(self) -> &'static str {
        match self {
            Bot::Newcomer => "sees its own next move and often misjudges it: for a first game",
            Bot::Casual => "sees your answer too, and still slips",
            Bot::Steady => "sees three moves ahead and slips a little",
            Bot::Keen => "looks at some thousand positions for every move",
            Bot::Sharp => "looks at fifty thousand positions for every move, and makes few mistakes",
            Bot::Deep => "thinks for all the time that it has, as well as it can",
            Bot::Gambler => "tries every move in many short random games and keeps the best; knows the endgame tables",
            Bot::Random => "plays anything that is allowed",
        }
    }

    /// Tells whether the bot asks the endgame tables where they reach.
    pub const fn asks_tables(self) -> bool {
        match self {
            Bot::Steady | Bot::Keen | Bot::Sharp | Bot::Deep | Bot::Gambler => true,
            Bot::Newcomer | Bot::Casual | Bot::Random => false,
        }
    }

    /// The effort of a level; the others have none of this kind.
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
            Refusal::at(0, format!("there is no bot “{text}”; the bots are {names}"))
        })
    }
}
