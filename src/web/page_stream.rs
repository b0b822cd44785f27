//! Streams of a game's page. Whenever the game changes, the script of the page gets the changed part of it anew, as differences from what was
//! sent before. A client that returns may continue after the last version it has.

use super::{
    App, Client, Error, PublicOrigin,
    chat::PresenceView,
    cookies::Seats,
    extract::{Path, Query},
    game::{LookQuery, Viewpoint, game_fragment},
    presence::{OpenStream, Place},
    private,
};
use crate::{
    play::{GameSnapshot, Listener},
    rules::Seat,
};
use axum::{
    body::Body,
    extract::State,
    http::{Extensions, HeaderMap, HeaderValue, header},
    response::{
        IntoResponse, Response,
        sse::{Event, KeepAlive, Sse},
    },
};
use futures_util::{Stream, StreamExt, stream};
use serde_json::{Value, json};
use std::{
    collections::HashMap,
    convert::Infallible,
    hash::{DefaultHasher, Hash, Hasher},
    ops::Range,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};
use tokio::time;
use tokio_util::sync::CancellationToken;

/// The time between signs of life on a silent stream.
const ALIVE: Duration = Duration::from_secs(15);

/// A piece of a drawing begins at each of these, and at the beginning of a line. `static/changes.js` cuts alike.
const CUTS: [&str; 10] = ["; ", "<td", "</td", "<button", "</button", "<svg", "<span", "<a ", "<input", "{\""];
/// At most so many places are tried to find the longest run from.
const PLACES: usize = 24;

/// `GET /games/{id}/events`: an event `game` with the page's changing part for every version of the game; its id is the version.
/// Versions that passed while nobody listened are events `version` without a drawing. After the first drawing of a stream the others are
/// events `change`, the differences from those before. An event `audience` says how many look on, whether
/// the other player is there, and what that one has said.
pub async fn events(
    State(app): State<Arc<App>>,
    base: PublicOrigin,
    seats: Seats,
    headers: HeaderMap,
    extensions: Extensions,
    Path(id): Path<String>,
    Query(asked): Query<LookQuery>,
) -> Result<Response, Error> {
    let client = Client::of(&app, &extensions, &headers);
    let listener = app.play.listen(&id).await?;
    let place = app.streams.open(client.key(), app.options.streams_per_address)?;
    let held: Vec<Seat> = seats.at(&listener.table()).into_iter().map(|(seat, _)| seat).collect();
    let company = company(app.clone(), app.streams.follow(&id, held.clone()), id, held.clone());
    let moments = moments(listener, held.clone(), seen(&headers), app.closing.clone(), place);
    let sent = Arc::new(Mutex::new(SentDrawings::default()));
    let moments = moments.then(move |moment| {
        let (app, seats, base, asked) = (app.clone(), seats.clone(), base.clone(), asked.clone());
        let (sent, held) = (sent.clone(), held.clone());
        async move {
            match moment {
                Moment::Passed(version) => {
                    Event::default().event("version").id(version.to_string()).data(version.to_string())
                }
                Moment::Now(table) => {
                    let version = table.told(&held).to_string();
                    let event = Event::default().id(version.clone());
                    // What each seat is asked changes from moment to moment, and with it who looks where one browser holds both.
                    match game_fragment(&app, &table, Viewpoint::of(&table, &seats, base, &asked)).await {
                        Ok(fragment) => match sent.lock().unwrap_or_else(PoisonError::into_inner).say(fragment) {
                            Drawing::Whole(text) => event.event("game").data(text),
                            Drawing::Changes(list) => event.event("change").data(list),
                        },
                        Err(_) => event.event("version").data(version),
                    }
                }
            }
        }
    });
    Ok(stream_of(stream::select(moments, company)))
}

/// An event `audience` with what the holder of these seats is told of it, at first and whenever it changes; without an id, for it
/// belongs to no version.
fn company(app: Arc<App>, place: Place, id: String, held: Vec<Seat>) -> impl Stream<Item = Event> {
    stream::unfold((app, place, id, held), |(app, mut place, id, held)| async move {
        let changed = async { place.audience.changed().await.is_ok() };
        let goes_on = tokio::select! {
            () = app.closing.cancelled() => false,
            goes_on = changed => goes_on,
        };
        let audience = *place.audience.borrow_and_update();
        let table = app.play.look(&id).await.ok().filter(|_| goes_on)?;
        let company = PresenceView::of(&table, &held, audience, app.play.now());
        place.sends();
        Some((Event::default().event("audience").data(company.json().to_string()), (app, place, id, held)))
    })
}

/// One event: a version that has passed, or the game as it stands.
pub(super) enum Moment {
    /// A version that nobody can see any more.
    Passed(i64),
    /// The game as it stands.
    Now(Arc<GameSnapshot>),
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
        let fresh = |seen: Option<i64>, table: &GameSnapshot| seen != Some(table.told(&held));
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

/// A drawing as it is sent.
pub(super) enum Drawing {
    /// Whole, because nothing was sent before.
    Whole(String),
    /// As a list: how many pieces the reader has, then in order a run of those as two numbers, where it begins and how long it is, or a
    /// new piece. In pieces the two kinds of quotation marks have changed places, because JSON doubles one of them.
    Changes(String),
}

/// What a stream has sent: its last drawing, and the one before. What a player is asked comes back at every other turn.
#[derive(Default)]
pub(super) struct SentDrawings {
    last: Vec<u64>,
    before: Vec<u64>,
}

impl SentDrawings {
    /// Says a drawing to the reader of this stream.
    pub(super) fn say(&mut self, drawing: String) -> Drawing {
        let pieces = pieces(&drawing);
        let fresh: Vec<u64> = pieces.iter().map(|piece| digest(piece)).collect();
        let known: Vec<u64> = self.last.iter().chain(&self.before).copied().collect();
        self.before = std::mem::replace(&mut self.last, fresh);
        if known.is_empty() {
            return Drawing::Whole(drawing);
        }
        let mut places: HashMap<u64, Vec<usize>> = HashMap::new();
        for (place, piece) in known.iter().enumerate() {
            places.entry(*piece).or_default().push(place);
        }
        let mut said = vec![json!(known.len())];
        let mut at = 0;
        while let Some(piece) = pieces.get(at) {
            let rest = &self.last[at..];
            let run = |from: &usize| known[*from..].iter().zip(rest).take_while(|(old, new)| old == new).count();
            let found = places.get(&rest[0]).into_iter().flatten().take(PLACES);
            match found.map(|from| (run(from), *from)).max_by_key(|(length, from)| (*length, usize::MAX - from)) {
                Some((length, from)) => {
                    said.extend([json!(from), json!(length)]);
                    at += length;
                }
                None => {
                    said.push(json!(turned(piece)));
                    at += 1;
                }
            }
        }
        Drawing::Changes(Value::Array(said).to_string())
    }
}

/// A text with the two kinds of quotation marks in each other's place.
fn turned(text: &str) -> String {
    let turn = |letter| match letter {
        '"' => '\'',
        '\'' => '"',
        other => other,
    };
    text.chars().map(turn).collect()
}

fn digest(piece: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    piece.hash(&mut hasher);
    hasher.finish()
}

/// Cuts a drawing into its pieces.
fn pieces(drawing: &str) -> Vec<&str> {
    let begins = |at: &usize| {
        let rest = &drawing[*at..];
        drawing[..*at].ends_with('\n') || CUTS.iter().any(|cut| rest.starts_with(cut))
    };
    let cuts: Vec<usize> = drawing.char_indices().map(|(at, _)| at).skip(1).filter(begins).collect();
    let ends = cuts.iter().copied().chain([drawing.len()]);
    let starts = [0].into_iter().chain(cuts.iter().copied());
    starts.zip(ends).map(|(start, end): (usize, usize)| &drawing[Range { start, end }]).collect()
}
