//! Export and import of variant files as JSON.

use super::{App, ForeignPiece, ImportedVariant, Query, UnsupportedLine, Wanted, ini};
use crate::web::{
    Error,
    designer::api::Fraction,
    extract::Json as Body,
    openapi::{self, Problem},
};
use axum::{
    Json,
    extract::State,
    response::{IntoResponse, Response},
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

/// An exported variant.
#[derive(Serialize, ToSchema)]
pub struct VariantFile {
    /// The file.
    ini: String,
    /// Features that the file cannot express, one sentence each.
    unsaid: Vec<String>,
    /// The starting position as FEN.
    start: String,
    /// The designs.
    pieces: Vec<LetteredPiece>,
}

/// A design in both notations.
#[derive(Serialize, ToSchema)]
pub struct LetteredPiece {
    /// The letter of the piece.
    #[schema(example = "A")]
    letter: String,
    /// The name in an imported file; null in an exported one.
    name: Option<String>,
    /// The moves in Fairy-Stockfish's notation.
    #[schema(example = "WFfhN")]
    fairy: String,
    /// The design; null if no part of it could be read.
    #[schema(example = "WFfhN")]
    piece: Option<String>,
    /// The price before rounding; null if the design has no price or could not be read.
    exact: Option<Fraction>,
    /// The parts that could not be read.
    unread: Vec<String>,
}

/// A file to import.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct FileToImport {
    /// The text of the file.
    #[schema(example = "[mine:chess]\ncustomPiece1 = a:mWcF")]
    ini: String,
}

/// The variants of an imported file.
#[derive(Serialize, ToSchema)]
pub struct ImportedFile {
    /// The variants, in the order of the file.
    variants: Vec<ReadVariant>,
    /// Lines before the first variant that were ignored.
    unread: Vec<IgnoredLine>,
}

/// An imported variant.
#[derive(Serialize, ToSchema)]
#[schema(as = ImportedVariant)]
pub struct ReadVariant {
    /// The name of the variant.
    name: String,
    /// The starting position, as in the file.
    start: String,
    /// The inventions that the pieces need, each with an estimate of 1, such as `Horse lame(1,2) 1`.
    with: String,
    /// The pieces.
    pieces: Vec<LetteredPiece>,
    /// White's and Black's army, in this order, as actions of csipgs chess; null for an army that cannot be set up.
    #[schema(min_items = 2, max_items = 2)]
    armies: Vec<Option<String>>,
    /// The reasons why White's and Black's army cannot be set up, in this order; null for an army that can.
    #[schema(min_items = 2, max_items = 2)]
    refused: Vec<Option<String>>,
    /// Lines of the variant that were ignored.
    unread: Vec<IgnoredLine>,
}

/// A line that was ignored.
#[derive(Serialize, ToSchema)]
pub struct IgnoredLine {
    /// The number of the line, from 1.
    line: usize,
    /// The text of the line.
    text: String,
    /// The reason.
    why: String,
}

impl From<UnsupportedLine> for IgnoredLine {
    fn from(UnsupportedLine { line, text, why }: UnsupportedLine) -> IgnoredLine {
        IgnoredLine { line, text, why }
    }
}

impl From<ImportedVariant> for ReadVariant {
    fn from(foreign: ImportedVariant) -> ReadVariant {
        let piece = |piece: &ForeignPiece| LetteredPiece {
            letter: piece.letter.to_string(),
            name: Some(piece.name.clone()),
            fairy: piece.theirs.clone(),
            piece: piece.ours.as_ref().map(|ours| ours.0.to_string()),
            exact: piece.ours.as_ref().map(|ours| ours.1.into()),
            unread: piece.unread.clone(),
        };
        ReadVariant {
            name: foreign.name,
            start: foreign.start,
            with: foreign.inventions.to_string(),
            pieces: foreign.pieces.iter().map(piece).collect(),
            armies: foreign.armies.iter().map(|army| army.clone().ok()).collect(),
            refused: foreign.armies.into_iter().map(Result::err).collect(),
            unread: foreign.unread.into_iter().map(IgnoredLine::from).collect(),
        }
    }
}

/// Exports designs as a variant of Fairy-Stockfish and pychess.
#[utoipa::path(
    get,
    path = "/api/fairy",
    operation_id = "write_variant",
    tag = "pieces",
    params(
        ("designs" = String, Query, description = "designs, separated by commas, each with an optional letter: `K=royal-WF,WFfhN`"),
        ("fen" = Option<String>, Query, description = "starting position with these letters, on a board of 8×8; by default the pieces replace those of chess, ordered by price"),
        ("name" = Option<String>, Query, description = "name of the variant: lower-case letters, digits and hyphens"),
        ("with" = Option<String>, Query, description = "inventions, such as `Horse lame(1,2) 2.4; Run runner 5`; none by default"),
    ),
    responses(
        (status = 200, description = "The file", body = VariantFile),
        openapi::PathErrors,
    )
)]
pub async fn write(State(app): State<Arc<App>>, Query(wanted): Query<Wanted>) -> Result<Response, Error> {
    let written = app.play.pools().lookups.run(move || wanted.written()).await??;
    let piece = |(entry, fairy): (ini::Entry, String)| LetteredPiece {
        letter: entry.letter.to_string(),
        name: None,
        fairy,
        piece: Some(entry.piece.to_string()),
        exact: (!entry.piece.is_free()).then(|| entry.exact.into()),
        unread: Vec::new(),
    };
    let pieces = written.pieces.into_iter().map(piece).collect();
    Ok(Json(VariantFile { ini: written.text, unsaid: written.unsaid, start: written.start, pieces }).into_response())
}

/// Imports the variants of a file as designs and armies, and lists every line that could not be read.
#[utoipa::path(
    post,
    path = "/api/fairy",
    operation_id = "read_variants",
    tag = "pieces",
    request_body = FileToImport,
    responses(
        (status = 200, description = "The contents of the file", body = ImportedFile),
        (status = 422, description = "The file has too many lines, variants or pieces", body = Problem, content_type = "application/problem+json"),
        openapi::BodyErrors,
    )
)]
pub async fn read(State(app): State<Arc<App>>, Body(file): Body<FileToImport>) -> Result<Response, Error> {
    let work = move || {
        let (foreign, stray) = ini::read(&file.ini).map_err(|refusal| Error::refused(refusal.why).field("ini"))?;
        let variants = foreign.into_iter().map(ReadVariant::from).collect();
        Ok(Json(ImportedFile { variants, unread: stray.into_iter().map(IgnoredLine::from).collect() }).into_response())
    };
    app.play.pools().lookups.run(work).await?
}
