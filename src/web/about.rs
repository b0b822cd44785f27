//! About this site, for people and for crawlers.

use super::{Error, asset, page as render};
use askama::Template;
use axum::response::{Redirect, Response};

#[derive(Template)]
#[template(path = "about.html")]
struct About;

/// `GET /about`
pub async fn page() -> Result<Response, Error> {
    render(&About)
}

/// `GET /robots.txt`: positions are endless and private links are nobody's business.
pub async fn robots() -> &'static str {
    "User-agent: *\nDisallow: /api/\nDisallow: /bookie\nDisallow: /endgames?\nDisallow: /games/\nDisallow: /invite/\nDisallow: /seat\n"
}

/// `GET /favicon.ico`: where browsers look that no page has told. The drawing's address changes with it, so nobody keeps this answer.
pub async fn icon() -> Redirect {
    Redirect::temporary(&asset("icon.svg"))
}
