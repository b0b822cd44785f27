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
use axum_extra::headers::HeaderMapExt;
use futures_util::{Stream, StreamExt, stream};
use headers_accept::Accept;
use mediatype::{MediaType, Name, names};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::{App, Error, Problem, extract, private, seat};
use crate::{
    play::{Listener, LiveGame, Play},
    rules::Viewer,
    web::{Client, Kind},
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

const EVENTS: MediaType<'static> = MediaType::new(names::TEXT, Name::new_unchecked("event-stream"));
const LINES: MediaType<'static> = MediaType::new(names::APPLICATION, Name::new_unchecked("x-ndjson"));

/// Whether the client would rather have lines of JSON than events.
fn wants_lines(headers: &HeaderMap) -> bool {
    let accept = headers.typed_get::<Accept>();
    accept.is_some_and(|accept| accept.negotiate(&[EVENTS, LINES]) == Some(&LINES))
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
    onlooker: seat::Onlooker,
    extract::Path(id): extract::Path<String>,
) -> Result<Response, Error> {
    let client = Client::of(&app, &extensions, &headers);
    let listener = app.play.listen(&id).await?;
    let viewer = onlooker.viewer(&listener.table())?;
    let place = app.streams.open(client.key(), app.options.streams_per_address)?;
    let moments = moments(listener, seen(&headers), app.closing.clone(), place);
    let play = app.play.clone();
    if wants_lines(&headers) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_sent_to_whoever_prefers_them() {
        let lines = "application/x-ndjson";
        for (accept, wanted) in [
            (lines.to_owned(), true),
            (format!("{lines}, text/event-stream"), true),
            (format!("text/event-stream, {lines}"), false),
            (format!("text/event-stream;q=0.5, {lines};q=0.9"), true),
            (format!("text/event-stream, {lines};q=0"), false),
            ("*/*".to_owned(), false),
            ("application/*".to_owned(), true),
            ("text/html".to_owned(), false),
            (String::new(), false),
        ] {
            let headers = HeaderMap::from_iter([(header::ACCEPT, accept.parse().unwrap())]);
            assert_eq!(wants_lines(&headers), wanted, "{accept}");
        }
        assert!(!wants_lines(&HeaderMap::new()));
    }
}
