//! The measured values of pieces, next to their prices: a table and a plot of the atoms, and any other piece on request. Measured values come
//! from games between bots and never change a price.

pub mod api;
mod scatter_plot;

use super::{
    App, Error,
    designer::{drawing, escaped},
    extract::{Form, Query, missing},
    page as render,
};
use crate::{
    board::{Betza, BetzaError, Color},
    bots::{PairedResults, ValueEstimate, atoms, ruler},
    play::MeasurementStatus,
    rules::Refusal,
    variants::csipgs::price::{Catalogue, Exact, exact, fraction},
};
use askama::Template;
use axum::{
    extract::State,
    http::StatusCode,
    response::{IntoResponse, Redirect, Response},
};
use scatter_plot::{Plot, Point};
use serde::Deserialize;
use std::sync::Arc;

/// The parameters of a page about a piece.
#[derive(Deserialize, Default)]
pub struct PieceAsked {
    piece: Option<String>,
    /// The inventions in the piece's text.
    with: Option<String>,
}

/// A piece and its price.
struct Priced {
    piece: Betza,
    exact: Exact,
}

impl PieceAsked {
    /// The piece's text without surrounding spaces.
    fn text(&self) -> &str {
        self.piece.as_deref().unwrap_or_default().trim()
    }

    fn priced(&self) -> Result<Priced, Error> {
        let with = self.with.as_deref().unwrap_or_default();
        let catalogue: Catalogue = with
            .parse()
            .map_err(|wrong: Refusal| Error::malformed(format!("{wrong}.")).field("with").at(wrong.at.unwrap_or(0)))?;
        let wrong = |wrong: BetzaError| Error::malformed(format!("{wrong}.")).field("piece").at(wrong.at);
        let text = self.piece.as_deref().ok_or_else(|| missing("piece"))?.trim();
        let piece = Betza::read(text, catalogue.inventions()).map_err(wrong)?;
        Ok(Priced { exact: exact(&piece, &catalogue), piece })
    }

    /// Address of the piece's page.
    fn address(&self) -> String {
        let with = self.with.as_deref().filter(|with| !with.is_empty());
        let with = with.map_or(String::new(), |with| format!("&with={}", escaped(with)));
        format!("/worth?piece={}{with}", escaped(self.text()))
    }
}

/// A row of the table.
struct AtomLine {
    piece: String,
    token: Arc<str>,
    exact: Exact,
    price: String,
    /// The price in knights; a knight costs 3 zorkmids.
    said: String,
    gauge: ValueEstimate,
    pairs: u32,
}

impl AtomLine {
    fn new(piece: &Betza, exact: Exact, pairs: &PairedResults) -> AtomLine {
        AtomLine {
            piece: piece.to_string(),
            token: drawing(piece, Color::White),
            price: fraction(&exact),
            said: hundredths(in_knights(exact)),
            exact,
            gauge: pairs.gauge(&ruler()),
            pairs: pairs.played(),
        }
    }

    fn worth(&self) -> String {
        hundredths(self.gauge.worth)
    }

    fn low(&self) -> String {
        hundredths(self.gauge.low)
    }

    fn high(&self) -> String {
        hundredths(self.gauge.high)
    }

    fn point(&self) -> Point {
        Point { name: self.piece.clone(), price: in_knights(self.exact), gauge: self.gauge }
    }
}

/// A price in knights, rounded, for comparison with measured values.
fn in_knights(exact: Exact) -> f64 {
    let share = exact / 3;
    *share.numer() as f64 / *share.denom() as f64
}

fn hundredths(number: f64) -> String {
    format!("{number:.2}").replace('-', "−")
}

/// The piece in the query, as the page shows it.
struct Shown {
    row: AtomLine,
    words: String,
    percent: u32,
    progress: MeasurementStatus,
}

#[derive(Template)]
#[template(path = "worth.html")]
struct WorthPage {
    text: String,
    with: String,
    rows: Vec<AtomLine>,
    plot: Plot,
    shown: Option<Shown>,
    wrong: Option<String>,
}

/// The atoms by price. They include the knight, the unit of measurement.
fn rows() -> Vec<AtomLine> {
    let measured = atoms().filter_map(|atom| Some((atom.piece.parse::<Betza>().ok()?, atom.pairs)));
    let none = Catalogue::default();
    let mut rows: Vec<AtomLine> =
        measured.map(|(piece, pairs)| AtomLine::new(&piece, exact(&piece, &none), &pairs)).collect();
    rows.sort_by(|one, two| one.exact.cmp(&two.exact).then_with(|| one.piece.cmp(&two.piece)));
    rows
}

/// `GET /worth`: the table, and the piece in the query.
pub async fn page(State(app): State<Arc<App>>, Query(asked): Query<PieceAsked>) -> Result<Response, Error> {
    let found = if asked.text().is_empty() { Ok(None) } else { shown(&app, &asked).await.map(Some) };
    let (shown, wrong, status) = match found {
        Ok(shown) => (shown, None, StatusCode::OK),
        Err(error) => (None, Some(error.detail().to_owned()), error.kind().status()),
    };
    let rows = rows();
    let points = rows.iter().chain(shown.iter().filter(|shown| shown.row.pairs > 0).map(|shown| &shown.row));
    let plot = Plot::new(points.map(AtomLine::point).collect());
    let with = asked.with.clone().unwrap_or_default();
    let page = WorthPage { text: asked.text().to_owned(), with, rows, plot, shown, wrong };
    Ok((status, render(&page)?).into_response())
}

async fn shown(app: &App, asked: &PieceAsked) -> Result<Shown, Error> {
    let Priced { piece, exact } = asked.priced()?;
    let progress = app.play.measured(&piece).await?;
    let row = AtomLine::new(&piece, exact, &progress.pairs);
    Ok(Shown { percent: 100 * row.pairs / progress.most, words: piece.in_words(), row, progress })
}

/// `POST /worth`: starts the measurement of a piece and redirects to its page.
pub async fn begin(State(app): State<Arc<App>>, Form(asked): Form<PieceAsked>) -> Result<Response, Error> {
    let Priced { piece, .. } = asked.priced()?;
    app.play.measure(&piece).await?;
    Ok(Redirect::to(&asked.address()).into_response())
}
