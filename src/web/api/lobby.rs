//! The lobby for programs: the games that wait, and the games that are played.

use std::sync::Arc;

use axum::{
    Json,
    extract::State,
    response::{IntoResponse, Response},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::str::FromStr;
use utoipa::{IntoParams, ToSchema};

use crate::{
    game::Clock,
    play::{self, LiveGame},
    registry,
    rules::{Refusal, Seat},
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
pub(super) fn open(base: &Base, table: &LiveGame) -> Option<OpenGame> {
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
    base: Base,
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
        running: match only {
            Some(Listing::Open) => Vec::new(),
            Some(Listing::Running) | None => app.play.running(variant, SHOWN).await?.into_iter().map(running).collect(),
        },
    };
    Ok(private(Json(answer).into_response()))
}
