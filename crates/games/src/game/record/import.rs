//! Import of records in PGN and JSON.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::pgn_writer::{self, Command};
use crate::{
    board::pgn::Pgn,
    game::{Clock, TimeControl},
    rules::{Actor, Refusal, RulesVersion, diagram::Pair},
};

/// PGN tag with the version of the rules.
pub(super) const RULES_VERSION: &str = "RulesVersion";

/// One line of an imported record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ImportedLine {
    /// Actor of the line; `None` for a move by the pending seat.
    pub actor: Option<Actor>,
    /// Text of the action; `None` if it is still sealed.
    pub text: Option<String>,
    /// Time in milliseconds since the Unix epoch; 0 if unknown.
    pub time: i64,
}

/// An imported record.
#[derive(Clone, PartialEq, Debug)]
pub struct Transcript {
    /// Key or tag of the variant; `None` for ordinary chess.
    pub variant: Option<String>,
    /// Version of the rules that the game was played under.
    pub rules_version: RulesVersion,
    /// Options that differ from the defaults.
    pub options: Map<String, Value>,
    /// Clocks of both seats.
    pub clocks: [Option<Clock>; 2],
    /// All lines, in order.
    pub said: Vec<ImportedLine>,
}

/// A line of a JSON record.
#[derive(Serialize, Deserialize)]
pub(super) struct Line {
    pub(super) actor: String,
    pub(super) action: Option<String>,
    #[serde(default)]
    pub(super) time: i64,
}

/// Fields of a JSON record that are needed to replay it.
#[derive(Deserialize)]
struct Programs {
    variant: String,
    #[serde(default)]
    rules_version: RulesVersion,
    #[serde(default)]
    options: Map<String, Value>,
    #[serde(default)]
    clocks: Option<Pair<Option<TimeControl>>>,
    /// Former form of `clocks`.
    #[serde(default)]
    clock: Option<[Option<Clock>; 2]>,
    lines: Vec<Line>,
}

impl Transcript {
    /// Imports a JSON record.
    pub fn from_json(record: &Value) -> Result<Transcript, Refusal> {
        let read = Programs::deserialize(record).map_err(|wrong| Refusal::new(wrong.to_string()))?;
        let said =
            |line: Line| Ok(ImportedLine { actor: Some(line.actor.parse()?), text: line.action, time: line.time });
        Ok(Transcript {
            variant: Some(read.variant),
            rules_version: read.rules_version,
            options: read.options,
            clocks: match read.clocks {
                None => read.clock.unwrap_or_default(),
                Some(Pair { one, two }) => {
                    [one.map(Clock::try_from).transpose()?, two.map(Clock::try_from).transpose()?]
                }
            },
            said: read.lines.into_iter().map(said).collect::<Result<_, Refusal>>()?,
        })
    }

    /// Imports a PGN game, or a match whose deals are consecutive games.
    pub fn from_pgn(games: &[Pgn]) -> Result<Transcript, Refusal> {
        let Some(first) = games.first() else { return Err(Refusal::new("the PGN contains no game")) };
        let options = match (first.tag("Options"), first.tag("FEN")) {
            (Some(options), _) => serde_json::from_str(options)
                .map_err(|wrong| Refusal::new(format!("the tag Options of this game is invalid: {wrong}")))?,
            // A game recorded by another program.
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
        let variant = match first.tag("Match").or(first.tag("Variant")) {
            // Records of chess with this tag have options.
            Some("Chess960") if first.tag("Options").is_none() => Some("chess960"),
            named => named,
        };
        let variant = variant.map(str::to_owned);
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
