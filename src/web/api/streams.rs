//! Streams of one game, of all games of a key, and of the lobby, as server-sent events or JSON lines. A game's stream has one event
//! for every version, and continues after the client's last event.

use super::{
    game::GameAnswer,
    lobby::{Filter, OpenGame, open},
    player_keys::OwnGame,
};
use crate::{
    play::{DeclineReason, KeyEvent, KeyListener, Play},
    rules::Viewer,
    web::{
        App, Client, Error, PublicOrigin,
        extract::{Path, Query, prefers},
        openapi,
        page_stream::{Moment, last_event_id, lines_of, moments, stream_of},
        seat_auth::{ApiViewer, ViewSeat, owner},
    },
};
use axum::{
    extract::State,
    http::{Extensions, HeaderMap},
    response::{Response, sse::Event},
};
use futures_util::{Stream, StreamExt, future::ready, stream};
use mediatype::{MediaType, Name, names};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};
use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;
use utoipa::{IntoParams, ToSchema};

/// Interval at which the lobby's stream looks for changes.
const LOOK: Duration = Duration::from_secs(1);

/// Maximum total length of the actions in an event, in bytes.
const MOST_ACTIONS: usize = 16 * 1024;

/// An event in the games of a key. Lines of JSON have the former name of `type` too, `event`.
#[derive(Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum KeyStreamEvent {
    /// Your key is challenged, or was when the stream started.
    #[schema(title = "ChallengeEvent")]
    Challenge {
        /// The challenge.
        game: Box<OpenGame>,
    },
    /// A running game when the stream starts, or a new game.
    #[schema(title = "GameStartEvent")]
    Game {
        /// The game.
        game: OwnGame,
    },
    /// An opponent has taken the free seat of your game.
    #[schema(title = "JoinedEvent")]
    Joined {
        /// The game.
        game: OwnGame,
    },
    /// You are to move.
    #[schema(title = "TurnEvent")]
    Turn {
        /// The game.
        game: OwnGame,
        /// Your possible actions, as in the game. Texts that differ only in the last word are one entry: `b1a3 {b1|b3}`. Null if you have to
        /// read the game for them.
        actions: Option<Vec<String>>,
    },
    /// The opponent made an offer.
    #[schema(title = "OfferEvent")]
    Offer {
        /// The game.
        game: OwnGame,
    },
    /// The game is over, or a challenge was declined or withdrawn, or has expired.
    #[schema(title = "EndEvent")]
    End {
        /// The game.
        game: OwnGame,
        /// Reason for declining the challenge; null if it was not declined.
        declined: Option<DeclineReason>,
    },
}

/// An event in the lobby. Lines of JSON have the former name of `type` too, `event`.
#[derive(Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum LobbyEvent {
    /// A game is open.
    #[schema(title = "OpenGameEvent")]
    Open {
        /// The game.
        game: Box<OpenGame>,
    },
    /// A game is no longer open.
    #[schema(title = "ClosedGameEvent")]
    Gone {
        /// Id of the game.
        id: String,
    },
}

/// Changes of a game since the previous event.
#[derive(Serialize, ToSchema)]
pub struct GameChange {
    /// `change`.
    r#type: ChangeType,
    /// Version of the game after the changes.
    version: i64,
    /// Changes, as a JSON Patch (RFC 6902).
    #[schema(value_type = Vec<Value>)]
    changes: Value,
}

/// A version of a game that is no longer visible.
#[derive(Serialize, ToSchema)]
pub struct MissedVersion {
    /// `version`.
    r#type: VersionType,
    /// The version.
    version: i64,
}

/// Type of a change.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ChangeType {
    /// Changes since the previous event.
    Change,
}

/// Type of a missed version.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum VersionType {
    /// A missed version.
    Version,
}

/// An event in a game: the whole game with the `type` `game`, or a smaller event.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
pub enum GameEvent {
    /// The whole game.
    Game(Box<GameAnswer>),
    /// Changes since the previous event.
    Change(GameChange),
    /// A missed version.
    Version(MissedVersion),
}

/// An event's text with its type.
fn typed(name: &str, object: &str) -> Arc<str> {
    let fields = object.strip_prefix('{').unwrap_or(object);
    format!("{{\"type\":\"{name}\",{fields}").into()
}

/// Format of a game's events.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct EventFormat {
    /// True to send the whole game in every event. By default only the first event does, and later ones have the changes.
    #[serde(default)]
    whole: bool,
}

/// Encodes the events of one client.
struct EventWriter {
    play: Play,
    viewer: Viewer,
    whole: bool,
    /// The last text sent.
    last_text: Mutex<Option<Arc<str>>>,
}

/// One event: name, id, and data in one line.
struct StreamEvent(&'static str, i64, Arc<str>);

impl EventWriter {
    async fn write(&self, moment: Moment) -> StreamEvent {
        let table = match moment {
            Moment::Missed(version) => {
                return StreamEvent("version", version, typed("version", &json!({"version": version}).to_string()));
            }
            Moment::Current(table) => table,
        };
        let now = self.play.text(&table, self.viewer).await;
        let version = table.visible_version(self.viewer.as_slice());
        let before = self.last_text.lock().unwrap_or_else(PoisonError::into_inner).replace(now.clone());
        let since = before.filter(|_| !self.whole);
        match since.and_then(|since| table.patch(self.viewer, since, &now)) {
            Some(patch) => StreamEvent("change", version, typed("change", &patch)),
            None => StreamEvent("game", version, typed("game", &now)),
        }
    }
}

const EVENTS: MediaType<'static> = MediaType::new(names::TEXT, Name::new_unchecked("event-stream"));
const LINES: MediaType<'static> = MediaType::new(names::APPLICATION, Name::new_unchecked("x-ndjson"));

/// Whether the client prefers JSON lines to server-sent events.
fn wants_lines(headers: &HeaderMap) -> bool {
    prefers(headers, &LINES, &EVENTS)
}

/// Streams a game with one event for every version, as server-sent events, or as JSON lines for `Accept: application/x-ndjson`. An empty
/// line every 15 seconds keeps the stream alive. The first event is the current game; later ones are changes since the previous event, as
/// a JSON Patch (RFC 6902).
#[utoipa::path(
    get,
    path = "/api/games/{id}/events",
    operation_id = "follow_game",
    tag = "games",
    params(
        ("id" = String, Path, description = "the game's id"),
        ViewSeat,
        EventFormat,
        ("Last-Event-ID" = Option<i64>, Header, description = "the last version received; the stream continues after it"),
    ),
    responses(
        (status = 200, description = "Events `game` with the game as your seat sees it, `change` with its `version` and the `changes` since the previous event, and `version` for missed versions", content(
            (String = "text/event-stream"),
            (GameEvent = "application/x-ndjson"),
        )),
        openapi::ViewErrors,
    ),
    security((), ("seat" = []), ("key" = []))
)]
pub async fn events(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    extensions: Extensions,
    onlooker: ApiViewer,
    Path(id): Path<String>,
    Query(telling): Query<EventFormat>,
) -> Result<Response, Error> {
    let client = Client::of(&app, &extensions, &headers);
    let listener = app.play.listen(&id).await?;
    let viewer = onlooker.viewer(&app, &listener.table()).await?;
    let place = app.streams.open(client.key(), app.options.streams_per_address)?;
    let counted = Arc::new(app.streams.follow(&id, viewer.into_iter().collect()));
    let moments = moments(listener, viewer.into_iter().collect(), last_event_id(&headers), app.closing.clone(), place);
    // The stream ends if the seat's token is replaced.
    let moments = moments.take_while(move |moment| {
        ready(match moment {
            Moment::Missed(_) => true,
            Moment::Current(table) => onlooker.seat(table) == viewer,
        })
    });
    let teller =
        Arc::new(EventWriter { play: app.play.clone(), viewer, whole: telling.whole, last_text: Mutex::default() });
    let told = moments.then(move |moment| {
        let (teller, _counted) = (teller.clone(), counted.clone());
        async move { teller.write(moment).await }
    });
    if wants_lines(&headers) {
        return Ok(lines_of(told.map(|StreamEvent(_, _, data)| format!("{data}\n"))));
    }
    let events = told.map(|StreamEvent(name, id, data)| Event::default().event(name).id(id.to_string()).data(data));
    Ok(stream_of(events, Event::default().comment("")))
}

/// The events in the client's format: server-sent events, or JSON lines. Lines have the type's former name `event` too.
fn answer<T: Serialize>(lines: bool, events: impl Stream<Item = T> + Send + 'static) -> Response {
    let events = events.map(|event| serde_json::to_value(event).unwrap_or_default());
    if lines {
        return lines_of(events.map(|mut data| {
            data["event"] = data["type"].clone();
            format!("{data}\n")
        }));
    }
    let event = |data: Value| Event::default().event(data["type"].as_str().unwrap_or_default()).data(data.to_string());
    stream_of(events.map(event), Event::default().comment(""))
}

fn key_events(
    play: Play,
    listener: KeyListener,
    base: PublicOrigin,
    closing: CancellationToken,
) -> impl Stream<Item = KeyStreamEvent> {
    let events = stream::unfold((play, listener, base, closing), |(play, mut listener, base, closing)| async move {
        let (news, table, seat) = tokio::select! {
            () = closing.cancelled() => return None,
            news = listener.next() => news?,
        };
        let game = OwnGame::of(&base, &table, seat);
        let event = match news {
            KeyEvent::Challenge => {
                open(&base, &table).map(|challenge| KeyStreamEvent::Challenge { game: Box::new(challenge) })
            }
            KeyEvent::Game => Some(KeyStreamEvent::Game { game }),
            KeyEvent::Joined => Some(KeyStreamEvent::Joined { game }),
            KeyEvent::Turn => {
                let actions = compact_actions(&play.text(&table, Some(seat)).await);
                Some(KeyStreamEvent::Turn { game, actions })
            }
            KeyEvent::Offer => Some(KeyStreamEvent::Offer { game }),
            KeyEvent::End => Some(KeyStreamEvent::End { game, declined: table.decline_reason() }),
        };
        Some((event, (play, listener, base, closing)))
    });
    events.filter_map(ready)
}

/// Streams all games of your key, as server-sent events, or as JSON lines for `Accept: application/x-ndjson`. It starts with an event
/// `game` for each running game and `challenge` for each challenge to your key. Then come `challenge`, `game` for each new game, `joined` when
/// an opponent takes the free seat of your game, `turn` when you are to move, `offer` when the opponent makes an offer, and `end`. A new
/// connection starts again with all running games, so that no pending turn is missed.
#[utoipa::path(
    get,
    path = "/api/stream",
    operation_id = "follow_key",
    tag = "keys",
    responses(
        (status = 200, description = "Events with the `game` as `/api/keys/own` lists it, as the data of server-sent events or as lines of JSON", content(
            (String = "text/event-stream"),
            (KeyStreamEvent = "application/x-ndjson"),
        )),
        openapi::KeyErrors,
    ),
    security(("key" = []))
)]
pub async fn games(
    State(app): State<Arc<App>>,
    base: PublicOrigin,
    headers: HeaderMap,
    extensions: Extensions,
) -> Result<Response, Error> {
    let key = owner(&app, &headers).await?;
    let client = Client::of(&app, &extensions, &headers);
    let place = app.streams.open(client.key(), app.options.streams_per_address)?;
    let events = key_events(app.play.clone(), app.play.follow_key(key).await?, base, app.closing.clone());
    let counted = events.inspect(move |_| place.sends(1));
    Ok(answer(wants_lines(&headers), counted))
}

/// Actions of a game's text, in the compact form of events.
fn compact_actions(text: &str) -> Option<Vec<String>> {
    #[derive(Deserialize)]
    struct Listed {
        #[serde(default)]
        actions: Option<Vec<String>>,
    }
    let actions = serde_json::from_str::<Listed>(text).ok()?.actions?;
    let compact = compact(&actions);
    let length: usize = compact.iter().map(String::len).sum();
    (length <= MOST_ACTIONS).then_some(compact)
}

/// Joins neighbours that differ only in their last word: `b1a3 b1` and `b1a3 b3` become `b1a3 {b1|b3}`.
fn compact(actions: &[String]) -> Vec<String> {
    let start = |action: &String| match action.rsplit_once(' ') {
        Some((start, end)) if !end.contains(['{', '}', '|']) => Some(start.len()),
        _ => None,
    };
    let same = |one: &String, other: &String| {
        start(one).is_some_and(|length| start(other) == Some(length) && one[..length] == other[..length])
    };
    let joined = |group: &[String]| match group {
        [only] => only.clone(),
        several => {
            let length = start(&several[0]).unwrap_or_default();
            let ends: Vec<&str> = several.iter().map(|action| &action[length + 1..]).collect();
            format!("{} {{{}}}", &several[0][..length], ends.join("|"))
        }
    };
    actions.chunk_by(same).map(joined).collect()
}

/// State of a lobby stream.
struct Lobby {
    app: Arc<App>,
    base: PublicOrigin,
    variant: Option<String>,
    /// Ids of the open games that the client knows.
    known: BTreeSet<String>,
    look: tokio::time::Interval,
}

impl Lobby {
    /// Changes since the last look.
    async fn news(&mut self) -> Result<Vec<LobbyEvent>, Error> {
        let waiting = self.app.play.board().await?;
        let fitting = waiting.iter().filter(|table| self.variant.as_deref().is_none_or(|key| key == table.game.key()));
        let now: BTreeSet<String> = fitting.clone().map(|table| table.id().to_owned()).collect();
        let gone = self.known.difference(&now).map(|id| LobbyEvent::Gone { id: id.clone() });
        let fresh = fitting.filter(|table| !self.known.contains(table.id()));
        let come =
            fresh.filter_map(|table| open(&self.base, table)).map(|game| LobbyEvent::Open { game: Box::new(game) });
        let news = gone.chain(come).collect();
        self.known = now;
        Ok(news)
    }
}

/// Streams the lobby: an event `open` for every open game, and `gone` with the `id` when it is no longer open.
#[utoipa::path(
    get,
    path = "/api/lobby/events",
    operation_id = "follow_lobby",
    tag = "lobby",
    params(Filter),
    responses(
        (status = 200, description = "Events with the `game` as `/api/games` lists it, as the data of server-sent events or as lines of JSON", content(
            (String = "text/event-stream"),
            (LobbyEvent = "application/x-ndjson"),
        )),
        (status = 422, description = "Unknown variant", body = crate::web::openapi::Problem, content_type = "application/problem+json"),
        openapi::PathErrors,
    )
)]
pub async fn lobby(
    State(app): State<Arc<App>>,
    base: PublicOrigin,
    headers: HeaderMap,
    extensions: Extensions,
    Query(filter): Query<Filter>,
) -> Result<Response, Error> {
    let variant = filter.variant()?.map(str::to_owned);
    let client = Client::of(&app, &extensions, &headers);
    let place = app.streams.open(client.key(), app.options.streams_per_address)?;
    let mut look = interval(LOOK);
    look.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let closing = app.closing.clone();
    let lobby = Lobby { app, base, variant, known: BTreeSet::new(), look };
    let batches = stream::unfold((lobby, closing), |(mut lobby, closing)| async move {
        tokio::select! {
            () = closing.cancelled() => return None,
            _ = lobby.look.tick() => {}
        }
        let news = lobby.news().await.unwrap_or_else(|error| {
            tracing::warn!(?error, "lobby update failed");
            Vec::new()
        });
        Some((stream::iter(news), (lobby, closing)))
    });
    let events = batches.flatten().inspect(move |_| place.sends(1));
    Ok(answer(wants_lines(&headers), events))
}
