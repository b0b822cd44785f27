//! Bookie positions as JSON, and the optional rules in a query.

use super::{App, Error, PublicOrigin, deal, fresh_path, opened, path};
use crate::{
    board::Color,
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

fn answer(base: &PublicOrigin, code: &Code, options: &Options, reveal: bool) -> Response {
    shown(&path(code, "", options), base, code, options, reveal)
}

/// A position whose page is at `path`.
fn shown(path: &str, base: &PublicOrigin, code: &Code, options: &Options, reveal: bool) -> Response {
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
            return Err(Error::malformed("Write reveal=1 to see pawns and kings too, or leave it out.").field("reveal"));
        }
    };
    Ok(answer(&base, &code, &options(&query, &["reveal"])?, reveal))
}

/// The optional rules in a query, in which nothing else stands but the fields `beside` them.
pub(super) fn options(query: &Pairs, beside: &[&str]) -> Result<Options, OptionError> {
    let pairs = query.iter().map(|(name, text)| (name.as_str(), text.as_str()));
    Options::parse(pairs.filter(|(name, _)| !beside.contains(name)))
}

/// The optional rules for a position that is about to be dealt. With `coin_toss=1` the coin, thrown by `toss`, says who moves first;
/// whether it was thrown is told beside.
pub(super) fn fresh_options(query: &Pairs, toss: impl FnOnce() -> Color) -> Result<(Options, bool), Error> {
    let options = options(query, &["coin_toss"])?;
    let first = parameter(query, "first")?.is_some_and(|text| !text.is_empty());
    match parameter(query, "coin_toss")? {
        None | Some("" | "0") => Ok((options, false)),
        Some("1") if first => {
            let why = "The coin decides who moves first: leave out first or coin_toss.";
            Err(Error::malformed(why).field("coin_toss"))
        }
        Some("1") => Ok((Options { first: toss(), ..options }, true)),
        Some(_) => Err(Error::malformed("Write coin_toss=1 for a coin that decides who moves first, or leave it out.")
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
