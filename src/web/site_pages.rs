//! The about page, the web app manifest, and the icons of the site.

use super::{App, Error, asset, cookies::Seats, extract::Path, page as render, png, private};
use askama::Template;
use axum::{
    Json,
    extract::State,
    http::header,
    response::{IntoResponse, Redirect, Response},
};
use serde_json::json;
use std::sync::Arc;

/// SVG icon, 24 units wide and high.
const DRAWING: &str = include_str!("../../static/icon.svg");
/// Background colour of the app, and of icons that the system crops to its own shape.
const CLOTH: &str = "#0f2a1e";

/// PNG icons: file name, side in pixels, and width of the margin that the system can crop, in units of the drawing.
const ICONS: [(&str, u32, i32); 4] = [
    ("icon-192.png", 192, 0),
    ("icon-512.png", 512, 0),
    ("maskable-512.png", 512, 6),
    ("apple-touch-icon.png", 180, 3),
];

/// SVG icon of a size in pixels, with a margin in units of the drawing.
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

/// `GET /icons/{name}`: returns the icon as PNG, for systems without SVG support.
pub async fn icon(Path(name): Path<String>) -> Result<Response, Error> {
    let known = ICONS.iter().find(|(known, ..)| *known == name);
    let (_, side, around) = known.ok_or_else(|| Error::unknown("There is no such icon."))?;
    let pixels = png::render(&[drawn(*side, *around)])?;
    Ok(([(header::CONTENT_TYPE, "image/png"), (header::CACHE_CONTROL, "public, max-age=86400")], pixels)
        .into_response())
}

/// `GET /apple-touch-icon.png`: redirects to the icon. Apple devices request this address by default.
pub async fn touched() -> Redirect {
    Redirect::permanent("/icons/apple-touch-icon.png")
}

/// `GET /manifest.webmanifest`: returns the web app manifest, with which browsers install the site as an app.
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

/// `GET /newest`: redirects to the newest game in which this browser holds a seat, or to the home page if there is none.
pub async fn newest(State(app): State<Arc<App>>, seats: Seats) -> Result<Response, Error> {
    let held = seats.newest(&app, 1).await?;
    let there = held.first().map_or("/".to_owned(), |held| format!("/games/{}", held.game.id));
    Ok(private(Redirect::to(&there).into_response()))
}

#[derive(Template)]
#[template(path = "about.html")]
struct About;

/// `GET /about`: shows the about page.
pub async fn about() -> Result<Response, Error> {
    render(&About)
}

/// `GET /favicon.ico`: redirects to the icon. Browsers request this address by default. The redirect is temporary, because the icon's
/// address changes with every version of the static files.
pub async fn favicon() -> Redirect {
    Redirect::temporary(&asset("icon.svg"))
}
