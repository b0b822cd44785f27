//! A player's games on another device: a key for the seats of a browser, handed on as a link; and the forms that replace an invitation or a
//! private link.

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

/// The page of the key that a browser has, if it has one.
#[derive(Template)]
#[template(path = "key.html")]
struct OwnKey {
    /// The link for the other device.
    link: Option<String>,
    /// Whom the key wants to be told.
    notices: Vec<NoticeAnswer>,
    /// The number of games that belong to it and are not over; more than a hundred are not counted.
    games: usize,
}

impl OwnKey {
    /// Whether the key has a feed.
    fn fed(&self) -> bool {
        self.notices.iter().any(|notice| notice.way == Channel::Feed.name())
    }
}

/// The page of a key that came by link.
#[derive(Template)]
#[template(path = "key_given.html")]
struct GivenKey {
    address: String,
    games: usize,
    /// Set if this browser has that key already.
    own: bool,
    /// Set if it has another one.
    other: bool,
}

/// The number of games that are counted.
const COUNTED: u32 = 100;

fn unknown() -> Error {
    Error::unknown(
        "There is no such key. Look for the whole of the link, or make a key on the device that has the games.",
    )
}

/// The key in an address, which is a secret: no refusal repeats it.
async fn read(app: &App, text: &str) -> Result<(Token, Owner), Error> {
    let key: Token = text.parse().map_err(|_| unknown())?;
    let owner = app.play.owner(&key).await?.ok_or_else(unknown)?;
    Ok((key, owner))
}

/// `GET /key`: the link for another device.
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

/// `POST /key`: makes a key if the browser has none, and lets all its seats belong to it.
pub async fn make(State(app): State<Arc<App>>, seats: Seats) -> Result<Response, Error> {
    let (key, _) = own_key(&app, &seats).await?;
    Ok(private(seats.keep_key(Redirect::to("/key").into_response(), Some(&key))))
}

/// The key of a browser, or a new one if it has none; all its seats belong to it from now on.
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

/// `POST /key/renew`: another link in the place of the one that somebody else may have seen, which leads nowhere from then on.
pub async fn renew(State(app): State<Arc<App>>, seats: Seats) -> Result<Response, Error> {
    let there = Redirect::to("/key").into_response();
    let Some(owner) = seats.owner(&app).await? else { return Ok(private(there)) };
    let key = app.play.swap_key(&owner).await?;
    Ok(private(seats.keep_key(there, Some(&key))))
}

/// `GET /key/{key}`: asks whether the games of a key are to be played here.
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

/// `POST /key/{key}`: from now on the games of this key are played here too, and the games here belong to it.
pub async fn take(State(app): State<Arc<App>>, seats: Seats, Path(text): Path<String>) -> Result<Response, Error> {
    let (key, owner) = read(&app, &text).await?;
    hand_over(&app, &seats, &owner).await?;
    Ok(private(seats.keep_key(Redirect::to("/").into_response(), Some(&key))))
}

/// `POST /key/forget`: this browser forgets the key. Seats that it has itself stay.
pub async fn forget(seats: Seats) -> Response {
    private(seats.keep_key(Redirect::to("/key").into_response(), None))
}

/// Lets the seats of a browser belong to a key: one of each game, so not those of a screen for two.
async fn hand_over(app: &App, seats: &Seats, owner: &Owner) -> Result<(), Error> {
    for (id, tokens) in seats.games() {
        let [token] = tokens.as_slice() else { continue };
        match app.play.hand_over(&id, token, owner).await {
            // A game that is gone, a proof that was replaced, a seat opposite one's own: they stay as they are.
            Ok(_) | Err(play::Error::Refused(_) | play::Error::Unknown(_)) => {}
            Err(other) => return Err(other.into()),
        }
    }
    Ok(())
}

/// `POST /games/{id}/invite`: another invitation, for whoever sits at the game.
pub async fn invitation(State(app): State<Arc<App>>, seats: Seats, Path(id): Path<String>) -> Result<Response, Error> {
    if seats.at(&*app.play.look(&id).await?).is_empty() {
        return Err(nobody());
    }
    let code = app.play.renew_invitation(&id).await?;
    Ok(private(seats.keep(there(&id), &id, &[], Some(&code))))
}

/// Which of the seats that a browser holds.
#[derive(Deserialize)]
pub struct Which {
    seat: Seat,
}

/// `POST /games/{id}/link`: another private link of a seat that this browser holds.
pub async fn link(
    State(app): State<Arc<App>>,
    seats: Seats,
    Path(id): Path<String>,
    Form(which): Form<Which>,
) -> Result<Response, Error> {
    let held = seats.at(&*app.play.look(&id).await?);
    let (_, old) = held.into_iter().find(|(seat, _)| *seat == which.seat).ok_or_else(nobody)?;
    let old = old.ok_or_else(nobody)?;
    let (_, new) = app.play.renew_seat(&id, &old).await?;
    Ok(private(seats.exchange(there(&id), &id, &old, &new)))
}

fn there(id: &str) -> Response {
    Redirect::to(&format!("/games/{id}")).into_response()
}

fn nobody() -> Error {
    Error::refused("This browser does not hold that seat: only whoever sits there can do this.")
}
