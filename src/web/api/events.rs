//! Live games: one event for every version of a game, without gaps, as server-sent events or as lines of JSON. What a listener
//! gets is what it would get by asking, and it may come back and go on after the last event it saw.

use std::{
    collections::HashMap,
    convert::Infallible,
    net::IpAddr,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use axum::{
    body::Body,
    extract::State,
    http::{Extensions, HeaderMap, header},
    response::{
        IntoResponse, Response,
        sse::{Event, KeepAlive, Sse},
    },
};
use futures_util::{Stream, StreamExt, stream};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::{App, Client, Error, Problem, extract, private, seat};
use crate::{
    play::{Listener, LiveGame, Play},
    rules::Viewer,
    web::Kind,
};

/// How often a silent stream shows that it is alive.
const ALIVE: Duration = Duration::from_secs(15);
/// After this many missed events a listener gets only the game as it stands.
const CAUGHT_UP: i64 = 256;

/// How many streams each client address has open.
#[derive(Default)]
pub struct Streams {
    open: Mutex<HashMap<IpAddr, usize>>,
}

/// One open stream, counted until it is dropped.
pub struct Place {
    streams: Arc<Streams>,
    address: IpAddr,
}

impl Streams {
    /// Counts one more stream, unless the address has `most` already; 0 is no limit.
    pub fn open(self: &Arc<Self>, address: IpAddr, most: usize) -> Result<Place, Error> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let count = open.entry(address).or_default();
        if most > 0 && *count >= most {
            let why = format!("This address has {most} event streams open already; close one first.");
            return Err(Error::new(Kind::Often { retry_after: 10 }, why));
        }
        *count += 1;
        Ok(Place { streams: self.clone(), address })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut open = self.streams.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = open.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.address);
            }
        }
    }
}

/// One event: a version that has passed, or the game as it stands.
pub enum Moment {
    /// A version that nobody can see any more.
    Passed(i64),
    /// The game as it stands.
    Now(Arc<LiveGame>),
}

/// Everything that happens to a game after version `seen`; the game as it stands comes first if nothing was seen.
pub fn moments(
    listener: Listener,
    seen: Option<i64>,
    closing: CancellationToken,
    place: Place,
) -> impl Stream<Item = Moment> {
    let start = (listener, seen, closing, place);
    let batches = stream::unfold(start, |(mut listener, mut seen, closing, place)| async move {
        let mut table = listener.table();
        let fresh = |seen: Option<i64>, table: &LiveGame| seen != Some(table.version());
        while !fresh(seen, &table) {
            tokio::select! {
                () = closing.cancelled() => return None,
                changed = listener.change() => table = changed,
            }
        }
        if closing.is_cancelled() {
            return None;
        }
        let now = table.version();
        // A listener from the future has seen another life of this game: it begins anew.
        let missed = seen.filter(|seen| *seen < now && now - *seen <= CAUGHT_UP).map_or(now..now, |seen| seen + 1..now);
        seen = Some(now);
        let batch: Vec<Moment> = missed.map(Moment::Passed).chain([Moment::Now(table)]).collect();
        Some((stream::iter(batch), (listener, seen, closing, place)))
    });
    batches.flatten()
}

/// The version that a listener saw last.
pub fn seen(headers: &HeaderMap) -> Option<i64> {
    headers.get("last-event-id")?.to_str().ok()?.parse().ok()
}

async fn event(play: &Play, moment: Moment, viewer: Viewer) -> Event {
    match moment {
        Moment::Passed(version) => {
            Event::default().event("version").id(version.to_string()).data(json!({"version": version}).to_string())
        }
        Moment::Now(table) => {
            let event = Event::default().event("game").id(table.version().to_string());
            event.data(&*play.text(&table, viewer).await)
        }
    }
}

async fn line(play: &Play, moment: Moment, viewer: Viewer) -> String {
    match moment {
        Moment::Passed(version) => format!("{}\n", json!({"version": version})),
        Moment::Now(table) => format!("{}\n", play.text(&table, viewer).await),
    }
}

/// Follows a game: one event for every version, as server-sent events, or as lines of JSON for `Accept: application/x-ndjson`.
#[utoipa::path(
    get,
    path = "/api/games/{id}/events",
    params(
        ("id" = String, Path, description = "the game's id"),
        seat::Eyes,
        ("Last-Event-ID" = Option<i64>, Header, description = "the last version seen: the stream goes on after it"),
    ),
    responses(
        (status = 200, description = "Events named `game` with the game as your seat sees it, and `version` for versions that passed unseen", body = String, content_type = "text/event-stream"),
        (status = 401, description = "The token proves no seat here", body = Problem, content_type = "application/problem+json"),
        (status = 404, description = "There is no such game", body = Problem, content_type = "application/problem+json"),
        (status = 429, description = "Too many streams from one address", body = Problem, content_type = "application/problem+json"),
    )
)]
pub async fn events(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    extensions: Extensions,
    extract::Path(id): extract::Path<String>,
    extract::Query(eyes): extract::Query<seat::Eyes>,
) -> Result<Response, Error> {
    let client = Client::of(&app, &extensions, &headers);
    let listener = app.play.listen(&id).await?;
    let viewer = seat::viewer(&headers, &listener.table(), client.secure, eyes)?;
    let place = app.streams.open(client.key(), app.options.streams_per_address)?;
    let lines = headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok()).is_some_and(|accept| {
        match (accept.find("application/x-ndjson"), accept.find("text/event-stream")) {
            (Some(lines), Some(events)) => lines < events,
            (lines, _) => lines.is_some(),
        }
    });
    let moments = moments(listener, seen(&headers), app.closing.clone(), place);
    let play = app.play.clone();
    if lines {
        let lines = moments.then(move |moment| {
            let play = play.clone();
            async move { Ok::<_, Infallible>(line(&play, moment, viewer).await) }
        });
        let body = Body::from_stream(lines);
        return Ok(private(([(header::CONTENT_TYPE, "application/x-ndjson")], body).into_response()));
    }
    Ok(stream_of(moments.then(move |moment| {
        let play = play.clone();
        async move { event(&play, moment, viewer).await }
    })))
}

/// A stream of server-sent events.
pub fn stream_of(events: impl Stream<Item = Event> + Send + 'static) -> Response {
    let events = Sse::new(events.map(Ok::<_, Infallible>)).keep_alive(KeepAlive::new().interval(ALIVE));
    let mut response = private(events.into_response());
    response.headers_mut().insert("x-accel-buffering", header::HeaderValue::from_static("no"));
    response
}
