//! The first page.

use super::{Error, page as render};
use askama::Template;
use axum::response::Response;

#[derive(Template)]
#[template(path = "home.html")]
struct Home;

/// `GET /`
pub async fn page() -> Result<Response, Error> {
    render(&Home)
}
