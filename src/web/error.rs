//! Errors of requests, as one type that handlers and extractors return. Under `/api` an error becomes a problem document
//! (RFC 9457), elsewhere a page; lichess's API has its own form. [`Kind`] defines the status, title and advice of each kind.

use super::lichess;
use crate::{play, rules::Refusal};
use askama::Template;
use axum::{
    body::Body,
    extract::Request,
    http::{HeaderValue, Method, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use serde_json::{Map, Value, json};
use tracing::Level;

/// An error with its explanation and, where known, the wrong field and character.
#[derive(Clone, Debug)]
pub struct Error {
    kind: Kind,
    detail: String,
    field: Option<String>,
    at: Option<usize>,
    more: Map<String, Value>,
}

impl Error {
    /// Creates an error; `detail` explains it to the client. `detail` is shown, so it must contain neither a seat token nor hidden
    /// information.
    pub fn new(kind: Kind, detail: impl Into<String>) -> Self {
        Error { kind, detail: sentence(detail.into()), field: None, at: None, more: Map::new() }
    }

    /// 400: the request cannot be parsed.
    pub fn malformed(detail: impl Into<String>) -> Self {
        Error::new(Kind::Malformed, detail)
    }

    /// 404: the resource does not exist.
    pub fn unknown(detail: impl Into<String>) -> Self {
        Error::new(Kind::Unknown, detail)
    }

    /// 422: the rules or limits do not allow the request.
    pub fn refused(detail: impl Into<String>) -> Self {
        Error::new(Kind::Refused, detail)
    }

    /// 500: a server fault. Logs the cause; the client gets only a general sentence.
    pub fn broken(cause: impl std::fmt::Display) -> Self {
        tracing::error!(%cause, "request failed");
        Error::new(Kind::Broken, "The server could not finish this request.")
    }

    /// Names the wrong field of the query or body, or the wrong header.
    pub fn field(mut self, name: impl Into<String>) -> Self {
        self.field = Some(name.into());
        self
    }

    /// Names the field, unless one is named already.
    pub fn or_field(self, name: &str) -> Self {
        if self.field.is_some() { self } else { self.field(name) }
    }

    /// Sets the offset of the wrong character in the field, from 0.
    pub fn at(mut self, offset: usize) -> Self {
        self.at = Some(offset);
        self
    }

    /// Adds a member to the problem document, such as the current `ply` to a stale action.
    pub fn with(mut self, member: &str, value: impl Into<Value>) -> Self {
        self.more.insert(member.to_owned(), value.into());
        self
    }

    /// Kind of the error.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Name of the wrong field, if known.
    pub fn about(&self) -> Option<&str> {
        self.field.as_deref()
    }

    /// Explanation for the client.
    pub fn detail(&self) -> &str {
        &self.detail
    }

    fn of_status(status: StatusCode) -> Self {
        let kind = Kind::of_status(status);
        let detail = match kind {
            Kind::Unknown => "There is no page or endpoint at this address.",
            Kind::Method => {
                "This address does not support the request’s method. The header Allow lists those that it supports."
            }
            Kind::Slow => "The body did not arrive in time.",
            Kind::LongBody => "The body is longer than 64 KiB, or 256 KiB for a variants.ini file.",
            Kind::Foreign => "The form was sent from a page of another site.",
            Kind::Busy { .. } => "The answer was not ready in time.",
            Kind::Malformed
            | Kind::Unauthorized
            | Kind::Stale
            | Kind::LongAddress
            | Kind::Type
            | Kind::Refused
            | Kind::Often { .. }
            | Kind::LongHeaders
            | Kind::Format
            | Kind::Broken => kind.advice(),
        };
        Error::new(kind, detail)
    }

    /// Title of the error, shown on pages and in problem documents.
    pub fn title(&self) -> &'static str {
        if self.kind == Kind::Refused { self.cause().title() } else { self.kind.title() }
    }

    /// What a refused request got wrong, derived from its field.
    fn cause(&self) -> Cause {
        match self.field.as_deref() {
            None | Some("action") => Cause::Rules,
            Some("Idempotency-Key" | "key") => Cause::Key,
            Some(field) if field.starts_with("options") => Cause::Options,
            Some(field) if field.starts_with("clock") => Cause::Clock,
            Some(_) => Cause::Body,
        }
    }

    /// Problem document of the error.
    pub(super) fn problem(&self) -> Value {
        let status = self.kind.status();
        let name = if self.kind == Kind::Refused { self.cause().name() } else { self.kind.name() };
        let mut problem = json!({
            "type": format!("/docs/errors#{name}"),
            "title": self.title(),
            "status": status.as_u16(),
            "detail": self.detail,
        });
        if let Some(field) = &self.field {
            problem["field"] = json!(field);
        }
        if let Some(at) = self.at {
            problem["at"] = json!(at);
        }
        for (member, value) in &self.more {
            problem[member] = value.clone();
        }
        problem
    }
}

/// Turns a message into a sentence: a capital at the start, unless it starts with notation such as e2e4 or with the name of a field, and a full stop.
pub(super) fn sentence(mut words: String) -> String {
    let notation =
        |word: &str| word.contains(|letter: char| letter.is_ascii_digit() || letter.is_uppercase() || letter == '_');
    let plain = words.split_whitespace().next().is_some_and(|word| !notation(word));
    if let Some(first) = words.chars().next().filter(|first| plain && first.is_lowercase()) {
        words.replace_range(..first.len_utf8(), &first.to_uppercase().to_string());
    }
    if !words.ends_with(['.', '!', '?']) {
        words.push('.');
    }
    words
}

impl From<play::Error> for Error {
    fn from(error: play::Error) -> Self {
        match error {
            play::Error::Unknown(why) => Error::unknown(why),
            play::Error::Stale { ply } => {
                Error::new(Kind::Stale, format!("The game is at ply {ply} now. Fetch it again.")).with("ply", ply)
            }
            play::Error::Refused(Refusal { why, at }) => {
                let error = Error::refused(why);
                match at {
                    Some(at) => error.at(at),
                    None => error,
                }
            }
            play::Error::Key(why) => Error::refused(why).field("Idempotency-Key"),
            play::Error::Busy => {
                Error::new(Kind::Busy { retry_after: 1 }, "The server has too many requests at the moment.")
            }
            play::Error::Often { why, retry_after } => Error::new(Kind::Often { retry_after }, why),
            play::Error::Full(why) => {
                tracing::error!(why, "database write failed");
                let detail = "The server has no room to save anything, so nothing was changed. Earlier moves are safe.";
                Error::new(Kind::Busy { retry_after: 5 }, detail)
            }
            play::Error::Away(why) => {
                tracing::error!(why, "database unreachable");
                let detail = "The server cannot reach its database at the moment. Confirmed moves are safe. \
                              Check the game before you repeat your last action.";
                Error::new(Kind::Busy { retry_after: 5 }, detail)
            }
            play::Error::Broken(cause) => Error::broken(cause),
        }
    }
}

/// A response without a body, with the error in its extensions. A middleware adds the body.
impl IntoResponse for Error {
    fn into_response(self) -> Response {
        let mut response = self.kind.status().into_response();
        if let Kind::Often { retry_after } | Kind::Busy { retry_after } = self.kind {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(retry_after));
        }
        if self.kind == Kind::Unauthorized {
            response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response.extensions_mut().insert(self);
        response
    }
}

/// What a refused request (422) got wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cause {
    /// The rules or the state of the game do not allow it.
    Rules,
    /// An option of the game has a wrong value.
    Options,
    /// Another field has a wrong value.
    Body,
    /// The key is wrong, or the idempotency key was used before.
    Key,
    /// The time control is wrong.
    Clock,
}

impl Cause {
    /// All causes, as the documentation lists them.
    pub const ALL: [Cause; 5] = [Cause::Rules, Cause::Options, Cause::Body, Cause::Key, Cause::Clock];

    /// Last part of the problem's `type`, an anchor in the documentation.
    pub fn name(self) -> &'static str {
        match self {
            Cause::Rules => "rules",
            Cause::Options => "options",
            Cause::Body => "body",
            Cause::Key => "key",
            Cause::Clock => "clock",
        }
    }

    /// Title, the same for every error of the cause.
    pub fn title(self) -> &'static str {
        match self {
            Cause::Rules => "Not possible in this game",
            Cause::Options => "Invalid option",
            Cause::Body => "Invalid value",
            Cause::Key => "Invalid key",
            Cause::Clock => "Invalid time control",
        }
    }

    /// What to correct, for the documentation.
    pub fn meaning(self) -> &'static str {
        match self {
            Cause::Rules => {
                "The rules or the state of the game do not allow the request. Read the game again and choose something else."
            }
            Cause::Options => {
                "An option is unknown or has a wrong value, or the options exclude each other. See GET /api/variants."
            }
            Cause::Body => "Another field or parameter has a wrong value, such as a variant that does not exist.",
            Cause::Key => {
                "The key does not exist, or the Idempotency-Key is malformed, easy to guess or was used for another request."
            }
            Cause::Clock => "The time control is out of range, or the variant cannot be played with it.",
        }
    }
}

/// Kind of error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// The query, body or a code cannot be parsed.
    Malformed,
    /// The request needs a seat token or key and has none, or a wrong one.
    Unauthorized,
    /// A form sent from another site.
    Foreign,
    /// Nothing exists at this address.
    Unknown,
    /// The address does not support this method.
    Method,
    /// The body did not arrive in time.
    Slow,
    /// The request names an earlier ply.
    Stale,
    /// The body is too long.
    LongBody,
    /// The address is too long.
    LongAddress,
    /// The content type of the body is not supported.
    Type,
    /// The request was understood, but the rules or limits do not allow it.
    Refused,
    /// Too many requests from one address.
    Often {
        /// Seconds until the next request is allowed.
        retry_after: u64,
    },
    /// The header fields are too long.
    LongHeaders,
    /// A server fault.
    Broken,
    /// The requested format does not exist.
    Format,
    /// The server is busy, waiting for a result, or stopping.
    Busy {
        /// Seconds until a retry makes sense.
        retry_after: u64,
    },
}

impl Kind {
    /// All kinds by status, as the documentation lists them.
    pub const ALL: [Kind; 16] = [
        Kind::Malformed,
        Kind::Unauthorized,
        Kind::Foreign,
        Kind::Unknown,
        Kind::Method,
        Kind::Slow,
        Kind::Stale,
        Kind::LongBody,
        Kind::LongAddress,
        Kind::Type,
        Kind::Refused,
        Kind::Often { retry_after: 1 },
        Kind::LongHeaders,
        Kind::Broken,
        Kind::Format,
        Kind::Busy { retry_after: 1 },
    ];

    /// HTTP status.
    pub fn status(self) -> StatusCode {
        match self {
            Kind::Malformed => StatusCode::BAD_REQUEST,
            Kind::Unauthorized => StatusCode::UNAUTHORIZED,
            Kind::Foreign => StatusCode::FORBIDDEN,
            Kind::Unknown => StatusCode::NOT_FOUND,
            Kind::Method => StatusCode::METHOD_NOT_ALLOWED,
            Kind::Slow => StatusCode::REQUEST_TIMEOUT,
            Kind::Stale => StatusCode::CONFLICT,
            Kind::LongBody => StatusCode::PAYLOAD_TOO_LARGE,
            Kind::LongAddress => StatusCode::URI_TOO_LONG,
            Kind::Type => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Kind::Refused => StatusCode::UNPROCESSABLE_ENTITY,
            Kind::Often { .. } => StatusCode::TOO_MANY_REQUESTS,
            Kind::LongHeaders => StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
            Kind::Broken => StatusCode::INTERNAL_SERVER_ERROR,
            Kind::Format => StatusCode::NOT_IMPLEMENTED,
            Kind::Busy { .. } => StatusCode::SERVICE_UNAVAILABLE,
        }
    }

    /// Log level: client errors are routine, server faults are not.
    pub fn level(self) -> Level {
        match self {
            Kind::Malformed
            | Kind::Unauthorized
            | Kind::Unknown
            | Kind::Method
            | Kind::Slow
            | Kind::Stale
            | Kind::LongBody
            | Kind::LongAddress
            | Kind::Type
            | Kind::Refused
            | Kind::LongHeaders
            | Kind::Format => Level::INFO,
            Kind::Foreign | Kind::Often { .. } | Kind::Busy { .. } => Level::WARN,
            Kind::Broken => Level::ERROR,
        }
    }

    /// Last part of the problem's `type`, an anchor in the documentation.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Malformed => "malformed",
            Kind::Unauthorized => "unproved",
            Kind::Foreign => "foreign-form",
            Kind::Unknown => "unknown",
            Kind::Method => "method",
            Kind::Slow => "slow",
            Kind::Stale => "stale",
            Kind::LongBody => "long-body",
            Kind::LongAddress => "long-address",
            Kind::Type => "body-type",
            Kind::Refused => "refused",
            Kind::Often { .. } => "too-often",
            Kind::LongHeaders => "long-headers",
            Kind::Broken => "broken",
            Kind::Format => "format",
            Kind::Busy { .. } => "busy",
        }
    }

    /// Title, the same for every error of the kind. It is shown on pages and in problem documents.
    pub fn title(self) -> &'static str {
        match self {
            Kind::Malformed => "Invalid request",
            Kind::Unauthorized => "Seat token or key required",
            Kind::Foreign => "Form from another site",
            Kind::Unknown => "Not found",
            Kind::Method => "Method not allowed",
            Kind::Slow => "Request timed out",
            Kind::Stale => "The game has moved on",
            Kind::LongBody => "Request body too large",
            Kind::LongAddress => "Address too long",
            Kind::Type => "Unsupported content type",
            Kind::Refused => "Request refused",
            Kind::Often { .. } => "Too many requests",
            Kind::LongHeaders => "Too much data outside the body",
            Kind::Broken => "Server error",
            Kind::Format => "Format not available",
            Kind::Busy { .. } => "Server busy",
        }
    }

    /// Remedy, for pages, the documentation and the OpenAPI description.
    pub fn advice(self) -> &'static str {
        match self {
            Kind::Malformed => {
                "Go back and correct the field named above. If you followed a link, it may be incomplete."
            }
            Kind::Unauthorized => {
                "Open your private seat link in this browser. API clients send the seat token or key as a bearer token."
            }
            Kind::Foreign => "Open the page on this site and send the form again.",
            Kind::Unknown => "Check the address, or start from the home page.",
            Kind::Method => "Go back and use the buttons of the page. API clients: see the documentation.",
            Kind::Slow => "Nothing was changed. Check your connection and send the request again.",
            Kind::Stale => "Nothing was changed. Load the game again and continue from there.",
            Kind::LongBody => "Send less at once: at most 64 KiB, or another limit that is named above.",
            Kind::LongAddress => "Shorten the address to at most 8 KiB.",
            Kind::Type => "Send the body as application/json.",
            Kind::Refused => "Nothing was changed. Go back and choose something else.",
            Kind::Often { .. } => "Wait a few seconds, then try again.",
            Kind::LongHeaders => {
                "Delete this site's cookies and try again. API clients may send at most 16 KiB of header fields."
            }
            Kind::Broken => {
                "This is our fault, not yours. Try again. If it persists, report the request number to the operator."
            }
            Kind::Format => "Request one of the formats named above.",
            Kind::Busy { .. } => "Wait a few seconds, then try again.",
        }
    }

    /// Kind for a status that a middleware layer set without an [`Error`].
    fn of_status(status: StatusCode) -> Kind {
        let alike = match status {
            StatusCode::SERVICE_UNAVAILABLE => Some(Kind::Busy { retry_after: 10 }),
            other => Kind::ALL.into_iter().find(|kind| kind.status() == other),
        };
        alike.unwrap_or(if status.is_server_error() { Kind::Broken } else { Kind::Malformed })
    }
}

#[derive(Template)]
#[template(path = "error.html")]
struct ErrorPage<'e> {
    error: &'e Error,
    /// Request number in the log, the same as in the header x-request-id.
    number: Option<&'e str>,
    /// Seconds after which the page reloads, if the server is busy and a reload repeats the request.
    again: Option<u64>,
}

/// Request number, passed down so that an error page can show it.
#[derive(Clone)]
pub(super) struct Number(pub(super) HeaderValue);

/// Whether the path belongs to the API, which answers in JSON.
pub(super) fn is_api(path: &str) -> bool {
    path == "/api" || path.starts_with("/api/")
}

/// Whether errors are problem documents: in the API, unless a browser shows the response as a page.
fn wants_problem(request: &Request) -> bool {
    let accept = request.headers().get(header::ACCEPT).and_then(|accept| accept.to_str().ok());
    is_api(request.uri().path()) && !accept.is_some_and(|accept| accept.contains("text/html"))
}

/// Adds the body to every error response. Leaves pages and problem documents made by handlers unchanged.
pub(super) async fn add_error_bodies(request: Request, next: Next) -> Response {
    let api = wants_problem(&request);
    let lichess = lichess::is_path(request.uri().path());
    let (head, repeats) = (request.method() == Method::HEAD, request.method() == Method::GET);
    let number = request.extensions().get::<Number>().cloned();
    let response = next.run(request).await;
    let status = response.status();
    if !status.is_client_error() && !status.is_server_error() || has_error_body(&response) {
        return response;
    }
    let (mut parts, _) = response.into_parts();
    let error = parts.extensions.get::<Error>().cloned().unwrap_or_else(|| Error::of_status(status));
    for stale in [header::CONTENT_LENGTH, header::CONTENT_ENCODING, header::ETAG, header::LAST_MODIFIED] {
        parts.headers.remove(stale);
    }
    parts.headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    let status = error.kind().status();
    let (status, kind, body) = if lichess {
        let (status, body) = lichess::error(&error);
        (status, "application/json", body)
    } else if api {
        (status, "application/problem+json", error.problem().to_string())
    } else {
        let number = number.as_ref().and_then(|number| number.0.to_str().ok());
        let again = match error.kind() {
            Kind::Busy { retry_after } if repeats => Some(retry_after),
            _ => None,
        };
        let page = ErrorPage { error: &error, number, again }.render();
        (status, "text/html; charset=utf-8", page.unwrap_or_else(|_| error.title().to_owned()))
    };
    parts.headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    if !parts.headers.contains_key(header::RETRY_AFTER)
        && let Kind::Busy { retry_after } = error.kind()
    {
        parts.headers.insert(header::RETRY_AFTER, HeaderValue::from(retry_after));
    }
    parts.status = status;
    parts.extensions.insert(error);
    Response::from_parts(parts, if head { Body::empty() } else { Body::from(body) })
}

fn has_error_body(response: &Response) -> bool {
    let kind = response.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    response.extensions().get::<Error>().is_none()
        && (kind.starts_with("text/html") || kind.starts_with("application/problem+json"))
}
