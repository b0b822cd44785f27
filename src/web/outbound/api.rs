//! API for turn notifications: lists, creates and ends the subscriptions of a key. The API calls a subscription a notice.

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

/// New subscription of a key to turn notifications.
#[derive(Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewNotice {
    /// Channel. `hook`: a `POST` to your URL, signed as described at standardwebhooks.com. `feed`: an Atom feed at a secret URL.
    /// `push`: a browser push message.
    #[schema(value_type = Channel)]
    way: String,
    /// For `hook`, your URL: `https`, with a host on the public network. For `push`, the `endpoint` of the browser's push subscription.
    url: Option<String>,
    /// For `push`, the key `p256dh` of the browser's push subscription.
    p256dh: Option<String>,
    /// For `push`, the key `auth` of the browser's push subscription.
    auth: Option<String>,
}

/// A key's subscription to turn notifications.
#[derive(Serialize, ToSchema)]
pub struct NoticeAnswer {
    /// Id, with which you can end the subscription.
    pub(in crate::web) id: String,
    /// Channel.
    pub(in crate::web) way: Channel,
    /// URL to which notifications are sent. For `feed`, the URL of the feed.
    pub(in crate::web) url: String,
    /// For `hook`, the secret of its signatures: `whsec_` followed by base64. Otherwise null.
    pub(in crate::web) secret: Option<String>,
    /// Time since which every delivery has failed, or null. After three days of failures the subscription ends.
    pub(in crate::web) failing: Option<String>,
}

/// The subscriptions of a key.
#[derive(Serialize, ToSchema)]
pub struct NoticesAnswer {
    /// Subscriptions, oldest first.
    notices: Vec<NoticeAnswer>,
}

impl NoticeAnswer {
    /// Describes a subscription to its owner.
    pub(in crate::web) fn of(notice: &Notice) -> NoticeAnswer {
        let url = match notice.way {
            Channel::Feed => PublicOrigin::of_origin(notice.origin.clone()).url(&feed::path(&notice.secret)),
            Channel::Hook | Channel::Push => notice.address.clone(),
        };
        NoticeAnswer {
            id: notice.id.clone(),
            way: notice.way,
            url,
            secret: (notice.way == Channel::Hook).then(|| send::told(&notice.secret)),
            failing: notice.failing.map(record::instant),
        }
    }
}

/// Creates a subscription of a key, after checking its address and keys.
pub(in crate::web) async fn wish(
    app: &App,
    base: &PublicOrigin,
    owner: &Owner,
    new: NewNotice,
) -> Result<Notice, Error> {
    let way: Channel = new.way.parse().map_err(in_field("way"))?;
    let to = || {
        let url = new.url.as_deref().ok_or_else(|| Error::refused("This channel requires a url.").field("url"))?;
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

/// Lists your key's subscriptions to turn notifications.
#[utoipa::path(
    get,
    path = "/api/keys/notices",
    operation_id = "list_notices",
    tag = "keys",
    responses((status = 200, description = "The subscriptions", body = NoticesAnswer), openapi::KeyErrors),
    security(("key" = []))
)]
pub async fn list(State(app): State<Arc<App>>, headers: HeaderMap) -> Result<Response, Error> {
    let owner = owner(&app, &headers).await?;
    let notices = app.play.notices(&owner).await?.iter().map(NoticeAnswer::of).collect();
    Ok(private(Json(NoticesAnswer { notices }).into_response()))
}

/// Subscribes your key to turn notifications, by feed, webhook or browser push. A webhook request is JSON of type `turn`, with the game in
/// `data.game` in the format of `/api/keys/own`. Each turn is sent once. A delivery that fails or takes longer than ten seconds is
/// retried with the same id and growing delays, for three days or until the turn is over. A response of 404 or 410 ends the
/// subscription.
#[utoipa::path(
    post,
    path = "/api/keys/notices",
    operation_id = "begin_notice",
    tag = "keys",
    request_body = NewNotice,
    responses(
        (status = 201, description = "The new subscription", body = NoticeAnswer),
        (status = 422, description = "Unknown channel, invalid address, or the key has eight subscriptions already", body = Problem, content_type = "application/problem+json"),
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

/// Ends a subscription of your key to turn notifications.
#[utoipa::path(
    post,
    path = "/api/keys/notices/{id}/end",
    operation_id = "end_notice",
    tag = "keys",
    params(("id" = String, Path, description = "id of the subscription")),
    responses(
        (status = 204, description = "The subscription has ended"),
        (status = 404, description = "The key has no such subscription", body = Problem, content_type = "application/problem+json"),
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
        false => Err(Error::unknown("This key has no such subscription. GET /api/keys/notices lists those it has.")),
    }
}
