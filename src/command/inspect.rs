//! Commands that check rules and records: `replay`, `check` and `perft`.

use super::bar_of;
use crate::{
    board::{Board, FenError, cube, shape},
    game::{Clock, Live},
    play::GameSnapshot,
    registry,
    store::{GameRecord, Store},
};
use serde_json::Value;
use std::fmt::Write;

/// The ids of games that are read at once.
const BATCH: u32 = 500;

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
        let table = GameSnapshot::of(record).map_err(|why| why.to_string())?;
        told(&table.game, table.controls())
    }

    /// Plays a game again as the store has it, and compares it with its row and with what its own records lead to.
    pub(super) fn check(record: GameRecord) -> Result<(), String> {
        let table = GameSnapshot::checked(record)?;
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

/// A look for damage in a database: SQLite's own pages, and every record, which is played again.
pub struct Check;

impl Check {
    /// Checks everything and hands each fault to `tell`, a line each. Returns the summary.
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
            _ => Err(format!("{games} games checked, {faults} faults: restore a backup, or export what can be read")),
        }
    }
}

/// Arguments of `perft`.
#[derive(Debug, clap::Args)]
pub struct Perft {
    /// The position, in quotes or with _ for the spaces; boards up to 8×8, or the cube of Raumschach with bars between its levels.
    fen: String,
    /// The depth in plies.
    depth: u32,
    /// Also prints the leaves under every first move.
    #[arg(long)]
    divide: bool,
}

impl Perft {
    /// The count, with the seconds that it took by the clock `now`, in milliseconds.
    ///
    /// # Errors
    /// What is wrong with the position.
    pub fn run(&self, now: fn() -> i64) -> Result<String, String> {
        let wrong = |why| format!("this FEN cannot be read: {why}");
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

    /// The count, and the lines that are printed before it.
    fn flat(&self) -> Result<(u64, String), FenError> {
        let board = Board::orthodox_of(shape(&self.fen)?);
        let position = board.parse_fen(&self.fen)?;
        let (mut nodes, mut text) = (0, String::new());
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

    /// The same in the cube.
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
