//! Keys: one secret for all seats of a program or of a player with several devices. Also new keys for a seat: its invitation or its proof.

use super::{
    create_game::{Invite, TakenSeatResponse},
    game::{BothClocks, Ending},
    variants::BotAnswer,
};
use crate::{
    game::Offers,
    play::{GameSnapshot, Token},
    rules::Seat,
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

/// The number of games on one page.
const SHOWN: u32 = 50;

/// A key that was made.
#[derive(Serialize, ToSchema)]
pub struct NewKey {
    /// The key, for `Authorization: Bearer`. It is told once: only its digest is kept.
    key: String,
}

/// A game of a key.
#[derive(Serialize, ToSchema)]
pub struct OwnGame {
    /// The game's id.
    id: String,
    /// The game's page.
    url: String,
    /// The variant's key.
    variant: &'static str,
    /// The key's seat.
    seat: Seat,
    /// The name of the other side.
    opponent: String,
    /// True once both seats are taken.
    complete: bool,
    /// The number of steps that have been taken.
    ply: usize,
    /// The number of times that the game has changed, as far as the seat may know.
    version: i64,
    /// True if the key's seat is asked.
    asked: bool,
    /// The kind of action that is asked for.
    phase: &'static str,
    /// The clocks of both seats, as in `GET /api/games/{id}`.
    clocks: Option<BothClocks>,
    /// What is offered and not yet answered.
    offers: Offers,
    /// The end of the game: `winner` and `reason`; null while it goes on.
    outcome: Option<Ending>,
}

/// The games of a key that are not over, and its bot.
#[derive(Serialize, ToSchema)]
pub struct KeyAnswer {
    /// The bot that plays with this key, if it was registered as one.
    bot: Option<BotAnswer>,
    /// The games, the newest first.
    games: Vec<OwnGame>,
    /// The place of the games behind these, for `after`; null where these are all.
    next: Option<String>,
}

/// A key that a seat is to belong to.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewHolder {
    /// The key.
    key: String,
}

/// The seat that belongs to a key now.
#[derive(Serialize, ToSchema)]
pub struct OwnedSeat {
    /// The game's id.
    id: String,
    /// The seat.
    seat: Seat,
}

impl OwnGame {
    /// A game as the list and the stream of a key tell of it.
    pub(in crate::web) fn of(base: &PublicOrigin, table: &GameSnapshot, seat: Seat) -> OwnGame {
        OwnGame {
            id: table.id().to_owned(),
            url: base.url(&format!("/games/{}", table.id())),
            variant: table.game.key(),
            seat,
            opponent: table.name(!seat),
            complete: table.complete(),
            ply: table.game.ply(),
            version: table.told(&[seat]),
            asked: table.game.awaits().contains(&seat),
            phase: table.game.phase(),
            clocks: BothClocks::of(table.game.clocks()),
            offers: table.game.offers(),
            outcome: table.game.outcome().map(Ending::of),
        }
    }
}

/// Makes a key: a secret of yours that holds all seats that you take with it, as `Authorization: Bearer` of `POST /api/games` and
/// `POST /api/seats`. It proves each of them, wherever the token of a seat does.
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

/// Draws another key in the place of yours, which is good for nothing from then on: all its seats, and its bot, belong to the new one.
/// Notices end, for their secrets are made of the key.
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

/// Lists the games of your key that are not over.
#[utoipa::path(
    get,
    path = "/api/keys/own",
    operation_id = "list_own_games",
    tag = "keys",
    params(Behind),
    responses(
        (status = 200, description = "At most fifty games", body = KeyAnswer),
        (status = 400, description = "There is no such place", body = Problem, content_type = "application/problem+json"),
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
        games: page.games.iter().map(|(table, seat)| OwnGame::of(&base, table, *seat)).collect(),
        next: page.next.as_ref().map(place),
    };
    Ok(private(Json(answer).into_response()))
}

/// Lets a seat that you have taken without a key belong to one from now on. The token of the seat stays good.
#[utoipa::path(
    post,
    path = "/api/games/{id}/key",
    operation_id = "hand_over_seat",
    tag = "keys",
    params(("id" = String, Path, description = "the game's id")),
    request_body = NewHolder,
    responses(
        (status = 200, description = "The seat", body = OwnedSeat),
        (status = 422, description = "There is no such key, or it holds the other seat", body = Problem, content_type = "application/problem+json"),
        openapi::BodyErrors,
        openapi::GameErrors,
    ),
    security(("seat" = []))
)]
pub async fn hand_over(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    extract::Path(id): extract::Path<String>,
    extract::Json(new): extract::Json<NewHolder>,
) -> Result<Response, Error> {
    actor(&headers, &*app.play.look(&id).await?)?;
    let unknown = || Error::refused("There is no such key: make one with POST /api/keys.").field("key");
    let key: Token = new.key.parse().map_err(|_| unknown())?;
    let owner = app.play.owner(&key).await?.ok_or_else(unknown)?;
    let seat =
        app.play.hand_over(&id, &proof(&headers)?, &owner).await.map_err(|error| Error::from(error).field("key"))?;
    Ok(private(Json(OwnedSeat { id, seat }).into_response()))
}

/// Draws another invitation to the seat that is free. The one before leads nowhere from then on.
#[utoipa::path(
    post,
    path = "/api/games/{id}/invite",
    operation_id = "renew_invitation",
    tag = "games",
    params(("id" = String, Path, description = "the game's id")),
    responses(
        (status = 200, description = "The way in for the other side", body = Invite),
        (status = 422, description = "No seat waits for an invitation", body = Problem, content_type = "application/problem+json"),
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

/// Draws another proof of your seat. The one before proves nothing from then on, and streams that were opened with it end.
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
