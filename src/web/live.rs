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
    talk::Company,
};
use crate::rules::Seat;
use axum::{
    extract::State,
    http::{Extensions, HeaderMap},
    response::{Response, sse::Event},
};
use futures_util::{Stream, StreamExt, stream};
use std::sync::{Arc, Mutex, PoisonError};

/// `GET /games/{id}/events`: an event `game` with the page's changing part for every version of the game; its id is the version.
/// Versions that passed while nobody listened are events `version` without a drawing. After the first drawing of a stream the others are
/// events `change`, the differences from those before. An event `audience` says how many look on, whether
/// the other player is there, and what that one has said.
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
    let held: Vec<Seat> = seats.at(&listener.table()).into_iter().map(|(seat, _)| seat).collect();
    let company = company(app.clone(), app.streams.follow(&id, held.clone()), id, held.clone());
    let moments = moments(listener, held.clone(), seen(&headers), app.closing.clone(), place);
    let sent = Arc::new(Mutex::new(Sent::default()));
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
                    match game_fragment(&app, &table, Look::of(&table, &seats, base, &asked)).await {
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
        let company = Company::of(&table, &held, audience, app.play.now());
        place.sends();
        Some((Event::default().event("audience").data(company.json().to_string()), (app, place, id, held)))
    })
}
