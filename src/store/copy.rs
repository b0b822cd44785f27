//! A site that moves from one database to another: its rows are written in batches, and a copy that was interrupted goes on when it is
//! repeated. The source is only read.

use super::location::Location;
use super::tables::{COPIED, Layout, REMATCH, StoredValue, places};
use super::{StoreError, migrate, reader};
use futures_util::{FutureExt, TryStreamExt, future::BoxFuture};
use sqlx::{AnyConnection, AnyPool, AssertSqlSafe, Connection, Row as _, query};
use std::collections::HashMap;

/// Games whose rows are written in one transaction.
pub(super) const GAMES: usize = 100;
/// Rows in one statement, and in memory.
const ROWS: usize = 200;

/// Why a site is not copied.
#[derive(Debug, Clone, thiserror::Error)]
pub enum CopyError {
    /// A database refuses or fails.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Both are the same database.
    #[error("the site is in {0} already: name two databases")]
    Same(String),
    /// The source has an older schema, and is only read.
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
    /// The destination holds something else than an interrupted copy of the source.
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

/// A copy under way.
pub struct SiteCopy {
    pub(super) from: AnyPool,
    pub(super) to: AnyPool,
    pub(super) layouts: Vec<Layout>,
    /// The last sign of life in the source when the copy began.
    pub(super) alive: i64,
}

impl SiteCopy {
    /// Opens the source to read it, and the destination, which is made if it is missing, to write it.
    ///
    /// # Errors
    /// `Older`, `Used`, `Same`, and what opening either database says.
    pub fn open<'c>(from: &'c str, to: &'c str) -> BoxFuture<'c, Result<SiteCopy, CopyError>> {
        async move {
            Location::exists(from)?;
            let (source, destination) = (Location::parse(from)?, Location::parse(to)?);
            if source.url() == destination.url() {
                return Err(CopyError::Same(source.name()));
            }
            let from = source.read_only().await?;
            let (found, known) = migrate::compare(&source, &mut *from.acquire().await?).await?;
            if found < known {
                return Err(CopyError::Older { place: source.name(), found, known });
            }
            let mut first = destination.first().await?;
            match migrate::compare(&destination, &mut first).await {
                Ok((found, known)) if found < known => {
                    let why = format!("an older release has made it, with schema {found}");
                    return Err(CopyError::Used { place: destination.name(), why });
                }
                // An empty database has no list of migrations. The database of another program is refused below.
                Ok(_) | Err(StoreError::Foreign { .. }) => {}
                Err(other) => return Err(other.into()),
            }
            first.close().await?;
            migrate::migrate(&destination).await?;
            let to = destination.writers(2).await?;
            if let Some(why) = used(&from, &to).await? {
                return Err(CopyError::Used { place: destination.name(), why });
            }
            let mut layouts = Vec::with_capacity(COPIED.len());
            for table in COPIED {
                layouts.push(Layout::read(&to, table).await?);
            }
            let alive = reader::alive(&from).await?;
            Ok(SiteCopy { from, to, layouts, alive })
        }
        .boxed()
    }

    /// The number of games in the source.
    ///
    /// # Errors
    /// What the database says.
    pub async fn games(&self) -> Result<u64, CopyError> {
        Ok(count(&self.from, "game").await?)
    }

    /// Writes all rows into the destination, and reports the number of copied games after each transaction.
    ///
    /// # Errors
    /// What either database says. What is written stays: the same copy may be begun again.
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
            // The time between the stop of the old server and the start of the new one is on no player's clock.
            query("UPDATE probe SET time = $1").bind(self.alive).execute(&self.to).await?;
            Ok(())
        }
        .boxed()
    }

    /// Writes the rows of some games, or all rows of a table that belongs to none.
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

    /// Links the games that are rematches, now that all games are there.
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

/// Why a destination holds something else than an interrupted copy of a source, if it does.
async fn used(from: &AnyPool, to: &AnyPool) -> Result<Option<String>, StoreError> {
    if reader::alive(to).await? > reader::alive(from).await? {
        return Ok(Some("a server has run on it after the last one on the source".to_owned()));
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

/// The next games behind one, in the order of the database.
pub(super) async fn page(pool: &AnyPool, after: &str) -> Result<Vec<String>, StoreError> {
    let games = format!("SELECT id FROM game WHERE id > $1 ORDER BY id LIMIT {GAMES}");
    let games = query(AssertSqlSafe(games)).bind(after).fetch_all(pool).await?;
    Ok(games.iter().map(|row| row.try_get(0)).collect::<Result<_, _>>()?)
}

/// The versions of games, of those that are there.
pub(super) async fn versions(pool: &AnyPool, games: &[String]) -> Result<HashMap<String, i64>, StoreError> {
    let select = format!("SELECT id, version FROM game WHERE id IN ({})", places(1, games.len()));
    let select = games.iter().fold(query(AssertSqlSafe(select)), |select, game| select.bind(game));
    let rows = select.persistent(false).fetch_all(pool).await?;
    Ok(rows.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).collect::<Result<_, sqlx::Error>>()?)
}

/// The number of rows in a table.
pub(super) async fn count(pool: &AnyPool, table: &str) -> Result<u64, StoreError> {
    let count = query(AssertSqlSafe(format!("SELECT COUNT(*) FROM {table}"))).fetch_one(pool).await?;
    Ok(count.try_get::<i64, _>(0)?.unsigned_abs())
}
