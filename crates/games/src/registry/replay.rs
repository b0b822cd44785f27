//! Records as files, played again: what programs keep, and games on paper.

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

/// A record that was read, and the game that it tells.
pub struct Replayed {
    /// What was read.
    pub transcript: Transcript,
    /// The game.
    pub game: Box<Live>,
    /// What the record says beside, and what is not so; nothing where all of it is.
    pub wrong: Option<String>,
}

/// Those who may look.
const VIEWERS: [Viewer; 3] = [None, Some(Seat::One), Some(Seat::Two)];

/// The facts of a record for programs that follow from the rest of it.
const FACTS: [&str; 4] = ["ply", "outcome", "score", "fen"];

/// The text of a record.
enum Source {
    Programs(Value),
    Paper(Vec<Pgn>),
}

/// The variant that a record names, by its key or as its tag `Variant` writes it: `RandomTurn` is `random-turn`.
pub fn tagged(name: Option<&str>) -> Option<&'static Variant> {
    let letters =
        |text: &str| text.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
    // As a tag, Chess960 is chess from a position that says so by the rooks that may castle; where chance has laid it out the key stands
    // in the tag `Match`.
    let Some(name) = name.filter(|name| *name != "Chess960") else { return find("chess") };
    VARIANTS.iter().find(|variant| letters(variant.key) == letters(name))
}

/// Reads every record of a text, in JSON or in portable game notation, and plays each again.
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

/// Tells whether a game is the next deal of the same match.
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
    let game = tagged(name).ok_or_else(unknown)?.retell(&transcript)?;
    let wrong = match source {
        Source::Programs(json) => wrong_fact(json, &record::json(&game, None, transcript.clocks)),
        Source::Paper(deals) => wrong_move(deals, &record::pgn(&game, None, &heading(transcript.clocks))),
    };
    Ok(Replayed { transcript, game, wrong })
}

fn wrong_fact(told: &Value, real: &Value) -> Option<String> {
    let wrong = |key: &&str| told.get(key).is_some_and(|value| *value != real[*key]);
    let key = FACTS.into_iter().find(wrong)?;
    Some(format!("the record gives {key} as {}, and the game comes to {}", told[key], real[key]))
}

/// The first move that is not what was played, or a result that is not what came of it.
fn wrong_move(told: &[Pgn], real: &[Pgn]) -> Option<String> {
    if told.len() != real.len() {
        return Some(format!("the record has {} games, and they come to {}", told.len(), real.len()));
    }
    let texts = |game: &Pgn| -> Vec<String> {
        game.moves.iter().map(|written| written.text.trim_end_matches(['+', '#']).to_owned()).collect()
    };
    told.iter().zip(real).find_map(|(told, real)| {
        if texts(told) != texts(real) {
            let first = texts(told).into_iter().zip(texts(real)).find(|(told, real)| told != real);
            let first = first.map_or_else(String::new, |(told, real)| format!(": {told} was {real}"));
            return Some(format!("the moves on paper are not those that were played{first}"));
        }
        let wrong = real.result != Termination::Open && told.result != real.result;
        wrong.then(|| format!("the record ends {}, and the game {}", told.result.text(), real.result.text()))
    })
}

/// A head that names nobody.
fn heading(clocks: [Option<Clock>; 2]) -> Heading {
    Heading { site: String::new(), begun: 0, names: Default::default(), clocks }
}

impl Variant {
    /// The game that a transcript tells.
    pub fn retell(&self, transcript: &Transcript) -> Result<Box<Live>, Refusal> {
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
        return Err(Refusal::new("it is sealed; the game can be played again when everything is open"));
    };
    let asked = || game.awaits().first().copied().map(Actor::Seat);
    let Some(actor) = said.actor.or_else(asked) else {
        return Err(Refusal::new(format!("“{text}” is a move, and nobody is asked for one")));
    };
    game.act(actor, text, said.time).map(|_| ()).map_err(|why| Refusal::new(format!("{actor}, “{text}”: {why}")))
}

/// Says what of a game's two records, as anybody may have them, does not lead back to the very same game, if anything does not. What
/// is hidden of a game that goes on may differ.
pub fn difference(game: &Live, clocks: [Option<Clock>; 2]) -> Option<String> {
    let paper: String = record::pgn(game, None, &heading(clocks)).iter().map(|deal| format!("{deal}\n")).collect();
    let json = record::json(game, None, clocks).to_string();
    let viewers = if game.outcome().is_some() { &VIEWERS[..] } else { &VIEWERS[..1] };
    [("record.json", json), ("PGN", paper)].into_iter().find_map(|(kind, text)| {
        let again = read(&text).and_then(|mut games| match (games.pop(), games.len()) {
            (Some(only), 0) => Ok(only),
            (_, more) => Err(Refusal::new(format!("there are {} games in it", more + 1))),
        });
        match again {
            Ok(Replayed { wrong: Some(wrong), .. }) => Some(format!("{kind}: {wrong}")),
            Ok(again) if viewers.iter().all(|viewer| again.game.json(*viewer) == game.json(*viewer)) => None,
            Ok(_) => Some(format!("{kind}: it tells another game")),
            Err(why) => Some(format!("{kind}: {why}")),
        }
    })
}
