//! What the engine thinks: of a game that is over, and of what a player could say.

use std::sync::Arc;

use axum::{
    Json,
    extract::State,
    http::HeaderMap,
    response::{IntoResponse, Response},
};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    play::{Hint, Review, Reviewing},
    web::{
        App, Error, extract,
        openapi::{self, Problem},
        private, seat,
    },
};

/// The engine's opinion on a game, as far as it is known.
#[derive(Serialize, ToSchema)]
pub struct ReviewAnswer {
    /// How far it is: `none` while the game goes on, or if nobody played it; `waiting` while it is being worked out; `later` if too
    /// many games wait; else `known`.
    #[schema(example = "known")]
    state: &'static str,
    /// The opinion, once it is known.
    review: Option<Review>,
}

/// Shows what the engine thinks of a game that is over: a chance for every step, and the three choices that gave most away. The first
/// question about an old game has it worked out; it is an estimate but where the endgame tables reach.
#[utoipa::path(
    get,
    path = "/api/games/{id}/review",
    operation_id = "review_game",
    tag = "games",
    params(("id" = String, Path, description = "the game's id")),
    responses(
        (status = 200, description = "How far it is, and the opinion", body = ReviewAnswer),
        openapi::OfGame,
    )
)]
pub async fn review(State(app): State<Arc<App>>, extract::Path(id): extract::Path<String>) -> Result<Response, Error> {
    let table = app.play.look(&id).await?;
    let (state, review) = match app.play.review(&table).await? {
        Reviewing::Never => ("none", None),
        Reviewing::Waits => ("waiting", None),
        Reviewing::Later => ("later", None),
        Reviewing::Known(review) => ("known", Some((*review).clone())),
    };
    Ok(private(Json(ReviewAnswer { state, review }).into_response()))
}

/// Says what you could do, in a game against a bot of this site: what the endgame tables say where they reach, else what a level would that makes few
/// mistakes. It knows what your seat knows, and says the same for the same moment.
#[utoipa::path(
    get,
    path = "/api/games/{id}/hint",
    operation_id = "hint",
    tag = "games",
    params(("id" = String, Path, description = "the game's id")),
    responses(
        (status = 200, description = "The hint", body = Hint),
        (status = 422, description = "There is none: you are not asked, or it is no game against a bot of this site", body = Problem, content_type = "application/problem+json"),
        openapi::OfGame,
    ),
    security(("seat" = []))
)]
pub async fn hint(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    extract::Path(id): extract::Path<String>,
) -> Result<Response, Error> {
    let table = app.play.look(&id).await?;
    let seat = seat::actor(&headers, &table)?;
    let hint = app.play.hint(&table, seat).await?;
    Ok(private(Json(&*hint).into_response()))
}
