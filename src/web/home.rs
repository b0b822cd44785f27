//! The first page.

use super::{Error, board::Figure, page as render};
use crate::rules::bookie;
use askama::Template;
use axum::response::Response;

#[derive(Template)]
#[template(path = "home.html")]
struct Home {
    figure: Figure,
}

/// A position as Bookie Chess may deal it, officers worth 39 and 41; the page shows it without its kings.
const EXAMPLE: &str = "3k4/2n1R2b/1N4q1/4r3/2B5/6R1/7N/K7 w - - 0 1";

/// `GET /`
pub async fn page() -> Result<Response, Error> {
    let position = bookie::board().parse_fen(EXAMPLE).map_err(Error::broken)?;
    render(&Home { figure: Figure::of(bookie::board(), &bookie::officers(&position)) })
}
