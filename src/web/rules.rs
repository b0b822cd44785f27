//! The rules of the variants, each on a page of its own.

use super::{Error, extract::Path, page as render};
use crate::variants::{self, VARIANTS, Variant};
use askama::Template;
use axum::response::{Html, IntoResponse, Response};

#[derive(Template)]
#[template(path = "rules.html")]
struct List {
    variants: &'static [Variant],
}

/// `GET /rules`: which games there are.
pub async fn list() -> Result<Response, Error> {
    render(&List { variants: VARIANTS })
}

/// `GET /rules/{variant}`
pub async fn page(Path(key): Path<String>) -> Result<Response, Error> {
    let page = variants::find(&key).and_then(|variant| variant.rules).ok_or_else(|| {
        let known: Vec<&str> = VARIANTS.iter().map(|variant| variant.key).collect();
        Error::unknown(format!("There are no rules of “{key}” here; there are those of bookie, {}.", known.join(", ")))
    })?;
    Ok(Html(page()).into_response())
}
