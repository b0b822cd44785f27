//! The forms that replace a key: the invitation to the other seat, and the private link of one's own.

use super::{
    App, Error,
    browser::Seats,
    extract::{Form, Path},
    private,
};
use crate::rules::Seat;
use axum::{
    extract::State,
    response::{IntoResponse, Redirect, Response},
};
use serde::Deserialize;
use std::sync::Arc;

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
