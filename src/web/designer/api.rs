//! A piece as JSON: its moves and its price.

use super::{App, Error, PieceParameters, Query, drawing, reached};
use crate::{
    board::{Betza, Color, MovementSummary, Square},
    rules::diagram::Amount,
    variants::csipgs::{
        piece_design, piece_names,
        price::{self, Exact, Quantum},
    },
    web::{extract::missing, openapi},
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
    /// The text in the request.
    piece: String,
    /// The canonical text of the same piece.
    #[schema(example = "cfFmfW")]
    canonical: String,
    /// The price before rounding; null if the notation of other programs is used, such as `R4`, which has no price.
    exact: Option<Fraction>,
    /// The price rounded up to the smallest coin, as a whole number or a fraction; null if there is none.
    #[schema(example = "2")]
    price: Option<String>,
    /// The terms of the price, empty if there is none. Their sum is multiplied by the factors of the whole piece: 9/10 if it is colourbound, 4 if it is royal, 2 for
    /// relay, 6 for doublemove.
    terms: Vec<PricedTerm>,
    /// True if the piece never leaves the colour of its square.
    colourbound: bool,
    /// True if the piece is royal.
    royal: bool,
    /// A description of the moves in words.
    words: String,
    /// Notes on other meanings of the same text elsewhere.
    notes: Vec<String>,
    /// Squares to which an unmoved white piece can move on an empty board. Moves that need a piece to jump over are not included.
    moves: Vec<String>,
    /// The squares that the piece attacks there.
    captures: Vec<String>,
    /// The names of the piece, the best known first; empty if it has none.
    names: Vec<&'static str>,
    /// A cheaper text of the same moves; null if there is none.
    cheaper: Option<CheaperPiece>,
    /// An SVG drawing of a white piece.
    svg: String,
}

/// A cheaper text of the same moves.
#[derive(Serialize, ToSchema)]
pub struct CheaperPiece {
    /// The text.
    #[schema(example = "W")]
    piece: String,
    /// The price before rounding.
    exact: Fraction,
    /// The price rounded up to the smallest coin.
    #[schema(example = "2")]
    price: String,
}

/// An exact fraction.
#[derive(Serialize, ToSchema)]
pub struct Fraction {
    /// The numerator.
    #[schema(example = "27")]
    num: String,
    /// The denominator.
    #[schema(example = "25")]
    den: String,
    /// The value, rounded to a floating-point number.
    #[schema(example = 1.08)]
    approx: f64,
}

/// One term of a price.
#[derive(Serialize, ToSchema)]
pub struct PricedTerm {
    /// The text of the term.
    text: String,
    /// The price of its atom.
    base: Fraction,
    /// The factor of its modifiers.
    factor: Fraction,
    /// The product of both.
    exact: Fraction,
}

impl From<Exact> for Fraction {
    fn from(exact: Exact) -> Fraction {
        // For display only; all comparisons use the exact fraction.
        let approx = *exact.numer() as f64 / *exact.denom() as f64;
        Fraction { num: exact.numer().to_string(), den: exact.denom().to_string(), approx }
    }
}

/// Returns a piece's price, moves and names.
#[utoipa::path(
    get,
    path = "/api/betza",
    operation_id = "describe_piece",
    tag = "pieces",
    params(
        ("piece" = String, Query, description = "piece in Betza notation, such as WFfhN, or in that of other programs, such as R4 or gQ", example = "WFfhN"),
        ("from" = Option<String>, Query, description = "square of the piece; by default the middle of the board, d4 on 8×8"),
        ("files" = Option<u8>, Query, description = "number of files, 4 to 8; 8 by default"),
        ("ranks" = Option<u8>, Query, description = "number of ranks, 4 to 8; 8 by default"),
        ("with" = Option<String>, Query, description = "inventions, such as `Horse lame(1,2) 2.4; Run runner 5`; none by default"),
        ("quantum" = Option<Quantum>, Query, description = "smallest coin; 1 by default"),
    ),
    responses(
        (status = 200, description = "The piece", body = PricedPiece),
        openapi::PathErrors,
    )
)]
pub async fn piece(State(app): State<Arc<App>>, Query(ask): Query<PieceParameters>) -> Result<Response, Error> {
    app.play.pools().lookups.run(move || describe(&ask)).await?
}

fn describe(ask: &PieceParameters) -> Result<Response, Error> {
    let text = ask.piece.as_deref().ok_or_else(|| missing("piece"))?;
    let catalogue = ask.catalogue()?;
    let (piece, notes) = Betza::read_free(text, catalogue.inventions())
        .map_err(|wrong: crate::board::BetzaError| Error::malformed(format!("{wrong}.")).field("piece").at(wrong.at))?;
    let (size, quantum) = (ask.size()?, ask.quantum()?);
    let bill = (!piece.is_free()).then(|| price::breakdown(&piece, &catalogue));
    let [moves, captures] =
        reached(&piece, size, ask.from(size)?).map(|squares| squares.iter().map(Square::to_string).collect());
    let rounded = |exact: Exact| Amount(Ratio::new(quantum.price(exact), 10)).to_string();
    let answer = PricedPiece {
        piece: text.to_owned(),
        canonical: piece.to_string(),
        price: bill.as_ref().map(|bill| rounded(bill.exact)),
        exact: bill.as_ref().map(|bill| bill.exact.into()),
        terms: bill
            .into_iter()
            .flat_map(|bill| bill.items)
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
        cheaper: piece_design::cheaper(&piece, &catalogue)
            .filter(|_| !piece.is_free())
            .map(|(better, cost)| CheaperPiece { piece: better.to_string(), exact: cost.into(), price: rounded(cost) }),
        svg: drawing(&piece, Color::White).to_string(),
    };
    Ok(([(header::CACHE_CONTROL, "public, max-age=3600")], Json(answer)).into_response())
}
