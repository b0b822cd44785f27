//! Replays record files, in JSON and in PGN.

use serde_json::{Map, Value};

use super::{VARIANTS, Variant, find};
use crate::{
    board::{
        fen_words,
        pgn::{Pgn, PgnMove, Termination},
    },
    game::{
        Clock, Clocks, Live,
        record::{self, Command, Heading, ImportedLine, Transcript},
    },
    rules::{Actor, OptionRange, Refusal, Seat, Viewer},
};

/// An imported record and the replayed game.
pub struct Replayed {
    /// The imported record.
    pub transcript: Transcript,
    /// The replayed game.
    pub game: Box<Live>,
    /// Contradiction between the record's stated facts and the replayed game, if there is one.
    pub wrong: Option<String>,
}

/// All viewers.
const VIEWERS: [Viewer; 3] = [None, Some(Seat::One), Some(Seat::Two)];

/// Fields of a JSON record that follow from the rest of it.
const FACTS: [&str; 4] = ["ply", "outcome", "score", "fen"];

/// Source of a record.
enum Source {
    Programs(Value),
    Paper(Vec<Pgn>),
}

/// Letters and digits of a variant's name, in lower case.
fn letters(text: &str) -> String {
    text.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase()
}

/// The variant named in a record, by its key or by its `Variant` tag: `RandomTurn` is `random-turn`. Also accepts the names of other
/// programs.
pub fn tagged(name: Option<&str>) -> Option<&'static Variant> {
    // The tag value Chess960 means chess from a position whose castling rooks require it. Where chance drew the position, the
    // `Match` tag holds the key.
    let Some(name) = name.filter(|name| *name != "Chess960") else { return find("chess") };
    let name = letters(name);
    let key = match name.as_str() {
        "" | "standard" | "normal" | "classical" | "orthodox" | "fromposition" | "illegal" => "chess",
        "fischerandom" | "fischerrandom" | "fischerrandomchess" | "chess9lx" => "chess960",
        "3check" | "3checkchess" | "threecheckchess" => "threecheck",
        "koth" | "kingofthehillchess" => "kingofthehill",
        "house" | "zh" | "crazyhousechess" => "crazyhouse",
        "anti" | "antichesschess" | "giveaway" | "giveawaychess" => "antichess",
        "atom" | "atomicchess" => "atomic",
        "race" | "racing" | "racingkingschess" => "racingkings",
        "hordechess" => "horde",
        "duckchess" => "duck",
        other => other,
    };
    VARIANTS.iter().find(|variant| letters(variant.key) == key)
}

/// Parses and replays all records in a text, which is JSON or PGN.
pub fn read(text: &str) -> Result<Vec<Replayed>, Refusal> {
    sources(text)?.into_iter().map(|source| replayed(&source)).collect()
}

fn sources(text: &str) -> Result<Vec<Source>, Refusal> {
    if text.trim_start().starts_with('{') {
        let json = serde_json::from_str(text).map_err(|wrong| Refusal::new(wrong.to_string()))?;
        return Ok(vec![Source::Programs(json)]);
    }
    let games = Pgn::read(text).map_err(|wrong| Refusal::at(wrong.at, wrong.to_string()))?;
    Ok(games.chunk_by(follows).map(|deals| Source::Paper(deals.to_vec())).collect())
}

/// Whether a game is the next deal of the same match.
fn follows(game: &Pgn, next: &Pgn) -> bool {
    let round = |game: &Pgn| game.tag("Round").and_then(|round| round.parse::<usize>().ok());
    game.tag("Site") == next.tag("Site") && round(game).is_some_and(|number| round(next) == Some(number + 1))
}

fn replayed(source: &Source) -> Result<Replayed, Refusal> {
    let transcript = match source {
        Source::Programs(json) => Transcript::from_json(json)?,
        Source::Paper(deals) => Transcript::from_pgn(deals)?,
    };
    let name = transcript.variant.as_deref();
    let unknown = || Refusal::new(format!("there is no variant “{}”", name.unwrap_or_default()));
    let game = tagged(name).ok_or_else(unknown)?.replay_by_presets(&transcript)?;
    let wrong = match source {
        Source::Programs(json) => wrong_fact(json, &record::json(&game, None, transcript.clocks)),
        Source::Paper(deals) => wrong_move(deals, &record::pgn(&game, None, &heading(transcript.clocks))),
    };
    Ok(Replayed { transcript, game, wrong })
}

fn wrong_fact(told: &Value, real: &Value) -> Option<String> {
    let wrong = |key: &&str| told.get(key).is_some_and(|value| *value != real[*key]);
    let key = FACTS.into_iter().find(wrong)?;
    Some(format!("the record gives {key} as {}, but the replayed game has {}", told[key], real[key]))
}

/// The first difference between the moves or results of a PGN and of the replayed game.
fn wrong_move(told: &[Pgn], real: &[Pgn]) -> Option<String> {
    if told.len() != real.len() {
        return Some(format!("the record has {} games, but the replay has {}", told.len(), real.len()));
    }
    // A move without this command was replayed from its text, which can differ only in style.
    let shown = |written: &PgnMove| Command::read(&written.comment).first() == Some(&Command::Said);
    let plain = |written: &PgnMove| written.text.trim_end_matches(['+', '#']).to_owned();
    told.iter().zip(real).find_map(|(told, real)| {
        let mut pairs = told.moves.iter().zip(&real.moves);
        let first = pairs.find(|(told, real)| (shown(told) || shown(real)) && plain(told) != plain(real));
        if first.is_some() || told.moves.len() != real.moves.len() {
            let first =
                first.map_or_else(String::new, |(told, real)| format!(": {} should be {}", plain(told), plain(real)));
            return Some(format!("the moves in the PGN differ from the replayed ones{first}"));
        }
        let wrong = real.result != Termination::Open && told.result != real.result;
        wrong.then(|| {
            format!("the record ends {}, but the replayed game ends {}", told.result.text(), real.result.text())
        })
    })
}

/// A heading without names.
fn heading(clocks: [Option<Clock>; 2]) -> Heading {
    Heading { site: String::new(), begun: 0, names: Default::default(), clocks }
}

impl Variant {
    /// Replays a transcript. A game from another program may leave out its starting position if it is that of a preset.
    fn replay_by_presets(&self, transcript: &Transcript) -> Result<Box<Live>, Refusal> {
        let game = self.replay_transcript(transcript);
        let foreign = transcript.options.is_empty() && transcript.said.iter().all(|line| line.actor.is_none());
        if game.is_ok() || !foreign {
            return game;
        }
        let others = (self.presets)().into_iter().skip(1).filter_map(|(_, options)| match options {
            Value::Object(options) => self.replay_transcript(&Transcript { options, ..transcript.clone() }).ok(),
            _ => None,
        });
        others.into_iter().next().map_or(game, Ok)
    }

    /// FEN of a pasted position: a FEN as it is, or the final position of a PGN game.
    ///
    /// # Errors
    /// If the text is not one PGN game with legal moves, or the game is of another variant.
    pub fn read_position(&self, text: &str) -> Result<String, Refusal> {
        let text = text.trim();
        if text.is_empty() || is_fen(text) {
            return Ok(text.to_owned());
        }
        let games = Pgn::read(text).map_err(|wrong| Refusal::at(wrong.at, wrong.to_string()))?;
        let [game] = games.as_slice() else {
            return Err(Refusal::new(format!("this text contains {} games: paste one", games.len())));
        };
        self.accept(game)?;
        // The moves of a variant without moves in SAN are known from the actions that our records name.
        let replay = || {
            let transcript = Transcript::from_pgn(&games).ok()?;
            transcript.said.iter().find(|line| line.actor.is_some())?;
            let last = self.replay_transcript(&transcript).ok()?.diagram(None);
            last.start_text().map(str::to_owned)
        };
        // Every move names a square, except castling, which cannot be the first move without a FEN.
        let no_moves =
            game.tag("FEN").is_none() && !game.moves.iter().any(|mv| mv.text.contains(|c: char| c.is_ascii_digit()));
        (self.last_position)(game).or_else(|refusal| {
            replay().ok_or_else(|| match no_moves {
                true => Refusal::at(
                    0,
                    format!(
                        "this is neither a FEN, such as 4k3/8/8/8/8/8/8/4K2R w K - 0 1, nor a PGN game: {}",
                        refusal.why
                    ),
                ),
                false => refusal,
            })
        })
    }

    /// [`Self::options`] as players give them: every position is a FEN or a PGN game, whose last position counts.
    ///
    /// # Errors
    /// Those of [`Self::read_position`] and [`Self::options`].
    pub fn read_options(&self, given: &Map<String, Value>) -> Result<Map<String, Value>, Refusal> {
        let mut options = given.clone();
        for setting in (self.settings)().iter().filter(|setting| matches!(setting.range, OptionRange::Position(_))) {
            if let Some(Value::String(text)) = options.get_mut(setting.key) {
                *text = self.read_position(text)?;
            }
        }
        self.options(&options)
    }

    /// Refuses a game whose tags name another variant. Every variant can continue a game of chess.
    fn accept(&self, game: &Pgn) -> Result<(), Refusal> {
        let own = |name: &str| tagged(Some(name)).is_some_and(|variant| variant.key == self.key);
        let Some(name) = game.tag("Variant") else { return Ok(()) };
        match tagged(Some(name)) {
            _ if own(name) || game.tag("Match").is_some_and(own) => Ok(()),
            Some(variant) if ["chess", "chess960"].contains(&variant.key) => Ok(()),
            Some(variant) => {
                let title = variant.title;
                Err(Refusal::new(format!("this is a game of {title}: start a new game of {title} to continue it")))
            }
            None => Err(Refusal::new(format!("this is a game of “{name:.40}”, which is not played here"))),
        }
    }

    /// Replays a transcript.
    pub fn replay_transcript(&self, transcript: &Transcript) -> Result<Box<Live>, Refusal> {
        let mut game =
            self.begin_under(transcript.rules_version, &transcript.options, Clocks::new(transcript.clocks))?;
        for (index, said) in transcript.said.iter().enumerate() {
            say(&mut game, said).map_err(|why| Refusal::new(format!("line {} of the record: {why}", index + 1)))?;
        }
        Ok(game)
    }
}

/// Whether a text begins with the placement of a FEN.
fn is_fen(text: &str) -> bool {
    let first = fen_words(text).next().map_or("", |(_, word)| word);
    let mark = |letter: char| letter.is_alphanumeric() || "/|~'*[]-".contains(letter);
    first.contains('/') && !first.starts_with(['[', '{']) && first.chars().all(mark) && !first.starts_with("1/2")
}

fn say(game: &mut Live, said: &ImportedLine) -> Result<(), Refusal> {
    let Some(text) = &said.text else {
        return Err(Refusal::new("this action is sealed: replay the game once all choices are open"));
    };
    let asked = || game.awaits().first().copied().map(Actor::Seat);
    let Some(actor) = said.actor.or_else(asked) else {
        return Err(Refusal::new(format!("“{text}” is a move, but no player is to move")));
    };
    game.act(actor, text, said.time).map(|_| ()).map_err(|why| Refusal::new(format!("{actor}, “{text}”: {why}")))
}

/// Difference between a game and the replays of its public JSON and PGN records, if there is one. In a game that is not over,
/// hidden parts may differ.
pub fn difference(game: &Live, clocks: [Option<Clock>; 2]) -> Option<String> {
    let paper: String = record::pgn(game, None, &heading(clocks)).iter().map(|deal| format!("{deal}\n")).collect();
    let json = record::json(game, None, clocks).to_string();
    let viewers = if game.outcome().is_some() { &VIEWERS[..] } else { &VIEWERS[..1] };
    [("record.json", json), ("PGN", paper)].into_iter().find_map(|(kind, text)| {
        let again = read(&text).and_then(|mut games| match (games.pop(), games.len()) {
            (Some(only), 0) => Ok(only),
            (_, more) => Err(Refusal::new(format!("it contains {} games", more + 1))),
        });
        match again {
            Ok(Replayed { wrong: Some(wrong), .. }) => Some(format!("{kind}: {wrong}")),
            Ok(again) if viewers.iter().all(|viewer| again.game.json(*viewer) == game.json(*viewer)) => None,
            Ok(_) => Some(format!("{kind}: it replays to a different game")),
            Err(why) => Some(format!("{kind}: {why}")),
        }
    })
}
