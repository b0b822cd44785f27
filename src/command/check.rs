//! `check`: looks for damage in a whole database.

use super::{Replay, bar_of};
use crate::store::Store;

/// The ids of games that are read at once.
const BATCH: u32 = 500;

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
