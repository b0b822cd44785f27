//! Records that are read, in portable game notation or in JSON.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::pgn_writer::{self, Command};
use crate::{
    board::pgn::Pgn,
    game::Clock,
    rules::{Actor, Refusal, RulesVersion},
};

/// The tag that names the version of the rules.
pub(super) const RULES_VERSION: &str = "RulesVersion";

/// One thing that was said.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ImportedLine {
    /// The one who spoke; nothing for a move of whoever was asked.
    pub actor: Option<Actor>,
    /// The words; nothing where they are not open yet.
    pub text: Option<String>,
    /// When, in milliseconds since the epoch; 0 where nobody knows.
    pub time: i64,
}

/// A record that was read: a game to be played again.
#[derive(Clone, PartialEq, Debug)]
pub struct Transcript {
    /// The variant, by its key or its tag; nothing for ordinary chess.
    pub variant: Option<String>,
    /// Version of the rules that the game was played under.
    pub rules_version: RulesVersion,
    /// The options, those that differ from the default.
    pub options: Map<String, Value>,
    /// The clocks of both seats.
    pub clocks: [Option<Clock>; 2],
    /// All that was said, in order.
    pub said: Vec<ImportedLine>,
}

/// A line of a record for programs.
#[derive(Serialize, Deserialize)]
pub(super) struct Line {
    pub(super) actor: String,
    pub(super) action: Option<String>,
    #[serde(default)]
    pub(super) time: i64,
}

/// The part of a record for programs that a game is played again from.
#[derive(Deserialize)]
struct Programs {
    variant: String,
    #[serde(default)]
    rules_version: RulesVersion,
    #[serde(default)]
    options: Map<String, Value>,
    #[serde(default)]
    clock: Option<[Option<Clock>; 2]>,
    lines: Vec<Line>,
}

impl Transcript {
    /// Reads a record for programs.
    pub fn from_json(record: &Value) -> Result<Transcript, Refusal> {
        let read = Programs::deserialize(record).map_err(|wrong| Refusal::new(wrong.to_string()))?;
        let said =
            |line: Line| Ok(ImportedLine { actor: Some(line.actor.parse()?), text: line.action, time: line.time });
        Ok(Transcript {
            variant: Some(read.variant),
            rules_version: read.rules_version,
            options: read.options,
            clocks: read.clock.unwrap_or_default(),
            said: read.lines.into_iter().map(said).collect::<Result<_, Refusal>>()?,
        })
    }

    /// Reads a game in portable game notation; the deals of a match are games that stand one after the other.
    pub fn from_pgn(games: &[Pgn]) -> Result<Transcript, Refusal> {
        let Some(first) = games.first() else { return Err(Refusal::new("there is no game here")) };
        let options = match (first.tag("Options"), first.tag("FEN")) {
            (Some(options), _) => serde_json::from_str(options)
                .map_err(|wrong| Refusal::new(format!("the tag Options of this game: {wrong}")))?,
            // A game that somebody else wrote down.
            (None, Some(fen)) => Map::from_iter([("fen".to_owned(), fen.into())]),
            (None, _) => Map::new(),
        };
        let rules_version = first.tag(RULES_VERSION).map_or(Ok(RulesVersion::default()), |number| {
            let number: i64 = number
                .parse()
                .map_err(|_| Refusal::new(format!("the tag {RULES_VERSION} “{number}” is not a number")))?;
            number.try_into()
        })?;
        let mut said = Vec::new();
        let mut time = 0;
        for game in games {
            speak(Command::read(&game.before), &mut time, &mut said);
            for written in &game.moves {
                let commands = Command::read(&written.comment);
                if written.text != "--" && commands.first() != Some(&Command::Said) {
                    said.push(ImportedLine { actor: None, text: Some(written.text.clone()), time });
                }
                speak(commands, &mut time, &mut said);
            }
        }
        let clocks = pgn_writer::parse_clocks(first.tag("TimeControl").unwrap_or_default());
        let variant = first.tag("Match").or(first.tag("Variant")).map(str::to_owned);
        Ok(Transcript { variant, rules_version, options, clocks, said })
    }
}

fn speak(commands: Vec<Command>, time: &mut i64, said: &mut Vec<ImportedLine>) {
    for command in commands {
        match command {
            Command::Say(actor, text) => said.push(ImportedLine { actor: Some(actor), text: Some(text), time: *time }),
            Command::Sealed(actor) => said.push(ImportedLine { actor: Some(actor), text: None, time: *time }),
            Command::At(now) => *time = now,
            Command::Said => {}
        }
    }
}
