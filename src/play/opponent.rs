//! The other side of a new game, opposite whoever begins it.

use std::{fmt, str::FromStr};

use super::Name;
use crate::{bots::Bot, rules::Refusal};

/// The other side of a new game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Opponent {
    /// Whoever gets the invitation.
    Link,
    /// Whoever comes first from the lobby, or with the invitation.
    Open,
    /// A bot.
    Bot(Bot),
    /// A program of somebody else, by its name.
    Program(Name),
    /// Nobody else: one screen holds both seats.
    Own,
}

impl Opponent {
    /// Tells whether a game is shown to everybody while it is played: those against bots and programs, and those that began in the lobby. Whoever has
    /// invited somebody, or plays on one screen, has told nobody else of it.
    pub(super) fn public(&self) -> bool {
        match self {
            Opponent::Open | Opponent::Bot(_) | Opponent::Program(_) => true,
            Opponent::Link | Opponent::Own => false,
        }
    }

    /// The bot, if it is one.
    pub(super) fn bot(&self) -> Option<Bot> {
        match self {
            Opponent::Bot(bot) => Some(*bot),
            Opponent::Link | Opponent::Open | Opponent::Program(_) | Opponent::Own => None,
        }
    }
}

impl fmt::Display for Opponent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Opponent::Link => f.write_str("link"),
            Opponent::Open => f.write_str("open"),
            Opponent::Own => f.write_str("self"),
            Opponent::Bot(bot) => write!(f, "bot:{}", bot.name()),
            Opponent::Program(name) => write!(f, "program:{}", name.as_str()),
        }
    }
}

impl FromStr for Opponent {
    type Err = Refusal;
    fn from_str(text: &str) -> Result<Self, Refusal> {
        match text.split_once(':').unwrap_or((text, "")) {
            ("link", "") => Ok(Opponent::Link),
            ("open", "") => Ok(Opponent::Open),
            ("self", "") => Ok(Opponent::Own),
            ("bot", bot) => bot.parse().map(Opponent::Bot),
            ("program", name) => name.parse().map(Opponent::Program),
            _ => Err(Refusal::at(
                0,
                format!("“{text}” is no opponent; write link, open, self, bot:NAME or program:NAME"),
            )),
        }
    }
}
