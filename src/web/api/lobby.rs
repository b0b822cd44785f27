//! The lobby for programs: the open games, the running games, and an opponent in one step.

use super::create_game::{ClockChoice, TakenSeatResponse, clocks, idempotency_key, in_field};
use crate::{
    game::Clock,
    play::{self, Begin, Found, GameSnapshot, Name, Opponent, SeatPreference},
    registry,
    rules::{Refusal, Seat},
    web::{
        App, Error, PublicOrigin,
        client_address::ClientNetwork,
        extract::{self, Query},
        lobby::{Behind, SHOWN, free, place},
        openapi::{self, Problem},
        private,
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
use std::{str::FromStr, sync::Arc};
use utoipa::{IntoParams, ToSchema};

/// A game that waits for somebody.
#[derive(Serialize, ToSchema)]
pub struct OpenGame {
    /// The game's id, for `POST /api/seats`.
    pub(super) id: String,
    /// The game's page.
    url: String,
    /// The variant's key.
    variant: &'static str,
    /// The options that whoever sits down agrees to.
    #[schema(value_type = Object)]
    options: Value,
    /// The clocks of seat one and seat two, as `POST /api/games` takes them; null for no clock.
    #[schema(value_type = [Option<Clock>; 2])]
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

/// Which games are listed.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Filter {
    /// Only games of this variant, a key of `/api/variants`.
    variant: Option<String>,
}

impl Filter {
    /// The variant, if one is asked for and there is one.
    pub(super) fn variant(&self) -> Result<Option<&'static str>, Error> {
        let Some(key) = &self.variant else { return Ok(None) };
        let unknown = |refusal: Refusal| Error::from(play::Error::Unknown(refusal.why)).field("variant");
        Ok(Some(registry::named(key).map_err(unknown)?.key))
    }
}

/// Which of the two lists.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Listing {
    Open,
    Running,
}

impl FromStr for Listing {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self, Error> {
        match text {
            "open" => Ok(Listing::Open),
            "running" => Ok(Listing::Running),
            _ => Err(Error::malformed("There are two lists: state=open and state=running.").field("state")),
        }
    }
}

/// Which lists are asked for.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Lists {
    /// `open` for the games that wait, `running` for those that are played; both if it is left out.
    state: Option<String>,
}

/// A game that waits, for programs.
pub(super) fn open(base: &PublicOrigin, table: &GameSnapshot) -> Option<OpenGame> {
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

/// Lists the games that wait for somebody, and games to watch: of all variants or of one.
#[utoipa::path(
    get,
    path = "/api/games",
    operation_id = "list_games",
    tag = "lobby",
    params(Behind, Filter, Lists),
    responses(
        (status = 200, description = "At most twelve of each kind", body = LobbyAnswer),
        (status = 404, description = "There is no such variant", body = Problem, content_type = "application/problem+json"),
        (status = 400, description = "There is no such place", body = Problem, content_type = "application/problem+json"),
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
    let only: Option<Listing> = lists.state.as_deref().map(str::parse).transpose()?;
    let (waiting, last) = match only {
        Some(Listing::Running) => (Vec::new(), None),
        Some(Listing::Open) | None => app.play.waiting(variant, behind.cursor()?.as_ref(), SHOWN).await?,
    };
    let running = |table: Arc<GameSnapshot>| RunningGame {
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
        running: match only {
            Some(Listing::Open) => Vec::new(),
            Some(Listing::Running) | None => app.play.running(variant, SHOWN).await?.into_iter().map(running).collect(),
        },
    };
    Ok(private(Json(answer).into_response()))
}

/// A game that one would play with anybody.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Seek {
    /// A key of `/api/variants`.
    #[schema(example = "chess")]
    variant: String,
    /// Options of the variant that differ from their defaults.
    #[serde(default)]
    #[schema(value_type = Object)]
    options: Map<String, Value>,
    /// The clocks, as `POST /api/games` takes them.
    #[serde(default)]
    #[schema(value_type = Option<ClockChoice>)]
    clock: Value,
    /// The name you want to be called by.
    name: Option<String>,
}

/// What became of a search.
#[derive(Serialize, ToSchema)]
pub struct Sought {
    /// `joined` a game that waited, `offered` one of your own in the lobby, or one of your own that fits `waits` there already.
    found: &'static str,
    /// The game's id.
    id: String,
    /// The seat and its proof; null for a game of your own that waits already.
    seat: Option<TakenSeatResponse>,
}

/// Sits down at the game of the lobby that fits and has waited longest, or puts one there.
///
/// Without a key of yours the server cannot know that it is you who looks again: a request that is repeated then may find the offer of the first. Send an
/// `Idempotency-Key`, or the key as `Authorization: Bearer` to which the seat is to belong.
#[utoipa::path(
    post,
    path = "/api/lobby",
    operation_id = "seek_game",
    tag = "lobby",
    params((
        "Idempotency-Key" = Option<String>,
        Header,
        description = "a secret of 16 characters or more, as a random UUID: however often the request is sent with it, it takes one seat, which every answer names; where a game of your own waits already it takes none",
    )),
    request_body = Seek,
    responses(
        (status = 200, description = "A game that waited, yours or somebody else's", body = Sought),
        (status = 201, description = "A game of your own, which waits, or waited when it was asked for first", body = Sought),
        (status = 401, description = "There is no such key", body = Problem, content_type = "application/problem+json"),
        (status = 404, description = "There is no such variant", body = Problem, content_type = "application/problem+json"),
        (status = 422, description = "There is no such option or clock, or too many games of yours wait", body = Problem, content_type = "application/problem+json"),
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
    registry::named(&seek.variant).map_err(in_field("variant"))?;
    let wanted = Begin {
        variant: seek.variant,
        options: seek.options,
        seat: SeatPreference::Random,
        clocks: clocks(&seek.clock).map_err(in_field("clock"))?,
        opponent: Opponent::Open,
        name: Name::optional(seek.name.as_deref().unwrap_or_default()).map_err(in_field("name"))?,
        key: idempotency_key(&headers)?.map(str::to_owned),
        from: Some(from),
        owner: optional_owner(&app, &headers).await?,
    };
    let (status, answer) = match app.play.find(wanted, &[]).await? {
        Found::Waits(id) => (StatusCode::OK, Sought { found: "waits", id, seat: None }),
        Found::Joined(joined) => {
            let seat = TakenSeatResponse::of(&base, joined.id.clone(), joined.seat, &joined.token);
            (StatusCode::OK, Sought { found: "joined", id: joined.id, seat: Some(seat) })
        }
        Found::Offered(begun) => {
            let own =
                begun.seats.first().map(|(seat, token)| TakenSeatResponse::of(&base, begun.id.clone(), *seat, token));
            (StatusCode::CREATED, Sought { found: "offered", id: begun.id, seat: own })
        }
    };
    Ok(private((status, Json(answer)).into_response()))
}
