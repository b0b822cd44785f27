//! Bots that clients run: what one plays, at which pace, in how many games at once, and whether it listens. Also the opponents of a new game.

use super::{Error, Name, Play, Token};
use crate::{
    bots::Bot,
    game::Clock,
    registry::{self, VARIANTS},
    rules::Refusal,
    store::{Digest, ProgramRow, Registration, RegistrationResult},
};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// The most games that a program may say it plays at once.
pub const MOST_GAMES: u32 = 50;
/// The most programs that are listed.
const LISTED: u32 = 200;
/// What stands before the name of a program wherever it is called.
const MARK: &str = "bot ";

/// How much time a game leaves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TimeBudget {
    /// Games without a clock.
    Untimed,
    /// Games with a clock of minutes, played in one sitting.
    Sitting,
    /// Games with days for every move.
    Days,
}

impl TimeBudget {
    /// All of them.
    pub const ALL: [TimeBudget; 3] = [TimeBudget::Untimed, TimeBudget::Sitting, TimeBudget::Days];

    fn of(clock: Option<Clock>) -> TimeBudget {
        match clock {
            None => TimeBudget::Untimed,
            Some(Clock::Fischer { .. }) => TimeBudget::Sitting,
            Some(Clock::Days { .. }) => TimeBudget::Days,
        }
    }

    fn words(self) -> &'static str {
        match self {
            TimeBudget::Untimed => "without a clock",
            TimeBudget::Sitting => "with minutes on the clock",
            TimeBudget::Days => "with days for a move",
        }
    }
}

impl FromStr for TimeBudget {
    type Err = Refusal;
    fn from_str(text: &str) -> Result<Self, Refusal> {
        match text {
            "untimed" => Ok(TimeBudget::Untimed),
            "sitting" => Ok(TimeBudget::Sitting),
            "days" => Ok(TimeBudget::Days),
            other => Err(Refusal::new(format!("“{other}” is no pace; write untimed, sitting or days"))),
        }
    }
}

/// What a program plays.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Repertoire {
    /// The keys of its variants.
    pub variants: Vec<String>,
    /// The paces.
    pub paces: Vec<TimeBudget>,
    /// The number of games at once.
    pub games: u32,
}

impl Repertoire {
    /// What a program plays: some variants of the list, or all where none is named; some paces, or all; so many games at once, from 1 to
    /// [`MOST_GAMES`].
    ///
    /// # Errors
    /// Refused with what is wrong.
    pub fn new(variants: Vec<String>, paces: Vec<TimeBudget>, games: u32) -> Result<Repertoire, Refusal> {
        for key in &variants {
            registry::named(key)?;
        }
        if !(1..=MOST_GAMES).contains(&games) {
            return Err(Refusal::new(format!("a bot plays 1 to {MOST_GAMES} games at once")));
        }
        let all = || VARIANTS.iter().map(|variant| variant.key.to_owned()).collect();
        Ok(Repertoire {
            variants: if variants.is_empty() { all() } else { variants },
            paces: if paces.is_empty() { TimeBudget::ALL.to_vec() } else { paces },
            games,
        })
    }
}

/// A program that others may play against.
#[derive(Clone, Debug)]
pub struct Program {
    /// Its name, without the mark.
    pub name: String,
    /// What it plays.
    pub repertoire: Repertoire,
    /// The number of games that it plays now.
    pub playing: i64,
    /// Set while it listens.
    pub here: bool,
    pub(super) key: Digest,
}

impl Program {
    fn of(row: ProgramRow, now: i64) -> Result<Program, Error> {
        let repertoire = serde_json::from_str(&row.terms)
            .map_err(|error| Error::Broken(format!("the bot {}: {error}", row.name)))?;
        Ok(Program { name: row.name, repertoire, playing: row.games, here: row.here > now, key: row.key })
    }

    /// Tells whether it has room for another game.
    pub fn free(&self) -> bool {
        self.here && self.playing < i64::from(self.repertoire.games)
    }

    /// Tells why a game cannot be begun with it, if it cannot.
    fn declines(&self, variant: &str, clocks: [Option<Clock>; 2]) -> Option<String> {
        let Program { name, repertoire, .. } = self;
        let tempo = clocks.map(TimeBudget::of).into_iter().find(|tempo| !repertoire.paces.contains(tempo));
        if !self.here {
            Some(format!("{MARK}{name} is not here now: choose somebody else, or come back later"))
        } else if !repertoire.variants.iter().any(|key| key == variant) {
            Some(format!("{MARK}{name} does not play this; it plays {}", repertoire.variants.join(", ")))
        } else if let Some(tempo) = tempo {
            Some(format!("{MARK}{name} does not play {}", tempo.words()))
        } else if !self.free() {
            Some(format!("{MARK}{name} plays as many games as it will: try again when one of them is over"))
        } else {
            None
        }
    }
}

/// The name by which a program is called at a table.
pub(super) fn marked(name: &str) -> String {
    format!("{MARK}{name}")
}

/// The name of a program by what it is called at a table: nobody else's name begins with its mark.
pub(super) fn unmarked(called: &str) -> Option<&str> {
    called.strip_prefix(MARK)
}

/// What two names have in common that nobody could tell apart.
fn folded(name: &str) -> String {
    name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

impl Play {
    /// Registers the program of a key, or changes what it plays. A name is a key's for good.
    ///
    /// # Errors
    /// Refused if the name is another program's or looks like one of ours, or the key has another name; `Unknown` if there is no such key.
    pub async fn register(&self, key: &Token, name: &Name, repertoire: &Repertoire) -> Result<(), Error> {
        let folded = folded(name.as_str());
        let ours = |text: &str| format!("bot:{text}").parse::<Opponent>().is_ok();
        if folded.is_empty() || ours(&name.as_str().to_lowercase()) || ours(&folded) {
            return Err(Refusal::new(
                "this name is none for a bot of yours: choose one with letters that no bot here has",
            )
            .into());
        }
        let terms = serde_json::to_string(repertoire).map_err(|error| Error::Broken(error.to_string()))?;
        let name = name.as_str().to_owned();
        let registration = Registration { key: key.digest(), name, folded, terms, time: self.now() };
        match self.inner.store.register(registration).await? {
            RegistrationResult::Done => Ok(()),
            RegistrationResult::NameTaken => Err(Refusal::new("another bot is called so: choose another name").into()),
            RegistrationResult::Called(name) => Err(Refusal::new(format!(
                "the bot of this key is called {name}, for good: make another key for another bot"
            ))
            .into()),
            RegistrationResult::NoOwner => {
                Err(Error::Unknown("there is no such key: make one with POST /api/keys".to_owned()))
            }
        }
    }

    /// The programs that listen now, by name.
    ///
    /// # Errors
    /// `Busy`, or what the record says.
    pub async fn programs(&self) -> Result<Vec<Program>, Error> {
        let now = self.now();
        let rows = self.inner.store.programs(now, LISTED).await?;
        rows.into_iter().map(|row| Program::of(row, now)).collect()
    }

    /// The program that plays with a key, if one does.
    ///
    /// # Errors
    /// `Busy`, or what the record says.
    pub async fn program_of(&self, key: &Token) -> Result<Option<Program>, Error> {
        let row = self.inner.store.program_of(&key.digest()).await?;
        row.map(|row| Program::of(row, self.now())).transpose()
    }

    /// The program of a name, if it takes a game of this kind now.
    pub(super) async fn challenged(
        &self,
        name: &Name,
        variant: &str,
        clocks: [Option<Clock>; 2],
    ) -> Result<Program, Error> {
        let row = self.inner.store.program_called(&folded(name.as_str())).await?;
        let unknown = || Refusal::new(format!("there is no bot called {}", name.as_str()));
        let program = Program::of(row.ok_or_else(unknown)?, self.now())?;
        match program.declines(variant, clocks) {
            Some(why) => Err(Refusal::new(why).into()),
            None => Ok(program),
        }
    }
}

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
