//! An opponent from the lobby in one step.

use std::sync::Arc;

use axum::{
    Json,
    extract::State,
    http::{HeaderMap, StatusCode},
    response::{IntoResponse, Response},
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::begin::{ClockChoice, Sat, clocks, idempotency_key, in_field};
use crate::{
    play::{Begin, Found, Name, Opponent, Wish},
    registry,
    web::{
        App, Base, Error,
        client::Household,
        extract,
        openapi::{self, Problem},
        private,
        seat::optional_owner,
    },
};

/// A game that one would play with anybody.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Seek {
    /// A key of `/api/variants`.
    #[schema(example = "chess")]
    variant: String,
    /// Options of the variant that differ from their defaults.
    #[serde(default)]
    #[schema(value_type = Object)]
    options: Map<String, Value>,
    /// The clocks, as `POST /api/games` takes them.
    #[serde(default)]
    #[schema(value_type = Option<ClockChoice>)]
    clock: Value,
    /// The name you want to be called by.
    name: Option<String>,
}

/// What became of a search.
#[derive(Serialize, ToSchema)]
pub struct Sought {
    /// `joined` a game that waited, `offered` one of your own in the lobby, or one of your own that fits `waits` there already.
    found: &'static str,
    /// The game's id.
    id: String,
    /// The seat and its proof; null for a game of your own that waits already.
    seat: Option<Sat>,
}

/// Sits down at the game of the lobby that fits and has waited longest, or puts one there.
///
/// Without a key of yours the server cannot know that it is you who looks again: a request that is repeated then may find the offer of the first. Send an
/// `Idempotency-Key`, or the key as `Authorization: Bearer` to which the seat is to belong.
#[utoipa::path(
    post,
    path = "/api/lobby",
    operation_id = "seek_game",
    tag = "lobby",
    params((
        "Idempotency-Key" = Option<String>,
        Header,
        description = "a secret of 16 characters or more, as a random UUID: however often the request is sent with it, it takes one seat, which every answer names; where a game of your own waits already it takes none",
    )),
    request_body = Seek,
    responses(
        (status = 200, description = "A game that waited, yours or somebody else's", body = Sought),
        (status = 201, description = "A game of your own, which waits, or waited when it was asked for first", body = Sought),
        (status = 401, description = "There is no such key", body = Problem, content_type = "application/problem+json"),
        (status = 404, description = "There is no such variant", body = Problem, content_type = "application/problem+json"),
        (status = 422, description = "There is no such option or clock, or too many games of yours wait", body = Problem, content_type = "application/problem+json"),
        openapi::OfBody,
    ),
    security((), ("key" = []))
)]
pub async fn seek(
    State(app): State<Arc<App>>,
    base: Base,
    Household(from): Household,
    headers: HeaderMap,
    extract::Json(seek): extract::Json<Seek>,
) -> Result<Response, Error> {
    registry::named(&seek.variant).map_err(in_field("variant"))?;
    let wanted = Begin {
        variant: seek.variant,
        options: seek.options,
        seat: Wish::Random,
        clocks: clocks(&seek.clock).map_err(in_field("clock"))?,
        opponent: Opponent::Open,
        name: Name::optional(seek.name.as_deref().unwrap_or_default()).map_err(in_field("name"))?,
        key: idempotency_key(&headers)?.map(str::to_owned),
        from: Some(from),
        owner: optional_owner(&app, &headers).await?,
    };
    let (status, answer) = match app.play.find(wanted, &[]).await? {
        Found::Waits(id) => (StatusCode::OK, Sought { found: "waits", id, seat: None }),
        Found::Joined(joined) => {
            let seat = Sat::of(&base, joined.id.clone(), joined.seat, &joined.token);
            (StatusCode::OK, Sought { found: "joined", id: joined.id, seat: Some(seat) })
        }
        Found::Offered(begun) => {
            let own = begun.seats.first().map(|(seat, token)| Sat::of(&base, begun.id.clone(), *seat, token));
            (StatusCode::CREATED, Sought { found: "offered", id: begun.id, seat: own })
        }
    };
    Ok(private((status, Json(answer)).into_response()))
}
