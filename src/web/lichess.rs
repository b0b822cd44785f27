//! The part of lichess's Board and Bot API with which a program written for lichess plays here. A key is the token. Only games that both
//! sites have are visible, under lichess's names. A challenge to a bot of the site starts the game at once.
//!
//! lichess documents these endpoints, so they are not in the OpenAPI description of this site.

use super::{
    App, Client, Error, Kind, PublicOrigin,
    client_address::ClientNetwork,
    extract::{self, Pairs},
    page_stream::{Moment, lines_of, moments},
    private,
    seat_auth::{actor, owner, proof},
};
use crate::{
    board::Uci,
    bots::Bot,
    game::{Clock, Live, PlayerCommand},
    play::{Begin, DeclineReason, GameSnapshot, JoinRequest, KeyEvent, Name, Opponent, SeatPreference, Token},
    registry::{self, VARIANTS, Variant},
    rules::{Actor, Outcome, PgnTag, Seat, TIME},
};
use axum::{
    Json,
    extract::{FromRequest, Request, State},
    http::{Extensions, HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use futures_util::{StreamExt, future::ready, stream};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::{mem, sync::Arc};

/// Milliseconds on the clock of a player without one, as lichess sends them.
const ENDLESS: i64 = 2_147_483_647;
/// Number of lichess's levels of its own engine.
const AI_LEVELS: usize = 8;

/// Whether the path belongs to this API.
pub(super) fn is_path(path: &str) -> bool {
    let starts = ["/api/challenge/", "/api/board/", "/api/bot/"];
    ["/api/account", "/api/stream/event"].contains(&path) || starts.iter().any(|start| path.starts_with(start))
}

/// Status and body of an error, as lichess sends them.
pub(super) fn error(error: &Error) -> (StatusCode, String) {
    let status = match error.kind() {
        Kind::Refused => StatusCode::BAD_REQUEST,
        kind => kind.status(),
    };
    (status, json!({"error": error.detail()}).to_string())
}

fn ok() -> Response {
    private(Json(json!({"ok": true})).into_response())
}

/// A variant under lichess's names.
#[derive(Clone)]
struct SharedVariant {
    variant: &'static Variant,
    key: String,
    name: &'static str,
}

impl SharedVariant {
    /// The variant, if lichess has it with the same rules. Those are the variants that UCI engines know, and Chess960.
    fn of(variant: &'static Variant) -> Option<SharedVariant> {
        let name = match variant.pgn_tag {
            PgnTag::None => "Standard",
            PgnTag::Variant(name) | PgnTag::VariantAndMatch(name) => name,
        };
        let shared = variant.uci_name.is_some() || variant.key == "chess960";
        shared.then(|| SharedVariant { variant, key: camel_case(name), name })
    }

    fn all() -> impl Iterator<Item = SharedVariant> {
        VARIANTS.iter().filter_map(SharedVariant::of)
    }

    /// The variant with one of lichess's keys.
    fn named(key: &str) -> Result<SharedVariant, Error> {
        let key = if key == "fromPosition" { "standard" } else { key };
        SharedVariant::all().find(|shared| shared.key == key).ok_or_else(|| {
            let known: Vec<String> = SharedVariant::all().map(|shared| shared.key).collect();
            Error::malformed(format!("The variant must be one of {} or fromPosition.", known.join(", ")))
        })
    }

    /// Variant of a game, and the position at which it began: none for the usual one.
    fn of_game(game: &Live) -> Option<(SharedVariant, Option<String>)> {
        let shared = registry::find(game.key()).and_then(SharedVariant::of)?;
        let given = game.options().get("fen").and_then(Value::as_str).is_some_and(|fen| !fen.is_empty());
        let dealt = game.lines(None).iter().filter(|line| line.actor == Actor::Chance).count();
        if !given && dealt == 0 {
            return Some((shared, None));
        }
        let start = game.past(dealt)?.diagram(None).fen?;
        Some(match shared.variant.pgn_tag {
            PgnTag::None => {
                (SharedVariant { key: "fromPosition".to_owned(), name: "From Position", ..shared }, Some(start))
            }
            PgnTag::Variant(_) | PgnTag::VariantAndMatch(_) => (shared, Some(start)),
        })
    }

    fn json(&self) -> Value {
        json!({"key": self.key, "name": self.name, "short": self.name})
    }
}

/// A name such as `King of the Hill` as a key such as `kingOfTheHill`.
fn camel_case(name: &str) -> String {
    let mut key = String::new();
    for word in name.split(|letter: char| !letter.is_alphanumeric()) {
        let mut letters = word.chars();
        match letters.next() {
            Some(first) if !key.is_empty() => key.extend(first.to_uppercase()),
            first => key.extend(first.into_iter().flat_map(char::to_lowercase)),
        }
        key.push_str(letters.as_str());
    }
    key
}

/// The game of a request and the seat of its token, if both sites have its variant.
async fn own_game(app: &App, headers: &HeaderMap, id: &str) -> Result<(Arc<GameSnapshot>, Seat), Error> {
    let table = app.play.look(id).await?;
    let seat = actor(headers, &table)?;
    match SharedVariant::of(table.variant()) {
        Some(_) => Ok((table, seat)),
        None => Err(Error::unknown("lichess has no such variant. Play this game through the API of this site.")),
    }
}

/// Name of a key: that of its bot, or `you`.
async fn account_name(app: &App, key: &Token) -> Result<String, Error> {
    Ok(app.play.program_of(key).await?.map_or_else(|| "you".to_owned(), |program| program.name))
}

/// `GET /api/account`: the holder of the key.
pub async fn account(State(app): State<Arc<App>>, headers: HeaderMap) -> Result<Response, Error> {
    owner(&app, &headers).await?;
    let program = app.play.program_of(&proof(&headers)?).await?;
    let mut account = match &program {
        Some(program) => user("username", &program.name, true),
        None => user("username", "you", false),
    };
    account["perfs"] = json!({});
    Ok(private(Json(account).into_response()))
}

/// A player as lichess describes one, with the name in the field `field`.
fn user(field: &str, name: &str, bot: bool) -> Value {
    let title = if bot { json!("BOT") } else { Value::Null };
    json!({"id": name.to_lowercase(), field: name, "title": title, "rating": 1500, "provisional": true})
}

/// Player of a seat, for the holder of the seat `own`, whose account is called `me`.
fn player(field: &str, table: &GameSnapshot, seat: Seat, own: Seat, me: &str) -> Value {
    match (table.bot(seat), table.program(seat)) {
        (Some(bot), _) => user(field, bot.name(), true),
        (None, Some(program)) => user(field, program, true),
        (None, None) if seat == own => user(field, me, false),
        (None, None) => user(field, &table.name(seat), false),
    }
}

fn color(seat: Seat) -> &'static str {
    match seat {
        Seat::One => "white",
        Seat::Two => "black",
    }
}

/// lichess's name for a pace.
fn speed(clock: Option<Clock>) -> &'static str {
    let Some(Clock::Fischer { initial, increment }) = clock else { return "correspondence" };
    match initial + 40 * increment {
        0..30 => "ultraBullet",
        30..180 => "bullet",
        180..480 => "blitz",
        480..1_500 => "rapid",
        _ => "classical",
    }
}

/// Time left to a seat and its increment, in milliseconds.
fn time_left(game: &Live, seat: Seat, now: i64) -> (i64, i64) {
    let Some(clock) = game.clocks().view(seat) else { return (ENDLESS, 0) };
    let left = clock.deadline.map_or(clock.remaining, |deadline| deadline - now);
    match clock.control {
        Clock::Fischer { increment, .. } => (left.max(0), i64::from(increment) * 1_000),
        Clock::Days { .. } => (left.max(0), 0),
    }
}

/// Moves made so far.
fn moves(game: &Live, seat: Seat) -> Vec<String> {
    let made = game.lines(Some(seat)).into_iter();
    let made = made.filter(|line| line.step.is_some() && matches!(line.actor, Actor::Seat(_)));
    made.filter_map(|line| line.text.filter(|text| text.parse::<Uci>().is_ok())).collect()
}

/// lichess's name for the state of a game.
fn status(game: &Live) -> &'static str {
    match game.outcome() {
        None => "started",
        Some(Outcome::Void(_)) => "aborted",
        Some(Outcome::Draw("stalemate")) => "stalemate",
        Some(Outcome::Draw(_)) => "draw",
        Some(Outcome::Win(_, "checkmate")) => "mate",
        Some(Outcome::Win(_, "resignation")) => "resign",
        Some(Outcome::Win(_, TIME)) => "outoftime",
        Some(Outcome::Win(_, _)) => "variantEnd",
    }
}

/// The event `gameState`.
fn state(table: &GameSnapshot, own: Seat, now: i64) -> Value {
    let game = &table.game;
    let [(white, white_increment), (black, black_increment)] = Seat::BOTH.map(|seat| time_left(game, seat, now));
    let draw = game.offers().draw;
    let mut state = json!({
        "type": "gameState",
        "moves": moves(game, own).join(" "),
        "wtime": white,
        "btime": black,
        "winc": white_increment,
        "binc": black_increment,
        "wdraw": draw == Some(Seat::One),
        "bdraw": draw == Some(Seat::Two),
        "status": status(game),
    });
    if let Some(winner) = game.outcome().and_then(Outcome::winner) {
        state["winner"] = color(winner).into();
    }
    state
}

/// The event `gameFull`, the first of a game's stream.
fn full(table: &GameSnapshot, own: Seat, me: &str, now: i64) -> Option<Value> {
    let (variant, start) = SharedVariant::of_game(&table.game)?;
    let clock = table.controls()[own.index()];
    let mut full = json!({
        "type": "gameFull",
        "id": table.id(),
        "variant": variant.json(),
        "speed": speed(clock),
        "perf": {"name": speed(clock)},
        "rated": false,
        "createdAt": table.row.created,
        "white": player("name", table, Seat::One, own, me),
        "black": player("name", table, Seat::Two, own, me),
        "initialFen": start.as_deref().unwrap_or("startpos"),
        "state": state(table, own, now),
    });
    match clock {
        Some(Clock::Fischer { initial, increment }) => {
            full["clock"] = json!({"initial": initial * 1_000, "increment": increment * 1_000});
        }
        Some(Clock::Days { days }) => full["daysPerTurn"] = days.into(),
        None => {}
    }
    Some(full)
}

/// `GET /api/{board,bot}/game/stream/{id}`: the game, and its state after every change until it is over.
pub async fn game(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    extensions: Extensions,
    extract::Path(id): extract::Path<String>,
) -> Result<Response, Error> {
    let (_, own) = own_game(&app, &headers, &id).await?;
    let key = proof(&headers)?;
    let me = account_name(&app, &key).await?;
    let client = Client::of(&app, &extensions, &headers);
    let listener = app.play.listen(&id).await?;
    let place = app.streams.open(client.key(), app.options.streams_per_address)?;
    let counted = app.streams.follow(&id, vec![own]);
    let moments = moments(listener, vec![own], None, app.closing.clone(), place);
    let mut first = true;
    let lines = moments.flat_map(move |moment| {
        let _present = &counted;
        let table = match moment {
            // The stream ends if the seat's token is replaced.
            Moment::Current(table) if table.seat(&key) == Some(own) => table,
            Moment::Current(_) => return stream::iter(vec![None]),
            Moment::Missed(_) => return stream::iter(Vec::new()),
        };
        let now = app.play.now();
        let event = match mem::take(&mut first) {
            true => full(&table, own, &me, now),
            false => Some(state(&table, own, now)),
        };
        let end = table.game.outcome().map(|_| None);
        stream::iter([event].into_iter().chain(end).collect::<Vec<_>>())
    });
    let lines = lines.take_while(|event| ready(event.is_some())).filter_map(ready);
    Ok(lines_of(lines.map(|event| format!("{event}\n"))))
}

/// A game in the events `gameStart` and `gameFinish`.
fn game_summary(table: &GameSnapshot, own: Seat, me: &str, now: i64) -> Option<Value> {
    let game = &table.game;
    let (variant, _) = SharedVariant::of_game(game)?;
    let moves = moves(game, own);
    let speed = speed(table.controls()[own.index()]);
    Some(json!({
        "id": table.id(),
        "gameId": table.id(),
        "fullId": table.id(),
        "color": color(own),
        "fen": game.diagram(Some(own)).fen,
        "hasMoved": moves.len() > own.index(),
        "isMyTurn": game.awaits().contains(&own),
        "lastMove": moves.last().map_or("", String::as_str),
        "opponent": player("username", table, !own, own, me),
        "variant": variant.json(),
        "speed": speed,
        "perf": speed,
        "rated": false,
        "secondsLeft": time_left(game, own, now).0 / 1_000,
        "source": "friend",
        "status": {"name": status(game)},
        "winner": game.outcome().and_then(Outcome::winner).map(color),
        "compat": {"bot": true, "board": true},
    }))
}

/// A game as the challenge of the player in the seat `host`, for the holder of the seat `own`.
fn challenge_summary(table: &GameSnapshot, host: Seat, own: Seat, me: &str, base: &PublicOrigin) -> Option<Value> {
    let (variant, start) = SharedVariant::of_game(&table.game)?;
    let clock = table.controls()[own.index()];
    let time_control = match clock {
        Some(Clock::Fischer { initial, increment }) => json!({
            "type": "clock", "limit": initial, "increment": increment, "show": format!("{}+{increment}", initial / 60),
        }),
        Some(Clock::Days { days }) => json!({"type": "correspondence", "daysPerTurn": days}),
        None => json!({"type": "unlimited"}),
    };
    let guest = table.named(!host).then(|| player("name", table, !host, own, me));
    let declined = table.decline_reason().map(decline_key);
    let status = match table.game.outcome() {
        _ if table.complete() => "accepted",
        _ if declined.is_some() => "declined",
        Some(_) => "canceled",
        None => "created",
    };
    Some(json!({
        "id": table.id(),
        "url": base.url(&format!("/games/{}", table.id())),
        "status": status,
        "declineReason": declined,
        "declineReasonKey": declined.map(str::to_lowercase),
        "challenger": player("name", table, host, own, me),
        "destUser": guest,
        "variant": variant.json(),
        "initialFen": start,
        "rated": false,
        "speed": speed(clock),
        "perf": {"name": speed(clock)},
        "timeControl": time_control,
        "color": color(host),
        "finalColor": color(host),
    }))
}

/// lichess's name for a reason.
fn decline_key(reason: DeclineReason) -> &'static str {
    match reason {
        DeclineReason::Later => "later",
        DeclineReason::TooFast => "tooFast",
        DeclineReason::TooSlow => "tooSlow",
        DeclineReason::Clock => "timeControl",
        DeclineReason::Variant => "variant",
        DeclineReason::Generic | DeclineReason::Options | DeclineReason::Opponent => "generic",
    }
}

/// The reason with one of lichess's names.
fn decline_reason(key: &str) -> DeclineReason {
    match key {
        "later" => DeclineReason::Later,
        "tooFast" => DeclineReason::TooFast,
        "tooSlow" => DeclineReason::TooSlow,
        "timeControl" => DeclineReason::Clock,
        "standard" | "variant" => DeclineReason::Variant,
        "noBot" | "onlyBot" => DeclineReason::Opponent,
        _ => DeclineReason::Generic,
    }
}

/// Whether a game was begun by the opponent of a key's bot, which has not answered yet.
fn is_challenge(table: &GameSnapshot, own: Seat) -> bool {
    let chosen = match table.opponent() {
        Opponent::Program(_) => table.chair(own).is_some_and(|chair| chair.token.is_none() && chair.invite.is_none()),
        Opponent::Challenge(_) | Opponent::Link | Opponent::Open | Opponent::Bot(_) | Opponent::Own => false,
    };
    chosen && table.game.can(own, PlayerCommand::Abort) && moves(&table.game, own).len() <= own.index()
}

/// `GET /api/stream/event`: the games and challenges of the key. A player who chose the key's bot on this site has begun the game, so
/// `gameStart` follows `challenge` at once.
pub async fn events(
    State(app): State<Arc<App>>,
    base: PublicOrigin,
    headers: HeaderMap,
    extensions: Extensions,
) -> Result<Response, Error> {
    let key = owner(&app, &headers).await?;
    let me = account_name(&app, &proof(&headers)?).await?;
    let client = Client::of(&app, &extensions, &headers);
    let place = app.streams.open(client.key(), app.options.streams_per_address)?;
    let listener = app.play.follow_key(key).await?;
    let news = stream::unfold((listener, app.closing.clone()), |(mut listener, closing)| async move {
        let news = tokio::select! {
            () = closing.cancelled() => return None,
            news = listener.next() => news?,
        };
        Some((news, (listener, closing)))
    });
    let events = news.flat_map(move |(news, table, own)| {
        let game =
            |kind: &str| game_summary(&table, own, &me, app.play.now()).map(|game| json!({"type": kind, "game": game}));
        let challenge = |kind: &str| {
            let host = if table.taken(own) && !is_challenge(&table, own) { own } else { !own };
            let challenge = challenge_summary(&table, host, own, &me, &base);
            challenge.map(|challenge| json!({"type": kind, "challenge": challenge}))
        };
        let events = match news {
            KeyEvent::Challenge => vec![challenge("challenge")],
            KeyEvent::Game if is_challenge(&table, own) => vec![challenge("challenge"), game("gameStart")],
            KeyEvent::Game if !table.complete() => Vec::new(),
            KeyEvent::Game | KeyEvent::Joined => vec![game("gameStart")],
            KeyEvent::End if table.decline_reason().is_some() => vec![challenge("challengeDeclined")],
            KeyEvent::End if !table.complete() => vec![challenge("challengeCanceled")],
            KeyEvent::End => vec![game("gameFinish")],
            KeyEvent::Turn | KeyEvent::Offer => Vec::new(),
        };
        stream::iter(events.into_iter().flatten().collect::<Vec<_>>())
    });
    let counted = events.inspect(move |_| place.sends(1));
    Ok(lines_of(counted.map(|event| format!("{event}\n"))))
}

/// Fields of a form or of a JSON body.
#[derive(Debug, Default)]
pub struct Fields(Map<String, Value>);

impl<S: Send + Sync> FromRequest<S> for Fields {
    type Rejection = Error;

    async fn from_request(request: Request, state: &S) -> Result<Self, Error> {
        let kind = request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
        match kind.map(str::to_owned) {
            None => Ok(Fields::default()),
            Some(kind) if kind.contains("json") => {
                extract::Json::from_request(request, state).await.map(|extract::Json(fields)| Fields(fields))
            }
            Some(_) => {
                let extract::Form(pairs) = extract::Form::<Pairs>::from_request(request, state).await?;
                Ok(Fields(pairs.into_iter().map(|(name, value)| (name, value.into())).collect()))
            }
        }
    }
}

impl Fields {
    /// Text of a field. An empty field counts as missing.
    fn text(&self, name: &str) -> Option<String> {
        match self.0.get(name)? {
            Value::Null => None,
            Value::String(text) => Some(text.clone()).filter(|text| !text.is_empty()),
            other => Some(other.to_string()),
        }
    }

    fn number(&self, name: &str) -> Result<Option<u32>, Error> {
        let wrong = |_| Error::malformed(format!("The field {name} must be a whole number."));
        self.text(name).map(|text| text.parse().map_err(wrong)).transpose()
    }

    fn clock(&self) -> Result<Option<Clock>, Error> {
        Ok(match (self.number("clock.limit")?, self.number("days")?) {
            (Some(initial), _) => {
                let increment = self.number("clock.increment")?.unwrap_or_default();
                Some(Clock::Fischer { initial, increment })
            }
            (None, Some(days)) => Some(Clock::Days { days }),
            (None, None) => None,
        })
    }

    fn seat(&self) -> Result<SeatPreference, Error> {
        match self.text("color").as_deref() {
            Some("white") => Ok(SeatPreference::Seat(Seat::One)),
            Some("black") => Ok(SeatPreference::Seat(Seat::Two)),
            Some("random") | None => Ok(SeatPreference::Random),
            Some(_) => Err(Error::malformed("The field color must be white, black or random.")),
        }
    }

    /// The challenged opponent: `open` for the lobby, `ai` for a level, otherwise a bot of the site or of a key by its name.
    fn opponent(&self, name: &str) -> Result<Opponent, Error> {
        if name == "open" {
            return Ok(Opponent::Open);
        }
        if name == "ai" {
            let level = self.number("level")?.unwrap_or(1) as usize;
            if !(1..=AI_LEVELS).contains(&level) {
                return Err(Error::malformed(format!("The field level must be a number from 1 to {AI_LEVELS}.")));
            }
            return Ok(Opponent::Bot(Bot::LEVELS[(level - 1).min(Bot::LEVELS.len() - 1)]));
        }
        match name.to_lowercase().parse::<Bot>() {
            Ok(bot) => Ok(Opponent::Bot(bot)),
            Err(_) => Ok(Opponent::Challenge(name.parse::<Name>().map_err(|refusal| Error::malformed(refusal.why))?)),
        }
    }
}

/// `POST /api/challenge/{name}`: starts a game against a bot of the site, challenges the bot of a key, or opens a game in the lobby for
/// `open`.
pub async fn challenge(
    State(app): State<Arc<App>>,
    base: PublicOrigin,
    ClientNetwork(from): ClientNetwork,
    headers: HeaderMap,
    extract::Path(name): extract::Path<String>,
    fields: Fields,
) -> Result<Response, Error> {
    let owner = owner(&app, &headers).await?;
    let me = account_name(&app, &proof(&headers)?).await?;
    let variant = SharedVariant::named(fields.text("variant").as_deref().unwrap_or("standard"))?;
    let fen = fields.text("fen").filter(|fen| fen != "startpos");
    let begin = Begin {
        variant: variant.variant.key.to_owned(),
        options: fen.map(|fen| ("fen".to_owned(), fen.into())).into_iter().collect(),
        seat: fields.seat()?,
        clocks: [fields.clock()?; 2],
        claim_days: None,
        opponent: fields.opponent(&name)?,
        name: None,
        key: None,
        from: Some(from),
        owner: Some(owner),
    };
    let begun = app.play.begin(begin).await?;
    let table = app.play.look(&begun.id).await?;
    let own = begun.seats.first().map_or(Seat::One, |(seat, _)| *seat);
    let (status, answer) = match name.as_str() {
        "ai" => (StatusCode::CREATED, game_summary(&table, own, &me, app.play.now())),
        _ => (StatusCode::OK, challenge_summary(&table, own, own, &me, &base)),
    };
    Ok(private((status, Json(answer)).into_response()))
}

/// `POST /api/challenge/{id}/accept`: accepts a challenge to the key, or joins an open game.
pub async fn accept(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    extract::Path(id): extract::Path<String>,
) -> Result<Response, Error> {
    let owner = owner(&app, &headers).await?;
    let table = app.play.look(&id).await?;
    if app.play.is_challenged(&table, &owner) {
        app.play.accept_challenge(&id, &owner).await?;
    } else if table.seat(&proof(&headers)?).is_none() {
        app.play.join_open(&id, JoinRequest { owner: Some(owner), ..JoinRequest::default() }).await?;
    }
    Ok(ok())
}

/// `POST /api/challenge/{id}/decline`: declines a challenge to the key, or aborts a game that a player has begun with its bot.
pub async fn decline(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    extract::Path(id): extract::Path<String>,
    fields: Fields,
) -> Result<Response, Error> {
    let owner = owner(&app, &headers).await?;
    if !app.play.is_challenged(&*app.play.look(&id).await?, &owner) {
        return act(&app, &headers, &id, "abort").await;
    }
    let reason = fields.text("reason").as_deref().map_or(DeclineReason::Generic, decline_reason);
    app.play.decline_challenge(&id, &owner, reason).await?;
    Ok(ok())
}

/// `POST /api/challenge/{id}/cancel` and `POST /api/{board,bot}/game/{id}/abort`: aborts a game before its second move.
pub async fn abort(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    extract::Path(id): extract::Path<String>,
) -> Result<Response, Error> {
    act(&app, &headers, &id, "abort").await
}

/// `POST /api/{board,bot}/game/{id}/resign`: resigns.
pub async fn resign(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    extract::Path(id): extract::Path<String>,
) -> Result<Response, Error> {
    act(&app, &headers, &id, "resign").await
}

/// `POST /api/{board,bot}/game/{id}/draw/{accept}`: `yes` offers or accepts a draw, `no` declines it.
pub async fn draw(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    extract::Path((id, accept)): extract::Path<(String, String)>,
) -> Result<Response, Error> {
    match accept.as_str() {
        "yes" | "true" => act(&app, &headers, &id, "draw").await,
        "no" | "false" => act(&app, &headers, &id, "decline").await,
        _ => Err(Error::malformed("The path must end in yes or no.")),
    }
}

/// A draw offer together with a move.
#[derive(Deserialize)]
pub struct MoveOffer {
    #[serde(rename = "offeringDraw", default)]
    offering_draw: bool,
}

/// `POST /api/{board,bot}/game/{id}/move/{uci}`: makes a move.
pub async fn make_move(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    extract::Path((id, text)): extract::Path<(String, String)>,
    extract::Query(offer): extract::Query<MoveOffer>,
) -> Result<Response, Error> {
    text.parse::<Uci>().map_err(|wrong| Error::malformed(format!("The move cannot be read: {wrong}.")))?;
    let moved = act(&app, &headers, &id, &text).await?;
    if offer.offering_draw {
        // A player may offer a draw only now and then. The move counts all the same.
        let _ = act(&app, &headers, &id, "draw").await;
    }
    Ok(moved)
}

async fn act(app: &App, headers: &HeaderMap, id: &str, text: &str) -> Result<Response, Error> {
    let (_, seat) = own_game(app, headers, id).await?;
    app.streams.see(id, seat);
    app.play.act(id, seat, None, text, None).await?;
    Ok(ok())
}

/// `POST /api/{board,bot}/game/{id}/chat`: has no effect, because players here choose from fixed phrases.
pub async fn say(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    extract::Path(id): extract::Path<String>,
    _: Fields,
) -> Result<Response, Error> {
    own_game(&app, &headers, &id).await?;
    Ok(ok())
}

/// `GET /api/{board,bot}/game/{id}/chat`: no messages.
pub async fn chat(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    extract::Path(id): extract::Path<String>,
) -> Result<Response, Error> {
    own_game(&app, &headers, &id).await?;
    Ok(private(Json(json!([])).into_response()))
}
