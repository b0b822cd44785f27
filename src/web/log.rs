//! One log line per request: the matched route, never the address, which may hold a code or a seat's token.

use super::{dress::Number, error::Error};
use axum::{
    extract::{MatchedPath, Request},
    http::{HeaderName, HeaderValue},
    middleware::Next,
    response::Response,
};
use tokio::time::Instant;
use tower_http::request_id::{MakeRequestId, MakeRequestUuid};
use tracing::{Level, Metadata};

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Tells whether an event may be logged at all, whatever the operator asks for: the libraries that carry requests tell whole
/// addresses when asked for details, and an address can be a secret.
pub fn discreet(event: &Metadata<'_>) -> bool {
    let library = event.target().split("::").next().unwrap_or_default();
    let carries = ["axum", "axum_core", "hyper", "hyper_util", "tower", "tower_http"].contains(&library);
    // The graver the level, the smaller.
    !carries || *event.level() <= Level::WARN
}

/// Numbers a request, logs its answer, and tells the client the number. A number that the client sends is not taken
/// over: it would be its words in our log.
pub(super) async fn line(mut request: Request, next: Next) -> Response {
    let begun = Instant::now();
    let number = MakeRequestUuid.make_request_id(&request).map(|id| id.into_header_value());
    let number = number.unwrap_or_else(|| HeaderValue::from_static("-"));
    request.extensions_mut().insert(Number(number.clone()));
    let method = request.method().clone();
    let route = request.extensions().get::<MatchedPath>().cloned();

    let mut response = next.run(request).await;

    let level = response.extensions().get::<Error>().map_or(Level::INFO, |error| error.kind().level());
    let route = route.as_ref().map_or("none", MatchedPath::as_str);
    let status = response.status().as_u16();
    let micros = begun.elapsed().as_micros() as u64;
    let id = number.to_str().unwrap_or("-");
    // The level of an event is fixed where it stands, so each has its own.
    macro_rules! tell {
        ($level:expr) => {
            tracing::event!($level, %method, route, status, micros, id, "request")
        };
    }
    match level {
        Level::ERROR => tell!(Level::ERROR),
        Level::WARN => tell!(Level::WARN),
        _ => tell!(Level::INFO),
    }
    response.headers_mut().insert(REQUEST_ID, number);
    response
}
