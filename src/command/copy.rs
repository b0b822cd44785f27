//! The subcommand `copy`: copies a site from one database to another and replays every game from the copy.

use crate::{
    play::GameSnapshot,
    store::{Comparison, GameRecord, SiteCopy},
};

/// Arguments of `copy`: two databases.
#[derive(Debug, clap::Args)]
pub struct Copy {
    /// Database to copy from: postgres://user@host/name, or the path of an SQLite file. It is only read. Stop its servers first.
    from: String,
    /// Database to copy to. It must be empty, or hold an interrupted copy of the same site.
    to: String,
}

impl Copy {
    /// Copies and compares. Returns the line to print.
    pub async fn run(&self) -> Result<String, String> {
        let copy = SiteCopy::open(&self.from, &self.to).await.map_err(|why| why.to_string())?;
        let done = run(&copy).await;
        copy.close().await;
        done
    }
}

async fn run(copy: &SiteCopy) -> Result<String, String> {
    let games = copy.games().await.map_err(|why| why.to_string())?;
    let bar = super::bar_of("copying", "games");
    bar.set_length(games);
    copy.write(&mut |done| bar.set_position(done)).await.map_err(|why| why.to_string())?;
    bar.set_message("checking");
    bar.set_position(0);
    let comparison = copy.compare(&mut replay, &mut |done| bar.set_position(done)).await;
    bar.finish_and_clear();
    report(&comparison.map_err(|why| why.to_string())?)
}

/// Replays a record and checks it against its row.
fn replay(record: GameRecord) -> Result<(), String> {
    if !record.lines.iter().map(|line| line.at).eq(0..record.game.at) {
        return Err(format!("the record has {} lines, but its row says {}", record.lines.len(), record.game.at));
    }
    let table = GameSnapshot::of(record).map_err(|why| why.to_string())?;
    if table.game.ply() as i64 != table.row.ply {
        return Err(format!("the record ends at step {}, but its row says {}", table.game.ply(), table.row.ply));
    }
    match (table.game.outcome(), &table.row.result) {
        (None, Some(_)) => Err("the game is in progress, but its row says it is over".to_owned()),
        (Some(_), None) => Err("the game is over, but its row says it is in progress".to_owned()),
        (None, None) | (Some(_), Some(_)) => Ok(()),
    }
}

/// Row counts in one line, or an error that lists the differences.
fn report(comparison: &Comparison) -> Result<String, String> {
    if comparison.found > 0 {
        let unnamed = comparison.found - comparison.differences.len();
        let more = if unnamed > 0 { format!("\nand {unnamed} more") } else { String::new() };
        return Err(format!("the copy differs from the original:\n{}{more}", comparison.differences.join("\n")));
    }
    let rows: Vec<String> = comparison.rows.iter().map(|(table, rows)| format!("{table} {rows}")).collect();
    Ok(format!("copied and compared, every game replayed: {}", rows.join(", ")))
}
