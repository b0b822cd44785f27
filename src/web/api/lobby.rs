//! The lobby for programs: the games that wait, and the games that are played.

use std::sync::Arc;

use axum::{
    Json,
    extract::State,
    response::{IntoResponse, Response},
};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::{
    play::LiveGame,
    rules::Seat,
    web::{
        App, Base, Error,
        extract::Query,
        lobby::{Behind, SHOWN, free, place},
        openapi::Problem,
        private,
    },
};

/// A game that waits for somebody.
#[derive(Serialize, ToSchema)]
pub struct OpenGame {
    /// The game's id, for `POST /api/seats`.
    id: String,
    /// The game's page.
    url: String,
    /// The variant's key.
    variant: &'static str,
    /// The options that whoever sits down agrees to.
    #[schema(value_type = Object)]
    options: Value,
    /// The clocks of seat one and seat two, as `POST /api/games` takes them; null for no clock.
    #[schema(value_type = Vec<Object>)]
    clock: Value,
    /// The seat that is free.
    seat: Seat,
    /// The name of whoever waits.
    host: String,
    /// When it was offered, in milliseconds since the epoch.
    created: i64,
}

/// A game that is being played.
#[derive(Serialize, ToSchema)]
pub struct RunningGame {
    /// The game's id.
    id: String,
    /// The game's page.
    url: String,
    /// The variant's key.
    variant: &'static str,
    /// The names of both players, seat one's first.
    players: [String; 2],
    /// The number of steps that have been taken.
    ply: usize,
    /// The number of spectators who follow it live.
    spectators: usize,
}

/// The lobby.
#[derive(Serialize, ToSchema)]
pub struct LobbyAnswer {
    /// The games that wait, the newest first.
    open: Vec<OpenGame>,
    /// The place of the games behind these, for `after`; null where these are all.
    next: Option<String>,
    /// The games that are being played against bots or began in the lobby, the last played first.
    running: Vec<RunningGame>,
}

fn open(base: &Base, table: &LiveGame) -> Option<OpenGame> {
    Some(OpenGame {
        url: base.url(&format!("/games/{}", table.id())),
        id: table.id().to_owned(),
        variant: table.game.key(),
        options: Value::Object(table.options()),
        clock: serde_json::to_value(table.controls()).unwrap_or_default(),
        seat: free(table)?,
        host: free(table).map(|seat| table.name(!seat))?,
        created: table.row.created,
    })
}

/// Lists the games that wait for somebody, and games to watch.
#[utoipa::path(
    get,
    path = "/api/games",
    params(Behind),
    responses(
        (status = 200, description = "At most twelve of each kind", body = LobbyAnswer),
        (status = 400, description = "There is no such place", body = Problem, content_type = "application/problem+json"),
    )
)]
pub async fn games(State(app): State<Arc<App>>, base: Base, Query(behind): Query<Behind>) -> Result<Response, Error> {
    let (waiting, last) = app.play.waiting(behind.cursor()?.as_ref(), SHOWN).await?;
    let running = |table: Arc<LiveGame>| RunningGame {
        url: base.url(&format!("/games/{}", table.id())),
        id: table.id().to_owned(),
        variant: table.game.key(),
        players: Seat::BOTH.map(|seat| table.name(seat)),
        ply: table.game.ply(),
        spectators: app.streams.audience(table.id()).spectators,
    };
    let answer = LobbyAnswer {
        open: waiting.iter().filter_map(|table| open(&base, table)).collect(),
        next: last.as_ref().map(place),
        running: app.play.running(SHOWN).await?.into_iter().map(running).collect(),
    };
    Ok(private(Json(answer).into_response()))
}
