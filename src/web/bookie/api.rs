//! Bookie Chess positions as JSON, and the parser of optional rules in a query.

use super::{App, Error, PublicOrigin, deal, fresh_path, opened, path};
use crate::{
    board::Color,
    rules::Side,
    variants::bookie::{self, Code, CodeError, OptionError, Options},
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

/// A Bookie Chess position: its code, its page and the visible part of its board.
#[derive(Serialize, ToSchema)]
pub struct BookiePosition {
    /// 64 characters that encode the full board.
    #[schema(min_length = 64, max_length = 64, pattern = "^[A-Za-z0-9_-]{64}$")]
    code: String,
    /// URL of the position's page, including the optional rules.
    url: String,
    /// FEN with six fields. Without `reveal` it holds only knights, bishops, rooks and queens.
    #[schema(example = "8/2R3n1/8/4Q3/1b6/8/3q4/8 w - - 0 1")]
    fen: String,
}

#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "documents the query for OpenAPI; the handler parses it field by field")]
struct OptionalRules {
    /// Side that moves first; `white` by default.
    first: Option<Side>,
    /// Multiplier of the stakes if neither player concedes, such as `2` or `5/2`.
    double: Option<String>,
    /// `1` if a draw counts as a win for Black.
    black_wins_draws: Option<String>,
    /// Percentage that is added to one player's gains.
    handicap: Option<String>,
    /// Player with the handicap: `white`, `black`, `one` or `two`.
    #[param(pattern = "^(white|black|one|two)?$")]
    handicapped: Option<String>,
}

fn answer(base: &PublicOrigin, code: &Code, options: &Options, reveal: bool) -> Response {
    shown(&path(code, "", options), base, code, options, reveal)
}

fn shown(path: &str, base: &PublicOrigin, code: &Code, options: &Options, reveal: bool) -> Response {
    let whole = opened(code, options);
    let seen = if reveal { whole } else { bookie::officers(&whole) };
    let position = BookiePosition { code: code.to_string(), url: base.url(path), fen: bookie::board().fen(&seen) };
    private(Json(position).into_response())
}

/// Deals a position and returns its knights, bishops, rooks and queens. Pawns and kings stay hidden.
#[utoipa::path(
    get,
    path = "/api/bookie",
    operation_id = "deal_bookie",
    tag = "bookie",
    params(
        OptionalRules,
        ("coin_toss" = Option<String>, Query, description = "1 to choose the side that moves first by coin; excludes `first`"),
    ),
    responses(
        (status = 200, description = "The position", body = BookiePosition),
        openapi::PathErrors,
    )
)]
pub async fn fresh(
    State(app): State<Arc<App>>,
    base: PublicOrigin,
    Query(query): Query<Pairs>,
) -> Result<Response, Error> {
    let (options, tossed) = fresh_options(&query, || app.play.coin())?;
    let code = deal(&app)?;
    Ok(shown(&fresh_path(&code, &options, tossed), &base, &code, &options, false))
}

/// Returns the visible part of a position: knights, bishops, rooks and queens, or all pieces with `reveal=1`.
#[utoipa::path(
    get,
    path = "/api/bookie/{code}",
    operation_id = "open_bookie",
    tag = "bookie",
    params(
        ("code" = String, Path, description = "64-character code of the position"),
        ("reveal" = Option<String>, Query, description = "1 to include pawns and kings"),
        OptionalRules,
    ),
    responses(
        (status = 200, description = "The position", body = BookiePosition),
        openapi::PathErrors,
    )
)]
pub async fn position(
    base: PublicOrigin,
    Path(code): Path<String>,
    Query(query): Query<Pairs>,
) -> Result<Response, Error> {
    let code: Code = code.parse()?;
    let reveal = match parameter(&query, "reveal")?.unwrap_or_default() {
        "" | "0" | "false" => false,
        "1" | "true" => true,
        _ => {
            return Err(Error::malformed("Write reveal=1 to include pawns and kings, or leave it out.").field("reveal"));
        }
    };
    Ok(answer(&base, &code, &options(&query, &["reveal"])?, reveal))
}

/// Parses the optional rules in a query. Skips the fields in `beside` and rejects all other unknown fields.
pub(super) fn options(query: &Pairs, beside: &[&str]) -> Result<Options, OptionError> {
    let pairs = query.iter().map(|(name, text)| (name.as_str(), text.as_str()));
    Options::parse(pairs.filter(|(name, _)| !beside.contains(name)))
}

/// Parses the optional rules of a position to be dealt. With `coin_toss=1`, `toss` chooses the first mover.
/// The flag in the result is set if the coin was tossed.
pub(super) fn fresh_options(query: &Pairs, toss: impl FnOnce() -> Color) -> Result<(Options, bool), Error> {
    let options = options(query, &["coin_toss"])?;
    let first = parameter(query, "first")?.is_some_and(|text| !text.is_empty());
    match parameter(query, "coin_toss")? {
        None | Some("" | "0") => Ok((options, false)),
        Some("1") if first => {
            let why = "With coin_toss=1, a coin chooses the first mover. Leave out first or coin_toss.";
            Err(Error::malformed(why).field("coin_toss"))
        }
        Some("1") => Ok((Options { first: toss(), ..options }, true)),
        Some(_) => Err(Error::malformed("Write coin_toss=1 to choose the first mover by coin, or leave it out.")
            .field("coin_toss")),
    }
}

impl From<OptionError> for Error {
    fn from(wrong: OptionError) -> Error {
        Error::malformed(format!("The rule option “{}” cannot be read: {}.", wrong.field, wrong.why))
            .field(wrong.field)
            .at(wrong.at)
    }
}

impl From<CodeError> for Error {
    fn from(wrong: CodeError) -> Error {
        let error = Error::malformed(wrong.to_string()).field("code");
        match wrong {
            CodeError::Alphabet { at, .. } => error.at(at),
            CodeError::Length { .. } | CodeError::Tag | CodeError::Board { .. } => error,
        }
    }
}
