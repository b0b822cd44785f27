//! Copies a site from one database to another in batches and compares the two. A repeated copy continues an interrupted
//! one. The source is only read.

use super::{
    GameRecord, StoreError,
    connect::{self, Location},
    read_queries,
    tables::{COPIED, Layout, REMATCH, StoredValue, places},
};
use futures_util::{FutureExt, TryStreamExt, future::BoxFuture};
use sqlx::{AnyConnection, AnyPool, AssertSqlSafe, Connection, Row as _, query};
use std::collections::HashMap;

/// Games per transaction.
pub(super) const GAMES: usize = 100;
/// Rows per statement, and in memory.
const ROWS: usize = 200;

/// Maximum number of differences with a description. Further ones are only counted.
const NAMED: usize = 50;

/// Reason why a site cannot be copied.
#[derive(Debug, Clone, thiserror::Error)]
pub enum CopyError {
    /// Error of either database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Source and destination are the same database.
    #[error("source and destination are the same database, {0}: name two databases")]
    Same(String),
    /// The source has an older schema, and a copy must not migrate it.
    #[error(
        "{place} has schema {found} and this program has {known}: start the server of this release there once, stop it, and copy again"
    )]
    Older {
        /// The source.
        place: String,
        /// Its newest migration.
        found: i64,
        /// The newest migration of this program.
        known: i64,
    },
    /// The destination contains more than an interrupted copy of the source.
    #[error("{place} is in use ({why}): nothing was written; copy into an empty database")]
    Used {
        /// The destination.
        place: String,
        /// The difference.
        why: String,
    },
}

impl From<sqlx::Error> for CopyError {
    fn from(error: sqlx::Error) -> CopyError {
        CopyError::Store(error.into())
    }
}

/// A copy in progress.
pub struct SiteCopy {
    pub(super) from: AnyPool,
    pub(super) to: AnyPool,
    layouts: Vec<Layout>,
    /// Last heartbeat in the source when the copy began.
    pub(super) alive: i64,
}

impl SiteCopy {
    /// Opens the source for reading and the destination for writing. Creates a missing destination.
    ///
    /// # Errors
    /// `Older`, `Used`, `Same`, or an error from opening either database.
    pub fn open<'c>(from: &'c str, to: &'c str) -> BoxFuture<'c, Result<SiteCopy, CopyError>> {
        async move {
            Location::exists(from)?;
            let (source, destination) = (Location::parse(from)?, Location::parse(to)?);
            if source.url() == destination.url() {
                return Err(CopyError::Same(source.name()));
            }
            let from = source.read_only().await?;
            let (found, known) = connect::migrations(&source, &mut *from.acquire().await?).await?;
            if found < known {
                return Err(CopyError::Older { place: source.name(), found, known });
            }
            let mut first = destination.connect_once().await?;
            match connect::migrations(&destination, &mut first).await {
                Ok((found, known)) if found < known => {
                    let why = format!("it was made by an older release, with schema {found}");
                    return Err(CopyError::Used { place: destination.name(), why });
                }
                // An empty database has no list of migrations. `migrate` below refuses a foreign one.
                Ok(_) | Err(StoreError::Foreign { .. }) => {}
                Err(other) => return Err(other.into()),
            }
            first.close().await?;
            connect::migrate(&destination).await?;
            let to = destination.writers(2).await?;
            if let Some(why) = used(&from, &to).await? {
                return Err(CopyError::Used { place: destination.name(), why });
            }
            let mut layouts = Vec::with_capacity(COPIED.len());
            for table in COPIED {
                layouts.push(Layout::read(&to, table).await?);
            }
            let alive = read_queries::alive(&from).await?;
            Ok(SiteCopy { from, to, layouts, alive })
        }
        .boxed()
    }

    /// Number of games in the source.
    ///
    /// # Errors
    /// A database error.
    pub async fn games(&self) -> Result<u64, CopyError> {
        Ok(count(&self.from, "game").await?)
    }

    /// Writes all rows into the destination. Reports the number of copied games after each transaction.
    ///
    /// # Errors
    /// An error of either database. Completed transactions remain, and the same copy may be started again.
    pub fn write<'c>(&'c self, copied: &'c mut (dyn FnMut(u64) + Send)) -> BoxFuture<'c, Result<(), CopyError>> {
        async move {
            let mut last = String::new();
            let mut done = 0;
            loop {
                let games = page(&self.from, &last).await?;
                let Some(end) = games.last() else { break };
                last.clone_from(end);
                let mut open = self.to.begin().await?;
                for layout in self.layouts.iter().filter(|layout| layout.table.of_game) {
                    self.write_table(&mut open, layout, &games).await?;
                }
                open.commit().await?;
                done += games.len() as u64;
                copied(done);
            }
            self.link_rematches().await?;
            for layout in self.layouts.iter().filter(|layout| !layout.table.of_game) {
                let mut open = self.to.begin().await?;
                self.write_table(&mut open, layout, &[]).await?;
                open.commit().await?;
            }
            // Copies the heartbeat, so that the time between the two servers counts on no player's clock.
            query("UPDATE probe SET time = $1").bind(self.alive).execute(&self.to).await?;
            Ok(())
        }
        .boxed()
    }

    /// Writes the rows of `games`, or all rows of a table without games.
    async fn write_table(&self, to: &mut AnyConnection, layout: &Layout, games: &[String]) -> Result<(), CopyError> {
        let mut rows: Vec<Vec<StoredValue>> = Vec::with_capacity(ROWS);
        let select =
            games.iter().fold(query(AssertSqlSafe(layout.select(games.len()))), |select, game| select.bind(game));
        let mut found = select.persistent(false).fetch(&self.from);
        while let Some(row) = found.try_next().await? {
            rows.push(layout.cells(&row)?);
            if rows.len() == ROWS {
                layout.write(to, &rows).await?;
                rows.clear();
            }
        }
        Ok(layout.write(to, &rows).await?)
    }

    /// Links rematches once all games exist.
    async fn link_rematches(&self) -> Result<(), CopyError> {
        let select =
            format!("SELECT id, {REMATCH} FROM game WHERE {REMATCH} IS NOT NULL AND id > $1 ORDER BY id LIMIT {ROWS}");
        let update = format!("UPDATE game SET {REMATCH} = $2 WHERE id = $1 AND {REMATCH} IS NULL");
        let mut last = String::new();
        loop {
            let links = query(AssertSqlSafe(select.clone())).bind(&last).fetch_all(&self.from).await?;
            let Some(end) = links.last() else { return Ok(()) };
            last = end.try_get(0)?;
            let mut open = self.to.begin().await?;
            for link in &links {
                let (game, of): (String, String) = (link.try_get(0)?, link.try_get(1)?);
                query(AssertSqlSafe(update.clone())).bind(game).bind(of).execute(&mut *open).await?;
            }
            open.commit().await?;
        }
    }

    /// Closes both databases.
    pub async fn close(&self) {
        self.from.close().await;
        self.to.close().await;
    }
}

/// Returns why a destination contains more than an interrupted copy of the source, if it does.
async fn used(from: &AnyPool, to: &AnyPool) -> Result<Option<String>, StoreError> {
    if read_queries::alive(to).await? > read_queries::alive(from).await? {
        return Ok(Some("a server has run on it more recently than on the source".to_owned()));
    }
    let mut last = String::new();
    loop {
        let games = page(to, &last).await?;
        let Some(end) = games.last() else { return Ok(None) };
        last.clone_from(end);
        let (own, others) = (versions(to, &games).await?, versions(from, &games).await?);
        for game in &games {
            match others.get(game) {
                None => return Ok(Some(format!("it has the game {game}, which the source lacks"))),
                Some(version) if own.get(game) > Some(version) => {
                    return Ok(Some(format!("its game {game} has a later version than in the source")));
                }
                Some(_) => {}
            }
        }
    }
}

/// Returns the ids of the next games, in the order of the database.
pub(super) async fn page(pool: &AnyPool, after: &str) -> Result<Vec<String>, StoreError> {
    let games = format!("SELECT id FROM game WHERE id > $1 ORDER BY id LIMIT {GAMES}");
    let games = query(AssertSqlSafe(games)).bind(after).fetch_all(pool).await?;
    Ok(games.iter().map(|row| row.try_get(0)).collect::<Result<_, _>>()?)
}

/// Returns the versions of those of the games that exist.
pub(super) async fn versions(pool: &AnyPool, games: &[String]) -> Result<HashMap<String, i64>, StoreError> {
    let select = format!("SELECT id, version FROM game WHERE id IN ({})", places(1, games.len()));
    let select = games.iter().fold(query(AssertSqlSafe(select)), |select, game| select.bind(game));
    let rows = select.persistent(false).fetch_all(pool).await?;
    Ok(rows.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).collect::<Result<_, sqlx::Error>>()?)
}

/// Number of rows in a table.
pub(super) async fn count(pool: &AnyPool, table: &str) -> Result<u64, StoreError> {
    let count = query(AssertSqlSafe(format!("SELECT COUNT(*) FROM {table}"))).fetch_one(pool).await?;
    Ok(count.try_get::<i64, _>(0)?.unsigned_abs())
}

/// Outcome of a comparison.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Comparison {
    /// Each table with its number of rows in the destination.
    pub rows: Vec<(&'static str, u64)>,
    /// Descriptions of the first differences, each with its game or table.
    pub differences: Vec<String>,
    /// Total number of differences.
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

/// Digests by game id. A whole table has the empty id. The order of rows does not matter.
type Digests = HashMap<String, [u8; 32]>;

impl SiteCopy {
    /// Compares both databases after [`SiteCopy::write`]. `replay` checks a record of the destination; `checked`
    /// receives the number of compared games.
    ///
    /// # Errors
    /// An error of either database.
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
                    // A missing game is reported by the comparison of rows.
                    let record = read_queries::load(&self.to, game).await?;
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

    /// Compares the rows of some games.
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

    /// Compares the tables without games, and the number of rows of all tables.
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

    /// Finds changes that a server has made to the source since the copy.
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
        if read_queries::alive(&self.from).await? != self.alive {
            comparison.add("site: a server runs on the source; stop it, and copy again".to_owned());
        }
        Ok(())
    }
}

/// Digests the rows of each of some games, or all rows of a table without games.
async fn digests(pool: &AnyPool, layout: &Layout, games: &[String]) -> Result<Digests, StoreError> {
    let mut digests = Digests::new();
    let select = games.iter().fold(query(AssertSqlSafe(layout.select(games.len()))), |select, game| select.bind(game));
    let mut found = select.persistent(false).fetch(pool);
    while let Some(row) = found.try_next().await? {
        let cells = layout.cells(&row)?;
        let digest = digests.entry(layout.game(&cells)).or_default();
        // Every row has a key, so no two equal rows cancel each other.
        digest.iter_mut().zip(layout.digest(&cells)).for_each(|(sum, byte)| *sum ^= byte);
    }
    Ok(digests)
}
