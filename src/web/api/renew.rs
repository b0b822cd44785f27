//! New keys for old chairs: the invitation of a seat that is free, and the proof of one's own.

use std::sync::Arc;

use axum::{
    Json,
    extract::State,
    http::HeaderMap,
    response::{IntoResponse, Response},
};

use super::begin::{Invite, Sat};
use crate::web::{
    App, Base, Error, extract,
    openapi::{self, Problem},
    private,
    seat::{actor, proof},
};

/// Draws another invitation to the seat that is free. The one before leads nowhere from then on.
#[utoipa::path(
    post,
    path = "/api/games/{id}/invite",
    operation_id = "renew_invitation",
    tag = "games",
    params(("id" = String, Path, description = "the game's id")),
    responses(
        (status = 200, description = "The way in for the other side", body = Invite),
        (status = 422, description = "No seat waits for an invitation", body = Problem, content_type = "application/problem+json"),
        openapi::OfGame,
    ),
    security(("seat" = []))
)]
pub async fn invitation(
    State(app): State<Arc<App>>,
    base: Base,
    headers: HeaderMap,
    extract::Path(id): extract::Path<String>,
) -> Result<Response, Error> {
    actor(&headers, &*app.play.look(&id).await?)?;
    let code = app.play.renew_invitation(&id).await?;
    Ok(private(Json(Invite::of(&base, code)).into_response()))
}

/// Draws another proof of your seat. The one before proves nothing from then on, and streams that were opened with it end.
#[utoipa::path(
    post,
    path = "/api/games/{id}/seat",
    operation_id = "renew_seat",
    tag = "games",
    params(("id" = String, Path, description = "the game's id")),
    responses(
        (status = 200, description = "The seat", body = Sat),
        (status = 422, description = "The game has a rematch", body = Problem, content_type = "application/problem+json"),
        openapi::OfGame,
    ),
    security(("seat" = []))
)]
pub async fn seat(
    State(app): State<Arc<App>>,
    base: Base,
    headers: HeaderMap,
    extract::Path(id): extract::Path<String>,
) -> Result<Response, Error> {
    actor(&headers, &*app.play.look(&id).await?)?;
    let (seat, token) = app.play.renew_seat(&id, &proof(&headers)?).await?;
    Ok(private(Json(Sat::of(&base, id, seat, &token)).into_response()))
}
