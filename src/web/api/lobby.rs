//! The lobby for API clients: open games, running games, and pairing with an opponent.

use super::create_game::{ClockChoice, Idempotency, TakenSeatResponse, TimeControls, clocks, in_field, request_secret};
use crate::{
    game::{Clock, TimeControl},
    play::{Begin, Found, GameSnapshot, Name, Opponent, SeatPreference},
    registry,
    rules::Seat,
    web::{
        App, Error, PublicOrigin,
        client_address::ClientNetwork,
        extract::{self, Query},
        lobby::{Behind, SHOWN, free, place},
        openapi::{self, Problem},
        private,
        record_download::PlayerNames,
        seat_auth::optional_owner,
    },
};
use axum::{
    Json,
    extract::State,
    http::{HeaderMap, StatusCode},
    response::{IntoResponse, Response},
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::sync::Arc;
use utoipa::{IntoParams, ToSchema};

/// A game with a free seat.
#[derive(Serialize, ToSchema)]
pub struct OpenGame {
    /// Id of the game, for `POST /api/seats`.
    pub(super) id: String,
    /// Address of the game page.
    url: String,
    /// Key of the variant.
    variant: &'static str,
    /// Options of the game.
    #[schema(value_type = Object)]
    options: Value,
    /// Time controls of both seats.
    clocks: TimeControls,
    /// Former form of `clocks`: a list, in days and seconds.
    #[schema(value_type = [Option<TimeControl>; 2])]
    clock: [Option<Clock>; 2],
    /// The free seat.
    seat: Seat,
    /// Name of the waiting player.
    host: String,
    /// Creation time in milliseconds since the epoch.
    created: i64,
    /// For a challenge, the time at which it expires, in milliseconds since the epoch. Null in the lobby.
    expires: Option<i64>,
}

/// A running game.
#[derive(Serialize, ToSchema)]
pub struct RunningGame {
    /// Id of the game.
    id: String,
    /// Address of the game page.
    url: String,
    /// Key of the variant.
    variant: &'static str,
    /// Names of the players.
    names: PlayerNames,
    /// Former form of `names`, seat one first.
    players: [String; 2],
    /// Number of steps so far.
    ply: usize,
    /// Number of spectators.
    spectators: usize,
}

/// The lobby.
#[derive(Serialize, ToSchema)]
pub struct LobbyAnswer {
    /// Open games, newest first.
    open: Vec<OpenGame>,
    /// Position of the next page, for `after`; null on the last page.
    next: Option<String>,
    /// Running games against bots or from the lobby, the last played first.
    running: Vec<RunningGame>,
}

/// Filter by variant.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Filter {
    /// Only games of this variant, a key in `/api/variants`.
    variant: Option<String>,
}

impl Filter {
    /// Filter by a variant, if there is one.
    pub(super) fn by(variant: Option<String>) -> Filter {
        Filter { variant }
    }

    /// Key of the variant to filter by.
    pub(super) fn variant(&self) -> Result<Option<&'static str>, Error> {
        let Some(key) = &self.variant else { return Ok(None) };
        Ok(Some(registry::find_or_refuse(key).map_err(in_field("variant"))?.key))
    }
}

/// A list of the lobby.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum GameList {
    /// Open games.
    Open,
    /// Running games.
    Running,
}

/// Choice of the lists.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Lists {
    /// `open` for open games, `running` for running games; both if absent.
    #[param(inline)]
    state: Option<GameList>,
}

/// An open game as the API describes it.
pub(super) fn open(base: &PublicOrigin, table: &GameSnapshot) -> Option<OpenGame> {
    Some(OpenGame {
        url: base.url(&format!("/games/{}", table.id())),
        id: table.id().to_owned(),
        variant: table.game.key(),
        options: Value::Object(table.options()),
        clocks: table.controls().into(),
        clock: table.controls(),
        seat: free(table)?,
        host: free(table).map(|seat| table.name(!seat))?,
        created: table.row.created,
        expires: table.challenge_expires(),
    })
}

/// Lists open games and games to watch, of all variants or of one.
#[utoipa::path(
    get,
    path = "/api/games",
    operation_id = "list_games",
    tag = "lobby",
    params(Behind, Filter, Lists),
    responses(
        (status = 200, description = "At most twelve games per list", body = LobbyAnswer),
        (status = 422, description = "Unknown variant", body = Problem, content_type = "application/problem+json"),
        (status = 400, description = "Unknown position in the list", body = Problem, content_type = "application/problem+json"),
    )
)]
pub async fn games(
    State(app): State<Arc<App>>,
    base: PublicOrigin,
    Query(behind): Query<Behind>,
    Query(filter): Query<Filter>,
    Query(lists): Query<Lists>,
) -> Result<Response, Error> {
    let variant = filter.variant()?;
    let only = lists.state;
    let (waiting, last) = match only {
        Some(GameList::Running) => (Vec::new(), None),
        Some(GameList::Open) | None => app.play.waiting(variant, behind.cursor()?.as_ref(), SHOWN).await?,
    };
    let running = |table: Arc<GameSnapshot>| RunningGame {
        url: base.url(&format!("/games/{}", table.id())),
        id: table.id().to_owned(),
        variant: table.game.key(),
        names: PlayerNames::of(&table),
        players: Seat::BOTH.map(|seat| table.name(seat)),
        ply: table.game.ply(),
        spectators: app.streams.audience(table.id()).spectators,
    };
    let answer = LobbyAnswer {
        open: waiting.iter().filter_map(|table| open(&base, table)).collect(),
        next: last.as_ref().map(place),
        running: match only {
            Some(GameList::Open) => Vec::new(),
            Some(GameList::Running) | None => {
                app.play.running(variant, SHOWN).await?.into_iter().map(running).collect()
            }
        },
    };
    Ok(private(Json(answer).into_response()))
}

/// A game to find an opponent for.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Seek {
    /// Key of a variant in `/api/variants`.
    #[schema(example = "chess")]
    variant: String,
    /// Options that differ from the variant's defaults.
    #[serde(default)]
    #[schema(value_type = Object)]
    options: Map<String, Value>,
    /// Clocks, in the format of `POST /api/games`.
    #[serde(default)]
    #[schema(value_type = Option<ClockChoice>)]
    clock: Value,
    /// Your name in the game.
    name: Option<String>,
}

/// How a search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum SeekResult {
    /// You joined an open game.
    Joined,
    /// A game of yours is now open.
    Offered,
    /// A matching game of yours was already open.
    Waits,
}

/// Result of a search.
#[derive(Serialize, ToSchema)]
pub struct SeekAnswer {
    /// `joined`: you joined an open game. `offered`: a game of yours is now open. `waits`: a matching game of yours was already open.
    found: SeekResult,
    /// Id of the game.
    id: String,
    /// Your seat and its token; null if a game of yours was already open.
    seat: Option<TakenSeatResponse>,
}

/// Joins the oldest matching open game, or opens one of yours.
///
/// Without a key the server cannot recognize you, so a repeated request could join your own first offer. Send an `Idempotency-Key`,
/// or a key as `Authorization: Bearer`, which then holds the seat.
#[utoipa::path(
    post,
    path = "/api/lobby",
    operation_id = "seek_game",
    tag = "lobby",
    params(Idempotency),
    request_body = Seek,
    responses(
        (status = 200, description = "An open game that you joined, or that was yours already", body = SeekAnswer),
        (status = 201, description = "A new open game of yours", body = SeekAnswer),
        (status = 401, description = "Unknown key", body = Problem, content_type = "application/problem+json"),
        (status = 422, description = "Invalid variant, option or clock, or too many open games", body = Problem, content_type = "application/problem+json"),
        openapi::BodyErrors,
    ),
    security((), ("key" = []))
)]
pub async fn seek(
    State(app): State<Arc<App>>,
    base: PublicOrigin,
    ClientNetwork(from): ClientNetwork,
    headers: HeaderMap,
    extract::Json(seek): extract::Json<Seek>,
) -> Result<Response, Error> {
    registry::find_or_refuse(&seek.variant).map_err(in_field("variant"))?;
    let wanted = Begin {
        variant: seek.variant,
        options: seek.options,
        seat: SeatPreference::Random,
        clocks: clocks(&seek.clock).map_err(in_field("clock"))?,
        claim_days: None,
        opponent: Opponent::Open,
        name: Name::optional(seek.name.as_deref().unwrap_or_default()).map_err(in_field("name"))?,
        key: request_secret(&headers)?,
        from: Some(from),
        owner: optional_owner(&app, &headers).await?,
    };
    let (status, answer) = match app.play.find(wanted, &[]).await? {
        Found::Waits(id) => (StatusCode::OK, SeekAnswer { found: SeekResult::Waits, id, seat: None }),
        Found::Joined(joined) => {
            let seat = TakenSeatResponse::of(&base, joined.id.clone(), joined.seat, &joined.token);
            (StatusCode::OK, SeekAnswer { found: SeekResult::Joined, id: joined.id, seat: Some(seat) })
        }
        Found::Offered(begun) => {
            let own =
                begun.seats.first().map(|(seat, token)| TakenSeatResponse::of(&base, begun.id.clone(), *seat, token));
            (StatusCode::CREATED, SeekAnswer { found: SeekResult::Offered, id: begun.id, seat: own })
        }
    };
    Ok(private((status, Json(answer)).into_response()))
}
