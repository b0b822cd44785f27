//! Keys: one secret for all seats of a bot, or of a player with several devices. Also renews the invitation or the token of a seat.

use super::{
    create_game::{Invite, TakenSeatResponse},
    game::{BothClocks, Ending},
    lobby::{OpenGame, open},
    variants::BotAnswer,
};
use crate::{
    game::GameOffers,
    play::{GameSnapshot, Token},
    rules::{GamePhase, Seat},
    web::{
        App, Error, PublicOrigin, extract,
        lobby::{Behind, place},
        openapi::{self, Problem},
        private,
        seat_auth::{actor, owner, proof},
    },
};
use axum::{
    Json,
    extract::State,
    http::{HeaderMap, StatusCode},
    response::{IntoResponse, Response},
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

/// Number of games per page.
const SHOWN: u32 = 50;

/// A key.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewKey {
    /// The key, for `Authorization: Bearer`. A new key is shown only once; the server keeps a digest.
    key: String,
}

/// A game of the key.
#[derive(Serialize, ToSchema)]
pub struct OwnGame {
    /// Id of the game.
    id: String,
    /// Address of the game page.
    url: String,
    /// Key of the variant.
    variant: &'static str,
    /// The seat that the key holds.
    seat: Seat,
    /// Name of the opponent.
    opponent: String,
    /// True if both seats are taken.
    complete: bool,
    /// Number of steps so far.
    ply: usize,
    /// Number of changes of the game that the seat can see.
    version: i64,
    /// True if your seat is to move.
    asked: bool,
    /// Kind of the pending action.
    #[schema(value_type = GamePhase)]
    phase: &'static str,
    /// Clocks of both seats, as in `GET /api/games/{id}`.
    clocks: Option<BothClocks>,
    /// Open offers.
    offers: GameOffers,
    /// Result with `winner` and `reason`; null while the game is running.
    outcome: Option<Ending>,
}

/// The running games of a key, and its bot.
#[derive(Serialize, ToSchema)]
pub struct KeyAnswer {
    /// The bot registered with this key, if any.
    bot: Option<BotAnswer>,
    /// Games, newest first.
    games: Vec<OwnGame>,
    /// Unanswered challenges to the key, newest first.
    challenges: Vec<OpenGame>,
    /// Position of the next page, for `after`; null on the last page.
    next: Option<String>,
}

/// A seat that a key holds.
#[derive(Serialize, ToSchema)]
pub struct OwnedSeat {
    /// Id of the game.
    id: String,
    /// The seat.
    seat: Seat,
}

impl OwnGame {
    /// Entry of a game in the key's list and stream.
    pub(in crate::web) fn of(base: &PublicOrigin, table: &GameSnapshot, seat: Seat) -> OwnGame {
        OwnGame {
            id: table.id().to_owned(),
            url: base.url(&format!("/games/{}", table.id())),
            variant: table.game.key(),
            seat,
            opponent: table.name(!seat),
            complete: table.complete(),
            ply: table.game.ply(),
            version: table.visible_version(&[seat]),
            asked: table.game.awaits().contains(&seat),
            phase: table.game.phase(),
            clocks: BothClocks::of(table.game.clocks()),
            offers: table.game.offers().into(),
            outcome: table.game.outcome().map(Ending::of),
        }
    }
}

/// Creates a key, a secret that holds all seats you take with it: send it as `Authorization: Bearer` to `POST /api/games` and
/// `POST /api/seats`. It works as the token of each seat it holds.
#[utoipa::path(
    post,
    path = "/api/keys",
    operation_id = "make_key",
    tag = "keys",
    responses((status = 201, description = "The key", body = NewKey))
)]
pub async fn make(State(app): State<Arc<App>>) -> Result<Response, Error> {
    let key = app.play.new_key().await?;
    Ok(private((StatusCode::CREATED, Json(NewKey { key: key.as_str().to_owned() })).into_response()))
}

/// Replaces your key. The new key takes over all seats and the bot, and the old one stops working. Turn notifications end, because
/// their secrets derive from the key.
#[utoipa::path(
    post,
    path = "/api/keys/renew",
    operation_id = "renew_key",
    tag = "keys",
    responses((status = 200, description = "The new key", body = NewKey), openapi::KeyErrors),
    security(("key" = []))
)]
pub async fn renew(State(app): State<Arc<App>>, headers: HeaderMap) -> Result<Response, Error> {
    let key = app.play.swap_key(&owner(&app, &headers).await?).await?;
    Ok(private(Json(NewKey { key: key.as_str().to_owned() }).into_response()))
}

/// Lists the running games of your key.
#[utoipa::path(
    get,
    path = "/api/keys/own",
    operation_id = "list_own_games",
    tag = "keys",
    params(Behind),
    responses(
        (status = 200, description = "Up to fifty games", body = KeyAnswer),
        (status = 400, description = "Unknown position in the list", body = Problem, content_type = "application/problem+json"),
        openapi::KeyErrors,
    ),
    security(("key" = []))
)]
pub async fn own(
    State(app): State<Arc<App>>,
    base: PublicOrigin,
    headers: HeaderMap,
    extract::Query(behind): extract::Query<Behind>,
) -> Result<Response, Error> {
    let owner = owner(&app, &headers).await?;
    let key = proof(&headers)?;
    let page = app.play.own_games(&owner, behind.cursor()?.as_ref(), SHOWN).await?;
    let answer = KeyAnswer {
        bot: app.play.program_of(&key).await?.map(BotAnswer::of),
        challenges: app.play.challenges(&owner).await?.iter().filter_map(|table| open(&base, table)).collect(),
        games: page.games.iter().map(|(table, seat)| OwnGame::of(&base, table, *seat)).collect(),
        next: page.next.as_ref().map(place),
    };
    Ok(private(Json(answer).into_response()))
}

/// Gives a seat that you took without a key to a key. The token of the seat stays valid.
#[utoipa::path(
    post,
    path = "/api/games/{id}/key",
    operation_id = "hand_over_seat",
    tag = "keys",
    params(("id" = String, Path, description = "the game's id")),
    request_body = NewKey,
    responses(
        (status = 200, description = "The seat", body = OwnedSeat),
        (status = 422, description = "Unknown key, or the key holds the opponent's seat", body = Problem, content_type = "application/problem+json"),
        openapi::BodyErrors,
        openapi::GameErrors,
    ),
    security(("seat" = []))
)]
pub async fn hand_over(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    extract::Path(id): extract::Path<String>,
    extract::Json(new): extract::Json<NewKey>,
) -> Result<Response, Error> {
    actor(&headers, &*app.play.look(&id).await?)?;
    let unknown = || Error::refused("The key does not exist. Create one with POST /api/keys.").field("key");
    let key: Token = new.key.parse().map_err(|_| unknown())?;
    let owner = app.play.owner(&key).await?.ok_or_else(unknown)?;
    let seat =
        app.play.hand_over(&id, &proof(&headers)?, &owner).await.map_err(|error| Error::from(error).field("key"))?;
    Ok(private(Json(OwnedSeat { id, seat }).into_response()))
}

/// Replaces the invitation to the free seat. The old invitation stops working.
#[utoipa::path(
    post,
    path = "/api/games/{id}/invite",
    operation_id = "renew_invitation",
    tag = "games",
    params(("id" = String, Path, description = "the game's id")),
    responses(
        (status = 200, description = "Invitation for the opponent", body = Invite),
        (status = 422, description = "No seat can be taken by invitation", body = Problem, content_type = "application/problem+json"),
        openapi::GameErrors,
    ),
    security(("seat" = []))
)]
pub async fn invitation(
    State(app): State<Arc<App>>,
    base: PublicOrigin,
    headers: HeaderMap,
    extract::Path(id): extract::Path<String>,
) -> Result<Response, Error> {
    actor(&headers, &*app.play.look(&id).await?)?;
    let code = app.play.renew_invitation(&id).await?;
    Ok(private(Json(Invite::of(&base, code)).into_response()))
}

/// Replaces the token of your seat. The old token stops working, and streams opened with it end.
#[utoipa::path(
    post,
    path = "/api/games/{id}/seat",
    operation_id = "renew_seat",
    tag = "games",
    params(("id" = String, Path, description = "the game's id")),
    responses(
        (status = 200, description = "The seat", body = TakenSeatResponse),
        (status = 422, description = "The game has a rematch", body = Problem, content_type = "application/problem+json"),
        openapi::GameErrors,
    ),
    security(("seat" = []))
)]
pub async fn seat(
    State(app): State<Arc<App>>,
    base: PublicOrigin,
    headers: HeaderMap,
    extract::Path(id): extract::Path<String>,
) -> Result<Response, Error> {
    actor(&headers, &*app.play.look(&id).await?)?;
    let (seat, token) = app.play.renew_seat(&id, &proof(&headers)?).await?;
    Ok(private(Json(TakenSeatResponse::of(&base, id, seat, &token)).into_response()))
}
