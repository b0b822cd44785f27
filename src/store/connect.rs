//! Where the record is, and how each database is opened, migrated and locked.

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

/// The characters of a path that are escaped when it becomes an address.
const IN_PATH: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// A pooled connection that has rested for longer is asked whether it still lives.
const RESTED: Duration = Duration::from_secs(1);

/// The steps to the schema of today, the first one first; none may change once it has been taken somewhere.
const STEPS: [(&str, &str); 13] = [
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
];

static MIGRATIONS: LazyLock<Migrator> = LazyLock::new(|| {
    let step = |((name, sql), version): (&(&'static str, &'static str), i64)| {
        Migration::new(version, (*name).into(), MigrationType::Simple, sql.into_sql_str(), false)
    };
    Migrator::with_migrations(STEPS.iter().zip(1..).map(step).collect())
});

/// The most bytes that are read of a holder's words.
const LONGEST: u64 = 200;

/// Which database, and at which address.
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
    /// `postgres://…` is PostgreSQL; `sqlite:PATH` and anything without a scheme is a file, whose folder is made.
    pub fn parse(at: &str) -> Result<Location, StoreError> {
        if at.starts_with("postgres://") || at.starts_with("postgresql://") {
            return Ok(Location::Postgres { url: at.to_owned() });
        }
        let path = at.strip_prefix("sqlite://").or_else(|| at.strip_prefix("sqlite:")).unwrap_or(at);
        let cannot = |why: &str| StoreError::Unreachable { place: format!("{at:?}"), why: why.to_owned() };
        if path.contains("://") {
            let why = "an address begins with postgres://; anything else is the path of an SQLite file";
            // The address may hold a password.
            return Err(StoreError::Unreachable { place: "the database".to_owned(), why: why.to_owned() });
        }
        let file = Path::new(path);
        let (Some(name), Some(folder)) = (file.file_name(), file.parent()) else {
            return Err(cannot("this is not the path of a file"));
        };
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        // What is sealed stands in it: a folder and a file that are made here are for nobody else on the machine.
        private_folder(folder).map_err(|error| cannot(&error.to_string()))?;
        let folder = folder.canonicalize().map_err(|error| cannot(&error.to_string()))?;
        let Some(path) = folder.join(name).to_str().map(str::to_owned) else {
            return Err(cannot("the path is not UTF-8"));
        };
        let url = url_of(&path, "rwc");
        Ok(Location::Sqlite { url, path })
    }

    /// Refuses the path of a file that is not there. Whether a server is there, opening it tells.
    pub fn exists(at: &str) -> Result<(), StoreError> {
        if at.contains("://") && !at.starts_with("sqlite:") {
            return Ok(());
        }
        let path = at.strip_prefix("sqlite://").or_else(|| at.strip_prefix("sqlite:")).unwrap_or(at);
        match Path::new(path).is_file() {
            true => Ok(()),
            false => {
                let why = "there is no record here: check the path for a slip".to_owned();
                Err(StoreError::Unreachable { place: path.to_owned(), why })
            }
        }
    }

    /// For messages: the file, or the server without its password.
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

    /// The driver's address.
    pub fn url(&self) -> &str {
        match self {
            Location::Sqlite { url, .. } | Location::Postgres { url } => url,
        }
    }

    /// Connections that cannot write.
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

    /// A connection without a pool, which would try again and again until its time is up and then not say why.
    pub async fn first(&self) -> Result<AnyConnection, StoreError> {
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

    /// The connections that write. SQLite has one: its writers would only wait for each other.
    pub async fn writers(&self, connections: u32) -> Result<AnyPool, StoreError> {
        match self {
            Location::Sqlite { url, .. } => {
                let pool = AnyPoolOptions::new().max_connections(1).idle_timeout(None).max_lifetime(None);
                // Nobody else takes it: what takes time is opening it anew where the disk is full.
                let pool = pool.acquire_timeout(Duration::from_millis(800));
                let pool = pool.test_before_acquire(false).after_connect(|db, _| Box::pin(prepare_writer(db)));
                self.connect(pool, url).await
            }
            Location::Postgres { url } => {
                let pool = AnyPoolOptions::new().max_connections(connections).acquire_timeout(Duration::from_secs(5));
                let pool = pool.test_before_acquire(false).before_acquire(|db, rest| {
                    Box::pin(async move { Ok(rest.idle_for < RESTED || db.ping().await.is_ok()) })
                });
                self.connect(pool, url).await
            }
        }
    }

    /// The connections that read, given those that write: PostgreSQL's do both.
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

    /// The file of an embedded database.
    pub fn file(&self) -> Option<PathBuf> {
        match self {
            Location::Sqlite { path, .. } => Some(PathBuf::from(path)),
            Location::Postgres { .. } => None,
        }
    }
}

/// Makes a folder that nobody else may look into, and those above it; one that is there already stays as it is.
#[cfg(unix)]
pub(crate) fn private_folder(folder: &Path) -> std::io::Result<()> {
    std::os::unix::fs::DirBuilderExt::mode(&mut std::fs::DirBuilder::new(), 0o700).recursive(true).create(folder)
}

/// Makes a folder, and those above it; one that is there already stays as it is.
#[cfg(not(unix))]
pub(crate) fn private_folder(folder: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)
}

/// Makes the file if it is missing. SQLite gives the files beside it the same rights.
fn private_file(path: &str) -> std::io::Result<()> {
    let mut file = std::fs::OpenOptions::new();
    file.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut file, 0o600);
    file.open(path).map(|_| ())
}

/// The driver's address of an SQLite file; `mode` is `ro`, `rw`, or `rwc` where the file may be missing.
pub(super) fn url_of(path: &str, mode: &str) -> String {
    format!("sqlite://{}?mode={mode}", utf8_percent_encode(path, IN_PATH))
}

/// Write-ahead logging lets readers go on while one writes; FULL makes every commit wait for the disk.
/// (The driver turns foreign keys on and waits five seconds for a lock.)
async fn prepare_writer(db: &mut AnyConnection) -> Result<(), sqlx::Error> {
    // Changing the journal is the one thing that fails at once when another process does it too.
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

/// Applies what is missing, over the first connection. A database that is newer or of another kind is refused and not
/// touched.
pub(super) async fn migrate(place: &Location) -> Result<(), StoreError> {
    let opening = |error| StoreError::opening(&place.name(), error);
    let mut db = place.first().await?;
    match place {
        // sqlx takes an advisory lock.
        Location::Postgres { .. } => {
            MIGRATIONS.run_direct(None, &mut db, false).await.map_err(|error| refused(place, error))?
        }
        // sqlx takes no lock here: the write lock of the whole file is one.
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

/// The newest migration of a database and that of this program. Changes nothing.
///
/// `Foreign` for a database without a list of migrations or with another list, `Newer` for that of a later release.
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
            Some(_) => return Err(foreign("a migration differs")),
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

/// The file beside another one whose name has this ending.
pub(super) fn beside(file: &Path, ending: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

/// An advisory lock on the file `NAME-lock` beside an SQLite database. It ends with the process, however the process ends; the file stays.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

impl Lock {
    /// Takes the lock of the database at `at` and writes `holder` there, the words that a refused process shows. PostgreSQL, which several processes share, has none.
    ///
    /// # Errors
    /// `Held` with the words of the holder, `Unreachable` if there can be no lock file.
    pub fn take(at: &str, holder: &str) -> Result<Option<Lock>, StoreError> {
        let place = Location::parse(at)?;
        let Some(database) = place.file() else { return Ok(None) };
        // A database is one, by whichever link it is opened.
        let database = database.canonicalize().unwrap_or(database);
        let path = beside(&database, "-lock");
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
                // On a full disk the lock holds without these words.
                let _ = file.set_len(0).and_then(|()| writeln!(file, "{holder}"));
                Ok(Some(Lock { _file: file }))
            }
            Err(TryLockError::WouldBlock) => {
                let mut words = Vec::new();
                file.take(LONGEST).read_to_end(&mut words).map_err(cannot)?;
                let holder = String::from_utf8_lossy(&words).trim().to_owned();
                Err(StoreError::Held { place: place.name(), holder })
            }
            Err(TryLockError::Error(why)) => Err(cannot(why)),
        }
    }
}
