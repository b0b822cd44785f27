//! Database addresses, and how each kind of database is opened, migrated and locked.

use super::error::{self, StoreError};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use sqlx::{
    AnyConnection, AnyPool, Connection, Executor, Row, SqlSafeStr,
    any::AnyPoolOptions,
    migrate::{MigrateError, Migration, MigrationType, Migrator},
    query, query_scalar,
};
use std::{
    fs::{File, OpenOptions, TryLockError},
    io::{Read, Write},
    path::{Path, PathBuf},
    sync::LazyLock,
    time::Duration,
};

/// Characters of a path that need escaping in a URL.
const IN_PATH: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// Idle time after which a pooled connection is pinged before use.
const PING_AFTER: Duration = Duration::from_secs(1);

/// Migrations in order. A released migration must never change.
const STEPS: [(&str, &str); 18] = [
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
    ("rules version", include_str!("../../migrations/0013_rules_version.sql")),
    ("seek", include_str!("../../migrations/0014_seek.sql")),
    ("seat lists", include_str!("../../migrations/0015_seat_lists.sql")),
    ("conditional moves", include_str!("../../migrations/0016_conditional_moves.sql")),
    ("challenges", include_str!("../../migrations/0017_challenges.sql")),
    ("exports", include_str!("../../migrations/0018_exports.sql")),
];

static MIGRATIONS: LazyLock<Migrator> = LazyLock::new(|| {
    let step = |((name, sql), version): (&(&'static str, &'static str), i64)| {
        Migration::new(version, (*name).into(), MigrationType::Simple, sql.into_sql_str(), false)
    };
    Migrator::with_migrations(STEPS.iter().zip(1..).map(step).collect())
});

/// Maximum length of a lock holder's description, in bytes.
const MAX_HOLDER_LENGTH: u64 = 200;

/// Kind and address of a database.
pub enum Location {
    /// An SQLite file.
    Sqlite {
        /// URL for sqlx.
        url: String,
        /// Path of the file.
        path: String,
    },
    /// A PostgreSQL database.
    Postgres {
        /// URL for sqlx.
        url: String,
    },
}

impl Location {
    /// Parses `postgres://…`, `sqlite:PATH` or a plain path. Creates the folder of an SQLite file.
    pub fn parse(at: &str) -> Result<Location, StoreError> {
        if at.starts_with("postgres://") || at.starts_with("postgresql://") {
            return Ok(Location::Postgres { url: at.to_owned() });
        }
        let path = at.strip_prefix("sqlite://").or_else(|| at.strip_prefix("sqlite:")).unwrap_or(at);
        let cannot = |why: &str| StoreError::Unreachable { place: format!("{at:?}"), why: why.to_owned() };
        if path.contains("://") {
            let why = "its address must begin with postgres:// or be the path of an SQLite file";
            // The address is not shown because it may contain a password.
            return Err(StoreError::Unreachable { place: "the database".to_owned(), why: why.to_owned() });
        }
        let file = Path::new(path);
        let (Some(name), Some(folder)) = (file.file_name(), file.parent()) else {
            return Err(cannot("this is not a file path"));
        };
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        // The database holds sealed bids and designs, so only this user may read new folders and files.
        private_folder(folder).map_err(|error| cannot(&error.to_string()))?;
        let folder = folder.canonicalize().map_err(|error| cannot(&error.to_string()))?;
        let Some(path) = folder.join(name).to_str().map(str::to_owned) else {
            return Err(cannot("the path is not UTF-8"));
        };
        let url = url_of(&path, "rwc");
        Ok(Location::Sqlite { url, path })
    }

    /// Fails if the SQLite file does not exist. A PostgreSQL server is checked when it is opened.
    pub fn exists(at: &str) -> Result<(), StoreError> {
        if at.contains("://") && !at.starts_with("sqlite:") {
            return Ok(());
        }
        let path = at.strip_prefix("sqlite://").or_else(|| at.strip_prefix("sqlite:")).unwrap_or(at);
        match Path::new(path).is_file() {
            true => Ok(()),
            false => {
                let why = "the file does not exist; check the path".to_owned();
                Err(StoreError::Unreachable { place: path.to_owned(), why })
            }
        }
    }

    /// Name for messages: the file, or the server address without its password.
    pub fn name(&self) -> String {
        match self {
            Location::Sqlite { path, .. } => path.clone(),
            Location::Postgres { url } => {
                let rest = url.split_once("://").map_or("", |(_, rest)| rest);
                let host = rest.rsplit_once('@').map_or(rest, |(_, host)| host);
                format!("postgres://{}", host.split('?').next().unwrap_or(host))
            }
        }
    }

    /// Connection URL for the driver.
    pub fn url(&self) -> &str {
        match self {
            Location::Sqlite { url, .. } | Location::Postgres { url } => url,
        }
    }

    /// Opens connections that cannot write.
    pub async fn read_only(&self) -> Result<AnyPool, StoreError> {
        sqlx::any::install_default_drivers();
        let pool = AnyPoolOptions::new().max_connections(2).acquire_timeout(Duration::from_secs(5));
        match self {
            Location::Sqlite { path, .. } => self.connect(pool, &url_of(path, "ro")).await,
            Location::Postgres { url } => {
                let pool = pool.after_connect(|db, _| {
                    Box::pin(async move { db.execute("SET default_transaction_read_only = on").await.map(|_| ()) })
                });
                self.connect(pool, url).await
            }
        }
    }

    /// Opens a single connection without a pool. A pool would retry until its timeout and hide the cause.
    pub async fn connect_once(&self) -> Result<AnyConnection, StoreError> {
        sqlx::any::install_default_drivers();
        let opening = |error| StoreError::opening(&self.name(), error);
        match self {
            Location::Sqlite { url, path } => {
                private_file(path).map_err(|error| opening(error.into()))?;
                let mut db = AnyConnection::connect(url).await.map_err(opening)?;
                prepare_writer(&mut db).await.map_err(opening)?;
                Ok(db)
            }
            Location::Postgres { url } => AnyConnection::connect(url).await.map_err(opening),
        }
    }

    /// Opens the connections that write. SQLite needs only one, because its writers would wait for each other.
    pub async fn writers(&self, connections: u32) -> Result<AnyPool, StoreError> {
        match self {
            Location::Sqlite { url, .. } => {
                let pool = AnyPoolOptions::new().max_connections(1).idle_timeout(None).max_lifetime(None);
                // The writer task alone uses it. The timeout covers reopening on a full disk.
                let pool = pool.acquire_timeout(Duration::from_millis(800));
                let pool = pool.test_before_acquire(false).after_connect(|db, _| Box::pin(prepare_writer(db)));
                self.connect(pool, url).await
            }
            Location::Postgres { url } => {
                let pool = AnyPoolOptions::new().max_connections(connections).acquire_timeout(Duration::from_secs(5));
                let pool = pool.test_before_acquire(false).before_acquire(|db, rest| {
                    Box::pin(async move { Ok(rest.idle_for < PING_AFTER || db.ping().await.is_ok()) })
                });
                self.connect(pool, url).await
            }
        }
    }

    /// Opens the connections that read. On PostgreSQL the writers' pool serves both purposes.
    pub async fn readers(&self, writers: &AnyPool, connections: u32) -> Result<AnyPool, StoreError> {
        match self {
            Location::Sqlite { url, .. } => {
                let pool = AnyPoolOptions::new().max_connections(connections).idle_timeout(None).max_lifetime(None);
                let pool = pool.acquire_timeout(Duration::from_secs(5)).test_before_acquire(false);
                let pool = pool.after_connect(|db, _| {
                    Box::pin(async move { db.execute("PRAGMA query_only = ON").await.map(|_| ()) })
                });
                self.connect(pool, url).await
            }
            Location::Postgres { .. } => Ok(writers.clone()),
        }
    }

    async fn connect(&self, pool: AnyPoolOptions, url: &str) -> Result<AnyPool, StoreError> {
        pool.connect(url).await.map_err(|error| StoreError::opening(&self.name(), error))
    }

    /// The SQLite file.
    pub fn file(&self) -> Option<PathBuf> {
        match self {
            Location::Sqlite { path, .. } => Some(PathBuf::from(path)),
            Location::Postgres { .. } => None,
        }
    }
}

/// Creates a folder and its parents, readable by this user only. Leaves existing folders as they are.
#[cfg(unix)]
pub(crate) fn private_folder(folder: &Path) -> std::io::Result<()> {
    std::os::unix::fs::DirBuilderExt::mode(&mut std::fs::DirBuilder::new(), 0o700).recursive(true).create(folder)
}

/// Creates a folder and its parents. Leaves existing folders as they are.
#[cfg(not(unix))]
pub(crate) fn private_folder(folder: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)
}

/// Creates a missing file, readable by this user only. SQLite gives its WAL and shared-memory files the same
/// permissions.
fn private_file(path: &str) -> std::io::Result<()> {
    let mut file = std::fs::OpenOptions::new();
    file.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut file, 0o600);
    file.open(path).map(|_| ())
}

/// Builds the driver's URL of an SQLite file. `mode` is `ro`, `rw`, or `rwc` to create a missing file.
pub(super) fn url_of(path: &str, mode: &str) -> String {
    format!("sqlite://{}?mode={mode}", utf8_percent_encode(path, IN_PATH))
}

/// Enables write-ahead logging, so that readers continue during a write, and `synchronous = FULL`, so that every commit
/// waits for the disk. The driver turns foreign keys on and waits five seconds for a lock.
async fn prepare_writer(db: &mut AnyConnection) -> Result<(), sqlx::Error> {
    // Switching the journal mode fails at once, without that wait, if another process does the same.
    let mut tries = 250;
    loop {
        match query_scalar::<_, String>("PRAGMA journal_mode = WAL").fetch_one(&mut *db).await {
            Ok(_) => break,
            Err(error) if tries > 0 && error::is_busy(&error) => tries -= 1,
            Err(error) => return Err(error),
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    db.execute("PRAGMA synchronous = FULL").await?;
    Ok(())
}

/// Applies missing migrations over the first connection. Leaves a newer or foreign database untouched.
pub(super) async fn migrate(place: &Location) -> Result<(), StoreError> {
    let opening = |error| StoreError::opening(&place.name(), error);
    let mut db = place.connect_once().await?;
    match place {
        // Here sqlx takes an advisory lock.
        Location::Postgres { .. } => {
            MIGRATIONS.run_direct(None, &mut db, false).await.map_err(|error| refused(place, error))?
        }
        // Here sqlx takes no lock, so this transaction holds the write lock of the whole file.
        Location::Sqlite { .. } => {
            let mut alone = db.begin_with("BEGIN IMMEDIATE").await.map_err(opening)?;
            let done = MIGRATIONS.run_direct(None, &mut *alone, false).await;
            match done {
                Ok(()) => alone.commit().await.map_err(opening)?,
                Err(error) => {
                    alone.rollback().await.map_err(opening)?;
                    return Err(refused(place, error));
                }
            }
        }
    }
    db.close().await.map_err(opening)
}

/// Returns the newest migration of a database and of this program. Changes nothing.
///
/// `Foreign` for a database without migrations or with different ones, `Newer` for a later release.
pub(super) async fn migrations(place: &Location, db: &mut AnyConnection) -> Result<(i64, i64), StoreError> {
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
            Some(_) => return Err(foreign("one of its migrations is different")),
            None => return Err(StoreError::Newer { place: place.name(), found: version, known }),
        }
    }
    Ok((found, known))
}

fn refused(place: &Location, error: MigrateError) -> StoreError {
    let known = MIGRATIONS.iter().map(|migration| migration.version).max().unwrap_or(0);
    match error {
        MigrateError::VersionMissing(found) if found > known => StoreError::Newer { place: place.name(), found, known },
        MigrateError::Execute(error) => StoreError::opening(&place.name(), error),
        other => StoreError::Foreign { place: place.name(), why: other.to_string() },
    }
}

/// Appends `ending` to a file name.
pub(super) fn with_suffix(file: &Path, ending: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

/// Advisory lock on the file `NAME-lock` next to an SQLite database. The system releases it when the process ends, even
/// after a crash; the file remains.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

impl Lock {
    /// Locks the database at `at` and writes `holder` into the lock file, for the message that a second process shows.
    /// Returns `None` for PostgreSQL, which several processes may share.
    ///
    /// # Errors
    /// `Held` with the holder's description, or `Unreachable` if the lock file cannot be used.
    pub fn take(at: &str, holder: &str) -> Result<Option<Lock>, StoreError> {
        let place = Location::parse(at)?;
        let Some(database) = place.file() else { return Ok(None) };
        // Resolves links, so that one database has one lock.
        let database = database.canonicalize().unwrap_or(database);
        let path = with_suffix(&database, "-lock");
        let cannot = |why: std::io::Error| StoreError::Unreachable {
            place: path.display().to_string(),
            why: format!("the lock file cannot be used: {why}"),
        };
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(&path).map_err(cannot)?;
        match file.try_lock() {
            Ok(()) => {
                // On a full disk the lock holds without the description.
                let _ = file.set_len(0).and_then(|()| writeln!(file, "{holder}"));
                Ok(Some(Lock { _file: file }))
            }
            Err(TryLockError::WouldBlock) => {
                let mut words = Vec::new();
                file.take(MAX_HOLDER_LENGTH).read_to_end(&mut words).map_err(cannot)?;
                let holder = String::from_utf8_lossy(&words).trim().to_owned();
                Err(StoreError::Held { place: place.name(), holder })
            }
            Err(TryLockError::Error(why)) => Err(cannot(why)),
        }
    }
}
