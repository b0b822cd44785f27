//! Play on several devices: the key that owns a browser's seats, its private link, and the forms that replace an invitation or a private
//! seat link.

use super::{
    App, Error, PublicOrigin,
    cookies::Seats,
    extract::{Form, Path},
    outbound::api::NoticeAnswer,
    page as render, private,
};
use crate::{
    play::{self, Channel, Owner, Token},
    rules::Seat,
};
use askama::Template;
use axum::{
    extract::State,
    response::{IntoResponse, Redirect, Response},
};
use serde::Deserialize;
use std::sync::Arc;

/// Page of the browser's own key.
#[derive(Template)]
#[template(path = "key.html")]
struct OwnKey {
    /// Private link for other devices; `None` if the browser has no key.
    link: Option<String>,
    /// Subscriptions of the key to turn notifications.
    notices: Vec<NoticeAnswer>,
    /// Number of the key's unfinished games, counted up to 100.
    games: usize,
}

impl OwnKey {
    fn fed(&self) -> bool {
        self.notices.iter().any(|notice| notice.way == Channel::Feed)
    }
}

/// Page of a key that was opened by its link.
#[derive(Template)]
#[template(path = "key_given.html")]
struct GivenKey {
    address: String,
    games: usize,
    /// Set if this browser has this key already.
    own: bool,
    /// Set if this browser has another key.
    other: bool,
}

/// Maximum number of games to count.
const COUNTED: u32 = 100;

fn unknown() -> Error {
    Error::unknown(
        "There is no such key. Check that the link is complete, or create a new link on the device that has your games.",
    )
}

/// Parses the key in a URL. The key is secret, so errors do not repeat it.
async fn read(app: &App, text: &str) -> Result<(Token, Owner), Error> {
    let key: Token = text.parse().map_err(|_| unknown())?;
    let owner = app.play.owner(&key).await?.ok_or_else(unknown)?;
    Ok((key, owner))
}

/// `GET /key`: shows the private link for other devices.
pub async fn page(State(app): State<Arc<App>>, base: PublicOrigin, seats: Seats) -> Result<Response, Error> {
    let owner = seats.owner(&app).await?;
    let (games, notices) = match &owner {
        Some(owner) => {
            let notices = app.play.notices(owner).await?.iter().map(NoticeAnswer::of).collect();
            (app.play.own_games(owner, None, COUNTED).await?.games.len(), notices)
        }
        None => (0, Vec::new()),
    };
    let link = owner.and_then(|_| seats.key()).map(|key| base.url(&format!("/key/{}", key.as_str())));
    Ok(private(render(&OwnKey { link, notices, games })?))
}

/// `POST /key`: creates a key if the browser has none, and assigns the browser's seats to it.
pub async fn make(State(app): State<Arc<App>>, seats: Seats) -> Result<Response, Error> {
    let (key, _) = own_key(&app, &seats).await?;
    Ok(private(seats.keep_key(Redirect::to("/key").into_response(), Some(&key))))
}

/// Returns the browser's key, creating one if necessary, and assigns the browser's seats to it.
pub(super) async fn own_key(app: &App, seats: &Seats) -> Result<(Token, Owner), Error> {
    let (key, owner) = match (seats.key(), seats.owner(app).await?) {
        (Some(key), Some(owner)) => (key, owner),
        (Some(_) | None, _) => {
            let key = app.play.new_key().await?;
            let owner = app.play.owner(&key).await?.ok_or_else(|| Error::broken("a key was lost"))?;
            (key, owner)
        }
    };
    hand_over(app, seats, &owner).await?;
    Ok((key, owner))
}

/// `POST /key/renew`: replaces the private link, for example after another person has seen it. The old link stops working.
pub async fn renew(State(app): State<Arc<App>>, seats: Seats) -> Result<Response, Error> {
    let there = Redirect::to("/key").into_response();
    let Some(owner) = seats.owner(&app).await? else { return Ok(private(there)) };
    let key = app.play.swap_key(&owner).await?;
    Ok(private(seats.keep_key(there, Some(&key))))
}

/// `GET /key/{key}`: offers to play the key's games in this browser.
pub async fn given(State(app): State<Arc<App>>, seats: Seats, Path(text): Path<String>) -> Result<Response, Error> {
    let (key, owner) = read(&app, &text).await?;
    let own = seats.key();
    Ok(private(render(&GivenKey {
        address: format!("/key/{text}"),
        games: app.play.own_games(&owner, None, COUNTED).await?.games.len(),
        other: own.as_ref().is_some_and(|own| *own != key),
        own: own.is_some_and(|own| own == key),
    })?))
}

/// `POST /key/{key}`: stores the key in this browser and assigns the browser's seats to it.
pub async fn take(State(app): State<Arc<App>>, seats: Seats, Path(text): Path<String>) -> Result<Response, Error> {
    let (key, owner) = read(&app, &text).await?;
    hand_over(&app, &seats, &owner).await?;
    Ok(private(seats.keep_key(Redirect::to("/").into_response(), Some(&key))))
}

/// `POST /key/forget`: removes the key from this browser. Seat tokens in its cookies stay.
pub async fn forget(seats: Seats) -> Response {
    private(seats.keep_key(Redirect::to("/key").into_response(), None))
}

/// Assigns the browser's seats to a key. Skips games in which the browser holds both seats, because a key can own only one.
async fn hand_over(app: &App, seats: &Seats, owner: &Owner) -> Result<(), Error> {
    for (id, tokens) in seats.games() {
        let [token] = tokens.as_slice() else { continue };
        match app.play.hand_over(&id, token, owner).await {
            // Deleted games, replaced tokens, and games whose other seat the key owns are skipped.
            Ok(_) | Err(play::Error::Refused(_) | play::Error::Unknown(_)) => {}
            Err(other) => return Err(other.into()),
        }
    }
    Ok(())
}

/// `POST /games/{id}/invite`: replaces the invitation code. Requires a seat in the game.
pub async fn invitation(State(app): State<Arc<App>>, seats: Seats, Path(id): Path<String>) -> Result<Response, Error> {
    if seats.at(&*app.play.look(&id).await?).is_empty() {
        return Err(unknown_link());
    }
    let code = app.play.renew_invitation(&id).await?;
    Ok(private(seats.keep(&app, there(&id), &id, &[], Some(&code)).await))
}

/// Form with one of the browser's seats.
#[derive(Deserialize)]
pub struct Which {
    seat: Seat,
}

/// `POST /games/{id}/link`: replaces the private link of a seat that this browser holds.
pub async fn link(
    State(app): State<Arc<App>>,
    seats: Seats,
    Path(id): Path<String>,
    Form(which): Form<Which>,
) -> Result<Response, Error> {
    let held = seats.at(&*app.play.look(&id).await?);
    let (_, old) = held.into_iter().find(|(seat, _)| *seat == which.seat).ok_or_else(unknown_link)?;
    let old = old.ok_or_else(unknown_link)?;
    let (_, new) = app.play.renew_seat(&id, &old).await?;
    Ok(private(seats.exchange(there(&id), &id, &old, &new)))
}

fn there(id: &str) -> Response {
    Redirect::to(&format!("/games/{id}")).into_response()
}

fn unknown_link() -> Error {
    Error::refused("This browser does not hold that seat. Use the browser or link with which you play.")
}
