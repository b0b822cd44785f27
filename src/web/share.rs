//! Embedding in other sites: oEmbed and a page for frames. Both show only public information, never a seat's view. Also QR codes of links.

use super::{
    App, Error, Kind, PublicOrigin,
    board_view::Figure,
    designer::piece_picture::Scene,
    extract::{Path, Query},
    frame::Frame,
    game_text, page as render, position_picture,
    responses::{self, ASK_AGAIN, SHARED},
};
use crate::play::GameSnapshot;
use askama::Template;
use axum::{
    Json,
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};
use qrcode::{Color, QrCode};
use serde::{Deserialize, Serialize};
use std::{fmt::Write, sync::Arc};

/// Width in modules of the quiet zone around a QR code, as its standard requires.
const QR_MARGIN: usize = 4;

#[derive(Template)]
#[template(path = "embed.html")]
struct Embed {
    title: String,
    caption: &'static str,
    headline: String,
    url: String,
    figure: Figure,
}

/// `GET /games/{id}/embed`: shows the current board, for frames of other sites.
pub async fn embed(State(app): State<Arc<App>>, base: PublicOrigin, Path(id): Path<String>) -> Result<Response, Error> {
    let table = app.play.look(&id).await?;
    app.play.pools().games.run(move || framed(&base, &id, &table)).await?
}

fn framed(base: &PublicOrigin, id: &str, table: &GameSnapshot) -> Result<Response, Error> {
    let frame = Frame::of(&table.game, None, String::new());
    responses::framed(render(&Embed {
        title: game_text::title(table),
        caption: "The board",
        headline: game_text::headline(&frame),
        url: base.url(&format!("/games/{id}")),
        figure: Figure::of_diagram(&frame.diagram),
    })?)
}

/// Query of an oEmbed consumer.
#[derive(Deserialize)]
pub struct Consumer {
    url: String,
    maxwidth: Option<u32>,
    maxheight: Option<u32>,
    format: Option<String>,
}

/// oEmbed response of type `rich`, as defined at oembed.com.
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

/// Height of the text below an embedded board, in pixels.
const FOOT: u32 = 80;

impl Consumer {
    /// Width and height of a frame within the consumer's limits.
    fn frame(&self) -> (u32, u32) {
        let (most_wide, most_high) = (self.maxwidth.unwrap_or(480), self.maxheight.unwrap_or(480 + FOOT));
        let width = most_wide.min(most_high.saturating_sub(FOOT)).clamp(160, 720);
        (width, width + FOOT)
    }
}

/// `GET /oembed?url=`: returns the HTML that embeds a game or a piece in another site.
pub async fn oembed(
    State(app): State<Arc<App>>,
    base: PublicOrigin,
    Query(asked): Query<Consumer>,
) -> Result<Response, Error> {
    if asked.format.as_deref().is_some_and(|format| format != "json") {
        let words = "oEmbed responses are JSON only. Use format=json.";
        return Err(Error::new(Kind::Format, words).field("format"));
    }
    let unknown = || {
        let (game, piece) = (base.url("/games/k3v9"), base.url("/betza?piece=N"));
        let words =
            format!("Only games and pieces of this site can be embedded. Use an address like {game} or {piece}");
        Error::unknown(words).field("url")
    };
    let (width, height) = asked.frame();
    let query = asked.url.strip_prefix(&base.url("/betza?"));
    let (title, html, thumbnail_url) = if let Some(query) = query {
        let query = query.split('#').next().unwrap_or_default();
        let scene = Scene::of_query(query).map_err(|_| unknown())?;
        let base = base.clone();
        let work = move || {
            let preview = scene.preview(&base);
            (preview.title, scene.frame(&base, width, height), preview.image)
        };
        app.play.pools().lookups.run(work).await?
    } else {
        let path = asked.url.strip_prefix(&base.url("/games/")).map(|rest| rest.split(['/', '?', '#']).next());
        let table = app.play.look(path.flatten().filter(|id| !id.is_empty()).ok_or_else(unknown)?).await?;
        let url = base.url(&format!("/games/{}", table.id()));
        let name = table.game.title();
        let html = format!(
            "<iframe src=\"{url}/embed\" width=\"{width}\" height=\"{height}\" frameborder=\"0\" title=\"A game of {name}\"></iframe>"
        );
        (game_text::title(&table), html, format!("{url}/image.png"))
    };
    let mut response = Json(Rich {
        version: "1.0",
        r#type: "rich",
        provider_name: "Zorkmid",
        provider_url: base.url("/"),
        title,
        html,
        width,
        height,
        thumbnail_url,
        thumbnail_width: position_picture::CARD.0,
        thumbnail_height: position_picture::CARD.1,
    })
    .into_response();
    response.headers_mut().insert(header::CACHE_CONTROL, ASK_AGAIN);
    response.headers_mut().insert(SHARED.0, SHARED.1);
    Ok(response)
}

/// QR code of a link.
pub struct Qr {
    /// Modules per side, including the margin.
    side: usize,
    /// Dark modules as SVG path data.
    path: String,
}

/// Encodes a link as a QR code. Returns `None` if the link is too long.
pub fn qr(link: &str) -> Option<Qr> {
    let code = QrCode::new(link).ok()?;
    let width = code.width();
    let mut path = String::new();
    for (y, row) in code.to_colors().chunks(width).enumerate() {
        let mut x = 0;
        for run in row.chunk_by(|one, other| one == other) {
            if run[0] == Color::Dark {
                // Writing to a string cannot fail.
                let _ = write!(path, "M{} {}h{}v1h-{}z", x + QR_MARGIN, y + QR_MARGIN, run.len(), run.len());
            }
            x += run.len();
        }
    }
    Some(Qr { side: width + 2 * QR_MARGIN, path })
}

impl Qr {
    /// Draws the code as SVG.
    pub fn svg(&self) -> String {
        let Qr { side, path } = self;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {side} {side}\" role=\"img\" \
             aria-label=\"The link as a QR code\"><path fill=\"#fff\" d=\"M0 0h{side}v{side}H0z\"/><path d=\"{path}\"/></svg>"
        )
    }
}
