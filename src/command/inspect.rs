//! Subcommands that check rules and records: `replay`, `check` and `perft`.

use super::bar_of;
use crate::{
    board::{Board, FenError, ReadFen, cube, shape},
    game::{Clock, Live},
    play::GameSnapshot,
    registry,
    store::{GameRecord, Store},
};
use serde_json::Value;
use std::fmt::Write;

/// Number of game ids read per query.
const BATCH: u32 = 500;

/// Replays games. Each function returns the text to print, or an error that makes the program fail.
pub struct Replay;

impl Replay {
    /// Replays every game of a record in JSON or PGN.
    pub fn of_text(text: &str) -> Result<String, String> {
        let games = registry::read(text).map_err(|why| why.to_string())?;
        if games.is_empty() {
            return Err("the record contains no game".to_owned());
        }
        let told = games.iter().map(|replayed| match &replayed.wrong {
            Some(wrong) => Err(wrong.clone()),
            None => report(&replayed.game, replayed.transcript.clocks),
        });
        told.collect::<Result<Vec<_>, _>>().map(|games| games.join("\n\n"))
    }

    /// Replays a stored game. Prints only public information while the game is in progress.
    pub fn of_stored(record: GameRecord) -> Result<String, String> {
        let table = GameSnapshot::of(record).map_err(|why| why.to_string())?;
        report(&table.game, table.controls())
    }

    /// Replays a stored game and compares it with its row and with its exported records.
    pub(super) fn check(record: GameRecord) -> Result<(), String> {
        let table = GameSnapshot::checked(record)?;
        report(&table.game, table.controls()).map(drop)
    }
}

/// All actions line by line, and the state of the game.
fn report(game: &Live, clocks: [Option<Clock>; 2]) -> Result<String, String> {
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
            let who = outcome.winner().map_or_else(|| "no winner".to_owned(), |seat| format!("{seat} wins"));
            line("over", &format!("{who}: {}", outcome.reason()));
        }
        None => line("goes on", game.phase()),
    }
    if lines.iter().any(|said| said.text.is_none()) {
        line("records", "some actions are still sealed, so the game cannot be replayed from them");
        return Ok(text.trim_end().to_owned());
    }
    match registry::difference(game, clocks) {
        None => line("records", "record.json and PGN reproduce this game"),
        Some(difference) => return Err(difference),
    }
    Ok(text.trim_end().to_owned())
}

/// Checks a database for damage: SQLite's own pages, and every record by replaying it.
pub struct Check;

impl Check {
    /// Checks everything and passes each fault to `tell`, one line each. Returns the summary.
    ///
    /// # Errors
    /// The summary, if there are faults.
    pub async fn run(store: &Store, tell: fn(String)) -> Result<String, String> {
        let bar = bar_of("checking the file", "games");
        bar.set_length(store.extent().await.map_or(0, |extent| extent.games));
        let (mut games, mut faults) = (0_u64, 0_u64);
        let mut fault = |what: &str, why: &str| {
            faults += 1;
            bar.suspend(|| tell(format!("{what}: {}", why.lines().collect::<Vec<_>>().join("; "))));
        };
        match store.faults().await {
            Ok(found) => found.iter().for_each(|found| fault("database", found)),
            Err(why) => fault("database", &why.to_string()),
        }
        bar.set_message("checking");
        let mut last = String::new();
        loop {
            let ids = match store.ids_after(&last, BATCH).await {
                Ok(ids) => ids,
                Err(why) => {
                    fault("database", &format!("the games after {last:?} cannot be listed: {why}"));
                    break;
                }
            };
            let Some(newest) = ids.last() else { break };
            last.clone_from(newest);
            for id in &ids {
                let checked = match store.load(id).await {
                    Ok(record) => record.map_or(Ok(()), Replay::check),
                    Err(why) => Err(why.to_string()),
                };
                if let Err(why) = checked {
                    fault(&format!("game {id}"), &why);
                }
                games += 1;
                bar.inc(1);
            }
        }
        bar.finish_and_clear();
        match faults {
            0 => Ok(format!("{games} games checked, no faults")),
            _ => Err(format!("{games} games checked, {faults} faults: restore a backup, or export the readable games")),
        }
    }
}

/// Arguments of `perft`.
#[derive(Debug, clap::Args)]
pub struct Perft {
    /// Position, in quotes or with _ for spaces: a board of up to 8x8, or the cube of Raumschach with bars between its levels.
    fen: String,
    /// Depth in plies.
    depth: u32,
    /// Also print the number of leaves below each first move.
    #[arg(long)]
    divide: bool,
}

impl Perft {
    /// Counts the leaves and measures the time with the clock `now`, in milliseconds.
    ///
    /// # Errors
    /// If the position is invalid.
    pub fn run(&self, now: fn() -> i64) -> Result<String, String> {
        let wrong = |why| format!("invalid FEN: {why}");
        let begun = now();
        let (nodes, mut text) = if self.fen.contains('|') {
            self.cube(&cube::CubePosition::parse(&self.fen).map_err(wrong)?)
        } else {
            self.flat().map_err(wrong)?
        };
        let seconds = (now() - begun).max(1) as f64 / 1000.0;
        let _ = write!(text, "nodes {nodes}\nseconds {seconds:.3}\nnodes per second {:.0}", nodes as f64 / seconds);
        Ok(text)
    }

    /// Returns the count and, with `--divide`, the lines to print before it.
    fn flat(&self) -> Result<(u64, String), FenError> {
        let board = Board::orthodox_of(shape(&self.fen)?);
        let ReadFen { position, changes, .. } = board.read_fen(&self.fen)?;
        let mut text: String = changes.iter().map(|change| format!("note: {change}\n")).collect();
        let mut nodes = 0;
        if self.divide && self.depth > 0 {
            for mv in board.moves(&position) {
                let below = board.perft(&board.after(&position, mv), self.depth - 1);
                let _ = writeln!(text, "{}: {below}", board.uci(mv));
                nodes += below;
            }
        } else {
            nodes = board.perft(&position, self.depth);
        }
        Ok((nodes, text))
    }

    /// Does the same for the cube.
    fn cube(&self, position: &cube::CubePosition) -> (u64, String) {
        let (mut nodes, mut text) = (0, String::new());
        if self.divide && self.depth > 0 {
            for mv in position.moves() {
                let below = position.after(mv).perft(self.depth - 1);
                let _ = writeln!(text, "{mv}: {below}");
                nodes += below;
            }
        } else {
            nodes = position.perft(self.depth);
        }
        (nodes, text)
    }
}
