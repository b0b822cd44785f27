//! The numbers behind a heat map, as JSON or CSV.

use std::{fmt::Write, sync::Arc};

use axum::{extract::State, http::HeaderMap, response::Response};
use serde::Serialize;
use utoipa::ToSchema;

use super::{HeatValue, values_of_four, values_of_three};
use crate::{
    board::Square,
    richman::{self, FourShares, Fraction, Interval, rules},
    web::{
        App, Error,
        endgames::{
            chart_data::{self, Form},
            editor,
            mechanism_query::{self, Money},
            refuse_others,
        },
        extract::{Pairs, Query, parameter},
        openapi,
    },
};

/// One square of a heat map.
#[derive(Serialize, ToSchema)]
pub struct HeatMapSquare {
    /// The name of the square.
    square: String,
    /// The placement with the piece on this square; null if it cannot be there.
    fen: Option<String>,
    /// White's chance to win in that position; null with four pieces.
    value: Option<Fraction>,
    /// Bounds of the share of the money below which Black loses, under the bidding mechanism of the request; null without one.
    share: Option<Interval>,
    /// Bounds of α, with four pieces; else null.
    alpha: Option<Interval>,
    /// Bounds of β, with four pieces; else null.
    beta: Option<Interval>,
    /// Bounds of β − α, with four pieces; else null.
    gap: Option<Interval>,
}

impl HeatMapSquare {
    fn new((square, tried): (Square, Option<HeatValue>)) -> HeatMapSquare {
        let (fen, value, share, four) = match tried {
            Some(HeatValue { value, share, four, fen }) => (Some(fen), value, share, four),
            None => (None, None, None, None),
        };
        let [alpha, beta, gap] = match four {
            Some(FourShares { alpha, beta, gap }) => [alpha, beta, gap].map(Some),
            None => [None, None, None],
        };
        HeatMapSquare { square: square.to_string(), fen, value, share, alpha, beta, gap }
    }
}

/// The numbers behind a heat map.
#[derive(Serialize, ToSchema)]
pub struct HeatMapNumbers {
    /// The placement in the request.
    fen: String,
    /// The FEN letter of the piece.
    piece: String,
    /// All squares, from a1 on.
    squares: Vec<HeatMapSquare>,
    /// Whether there are four pieces.
    #[serde(skip)]
    four: bool,
}

impl HeatMapNumbers {
    fn csv(&self) -> String {
        let mut text = if self.four {
            "square,fen,alpha_lo,alpha_hi,beta_lo,beta_hi,gap_lo,gap_hi\n"
        } else {
            "square,fen,num,den,lo,hi\n"
        }
        .to_owned();
        let bounds = |of: &Option<Interval>| of.as_ref().map_or(",".to_owned(), |of| format!("{},{}", of.lo, of.hi));
        for HeatMapSquare { square, fen, value, share, alpha, beta, gap } in &self.squares {
            let fen = fen.as_deref().unwrap_or_default();
            // Writing to a string cannot fail.
            let _ = if self.four {
                writeln!(text, "{square},{fen},{},{},{}", bounds(alpha), bounds(beta), bounds(gap))
            } else {
                let (num, den) = value.as_ref().map_or(("", ""), |value| (&*value.num, &*value.den));
                writeln!(text, "{square},{fen},{num},{den},{}", bounds(share))
            };
        }
        text
    }
}

/// Returns the numbers behind a heat map: the values of a position with one of its pieces on every other square.
///
/// With four pieces, these are bounds of α, of β and of β − α, if the server has the table.
#[utoipa::path(
    get,
    path = "/api/richman/heat",
    operation_id = "read_heat",
    tag = "endgames",
    params(
        ("fen" = String, Query, description = "position as FEN, as for /api/richman", example = "8/8/8/8/3k4/8/8/K2N4"),
        ("piece" = String, Query, description = "FEN letter of the piece, a capital for White; of two equal pieces, the first from a1 on", example = "N"),
        ("money" = Option<Money>, Query, description = "recipient of the payments, as for /api/richman; each square's `share` then holds the threshold", example = "poorman"),
        ("tau" = Option<String>, Query, description = "bank's share of every payment, as for /api/richman", example = "1/2"),
        ("form" = inline(Option<Form>), Query, description = "`csv` for comma-separated values; `json` by default", example = "csv"),
    ),
    responses(
        (status = 200, description = "The numbers of all squares", content((HeatMapNumbers = "application/json"), (String = "text/csv"))),
        (status = 304, description = "The client already has this answer (If-None-Match)"),
        openapi::PathErrors,
    )
)]
pub async fn heat(
    State(app): State<Arc<App>>,
    Query(query): Query<Pairs>,
    headers: HeaderMap,
) -> Result<Response, Error> {
    refuse_others(&query, &["fen", "piece", "money", "tau", "form", "negative", "tie", "holder", "price"])?;
    let missing = |field: &str| {
        Error::malformed(format!(
            "The parameter {field} is missing. Write ?fen=8/8/8/8/3k4/8/8/K2N4&piece=N, for example."
        ))
        .field(field)
    };
    let question = richman::read(parameter(&query, "fen")?.ok_or_else(|| missing("fen"))?)?;
    let text = parameter(&query, "piece")?.ok_or_else(|| missing("piece"))?;
    let form = match parameter(&query, "form")? {
        None | Some("json") => Form::Json,
        Some("csv") => Form::Csv,
        Some(_) => return Err(Error::malformed("The form must be json or csv.").field("form")),
    };
    let board = rules(question.size);
    let apart = || {
        Error::malformed("There is no heat map for this piece. Choose a piece of a position with at most three pieces, or of one with four whose table this server has.")
            .field("piece")
    };
    let piece = editor::piece(board, text).filter(|_| richman::covers(question.size)).ok_or_else(apart)?;
    let (mechanism, fen, four) = (mechanism_query::parse_mechanism(&query)?, question.fen(), question.is_of_four());
    let (all, digest) = if four {
        values_of_four(&app, &question, piece).await?.ok_or_else(apart)?
    } else {
        let table = app.endgames.table(question.size).await?;
        let work = move || Some((values_of_three(&table, &question, piece, mechanism)?, table.digest().to_owned()));
        app.play.pools().lookups.run(work).await?.ok_or_else(apart)?
    };
    let squares = all.into_iter().map(HeatMapSquare::new).collect();
    let numbers = HeatMapNumbers { fen, piece: text.to_owned(), squares, four };
    let named = format!("heat {} {text} {mechanism:?} {form:?}", numbers.fen);
    let rendered = chart_data::rendered(form, &numbers, || numbers.csv(), (&digest, &named))?;
    chart_data::send(&headers, form, rendered).await
}
