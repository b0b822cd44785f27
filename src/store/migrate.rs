//! Brings a database to this program's schema, whoever else is starting at the same moment.

use super::StoreError;
use super::location::Location;
use sqlx::migrate::{MigrateError, Migration, MigrationType, Migrator};
use sqlx::{AnyConnection, Connection, Row, SqlSafeStr, query};
use std::sync::LazyLock;

/// The steps to the schema of today, the first one first; none may change once it has been taken somewhere.
const STEPS: [(&str, &str); 12] = [
    ("games", include_str!("../../migrations/0001_games.sql")),
    ("running", include_str!("../../migrations/0002_running.sql")),
    ("probe", include_str!("../../migrations/0003_probe.sql")),
    ("measured", include_str!("../../migrations/0004_measured.sql")),
    ("crew", include_str!("../../migrations/0005_crew.sql")),
    ("public", include_str!("../../migrations/0006_public.sql")),
    ("touched", include_str!("../../migrations/0007_touched.sql")),
    ("review", include_str!("../../migrations/0008_review.sql")),
    ("owner", include_str!("../../migrations/0009_owner.sql")),
    ("notice", include_str!("../../migrations/0010_notice.sql")),
    ("puzzle", include_str!("../../migrations/0011_puzzle.sql")),
    ("outbox", include_str!("../../migrations/0012_outbox.sql")),
];

static MIGRATIONS: LazyLock<Migrator> = LazyLock::new(|| {
    let step = |((name, sql), version): (&(&'static str, &'static str), i64)| {
        Migration::new(version, (*name).into(), MigrationType::Simple, sql.into_sql_str(), false)
    };
    Migrator::with_migrations(STEPS.iter().zip(1..).map(step).collect())
});

/// Applies what is missing, over the first connection. A database that is newer or of another kind is refused and not
/// touched.
pub(super) async fn migrate(place: &Location) -> Result<(), StoreError> {
    let opening = |error| StoreError::opening(&place.name(), error);
    let mut db = place.first().await?;
    match place {
        // sqlx takes an advisory lock.
        Location::Postgres { .. } => {
            MIGRATIONS.run_direct(None, &mut db, false).await.map_err(|error| said(place, error))?
        }
        // sqlx takes no lock here: the write lock of the whole file is one.
        Location::Sqlite { .. } => {
            let mut alone = db.begin_with("BEGIN IMMEDIATE").await.map_err(opening)?;
            let done = MIGRATIONS.run_direct(None, &mut *alone, false).await;
            match done {
                Ok(()) => alone.commit().await.map_err(opening)?,
                Err(error) => {
                    alone.rollback().await.map_err(opening)?;
                    return Err(said(place, error));
                }
            }
        }
    }
    db.close().await.map_err(opening)
}

/// The newest migration of a database and that of this program. Changes nothing.
///
/// `Foreign` for a database without a list of migrations or with another list, `Newer` for that of a later release.
pub(super) async fn compare(place: &Location, db: &mut AnyConnection) -> Result<(i64, i64), StoreError> {
    let foreign = |why: &str| StoreError::Foreign { place: place.name(), why: why.to_owned() };
    let applied = query("SELECT version, checksum FROM _sqlx_migrations ORDER BY version").fetch_all(db).await;
    let applied = applied.map_err(|error| match StoreError::opening(&place.name(), error) {
        StoreError::Unreachable { .. } => foreign("it has no list of migrations"),
        named => named,
    })?;
    let mut found = 0;
    let known = MIGRATIONS.iter().map(|migration| migration.version).max().unwrap_or(0);
    for row in &applied {
        let (version, checksum): (i64, Vec<u8>) = (row.try_get(0)?, row.try_get(1)?);
        match MIGRATIONS.iter().find(|migration| migration.version == version) {
            Some(migration) if *migration.checksum == *checksum => found = version,
            Some(_) => return Err(foreign("a migration differs")),
            None => return Err(StoreError::Newer { place: place.name(), found: version, known }),
        }
    }
    Ok((found, known))
}

fn said(place: &Location, error: MigrateError) -> StoreError {
    let known = MIGRATIONS.iter().map(|migration| migration.version).max().unwrap_or(0);
    match error {
        MigrateError::VersionMissing(found) if found > known => StoreError::Newer { place: place.name(), found, known },
        MigrateError::Execute(error) => StoreError::opening(&place.name(), error),
        other => StoreError::Foreign { place: place.name(), why: other.to_string() },
    }
}
