//! HTML pages, private responses and embeddable pages, and the security headers of every response.

use super::{App, client_address::Client, error::Error};
use askama::Template;
use axum::{
    extract::{Request, State},
    http::{HeaderName, HeaderValue, header},
    middleware::Next,
    response::{Html, IntoResponse, Response},
};
use std::sync::Arc;

/// Content security policy: only files of this site, no inline styles or scripts, no framing.
pub const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; \
                                           img-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

const ALWAYS: [(HeaderName, HeaderValue); 6] = [
    (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(CONTENT_SECURITY_POLICY)),
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    (HeaderName::from_static("cross-origin-opener-policy"), HeaderValue::from_static("same-origin")),
    (HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("same-origin")),
    (
        HeaderName::from_static("permissions-policy"),
        HeaderValue::from_static(
            "camera=(), microphone=(), geolocation=(), payment=(), usb=(), serial=(), display-capture=(), \
             browsing-topics=()",
        ),
    ),
];

/// Header that lets other sites embed a response.
pub(super) const SHARED: (HeaderName, HeaderValue) =
    (HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("cross-origin"));
/// Cache policy for games, which change: caches must revalidate every time.
pub(super) const ASK_AGAIN: HeaderValue = HeaderValue::from_static("public, no-cache");

/// Renders a template as an HTML page.
///
/// # Errors
/// If the template fails, which is a bug: status 500.
pub fn page(template: &impl Template) -> Result<Response, Error> {
    Ok(Html(template.render().map_err(Error::broken)?).into_response())
}

/// Forbids all caching of a response. Lynx honours only `no-cache`, and only as the last directive.
pub fn private(mut response: Response) -> Response {
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-store, no-cache"));
    response
}

/// Lets other sites show a page in a frame.
pub(super) fn framed(mut response: Response) -> Result<Response, Error> {
    let policy = CONTENT_SECURITY_POLICY.replace("frame-ancestors 'none'", "frame-ancestors *");
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_str(&policy).map_err(Error::broken)?);
    headers.insert(header::CACHE_CONTROL, ASK_AGAIN);
    headers.insert(SHARED.0, SHARED.1);
    Ok(response)
}

/// Two years, as browser preload lists recommend.
const STRICT_TRANSPORT: HeaderValue = HeaderValue::from_static("max-age=63072000");

/// Middleware that adds the security headers to every response. `Strict-Transport-Security` is added only for clients that use TLS.
pub(super) async fn secure(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let secure = Client::of(&app, request.extensions(), request.headers()).secure;
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    for (name, value) in ALWAYS {
        headers.entry(name).or_insert(value);
    }
    if secure {
        headers.insert(header::STRICT_TRANSPORT_SECURITY, STRICT_TRANSPORT);
    }
    response
}
