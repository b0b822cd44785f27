//! Downloads of whole tables.

use std::{io, sync::Arc, time::Duration};

use axum::{
    body::{Body, Bytes},
    extract::State,
    http::{HeaderMap, HeaderValue, header},
    response::{IntoResponse, Response},
};
use base64::{Engine, engine::general_purpose::STANDARD};
use flate2::{Compression, write::GzEncoder};
use futures_util::stream;
use sha2::{Digest, Sha256};
use tokio::time;
use utoipa::ToSchema;

use super::{before_deadline, chart_data};
use crate::{
    board::Size,
    play::Pools,
    richman::{self, Classes, FourFile, FourPieceMaterial, Material},
    web::{
        App, Error, Kind,
        cache_policy::{CachePolicy, tag},
        endgame_cache::{RenderedAnswer, log_unusable},
        extract::Path,
        openapi,
    },
};

/// The values do not change, but a later release may add columns.
const A_WEEK: HeaderValue = HeaderValue::from_static("public, max-age=604800");
/// Pause between two looks at tables that are being computed.
const PAUSE: Duration = Duration::from_millis(100);

/// Format of a downloaded table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Packing {
    /// Comma-separated values, compressed with gzip.
    Csv,
    /// The binary form of `docs/research.md`.
    Binary,
}

impl Packing {
    const ALL: [Packing; 2] = [Packing::Csv, Packing::Binary];

    /// Suffix of the file name.
    fn suffix(self) -> &'static str {
        match self {
            Packing::Csv => ".csv.gz",
            Packing::Binary => ".bin",
        }
    }
}

/// SHA-256 sums of the binary files of all boards, and of files of four pieces, in the format of `sha256sum`.
pub(super) const MANIFEST: &str = include_str!("../../../docs/manifest.txt");
/// Name of this list among the files.
const MANIFEST_NAME: &str = "manifest.txt";
/// The path of the files.
const FOLDER: &str = "/api/richman/files/";
const FOUR: &str = ".four";
/// Number of bytes of a four-piece file read at a time.
const PART: usize = 1 << 18;

/// Marks a response to send as it is: a four-piece file is large, and its bounds hardly compress; an export is compressed on disk.
#[derive(Clone, Copy, Debug)]
pub struct Uncompressed;

/// Address of a four-piece file.
pub(super) fn address_of_four(pair: FourPieceMaterial) -> String {
    format!("{FOLDER}{pair}{FOUR}")
}

/// The bytes of a file.
#[derive(ToSchema)]
#[schema(value_type = String, format = Binary)]
#[expect(dead_code, reason = "used by the OpenAPI description only")]
pub struct Packed(Vec<u8>);

/// Name of a file: `8x8.csv.gz`, `8x8-KRvK.bin`.
pub(super) fn name(size: Size, material: Option<Material>, packing: Packing) -> String {
    let material = material.map_or(String::new(), |material| format!("-{material}"));
    format!("{}{material}{}", chart_data::board(size), packing.suffix())
}

/// Published SHA-256 of the binary file of a board.
pub(super) fn published_sum(size: Size) -> Option<&'static str> {
    let name = name(size, None, Packing::Binary);
    MANIFEST.lines().find_map(|line| line.strip_suffix(name.as_str())?.strip_suffix("  "))
}

/// Parses the name of a file.
fn parse_file_name(text: &str) -> Option<(Size, Option<Material>, Packing)> {
    let (stem, packing) =
        Packing::ALL.into_iter().find_map(|packing| Some((text.strip_suffix(packing.suffix())?, packing)))?;
    let (board, material) = stem.split_once('-').map_or((stem, None), |(board, material)| (board, Some(material)));
    let known = |wanted: &str| Material::ALL.into_iter().find(|known| known.name() == wanted);
    let material = match material {
        None => None,
        Some(wanted) => Some(known(wanted)?),
    };
    Some((chart_data::parse_board(board)?, material, packing))
}

/// The bytes of a file, always the same.
fn packed(classes: &Classes, material: Option<Material>, packing: Packing) -> std::io::Result<Vec<u8>> {
    match packing {
        Packing::Csv => {
            let mut packer = GzEncoder::new(Vec::new(), Compression::best());
            richman::export(classes.table(), material, &mut packer)?;
            packer.finish()
        }
        Packing::Binary => {
            let mut bytes = Vec::new();
            richman::export_binary(classes, material, &mut bytes)?;
            Ok(bytes)
        }
    }
}

/// Downloads the exact values of a whole board, or of one material and everything that it can turn into.
///
/// `.csv.gz` is gzipped CSV, `.bin` the binary form of `docs/research.md`. Both have one entry for each class of positions that are equal up to a
/// symmetry: the placement, the value as a fraction, both labels of the proof, and whether the move is worth less than nothing (`zugzwang`) or
/// nothing (`quiescent`). `zorkmid verify FILE` and `examples/verify.py` prove such a file from its contents alone. `Repr-Digest` is its SHA-256.
/// Public domain (CC0).
///
/// `manifest.txt` lists the SHA-256 of the binary file of every board and of files of four pieces. `zorkmid verify --manifest` solves the tables and
/// compares them with it.
///
/// A material of four pieces, such as `KRBvK.four`, is the file of its bounds, in the format of the server's data folder. Not every server has
/// these files: `/api/richman/four` lists those that exist.
#[utoipa::path(
    get,
    path = "/api/richman/files/{name}",
    operation_id = "download_table",
    tag = "endgames",
    params(("name" = String, Path, description = "board, with an optional material: KvK, KNvK, KBvK, KRvK, KQvK or KPvK; a material of four pieces and `.four`; or manifest.txt", example = "8x8-KRvK.csv.gz")),
    responses(
        (status = 200, description = "The file", body = inline(Packed), content_type = "application/octet-stream"),
        (status = 304, description = "The client already has this file (If-None-Match)"),
        (status = 404, description = "There is no such file", body = openapi::Problem, content_type = "application/problem+json"),
    )
)]
pub async fn file(
    State(app): State<Arc<App>>,
    Path(asked): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Error> {
    if let Some(pair) = asked.strip_suffix(FOUR).and_then(|pair| pair.parse().ok()) {
        return send_four_piece_file(&app, &headers, pair).await;
    }
    if asked == MANIFEST_NAME {
        let body = ([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], MANIFEST);
        return Ok(CachePolicy { tag: tag(&[MANIFEST]), control: A_WEEK }.answer_ready(&headers, body));
    }
    let (size, material, packing) = parse_file_name(&asked).ok_or_else(|| {
        Error::unknown("There is no such file. Write files and ranks from 3 to 8 with an optional material, as in 8x8.csv.gz or 3x4-KRvK.bin, or a material of four pieces, as in KRBvK.four.")
    })?;
    let key = format!("the file {asked}");
    let rendered = match app.endgames.kept(&key) {
        Some(rendered) => rendered,
        None => {
            let classes = classes_once_ready(&app, size).await?;
            let tag = tag(&[classes.table().digest(), &asked, env!("CARGO_PKG_VERSION")]);
            let made = app.play.pools().batch.run(move || packed(&classes, material, packing)).await?;
            let rendered = RenderedAnswer { body: Bytes::from(made.map_err(Error::broken)?), tag, lasting: true };
            app.endgames.keep(key, rendered.clone());
            rendered
        }
    };
    let whole = async { Ok((fields(&asked, &Sha256::digest(&rendered.body)), rendered.body.clone()).into_response()) };
    CachePolicy { tag: rendered.tag.clone(), control: A_WEEK }.answer(&headers, whole).await
}

/// The classes of a board. While the tables are computed, just after the start, it waits for them: a browser would save the refusal as the file.
async fn classes_once_ready(app: &App, size: Size) -> Result<Arc<Classes>, Error> {
    let ready = async {
        loop {
            match app.endgames.classes(size).await {
                Err(error) if matches!(error.kind(), Kind::Busy { .. }) => time::sleep(PAUSE).await,
                done => return done,
            }
        }
    };
    match time::timeout(before_deadline(app), ready).await {
        Ok(done) => done,
        Err(_) => app.endgames.classes(size).await,
    }
}

/// Header fields of a file.
fn fields(name: &str, sum: &[u8]) -> [(String, String); 3] {
    [
        (header::CONTENT_TYPE.as_str(), "application/octet-stream".to_owned()),
        (header::CONTENT_DISPOSITION.as_str(), format!("attachment; filename=\"{name}\"")),
        ("repr-digest", format!("sha-256=:{}:", STANDARD.encode(sum))),
    ]
    .map(|(field, value)| (field.to_owned(), value))
}

/// Streams a four-piece file, read in parts as fast as the client takes them. An open file keeps its contents when another replaces it.
async fn send_four_piece_file(app: &App, headers: &HeaderMap, pair: FourPieceMaterial) -> Result<Response, Error> {
    let endgames = app.endgames.clone();
    let open = move || log_unusable(endgames.tables().four().open(pair));
    let file = app.play.pools().lookups.run(open).await?.ok_or_else(|| {
        let why = "This server has no such table. See /api/richman/four for the tables it has.";
        Error::unknown(why)
    })?;
    let (tag, bytes) = (tag(&[&file.digest()]), file.bytes().len());
    let pools = app.play.pools().clone();
    let whole = async {
        let fields = fields(&format!("{pair}{FOUR}"), &file.sum);
        let body = Body::from_stream(stream::try_unfold(0, move |sent| part(pools.clone(), file.clone(), sent)));
        let mut whole = (fields, [(header::CONTENT_LENGTH, bytes.to_string())], body).into_response();
        whole.extensions_mut().insert(Uncompressed);
        Ok(whole)
    };
    CachePolicy { tag, control: A_WEEK }.answer(headers, whole).await
}

/// The bytes of a file after the first `sent`; `None` at its end.
async fn part(pools: Arc<Pools>, file: Arc<FourFile>, sent: usize) -> io::Result<Option<(Bytes, usize)>> {
    let left = file.bytes().len() - sent;
    if left == 0 {
        return Ok(None);
    }
    let after = sent + left.min(PART);
    let read = pools.lookups.run(move || Bytes::copy_from_slice(&file.bytes()[sent..after])).await;
    Ok(Some((read.map_err(io::Error::other)?, after)))
}
