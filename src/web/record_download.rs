//! The record of a game as a file: portable game notation and JSON, as far as whoever asks may know the game.

use super::{
    App, Error, PublicOrigin,
    extract::{Path, prefers},
    openapi, private,
    seat_auth::{ApiViewer, ViewSeat},
};
use crate::{
    game::record,
    play::GameSnapshot,
    rules::{Seat, Viewer},
};
use axum::{
    Json,
    extract::State,
    http::{HeaderMap, header},
    response::{IntoResponse, Response},
};
use mediatype::{MediaType, Name, names};
use serde_json::{Value, json};
use std::sync::Arc;

const PGN: MediaType<'static> = MediaType::new(names::APPLICATION, Name::new_unchecked("x-chess-pgn"));
const PLAIN: MediaType<'static> = MediaType::new(names::TEXT, names::PLAIN);

/// The text in portable game notation.
pub fn pgn_text(table: &GameSnapshot, viewer: Viewer, base: &PublicOrigin) -> String {
    let heading = record::Heading {
        site: base.url(&format!("/games/{}", table.id())),
        begun: table.row.created,
        names: Seat::BOTH.map(|seat| table.name(seat)),
        clocks: table.controls(),
    };
    let games = record::pgn(&table.game, viewer, &heading);
    games.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// The same for programs: what was agreed, who played, everything that was said, and how it ended.
pub fn json_value(table: &GameSnapshot, viewer: Viewer) -> Value {
    let mut json = record::json(&table.game, viewer, table.controls());
    json["id"] = table.id().into();
    json["created"] = table.row.created.into();
    json["players"] = json!({"one": table.name(Seat::One), "two": table.name(Seat::Two)});
    json
}

/// Writes a game down in portable game notation, as far as your seat may know it. Also without `/api`.
#[utoipa::path(
    get,
    path = "/api/games/{id}/record.pgn",
    operation_id = "write_game_as_pgn",
    tag = "games",
    params(("id" = String, Path, description = "the game's id"), ViewSeat),
    responses(
        (status = 200, description = "The game in portable game notation; the same as plain text for whoever prefers that", content(
            (String = "application/x-chess-pgn"),
            (String = "text/plain"),
        )),
        openapi::ViewErrors,
    ),
    security((), ("seat" = []), ("key" = []))
)]
pub async fn pgn(
    State(app): State<Arc<App>>,
    base: PublicOrigin,
    headers: HeaderMap,
    onlooker: ApiViewer,
    Path(id): Path<String>,
) -> Result<Response, Error> {
    let table = app.play.look(&id).await?;
    let viewer = onlooker.viewer(&table)?;
    let plain = prefers(&headers, &PLAIN, &PGN);
    let kind = [
        (header::CONTENT_TYPE, if plain { "text/plain; charset=utf-8" } else { "application/x-chess-pgn" }.to_owned()),
        (header::CONTENT_DISPOSITION, format!("inline; filename=\"zorkmid-{}.pgn\"", table.id())),
    ];
    app.play.pools().games.run(move || Ok(private((kind, pgn_text(&table, viewer, &base)).into_response()))).await?
}

/// Writes a game down for programs, as far as your seat may know it. Also without `/api`.
#[utoipa::path(
    get,
    path = "/api/games/{id}/record.json",
    operation_id = "write_game_as_json",
    tag = "games",
    params(("id" = String, Path, description = "the game's id"), ViewSeat),
    responses(
        (status = 200, description = "The game's agreement, players and end, and in `lines` everything that was said: who (`one`, `two`, `chance`, `server`), the action, null while it is hidden from you, and when, in milliseconds since the epoch", body = Object, content_type = "application/json"),
        openapi::ViewErrors,
    ),
    security((), ("seat" = []), ("key" = []))
)]
pub async fn json(State(app): State<Arc<App>>, onlooker: ApiViewer, Path(id): Path<String>) -> Result<Response, Error> {
    let table = app.play.look(&id).await?;
    let viewer = onlooker.viewer(&table)?;
    app.play.pools().games.run(move || Ok(private(Json(json_value(&table, viewer)).into_response()))).await?
}
