//! One log line per request: the matched route, never the address, which may hold a code or a seat's token. Whatever else is told while a
//! request is being answered, a panic too, stands in the same span and so has the same fields.

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

/// Tells whether an event may be logged at all, whatever the operator asks for: the libraries that carry requests tell whole
/// addresses when asked for details, and an address can be a secret.
pub fn discreet(event: &Metadata<'_>) -> bool {
    let library = event.target().split("::").next().unwrap_or_default();
    let carries = ["axum", "axum_core", "hyper", "hyper_util", "tower", "tower_http"].contains(&library);
    // The graver the level, the smaller.
    !carries || *event.level() <= Level::WARN
}

/// The network of a client, which says where trouble comes from and not who it is: a /24, or of IPv6 a /48.
fn network(address: IpAddr) -> Option<IpNet> {
    let length = if address.is_ipv4() { 24 } else { 48 };
    IpNet::new(address, length).ok().map(|network| network.trunc())
}

/// Tells the log of a panic: where it was, and not what it said, which may be somebody's input. What is told while a request is answered
/// has the number, the network, the method and the route of the request beside it.
pub fn tell_panic(panic: &PanicHookInfo<'_>) {
    let place = panic.location().map(ToString::to_string).unwrap_or_default();
    tracing::error!(place, "a panic");
}

/// Numbers a request, logs and measures its answer, and tells the client the number. A number that the client sends is not taken
/// over: it would be its words in our log.
pub(super) async fn line(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    let begun = Instant::now();
    let number = MakeRequestUuid.make_request_id(&request).map(|id| id.into_header_value());
    let number = number.unwrap_or_else(|| HeaderValue::from_static("-"));
    request.extensions_mut().insert(Number(number.clone()));
    let asked = request.method().clone();
    let route = Route::of(request.extensions());
    // As grave as anything that may be told in it, so that it is never left out before that.
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
    // The level of an event is fixed where it stands, so each has its own.
    macro_rules! tell {
        ($level:expr) => {
            tracing::event!(parent: &span, $level, status, micros, "answered")
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
