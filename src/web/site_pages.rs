//! Pages and icons of the site itself: what it is about, and its manifest as an installed program.

use super::{App, Error, asset, cookies::Seats, extract::Path, page as render, position_picture, private};
use crate::play::{self, Token};
use askama::Template;
use axum::{
    Json,
    extract::State,
    http::header,
    response::{IntoResponse, Redirect, Response},
};
use serde_json::json;
use std::sync::Arc;

/// The drawing of the icon, 24 units wide and high.
const DRAWING: &str = include_str!("../../static/icon.svg");
/// The cloth behind an icon that a system cuts to a shape of its own.
const CLOTH: &str = "#0f2a1e";

/// The icon as pixels, by the name of its file: its side, and the units around the drawing that may be cut away.
const ICONS: [(&str, u32, i32); 4] = [
    ("icon-192.png", 192, 0),
    ("icon-512.png", 512, 0),
    ("maskable-512.png", 512, 6),
    ("apple-touch-icon.png", 180, 3),
];

/// The icon as an SVG drawing of a size in pixels.
fn drawn(side: u32, around: i32) -> String {
    let (from, whole) = (-around, 24 + 2 * around);
    let cloth = match around {
        0 => String::new(),
        _ => format!("<rect x=\"{from}\" y=\"{from}\" width=\"{whole}\" height=\"{whole}\" fill=\"{CLOTH}\"/>"),
    };
    let inner = DRAWING.split_once('>').map_or("", |(_, inner)| inner);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{side}\" height=\"{side}\" viewBox=\"{from} {from} {whole} {whole}\">{cloth}{inner}"
    )
}

/// `GET /icons/{name}`: the icon as pixels, for systems that take no vectors.
pub async fn icon(Path(name): Path<String>) -> Result<Response, Error> {
    let known = ICONS.iter().find(|(known, ..)| *known == name);
    let (_, side, around) = known.ok_or_else(|| Error::unknown("There is no such icon."))?;
    let pixels = position_picture::png(&[drawn(*side, *around)]).map_err(Error::broken)?;
    Ok(([(header::CONTENT_TYPE, "image/png"), (header::CACHE_CONTROL, "public, max-age=86400")], pixels)
        .into_response())
}

/// `GET /apple-touch-icon.png`: where telephones look that no page has told.
pub async fn touched() -> Redirect {
    Redirect::permanent("/icons/apple-touch-icon.png")
}

/// `GET /manifest.webmanifest`
pub async fn manifest() -> Response {
    let icon = |name: &str, side: u32, purpose: &str| json!({"src": format!("/icons/{name}"), "sizes": format!("{side}x{side}"), "type": "image/png", "purpose": purpose});
    let manifest = json!({
        "name": "Zorkmid: chess for stakes",
        "short_name": "Zorkmid",
        "description": "Chess variants played for stakes: sealed bids, guesses at the next move, purses that buy pieces.",
        "lang": "en",
        "id": "/",
        "scope": "/",
        "start_url": "/newest",
        "display": "standalone",
        "background_color": CLOTH,
        "theme_color": CLOTH,
        "icons": [
            {"src": asset("icon.svg"), "sizes": "any", "type": "image/svg+xml"},
            icon("icon-192.png", 192, "any"),
            icon("icon-512.png", 512, "any"),
            icon("maskable-512.png", 512, "maskable"),
        ],
    });
    ([(header::CONTENT_TYPE, "application/manifest+json")], Json(manifest)).into_response()
}

/// `GET /newest`: the newest game in which this browser holds a seat; the first page where there is none.
pub async fn newest(State(app): State<Arc<App>>, seats: Seats) -> Result<Response, Error> {
    let digests: Vec<_> = seats.all().iter().map(Token::digest).collect();
    let held = app.play.store().held(&digests, 1).await.map_err(play::Error::from)?;
    let there = held.first().map_or("/".to_owned(), |held| format!("/games/{}", held.game.id));
    Ok(private(Redirect::to(&there).into_response()))
}

#[derive(Template)]
#[template(path = "about.html")]
struct About;

/// `GET /about`
pub async fn about() -> Result<Response, Error> {
    render(&About)
}

/// `GET /favicon.ico`: where browsers look that no about has told. The drawing's address changes with it, so nobody keeps this answer.
pub async fn favicon() -> Redirect {
    Redirect::temporary(&asset("icon.svg"))
}
