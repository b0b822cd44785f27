//! Export of designs and armies to variant files of Fairy-Stockfish and pychess, and import of such files. An export is a query, so every file
//! has an address.

pub mod api;

use super::{
    App, Error,
    designer::escaped,
    extract::{Form, Query},
    page as render,
};
use crate::{
    rules::{Diagram, Refusal},
    variants::csipgs::{
        self,
        ini::{self, ForeignPiece, ImportedVariant, Roster, UnsupportedLine, VariantText},
        price::{Catalogue, fraction},
    },
};
use askama::Template;
use axum::{
    extract::State,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::Deserialize;
use std::sync::Arc;

/// The default designs of the page: the six of csipgs chess.
const STANDARD: &str = "B, BR, fcFfmW, N, R, royal-WF";
/// The default name of a variant.
const NAME: &str = "zorkmid";

/// The parameters of an export.
#[derive(Deserialize, Default)]
pub struct Wanted {
    /// The designs, such as `K=royal-WF,A=WFfhN`.
    designs: Option<String>,
    /// The starting position; the usual one by default.
    fen: Option<String>,
    /// The name of the variant.
    name: Option<String>,
    /// The inventions in the designs.
    with: Option<String>,
}

/// A file to import.
#[derive(Deserialize)]
pub struct ImportedFile {
    ini: String,
}

fn given(text: &Option<String>) -> &str {
    text.as_deref().unwrap_or_default().trim()
}

impl Wanted {
    /// Writes the file.
    fn written(&self) -> Result<VariantText, Error> {
        let refused = |field: &'static str| {
            move |wrong: Refusal| {
                let error = Error::malformed(format!("{wrong}.")).field(field);
                match wrong.at {
                    Some(at) => error.at(at),
                    None => error,
                }
            }
        };
        let catalogue: Catalogue = self.with.as_deref().unwrap_or_default().parse().map_err(refused("with"))?;
        let designs = self.designs.as_deref().unwrap_or_default();
        let roster = Roster::read(designs, &catalogue).map_err(refused("designs"))?;
        let (board, start) = match given(&self.fen) {
            "" => roster.default_position(),
            fen => roster.position(fen).map_err(refused("fen"))?,
        };
        let name = Some(given(&self.name)).filter(|name| !name.is_empty()).unwrap_or(NAME);
        ini::write(name, &roster, &board, &start).map_err(refused("name"))
    }

    /// The parameters as a query.
    fn query(&self) -> String {
        let fields = [("designs", &self.designs), ("fen", &self.fen), ("name", &self.name), ("with", &self.with)];
        let said = fields.into_iter().filter(|(_, text)| !given(text).is_empty());
        said.map(|(name, text)| format!("{name}={}", escaped(given(text)))).collect::<Vec<_>>().join("&")
    }
}

/// The query that exports the designs of a game of csipgs chess, with the position on its board.
pub fn of_game(view: &csipgs::View, diagram: &Diagram) -> String {
    let designs: Vec<String> = (view.legend.iter())
        .map(|entry| match &entry.letter {
            Some(letter) => format!("{letter}={}", entry.betza),
            None => entry.betza.clone(),
        })
        .collect();
    let fen = diagram.fen.clone().filter(|_| !diagram.pieces.is_empty());
    Wanted { designs: Some(designs.join(",")), fen, name: None, with: Some(view.with.clone()) }.query()
}

/// An imported variant as the page shows it.
struct Variant {
    foreign: ImportedVariant,
    /// The inventions of the variant, as a part of a query of the piece designer.
    with: String,
}

impl Variant {
    fn new(foreign: ImportedVariant) -> Variant {
        Variant { with: escaped(&foreign.inventions.to_string()), foreign }
    }

    /// A design for a link to the piece designer.
    fn workshop(&self, piece: &ForeignPiece) -> Option<(String, String, String)> {
        let (piece, cost) = piece.ours.as_deref()?;
        let with = if self.with.is_empty() { String::new() } else { format!("&with={}", self.with) };
        Some((piece.to_string(), format!("/betza?piece={}{with}", escaped(&piece.to_string())), fraction(cost)))
    }

    /// The designs as a list for the export form.
    fn designs(&self) -> String {
        let designs = self.foreign.pieces.iter().filter_map(|piece| Some((piece.letter, &piece.ours.as_deref()?.0)));
        let designs: Vec<String> = designs.map(|(letter, piece)| format!("{letter}={piece}")).collect();
        designs.join(",")
    }

    /// Address that exports the variant again.
    fn back(&self) -> String {
        let with = if self.with.is_empty() { String::new() } else { format!("&with={}", self.with) };
        format!("/fairy?designs={}{with}", escaped(&self.designs()))
    }
}

#[derive(Template)]
#[template(path = "fairy.html")]
struct FairyPage {
    wanted: Wanted,
    written: Option<VariantText>,
    /// Error in the parameters, and its field.
    wrong: Option<(String, String)>,
    /// The file to import, as typed.
    ini: String,
    variants: Vec<Variant>,
    stray: Vec<UnsupportedLine>,
}

impl FairyPage {
    fn value<'a>(&self, text: &'a Option<String>) -> &'a str {
        given(text)
    }

    fn wrong(&self, field: &str) -> &str {
        self.wrong.as_ref().filter(|(known, _)| known == field).map_or("", |(_, why)| why)
    }
}

/// `GET /fairy`: the forms, and the exported file if the query has designs.
pub async fn page(State(app): State<Arc<App>>, Query(wanted): Query<Wanted>) -> Result<Response, Error> {
    app.play.pools().lookups.run(move || form(wanted)).await?
}

fn form(wanted: Wanted) -> Result<Response, Error> {
    let asked = !given(&wanted.designs).is_empty();
    let (written, wrong) = match asked.then(|| wanted.written()) {
        None => (None, None),
        Some(Ok(written)) => (Some(written), None),
        Some(Err(error)) => (None, Some((error.about().unwrap_or_default().to_owned(), error.detail().to_owned()))),
    };
    let status = if wrong.is_some() { StatusCode::BAD_REQUEST } else { StatusCode::OK };
    let page = FairyPage { wanted, written, wrong, ini: String::new(), variants: Vec::new(), stray: Vec::new() };
    Ok((status, render(&page)?).into_response())
}

/// `POST /fairy`: imports the variants of a file.
pub async fn bring(
    State(app): State<Arc<App>>,
    Form(ImportedFile { ini }): Form<ImportedFile>,
) -> Result<Response, Error> {
    let work = move || {
        let ((foreign, stray), fault) = match ini::read(&ini) {
            Ok(read) if read.0.is_empty() => {
                let why = "The text contains no variant. Begin a variant with its name in brackets, as in [my-army].";
                (read, Some((StatusCode::BAD_REQUEST, why.to_owned())))
            }
            Ok(read) => (read, None),
            Err(refusal) => {
                let error = Error::refused(refusal.why);
                (Default::default(), Some((error.kind().status(), error.detail().to_owned())))
            }
        };
        let (status, wrong) =
            fault.map_or((StatusCode::OK, None), |(status, why)| (status, Some(("ini".to_owned(), why))));
        let variants = foreign.into_iter().map(Variant::new).collect();
        let page = FairyPage { wanted: Wanted::default(), written: None, wrong, ini, variants, stray };
        Ok((status, render(&page)?).into_response())
    };
    app.play.pools().lookups.run(work).await?
}

/// `GET /variants.ini`: the exported file.
pub async fn file(State(app): State<Arc<App>>, Query(wanted): Query<Wanted>) -> Result<Response, Error> {
    let text = app.play.pools().lookups.run(move || wanted.written()).await??.text;
    Ok(([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response())
}
