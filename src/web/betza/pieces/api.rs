//! The list of named pieces as JSON.

use super::{Hunt, escaped, given};
use crate::{
    rules::diagram::Amount,
    variants::csipgs::piece_names::Named,
    web::{
        App, Error,
        betza::{api::Fraction, read_quantum},
        client::Base,
        extract::Query,
        openapi,
    },
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

/// The pieces that a question asks for.
#[derive(Serialize, ToSchema)]
pub struct NamedPieces {
    /// By what they cost; first those of exactly the name that was asked for.
    pieces: Vec<NamedPiece>,
}

/// A piece that people know by name.
#[derive(Serialize, ToSchema)]
pub struct NamedPiece {
    /// Its names, the best known first.
    names: Vec<&'static str>,
    /// The games and people that it comes from.
    origin: &'static str,
    /// Its canonical text.
    #[schema(example = "cfFmfW")]
    piece: String,
    /// The cost before rounding.
    exact: Fraction,
    /// The cost rounded up to the smallest coin, as a whole number or a fraction.
    #[schema(example = "2")]
    price: String,
    /// A description of what it does, in plain words.
    words: String,
    /// Its page in the workshop.
    url: String,
}

/// Finds named pieces by name, by what they do and by what they cost.
#[utoipa::path(
    get,
    path = "/api/pieces",
    operation_id = "find_pieces",
    tag = "pieces",
    params(
        ("name" = Option<String>, Query, description = "a part of a name or of where it comes from"),
        ("like" = Option<String>, Query, description = "a piece in Betza notation to compare with, as WFfhN"),
        ("how" = Option<String>, Query, description = "same: does the same as `like` (if left out); within: a part of it and nothing else; beyond: all of it and perhaps more"),
        ("least" = Option<String>, Query, description = "the least exact cost: 3, 2.5 or 27/10"),
        ("most" = Option<String>, Query, description = "the most exact cost"),
        ("quantum" = Option<String>, Query, description = "the smallest coin: 1, 1/2 or 1/10; 1 if left out"),
    ),
    responses(
        (status = 200, description = "The pieces", body = NamedPieces),
        openapi::OfAddress,
    )
)]
pub async fn pieces(State(app): State<Arc<App>>, base: Base, Query(hunt): Query<Hunt>) -> Result<Response, Error> {
    app.play.pools().lookups.run(move || found(&base, &hunt)).await?
}

fn found(base: &Base, hunt: &Hunt) -> Result<Response, Error> {
    let quantum = read_quantum(given(hunt.quantum.as_ref()))?;
    let piece = |known: &'static Named| {
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
