//! Monthly exports: all public games that ended in a month, as compressed PGN and NDJSON. A background job makes the files of a month once,
//! after its end. A list beside them, which is written last, marks them as complete.

use super::{
    App, Error, PublicOrigin,
    cache_policy::{CachePolicy, tag},
    endgames::downloads::{Packed, Uncompressed},
    extract::Path,
    openapi::Problem,
    record_download::{json_value, pgn_text},
};
use crate::{
    play::{self, GameSnapshot, Pools},
    store::{EndedGame, GameRecord, private_folder},
};
use axum::{
    Json,
    body::{Body, Bytes},
    extract::State,
    http::{HeaderMap, HeaderValue, header},
    response::{IntoResponse, Response},
};
use base64::{Engine, engine::general_purpose::STANDARD};
use flate2::{Compression, write::GzEncoder};
use futures_util::{FutureExt, future::BoxFuture, stream};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::{
    fs::{self, File, TryLockError},
    io::{self, Read, Write},
    path::{self, PathBuf},
    sync::Arc,
    time::Duration,
};
use time::{Date, UtcDateTime};
use utoipa::ToSchema;

/// Path of the files.
const FOLDER: &str = "/api/exports/";
/// Suffix of a list.
const LIST: &str = "json";
/// Time between the end of a month and its export, in milliseconds. All of its results are stored by then.
const DELAY: i64 = 3_600_000;
/// Interval between searches for months without an export.
const INTERVAL: Duration = Duration::from_secs(3_600);
/// Number of games that one query lists.
const PAGE: u32 = 500;
/// Number of bytes of a file that are read at a time.
const PART: u64 = 1 << 18;
/// The operator can have a file made again.
const A_DAY: HeaderValue = HeaderValue::from_static("public, max-age=86400");

/// A file with all public games that ended in a month.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct ExportFile {
    /// The month in UTC.
    #[schema(example = "2026-10")]
    month: String,
    /// Number of games.
    games: u64,
    /// Name of the file.
    #[schema(example = "2026-10.pgn.gz")]
    name: String,
    /// Address of the file.
    url: String,
    /// Length in bytes.
    bytes: u64,
    /// SHA-256 of the file, in hexadecimal.
    sha256: String,
}

/// Lists the files with all public games that ended in a month, last month first.
///
/// Each month has a file in PGN and one in lines of JSON. The month in progress has none. An export appears about an hour after the end of its month, in UTC.
#[utoipa::path(
    get,
    path = "/api/exports",
    operation_id = "list_exports",
    tag = "games",
    responses((status = 200, description = "The files", body = Vec<ExportFile>))
)]
pub async fn list(State(app): State<Arc<App>>, base: PublicOrigin) -> Result<Json<Vec<ExportFile>>, Error> {
    let mut files = complete(&app).await?;
    for file in &mut files {
        file.url = base.url(&file.url);
    }
    Ok(Json(files))
}

/// Downloads all public games that ended in a month, in the order of their end.
///
/// `.pgn.gz` is gzipped PGN. `.ndjson.gz` has a line of JSON for each game, as `/api/records` returns it. Both leave out private games, pass
/// and play, games without a step, and everything after the end of a game. `Repr-Digest` is the file’s SHA-256. Public domain (CC0).
#[utoipa::path(
    get,
    path = "/api/exports/{name}",
    operation_id = "download_export",
    tag = "games",
    params(("name" = String, Path, description = "name of a file in `/api/exports`", example = "2026-10.pgn.gz")),
    responses(
        (status = 200, description = "The file", body = Packed, content_type = "application/octet-stream"),
        (status = 304, description = "The client already has this file (If-None-Match)"),
        (status = 404, description = "There is no such file", body = Problem, content_type = "application/problem+json"),
    )
)]
pub async fn file(
    State(app): State<Arc<App>>,
    Path(asked): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let unknown = || Error::unknown("There is no such file. See /api/exports for the files.");
    let mut files = complete(&app).await?.into_iter();
    let found = files.find(|file| file.name == asked).ok_or_else(unknown)?;
    let path = app.options.exports.as_ref().ok_or_else(unknown)?.join(&found.name);
    let policy = CachePolicy { tag: tag(&[&found.sha256]), control: A_DAY };
    let pools = app.play.pools().clone();
    let whole = async {
        let file = pools.lookups.run(move || File::open(path)).await?.map_err(|_| unknown())?;
        let fields = [
            (header::CONTENT_TYPE.as_str(), "application/octet-stream".to_owned()),
            (header::CONTENT_LENGTH.as_str(), found.bytes.to_string()),
            (header::CONTENT_DISPOSITION.as_str(), format!("attachment; filename=\"{}\"", found.name)),
            ("repr-digest", format!("sha-256=:{}:", STANDARD.encode(bytes_of(&found.sha256)))),
        ];
        let body = Body::from_stream(stream::try_unfold(file, move |file| part(pools.clone(), file)));
        let mut whole = (fields.map(|(field, value)| (field.to_owned(), value)), body).into_response();
        whole.extensions_mut().insert(Uncompressed);
        Ok(whole)
    };
    policy.answer(&headers, whole).await
}

/// The next bytes of a file, and the file after them; `None` at its end.
async fn part(pools: Arc<Pools>, file: File) -> io::Result<Option<(Bytes, File)>> {
    let read = move || {
        let mut bytes = Vec::new();
        (&file).take(PART).read_to_end(&mut bytes)?;
        Ok((!bytes.is_empty()).then(|| (Bytes::from(bytes), file)))
    };
    pools.lookups.run(read).await.map_err(io::Error::other)?
}

/// Bytes of a text of hexadecimal digits.
fn bytes_of(digits: &str) -> Vec<u8> {
    digits.as_bytes().chunks(2).filter_map(|pair| u8::from_str_radix(str::from_utf8(pair).ok()?, 16).ok()).collect()
}

/// The files of complete months, last month first.
async fn complete(app: &App) -> Result<Vec<ExportFile>, Error> {
    let Some(folder) = app.options.exports.clone() else { return Ok(Vec::new()) };
    app.play.pools().lookups.run(move || read_lists(&folder)).await?.map_err(Error::broken)
}

/// Reads the lists in a folder, last month first. A damaged list does not count, so its month is exported again.
fn read_lists(folder: &path::Path) -> io::Result<Vec<ExportFile>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut files: Vec<ExportFile> = Vec::new();
    for entry in entries {
        let path = entry?.path();
        if path.extension().is_some_and(|suffix| suffix == LIST) {
            files.extend(serde_json::from_slice::<Vec<ExportFile>>(&fs::read(path)?).unwrap_or_default());
        }
    }
    files.sort_by(|one, other| other.month.cmp(&one.month));
    Ok(files)
}

/// Exports the months that have ended, now and every hour, until the server stops. `keep` is the time in milliseconds after which inactive games
/// are deleted; `None` if they are kept for ever.
pub fn export_months(app: Arc<App>, keep: Option<i64>) -> BoxFuture<'static, ()> {
    async move {
        let exporting = async {
            loop {
                if let Err(error) = export_missing(&app, keep).await {
                    tracing::warn!(error = error.detail(), "a monthly export failed; it is tried again in an hour");
                }
                tokio::time::sleep(INTERVAL).await;
            }
        };
        app.closing.run_until_cancelled(exporting).await;
    }
    .boxed()
}

/// Exports each month that has ended and has no export yet. Leaves out months from which games may have been deleted.
///
/// # Errors
/// If the database cannot be read, the files cannot be written, or the pool is full.
pub async fn export_missing(app: &App, keep: Option<i64>) -> Result<(), Error> {
    let Some(folder) = app.options.exports.clone() else { return Ok(()) };
    let prepare = {
        let folder = folder.clone();
        move || io::Result::Ok((lock(&folder)?, read_lists(&folder)?))
    };
    let prepared = app.play.pools().batch.run(prepare).await?.map_err(Error::broken)?;
    let (Some(_lock), files) = prepared else { return Ok(()) };
    let now = app.play.now();
    let mut after = before(0);
    loop {
        let first = app.play.store().ended_public(&after, now, 1).await.map_err(play::Error::from)?;
        let Some(first) = first.first() else { return Ok(()) };
        let month = Month::of(first.finished).map_err(Error::broken)?;
        if now < month.end + DELAY {
            return Ok(());
        }
        let whole = keep.is_none_or(|keep| now - keep <= month.begin);
        if whole && files.iter().all(|file| file.month != month.name) {
            export(app, folder.clone(), &month).await?;
        }
        after = before(month.end);
    }
}

/// Locks a folder for one process at a time, and creates it if necessary. Returns `None` if another process has it.
fn lock(folder: &path::Path) -> io::Result<Option<File>> {
    private_folder(folder)?;
    let lock = File::create(folder.join("lock"))?;
    match lock.try_lock() {
        Ok(()) => Ok(Some(lock)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// A calendar month in UTC. Times are in milliseconds since the epoch.
struct Month {
    /// Year and month, such as `2026-10`.
    name: String,
    begin: i64,
    /// Begin of the next month.
    end: i64,
}

impl Month {
    /// Month of a time.
    fn of(time: i64) -> Result<Month, time::error::ComponentRange> {
        let first = UtcDateTime::from_unix_timestamp(time.div_euclid(1_000))?.date().replace_day(1)?;
        let next = (first + time::Duration::days(31)).replace_day(1)?;
        let midnight = |day: Date| day.midnight().assume_utc().unix_timestamp() * 1_000;
        let name = format!("{:04}-{:02}", first.year(), u8::from(first.month()));
        Ok(Month { name, begin: midnight(first), end: midnight(next) })
    }
}

/// Place before all games that ended at a time or later.
fn before(time: i64) -> EndedGame {
    EndedGame { finished: time, id: String::new() }
}

/// Exports a month. Each game is a job of the background pool, so other work takes turns with it.
async fn export(app: &App, folder: PathBuf, month: &Month) -> Result<(), Error> {
    let (store, pool) = (app.play.store(), &app.play.pools().batch);
    let base = app.options.public_url.as_ref().map_or_else(String::new, |url| url.origin().to_owned());
    let base = PublicOrigin::of_origin(base);
    let name = month.name.clone();
    let mut draft = pool.run(move || Draft::create(folder, name)).await?.map_err(Error::broken)?;
    let mut after = before(month.begin);
    loop {
        let page = store.ended_public(&after, month.end, PAGE).await.map_err(play::Error::from)?;
        let Some(last) = page.last() else { break };
        after = last.clone();
        for game in page {
            // A game can be deleted in the meantime.
            let Some(record) = store.load(&game.id).await.map_err(play::Error::from)? else { continue };
            let base = base.clone();
            let add = move || {
                draft.add(record, &base)?;
                io::Result::Ok(draft)
            };
            draft = pool.run(add).await?.map_err(Error::broken)?;
        }
    }
    let games = draft.games;
    let files = pool.run(move || draft.finish()).await?.map_err(Error::broken)?;
    let bytes = files.iter().map(|file| file.bytes).sum::<u64>();
    tracing::info!(month = month.name, games, bytes, "a month was exported");
    Ok(())
}

/// Suffix of files that are not complete.
const UNFINISHED: &str = ".part";

/// A file that counts and hashes what is written.
struct HashedFile {
    file: File,
    sum: Sha256,
    bytes: u64,
}

impl Write for HashedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.sum.update(&bytes[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// The files of an export while they are written. The bytes depend only on the games: gzip stores no time.
struct Draft {
    folder: PathBuf,
    month: String,
    games: u64,
    pgn: GzEncoder<HashedFile>,
    ndjson: GzEncoder<HashedFile>,
}

impl Draft {
    /// Begins the files of a month, and replaces those of an interrupted export.
    fn create(folder: PathBuf, month: String) -> io::Result<Draft> {
        let begin = |form: &str| {
            let file = File::create(folder.join(format!("{month}.{form}.gz{UNFINISHED}")))?;
            io::Result::Ok(GzEncoder::new(HashedFile { file, sum: Sha256::new(), bytes: 0 }, Compression::default()))
        };
        Ok(Draft { games: 0, pgn: begin("pgn")?, ndjson: begin("ndjson")?, folder, month })
    }

    /// Adds a game as spectators see it, up to its end. Leaves out games that had no opponent, and unreadable ones.
    fn add(&mut self, mut record: GameRecord, base: &PublicOrigin) -> io::Result<()> {
        // Later lines are offers of a rematch, which could still be made during the export.
        record.lines.retain(|line| record.game.finished.is_some_and(|end| line.time <= end));
        let table = match GameSnapshot::of(record) {
            Ok(table) => table,
            Err(error) => {
                tracing::warn!(%error, "an unreadable game is missing in its monthly export");
                return Ok(());
            }
        };
        if table.complete() {
            self.pgn.write_all(format!("{}\n", pgn_text(&table, None, base)).as_bytes())?;
            self.ndjson.write_all(format!("{}\n", json_value(&table, None)).as_bytes())?;
            self.games += 1;
        }
        Ok(())
    }

    /// Completes the files and renames them, and then the list.
    fn finish(self) -> io::Result<[ExportFile; 2]> {
        let Draft { folder, month, games, pgn, ndjson } = self;
        let place = |name: &str, file: &File| {
            file.sync_all()?;
            fs::rename(folder.join(format!("{name}{UNFINISHED}")), folder.join(name))
        };
        let finished = |form: &str, packer: GzEncoder<HashedFile>| {
            let HashedFile { file, sum, bytes } = packer.finish()?;
            let name = format!("{month}.{form}.gz");
            place(&name, &file)?;
            let sha256 = sum.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
            io::Result::Ok(ExportFile {
                month: month.clone(),
                games,
                url: format!("{FOLDER}{name}"),
                name,
                bytes,
                sha256,
            })
        };
        let files = [finished("pgn", pgn)?, finished("ndjson", ndjson)?];
        let name = format!("{month}.{LIST}");
        let mut list = File::create(folder.join(format!("{name}{UNFINISHED}")))?;
        list.write_all(&serde_json::to_vec(&files)?)?;
        place(&name, &list)?;
        Ok(files)
    }
}
