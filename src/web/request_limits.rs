//! Request limits: rate and CPU time per client address, and the lengths of URLs, headers and bodies. Layers of tower-http enforce the body
//! limits and the deadlines; the server limits connections.

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

/// Maximum length of an ordinary request body in bytes.
pub const BODY: usize = 64 * 1024;
/// Maximum length of a body with a `variants.ini` file in bytes. Fairy-Stockfish's own file has 69 KB, and encoding makes it longer.
pub const VARIANTS_FILE: usize = 256 * 1024;
/// Maximum length of a body of lines in bytes. The server answers such lines one by one as they arrive.
pub const LINES: usize = 8 << 20;
/// Media type of a body of lines. Each line is JSON or a FEN.
pub const LINES_TYPE: &str = "application/x-ndjson";
/// Maximum length of path and query together, in bytes.
pub const ADDRESS: usize = 8 * 1024;
/// Maximum total length of all header names and values, in bytes.
pub const HEADERS: usize = 16 * 1024;

const RATE_LIMIT: HeaderName = HeaderName::from_static("ratelimit-limit");
const RATE_REMAINING: HeaderName = HeaderName::from_static("ratelimit-remaining");
const RATE_RESET: HeaderName = HeaderName::from_static("ratelimit-reset");

fn set_rate_headers(rate: &Rate, headers: &mut HeaderMap, left: u32, reset: u64) {
    headers.insert(RATE_LIMIT, HeaderValue::from(rate.burst()));
    headers.insert(RATE_REMAINING, HeaderValue::from(left));
    headers.insert(RATE_RESET, HeaderValue::from(reset));
}

/// Rejects requests of an address that has exceeded its rate or its CPU time. API responses carry the remaining allowance in their headers.
pub(super) async fn rate(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    // Liveness probes must work on a busy server.
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
                set_rate_headers(rate, response.headers_mut(), left, rate.reset(left));
            }
            response
        }
        Allowance::Later(wait) => {
            let seconds = wait.as_secs() + 1;
            let detail =
                format!("Your address has used its limit of {} requests. Try again in {seconds} s.", rate.burst());
            let mut response = Error::new(Kind::Often { retry_after: seconds }, detail).into_response();
            set_rate_headers(rate, response.headers_mut(), 0, seconds);
            response
        }
    }
}

/// Whether a request body has lines to be answered one by one.
pub(super) fn brings_lines(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    kind.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case(LINES_TYPE)
}

/// Factor on the body deadline for bodies of lines. The server reads them no faster than it answers them.
const SLOWER: u32 = 10;

/// Service with a limit on the length of a body and a deadline for its arrival.
type Bounded<S> = RequestBodyLimit<RequestBodyDeadline<S>>;

/// Service that limits bodies. Bodies of lines and variant files get higher limits on the routes that read them.
#[derive(Clone)]
pub(super) struct Bodies<S> {
    others: Bounded<S>,
    variants: Bounded<S>,
    lines: Bounded<S>,
}

impl<S: Clone> Bodies<S> {
    /// Wraps a service. `deadline` is the time for an ordinary body to arrive.
    pub(super) fn new(inner: S, deadline: Duration) -> Bodies<S> {
        let bounded = |most, deadline| {
            RequestBodyLimitLayer::new(most).layer(RequestBodyDeadlineLayer::new(deadline).layer(inner.clone()))
        };
        let variants = bounded(VARIANTS_FILE, deadline);
        Bodies { others: bounded(BODY, deadline), variants, lines: bounded(LINES, deadline * SLOWER) }
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
        ready!(self.variants.poll_ready(context))?;
        self.lines.poll_ready(context)
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        match request.uri().path() {
            "/api/richman" if brings_lines(request.headers()) => self.lines.call(request),
            "/fairy" | "/api/fairy" => self.variants.call(request),
            _ => self.others.call(request),
        }
    }
}

/// Rejects URLs and headers that are too long.
pub(super) async fn lengths(request: Request, next: Next) -> Response {
    let address = request.uri().path_and_query().map_or(0, |address| address.as_str().len());
    if address > ADDRESS {
        let detail = format!("The address has {address} characters; the maximum is {ADDRESS}.");
        return Error::new(Kind::LongAddress, detail).into_response();
    }
    let fields: usize = request.headers().iter().map(|(name, value)| name.as_str().len() + value.len()).sum();
    if fields > HEADERS {
        let detail = format!("The headers have {fields} bytes; the maximum is {HEADERS}.");
        return Error::new(Kind::LongHeaders, detail).into_response();
    }
    next.run(request).await
}

/// Charges the CPU time of a response to the client's address.
pub(super) async fn meter(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let from = Client::of(&app, request.extensions(), request.headers()).key();
    let mut meter = app.play.budget().meter(from);
    let mut answer = pin!(next.run(request));
    let response = poll_fn(|context| meter.run(|| answer.as_mut().poll(context))).await;
    response.map(|body| if body.size_hint().exact().is_some() { body } else { Body::new(Metered { body, meter }) })
}

/// Body that is produced while it is sent. Its CPU time is charged too.
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
