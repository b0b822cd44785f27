//! Where the record lives, and how each of the two databases is opened. Must not know what is in it.

use super::error::{self, StoreError};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use sqlx::any::AnyPoolOptions;
use sqlx::{AnyConnection, AnyPool, Connection, Executor, query_scalar};
use std::path::Path;
use std::time::Duration;

/// The characters of a path that are escaped when it becomes an address.
const IN_PATH: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// A pooled connection that has rested for longer is asked whether it still lives.
const RESTED: Duration = Duration::from_secs(1);

/// Which database, and at which address.
pub(super) enum Location {
    Sqlite { url: String, path: String },
    Postgres { url: String },
}

impl Location {
    /// `postgres://…` is PostgreSQL; `sqlite:PATH` and anything without a scheme is a file, whose folder is made.
    pub(super) fn parse(at: &str) -> Result<Location, StoreError> {
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
    pub(super) fn exists(at: &str) -> Result<(), StoreError> {
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
    pub(super) fn name(&self) -> String {
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
    pub(super) fn url(&self) -> &str {
        match self {
            Location::Sqlite { url, .. } | Location::Postgres { url } => url,
        }
    }

    /// Connections that cannot write.
    pub(super) async fn read_only(&self) -> Result<AnyPool, StoreError> {
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
    pub(super) async fn first(&self) -> Result<AnyConnection, StoreError> {
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
    pub(super) async fn writers(&self, connections: u32) -> Result<AnyPool, StoreError> {
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
    pub(super) async fn readers(&self, writers: &AnyPool, connections: u32) -> Result<AnyPool, StoreError> {
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
