//! The seek of a browser: its one open game that waits for an opponent. A cookie holds the game's id. Every page shows the seek in its
//! header, and every page and every look at the seek keeps it in the lobby.

use super::{
    App, Error,
    cookies::Seats,
    error::is_api,
    extract::{Form, prefers},
    lobby::free,
    private,
};
use crate::{
    game::Clock,
    play::{self, GameSnapshot},
};
use askama::Template;
use axum::{
    Json,
    body::{Body, to_bytes},
    extract::{Request, State},
    http::{HeaderMap, StatusCode, header},
    middleware::Next,
    response::{Html, IntoResponse, Redirect, Response},
};
use mediatype::{MediaType, names};
use serde::Deserialize;
use serde_json::json;
use std::{sync::Arc, time::Duration};
use tokio::time::timeout;

/// The box in the header of every page, where the seek is inserted.
const BOX: &[u8] = b"<div id=\"seek\">";
/// Maximum time for which a look at a seek waits for a change. The browser then looks again, which shows that it is present.
const LOOK: Duration = Duration::from_secs(6);

const HTML: MediaType<'static> = MediaType::new(names::TEXT, names::HTML);
const JSON: MediaType<'static> = MediaType::new(names::APPLICATION, names::JSON);

/// State of a seek.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum SeekState {
    Waiting,
    Found,
    /// Cancelled, or removed after a silence.
    Over,
}

/// The seek as the header of a page shows it. The block `pill` omits the script.
#[derive(Template)]
#[template(path = "seek.html", blocks = ["pill"])]
struct Seek {
    state: SeekState,
    game: String,
    /// Variant and time control.
    words: String,
    /// Seconds since the seek began.
    seconds: i64,
}

impl Seek {
    /// The seek of a browser. A game without a seat of the browser is none of its seeks.
    async fn of(app: &App, seats: &Seats) -> Result<Option<Seek>, play::Error> {
        match seats.seek() {
            Some(id) => Seek::of_game(app, seats, &id).await,
            None => Ok(None),
        }
    }

    async fn of_game(app: &App, seats: &Seats, id: &str) -> Result<Option<Seek>, play::Error> {
        match app.play.look(id).await {
            Ok(table) if !seats.at(&table).is_empty() => Ok(Some(Seek::at(&table, app.play.now()))),
            Ok(_) | Err(play::Error::Unknown(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn at(table: &GameSnapshot, now: i64) -> Seek {
        Seek {
            state: match (table.game.outcome(), free(table)) {
                (Some(_), _) => SeekState::Over,
                (None, Some(_)) => SeekState::Waiting,
                (None, None) => SeekState::Found,
            },
            game: format!("/games/{}", table.id()),
            words: format!("{}{}", table.game.title(), clock(table)),
            seconds: ((now - table.row.created) / 1_000).max(0),
        }
    }

    fn waits(&self) -> bool {
        self.state == SeekState::Waiting
    }

    /// Time since the seek began, as a clock shows it.
    fn elapsed(&self) -> String {
        format!("{}:{:02}", self.seconds / 60, self.seconds % 60)
    }

    /// Removes a finished seek from the browser's cookies.
    fn settle(&self, seats: &Seats, response: Response) -> Response {
        if self.state == SeekState::Over { seats.forget_seek(response) } else { response }
    }
}

/// Time control of a seek in short, such as ` 10+5`; empty without a clock.
fn clock(table: &GameSnapshot) -> String {
    match table.controls() {
        [Some(Clock::Fischer { initial, increment }), _] if initial % 60 == 0 => {
            format!(" {}+{increment}", initial / 60)
        }
        [Some(Clock::Fischer { initial, increment }), _] => format!(" {initial} s+{increment}"),
        [Some(Clock::Days { .. }) | None, _] => String::new(),
    }
}

/// Makes an open game the browser's seek and cancels the one before. A game with days per move waits without its creator and is no seek.
pub(super) async fn begin(app: &App, seats: &Seats, response: Response, id: &str) -> Result<Response, play::Error> {
    let response = replace(app, seats, response, id).await?;
    if app.play.look(id).await?.by_days() || !app.play.keep_seeking(id).await? {
        return Ok(response);
    }
    Ok(seats.keep_seek(response, id))
}

/// Cancels the browser's seek unless it is the game that the browser goes to.
pub(super) async fn replace(app: &App, seats: &Seats, response: Response, id: &str) -> Result<Response, play::Error> {
    match seats.seek() {
        Some(old) if old != id => {
            cancel_held(app, seats, &old).await?;
            Ok(seats.forget_seek(response))
        }
        Some(_) | None => Ok(response),
    }
}

/// Cancels a seek if the browser holds its seat. Returns false if it is too late.
async fn cancel_held(app: &App, seats: &Seats, id: &str) -> Result<bool, play::Error> {
    match app.play.look(id).await {
        Ok(table) if !seats.at(&table).is_empty() => app.play.cancel_seek(id).await,
        Ok(_) | Err(play::Error::Unknown(_)) => Ok(true),
        Err(error) => Err(error),
    }
}

/// `GET /lobby/seek`: the browser's seek as HTML for the header, as soon as it changes, or after some seconds. No content without a seek.
pub async fn look(State(app): State<Arc<App>>, seats: Seats) -> Result<Response, Error> {
    let none = || private(StatusCode::NO_CONTENT.into_response());
    let Some(mut seek) = Seek::of(&app, &seats).await? else { return Ok(none()) };
    if let Some(id) = seats.seek().filter(|_| seek.waits()) {
        let mut listener = app.play.listen(&id).await?;
        app.play.keep_seeking(&id).await?;
        // The opponent may have joined between the two look-ups.
        if free(&listener.table()).is_some() {
            let change = timeout(LOOK, listener.change());
            let _ = app.closing.run_until_cancelled(change).await;
        }
        seek = Seek::at(&listener.table(), app.play.now());
    }
    let pill = seek.as_pill().render().map_err(Error::broken)?;
    Ok(private(seek.settle(&seats, Html(pill).into_response())))
}

/// Form that cancels a search.
#[derive(Deserialize)]
pub struct CancelForm {
    /// Id of an open game; the browser's seek if absent.
    game: Option<String>,
}

/// `POST /lobby/cancel`: takes an open game of the browser out of the lobby and ends it. Scripts receive `{"answer": "cancelled"}`, or
/// `{"answer": "too late", "game": …}` with the address of the game if an opponent has joined.
pub async fn cancel(
    State(app): State<Arc<App>>,
    seats: Seats,
    headers: HeaderMap,
    Form(form): Form<CancelForm>,
) -> Result<Response, Error> {
    let script = prefers(&headers, &JSON, &HTML);
    let id = form.game.or_else(|| seats.seek()).unwrap_or_default();
    if !cancel_held(&app, &seats, &id).await?
        && let Some(seek) = Seek::of_game(&app, &seats, &id).await?
        && seek.state != SeekState::Over
    {
        // While the opponent takes the seat, the game may still look free.
        let game = seek.game;
        let answer = json!({"answer": "too late", "game": game});
        return Ok(private(if script { Json(answer).into_response() } else { Redirect::to(&game).into_response() }));
    }
    let answer = match script {
        true => Json(json!({"answer": "cancelled"})).into_response(),
        false => Redirect::to("/lobby").into_response(),
    };
    let current = seats.seek().is_some_and(|seek| seek == id);
    Ok(private(if current { seats.forget_seek(answer) } else { answer }))
}

/// Middleware that shows the browser's seek in the header of every page.
pub(super) async fn show_in_header(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    let seats = Seats::of(&app, request.extensions(), request.headers());
    if seats.seek().is_none() || is_api(request.uri().path()) {
        return next.run(request).await;
    }
    // A copy in the browser's cache may show an earlier state.
    request.headers_mut().remove(header::IF_NONE_MATCH);
    let path = request.uri().path().to_owned();
    let response = next.run(request).await;
    let kind = response.headers().get(header::CONTENT_TYPE);
    if !kind.is_some_and(|kind| kind.as_bytes().starts_with(b"text/html")) {
        return response;
    }
    match Seek::of(&app, &seats).await {
        Ok(Some(seek)) => with_seek(&app, &seats, &path, seek, response).await,
        Ok(None) => seats.forget_seek(response),
        Err(error) => {
            tracing::warn!(%error, "reading a seek failed; the page does not show it");
            response
        }
    }
}

async fn with_seek(app: &App, seats: &Seats, path: &str, seek: Seek, response: Response) -> Response {
    // The player has arrived at the game.
    if seek.state == SeekState::Found && seek.game == path {
        return seats.forget_seek(response);
    }
    let (mut parts, body) = response.into_parts();
    let Ok(page) = to_bytes(body, usize::MAX).await else {
        return Error::broken("page body ended early").into_response();
    };
    let begins = page.windows(BOX.len()).position(|part| part == BOX).map(|at| at + BOX.len());
    let (Some(at), Ok(shown)) = (begins, seek.render()) else { return Response::from_parts(parts, Body::from(page)) };
    if seek.waits()
        && let Some(id) = seats.seek()
        && let Err(error) = app.play.keep_seeking(&id).await
    {
        tracing::warn!(%error, "keeping a seek in the lobby failed");
    }
    parts.headers.remove(header::CONTENT_LENGTH);
    parts.headers.remove(header::ETAG);
    let response = Response::from_parts(parts, Body::from([&page[..at], shown.as_bytes(), &page[at..]].concat()));
    private(seek.settle(seats, response))
}
