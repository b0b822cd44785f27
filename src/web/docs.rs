//! The documentation of the API: by example for people, as OpenAPI for programs.

use super::{
    Error, Kind,
    client::Base,
    limit::{ADDRESS, BODY, HEADERS},
    page as render,
};
use askama::Template;
use axum::{
    body::Bytes,
    http::header,
    response::{IntoResponse, Response},
};
use serde::Serialize;
use utoipa::{
    ToSchema,
    openapi::{InfoBuilder, OpenApi, OpenApiBuilder},
};

#[derive(Template)]
#[template(path = "docs.html")]
struct Docs {
    base: String,
    kinds: [Kind; 15],
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
        body: kib(BODY),
        address: kib(ADDRESS),
        headers: kib(HEADERS),
    })
}

/// An RFC 9457 problem document, as every refusal under `/api` has it.
#[derive(Serialize, ToSchema)]
pub struct Problem {
    /// Where the kind of problem is explained, relative to this site.
    #[schema(example = "/docs#malformed")]
    r#type: String,
    /// The kind of problem in words, always the same for one kind.
    #[schema(example = "This request cannot be read")]
    title: String,
    /// The HTTP status.
    #[schema(example = 400)]
    status: u16,
    /// What exactly was wrong and what to do.
    detail: String,
    /// Which field was wrong, where that is known.
    field: Option<String>,
    /// The offset of the first wrong character in that field, from 0, where that is known.
    at: Option<usize>,
}

/// The description before any route is added to it.
pub(super) fn openapi() -> OpenApi {
    let info = InfoBuilder::new()
        .title("Zorkmid")
        .version(env!("CARGO_PKG_VERSION"))
        .description(Some(
            "Chess for stakes: positions, games, prices and exact values. Refusals are problem documents.",
        ))
        .build();
    OpenApiBuilder::new().info(info).build()
}

/// The finished description as an answer, written once.
pub(super) fn description(api: &OpenApi) -> impl IntoResponse + Clone + Send + Sync + 'static {
    let text = Bytes::from(serde_json::to_vec(api).unwrap_or_default());
    ([(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-cache")], text)
}
