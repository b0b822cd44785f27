//! `replay`: a game played again from its record, and both of its records checked.

use std::fmt::Write;

use serde_json::Value;

use crate::{
    game::{Clock, Live},
    play::LiveGame,
    registry,
    store::GameRecord,
};

/// Games played again. What it gives is to be printed; what it complains of makes the program fail.
pub struct Replay;

impl Replay {
    /// Every game of a record in JSON or in portable game notation.
    pub fn of_text(text: &str) -> Result<String, String> {
        let games = registry::read(text).map_err(|why| why.to_string())?;
        if games.is_empty() {
            return Err("there is no game in this record".to_owned());
        }
        let told = games.iter().map(|replayed| match &replayed.wrong {
            Some(wrong) => Err(wrong.clone()),
            None => told(&replayed.game, replayed.transcript.clocks),
        });
        told.collect::<Result<Vec<_>, _>>().map(|games| games.join("\n\n"))
    }

    /// A game as the store has it. Of one that is not over it prints what anybody may know.
    pub fn of_kept(record: GameRecord) -> Result<String, String> {
        let table = LiveGame::of(record).map_err(|why| why.to_string())?;
        told(&table.game, table.controls())
    }

    /// Plays a game again as the store has it, and compares it with its row and with what its own records lead to.
    pub(super) fn check(record: GameRecord) -> Result<(), String> {
        let table = LiveGame::checked(record)?;
        told(&table.game, table.controls()).map(drop)
    }
}

/// All that was said, line by line, and how the game stands.
fn told(game: &Live, clocks: [Option<Clock>; 2]) -> Result<String, String> {
    let mut text = format!("{}  {}\n", game.key(), Value::Object(game.options()));
    let mut line = |first: &str, second: &str| writeln!(text, "{first:<8}{second}").unwrap_or_default();
    let lines = game.lines(None);
    for said in &lines {
        line(&said.actor.to_string(), said.text.as_deref().unwrap_or("(sealed)"));
    }
    if let Some(fen) = game.diagram(None).fen {
        line("fen", &fen);
    }
    let [one, two] = game.score();
    line("score", &format!("{one} : {two}"));
    line("steps", &game.ply().to_string());
    match game.outcome() {
        Some(outcome) => {
            let who = outcome.winner().map_or_else(|| "nobody wins".to_owned(), |seat| format!("{seat} wins"));
            line("over", &format!("{who}: {}", outcome.reason()));
        }
        None => line("goes on", game.phase()),
    }
    if lines.iter().any(|said| said.text.is_none()) {
        line("records", "not everything is open yet, so nobody can play the game again from them");
        return Ok(text.trim_end().to_owned());
    }
    match registry::difference(game, clocks) {
        None => line("records", "record.json and PGN lead back to this very game"),
        Some(difference) => return Err(difference),
    }
    Ok(text.trim_end().to_owned())
}
