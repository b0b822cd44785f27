//! Live games: one event for every version of a game, without gaps, as server-sent events or as lines of JSON. What a listener
//! gets is what it would get by asking, and it may come back and go on after the last event it saw.

use std::sync::Arc;

use axum::{
    extract::State,
    http::{Extensions, HeaderMap},
    response::{Response, sse::Event},
};
use axum_extra::headers::HeaderMapExt;
use futures_util::{StreamExt, future::ready};
use headers_accept::Accept;
use mediatype::{MediaType, Name, names};
use serde_json::json;

use crate::{
    play::Play,
    rules::Viewer,
    web::{
        App, Client, Error,
        extract::Path,
        moments::{Moment, lines_of, moments, seen, stream_of},
        openapi,
        seat::{Eyes, Onlooker},
    },
};

async fn event(play: &Play, moment: Moment, viewer: Viewer) -> Event {
    match moment {
        Moment::Passed(version) => {
            Event::default().event("version").id(version.to_string()).data(json!({"version": version}).to_string())
        }
        Moment::Now(table) => {
            let event = Event::default().event("game").id(table.told(viewer.as_slice()).to_string());
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

/// Tells whether the client would rather have lines of JSON than events.
fn wants_lines(headers: &HeaderMap) -> bool {
    let accept = headers.typed_get::<Accept>();
    accept.is_some_and(|accept| accept.negotiate(&[EVENTS, LINES]) == Some(&LINES))
}

/// Follows a game: one event for every version, as server-sent events, or as lines of JSON for `Accept: application/x-ndjson`;
/// an empty line says every 15 seconds that the stream lives.
#[utoipa::path(
    get,
    path = "/api/games/{id}/events",
    params(
        ("id" = String, Path, description = "the game's id"),
        Eyes,
        ("Last-Event-ID" = Option<i64>, Header, description = "the last version seen: the stream goes on after it"),
    ),
    responses(
        (status = 200, description = "Events named `game` with the game as your seat sees it, and `version` for versions that passed unseen", body = String, content_type = "text/event-stream"),
        openapi::OfEyes,
    )
)]
pub async fn events(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    extensions: Extensions,
    onlooker: Onlooker,
    Path(id): Path<String>,
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
    let play = app.play.clone();
    if wants_lines(&headers) {
        return Ok(lines_of(moments.then(move |moment| {
            let (play, _counted) = (play.clone(), counted.clone());
            async move { line(&play, moment, viewer).await }
        })));
    }
    Ok(stream_of(moments.then(move |moment| {
        let (play, _counted) = (play.clone(), counted.clone());
        async move { event(&play, moment, viewer).await }
    })))
}
