//! One stream for all games of a key, and one of the lobby.

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use axum::{
    extract::State,
    http::{Extensions, HeaderMap},
    response::{Response, sse::Event},
};
use futures_util::{Stream, StreamExt, stream};
use serde_json::{Value, json};
use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

use super::{
    events::wants_lines,
    keys::OwnGame,
    lobby::{Filter, open},
};
use crate::{
    play::{KeyListener, News},
    web::{
        App, Base, Client, Error,
        extract::Query,
        moments::{lines_of, stream_of},
        openapi,
        seat::owner,
    },
};

/// How often the stream of the lobby looks whether there is news.
const LOOK: Duration = Duration::from_secs(1);

fn name(news: News) -> &'static str {
    match news {
        News::Game => "game",
        News::Turn => "turn",
        News::Offer => "offer",
        News::End => "end",
    }
}

/// The events as the client wants them: server-sent, or lines of JSON with their name in `event`.
fn answer(lines: bool, events: impl Stream<Item = (&'static str, Value)> + Send + 'static) -> Response {
    if lines {
        return lines_of(events.map(|(name, mut data)| {
            data["event"] = name.into();
            format!("{data}\n")
        }));
    }
    stream_of(events.map(|(name, data)| Event::default().event(name).data(data.to_string())))
}

fn told(listener: KeyListener, base: Base, closing: CancellationToken) -> impl Stream<Item = (&'static str, Value)> {
    stream::unfold((listener, base, closing), |(mut listener, base, closing)| async move {
        let (news, table, seat) = tokio::select! {
            () = closing.cancelled() => return None,
            news = listener.next() => news?,
        };
        let game = serde_json::to_value(OwnGame::of(&base, &table, seat)).unwrap_or_default();
        Some(((name(news), json!({"game": game})), (listener, base, closing)))
    })
}

/// Follows all games of your key on one stream, as server-sent events or as lines of JSON for `Accept: application/x-ndjson`. It begins
/// with an event `game` for each game that goes on; then comes `game` for each that begins, `turn` where you are asked, `offer` where the
/// other side offers something, and `end`. Whoever comes back begins anew: nothing that still stands is missed.
#[utoipa::path(
    get,
    path = "/api/stream",
    operation_id = "follow_key",
    tag = "keys",
    responses(
        (status = 200, description = "Events with the `game` as `/api/keys/own` lists it; lines of JSON have the name in `event`", content(
            (String = "text/event-stream"),
            (String = "application/x-ndjson"),
        )),
        openapi::OfKey,
    ),
    security(("key" = []))
)]
pub async fn games(
    State(app): State<Arc<App>>,
    base: Base,
    headers: HeaderMap,
    extensions: Extensions,
) -> Result<Response, Error> {
    let key = owner(&app, &headers).await?;
    let client = Client::of(&app, &extensions, &headers);
    let place = app.streams.open(client.key(), app.options.streams_per_address)?;
    let events = told(app.play.follow_key(key).await?, base, app.closing.clone());
    let counted = events.inspect(move |_| place.sends(1));
    Ok(answer(wants_lines(&headers), counted))
}

/// What the stream of the lobby knows.
struct Lobby {
    app: Arc<App>,
    base: Base,
    variant: Option<String>,
    /// The ids of the games that were told.
    known: BTreeSet<String>,
    look: tokio::time::Interval,
}

impl Lobby {
    /// What has changed since the last look.
    async fn news(&mut self) -> Result<Vec<(&'static str, Value)>, Error> {
        let waiting = self.app.play.board().await?;
        let fitting = waiting.iter().filter(|table| self.variant.as_deref().is_none_or(|key| key == table.game.key()));
        let now: BTreeSet<String> = fitting.clone().map(|table| table.id().to_owned()).collect();
        let gone = self.known.difference(&now).map(|id| ("gone", json!({"id": id})));
        let fresh = fitting.filter(|table| !self.known.contains(table.id()));
        let come = fresh.filter_map(|table| open(&self.base, table)).map(|game| ("open", json!({"game": game})));
        let news = gone.chain(come).collect();
        self.known = now;
        Ok(news)
    }
}

/// Follows the lobby: an event `open` for every game that waits for somebody, and `gone` with the `id` for each that no longer does.
#[utoipa::path(
    get,
    path = "/api/lobby/events",
    operation_id = "follow_lobby",
    tag = "lobby",
    params(Filter),
    responses(
        (status = 200, description = "Events with the `game` as `/api/games` lists it; lines of JSON have the name in `event`", content(
            (String = "text/event-stream"),
            (String = "application/x-ndjson"),
        )),
        (status = 404, description = "There is no such variant", body = crate::web::openapi::Problem, content_type = "application/problem+json"),
        openapi::OfAddress,
    )
)]
pub async fn lobby(
    State(app): State<Arc<App>>,
    base: Base,
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
            tracing::warn!(?error, "the lobby could not be read");
            Vec::new()
        });
        Some((stream::iter(news), (lobby, closing)))
    });
    let events = batches.flatten().inspect(move |_| place.sends(1));
    Ok(answer(wants_lines(&headers), events))
}
