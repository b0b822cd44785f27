//! What the script of a game's page gets from the server beyond the page itself: the page's changing part anew whenever the game
//! changes. It is drawn by the same template for the same eyes.

use super::{
    App, Base, Client, Error,
    browser::Seats,
    differences::{Drawing, Sent},
    extract::{Path, Query},
    game::{Look, LookQuery, game_fragment},
    moments::{Moment, moments, seen, stream_of},
    streams::Place,
};
use axum::{
    extract::State,
    http::{Extensions, HeaderMap},
    response::{Response, sse::Event},
};
use futures_util::{Stream, StreamExt, stream};
use std::sync::{Arc, Mutex, PoisonError};
use tokio_util::sync::CancellationToken;

/// `GET /games/{id}/events`: an event `game` with the page's changing part for every version of the game; its id is the version.
/// Versions that passed while nobody listened are events `version` without a drawing. After the first drawing of a stream the others are
/// events `change`, the differences from those before. An event `spectators` says how many look on.
pub async fn events(
    State(app): State<Arc<App>>,
    base: Base,
    seats: Seats,
    headers: HeaderMap,
    extensions: Extensions,
    Path(id): Path<String>,
    Query(asked): Query<LookQuery>,
) -> Result<Response, Error> {
    let client = Client::of(&app, &extensions, &headers);
    let listener = app.play.listen(&id).await?;
    let place = app.streams.open(client.key(), app.options.streams_per_address)?;
    let spectator = seats.at(&listener.table()).is_empty();
    let counts = counts(app.streams.follow(&id, spectator), app.closing.clone());
    let moments = moments(listener, seen(&headers), app.closing.clone(), place);
    let play = app.play.clone();
    let sent = Arc::new(Mutex::new(Sent::default()));
    let moments = moments.then(move |moment| {
        let (play, seats, base, asked) = (play.clone(), seats.clone(), base.clone(), asked.clone());
        let sent = sent.clone();
        async move {
            match moment {
                Moment::Passed(version) => {
                    Event::default().event("version").id(version.to_string()).data(version.to_string())
                }
                Moment::Now(table) => {
                    let event = Event::default().id(table.version().to_string());
                    // What each seat is asked changes from moment to moment, and with it who looks where one browser holds both.
                    match game_fragment(&play, &table, Look::of(&table, &seats, base, &asked)).await {
                        Ok(fragment) => match sent.lock().unwrap_or_else(PoisonError::into_inner).say(fragment) {
                            Drawing::Whole(text) => event.event("game").data(text),
                            Drawing::Changes(list) => event.event("change").data(list),
                        },
                        Err(_) => event.event("version").data(table.version().to_string()),
                    }
                }
            }
        }
    });
    Ok(stream_of(stream::select(moments, counts)))
}

/// An event `spectators` with the number of the game's spectators, at first and whenever it changes; without an id, for it belongs to
/// no version.
fn counts(place: Place, closing: CancellationToken) -> impl Stream<Item = Event> {
    stream::unfold((place, closing), |(mut place, closing)| async move {
        let changed = async { place.count.changed().await.is_ok() };
        let goes_on = tokio::select! {
            () = closing.cancelled() => false,
            goes_on = changed => goes_on,
        };
        let count = *place.count.borrow_and_update();
        goes_on.then(|| (Event::default().event("spectators").data(count.to_string()), (place, closing)))
    })
}
