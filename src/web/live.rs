//! Answers for the script of a game's page beyond the page itself: what may be done now, and the page's changing
//! part anew whenever the game changes. It is drawn by the same template for the same eyes.

use super::{
    App, Base, Client, Error,
    browser::Seats,
    extract::{Path, Query},
    game::{Asked, Look, game_fragment},
    moments::{Moment, moments, seen, stream_of},
};
use crate::game::Frame;
use axum::{
    extract::State,
    http::{Extensions, HeaderMap},
    response::{Response, sse::Event},
};
use futures_util::StreamExt;
use std::sync::Arc;

/// Lists what the viewer may do now, as JSON for a data block:
/// `[{"action": "e2e4", "label": "e4", "kind": "move", "from": "e2", "to": "e4"}]`.
pub fn choices(frame: &Frame) -> String {
    let choices = frame.diagram.choices.as_deref().filter(|_| frame.asked).unwrap_or_default();
    let json = serde_json::to_string(choices).expect("choices are plain records");
    // Nothing in a data block may look like the end of it.
    json.replace('<', "\\u003c")
}

/// `GET /games/{id}/events`: an event `game` with the page's changing part for every version of the game; its id is the version.
/// Versions that passed while nobody listened are events `version` without a drawing.
pub async fn events(
    State(app): State<Arc<App>>,
    base: Base,
    seats: Seats,
    headers: HeaderMap,
    extensions: Extensions,
    Path(id): Path<String>,
    Query(asked): Query<Asked>,
) -> Result<Response, Error> {
    let client = Client::of(&app, &extensions, &headers);
    let listener = app.play.listen(&id).await?;
    let place = app.streams.open(client.key(), app.options.streams_per_address)?;
    let moments = moments(listener, seen(&headers), app.closing.clone(), place);
    let play = app.play.clone();
    Ok(stream_of(moments.then(move |moment| {
        let (play, seats, base, asked) = (play.clone(), seats.clone(), base.clone(), asked.clone());
        async move {
            match moment {
                Moment::Passed(version) => {
                    Event::default().event("version").id(version.to_string()).data(version.to_string())
                }
                Moment::Now(table) => {
                    let event = Event::default().event("game").id(table.version().to_string());
                    // What each seat is asked changes from moment to moment, and with it who looks where one browser holds both.
                    match game_fragment(&play, &table, Look::of(&table, &seats, base, &asked)).await {
                        Ok(fragment) => event.data(fragment),
                        Err(_) => event.data(""),
                    }
                }
            }
        }
    })))
}
