//! Bookie positions as JSON.

use super::{App, Base, Error, deal, fresh_path, opened, path, query::options};
use crate::{
    variants::bookie::{self, Code, Options},
    web::{
        extract::{Pairs, Path, Query, parameter},
        openapi, private,
    },
};
use axum::{
    Json,
    extract::State,
    response::{IntoResponse, Response},
};
use serde::Serialize;
use std::sync::Arc;
use utoipa::{IntoParams, ToSchema};

/// A position: its code, its page and what may be seen of it.
#[derive(Serialize, ToSchema)]
pub struct BookiePosition {
    /// The 64 characters that carry the whole board.
    #[schema(min_length = 64, max_length = 64, pattern = "^[A-Za-z0-9_-]{64}$")]
    code: String,
    /// The page of the position, with its optional rules.
    url: String,
    /// Six fields. Before the reveal it holds only knights, bishops, rooks and queens.
    #[schema(example = "8/2R3n1/8/4Q3/1b6/8/3q4/8 w - - 0 1")]
    fen: String,
}

/// The optional rules of a position.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "a description of what is read field by field")]
struct OptionalRules {
    /// The side that moves first: white or black.
    first: Option<String>,
    /// By what the stakes grow if nobody concedes, as 2 or 5/2.
    double: Option<String>,
    /// 1 if a drawn game counts as won by Black.
    black_wins_draws: Option<String>,
    /// By how many percent one player's gains grow.
    handicap: Option<String>,
    /// Whose gains: white, black, one or two.
    handicapped: Option<String>,
}

fn answer(base: &Base, code: &Code, options: &Options, reveal: bool) -> Response {
    shown(&path(code, "", options), base, code, options, reveal)
}

/// A position whose page is at `path`.
fn shown(path: &str, base: &Base, code: &Code, options: &Options, reveal: bool) -> Response {
    let whole = opened(code, options);
    let seen = if reveal { whole } else { bookie::officers(&whole) };
    let position = BookiePosition { code: code.to_string(), url: base.url(path), fen: bookie::board().fen(&seen) };
    private(Json(position).into_response())
}

/// Deals a fresh position and shows its officers.
#[utoipa::path(
    get,
    path = "/api/bookie",
    operation_id = "deal_bookie",
    tag = "bookie",
    params(OptionalRules),
    responses(
        (status = 200, description = "The position", body = BookiePosition),
        openapi::OfAddress,
    )
)]
pub async fn fresh(State(app): State<Arc<App>>, base: Base, Query(query): Query<Pairs>) -> Result<Response, Error> {
    let (options, tossed) = super::query::fresh(&query, || app.play.coin())?;
    let code = deal(&app)?;
    Ok(shown(&fresh_path(&code, &options, tossed), &base, &code, &options, false))
}

/// Shows the officers of a position, or all of it.
#[utoipa::path(
    get,
    path = "/api/bookie/{code}",
    operation_id = "open_bookie",
    tag = "bookie",
    params(
        ("code" = String, Path, description = "the 64 characters of the position"),
        ("reveal" = Option<String>, Query, description = "1 to see pawns and kings too"),
        OptionalRules,
    ),
    responses(
        (status = 200, description = "The position", body = BookiePosition),
        openapi::OfAddress,
    )
)]
pub async fn position(base: Base, Path(code): Path<String>, Query(query): Query<Pairs>) -> Result<Response, Error> {
    let code: Code = code.parse()?;
    let reveal = match parameter(&query, "reveal")?.unwrap_or_default() {
        "" | "0" | "false" => false,
        "1" | "true" => true,
        _ => {
            return Err(Error::malformed("Write reveal=1 to see pawns and kings too, or leave it out.").field("reveal"));
        }
    };
    Ok(answer(&base, &code, &options(&query, &["reveal"])?, reveal))
}
