//! Views for other sites: the answer to oEmbed, and a page for their frames. Both show what anybody may see, never what a
//! seat sees.

use super::{
    App, Base, Error, Kind,
    board::Figure,
    extract::{Path, Query},
    headers::{ASK_AGAIN, CONTENT_SECURITY_POLICY, SHARED},
    page as render, picture, words,
};
use crate::game::Frame;
use askama::Template;
use axum::{
    Json,
    extract::State,
    http::{HeaderValue, header},
    response::{IntoResponse, Response},
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

#[derive(Template)]
#[template(path = "embed.html")]
struct Embed {
    title: String,
    headline: String,
    url: String,
    figure: Figure,
}

/// `GET /games/{id}/embed`: the board as it stands, for the frames of other sites.
pub async fn embed(State(app): State<Arc<App>>, base: Base, Path(id): Path<String>) -> Result<Response, Error> {
    let table = app.play.look(&id).await?;
    let frame = Frame::of(&*table.game, None, String::new());
    let mut response = render(&Embed {
        title: words::title(&table),
        headline: words::headline(&frame),
        url: base.url(&format!("/games/{id}")),
        figure: Figure::of_diagram(&frame.diagram),
    })?;
    let policy = CONTENT_SECURITY_POLICY.replace("frame-ancestors 'none'", "frame-ancestors *");
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_str(&policy).map_err(Error::broken)?);
    headers.insert(header::CACHE_CONTROL, ASK_AGAIN);
    headers.insert(SHARED.0, SHARED.1);
    Ok(response)
}

/// The question of an oEmbed consumer.
#[derive(Deserialize)]
pub struct Consumer {
    url: String,
    maxwidth: Option<u32>,
    maxheight: Option<u32>,
    format: Option<String>,
}

/// An oEmbed answer of the type `rich`, as oembed.com describes it.
#[derive(Serialize)]
pub struct Rich {
    version: &'static str,
    r#type: &'static str,
    provider_name: &'static str,
    provider_url: String,
    title: String,
    html: String,
    width: u32,
    height: u32,
    thumbnail_url: String,
    thumbnail_width: u32,
    thumbnail_height: u32,
}

/// The room for what stands below an embedded board, in pixels.
const FOOT: u32 = 80;

/// `GET /oembed?url=`: how to show a game of this site in another one.
pub async fn oembed(State(app): State<Arc<App>>, base: Base, Query(asked): Query<Consumer>) -> Result<Response, Error> {
    if asked.format.as_deref().is_some_and(|format| format != "json") {
        let words = "This site answers oEmbed in JSON only; ask with format=json.";
        return Err(Error::new(Kind::Format, words).field("format"));
    }
    let path = asked.url.strip_prefix(&base.url("/games/")).map(|rest| rest.split(['/', '?', '#']).next());
    let id = path.flatten().filter(|id| !id.is_empty()).ok_or_else(|| {
        Error::unknown(format!("Only games of this site can be embedded: addresses like {}", base.url("/games/k3v9")))
            .field("url")
    })?;
    let table = app.play.look(id).await?;
    let (most_wide, most_high) = (asked.maxwidth.unwrap_or(480), asked.maxheight.unwrap_or(480 + FOOT));
    let width = most_wide.min(most_high.saturating_sub(FOOT)).clamp(160, 720);
    let height = width + FOOT;
    let url = base.url(&format!("/games/{}", table.id()));
    let mut response = Json(Rich {
        version: "1.0",
        r#type: "rich",
        provider_name: "Zorkmid",
        provider_url: base.url("/"),
        title: words::title(&table),
        html: format!(
            "<iframe src=\"{url}/embed\" width=\"{width}\" height=\"{height}\" frameborder=\"0\" title=\"A game of {}\"></iframe>",
            table.game.title()
        ),
        width,
        height,
        thumbnail_url: format!("{url}/image.png"),
        thumbnail_width: picture::CARD.0,
        thumbnail_height: picture::CARD.1,
    })
    .into_response();
    response.headers_mut().insert(header::CACHE_CONTROL, ASK_AGAIN);
    response.headers_mut().insert(SHARED.0, SHARED.1);
    Ok(response)
}
