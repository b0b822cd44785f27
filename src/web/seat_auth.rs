//! Authentication of players and viewers in the API: by a token in the Authorization header, or by the game's cookie.

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

/// Token in the Authorization header, if present.
pub(super) fn bearer(headers: &HeaderMap) -> Result<Option<Token>, Error> {
    let wrong =
        "The Authorization header must be “Bearer”, a space, and a seat token or a key. This one has another form.";
    let wrong = || Error::new(Kind::Unauthorized, wrong);
    let field = headers.typed_try_get::<Authorization<Bearer>>().map_err(|_| wrong())?;
    field.map(|field| field.token().trim().parse().map_err(|_| wrong())).transpose()
}

fn not_of_this_game() -> Error {
    let why = "This token does not belong to a seat of this game. Send a seat’s token, or the key that holds the seat.";
    Error::new(Kind::Unauthorized, why)
}

/// Owner of the request's key.
///
/// # Errors
/// If the request has no key, or an unknown one.
pub async fn owner(app: &App, headers: &HeaderMap) -> Result<Owner, Error> {
    optional_owner(app, headers).await?.ok_or_else(|| {
        Error::new(
            Kind::Unauthorized,
            "A key is required. Send it as Authorization: Bearer KEY; create one with POST /api/keys.",
        )
    })
}

/// Owner of the request's key, if it has one.
///
/// # Errors
/// If the key is unknown.
pub async fn optional_owner(app: &App, headers: &HeaderMap) -> Result<Option<Owner>, Error> {
    let Some(key) = bearer(headers)? else { return Ok(None) };
    let unknown = || Error::new(Kind::Unauthorized, "The key does not exist. Create one with POST /api/keys.");
    app.play.owner(&key).await?.ok_or_else(unknown).map(Some)
}

/// Token of a player's request.
///
/// # Errors
/// If the request has no valid token.
pub fn proof(headers: &HeaderMap) -> Result<Token, Error> {
    bearer(headers)?.ok_or_else(|| {
        Error::new(Kind::Unauthorized, "A seat token is required. Send it as Authorization: Bearer TOKEN.")
    })
}

/// Seat that acts. Only a token in the header counts, so that other sites cannot act with a cookie.
pub fn actor(headers: &HeaderMap, table: &GameSnapshot) -> Result<Seat, Error> {
    table.seat(&proof(headers)?).ok_or_else(not_of_this_game)
}

/// Seat whose view to return if the cookies hold both seats; by default the one to move.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ViewSeat {
    /// `one` or `two`.
    seat: Option<Seat>,
}

/// Credentials of a viewer.
#[derive(Clone, Debug)]
pub struct ApiViewer {
    bearer: Result<Option<Token>, Error>,
    seats: Seats,
    view_seat: ViewSeat,
}

impl FromRequestParts<Arc<App>> for ApiViewer {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Error> {
        let Query(eyes) = Query::from_request_parts(parts, app).await?;
        Ok(ApiViewer {
            bearer: bearer(&parts.headers),
            seats: Seats::of(app, &parts.extensions, &parts.headers),
            view_seat: eyes,
        })
    }
}

impl ApiViewer {
    /// Seat whose view is returned: by the header's token or key, otherwise by the cookie, otherwise none.
    pub fn seat(&self, table: &GameSnapshot) -> Viewer {
        if let Ok(Some(token)) = &self.bearer {
            return table.seat(token);
        }
        let seats: Vec<Seat> = self.seats.at(table).into_iter().map(|(seat, _)| seat).collect();
        let mut wished = self.view_seat.seat.into_iter().chain(table.game.awaits());
        wished.find(|seat| seats.contains(seat)).or(seats.first().copied())
    }

    /// The same seat for a new request. A key without a seat sees what the public sees.
    ///
    /// # Errors
    /// If the header is malformed, or its token is neither a key nor of a seat of this game.
    pub async fn viewer(&self, app: &App, table: &GameSnapshot) -> Result<Viewer, Error> {
        let token = self.bearer.clone()?;
        match (self.seat(table), token) {
            (None, Some(key)) if app.play.owner(&key).await?.is_none() => Err(not_of_this_game()),
            (seat, _) => Ok(seat),
        }
    }
}
