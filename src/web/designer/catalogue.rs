//! The piece catalogue, as a page and as JSON: named pieces by name, price and moves. All input is in the query.

use super::{
    api::Fraction,
    drawing, escaped,
    movement_grid::{self, By, MapRow, Symmetry, Toggle},
    read_quantum,
};
use crate::{
    board::{Betza, BetzaError, Color, Mode, MovementSummary},
    rules::diagram::Amount,
    variants::csipgs::{
        piece_names::{self, CatalogueEntry, CatalogueQuery, Similarity},
        price::{Exact, Quantum, fraction, money},
    },
    web::{App, Error, client_address::PublicOrigin, extract::Query, openapi, page as render},
};
use askama::Template;
use axum::{
    Json,
    extract::State,
    http::{StatusCode, header},
    response::{IntoResponse, Redirect, Response},
};
use num_rational::Ratio;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

/// Number of pieces on a page.
const PAGE: usize = 30;

/// A search, as typed.
#[derive(Deserialize, Default)]
pub struct CatalogueFilter {
    name: Option<String>,
    like: Option<String>,
    how: Option<String>,
    least: Option<String>,
    most: Option<String>,
    quantum: Option<String>,
    /// The square or button of the map that was clicked.
    press: Option<String>,
    /// The kind of step that a click changes.
    by: Option<String>,
    /// What a click puts on a square.
    mode: Option<String>,
    page: Option<String>,
}

fn given(text: Option<&String>) -> &str {
    text.map(|text| text.trim()).unwrap_or_default()
}

impl CatalogueFilter {
    /// The piece to compare with.
    fn like(&self) -> Result<Option<Betza>, Error> {
        let text = given(self.like.as_ref());
        let wrong = |wrong: BetzaError| Error::malformed(format!("{wrong}.")).field("like").at(wrong.at);
        (!text.is_empty()).then(|| text.parse()).transpose().map_err(wrong)
    }

    fn how(&self) -> Result<Similarity, Error> {
        let text = given(self.how.as_ref());
        let known = Similarity::ALL.into_iter().find(|likeness| likeness.text() == text);
        known
            .or(text.is_empty().then_some(Similarity::Same))
            .ok_or_else(|| Error::malformed("The comparison must be same, within or beyond.").field("how"))
    }

    fn page(&self) -> Result<usize, Error> {
        let text = given(self.page.as_ref());
        let number = if text.is_empty() { Some(1) } else { text.parse().ok().filter(|page| (1..=1000).contains(page)) };
        number.ok_or_else(|| Error::malformed("The page must be a whole number from 1 to 1000.").field("page"))
    }

    /// Runs the search.
    fn found(&self) -> Result<Vec<&'static CatalogueEntry>, Error> {
        let like = self.like()?;
        let how = self.how()?;
        Ok(piece_names::search(&CatalogueQuery {
            name: given(self.name.as_ref()),
            like: like.map(|piece| (MovementSummary::of(&piece), how)),
            least: amount("least", self.least.as_ref())?,
            most: amount("most", self.most.as_ref())?,
        }))
    }

    /// The non-empty fields of the same search with another piece to compare with.
    fn fields(&self, like: &str) -> Vec<(&'static str, String)> {
        let [name, how, least, most] = [&self.name, &self.how, &self.least, &self.most];
        [
            ("name", given(name.as_ref())),
            ("like", like),
            ("how", given(how.as_ref())),
            ("least", given(least.as_ref())),
            ("most", given(most.as_ref())),
        ]
        .into_iter()
        .filter(|(_, text)| !text.is_empty())
        .map(|(field, text)| (field, text.to_owned()))
        .collect()
    }
}

/// Address of a search.
fn address(fields: &[(&'static str, String)]) -> String {
    let query: Vec<String> = fields.iter().map(|(field, text)| format!("{field}={}", escaped(text))).collect();
    if query.is_empty() { "/pieces".to_owned() } else { format!("/pieces?{}", query.join("&")) }
}

/// Parses an amount in zorkmids: `3`, `2.5` or `27/10`.
fn amount(field: &str, text: Option<&String>) -> Result<Option<Exact>, Error> {
    let text = given(text);
    let number = |text: &str| {
        let sound = !text.is_empty() && text.len() <= 6 && text.bytes().all(|byte| byte.is_ascii_digit());
        sound.then(|| text.parse::<i128>().ok()).flatten()
    };
    let read = || match (text.split_once('/'), text.split_once(['.', ','])) {
        (Some((numerator, denominator)), _) => {
            Some(Exact::new(number(numerator)?, number(denominator).filter(|number| *number > 0)?))
        }
        (None, Some((whole, rest))) => {
            Some(Exact::from(number(whole)?) + Exact::new(number(rest)?, 10i128.pow(rest.len() as u32)))
        }
        (None, None) => number(text).map(Exact::from),
    };
    if text.is_empty() {
        return Ok(None);
    }
    let wrong = || Error::malformed("The price must be a number such as 3, 2.5 or 27/10.").field(field).at(0);
    read().map(Some).ok_or_else(wrong)
}

/// A result as the page shows it.
struct CatalogueCard {
    known: &'static CatalogueEntry,
    canonical: String,
    address: String,
    token: Arc<str>,
    exact: String,
    price: String,
}

impl CatalogueCard {
    fn new(known: &'static CatalogueEntry) -> CatalogueCard {
        let canonical = known.piece.to_string();
        CatalogueCard {
            known,
            address: escaped(&canonical),
            token: drawing(&known.piece, Color::White),
            exact: fraction(&known.exact),
            price: money(Quantum::Whole.price(known.exact)),
            canonical,
        }
    }
}

#[derive(Template)]
#[template(path = "pieces.html")]
struct Shelf {
    fields: Vec<(&'static str, String)>,
    how: Similarity,
    by: By,
    mode: Mode,
    /// The piece to compare with.
    like: String,
    token: Option<Arc<str>>,
    rows: Vec<MapRow>,
    lines: Vec<Toggle>,
    total: usize,
    cards: Vec<CatalogueCard>,
    page: usize,
    pages: usize,
    /// Error in the search; empty if there is none.
    wrong: String,
}

impl Shelf {
    /// The text typed into a field.
    fn text(&self, field: &str) -> &str {
        self.fields.iter().find(|(known, _)| *known == field).map_or("", |(_, text)| text)
    }

    /// Address of another page of results.
    fn page_at(&self, page: usize) -> String {
        let mut fields = self.fields.clone();
        if page > 1 {
            fields.push(("page", page.to_string()));
        }
        address(&fields)
    }
}

/// `GET /pieces`: the catalogue, or the results of a search. A click on the map redirects to the resulting search.
pub async fn page(State(app): State<Arc<App>>, Query(hunt): Query<CatalogueFilter>) -> Result<Response, Error> {
    app.play.pools().lookups.run(move || shelf(&hunt)).await?
}

fn shelf(hunt: &CatalogueFilter) -> Result<Response, Error> {
    let by = By::read(given(hunt.by.as_ref())).ok_or_else(|| Error::malformed(By::NEITHER).field("by").at(0))?;
    let mode = movement_grid::read_mode(given(hunt.mode.as_ref()))
        .ok_or_else(|| Error::malformed(movement_grid::NO_MODE).field("mode").at(0))?;
    let like = hunt.like().ok().flatten();
    if let Some(press) = hunt.press.as_deref().filter(|press| !press.is_empty()) {
        let made = movement_grid::pressed(like.as_ref(), press, (by, Symmetry::One, mode))
            .ok_or_else(|| Error::malformed(by.nowhere()).field("press"))?;
        let text = made.map_or(String::new(), |piece| piece.to_string());
        let mut fields = hunt.fields(&text);
        if by != By::Leap {
            fields.push(("by", by.text().to_owned()));
        }
        if mode != Mode::Both {
            fields.push(("mode", movement_grid::mode_text(mode).to_owned()));
        }
        return Ok(Redirect::to(&(address(&fields) + "#map")).into_response());
    }
    // Invalid text stays in the form, with the error.
    let (found, wrong) = match hunt.found() {
        Ok(found) => (found, String::new()),
        Err(error) => (Vec::new(), error.detail().to_owned()),
    };
    let (how, page) = (hunt.how().unwrap_or_default(), hunt.page()?);
    let pages = found.len().div_ceil(PAGE).max(1);
    if page > pages {
        return Err(Error::malformed(format!("There is no page {page}. The last page is {pages}.")).field("page"));
    }
    let shown = found.iter().skip((page - 1) * PAGE).take(PAGE);
    let text = like.as_ref().map_or_else(|| given(hunt.like.as_ref()).to_owned(), Betza::to_string);
    let status = if wrong.is_empty() { StatusCode::OK } else { StatusCode::BAD_REQUEST };
    let shelf = render(&Shelf {
        fields: hunt.fields(&text),
        how,
        by,
        mode,
        like: text,
        token: like.as_ref().map(|piece| drawing(piece, Color::White)),
        rows: movement_grid::rows(like.as_ref()),
        lines: movement_grid::lines(like.as_ref()),
        total: found.len(),
        cards: shown.map(|known| CatalogueCard::new(known)).collect(),
        page,
        pages,
        wrong,
    })?;
    Ok((status, shelf).into_response())
}

/// The results of a search.
#[derive(Serialize, ToSchema)]
pub struct NamedPieces {
    /// The pieces by price; exact matches of the name come first.
    pieces: Vec<NamedPiece>,
}

/// A named piece.
#[derive(Serialize, ToSchema)]
pub struct NamedPiece {
    /// The names, the best known first.
    names: Vec<&'static str>,
    /// The games and people that the piece comes from.
    origin: &'static str,
    /// The canonical text.
    #[schema(example = "cfFmfW")]
    piece: String,
    /// The price before rounding.
    exact: Fraction,
    /// The price rounded up to the smallest coin, as a whole number or a fraction.
    #[schema(example = "2")]
    price: String,
    /// A description of the moves in words.
    words: String,
    /// The piece's page in the piece designer.
    url: String,
}

/// Finds named pieces by name, moves and price.
#[utoipa::path(
    get,
    path = "/api/pieces",
    operation_id = "find_pieces",
    tag = "pieces",
    params(
        ("name" = Option<String>, Query, description = "part of a name or of the origin"),
        ("like" = Option<String>, Query, description = "piece to compare with, in Betza notation, such as WFfhN"),
        ("how" = inline(Option<Similarity>), Query, description = "comparison with `like`: `same` moves (the default), `within` (only some of them) or `beyond` (all of them and perhaps more)"),
        ("least" = Option<String>, Query, description = "lowest exact price: 3, 2.5 or 27/10"),
        ("most" = Option<String>, Query, description = "highest exact price"),
        ("quantum" = Option<Quantum>, Query, description = "smallest coin; 1 by default"),
    ),
    responses(
        (status = 200, description = "The pieces", body = NamedPieces),
        openapi::PathErrors,
    )
)]
pub async fn pieces(
    State(app): State<Arc<App>>,
    base: PublicOrigin,
    Query(hunt): Query<CatalogueFilter>,
) -> Result<Response, Error> {
    app.play.pools().lookups.run(move || found(&base, &hunt)).await?
}

fn found(base: &PublicOrigin, hunt: &CatalogueFilter) -> Result<Response, Error> {
    let quantum = read_quantum(given(hunt.quantum.as_ref()))?;
    let piece = |known: &'static CatalogueEntry| {
        let text = known.piece.to_string();
        NamedPiece {
            names: known.names.clone(),
            origin: known.origin,
            exact: known.exact.into(),
            price: Amount(Ratio::new(quantum.price(known.exact), 10)).to_string(),
            words: known.piece.in_words(),
            url: base.url(&format!("/betza?piece={}", escaped(&text))),
            piece: text,
        }
    };
    let answer = NamedPieces { pieces: hunt.found()?.into_iter().map(piece).collect() };
    Ok(([(header::CACHE_CONTROL, "public, max-age=3600")], Json(answer)).into_response())
}
