//! Beginning a game, and sitting down at one.

use std::sync::Arc;

use axum::{
    Json,
    extract::State,
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::{
    game::{Clock, Clocks},
    play::{self, Begin, JoinRequest, Name, Opponent, SeatPreference, Token},
    registry::{self as list, Variant},
    rules::{Refusal, Seat},
    web::{
        App, Error, PublicOrigin,
        client_address::ClientNetwork,
        extract,
        openapi::{self, Problem},
        private,
        seat_auth::optional_owner,
    },
};

/// The clocks of a game: one for both sides, or a list of two.
#[derive(Deserialize, ToSchema)]
#[serde(untagged)]
pub enum ClockChoice {
    /// The same for both.
    Both(Clock),
    /// Seat one's and seat two's; null for no clock.
    Each([Option<Clock>; 2]),
}

/// A game to begin.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewGame {
    /// A key of `/api/variants`.
    #[schema(example = "chess")]
    variant: String,
    /// Options of the variant that differ from their defaults.
    #[serde(default)]
    #[schema(value_type = Object)]
    options: Map<String, Value>,
    /// `one` (the default), `two` or `random`.
    seat: Option<String>,
    /// `null` for no clock, `{"days": 2}`, `{"initial": 300, "increment": 3}` in seconds, or a list of two of these for unequal
    /// clocks.
    #[serde(default)]
    #[schema(value_type = Option<ClockChoice>)]
    clock: Value,
    /// `link` (the default), `open`, `self`, `bot:NAME` or, for a bot of `/api/bots`, `program:NAME`.
    opponent: Option<String>,
    /// The name you want to be called by.
    name: Option<String>,
}

/// A seat and its proofs.
#[derive(Serialize, ToSchema)]
pub struct OwnSeat {
    /// Which seat.
    seat: Seat,
    /// The private link: whoever opens it sits there.
    url: String,
    /// The proof, for `Authorization: Bearer`.
    token: String,
}

/// The way in for the other side.
#[derive(Serialize, ToSchema)]
pub struct Invite {
    /// A link that can be used once.
    url: String,
    /// The same as a short code.
    code: String,
}

/// A game that was begun.
#[derive(Serialize, ToSchema)]
pub struct NewGameAnswer {
    /// The game's id.
    id: String,
    /// The game's page, for everybody.
    url: String,
    /// Your own seats.
    seats: Vec<OwnSeat>,
    /// The way in for the other side, if somebody is to come.
    invite: Option<Invite>,
}

/// A seat to take: with an invitation's code, or in an open game of the lobby.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Sit {
    /// The invitation's code.
    code: Option<String>,
    /// The id of an open game.
    game: Option<String>,
    /// The name you want to be called by.
    name: Option<String>,
}

/// A seat that was taken.
#[derive(Serialize, ToSchema)]
pub struct TakenSeatResponse {
    /// The game's id.
    id: String,
    /// Which seat.
    seat: Seat,
    /// The private link of the seat.
    url: String,
    /// Its proof.
    token: String,
}

impl Invite {
    /// The invitation of a code.
    pub(super) fn of(base: &PublicOrigin, code: String) -> Invite {
        Invite { url: base.url(&format!("/invite/{code}")), code }
    }
}

impl TakenSeatResponse {
    /// The seat of a game that a token proves.
    pub(super) fn of(base: &PublicOrigin, id: String, seat: Seat, token: &Token) -> TakenSeatResponse {
        let OwnSeat { url, token, .. } = own(base, seat, token);
        TakenSeatResponse { id, seat, url, token }
    }
}

/// The key that makes a request that is sent twice count once.
pub(super) fn idempotency_key(headers: &HeaderMap) -> Result<Option<&str>, Error> {
    let key = headers.get("idempotency-key").map(HeaderValue::to_str).transpose();
    key.map_err(|_| Error::malformed("The Idempotency-Key must be plain text.").field("Idempotency-Key"))
}

/// Reads the clocks of a game to begin.
pub fn clocks(value: &Value) -> Result<[Option<Clock>; 2], Refusal> {
    let one = |value: &Value| match value {
        Value::Null => Ok(None),
        other => serde_json::from_value(other.clone()).map(Some).map_err(|_| {
            Refusal::new(
                "a clock is null, {\"days\": 2}, {\"initial\": 300, \"increment\": 3}, or a list of two of these",
            )
        }),
    };
    match value {
        Value::Array(each) => match each.as_slice() {
            [first, second] => Ok([one(first)?, one(second)?]),
            _ => Err(Refusal::new("a list of clocks has two: seat one’s and seat two’s")),
        },
        both => one(both).map(|clock| [clock; 2]),
    }
}

pub(in crate::web) fn in_field(field: &'static str) -> impl Fn(Refusal) -> Error {
    move |refusal| Error::from(play::Error::Refused(refusal)).field(field)
}

/// The field that is at fault where a game cannot begin: the first option that is refused even by itself, all of them together, or
/// the clocks; nothing if such a game could begin.
fn blamed(variant: &Variant, options: &Map<String, Value>, clocks: [Option<Clock>; 2]) -> Option<String> {
    let begins = |options: &Map<String, Value>, clocks| variant.begin(options, Clocks::new(clocks)).is_ok();
    let alone = |(key, value): &(&String, &Value)| Map::from_iter([((*key).clone(), (*value).clone())]);
    match options.iter().find(|option| !begins(&alone(option), [None; 2])) {
        Some((key, _)) => Some(format!("options.{key}")),
        None if !begins(options, [None; 2]) => Some("options".to_owned()),
        None => {
            let sensible = clocks.iter().flatten().all(|clock| clock.sensible());
            (!sensible || !begins(options, clocks)).then(|| "clock".to_owned())
        }
    }
}

fn own(base: &PublicOrigin, seat: Seat, token: &Token) -> OwnSeat {
    OwnSeat { seat, url: base.url(&format!("/seat/{}", token.as_str())), token: token.as_str().to_owned() }
}

/// Begins a game. No account: the answer holds the proofs of your seats. With a key as `Authorization: Bearer` your seat belongs to that.
#[utoipa::path(
    post,
    path = "/api/games",
    operation_id = "begin_game",
    tag = "games",
    params((
        "Idempotency-Key" = Option<String>,
        Header,
        description = "a secret of 16 characters or more, as a random UUID: however often the request is sent with it, one game is begun, and every answer is the same",
    )),
    request_body = NewGame,
    responses(
        (status = 201, description = "The game", body = NewGameAnswer),
        (status = 401, description = "There is no such key", body = Problem, content_type = "application/problem+json"),
        (status = 422, description = "There is no such variant, option, seat, clock or opponent", body = Problem, content_type = "application/problem+json"),
        openapi::BodyErrors,
    ),
    security((), ("key" = []))
)]
pub async fn begin(
    State(app): State<Arc<App>>,
    base: PublicOrigin,
    ClientNetwork(from): ClientNetwork,
    headers: HeaderMap,
    extract::Json(new): extract::Json<NewGame>,
) -> Result<Response, Error> {
    let variant = list::named(&new.variant).map_err(in_field("variant"))?;
    let given = new.options.clone();
    let timed = clocks(&new.clock).map_err(in_field("clock"))?;
    let begin = Begin {
        variant: new.variant,
        options: new.options,
        seat: new.seat.as_deref().unwrap_or("one").parse::<SeatPreference>().map_err(in_field("seat"))?,
        clocks: timed,
        opponent: new.opponent.as_deref().unwrap_or("link").parse::<Opponent>().map_err(in_field("opponent"))?,
        name: Name::optional(new.name.as_deref().unwrap_or_default()).map_err(in_field("name"))?,
        key: idempotency_key(&headers)?.map(str::to_owned),
        from: Some(from),
        owner: optional_owner(&app, &headers).await?,
    };
    let begun = match app.play.begin(begin).await {
        Ok(begun) => begun,
        Err(error @ play::Error::Refused(_)) => {
            let field = app.play.pools().games.run(move || blamed(variant, &given, timed)).await?;
            let error = Error::from(error);
            return Err(match field {
                Some(field) => error.field(field),
                None => error,
            });
        }
        Err(other) => return Err(other.into()),
    };
    let url = base.url(&format!("/games/{}", begun.id));
    let answer = NewGameAnswer {
        seats: begun.seats.iter().map(|(seat, token)| own(&base, *seat, token)).collect(),
        invite: begun.invite.map(|code| Invite::of(&base, code)),
        id: begun.id,
        url: url.clone(),
    };
    let mut response = (StatusCode::CREATED, Json(answer)).into_response();
    response.headers_mut().insert(header::LOCATION, HeaderValue::from_str(&url).map_err(Error::broken)?);
    Ok(private(response))
}

/// Takes a free seat, once. With a key as `Authorization: Bearer` it belongs to that.
///
/// A request that is sent again with the same `Idempotency-Key`, because its answer was lost, gets the same seat.
#[utoipa::path(
    post,
    path = "/api/seats",
    operation_id = "take_seat",
    tag = "games",
    params(("Idempotency-Key" = Option<String>, Header, description = "a secret of yours, as a random UUID, that makes the seat once")),
    request_body = Sit,
    responses(
        (status = 200, description = "The seat", body = TakenSeatResponse),
        (status = 401, description = "There is no such key", body = Problem, content_type = "application/problem+json"),
        (status = 404, description = "There is no such invitation", body = Problem, content_type = "application/problem+json"),
        (status = 422, description = "The invitation has been used", body = Problem, content_type = "application/problem+json"),
        openapi::BodyErrors,
    ),
    security((), ("key" = []))
)]
pub async fn sit(
    State(app): State<Arc<App>>,
    base: PublicOrigin,
    headers: HeaderMap,
    extract::Json(sit): extract::Json<Sit>,
) -> Result<Response, Error> {
    let name = Name::optional(sit.name.as_deref().unwrap_or_default()).map_err(in_field("name"))?;
    let guest = JoinRequest { name, key: idempotency_key(&headers)?, owner: optional_owner(&app, &headers).await? };
    let joined = match (sit.code, sit.game) {
        (Some(code), None) => app.play.join(&code, guest).await.map_err(|error| Error::from(error).or_field("code"))?,
        (None, Some(game)) => {
            app.play.join_open(&game, guest).await.map_err(|error| Error::from(error).or_field("game"))?
        }
        (Some(_), Some(_)) | (None, None) => {
            return Err(
                Error::refused("Give either the code of an invitation, or the game of the lobby.").field("code")
            );
        }
    };
    Ok(private(Json(TakenSeatResponse::of(&base, joined.id, joined.seat, &joined.token)).into_response()))
}
