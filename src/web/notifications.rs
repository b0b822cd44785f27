//! To be told of one's turns, from the pages: by a feed, by a program of one's own, or by the browser itself.

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

/// The script that runs without a page.
const WORKER: &str = include_str!("../../static/told.js");

/// `POST /key/notices`: begins a notice of the browser's key, which it gets if it has none.
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

/// `POST /key/notices/{id}/end`: ends one.
pub async fn end(State(app): State<Arc<App>>, seats: Seats, Path(id): Path<String>) -> Result<Response, Error> {
    if let Some(owner) = seats.owner(&app).await? {
        // One that has ended already has ended.
        app.play.end_notice(&owner, &id).await?;
    }
    Ok(private(Redirect::to("/key#notices").into_response()))
}

/// `GET /key/push`: the key by which a browser knows messages of this site.
pub async fn signer(State(app): State<Arc<App>>) -> Result<Response, Error> {
    let key = public_key(&app.play.signing_secret().await?).map_err(Error::broken)?;
    Ok(([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], key).into_response())
}

/// A subscription of a browser that has ended.
#[derive(Deserialize)]
pub struct Ended {
    url: String,
}

/// `POST /key/push/end`: the browser is no longer told.
pub async fn end_push(State(app): State<Arc<App>>, seats: Seats, Form(ended): Form<Ended>) -> Result<Response, Error> {
    if let Some(owner) = seats.owner(&app).await? {
        let own = app.play.notices(&owner).await?.into_iter();
        for notice in own.filter(|notice| notice.way == Channel::Push && notice.address == ended.url) {
            app.play.end_notice(&owner, &notice.id).await?;
        }
    }
    Ok(private(StatusCode::NO_CONTENT.into_response()))
}

/// `GET /told.js`: the script that shows messages, at an address above all pages, so that it may open any of them.
pub async fn worker() -> Response {
    let fields = [(header::CONTENT_TYPE, "text/javascript"), (header::CACHE_CONTROL, "no-cache")];
    (fields, WORKER).into_response()
}
