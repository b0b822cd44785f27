//! Limits of what one client may ask: requests per address and second, CPU time per address, the length of an address, the size of the headers.
//! Bodies and deadlines are limited by layers of tower-http, connections by the server.

use super::{
    App, Client,
    app_state::{Allowance, Rate},
    error::{Error, Kind, is_api},
};
use crate::play::Meter;
use axum::{
    body::{Body, Bytes, HttpBody},
    extract::{Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use hyper::body::{Frame, SizeHint};
use std::{
    future::poll_fn,
    pin::{Pin, pin},
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

/// Charges an answer to the client's address.
pub(super) async fn meter(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let from = Client::of(&app, request.extensions(), request.headers()).key();
    let mut meter = app.play.budget().meter(from);
    let mut answer = pin!(next.run(request));
    let response = poll_fn(|context| meter.run(|| answer.as_mut().poll(context))).await;
    response.map(|body| if body.size_hint().exact().is_some() { body } else { Body::new(Metered { body, meter }) })
}

/// A body that is made while it is sent.
struct Metered {
    body: Body,
    meter: Meter,
}

impl HttpBody for Metered {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let Metered { body, meter } = &mut *self;
        meter.run(|| Pin::new(body).poll_frame(context))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
