//! Conditional moves of a seat: replies that the server plays in a correspondence game. Only the seat itself can read or change them.

use crate::{
    play::{self, ConditionalMoves},
    web::{
        App, Error, extract,
        openapi::{self, Problem},
        private, seat_auth,
    },
};
use axum::{
    Json,
    extract::State,
    http::HeaderMap,
    response::{IntoResponse, Response},
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

/// Conditional moves to store.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewConditionalMoves {
    /// Ply at which the lines begin: the current one.
    #[schema(example = 1)]
    ply: usize,
    /// Lines of a move of your opponent, your reply, their next move and so on. Each ends with a reply. All lines together have at most 100
    /// moves. A move is the text of an action or its notation.
    #[schema(example = json!([["e7e5", "g1f3", "b8c6", "f1b5"], ["c7c5", "b1c3"]]))]
    lines: Vec<Vec<String>>,
}

/// Conditional moves of your seat.
#[derive(Serialize, ToSchema)]
pub struct ConditionalMovesAnswer {
    /// Ply at which the lines begin.
    ply: usize,
    /// Lines of actions: a move of your opponent, your reply, and so on. Lines that the game has left are gone.
    #[schema(example = json!([["e7e5", "g1f3"]]))]
    lines: Vec<Vec<String>>,
    /// The same lines in the notation of the variant.
    #[schema(example = json!([["e5", "Nf3"]]))]
    notation: Vec<Vec<String>>,
}

fn answer(moves: &ConditionalMoves) -> Response {
    let lines = moves.lines.iter().map(|line| line.iter().map(|said| said.action.clone()).collect());
    let notation = moves.lines.iter().map(|line| line.iter().map(|said| said.label.clone()).collect());
    let answer = ConditionalMovesAnswer { ply: moves.ply, lines: lines.collect(), notation: notation.collect() };
    private(Json(answer).into_response())
}

/// Returns the conditional moves of your seat. No one else can see them.
#[utoipa::path(
    get,
    path = "/api/games/{id}/conditional_moves",
    operation_id = "conditional_moves",
    tag = "games",
    params(("id" = String, Path, description = "the game's id")),
    responses(
        (status = 200, description = "The lines, empty if there are none", body = ConditionalMovesAnswer),
        openapi::GameErrors,
    ),
    security(("seat" = []), ("key" = []))
)]
pub async fn look(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    extract::Path(id): extract::Path<String>,
) -> Result<Response, Error> {
    let table = app.play.look(&id).await?;
    let seat = seat_auth::actor(&headers, &table)?;
    Ok(answer(&app.play.conditional_moves(&table, seat).await?))
}

/// Stores conditional moves for your seat in place of any earlier ones, while your opponent is to move. When your opponent plays a move of
/// a line, the server plays your reply. Lines that begin with other moves end then, as all do with a takeback.
#[utoipa::path(
    put,
    path = "/api/games/{id}/conditional_moves",
    operation_id = "set_conditional_moves",
    tag = "games",
    params(("id" = String, Path, description = "the game's id")),
    request_body = NewConditionalMoves,
    responses(
        (status = 200, description = "The stored lines", body = ConditionalMovesAnswer),
        (status = 409, description = "The game is at another ply", body = Problem, content_type = "application/problem+json"),
        (status = 422, description = "A move is not possible, or this game has no conditional moves now", body = Problem, content_type = "application/problem+json"),
        openapi::BodyErrors,
        openapi::GameErrors,
    ),
    security(("seat" = []), ("key" = []))
)]
pub async fn set(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    extract::Path(id): extract::Path<String>,
    extract::Json(new): extract::Json<NewConditionalMoves>,
) -> Result<Response, Error> {
    let table = app.play.look(&id).await?;
    let seat = seat_auth::actor(&headers, &table)?;
    match app.play.set_conditional_moves(&table, seat, new.ply, new.lines).await {
        Ok(moves) => Ok(answer(&moves)),
        Err(error @ play::Error::Stale { .. }) => Err(Error::from(error).field("ply")),
        Err(error) => Err(Error::from(error).or_field("lines")),
    }
}

/// Deletes the conditional moves of your seat.
#[utoipa::path(
    delete,
    path = "/api/games/{id}/conditional_moves",
    operation_id = "clear_conditional_moves",
    tag = "games",
    params(("id" = String, Path, description = "the game's id")),
    responses(
        (status = 200, description = "No lines", body = ConditionalMovesAnswer),
        openapi::GameErrors,
    ),
    security(("seat" = []), ("key" = []))
)]
pub async fn clear(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    extract::Path(id): extract::Path<String>,
) -> Result<Response, Error> {
    let table = app.play.look(&id).await?;
    let seat = seat_auth::actor(&headers, &table)?;
    app.play.clear_conditional_moves(&table, seat).await?;
    Ok(answer(&ConditionalMoves { ply: table.game.ply(), lines: Vec::new() }))
}
