//! Viewers and players in the API: a seat's proof, from the Authorization header or from the game's cookie.

use super::{App, Error, Kind, cookies::Seats, extract::Query};
use crate::{
    play::{GameSnapshot, Owner, Token},
    rules::{Seat, Viewer},
};
use axum::{
    extract::FromRequestParts,
    http::{HeaderMap, request::Parts},
};
use axum_extra::headers::{Authorization, HeaderMapExt, authorization::Bearer};
use serde::Deserialize;
use std::sync::Arc;
use utoipa::IntoParams;

/// The proof in the Authorization header, if there is one.
fn bearer(headers: &HeaderMap) -> Result<Option<Token>, Error> {
    let wrong = "The Authorization header must be “Bearer TOKEN”, with the token of a seat or a key.";
    let wrong = || Error::new(Kind::Unproved, wrong);
    let field = headers.typed_try_get::<Authorization<Bearer>>().map_err(|_| wrong())?;
    field.map(|field| field.token().trim().parse().map_err(|_| wrong())).transpose()
}

fn proved(table: &GameSnapshot, token: &Token) -> Result<Seat, Error> {
    table.seat(token).ok_or_else(|| Error::new(Kind::Unproved, "This token proves no seat of this game."))
}

/// The key that a request is made with; refused without one, and if there is no such key.
pub async fn owner(app: &App, headers: &HeaderMap) -> Result<Owner, Error> {
    optional_owner(app, headers).await?.ok_or_else(|| {
        Error::new(Kind::Unproved, "This is for a key: send it as Authorization: Bearer KEY. POST /api/keys makes one.")
    })
}

/// The key that a request is made with, if it is made with one; refused if there is no such key.
pub async fn optional_owner(app: &App, headers: &HeaderMap) -> Result<Option<Owner>, Error> {
    let Some(key) = bearer(headers)? else { return Ok(None) };
    let unknown = || Error::new(Kind::Unproved, "There is no such key. POST /api/keys makes one.");
    app.play.owner(&key).await?.ok_or_else(unknown).map(Some)
}

/// The proof that a player sends along.
pub fn proof(headers: &HeaderMap) -> Result<Token, Error> {
    bearer(headers)?.ok_or_else(|| {
        Error::new(Kind::Unproved, "Only a player can do this: send the seat's token as Authorization: Bearer TOKEN.")
    })
}

/// Finds who acts: only a token in the header counts.
pub fn actor(headers: &HeaderMap, table: &GameSnapshot) -> Result<Seat, Error> {
    proved(table, &proof(headers)?)
}

/// With which eyes to look where one browser holds both seats; without it those of the seat that is asked.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ViewSeat {
    /// `one` or `two`.
    seat: Option<Seat>,
}

/// Whoever looks at a game.
#[derive(Clone, Debug)]
pub struct ApiViewer {
    bearer: Result<Option<Token>, Error>,
    seats: Seats,
    eyes: ViewSeat,
}

impl FromRequestParts<Arc<App>> for ApiViewer {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Error> {
        let Query(eyes) = Query::from_request_parts(parts, app).await?;
        Ok(ApiViewer { bearer: bearer(&parts.headers), seats: Seats::of(app, &parts.extensions, &parts.headers), eyes })
    }
}

impl ApiViewer {
    /// As whom they see a game: by the header's token, else by the cookie, else as nobody in particular.
    pub fn viewer(&self, table: &GameSnapshot) -> Result<Viewer, Error> {
        if let Some(token) = self.bearer.clone()? {
            return proved(table, &token).map(Some);
        }
        let seats: Vec<Seat> = self.seats.at(table).into_iter().map(|(seat, _)| seat).collect();
        let mut wished = self.eyes.seat.into_iter().chain(table.game.awaits());
        Ok(wished.find(|seat| seats.contains(seat)).or(seats.first().copied()))
    }
}
