//! Downloads of game records as PGN and JSON, with the information that the viewer may see.

use super::{
    App, Error, PublicOrigin,
    api::{
        create_game::TimeControls,
        game::{Ending, Points},
    },
    extract::{Path, Query, prefers},
    openapi::{self, Problem},
    private,
    seat_auth::{ApiViewer, ViewSeat},
};
use crate::{
    game::{Clock, TimeControl, record},
    play::{self, GameSnapshot},
    rules::{Seat, Viewer},
};
use axum::{
    Json,
    extract::State,
    http::{HeaderMap, header},
    response::{IntoResponse, Response},
};
use mediatype::{MediaType, Name, names};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::Arc;
use utoipa::{IntoParams, ToSchema};

const PGN: MediaType<'static> = MediaType::new(names::APPLICATION, Name::new_unchecked("x-chess-pgn"));
const PLAIN: MediaType<'static> = MediaType::new(names::TEXT, names::PLAIN);

/// Record in PGN.
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

/// Actor of a line of the record.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum RecordActor {
    /// The player of seat one.
    One,
    /// The player of seat two.
    Two,
    /// Chance.
    Chance,
    /// The server.
    Server,
}

/// A line of the record.
#[derive(Serialize, ToSchema)]
pub struct RecordedLine {
    /// Actor of the line.
    actor: RecordActor,
    /// Text of the action; null while it is hidden from you.
    action: Option<String>,
    /// Time in milliseconds since the epoch.
    time: i64,
}

/// Names of the players.
#[derive(Serialize, ToSchema)]
pub struct PlayerNames {
    /// Name of seat one's player.
    one: String,
    /// Name of seat two's player.
    two: String,
}

impl PlayerNames {
    /// Names of a game's players.
    pub(super) fn of(table: &GameSnapshot) -> PlayerNames {
        PlayerNames { one: table.name(Seat::One), two: table.name(Seat::Two) }
    }
}

/// The record of a game. The structure only describes the JSON, which [`json_value`] writes.
#[derive(Serialize, ToSchema)]
pub struct GameRecord {
    /// Id of the game.
    id: String,
    /// Key of the variant.
    variant: String,
    /// Version of the rules.
    rules_version: u32,
    /// Options of the game.
    #[schema(value_type = Object)]
    options: Value,
    /// Time controls of both seats.
    clocks: TimeControls,
    /// Former form of `clocks`: a list, in days and seconds.
    #[schema(value_type = [Option<TimeControl>; 2])]
    clock: [Option<Clock>; 2],
    /// Creation time in milliseconds since the epoch.
    created: i64,
    /// Players of the game.
    players: PlayerNames,
    /// All actions, in order.
    lines: Vec<RecordedLine>,
    /// Number of steps so far, including those of chance.
    ply: usize,
    /// Result; null while the game is running.
    outcome: Option<Ending>,
    /// Points of both seats, as exact fractions.
    score: Points,
    /// The position; null if it has no FEN.
    fen: Option<String>,
}

/// Record as JSON: options, players, all actions and the result.
pub fn json_value(table: &GameSnapshot, viewer: Viewer) -> Value {
    let mut json = record::json(&table.game, viewer, table.controls());
    json["id"] = table.id().into();
    json["created"] = table.row.created.into();
    json["players"] = json!(PlayerNames::of(table));
    json
}

/// Returns the game record in PGN, with the information that your seat may see. Also available without `/api`.
#[utoipa::path(
    get,
    path = "/api/games/{id}/record.pgn",
    operation_id = "write_game_as_pgn",
    tag = "games",
    params(("id" = String, Path, description = "the game's id"), ViewSeat),
    responses(
        (status = 200, description = "The game in PGN, as plain text if the client prefers it", content(
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
    let viewer = onlooker.viewer(&app, &table).await?;
    let plain = prefers(&headers, &PLAIN, &PGN);
    let kind = [
        (header::CONTENT_TYPE, if plain { "text/plain; charset=utf-8" } else { "application/x-chess-pgn" }.to_owned()),
        (header::CONTENT_DISPOSITION, format!("inline; filename=\"zorkmid-{}.pgn\"", table.id())),
        (header::VARY, "accept".to_owned()),
    ];
    let public = viewer.is_none() && table.game.outcome().is_some();
    let kept =
        table.pgn.get().filter(|(origin, _)| public && *origin == base.url("")).map(|(_, text)| text.to_string());
    let text = match kept {
        Some(text) => text,
        None => {
            let write = move || {
                let text = pgn_text(&table, viewer, &base);
                if public {
                    let _ = table.pgn.set((base.url(""), text.as_str().into()));
                }
                text
            };
            app.play.pools().games.run(write).await?
        }
    };
    let response = (kind, text).into_response();
    Ok(if public { response } else { private(response) })
}

/// Returns the game record as JSON, with the information that your seat may see. Also available without `/api`.
#[utoipa::path(
    get,
    path = "/api/games/{id}/record.json",
    operation_id = "write_game_as_json",
    tag = "games",
    params(("id" = String, Path, description = "the game's id"), ViewSeat),
    responses(
        (status = 200, description = "The record", body = GameRecord, content_type = "application/json"),
        openapi::ViewErrors,
    ),
    security((), ("seat" = []), ("key" = []))
)]
pub async fn json(State(app): State<Arc<App>>, onlooker: ApiViewer, Path(id): Path<String>) -> Result<Response, Error> {
    let table = app.play.look(&id).await?;
    let viewer = onlooker.viewer(&app, &table).await?;
    app.play.pools().games.run(move || Ok(private(Json(json_value(&table, viewer)).into_response()))).await?
}

/// Most games whose records one request returns.
const MOST_RECORDS: usize = 100;

/// Choice of the games.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct ChosenGames {
    /// Ids of up to 100 games, separated by commas.
    #[param(example = "k3v9m2xq,7fj2m4pz")]
    ids: String,
}

/// Returns the records of several games as spectators may see them: a line of JSON for each, in the given order. The line of an unknown game
/// has `id` and `error`. For `Accept: application/x-chess-pgn` or `text/plain`, returns the known games in PGN.
#[utoipa::path(
    get,
    path = "/api/records",
    operation_id = "write_games",
    tag = "games",
    params(ChosenGames),
    responses(
        (status = 200, description = "The records", content(
            (String = "application/x-ndjson"),
            (String = "application/x-chess-pgn"),
            (String = "text/plain"),
        )),
        (status = 400, description = "No ids, or too many", body = Problem, content_type = "application/problem+json"),
    )
)]
pub async fn many(
    State(app): State<Arc<App>>,
    base: PublicOrigin,
    headers: HeaderMap,
    Query(chosen): Query<ChosenGames>,
) -> Result<Response, Error> {
    let ids: Vec<&str> = chosen.ids.split(',').map(str::trim).filter(|id| !id.is_empty()).collect();
    if !(1..=MOST_RECORDS).contains(&ids.len()) {
        let why = format!("Name 1 to {MOST_RECORDS} games by their ids, separated by commas.");
        return Err(Error::malformed(why).field("ids"));
    }
    let lines = MediaType::new(names::APPLICATION, Name::new_unchecked("x-ndjson"));
    let plain = prefers(&headers, &PLAIN, &lines);
    let in_pgn = plain || prefers(&headers, &PGN, &lines);
    let mut text = String::new();
    for id in ids {
        text.push_str(&match app.play.look(id).await {
            Ok(table) => {
                let base = base.clone();
                let write = move || match in_pgn {
                    true => format!("{}\n", pgn_text(&table, None, &base)),
                    false => format!("{}\n", json_value(&table, None)),
                };
                app.play.pools().games.run(write).await?
            }
            Err(play::Error::Unknown(_)) if in_pgn => String::new(),
            Err(unknown @ play::Error::Unknown(_)) => {
                format!("{}\n", json!({"id": id, "error": Error::from(unknown).detail()}))
            }
            Err(error) => return Err(error.into()),
        });
    }
    let kind = match in_pgn {
        true if plain => "text/plain; charset=utf-8".to_owned(),
        true => PGN.to_string(),
        false => lines.to_string(),
    };
    let kind = [(header::CONTENT_TYPE, kind), (header::VARY, "accept".to_owned())];
    Ok(private((kind, text).into_response()))
}
