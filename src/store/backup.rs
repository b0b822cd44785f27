//! A copy of an embedded record as it stands at one moment, taken while others write. Must not know what is in it.

use super::location::{self, Location};
use super::{StoreError, extent};
use rustix::fs::{CWD, RenameFlags, renameat_with};
use sqlx::{AnyConnection, Connection, query, query_scalar};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// The copy before it is whole, removed unless it gets its name.
struct Unfinished(PathBuf);

impl Drop for Unfinished {
    fn drop(&mut self) {
        // It has another name by now, or nobody can remove it.
        let _ = fs::remove_file(&self.0);
    }
}

/// Copies the record at `at`, which is an SQLite file, to the file `to`. Everything is in it that was acknowledged before this was
/// called. The copy has its name only when it is whole and on the disk; it is for nobody else on the machine, and takes nobody's place.
/// The record is not brought up to date: an older one stays an older one. Returns the bytes of the copy.
///
/// # Errors
/// `Remote` for PostgreSQL, `Unreachable` if there is no record or the copy cannot be made, `Full`, `Corrupt`.
pub async fn backup(at: &str, to: &Path) -> Result<u64, StoreError> {
    Location::exists(at)?;
    let place = Location::parse(at)?;
    let Some(file) = extent::file_of(&place) else { return Err(StoreError::Remote { place: place.name() }) };
    let cannot = |why: &str| StoreError::Unreachable { place: to.display().to_string(), why: why.to_owned() };
    let lacks = |error: io::Error| match error.kind() {
        io::ErrorKind::AlreadyExists => cannot("it is there already, and a backup takes nothing's place"),
        io::ErrorKind::StorageFull => StoreError::Full(error.to_string()),
        _ => cannot(&error.to_string()),
    };
    if to.symlink_metadata().is_ok() {
        return Err(lacks(io::ErrorKind::AlreadyExists.into()));
    }
    let Some(name) = to.file_name() else { return Err(cannot("this is not the path of a file")) };
    let mut part = name.to_owned();
    part.push(format!(".{}.part", std::process::id()));
    let folder = to.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let folder = folder.canonicalize().map_err(lacks)?;
    let part = Unfinished(folder.join(part));
    new_private_file(&part.0).map_err(lacks)?;

    copy(&file, &part.0).await.map_err(|error| match StoreError::opening(&place.name(), error) {
        StoreError::Database(why) => cannot(&why.to_string()),
        named => named,
    })?;
    let copied = File::open(&part.0).map_err(lacks)?;
    copied.sync_all().map_err(lacks)?;
    let bytes = copied.metadata().map_err(lacks)?.len();
    rename_new(&part.0, to).map_err(lacks)?;
    File::open(&folder).and_then(|folder| folder.sync_all()).map_err(lacks)?;
    Ok(bytes)
}

/// Copies, and reads the copy through.
async fn copy(file: &Path, part: &Path) -> Result<(), sqlx::Error> {
    sqlx::any::install_default_drivers();
    let name = |path: &Path| path.to_str().map(str::to_owned).ok_or(sqlx::Error::Protocol("no UTF-8 in a path".into()));
    let (file, part) = (name(file)?, name(part)?);
    let mut db = AnyConnection::connect(&location::url_of(&file, "rw")).await?;
    query("VACUUM INTO $1").bind(&part).execute(&mut db).await?;
    db.close().await?;
    let mut db = AnyConnection::connect(&location::url_of(&part, "ro")).await?;
    let sound: String = query_scalar("PRAGMA integrity_check(1)").fetch_one(&mut db).await?;
    db.close().await?;
    if sound == "ok" { Ok(()) } else { Err(sqlx::Error::Protocol(sound)) }
}

/// Makes a file that nobody else on the machine can read, unless there is one of this name.
fn new_private_file(path: &Path) -> io::Result<()> {
    let mut file = fs::OpenOptions::new();
    file.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut file, 0o600);
    file.open(path).map(|_| ())
}

/// Gives a file another name in its folder, unless there is a file of that name. A file system that cannot do so gives it both.
fn rename_new(from: &Path, to: &Path) -> io::Result<()> {
    match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
        Err(rustix::io::Errno::INVAL) => fs::hard_link(from, to),
        done => Ok(done?),
    }
}
