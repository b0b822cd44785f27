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
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use std::{
    sync::Arc,
    task::{Context, Poll, ready},
    time::Duration,
};
use tower::{Layer, Service};
use tower_http::{
    limit::{RequestBodyLimit, RequestBodyLimitLayer},
    timeout::{RequestBodyDeadline, RequestBodyDeadlineLayer},
};

/// The longest body that is read, in bytes.
pub const BODY: usize = 64 * 1024;
/// The longest body of lines, which are answered as they come, in bytes.
pub const LINES: usize = 8 << 20;
/// The type of lines of JSON, here also of lines of FEN.
pub const LINES_TYPE: &str = "application/x-ndjson";
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

/// Refuses the requests of an address that sends too many or has used up its CPU time. Answers of the API say how many requests are left.
pub(super) async fn rate(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    // Monitoring must work on a busy server.
    if request.uri().path() == "/healthz" {
        return next.run(request).await;
    }
    let from = Client::of(&app, request.extensions(), request.headers()).key();
    if let Err(refused) = app.play.budget().admit(from) {
        return Error::from(refused).into_response();
    }
    let Some(rate) = &app.rate else { return next.run(request).await };
    let api = is_api(request.uri().path());
    match rate.check(from) {
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

/// Tells whether a request brings lines to be answered one by one.
pub(super) fn brings_lines(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    kind.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case(LINES_TYPE)
}

/// Lines are read no faster than they are answered: they may take so many times as long as other bodies.
const SLOWER: u32 = 10;

/// A service that reads no more of a body than so much, and for no longer than so long.
type Bounded<S> = RequestBodyLimit<RequestBodyDeadline<S>>;

/// Limits bodies: those of lines may be longer than others and come more slowly, where lines are answered.
#[derive(Clone)]
pub(super) struct Bodies<S> {
    others: Bounded<S>,
    lines: Bounded<S>,
}

impl<S: Clone> Bodies<S> {
    /// Around a service; an ordinary body has to arrive before the deadline.
    pub(super) fn new(inner: S, deadline: Duration) -> Bodies<S> {
        let bounded = |most, deadline| {
            RequestBodyLimitLayer::new(most).layer(RequestBodyDeadlineLayer::new(deadline).layer(inner.clone()))
        };
        Bodies { others: bounded(BODY, deadline), lines: bounded(LINES, deadline * SLOWER) }
    }
}

impl<S, B> Service<Request<B>> for Bodies<S>
where
    Bounded<S>: Service<Request<B>>,
{
    type Response = <Bounded<S> as Service<Request<B>>>::Response;
    type Error = <Bounded<S> as Service<Request<B>>>::Error;
    type Future = <Bounded<S> as Service<Request<B>>>::Future;

    fn poll_ready(&mut self, context: &mut Context) -> Poll<Result<(), Self::Error>> {
        ready!(self.others.poll_ready(context))?;
        self.lines.poll_ready(context)
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let lines = request.uri().path() == "/api/richman" && brings_lines(request.headers());
        if lines { self.lines.call(request) } else { self.others.call(request) }
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
