//! Replays record files, in JSON and in PGN.

use serde_json::Value;

use super::{VARIANTS, Variant, find};
use crate::{
    board::pgn::{Pgn, Termination},
    game::{
        Clock, Clocks, Live,
        record::{self, Heading, ImportedLine, Transcript},
    },
    rules::{Actor, Refusal, Seat, Viewer},
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

/// The variant named in a record, by its key or by its `Variant` tag: `RandomTurn` is `random-turn`.
pub fn tagged(name: Option<&str>) -> Option<&'static Variant> {
    let letters =
        |text: &str| text.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
    // The tag value Chess960 means chess from a position whose castling rooks require it. Where chance drew the position, the
    // `Match` tag holds the key.
    let Some(name) = name.filter(|name| *name != "Chess960") else { return find("chess") };
    VARIANTS.iter().find(|variant| letters(variant.key) == letters(name))
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
    let game = replay_any_preset(tagged(name).ok_or_else(unknown)?, &transcript)?;
    let wrong = match source {
        Source::Programs(json) => wrong_fact(json, &record::json(&game, None, transcript.clocks)),
        Source::Paper(deals) => wrong_move(deals, &record::pgn(&game, None, &heading(transcript.clocks))),
    };
    Ok(Replayed { transcript, game, wrong })
}

/// Replays a transcript. One without options may have those of any preset: other programs do not record which side is the horde.
fn replay_any_preset(variant: &Variant, transcript: &Transcript) -> Result<Box<Live>, Refusal> {
    let first = variant.replay_transcript(transcript);
    if first.is_ok() || !transcript.options.is_empty() {
        return first;
    }
    let presets = (variant.presets)().into_iter().skip(1);
    let options = presets.filter_map(|(_, preset)| preset.as_object().cloned());
    let mut others = options.map(|options| variant.replay_transcript(&Transcript { options, ..transcript.clone() }));
    others.find_map(Result::ok).map_or(first, Ok)
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
    let texts = |game: &Pgn| -> Vec<String> {
        game.moves.iter().map(|written| written.text.trim_end_matches(['+', '#']).to_owned()).collect()
    };
    told.iter().zip(real).find_map(|(told, real)| {
        if texts(told) != texts(real) {
            let first = texts(told).into_iter().zip(texts(real)).find(|(told, real)| told != real);
            let first = first.map_or_else(String::new, |(told, real)| format!(": {told} should be {real}"));
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
