//! The record of a game as a file: portable game notation and JSON, as far as whoever asks may know the game.

use super::{
    App, Base, Error,
    extract::Path,
    openapi, private,
    seat::{Eyes, Onlooker},
};
use crate::{
    game::{Clock, record},
    play::LiveGame,
    rules::{Seat, Viewer},
};
use axum::{
    Json,
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};
use serde_json::{Value, json};
use std::sync::Arc;

/// The text in portable game notation.
pub fn pgn_text(table: &LiveGame, viewer: Viewer, base: &Base) -> String {
    let heading = record::Heading {
        site: base.url(&format!("/games/{}", table.id())),
        begun: table.row.created,
        names: Seat::BOTH.map(|seat| table.name(seat)),
        control: control(table.controls()),
    };
    record::pgn(&*table.game, viewer, heading).to_string()
}

/// Clocks as portable game notation writes them; unequal ones with a bar between.
fn control(clocks: [Option<Clock>; 2]) -> Option<String> {
    let word = |clock: Option<Clock>| match clock {
        None => "-".to_owned(),
        Some(Clock::Days { days }) => format!("1/{}", u64::from(days) * 86_400),
        Some(Clock::Fischer { initial, increment }) => format!("{initial}+{increment}"),
    };
    let [one, two] = clocks.map(word);
    match (clocks, one == two) {
        ([None, None], _) => None,
        (_, true) => Some(one),
        (_, false) => Some(format!("{one}|{two}")),
    }
}

/// The same for programs: what was agreed, who played, how it ended, and the score sheet with the actions' own texts.
pub fn json_value(table: &LiveGame, viewer: Viewer) -> Value {
    let outcome = table.game.outcome();
    let diagram = table.game.diagram(viewer);
    let score = table.game.score();
    json!({
        "id": table.id(),
        "variant": table.game.key(),
        "options": table.options(),
        "created": table.row.created,
        "clock": table.controls(),
        "players": {"one": table.name(Seat::One), "two": table.name(Seat::Two)},
        "ply": table.game.ply(),
        "outcome": outcome.map(|outcome| json!({"winner": outcome.winner(), "reason": outcome.reason()})),
        "score": {"one": score[0].to_string(), "two": score[1].to_string()},
        "sheet": diagram.sheet,
        "fen": diagram.fen,
        "tags": diagram.tags.into_iter().collect::<std::collections::BTreeMap<_, _>>(),
    })
}

/// Writes a game down in portable game notation, as far as your seat may know it. Also without `/api`.
#[utoipa::path(
    get,
    path = "/api/games/{id}/record.pgn",
    params(("id" = String, Path, description = "the game's id"), Eyes),
    responses(
        (status = 200, description = "The game in portable game notation", body = String, content_type = "application/x-chess-pgn"),
        openapi::OfGame,
    )
)]
pub async fn pgn(
    State(app): State<Arc<App>>,
    base: Base,
    onlooker: Onlooker,
    Path(id): Path<String>,
) -> Result<Response, Error> {
    let table = app.play.look(&id).await?;
    let viewer = onlooker.viewer(&table)?;
    let kind = [
        (header::CONTENT_TYPE, "application/x-chess-pgn".to_owned()),
        (header::CONTENT_DISPOSITION, format!("inline; filename=\"zorkmid-{}.pgn\"", table.id())),
    ];
    Ok(private((kind, pgn_text(&table, viewer, &base)).into_response()))
}

/// Writes a game down for programs, as far as your seat may know it. Also without `/api`.
#[utoipa::path(
    get,
    path = "/api/games/{id}/record.json",
    params(("id" = String, Path, description = "the game's id"), Eyes),
    responses(
        (status = 200, description = "The game's agreement, players, end and score sheet", body = Object, content_type = "application/json"),
        openapi::OfGame,
    )
)]
pub async fn json(State(app): State<Arc<App>>, onlooker: Onlooker, Path(id): Path<String>) -> Result<Response, Error> {
    let table = app.play.look(&id).await?;
    let viewer = onlooker.viewer(&table)?;
    Ok(private(Json(json_value(&table, viewer)).into_response()))
}
