//! Bots that clients run: their variants, paces and number of games, and whether they are online. Also the kinds of opponent for a new
//! game.

use super::{Error, Name, Owner, Play, Token};
use crate::{
    bots::Bot,
    game::Clock,
    registry::{self, VARIANTS},
    rules::Refusal,
    store::{Digest, ProgramRow, Registration, RegistrationResult},
};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// Maximum number of simultaneous games that a bot may declare.
pub const MOST_GAMES: u32 = 50;
/// Maximum number of bots in the list.
const LISTED: u32 = 200;
/// Prefix of a bot's name wherever it is displayed.
const MARK: &str = "bot ";

/// Pace of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = Pace)]
pub enum TimeBudget {
    /// No clock.
    Untimed,
    /// Minutes on the clock, played in one sitting.
    Sitting,
    /// Days per move.
    Days,
}

impl TimeBudget {
    /// All paces.
    pub const ALL: [TimeBudget; 3] = [TimeBudget::Untimed, TimeBudget::Sitting, TimeBudget::Days];

    fn of(clock: Option<Clock>) -> TimeBudget {
        match clock {
            None => TimeBudget::Untimed,
            Some(Clock::Fischer { .. }) => TimeBudget::Sitting,
            Some(Clock::Days { .. }) => TimeBudget::Days,
        }
    }

    fn description(self) -> &'static str {
        match self {
            TimeBudget::Untimed => "untimed games",
            TimeBudget::Sitting => "games with minutes on the clock",
            TimeBudget::Days => "games with days per move",
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
            other => Err(Refusal::new(format!("“{other}” is not a pace; use untimed, sitting or days"))),
        }
    }
}

/// The games that a bot accepts.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Repertoire {
    /// Keys of the variants.
    pub variants: Vec<String>,
    /// Paces.
    pub paces: Vec<TimeBudget>,
    /// Maximum number of simultaneous games.
    pub games: u32,
}

impl Repertoire {
    /// Creates a repertoire. Empty `variants` or `paces` mean all of them; `games` is 1 to [`MOST_GAMES`].
    ///
    /// # Errors
    /// Refused if a variant is unknown or `games` is out of range.
    pub fn new(variants: Vec<String>, paces: Vec<TimeBudget>, games: u32) -> Result<Repertoire, Refusal> {
        for key in &variants {
            registry::find_or_refuse(key)?;
        }
        if !(1..=MOST_GAMES).contains(&games) {
            return Err(Refusal::new(format!("the number of simultaneous games must be 1 to {MOST_GAMES}")));
        }
        let all = || VARIANTS.iter().map(|variant| variant.key.to_owned()).collect();
        Ok(Repertoire {
            variants: if variants.is_empty() { all() } else { variants },
            paces: if paces.is_empty() { TimeBudget::ALL.to_vec() } else { paces },
            games,
        })
    }
}

/// A client-run bot.
#[derive(Clone, Debug)]
pub struct Program {
    /// Name, without the prefix.
    pub name: String,
    /// The games that it accepts.
    pub repertoire: Repertoire,
    /// Number of its running games.
    pub playing: i64,
    /// True while it is online.
    pub online: bool,
    pub(super) key: Digest,
}

impl Program {
    fn of(row: ProgramRow, now: i64) -> Result<Program, Error> {
        let repertoire = serde_json::from_str(&row.terms)
            .map_err(|error| Error::Broken(format!("the repertoire of bot {} cannot be read: {error}", row.name)))?;
        Ok(Program { name: row.name, repertoire, playing: row.games, online: row.online_until > now, key: row.key })
    }

    /// Returns whether it is online and has room for another game.
    pub fn free(&self) -> bool {
        self.online && self.playing < i64::from(self.repertoire.games)
    }

    /// Reason why it does not accept a game now, if any.
    fn declines(&self, variant: &str, clocks: [Option<Clock>; 2]) -> Option<String> {
        let Program { name, .. } = self;
        if !self.online {
            return Some(format!("{MARK}{name} is offline; choose another opponent, or try again later"));
        }
        let full = || format!("{MARK}{name} has reached its limit of games; try again when one of them has ended");
        self.never_accepts(variant, clocks).or_else(|| (!self.free()).then(full))
    }

    /// Reason why it never accepts such a game, if any.
    fn never_accepts(&self, variant: &str, clocks: [Option<Clock>; 2]) -> Option<String> {
        let Program { name, repertoire, .. } = self;
        let tempo = clocks.map(TimeBudget::of).into_iter().find(|tempo| !repertoire.paces.contains(tempo));
        if !repertoire.variants.iter().any(|key| key == variant) {
            Some(format!("{MARK}{name} does not play this variant; it plays {}", repertoire.variants.join(", ")))
        } else {
            tempo.map(|tempo| format!("{MARK}{name} does not play {}", tempo.description()))
        }
    }
}

/// Display name of a bot.
pub(super) fn marked(name: &str) -> String {
    format!("{MARK}{name}")
}

/// Name of a bot from its display name. Names of other players cannot start with the prefix.
pub(super) fn unmarked(called: &str) -> Option<&str> {
    called.strip_prefix(MARK)
}

/// Form in which names that look alike are equal: lowercase letters and digits only.
fn folded(name: &str) -> String {
    name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

impl Play {
    /// Registers the bot of a key, or changes its repertoire. The name is permanent.
    ///
    /// # Errors
    /// Refused if the name is taken or reserved, or the key has another name; `Unknown` if there is no such key.
    pub async fn register(&self, key: &Token, name: &Name, repertoire: &Repertoire) -> Result<(), Error> {
        let folded = folded(name.as_str());
        let ours = |text: &str| format!("bot:{text}").parse::<Opponent>().is_ok();
        if folded.is_empty() || ours(&name.as_str().to_lowercase()) || ours(&folded) {
            return Err(Refusal::new(
                "this name belongs to a bot of this site, or has no letters or digits; choose another name",
            )
            .into());
        }
        let terms = serde_json::to_string(repertoire).map_err(|error| Error::Broken(error.to_string()))?;
        let name = name.as_str().to_owned();
        let registration = Registration { key: key.digest(), name, folded, terms, time: self.now() };
        match self.inner.store.register(registration).await? {
            RegistrationResult::Done => Ok(()),
            RegistrationResult::NameTaken => Err(Refusal::new("another bot has this name; choose another one").into()),
            RegistrationResult::Called(name) => Err(Refusal::new(format!(
                "the bot of this key is called {name}, and the name is permanent; create another key for another bot"
            ))
            .into()),
            RegistrationResult::NoOwner => {
                Err(Error::Unknown("there is no such key; create one with POST /api/keys".to_owned()))
            }
        }
    }

    /// Bots that are online, sorted by name.
    ///
    /// # Errors
    /// `Busy`, or a database error.
    pub async fn programs(&self) -> Result<Vec<Program>, Error> {
        let now = self.now();
        let rows = self.inner.store.programs(now, LISTED).await?;
        rows.into_iter().map(|row| Program::of(row, now)).collect()
    }

    /// Bot that is registered for a key.
    ///
    /// # Errors
    /// `Busy`, or a database error.
    pub async fn program_of(&self, key: &Token) -> Result<Option<Program>, Error> {
        let row = self.inner.store.program_of(&key.digest()).await?;
        row.map(|row| Program::of(row, self.now())).transpose()
    }

    /// Finds a bot by name and checks that it accepts such a game now.
    pub(super) async fn find_available_bot(
        &self,
        name: &Name,
        variant: &str,
        clocks: [Option<Clock>; 2],
    ) -> Result<Program, Error> {
        let program = self.find_bot(name).await?;
        match program.declines(variant, clocks) {
            Some(why) => Err(Refusal::new(why).into()),
            None => Ok(program),
        }
    }

    /// Finds a bot by name and checks that the key `from` may challenge it to such a game. The bot may be offline.
    pub(super) async fn find_challenged_bot(
        &self,
        name: &Name,
        from: Option<&Owner>,
        variant: &str,
        clocks: [Option<Clock>; 2],
    ) -> Result<Program, Error> {
        let from = from.ok_or_else(|| {
            Refusal::new(
                "only a key can challenge; create one with POST /api/keys, and send it as Authorization: Bearer KEY",
            )
        })?;
        let program = self.find_bot(name).await?;
        if let Some(why) = program.never_accepts(variant, clocks) {
            return Err(Refusal::new(why).into());
        }
        self.check_challenge(from, &program).await?;
        Ok(program)
    }

    async fn find_bot(&self, name: &Name) -> Result<Program, Error> {
        let row = self.inner.store.program_by_name(&folded(name.as_str())).await?;
        let unknown = || Refusal::new(format!("there is no bot called {}", name.as_str()));
        Program::of(row.ok_or_else(unknown)?, self.now())
    }
}

/// Kind of opponent in a new game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Opponent {
    /// A friend who gets the invitation.
    Link,
    /// The first player to join, from the lobby or by invitation.
    Open,
    /// A built-in bot.
    Bot(Bot),
    /// A client-run bot, by name. The game begins at once.
    Program(Name),
    /// A client-run bot, by name, which accepts or declines.
    Challenge(Name),
    /// Pass and play: one browser holds both seats.
    Own,
}

impl Opponent {
    /// Returns whether the game is listed publicly while it is played: games from the lobby and against bots are, private invitations and
    /// pass and play are not.
    pub(super) fn public(&self) -> bool {
        match self {
            Opponent::Open | Opponent::Bot(_) | Opponent::Program(_) | Opponent::Challenge(_) => true,
            Opponent::Link | Opponent::Own => false,
        }
    }

    /// The built-in bot, if the opponent is one.
    pub(super) fn bot(&self) -> Option<Bot> {
        match self {
            Opponent::Bot(bot) => Some(*bot),
            Opponent::Link | Opponent::Open | Opponent::Program(_) | Opponent::Challenge(_) | Opponent::Own => None,
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
            Opponent::Challenge(name) => write!(f, "challenge:{}", name.as_str()),
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
            ("challenge", name) => name.parse().map(Opponent::Challenge),
            _ => Err(Refusal::at(
                0,
                format!("“{text}” is not an opponent; use link, open, self, bot:NAME, program:NAME or challenge:NAME"),
            )),
        }
    }
}
