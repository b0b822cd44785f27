//! The bodies of refusals: problem documents (RFC 9457) under `/api`, pages elsewhere; for bare refusals of a layer too.

use super::error::Error;
use super::kind::Kind;
use askama::Template;
use axum::{
    body::Body,
    extract::Request,
    http::{HeaderValue, Method, header},
    middleware::Next,
    response::Response,
};

#[derive(Template)]
#[template(path = "error.html")]
struct ErrorPage<'e> {
    error: &'e Error,
    /// The number under which the log knows the request, as in the header x-request-id.
    number: Option<&'e str>,
}

/// The log's number of a request, handed inwards so that an error page can show it.
#[derive(Clone)]
pub(super) struct Number(pub(super) HeaderValue);

/// Tells whether an address belongs to the API, which answers in JSON.
pub(super) fn is_api(path: &str) -> bool {
    path == "/api" || path.starts_with("/api/")
}

/// Gives every refusal its body. A page or problem document that a handler made itself is left alone.
pub(super) async fn dress(request: Request, next: Next) -> Response {
    let api = is_api(request.uri().path());
    let head = request.method() == Method::HEAD;
    let number = request.extensions().get::<Number>().cloned();
    let response = next.run(request).await;
    let status = response.status();
    if !status.is_client_error() && !status.is_server_error() || dressed(&response) {
        return response;
    }
    let (mut parts, _) = response.into_parts();
    let error = parts.extensions.get::<Error>().cloned().unwrap_or_else(|| Error::of_status(status));
    for stale in [header::CONTENT_LENGTH, header::CONTENT_ENCODING, header::ETAG, header::LAST_MODIFIED] {
        parts.headers.remove(stale);
    }
    parts.headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    let (kind, body) = if api {
        ("application/problem+json", error.problem().to_string())
    } else {
        let number = number.as_ref().and_then(|number| number.0.to_str().ok());
        let page = ErrorPage { error: &error, number }.render();
        ("text/html; charset=utf-8", page.unwrap_or_else(|_| error.kind().title().to_owned()))
    };
    parts.headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    if !parts.headers.contains_key(header::RETRY_AFTER)
        && let Kind::Busy { retry_after } = error.kind()
    {
        parts.headers.insert(header::RETRY_AFTER, HeaderValue::from(retry_after));
    }
    parts.status = error.kind().status();
    parts.extensions.insert(error);
    Response::from_parts(parts, if head { Body::empty() } else { Body::from(body) })
}

fn dressed(response: &Response) -> bool {
    let kind = response.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    response.extensions().get::<Error>().is_none()
        && (kind.starts_with("text/html") || kind.starts_with("application/problem+json"))
}
