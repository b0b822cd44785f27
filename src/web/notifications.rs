//! Pages and forms for turn notifications: by feed, webhook or browser push.

use super::{
    App, Error, PublicOrigin,
    cookies::Seats,
    device_link::own_key,
    extract::{Form, Path},
    outbound::{
        api::{NewNotice, wish},
        public_key,
    },
    private,
};
use crate::play::Channel;
use axum::{
    extract::State,
    http::{StatusCode, header},
    response::{IntoResponse, Redirect, Response},
};
use serde::Deserialize;
use std::sync::Arc;

/// Service worker that shows push messages.
const WORKER: &str = include_str!("../../static/told.js");

/// `POST /key/notices`: subscribes the browser's key to turn notifications. Creates the key if the browser has none.
pub async fn begin(
    State(app): State<Arc<App>>,
    base: PublicOrigin,
    seats: Seats,
    Form(new): Form<NewNotice>,
) -> Result<Response, Error> {
    let (key, owner) = own_key(&app, &seats).await?;
    wish(&app, &base, &owner, new).await?;
    Ok(private(seats.keep_key(Redirect::to("/key#notices").into_response(), Some(&key))))
}

/// `POST /key/notices/{id}/end`: ends a subscription.
pub async fn end(State(app): State<Arc<App>>, seats: Seats, Path(id): Path<String>) -> Result<Response, Error> {
    if let Some(owner) = seats.owner(&app).await? {
        // Ending an ended subscription is no error.
        app.play.end_notice(&owner, &id).await?;
    }
    Ok(private(Redirect::to("/key#notices").into_response()))
}

/// `GET /key/push`: returns the site's public key (VAPID), with which a browser subscribes to push messages.
pub async fn signer(State(app): State<Arc<App>>) -> Result<Response, Error> {
    let key = public_key(&app.play.signing_secret().await?).map_err(Error::broken)?;
    Ok(([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], key).into_response())
}

/// Form with an ended push subscription of a browser.
#[derive(Deserialize)]
pub struct Ended {
    url: String,
}

/// `POST /key/push/end`: ends the browser's push notifications.
pub async fn end_push(State(app): State<Arc<App>>, seats: Seats, Form(ended): Form<Ended>) -> Result<Response, Error> {
    if let Some(owner) = seats.owner(&app).await? {
        let own = app.play.notices(&owner).await?.into_iter();
        for notice in own.filter(|notice| notice.way == Channel::Push && notice.address == ended.url) {
            app.play.end_notice(&owner, &notice.id).await?;
        }
    }
    Ok(private(StatusCode::NO_CONTENT.into_response()))
}

/// `GET /told.js`: returns the service worker. It is at the root of the site so that its scope covers all pages.
pub async fn worker() -> Response {
    let fields = [(header::CONTENT_TYPE, "text/javascript"), (header::CACHE_CONTROL, "no-cache")];
    (fields, WORKER).into_response()
}
