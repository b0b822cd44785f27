//! The check of a copy. It compares every row of both databases, hands out every record for a replay, and finds changes of the source
//! since the copy began.

use super::copy::{CopyError, SiteCopy, count, page, versions};
use super::tables::{COPIED, Layout};
use super::{GameRecord, StoreError, reader};
use futures_util::{FutureExt, TryStreamExt, future::BoxFuture};
use sqlx::{AnyPool, AssertSqlSafe, query};
use std::collections::HashMap;

/// Differences that are kept in words; more are only counted.
const NAMED: usize = 50;

/// What a comparison has found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Comparison {
    /// The tables, and their rows in the destination.
    pub rows: Vec<(&'static str, u64)>,
    /// The first differences, each with its game or table.
    pub differences: Vec<String>,
    /// The number of all differences.
    pub found: usize,
}

impl Comparison {
    fn add(&mut self, difference: String) {
        self.found += 1;
        if self.differences.len() < NAMED {
            self.differences.push(difference);
        }
    }
}

/// The digests of games, or of a whole table under no name: rows may come in any order.
type Digests = HashMap<String, [u8; 32]>;

impl SiteCopy {
    /// Compares both databases after [`SiteCopy::write`]. `replay` checks one record of the destination; `checked`
    /// gets the number of compared games.
    ///
    /// # Errors
    /// What either database says.
    pub fn compare<'c>(
        &'c self,
        replay: &'c mut (dyn FnMut(GameRecord) -> Result<(), String> + Send),
        checked: &'c mut (dyn FnMut(u64) + Send),
    ) -> BoxFuture<'c, Result<Comparison, CopyError>> {
        async move {
            let mut comparison = Comparison::default();
            let mut last = String::new();
            let mut done = 0;
            loop {
                let games = page(&self.from, &last).await?;
                let Some(end) = games.last() else { break };
                last.clone_from(end);
                self.compare_rows(&games, &mut comparison).await?;
                for game in &games {
                    // A game that is missing is found by its rows.
                    let record = reader::load(&self.to, game).await?;
                    if let Some(Err(why)) = record.map(&mut *replay) {
                        comparison.add(format!("game {game}: its record does not replay: {why}"));
                    }
                    done += 1;
                    checked(done);
                }
            }
            self.compare_site(&mut comparison).await?;
            self.compare_versions(&mut comparison).await?;
            Ok(comparison)
        }
        .boxed()
    }

    /// Compares the rows that belong to some games.
    async fn compare_rows(&self, games: &[String], comparison: &mut Comparison) -> Result<(), StoreError> {
        let mut differing: Vec<Vec<&str>> = vec![Vec::new(); games.len()];
        for layout in self.layouts.iter().filter(|layout| layout.table.of_game) {
            let (old, new) = (digests(&self.from, layout, games).await?, digests(&self.to, layout, games).await?);
            for (_, tables) in games.iter().zip(&mut differing).filter(|(game, _)| old.get(*game) != new.get(*game)) {
                tables.push(layout.table.name);
            }
        }
        for (game, tables) in games.iter().zip(differing).filter(|(_, tables)| !tables.is_empty()) {
            comparison.add(format!("game {game}: rows differ in {}", tables.join(", ")));
        }
        Ok(())
    }

    /// Compares the tables that belong to no game, and the number of rows of all.
    async fn compare_site(&self, comparison: &mut Comparison) -> Result<(), StoreError> {
        for layout in self.layouts.iter().filter(|layout| !layout.table.of_game) {
            if digests(&self.from, layout, &[]).await? != digests(&self.to, layout, &[]).await? {
                comparison.add(format!("site: rows differ in {}", layout.table.name));
            }
        }
        for table in COPIED {
            let (old, new) = (count(&self.from, table.name).await?, count(&self.to, table.name).await?);
            if old != new {
                comparison
                    .add(format!("site: {} has {old} rows in the source and {new} in the destination", table.name));
            }
            comparison.rows.push((table.name, new));
        }
        Ok(())
    }

    /// Finds what a server has written to the source since the copy.
    async fn compare_versions(&self, comparison: &mut Comparison) -> Result<(), StoreError> {
        let mut last = String::new();
        loop {
            let games = page(&self.from, &last).await?;
            let Some(end) = games.last() else { break };
            last.clone_from(end);
            let (old, new) = (versions(&self.from, &games).await?, versions(&self.to, &games).await?);
            for game in games.iter().filter(|game| old.get(*game) != new.get(*game)) {
                comparison.add(format!("game {game}: its version has changed in the source since it was copied"));
            }
        }
        if reader::alive(&self.from).await? != self.alive {
            comparison.add("site: a server runs on the source; stop it, and copy again".to_owned());
        }
        Ok(())
    }
}

/// The digest of the rows of each of some games; of a table that belongs to none, that of all its rows.
async fn digests(pool: &AnyPool, layout: &Layout, games: &[String]) -> Result<Digests, StoreError> {
    let mut digests = Digests::new();
    let select = games.iter().fold(query(AssertSqlSafe(layout.select(games.len()))), |select, game| select.bind(game));
    let mut found = select.persistent(false).fetch(pool);
    while let Some(row) = found.try_next().await? {
        let cells = layout.cells(&row)?;
        let digest = digests.entry(layout.game(&cells)).or_default();
        // Rows have keys, so none stands there twice and cancels itself.
        digest.iter_mut().zip(layout.digest(&cells)).for_each(|(sum, byte)| *sum ^= byte);
    }
    Ok(digests)
}
