//! Limits of what one client may ask: requests per address and second, the length of an address, the size of the headers.
//! Bodies and deadlines are limited by layers of tower-http, connections by the server.

use super::{
    App,
    client::Client,
    dress::is_api,
    error::Error,
    kind::Kind,
    rate::{Allowance, Rate},
};
use axum::{
    extract::{Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode},
    middleware::Next,
    response::{IntoResponse, Response},
};
use std::sync::Arc;

/// The longest body that is read, in bytes.
pub const BODY: usize = 64 * 1024;
/// The longest path and query together, in bytes.
pub const ADDRESS: usize = 8 * 1024;
/// The most that all names and values of the header fields may have, in bytes.
pub const HEADERS: usize = 16 * 1024;

const RATE_LIMIT: HeaderName = HeaderName::from_static("ratelimit-limit");
const RATE_REMAINING: HeaderName = HeaderName::from_static("ratelimit-remaining");
const RATE_RESET: HeaderName = HeaderName::from_static("ratelimit-reset");

fn tell(rate: &Rate, headers: &mut HeaderMap, left: u32, reset: u64) {
    headers.insert(RATE_LIMIT, HeaderValue::from(rate.burst()));
    headers.insert(RATE_REMAINING, HeaderValue::from(left));
    headers.insert(RATE_RESET, HeaderValue::from(reset));
}

/// Refuses the requests of an address that asks too often. The API is told how much is left with every answer.
pub(super) async fn rate(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let Some(rate) = &app.rate else { return next.run(request).await };
    // It costs nothing, and whoever watches over the server is never told to come later.
    if request.uri().path() == "/healthz" {
        return next.run(request).await;
    }
    let api = is_api(request.uri().path());
    match rate.check(Client::of(&app, request.extensions(), request.headers()).key()) {
        Allowance::Left(left) => {
            let mut response = next.run(request).await;
            if api || response.status() == StatusCode::TOO_MANY_REQUESTS {
                tell(rate, response.headers_mut(), left, rate.reset(left));
            }
            response
        }
        Allowance::Later(wait) => {
            let seconds = wait.as_secs() + 1;
            let detail =
                format!("Your address has used up its {} requests; the next one in {seconds} s.", rate.burst());
            let mut response = Error::new(Kind::Often { retry_after: seconds }, detail).into_response();
            tell(rate, response.headers_mut(), 0, seconds);
            response
        }
    }
}

/// Refuses addresses and header fields that are too long.
pub(super) async fn lengths(request: Request, next: Next) -> Response {
    let address = request.uri().path_and_query().map_or(0, |address| address.as_str().len());
    if address > ADDRESS {
        let detail = format!("The address has {address} characters, and at most {ADDRESS} are read.");
        return Error::new(Kind::LongAddress, detail).into_response();
    }
    let fields: usize = request.headers().iter().map(|(name, value)| name.as_str().len() + value.len()).sum();
    if fields > HEADERS {
        let detail = format!("The header fields have {fields} bytes, and at most {HEADERS} are read.");
        return Error::new(Kind::LongHeaders, detail).into_response();
    }
    next.run(request).await
}
