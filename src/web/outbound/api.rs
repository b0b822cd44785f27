//! How programs wish to be told that their key is asked.

use std::sync::Arc;

use axum::{
    Json,
    extract::State,
    http::{HeaderMap, StatusCode},
    response::{IntoResponse, Response},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    feed,
    http_client::Destination,
    send::{self, Subscriber},
};
use crate::{
    game::record,
    play::{Channel, Notice, Owner},
    web::{
        App, Error, PublicOrigin,
        api::create_game::in_field,
        extract,
        openapi::{self, Problem},
        private,
        seat_auth::owner,
    },
};

/// A wish to be told when a key is asked.
#[derive(Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewNotice {
    /// `hook`: a `POST` to an address of yours, signed as standardwebhooks.com says. `feed`: an Atom feed at an address that only you know.
    /// `push`: a message to a browser.
    way: String,
    /// Of a hook, its address: `https`, with a host on the public network. Of a browser, the endpoint of its subscription.
    url: Option<String>,
    /// Of a browser, the key `p256dh` of its subscription.
    p256dh: Option<String>,
    /// Of a browser, the key `auth` of its subscription.
    auth: Option<String>,
}

/// Somebody who is told when a key is asked.
#[derive(Serialize, ToSchema)]
pub struct NoticeAnswer {
    /// Its id, by which it is ended.
    pub(in crate::web) id: String,
    /// `hook`, `feed` or `push`.
    pub(in crate::web) way: &'static str,
    /// Where it goes; of a feed, where it is read.
    pub(in crate::web) url: String,
    /// Of a hook, the secret of its signatures, `whsec_` and base64; null elsewhere.
    pub(in crate::web) secret: Option<String>,
    /// The time since when nothing could be delivered there; after three days the notice ends.
    pub(in crate::web) failing: Option<String>,
}

/// Whom a key wants to be told.
#[derive(Serialize, ToSchema)]
pub struct NoticesAnswer {
    /// The oldest first.
    notices: Vec<NoticeAnswer>,
}

impl NoticeAnswer {
    /// A notice as its owner is told of it.
    pub(in crate::web) fn of(notice: &Notice) -> NoticeAnswer {
        let url = match notice.way {
            Channel::Feed => PublicOrigin::of_origin(notice.origin.clone()).url(&feed::path(&notice.secret)),
            Channel::Hook | Channel::Push => notice.address.clone(),
        };
        NoticeAnswer {
            id: notice.id.clone(),
            way: notice.way.name(),
            url,
            secret: (notice.way == Channel::Hook).then(|| send::told(&notice.secret)),
            failing: notice.failing.map(record::instant),
        }
    }
}

/// Fulfils a wish of a key.
pub(in crate::web) async fn wish(
    app: &App,
    base: &PublicOrigin,
    owner: &Owner,
    new: NewNotice,
) -> Result<Notice, Error> {
    let way: Channel = new.way.parse().map_err(in_field("way"))?;
    let to = || {
        let url = new.url.as_deref().ok_or_else(|| Error::refused("An address is missing.").field("url"))?;
        Destination::read(url, app.options.private_hooks).map(|url| url.to_string()).map_err(in_field("url"))
    };
    let (address, secret) = match way {
        Channel::Feed => (String::new(), String::new()),
        Channel::Hook => (to()?, String::new()),
        Channel::Push => {
            let [key, auth] = [&new.p256dh, &new.auth].map(|text| text.as_deref().unwrap_or_default());
            (to()?, Subscriber::new(key, auth).map_err(in_field("p256dh"))?.text())
        }
    };
    Ok(app.play.begin_notice(owner, (way, &address, &secret), base.origin()).await?)
}

/// Lists whom your key wants to be told when it is asked.
#[utoipa::path(
    get,
    path = "/api/keys/notices",
    operation_id = "list_notices",
    tag = "keys",
    responses((status = 200, description = "The notices", body = NoticesAnswer), openapi::KeyErrors),
    security(("key" = []))
)]
pub async fn list(State(app): State<Arc<App>>, headers: HeaderMap) -> Result<Response, Error> {
    let owner = owner(&app, &headers).await?;
    let notices = app.play.notices(&owner).await?.iter().map(NoticeAnswer::of).collect();
    Ok(private(Json(NoticesAnswer { notices }).into_response()))
}

/// Asks for turn notifications of your key, by a feed, by a request to an address of yours, or in a browser. A request is JSON of the type
/// `turn` with the game in `data.game` as `/api/keys/own` lists it. It is sent once for each turn. If it is not delivered within ten seconds,
/// it is sent again with the same id after growing delays, for three days or until the turn is over. A notice whose address answers 404 or
/// 410 ends.
#[utoipa::path(
    post,
    path = "/api/keys/notices",
    operation_id = "begin_notice",
    tag = "keys",
    request_body = NewNotice,
    responses(
        (status = 201, description = "The notice", body = NoticeAnswer),
        (status = 422, description = "There is no such way, nothing can be sent to this address, or the key has eight notices", body = Problem, content_type = "application/problem+json"),
        openapi::BodyErrors,
        openapi::KeyErrors,
    ),
    security(("key" = []))
)]
pub async fn begin(
    State(app): State<Arc<App>>,
    base: PublicOrigin,
    headers: HeaderMap,
    extract::Json(new): extract::Json<NewNotice>,
) -> Result<Response, Error> {
    let owner = owner(&app, &headers).await?;
    let notice = wish(&app, &base, &owner, new).await?;
    Ok(private((StatusCode::CREATED, Json(NoticeAnswer::of(&notice))).into_response()))
}

/// Ends a notice of your key.
#[utoipa::path(
    post,
    path = "/api/keys/notices/{id}/end",
    operation_id = "end_notice",
    tag = "keys",
    params(("id" = String, Path, description = "the notice's id")),
    responses(
        (status = 204, description = "It has ended"),
        (status = 404, description = "The key has no such notice", body = Problem, content_type = "application/problem+json"),
        openapi::PathErrors,
        openapi::KeyErrors,
    ),
    security(("key" = []))
)]
pub async fn end(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    extract::Path(id): extract::Path<String>,
) -> Result<Response, Error> {
    let owner = owner(&app, &headers).await?;
    match app.play.end_notice(&owner, &id).await? {
        true => Ok(private(StatusCode::NO_CONTENT.into_response())),
        false => Err(Error::unknown("This key has no such notice.")),
    }
}
