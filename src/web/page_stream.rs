//! Event streams of a game page. At every change of the game, the page's script receives the changed block as a difference from the last
//! one sent. A returning client can continue after the last version it has.

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
use quick_cache::sync::Cache;
use serde_json::{Value, json};
use std::{
    collections::HashMap,
    convert::Infallible,
    hash::{DefaultHasher, Hash, Hasher},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};
use tokio::time;
use tokio_util::sync::CancellationToken;

/// Interval of keep-alive messages on an idle stream.
const ALIVE: Duration = Duration::from_secs(15);

/// Pause between two events about the audience of a game, for a spectator.
const AUDIENCE_PAUSE: Duration = Duration::from_secs(1);

/// Strings at which a rendered page is cut into pieces, in addition to line starts. `static/changes.js` cuts in the same way.
const CUTS: [&str; 10] = ["; ", "<td", "</td", "<button", "</button", "<svg", "<span", "<a ", "<input", "{\""];
/// Maximum number of drawings kept for spectators, each some tens of kilobytes.
const MAX_DRAWINGS: usize = 256;
/// Maximum number of places tried when searching for the longest run.
const PLACES: usize = 24;

/// `GET /games/{id}/events`: an event `game` with the page's changing block for every version of the game; the event id is the version.
/// Versions missed while no client was connected are events `version` without content. After the first block, a stream sends events
/// `change` with the differences. An event `audience` has the number of spectators, and for a player the opponent's presence and last
/// chat message.
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
    let company =
        company(app.clone(), app.streams.follow(&id, held.clone()), app.play.listen(&id).await?, held.clone());
    let moments = moments(listener, held.clone(), last_event_id(&headers), app.closing.clone(), place);
    let sent = Arc::new(Mutex::new(SentDrawings::default()));
    let moments = moments.then(move |moment| {
        let (app, seats, base, asked) = (app.clone(), seats.clone(), base.clone(), asked.clone());
        let (sent, held) = (sent.clone(), held.clone());
        async move {
            match moment {
                Moment::Missed(version) => {
                    Event::default().event("version").id(version.to_string()).data(version.to_string())
                }
                Moment::Current(table) => {
                    let version = table.visible_version(&held).to_string();
                    let event = Event::default().id(version.clone());
                    // With both seats in one browser, the viewer changes with the seat to move.
                    match app.drawings.draw(&app, &table, Viewpoint::of(&table, &seats, base, &asked)).await {
                        Ok(drawing) => match sent.lock().unwrap_or_else(PoisonError::into_inner).encode(drawing) {
                            SentBlock::Whole(text) => event.event("game").data(text),
                            SentBlock::Changes(list) => event.event("change").data(list),
                        },
                        Err(_) => event.event("version").data(version),
                    }
                }
            }
        }
    });
    // A page cannot read comments, and reconnects after 20 seconds without an event.
    Ok(stream_of(stream::select(moments, company), Event::default().event("alive").data("1")))
}

/// Events `audience` for the holder of these seats, at the start and at every change; for spectators, at most one a second. A move can change
/// whether a player can claim the game. The events have no id, because they belong to no version.
fn company(app: Arc<App>, place: Place, listener: Listener, held: Vec<Seat>) -> impl Stream<Item = Event> {
    stream::unfold((app, place, listener, held, false), |(app, mut place, mut listener, held, pause)| async move {
        let changed = async {
            if pause {
                time::sleep(AUDIENCE_PAUSE).await;
            }
            place.audience.changed().await.is_ok()
        };
        let goes_on = tokio::select! {
            () = app.closing.cancelled() => false,
            goes_on = changed => goes_on,
            _ = listener.change(), if !held.is_empty() => true,
        };
        if !goes_on {
            return None;
        }
        place.audience.mark_unchanged();
        let company = PresenceView::of(&app, &listener.table(), &held);
        place.sends();
        let event = Event::default().event("audience").data(company.json(app.play.now()).to_string());
        let pause = held.is_empty();
        Some((event, (app, place, listener, held, pause)))
    })
}

/// One event of a game: a missed version, or the current game.
pub(super) enum Moment {
    /// A version that can no longer be shown.
    Missed(i64),
    /// The current game.
    Current(Arc<GameSnapshot>),
}

/// All versions of a game after `seen`, as the holder of these seats may see them. Without `seen`, the current game comes first.
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
        let fresh = |seen: Option<i64>, table: &GameSnapshot| seen != Some(table.visible_version(&held));
        while !fresh(seen, &table) {
            tokio::select! {
                () = closing.cancelled() => return None,
                changed = listener.change() => table = changed,
            }
        }
        if closing.is_cancelled() {
            return None;
        }
        let now = table.visible_version(&held);
        // A client with a version from the future saw the game before a restore of the database, so it starts again.
        let missed = seen.filter(|seen| *seen < now).map_or(now..now, |seen| seen + 1..now);
        seen = Some(now);
        place.sends(missed.clone().count() + 1);
        let batch = missed.map(Moment::Missed).chain([Moment::Current(table)]);
        Some((stream::iter(batch), (listener, held, seen, closing, place)))
    });
    batches.flatten()
}

/// Last version that the client has seen.
pub(super) fn last_event_id(headers: &HeaderMap) -> Option<i64> {
    headers.get("last-event-id")?.to_str().ok()?.parse().ok().filter(|version| *version >= 0)
}

/// A response of lines, with empty lines as keep-alive: proxies close idle streams.
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

/// A response of server-sent events, with `alive` in every pause of [`ALIVE`].
pub(super) fn stream_of(events: impl Stream<Item = Event> + Send + 'static, alive: Event) -> Response {
    let events = Sse::new(events.map(Ok::<_, Infallible>)).keep_alive(KeepAlive::new().interval(ALIVE).event(alive));
    unbuffered(events.into_response())
}

/// Marks a stream as private and asks proxies not to buffer it.
fn unbuffered(response: Response) -> Response {
    let mut response = private(response);
    response.headers_mut().insert("x-accel-buffering", HeaderValue::from_static("no"));
    response
}

/// A rendered block, shared by all streams that show it.
pub(super) struct Drawing {
    text: Arc<str>,
    /// Digests of its pieces.
    pieces: Vec<u64>,
    /// Digest of the whole text.
    digest: u64,
    /// Changes already encoded, by the digests of the two blocks that the client has.
    changes: Mutex<Vec<([u64; 2], Arc<str>)>>,
}

impl Drawing {
    fn new(text: String) -> Drawing {
        let pieces = pieces(&text).into_iter().map(digest).collect();
        Drawing { pieces, digest: digest(&text), text: text.into(), changes: Mutex::default() }
    }

    /// Encodes the block for a client that has these two.
    fn changes_from(&self, last: &Drawing, before: Option<&Drawing>) -> Arc<str> {
        let from = [last.digest, before.map_or(0, |before| before.digest)];
        let mut encoded = self.changes.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, changes)) = encoded.iter().find(|(known, _)| *known == from) {
            return changes.clone();
        }
        let changes: Arc<str> = self.encode(last, before).into();
        encoded.push((from, changes.clone()));
        changes
    }

    fn encode(&self, last: &Drawing, before: Option<&Drawing>) -> String {
        let texts = pieces(&self.text);
        let before = before.map_or(&[][..], |before| &before.pieces);
        let known: Vec<u64> = last.pieces.iter().chain(before).copied().collect();
        let mut places: HashMap<u64, Vec<usize>> = HashMap::new();
        for (place, piece) in known.iter().enumerate() {
            places.entry(*piece).or_default().push(place);
        }
        let mut said = vec![json!(known.len())];
        let mut at = 0;
        while let Some(piece) = texts.get(at) {
            let rest = &self.pieces[at..];
            let run = |from: &usize| known[*from..].iter().zip(rest).take_while(|(old, new)| old == new).count();
            let found = places.get(&rest[0]).into_iter().flatten().take(PLACES);
            match found.map(|from| (run(from), *from)).max_by_key(|(length, from)| (*length, usize::MAX - from)) {
                Some((length, from)) => {
                    said.extend([json!(from), json!(length)]);
                    at += length;
                }
                None => {
                    said.push(json!(swap_quotes(piece)));
                    at += 1;
                }
            }
        }
        Value::Array(said).to_string()
    }
}

/// Drawings of games for their spectators, so that a change is drawn once for all who see the same. A key holds the second of the drawing,
/// because its clocks go on.
pub(super) struct Drawings(Cache<String, Arc<Drawing>>);

impl Default for Drawings {
    fn default() -> Self {
        Drawings(Cache::new(MAX_DRAWINGS))
    }
}

impl Drawings {
    async fn draw(&self, app: &App, table: &Arc<GameSnapshot>, look: Viewpoint) -> Result<Arc<Drawing>, Error> {
        let fresh = |look| async { Ok(Arc::new(Drawing::new(game_fragment(app, table, look).await?))) };
        if !look.held.is_empty() {
            return fresh(look).await;
        }
        let key = format!("{} {} {look:?}", table.visible_version(&[]), app.play.now() / 1_000);
        self.0.get_or_insert_async(&key, fresh(look)).await
    }
}

/// A rendered block as it is sent.
pub(super) enum SentBlock {
    /// Whole, because the stream has sent none before.
    Whole(Arc<str>),
    /// A JSON list: the number of pieces the client has, then in order either two numbers, the start and length of a run of those pieces,
    /// or a new piece. New pieces have `"` and `'` swapped, because JSON escapes `"`.
    Changes(Arc<str>),
}

/// The last two blocks that a stream has sent. A player's choices often return at every second ply.
#[derive(Default)]
pub(super) struct SentDrawings {
    last: Option<Arc<Drawing>>,
    before: Option<Arc<Drawing>>,
}

impl SentDrawings {
    /// Encodes a block for the client of this stream.
    pub(super) fn encode(&mut self, drawing: Arc<Drawing>) -> SentBlock {
        let block = match &self.last {
            None => SentBlock::Whole(drawing.text.clone()),
            Some(last) => SentBlock::Changes(drawing.changes_from(last, self.before.as_deref())),
        };
        self.before = self.last.replace(drawing);
        block
    }
}

/// Swaps the two kinds of quotation marks.
fn swap_quotes(text: &str) -> String {
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

/// Cuts a block into pieces.
fn pieces(drawing: &str) -> Vec<&str> {
    let bytes = drawing.as_bytes();
    // The first byte excludes most places before the strings are compared.
    let begins = |at: &usize| {
        bytes[at - 1] == b'\n'
            || matches!(bytes[*at], b';' | b'<' | b'{')
                && CUTS.iter().any(|cut| bytes[*at..].starts_with(cut.as_bytes()))
    };
    let cuts: Vec<usize> = (1..bytes.len()).filter(begins).collect();
    let ends = cuts.iter().copied().chain([drawing.len()]);
    let starts = [0].into_iter().chain(cuts.iter().copied());
    starts.zip(ends).map(|(start, end)| &drawing[start..end]).collect()
}
