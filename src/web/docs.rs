//! The documentation of the API by example.

use super::{
    Error, Kind,
    client::Base,
    limit::{ADDRESS, BODY, HEADERS},
    page as render,
};
use crate::{
    registry::{VARIANTS, Variant},
    rules::{BLANKS, Blank},
};
use askama::Template;
use axum::response::Response;

#[derive(Template)]
#[template(path = "docs.html")]
struct Docs {
    base: String,
    kinds: [Kind; 16],
    variants: &'static [Variant],
    blanks: &'static [Blank],
    body: usize,
    address: usize,
    headers: usize,
}

/// `GET /docs`
pub async fn page(base: Base) -> Result<Response, Error> {
    let kib = |bytes: usize| bytes / 1024;
    render(&Docs {
        base: base.url(""),
        kinds: Kind::ALL,
        variants: VARIANTS,
        blanks: &BLANKS,
        body: kib(BODY),
        address: kib(ADDRESS),
        headers: kib(HEADERS),
    })
}
