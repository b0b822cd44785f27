//! A piece as JSON: what it does and what it costs.

use super::{App, Ask, Error, Query, drawing, reached};
use crate::{
    board::{Betza, Color, MovementSummary, Square},
    rules::diagram::Amount,
    variants::csipgs::{
        piece_design, piece_names,
        price::{self, Exact},
    },
    web::openapi,
};
use axum::{
    Json,
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};
use num_rational::Ratio;
use serde::Serialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// A piece.
#[derive(Serialize, ToSchema)]
pub struct PricedPiece {
    /// The text as it was asked for.
    piece: String,
    /// The canonical text of the same piece.
    #[schema(example = "cfFmfW")]
    canonical: String,
    /// The cost before rounding.
    exact: Fraction,
    /// The cost rounded up to the smallest coin, as a whole number or a fraction.
    #[schema(example = "2")]
    price: String,
    /// The terms of the cost. They are summed, then the factors of the whole piece multiply the sum: 9/10 if it is
    /// colourbound, 4 if it is royal, 2 for relay, 6 for doublemove.
    terms: Vec<PricedTerm>,
    /// True if it never leaves the colour of its square.
    colourbound: bool,
    /// True if it is royal.
    royal: bool,
    /// A description of what it does, in plain words.
    words: String,
    /// Notes about what other pages mean by the same text.
    notes: Vec<String>,
    /// Where a white piece that has not moved may go on an empty board without capturing. What passes over pieces does not go there.
    moves: Vec<String>,
    /// The squares that it attacks there.
    captures: Vec<String>,
    /// The names by which people know it, the best known first; none if nobody has named it.
    names: Vec<&'static str>,
    /// A cheaper text of the same moves, if there is one.
    cheaper: Option<CheaperPiece>,
    /// The drawing of a white piece.
    svg: String,
}

/// A text that costs less than another one of the same moves.
#[derive(Serialize, ToSchema)]
pub struct CheaperPiece {
    /// The text.
    #[schema(example = "W")]
    piece: String,
    /// The cost before rounding.
    exact: Fraction,
    /// The cost rounded up to the smallest coin.
    #[schema(example = "2")]
    price: String,
}

/// An exact number.
#[derive(Serialize, ToSchema)]
pub struct Fraction {
    /// The numerator.
    #[schema(example = "27")]
    num: String,
    /// The denominator.
    #[schema(example = "25")]
    den: String,
    /// The number, nearly.
    #[schema(example = 1.08)]
    approx: f64,
}

/// One term of a piece.
#[derive(Serialize, ToSchema)]
pub struct PricedTerm {
    /// As it is written.
    text: String,
    /// The cost of its atom.
    base: Fraction,
    /// The factor by which its modifiers multiply that.
    factor: Fraction,
    /// The product.
    exact: Fraction,
}

impl From<Exact> for Fraction {
    fn from(exact: Exact) -> Fraction {
        // For programs that only draw; what is decided is decided by the exact number.
        let approx = *exact.numer() as f64 / *exact.denom() as f64;
        Fraction { num: exact.numer().to_string(), den: exact.denom().to_string(), approx }
    }
}

/// Prices a piece and says where it goes.
#[utoipa::path(
    get,
    path = "/api/betza",
    operation_id = "describe_piece",
    tag = "pieces",
    params(
        ("piece" = String, Query, description = "the piece in Betza notation, as WFfhN"),
        ("from" = Option<String>, Query, description = "where it stands: a square, the middle (d4 of the ordinary board) if left out"),
        ("files" = Option<u8>, Query, description = "the files of the board, 4 to 8; 8 if left out"),
        ("ranks" = Option<u8>, Query, description = "the ranks of the board, 4 to 8; 8 if left out"),
        ("with" = Option<String>, Query, description = "what has been invented, as `Horse lame(1,2) 2.4; Run runner 5`; nothing if left out"),
        ("quantum" = Option<String>, Query, description = "the smallest coin: 1, 1/2 or 1/10; 1 if left out"),
    ),
    responses(
        (status = 200, description = "The piece", body = PricedPiece),
        openapi::PathErrors,
    )
)]
pub async fn piece(State(app): State<Arc<App>>, Query(ask): Query<Ask>) -> Result<Response, Error> {
    app.play.pools().lookups.run(move || describe(&ask)).await?
}

fn describe(ask: &Ask) -> Result<Response, Error> {
    let text = ask.piece.as_deref().unwrap_or_default();
    let catalogue = ask.catalogue()?;
    let (piece, notes) = Betza::read_noted(text, catalogue.inventions())
        .map_err(|wrong: crate::board::BetzaError| Error::malformed(format!("{wrong}.")).field("piece").at(wrong.at))?;
    let (size, quantum) = (ask.size()?, ask.quantum()?);
    let bill = price::bill(&piece, &catalogue);
    let [moves, captures] =
        reached(&piece, size, ask.from(size)?).map(|squares| squares.iter().map(Square::to_string).collect());
    let rounded = |exact: Exact| Amount(Ratio::new(quantum.price(exact), 10)).to_string();
    let answer = PricedPiece {
        piece: text.to_owned(),
        canonical: piece.to_string(),
        price: rounded(bill.exact),
        exact: bill.exact.into(),
        terms: bill
            .items
            .into_iter()
            .map(|item| PricedTerm {
                text: item.text,
                base: item.base.into(),
                factor: item.factor.into(),
                exact: item.exact.into(),
            })
            .collect(),
        colourbound: piece.colourbound(),
        royal: piece.royal,
        words: piece.in_words(),
        notes,
        moves,
        captures,
        names: piece_names::named(&MovementSummary::of(&piece)).map_or(Vec::new(), |known| known.names.clone()),
        cheaper: piece_design::cheaper(&piece, &catalogue).map(|(better, cost)| CheaperPiece {
            piece: better.to_string(),
            exact: cost.into(),
            price: rounded(cost),
        }),
        svg: drawing(&piece, Color::White).to_string(),
    };
    Ok(([(header::CACHE_CONTROL, "public, max-age=3600")], Json(answer)).into_response())
}
