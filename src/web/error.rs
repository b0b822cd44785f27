//! Everything that can go wrong between a request and its response, as one type. Handlers and extractors return it. It becomes a problem
//! document (RFC 9457) under `/api`, and a page elsewhere. One table has the status and the title of each kind.

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

/// A failure with its story: what was wrong, in which field, at which character.
#[derive(Clone, Debug)]
pub struct Error {
    kind: Kind,
    detail: String,
    field: Option<String>,
    at: Option<usize>,
    more: Map<String, Value>,
}

impl Error {
    /// A failure of `kind`; `detail` says what exactly was wrong, in words for the person who asked.
    /// It is shown and must not repeat a seat's token or anything hidden.
    pub fn new(kind: Kind, detail: impl Into<String>) -> Self {
        Error { kind, detail: sentence(detail.into()), field: None, at: None, more: Map::new() }
    }

    /// 400: the request cannot be read.
    pub fn malformed(detail: impl Into<String>) -> Self {
        Error::new(Kind::Malformed, detail)
    }

    /// 404: there is no such thing.
    pub fn unknown(detail: impl Into<String>) -> Self {
        Error::new(Kind::Unknown, detail)
    }

    /// 422: the rules refuse it.
    pub fn refused(detail: impl Into<String>) -> Self {
        Error::new(Kind::Refused, detail)
    }

    /// 500: ours. The cause goes to the log, and only a general sentence to the client.
    pub fn broken(cause: impl std::fmt::Display) -> Self {
        tracing::error!(%cause, "a fault of ours");
        Error::new(Kind::Broken, "The server could not finish this request.")
    }

    /// Names the field of the query or the body, or the header, that was wrong.
    pub fn field(mut self, name: impl Into<String>) -> Self {
        self.field = Some(name.into());
        self
    }

    /// The same, unless one is named already.
    pub fn or_field(self, name: &str) -> Self {
        if self.field.is_some() { self } else { self.field(name) }
    }

    /// Names the wrong character by its offset, from 0, in the field.
    pub fn at(mut self, offset: usize) -> Self {
        self.at = Some(offset);
        self
    }

    /// Adds a member to the problem document, as the `ply` that a stale action should have named.
    pub fn with(mut self, member: &str, value: impl Into<Value>) -> Self {
        self.more.insert(member.to_owned(), value.into());
        self
    }

    /// Which kind it is.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The field that was wrong, where that is known.
    pub fn about(&self) -> Option<&str> {
        self.field.as_deref()
    }

    /// The fault, in words.
    pub fn detail(&self) -> &str {
        &self.detail
    }

    fn of_status(status: StatusCode) -> Self {
        let kind = Kind::of_status(status);
        let detail = match kind {
            Kind::Unknown => "There is no page and no endpoint at this address.",
            Kind::Method => "The address exists, but not for this method.",
            Kind::Slow => "The body did not arrive in time.",
            Kind::LongBody => "The body is longer than 64 KiB.",
            Kind::Foreign => "The Origin or Sec-Fetch-Site header says that the form was on a page of another site.",
            Kind::Busy { .. } => "The answer was not ready in time.",
            Kind::Malformed
            | Kind::Unproved
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

    /// The problem document.
    pub(super) fn problem(&self) -> Value {
        let status = self.kind.status();
        let mut problem = json!({
            "type": format!("/docs#{}", self.kind.name()),
            "title": self.kind.title(),
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

/// The words of the rules as a sentence: a capital at its beginning, unless that is notation such as e2e4, and a stop at its end.
fn sentence(mut words: String) -> String {
    let notation = |word: &str| word.contains(|letter: char| letter.is_ascii_digit() || letter.is_uppercase());
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
                Error::new(Kind::Stale, format!("The game stands at ply {ply} now; look at it again.")).with("ply", ply)
            }
            play::Error::Refused(Refusal { why, at }) => {
                let error = Error::refused(why);
                match at {
                    Some(at) => error.at(at),
                    None => error,
                }
            }
            play::Error::Key(why) => Error::refused(why).field("Idempotency-Key"),
            play::Error::Busy => Error::new(Kind::Busy { retry_after: 1 }, "Too much is going on at once."),
            play::Error::Often { why, retry_after } => Error::new(Kind::Often { retry_after }, why),
            play::Error::Full(why) => {
                tracing::error!(why, "nothing can be written");
                let detail =
                    "The server has no room to write just now, so nothing was done. What was played before is safe.";
                Error::new(Kind::Busy { retry_after: 5 }, detail)
            }
            play::Error::Away(why) => {
                tracing::error!(why, "the record is away");
                let detail = "The server cannot reach its record just now. What was confirmed before is safe; look again \
                              before you repeat what you did last.";
                Error::new(Kind::Busy { retry_after: 5 }, detail)
            }
            play::Error::Broken(cause) => Error::broken(cause),
        }
    }
}

/// The undressed answer: status and headers, with the failure itself for whoever dresses it.
impl IntoResponse for Error {
    fn into_response(self) -> Response {
        let mut response = self.kind.status().into_response();
        match self.kind {
            Kind::Often { retry_after } | Kind::Busy { retry_after } => {
                response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(retry_after));
            }
            Kind::Unproved => {
                response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
            }
            Kind::Malformed
            | Kind::Foreign
            | Kind::Unknown
            | Kind::Method
            | Kind::Slow
            | Kind::Stale
            | Kind::LongBody
            | Kind::LongAddress
            | Kind::Type
            | Kind::Refused
            | Kind::LongHeaders
            | Kind::Format
            | Kind::Broken => {}
        }
        response.extensions_mut().insert(self);
        response
    }
}

/// The kinds of failure that a client can meet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// The request cannot be read: a query, a body or a code is not what it should be.
    Malformed,
    /// A seat's proof is missing or proves nothing here.
    Unproved,
    /// A form that another site sent.
    Foreign,
    /// Nothing is at this address.
    Unknown,
    /// This address does not answer this method.
    Method,
    /// The body did not arrive in time.
    Slow,
    /// The request speaks of a moment that has passed.
    Stale,
    /// The body is too long.
    LongBody,
    /// The address is too long.
    LongAddress,
    /// The body is of a type that is not read here.
    Type,
    /// The request can be read, and the rules refuse it.
    Refused,
    /// Too many requests from one address.
    Often {
        /// Seconds until the next one will be answered.
        retry_after: u64,
    },
    /// The header fields are too long.
    LongHeaders,
    /// A fault of ours.
    Broken,
    /// A format that is not offered here.
    Format,
    /// Not now: something is being computed, or the server is stopping.
    Busy {
        /// Seconds after which it is worth asking again.
        retry_after: u64,
    },
}

impl Kind {
    /// One of each, in the order of their statuses, as the documentation lists them.
    pub const ALL: [Kind; 16] = [
        Kind::Malformed,
        Kind::Unproved,
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

    /// The status of the answer.
    pub fn status(self) -> StatusCode {
        match self {
            Kind::Malformed => StatusCode::BAD_REQUEST,
            Kind::Unproved => StatusCode::UNAUTHORIZED,
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

    /// The level at which the log tells of it: what clients do wrong is ordinary, what we do wrong is not.
    pub fn level(self) -> Level {
        match self {
            Kind::Malformed
            | Kind::Unproved
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

    /// The last part of the problem's `type`, an anchor on the page of documentation.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Malformed => "malformed",
            Kind::Unproved => "unproved",
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

    /// The heading, the same for every failure of the kind.
    pub fn title(self) -> &'static str {
        match self {
            Kind::Malformed => "This request cannot be read",
            Kind::Unproved => "This takes a seat",
            Kind::Foreign => "This form came from another site",
            Kind::Unknown => "Nothing is here",
            Kind::Method => "This address does not answer that method",
            Kind::Slow => "The request took too long to arrive",
            Kind::Stale => "The game has moved on",
            Kind::LongBody => "This is too much for one request",
            Kind::LongAddress => "The address is too long",
            Kind::Type => "This kind of body is not read here",
            Kind::Refused => "The rules do not allow this",
            Kind::Often { .. } => "Too many requests",
            Kind::LongHeaders => "The request headers are too long",
            Kind::Broken => "Something broke on our side",
            Kind::Format => "This format is not offered here",
            Kind::Busy { .. } => "Not just now",
        }
    }

    /// Says what the reader of the page, or of the documentation, can do about it.
    pub fn advice(self) -> &'static str {
        match self {
            Kind::Malformed => {
                "Go back and correct what is named above. If you followed a link, it may have been cut short: ask for it again."
            }
            Kind::Unproved => {
                "Send the seat's token as Authorization: Bearer TOKEN, or open the private link of your seat in the browser."
            }
            Kind::Foreign => "Open the page on this site and send the form from there.",
            Kind::Unknown => "Check the address for a slip, or start from the home page.",
            Kind::Method => {
                "Go back to the page you came from and use its buttons. The Allow header lists the methods that work."
            }
            Kind::Slow => "Check your connection and send it again; nothing was changed.",
            Kind::Stale => "Load the page again: it shows the game as it stands now. Nothing was changed.",
            Kind::LongBody => "Send at most 64 KiB, and no more at once than is said above.",
            Kind::LongAddress => "Use an address of at most 8 KiB.",
            Kind::Type => "Send JSON with the header Content-Type: application/json.",
            Kind::Refused => "Go back and choose something else; nothing was changed.",
            Kind::Often { .. } => "Wait as many seconds as the Retry-After header says, then go on.",
            Kind::LongHeaders => {
                "Send at most 16 KiB of header fields. In a browser, deleting this site's cookies helps."
            }
            Kind::Broken => {
                "Nothing you did caused this. Try again; if it stays, tell the operator the request number below."
            }
            Kind::Format => "Ask for one of the formats that are named above.",
            Kind::Busy { .. } => "Try again after as many seconds as the Retry-After header says.",
        }
    }

    /// The kind of a refusal that some layer gave without saying more.
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
