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

/// `GET /favicon.ico`: where browsers look that no page has told. The drawing's address changes with it, so nobody keeps this answer.
pub async fn icon() -> Redirect {
    Redirect::temporary(&asset("icon.svg"))
}
