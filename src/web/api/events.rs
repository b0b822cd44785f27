//! Live games: one event for every version of a game, without gaps, as server-sent events or as lines of JSON. What a listener
//! gets at first is what it would get by asking, then what changes; and it may come back and go on after the last event it saw.

use std::sync::{Arc, Mutex, PoisonError};

use axum::{
    extract::State,
    http::{Extensions, HeaderMap},
    response::{Response, sse::Event},
};
use futures_util::{StreamExt, future::ready};
use mediatype::{MediaType, Name, names};
use serde::Deserialize;
use serde_json::json;
use utoipa::IntoParams;

use crate::{
    play::Play,
    rules::Viewer,
    web::{
        App, Client, Error,
        extract::{Path, Query, prefers},
        moments::{Moment, lines_of, moments, seen, stream_of},
        openapi,
        seat::{Eyes, Onlooker},
    },
};

/// The wish of a listener.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Telling {
    /// True if every event is to hold the whole game; otherwise only the first does, and the others what has changed.
    #[serde(default)]
    whole: bool,
}

/// What one listener is told.
struct Teller {
    play: Play,
    viewer: Viewer,
    whole: bool,
    /// The text that was told last.
    told: Mutex<Option<Arc<str>>>,
}

/// One event: its name, its id, and its data in one line.
struct Told(&'static str, i64, Arc<str>);

impl Teller {
    async fn tell(&self, moment: Moment) -> Told {
        let table = match moment {
            Moment::Passed(version) => return Told("version", version, json!({"version": version}).to_string().into()),
            Moment::Now(table) => table,
        };
        let now = self.play.text(&table, self.viewer).await;
        let version = table.told(self.viewer.as_slice());
        let before = self.told.lock().unwrap_or_else(PoisonError::into_inner).replace(now.clone());
        let since = before.filter(|_| !self.whole);
        match since.and_then(|since| table.patch(self.viewer, since, &now)) {
            Some(patch) => Told("change", version, patch),
            None => Told("game", version, now),
        }
    }
}

const EVENTS: MediaType<'static> = MediaType::new(names::TEXT, Name::new_unchecked("event-stream"));
const LINES: MediaType<'static> = MediaType::new(names::APPLICATION, Name::new_unchecked("x-ndjson"));

/// Tells whether the client would rather have lines of JSON than events.
pub(super) fn wants_lines(headers: &HeaderMap) -> bool {
    prefers(headers, &LINES, &EVENTS)
}

/// Follows a game: one event for every version, as server-sent events, or as lines of JSON for `Accept: application/x-ndjson`;
/// an empty line says every 15 seconds that the stream lives. The first event is the game as it stands, each of the others what has changed
/// since the one before, as a JSON Patch (RFC 6902).
#[utoipa::path(
    get,
    path = "/api/games/{id}/events",
    operation_id = "follow_game",
    tag = "games",
    params(
        ("id" = String, Path, description = "the game's id"),
        Eyes,
        Telling,
        ("Last-Event-ID" = Option<i64>, Header, description = "the last version seen: the stream goes on after it"),
    ),
    responses(
        (status = 200, description = "Events named `game` with the game as your seat sees it, `change` with its `version` and the `changes` that make it of what you were told before, and `version` for versions that passed unseen", content(
            (String = "text/event-stream"),
            (String = "application/x-ndjson"),
        )),
        openapi::OfEyes,
    ),
    security((), ("seat" = []), ("key" = []))
)]
pub async fn events(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    extensions: Extensions,
    onlooker: Onlooker,
    Path(id): Path<String>,
    Query(telling): Query<Telling>,
) -> Result<Response, Error> {
    let client = Client::of(&app, &extensions, &headers);
    let listener = app.play.listen(&id).await?;
    let viewer = onlooker.viewer(&listener.table())?;
    let place = app.streams.open(client.key(), app.options.streams_per_address)?;
    let counted = Arc::new(app.streams.follow(&id, viewer.into_iter().collect()));
    let moments = moments(listener, viewer.into_iter().collect(), seen(&headers), app.closing.clone(), place);
    // A proof may be replaced while somebody listens with the old one: to them the stream ends.
    let moments = moments.take_while(move |moment| {
        ready(match moment {
            Moment::Passed(_) => true,
            Moment::Now(table) => onlooker.viewer(table).is_ok_and(|now| now == viewer),
        })
    });
    let teller = Arc::new(Teller { play: app.play.clone(), viewer, whole: telling.whole, told: Mutex::default() });
    let told = moments.then(move |moment| {
        let (teller, _counted) = (teller.clone(), counted.clone());
        async move { teller.tell(moment).await }
    });
    if wants_lines(&headers) {
        return Ok(lines_of(told.map(|Told(_, _, data)| format!("{data}\n"))));
    }
    Ok(stream_of(told.map(|Told(name, id, data)| Event::default().event(name).id(id.to_string()).data(data))))
}
