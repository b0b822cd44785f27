//! Endpoints that answer challenges. `POST /api/games` creates a challenge.

use super::{create_game::in_field, player_keys::OwnGame};
use crate::{
    play::DeclineReason,
    web::{
        App, Error, PublicOrigin, extract,
        openapi::{self, Problem},
        private,
        seat_auth::owner,
    },
};
use axum::{
    Json,
    extract::State,
    http::{HeaderMap, StatusCode},
    response::{IntoResponse, Response},
};
use serde::Deserialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// Reason for declining a challenge.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DeclineRequest {
    /// The reason, which the challenger sees; `generic` by default.
    #[schema(value_type = Option<DeclineReason>)]
    reason: Option<String>,
}

/// Accepts a challenge to your key. The key then holds the seat. Repeating the request has no effect.
#[utoipa::path(
    post,
    path = "/api/challenges/{id}/accept",
    operation_id = "accept_challenge",
    tag = "challenges",
    params(("id" = String, Path, description = "id of the challenge, which is the game's id")),
    responses(
        (status = 200, description = "The game", body = OwnGame),
        (status = 422, description = "The challenge is over", body = Problem, content_type = "application/problem+json"),
        openapi::GameErrors,
    ),
    security(("key" = []))
)]
pub async fn accept(
    State(app): State<Arc<App>>,
    base: PublicOrigin,
    headers: HeaderMap,
    extract::Path(id): extract::Path<String>,
) -> Result<Response, Error> {
    let (table, seat) = app.play.accept_challenge(&id, &owner(&app, &headers).await?).await?;
    Ok(private(Json(OwnGame::of(&base, &table, seat)).into_response()))
}

/// Declines a challenge to your key. The game ends without a result.
///
/// The body may be missing; the reason is `generic` then.
#[utoipa::path(
    post,
    path = "/api/challenges/{id}/decline",
    operation_id = "decline_challenge",
    tag = "challenges",
    params(("id" = String, Path, description = "id of the challenge, which is the game's id")),
    request_body = ref("#/components/schemas/DeclineRequest"),
    responses(
        (status = 204, description = "The challenge is declined"),
        (status = 422, description = "Unknown reason, or the challenge is over", body = Problem, content_type = "application/problem+json"),
        openapi::BodyErrors,
        openapi::GameErrors,
    ),
    security(("key" = []))
)]
pub async fn decline(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    extract::Path(id): extract::Path<String>,
    decline: Option<extract::Json<DeclineRequest>>,
) -> Result<Response, Error> {
    let owner = owner(&app, &headers).await?;
    let reason = decline.and_then(|extract::Json(decline)| decline.reason);
    let reason: Option<DeclineReason> = reason.as_deref().map(str::parse).transpose().map_err(in_field("reason"))?;
    app.play.decline_challenge(&id, &owner, reason.unwrap_or_default()).await?;
    Ok(private(StatusCode::NO_CONTENT.into_response()))
}
