//! What the engine thinks of a game that is over.

use std::sync::Arc;

use axum::{
    Json,
    extract::State,
    response::{IntoResponse, Response},
};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    play::{Review, Reviewing},
    web::{App, Error, extract, openapi, private},
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
