//! Endpoints that create and join games.

use std::sync::Arc;

use axum::{
    Json,
    extract::State,
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::{IntoParams, ToSchema};

use crate::{
    game::{Clock, Clocks, TimeControl},
    play::{self, Begin, IdempotencyKey, JoinRequest, Name, Opponent, RequestSecret, SeatPreference, Token},
    registry::{self as list, Variant},
    rules::{Refusal, Seat},
    web::{
        App, Error, PublicOrigin,
        client_address::ClientNetwork,
        extract,
        openapi::{self, Problem},
        private,
        seat_auth::{bearer, optional_owner},
    },
};

/// Time controls of both seats.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TimeControls {
    /// Seat one's time control; null for no clock.
    one: Option<TimeControl>,
    /// Seat two's time control; null for no clock.
    two: Option<TimeControl>,
}

impl From<[Option<Clock>; 2]> for TimeControls {
    fn from(clocks: [Option<Clock>; 2]) -> Self {
        let [one, two] = clocks.map(|clock| clock.map(TimeControl::from));
        TimeControls { one, two }
    }
}

/// The clocks of a game: one for both players, or one for each. A list of two is the former form of the second one.
#[derive(Deserialize, ToSchema)]
#[serde(untagged)]
pub enum ClockChoice {
    /// Different clocks.
    Each(TimeControls),
    /// The same clock for both players.
    Both(TimeControl),
    /// Seat one's and seat two's clock; null for no clock.
    List([Option<TimeControl>; 2]),
}

/// A game to create.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewGame {
    /// Key of a variant in `/api/variants`.
    #[schema(example = "chess")]
    variant: String,
    /// Options that differ from the variant's defaults.
    #[serde(default)]
    #[schema(value_type = Object)]
    options: Map<String, Value>,
    /// `one` (the default), `two` or `random`.
    #[schema(value_type = Option<SeatPreference>)]
    seat: Option<String>,
    /// `null` for no clock, `{"move_ms": 172800000}` for two days per move, `{"initial_ms": 300000, "increment_ms": 3000}`, or an object
    /// with one of these for each seat: `{"one": …, "two": …}`.
    #[serde(default)]
    #[schema(value_type = Option<ClockChoice>)]
    clock: Value,
    /// For a game without a clock: time without an action after which the opponent can claim the game, 1 to 365 whole days in milliseconds;
    /// 14 days by default.
    claim_ms: Option<i64>,
    /// Former name of `claim_ms`, in days.
    claim_days: Option<u32>,
    /// `link` (the default), `open`, `self`, `bot:NAME`, `program:NAME` for a bot in `/api/bots`, or `challenge:NAME` to challenge a bot
    /// with your key.
    #[schema(pattern = "^(link|open|self|bot:.+|program:.+|challenge:.+)$")]
    opponent: Option<String>,
    /// Your name in the game.
    name: Option<String>,
}

/// A seat and its secrets.
#[derive(Serialize, ToSchema)]
pub struct OwnSeat {
    /// The seat.
    seat: Seat,
    /// Private link of the seat. It gives the seat to anyone who opens it.
    url: String,
    /// Token of the seat, for `Authorization: Bearer`.
    token: String,
}

/// Invitation for the opponent.
#[derive(Serialize, ToSchema)]
pub struct Invite {
    /// Link that works once.
    url: String,
    /// The invitation as a short code.
    code: String,
}

/// A created game.
#[derive(Serialize, ToSchema)]
pub struct NewGameAnswer {
    /// Id of the game.
    id: String,
    /// Public address of the game page.
    url: String,
    /// Your seats.
    seats: Vec<OwnSeat>,
    /// Invitation for the opponent, if a seat is free.
    invite: Option<Invite>,
}

/// A seat to take: by an invitation code, or in an open game of the lobby.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SeatToTake {
    /// Invitation code.
    code: Option<String>,
    /// Id of an open game.
    game: Option<String>,
    /// Your name in the game.
    name: Option<String>,
}

/// A taken seat.
#[derive(Serialize, ToSchema)]
#[schema(as = TakenSeat)]
pub struct TakenSeatResponse {
    /// Id of the game.
    id: String,
    /// The seat.
    seat: Seat,
    /// Private link of the seat.
    url: String,
    /// Token of the seat.
    token: String,
}

impl Invite {
    /// Invitation with a code.
    pub(super) fn of(base: &PublicOrigin, code: String) -> Invite {
        Invite { url: base.url(&format!("/invite/{code}")), code }
    }
}

impl TakenSeatResponse {
    /// Seat that a token belongs to.
    pub(super) fn of(base: &PublicOrigin, id: String, seat: Seat, token: &Token) -> TakenSeatResponse {
        let OwnSeat { url, token, .. } = own(base, seat, token);
        TakenSeatResponse { id, seat, url, token }
    }
}

/// The Idempotency-Key header, with which a repeated request counts once.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
pub struct Idempotency {
    /// 1 to 255 printable ASCII characters, such as a random UUID: repeated requests with it count once. Without
    /// `Authorization`, at least 16 characters that others cannot guess. See `/docs/playing#idempotency`.
    #[param(rename = "Idempotency-Key", min_length = 1, max_length = 255)]
    pub idempotency_key: Option<String>,
}

/// Value of the Idempotency-Key header, if the request has one.
pub(super) fn idempotency_key(headers: &HeaderMap) -> Result<Option<IdempotencyKey>, Error> {
    let parsed = |key: &HeaderValue| String::from_utf8_lossy(key.as_bytes()).parse::<IdempotencyKey>();
    Ok(headers.get("idempotency-key").map(parsed).transpose()?)
}

/// Secret of a request with an Idempotency-Key, and with the client's key if it has one.
pub(super) fn request_secret(headers: &HeaderMap) -> Result<Option<RequestSecret>, Error> {
    let client = bearer(headers)?;
    let key = idempotency_key(headers)?;
    Ok(key.map(|key| RequestSecret::new(&key, client.as_ref())).transpose()?)
}

/// Parses the clocks of a new game.
pub(super) fn clocks(value: &Value) -> Result<[Option<Clock>; 2], Refusal> {
    let one = |value: &Value| -> Result<Option<Clock>, Refusal> {
        let control: Option<TimeControl> = serde_json::from_value(value.clone()).map_err(|_| {
            Refusal::new(
                "expected null, {\"move_ms\": 172800000}, {\"initial_ms\": 300000, \"increment_ms\": 3000}, \
                 or {\"one\": …, \"two\": …} with one of these for each seat",
            )
        })?;
        control.map(Clock::try_from).transpose()
    };
    match value {
        Value::Array(each) => match each.as_slice() {
            [first, second] => Ok([one(first)?, one(second)?]),
            _ => Err(Refusal::new("a list of clocks must have two entries, for seat one and seat two")),
        },
        Value::Object(each) if each.keys().any(|key| key == "one" || key == "two") => {
            match (each.get("one"), each.get("two"), each.len()) {
                (Some(first), Some(second), 2) => Ok([one(first)?, one(second)?]),
                _ => Err(Refusal::new("unequal clocks must have the fields one and two, and no others")),
            }
        }
        both => one(both).map(|clock| [clock; 2]),
    }
}

/// Days without an action until a claim, from milliseconds or from days.
fn claim_days(new: &NewGame) -> Result<Option<u32>, Error> {
    const DAY: i64 = 24 * 60 * 60 * 1_000;
    let valid = |days: &u32| (1..=365).contains(days);
    let Some(time) = new.claim_ms else {
        return match new.claim_days {
            Some(days) if !valid(&days) => {
                Err(Error::refused("The field claim_days must be 1 to 365.").field("claim_days"))
            }
            days => Ok(days),
        };
    };
    let days = u32::try_from(time / DAY).ok().filter(|days| time % DAY == 0 && valid(days));
    match days {
        Some(days) if new.claim_days.is_none_or(|former| former == days) => Ok(Some(days)),
        Some(_) => {
            Err(Error::refused("The fields claim_ms and claim_days differ. Send only claim_ms.").field("claim_ms"))
        }
        None => {
            Err(Error::refused("The field claim_ms must be 1 to 365 whole days in milliseconds.").field("claim_ms"))
        }
    }
}

pub(in crate::web) fn in_field(field: &'static str) -> impl Fn(Refusal) -> Error {
    move |refusal| Error::from(play::Error::Refused(refusal)).field(field)
}

/// Field that makes a game invalid: the first option that is invalid by itself, all options together, or the clocks. `None` if the
/// game is valid.
fn invalid_field(variant: &Variant, options: &Map<String, Value>, clocks: [Option<Clock>; 2]) -> Option<String> {
    let begins = |options: &Map<String, Value>, clocks| {
        variant.read_options(options).and_then(|options| variant.begin(&options, Clocks::new(clocks))).is_ok()
    };
    let alone = |(key, value): &(&String, &Value)| Map::from_iter([((*key).clone(), (*value).clone())]);
    match options.iter().find(|option| !begins(&alone(option), [None; 2])) {
        Some((key, _)) => Some(format!("options.{key}")),
        None if !begins(options, [None; 2]) => Some("options".to_owned()),
        None => {
            let sensible = clocks.iter().flatten().all(|clock| clock.is_in_range());
            (!sensible || !begins(options, clocks)).then(|| "clock".to_owned())
        }
    }
}

fn own(base: &PublicOrigin, seat: Seat, token: &Token) -> OwnSeat {
    OwnSeat { seat, url: base.url(&format!("/seat/{}", token.as_str())), token: token.as_str().to_owned() }
}

/// Creates a game. The response holds the tokens of your seats; no account is needed. With a key as `Authorization: Bearer`, the key
/// holds your seat.
#[utoipa::path(
    post,
    path = "/api/games",
    operation_id = "begin_game",
    tag = "games",
    params(Idempotency),
    request_body = NewGame,
    responses(
        (status = 201, description = "The game", body = NewGameAnswer),
        (status = 401, description = "Unknown key", body = Problem, content_type = "application/problem+json"),
        (status = 422, description = "Invalid variant, option, seat, clock or opponent", body = Problem, content_type = "application/problem+json"),
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
    let variant = list::find_or_refuse(&new.variant).map_err(in_field("variant"))?;
    let given = new.options.clone();
    let claim_days = claim_days(&new)?;
    let timed = clocks(&new.clock).map_err(in_field("clock"))?;
    let opponent = new.opponent.as_deref().unwrap_or("link").parse::<Opponent>().map_err(in_field("opponent"))?;
    let owner = optional_owner(&app, &headers).await?;
    if opponent == Opponent::Own && owner.is_some() {
        let why = "A key cannot hold both seats of a game. To play against yourself, send the request without the key.";
        return Err(Error::refused(why).field("opponent"));
    }
    let named = matches!(opponent, Opponent::Program(_) | Opponent::Challenge(_));
    let begin = Begin {
        variant: new.variant,
        options: new.options,
        seat: new.seat.as_deref().unwrap_or("one").parse::<SeatPreference>().map_err(in_field("seat"))?,
        clocks: timed,
        claim_days,
        opponent,
        name: Name::optional(new.name.as_deref().unwrap_or_default()).map_err(in_field("name"))?,
        key: request_secret(&headers)?,
        from: Some(from),
        owner,
    };
    let begun = match app.play.begin(begin).await {
        Ok(begun) => begun,
        Err(error @ play::Error::Refused(_)) => {
            let field = app.play.pools().games.run(move || invalid_field(variant, &given, timed)).await?;
            let error = Error::from(error);
            return Err(match field {
                Some(field) => error.field(field),
                None if named => error.field("opponent"),
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

/// Takes a free seat. With a key as `Authorization: Bearer`, the key holds the seat.
///
/// A request repeated with the same `Idempotency-Key`, for example after a lost response, returns the same seat.
#[utoipa::path(
    post,
    path = "/api/seats",
    operation_id = "take_seat",
    tag = "games",
    params(Idempotency),
    request_body = SeatToTake,
    responses(
        (status = 200, description = "The seat", body = TakenSeatResponse),
        (status = 401, description = "Unknown key", body = Problem, content_type = "application/problem+json"),
        (status = 404, description = "Unknown invitation", body = Problem, content_type = "application/problem+json"),
        (status = 422, description = "Used invitation", body = Problem, content_type = "application/problem+json"),
        openapi::BodyErrors,
    ),
    security((), ("key" = []))
)]
pub async fn sit(
    State(app): State<Arc<App>>,
    base: PublicOrigin,
    headers: HeaderMap,
    extract::Json(sit): extract::Json<SeatToTake>,
) -> Result<Response, Error> {
    let name = Name::optional(sit.name.as_deref().unwrap_or_default()).map_err(in_field("name"))?;
    let key = request_secret(&headers)?;
    let guest = JoinRequest { name, key: key.as_ref(), owner: optional_owner(&app, &headers).await? };
    let joined = match (sit.code, sit.game) {
        (Some(code), None) => app.play.join(&code, guest).await.map_err(|error| Error::from(error).or_field("code"))?,
        (None, Some(game)) => {
            app.play.join_open(&game, guest).await.map_err(|error| Error::from(error).or_field("game"))?
        }
        (Some(_), Some(_)) | (None, None) => {
            return Err(Error::refused("Send either the code of an invitation or the id of an open game, not both.")
                .field("code"));
        }
    };
    Ok(private(Json(TakenSeatResponse::of(&base, joined.id, joined.seat, &joined.token)).into_response()))
}
