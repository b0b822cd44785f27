//! One log line per request. It has the matched route, never the URL, which can hold a code or a seat token. All other events during a
//! request, including panics, are in the same span and so share its fields.

use super::{
    App,
    app_state::{Route, method},
    client_address::Client,
    error::{Error, Number},
};
use axum::{
    extract::{Request, State},
    http::{HeaderName, HeaderValue},
    middleware::Next,
    response::Response,
};
use ipnet::IpNet;
use std::{net::IpAddr, panic::PanicHookInfo, sync::Arc};
use tokio::time::Instant;
use tower_http::request_id::{MakeRequestId, MakeRequestUuid};
use tracing::{Instrument, Level, Metadata};

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Whether an event can be logged, whatever level the operator chooses. HTTP libraries log full URLs at their detailed levels, and a URL
/// can hold a secret.
pub fn is_loggable(event: &Metadata<'_>) -> bool {
    let library = event.target().split("::").next().unwrap_or_default();
    let carries = ["axum", "axum_core", "hyper", "hyper_util", "tower", "tower_http"].contains(&library);
    // More severe levels compare as smaller.
    !carries || *event.level() <= Level::WARN
}

/// Network of a client: the /24 of an IPv4 address, or the /48 of an IPv6 address. It locates trouble without identifying the client.
fn network(address: IpAddr) -> Option<IpNet> {
    let length = if address.is_ipv4() { 24 } else { 48 };
    IpNet::new(address, length).ok().map(|network| network.trunc())
}

/// Panic hook that logs the location of a panic. It omits the message, which can hold a client's input. During a request the log line also
/// has the fields of the request's span.
pub fn log_panic(panic: &PanicHookInfo<'_>) {
    let place = panic.location().map(ToString::to_string).unwrap_or_default();
    tracing::error!(place, "panic");
}

/// Middleware that assigns a request id, logs the response, records its time and returns the id in `x-request-id`. It ignores an id from
/// the client, which could put arbitrary text into the log.
pub(super) async fn log_request(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    let begun = Instant::now();
    let number = MakeRequestUuid.make_request_id(&request).map(|id| id.into_header_value());
    let number = number.unwrap_or_else(|| HeaderValue::from_static("-"));
    request.extensions_mut().insert(Number(number.clone()));
    let asked = request.method().clone();
    let route = Route::of(request.extensions());
    // At the most severe level, so that no filter drops the span but keeps its events.
    let span = tracing::error_span!(
        "request",
        id = number.to_str().unwrap_or("-"),
        network =
            network(Client::of(&app, request.extensions(), request.headers()).address).map(tracing::field::display),
        method = method(&asked),
        route = route.pattern(),
    );

    let mut response = next.run(request).instrument(span.clone()).await;

    let level = response.extensions().get::<Error>().map_or(Level::INFO, |error| error.kind().level());
    let status = response.status();
    let took = begun.elapsed();
    app.requests.count(route, &asked, status, took.as_secs_f64());
    let (status, micros) = (status.as_u16(), took.as_micros() as u64);
    // `tracing` needs a constant level at each call site.
    macro_rules! tell {
        ($level:expr) => {
            tracing::event!(parent: &span, $level, status, micros, "request completed")
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
