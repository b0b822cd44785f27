//! A game's events as a stream: one moment for every version that the listener may know of, without gaps. Whoever comes back may go on
//! after the last version they saw.

use super::{private, streams::OpenStream};
use crate::{
    play::{Listener, LiveGame},
    rules::Seat,
};
use axum::{
    body::Body,
    http::{HeaderMap, HeaderValue, header},
    response::{
        IntoResponse, Response,
        sse::{Event, KeepAlive, Sse},
    },
};
use futures_util::{Stream, StreamExt, stream};
use std::{convert::Infallible, sync::Arc, time::Duration};
use tokio::time;
use tokio_util::sync::CancellationToken;

/// The time between signs of life on a silent stream.
const ALIVE: Duration = Duration::from_secs(15);

/// One event: a version that has passed, or the game as it stands.
pub(super) enum Moment {
    /// A version that nobody can see any more.
    Passed(i64),
    /// The game as it stands.
    Now(Arc<LiveGame>),
}

/// Everything that happens to a game after version `seen`, as whoever holds these seats is told; the game as it stands comes first if
/// nothing was seen.
pub(super) fn moments(
    listener: Listener,
    held: Vec<Seat>,
    seen: Option<i64>,
    closing: CancellationToken,
    place: OpenStream,
) -> impl Stream<Item = Moment> {
    let start = (listener, held, seen, closing, place);
    let batches = stream::unfold(start, |(mut listener, held, mut seen, closing, place)| async move {
        let mut table = listener.table();
        let fresh = |seen: Option<i64>, table: &LiveGame| seen != Some(table.told(&held));
        while !fresh(seen, &table) {
            tokio::select! {
                () = closing.cancelled() => return None,
                changed = listener.change() => table = changed,
            }
        }
        if closing.is_cancelled() {
            return None;
        }
        let now = table.told(&held);
        // A listener from the future has seen another life of this game: it begins anew.
        let missed = seen.filter(|seen| *seen < now).map_or(now..now, |seen| seen + 1..now);
        seen = Some(now);
        place.sends(missed.clone().count() + 1);
        let batch = missed.map(Moment::Passed).chain([Moment::Now(table)]);
        Some((stream::iter(batch), (listener, held, seen, closing, place)))
    });
    batches.flatten()
}

/// The version that a listener saw last.
pub(super) fn seen(headers: &HeaderMap) -> Option<i64> {
    headers.get("last-event-id")?.to_str().ok()?.parse().ok().filter(|version| *version >= 0)
}

/// Lines, and an empty one whenever nothing has happened for a while: whoever stands between takes a silent stream for dead.
pub(super) fn lines_of(lines: impl Stream<Item = String> + Send + 'static) -> Response {
    let lines = stream::unfold(Box::pin(lines), |mut lines| async move {
        let line = match time::timeout(ALIVE, lines.next()).await {
            Ok(line) => line?,
            Err(_) => "\n".to_owned(),
        };
        Some((Ok::<_, Infallible>(line), lines))
    });
    let kind = [(header::CONTENT_TYPE, "application/x-ndjson")];
    unbuffered((kind, Body::from_stream(lines)).into_response())
}

/// A stream of server-sent events.
pub(super) fn stream_of(events: impl Stream<Item = Event> + Send + 'static) -> Response {
    let events = Sse::new(events.map(Ok::<_, Infallible>)).keep_alive(KeepAlive::new().interval(ALIVE));
    unbuffered(events.into_response())
}

/// A stream that is nobody else's, and that no proxy gathers before it hands it on.
fn unbuffered(response: Response) -> Response {
    let mut response = private(response);
    response.headers_mut().insert("x-accel-buffering", HeaderValue::from_static("no"));
    response
}
