//! Extractors that reject with an [`Error`] naming the wrong field, where axum's own extractors answer in plain text.

use super::{
    error::{Error, Kind},
    openapi::QueryParameters,
};
use axum::{
    body::Bytes,
    extract::{
        FromRequest, FromRequestParts, MatchedPath, OptionalFromRequest, Request, State, rejection::BytesRejection,
    },
    http::{HeaderMap, Method, StatusCode, header, request::Parts},
    middleware::Next,
    response::{IntoResponse, Response},
};
use axum_extra::headers::HeaderMapExt;
use headers_accept::Accept;
use mediatype::MediaType;
use serde::de::DeserializeOwned;
use serde_json::error::Category;
use std::sync::Arc;

/// Query of the address as `T`.
#[derive(Clone, Copy, Debug)]
pub struct Query<T>(pub T);

impl<S: Sync, T: DeserializeOwned> FromRequestParts<S> for Query<T> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Error> {
        axum::extract::Query::try_from_uri(&parts.uri)
            .map(|query| Query(query.0))
            .map_err(|rejection| value_error(&rejection, "query"))
    }
}

/// Refuses query parameters that the operation does not have.
pub(super) async fn known_parameters(
    State(known): State<Arc<QueryParameters>>,
    path: Option<MatchedPath>,
    request: Request,
    next: Next,
) -> Result<Response, Error> {
    let method = if request.method() == Method::HEAD { Method::GET } else { request.method().clone() };
    let operation = path.map(|path| (method.to_string(), path.as_str().to_owned()));
    if let Some(known) = operation.and_then(|operation| known.get(&operation))
        && let Ok(query) = axum::extract::Query::<Pairs>::try_from_uri(request.uri())
        && let Some((name, _)) = query.0.iter().find(|(name, _)| !known.contains(name))
    {
        let expected = match known.iter().map(String::as_str).collect::<Vec<_>>().join(", ") {
            none if none.is_empty() => "This address takes no parameters".to_owned(),
            names => format!("Expected: {names}"),
        };
        return Err(Error::malformed(format!("The parameter “{name}” is unknown. {expected}.")).field(name.as_str()));
    }
    Ok(next.run(request).await)
}

/// Fields of a query or form in the order they were sent.
pub type Pairs = Vec<(String, String)>;

/// Value of a parameter, if present.
///
/// # Errors
/// If the parameter occurs more than once.
pub fn parameter<'q>(query: &'q Pairs, name: &str) -> Result<Option<&'q str>, Error> {
    let mut values = query.iter().filter(|(key, _)| key == name).map(|(_, value)| value.as_str());
    let first = values.next();
    match values.next() {
        None => Ok(first),
        Some(_) => {
            Err(Error::malformed(format!("The parameter {name} occurs more than once. Send it once.")).field(name))
        }
    }
}

/// Error for a parameter that is missing.
pub(super) fn missing(name: &str) -> Error {
    Error::malformed(format!("The parameter “{name}” is missing.")).field(name)
}

/// Captured path segments as `T`.
#[derive(Clone, Copy, Debug)]
pub struct Path<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for Path<T> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Error> {
        match axum::extract::Path::from_request_parts(parts, state).await {
            Ok(path) => Ok(Path(path.0)),
            Err(rejection) if rejection.status().is_server_error() => Err(Error::broken(rejection)),
            Err(rejection) => Err(Error::malformed(format!("The path cannot be read: {rejection}.")).field("path")),
        }
    }
}

/// Form body as `T`.
#[derive(Clone, Copy, Debug)]
pub struct Form<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Form<T> {
    type Rejection = Error;

    async fn from_request(request: Request, state: &S) -> Result<Self, Error> {
        use axum::extract::rejection::FormRejection as Refusal;
        match axum::extract::Form::from_request(request, state).await {
            Ok(form) => Ok(Form(form.0)),
            Err(Refusal::BytesRejection(rejection)) => Err(body_error(rejection)),
            Err(Refusal::InvalidFormContentType(rejection)) => Err(Error::new(Kind::Type, format!("{rejection}."))),
            Err(rejection) => Err(value_error(&rejection, "form")),
        }
    }
}

/// JSON body as `T`.
#[derive(Clone, Copy, Debug)]
pub struct Json<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Json<T> {
    type Rejection = Error;

    async fn from_request(request: Request, state: &S) -> Result<Self, Error> {
        let kind = request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        let essence = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        if essence != "application/json" && !essence.ends_with("+json") {
            return Err(Error::new(Kind::Type, "The body must be JSON with Content-Type: application/json."));
        }
        let bytes = Bytes::from_request(request, state).await.map_err(body_error)?;
        // serde would read a list as the fields of an object.
        match bytes.trim_ascii_start().first() {
            None => return Err(Error::malformed("The body is empty; expected an object.").field("body").at(0)),
            Some(b'[') => return Err(Error::malformed("The body is a list; expected an object.").field("body").at(0)),
            Some(_) => {}
        }
        let mut reader = serde_json::Deserializer::from_slice(&bytes);
        let value = serde_path_to_error::deserialize(&mut reader).map_err(|wrong| {
            let path = wrong.path().to_string();
            let inner = wrong.into_inner();
            let (line, column) = (inner.line(), inner.column());
            let text = inner.to_string();
            let text = text.rsplit_once(" at line ").map_or(text.as_str(), |(text, _)| text);
            let error = match inner.classify() {
                Category::Syntax | Category::Eof => {
                    let words = syntax_in_words(text);
                    let detail = format!("The body is not valid JSON at line {line}, column {column}: {words}.");
                    Error::malformed(detail).field("body")
                }
                Category::Data | Category::Io => value_in_words(&path, text, "body"),
            };
            error.at(offset(&bytes, line, column))
        })?;
        reader.end().map_err(|wrong| {
            let at = offset(&bytes, wrong.line(), wrong.column());
            Error::malformed("The body has more text after the JSON object. Remove it.").field("body").at(at)
        })?;
        Ok(Json(value))
    }
}

/// `None` if the request has no body, whatever its content type.
impl<S: Send + Sync, T: DeserializeOwned> OptionalFromRequest<S> for Json<T> {
    type Rejection = Error;

    async fn from_request(request: Request, state: &S) -> Result<Option<Self>, Error> {
        let (head, body) = request.into_parts();
        let bytes = Bytes::from_request(Request::from_parts(head.clone(), body), state).await.map_err(body_error)?;
        if bytes.is_empty() {
            return Ok(None);
        }
        <Json<T> as FromRequest<S>>::from_request(Request::from_parts(head, bytes.into()), state).await.map(Some)
    }
}

/// What the JSON parser expected, in plain words.
fn syntax_in_words(text: &str) -> &'static str {
    match text {
        "EOF while parsing a string" => "the closing quotation mark is missing",
        "expected `:`" => "expected a colon after the name of the field",
        "expected `,` or `]`" => "expected a comma or ]",
        "expected `,` or `}`" => "expected a comma or }",
        "expected value" | "expected ident" => "expected a value",
        "key must be a string" => "expected the name of a field in quotation marks",
        "trailing comma" => "expected another entry after the comma",
        "invalid number" | "number out of range" => "expected a number that is well formed and not too large",
        "invalid unicode code point" => "expected text in UTF-8",
        "recursion limit exceeded" => "the values are nested too deeply",
        _ if text.starts_with("EOF") => "the end is missing",
        _ if text.starts_with("control character") => "expected an escape sequence instead of a control character",
        _ if text.contains("escape") || text.contains("surrogate") => "expected a valid escape sequence",
        _ => "the text cannot be read from here on",
    }
}

/// Error for a value that serde rejects with `text`, at `path` in the `whole`.
fn value_in_words(path: &str, text: &str, whole: &str) -> Error {
    let path = if matches!(path, "." | "?") { "" } else { path };
    let quoted: Vec<&str> = text.split('`').skip(1).step_by(2).collect();
    let noun = if whole == "query" { "parameter" } else { "field" };
    // A missing or unknown field is named in the message.
    let inner = |name: &str| match path.rsplit_once('.').map_or(path, |(_, last)| last) {
        last if last == name => path.to_owned(),
        "" => name.to_owned(),
        _ => format!("{path}.{name}"),
    };
    if let (Some((kind @ ("missing" | "unknown" | "duplicate"), _)), [name, known @ ..]) =
        (text.split_once(" field "), quoted.as_slice())
    {
        let field = inner(name);
        let detail = match (kind, known) {
            ("missing", _) => format!("The {noun} “{field}” is missing."),
            ("duplicate", _) => format!("The {noun} “{field}” occurs twice. Send it once."),
            (_, []) => format!("The {noun} “{field}” is unknown. No {noun}s are expected here."),
            (_, known) => format!("The {noun} “{field}” is unknown. Expected: {}.", known.join(", ")),
        };
        return Error::malformed(detail).field(field);
    }
    let subject = if path.is_empty() { format!("The {whole}") } else { format!("The {noun} “{path}”") };
    let detail = match (text.split_once(' '), text.rsplit_once(", expected ")) {
        (Some(("unknown", _)), _) if text.starts_with("unknown variant") => {
            format!("{subject} has an unknown value; expected {}.", quoted.get(1..).unwrap_or_default().join(", "))
        }
        (_, Some((given, expected))) if text.starts_with("invalid length") => {
            let given = given.trim_start_matches("invalid length ");
            format!("{subject} has {given} entries; expected {}.", expected_in_words(expected))
        }
        (_, Some((given, expected))) if text.starts_with("invalid") => {
            let given = given.split_once(": ").map_or("", |(_, given)| given);
            format!("{subject} is {}; expected {}.", given_in_words(given), expected_in_words(expected))
        }
        _ => match text {
            "invalid digit found in string" | "cannot parse integer from empty string" => {
                format!("{subject} must be a whole number.")
            }
            "number too large to fit in target type" | "number too small to fit in target type" => {
                format!("{subject} is out of range.")
            }
            "provided string was not `true` or `false`" => format!("{subject} must be true or false."),
            _ if text.starts_with("data did not match") => format!("{subject} has none of the expected forms."),
            own => format!("{subject} is invalid: {own}."),
        },
    };
    Error::malformed(detail).field(if path.is_empty() { whole } else { path })
}

/// A rejected value in plain words.
fn given_in_words(given: &str) -> String {
    match given.split_once(' ').map_or(given, |(kind, _)| kind) {
        "string" => "a text".to_owned(),
        "map" => "an object".to_owned(),
        "sequence" => "a list".to_owned(),
        "boolean" | "integer" => given.split('`').nth(1).unwrap_or("another value").to_owned(),
        "floating" => format!("the number {}", given.split('`').nth(1).unwrap_or_default()),
        "null" => "null".to_owned(),
        _ => "another value".to_owned(),
    }
}

/// An expected type in plain words.
fn expected_in_words(expected: &str) -> &str {
    match expected {
        "u8" => "a whole number from 0 to 255",
        "u16" => "a whole number from 0 to 65535",
        "u32" | "u64" | "usize" => "a whole number of zero or more",
        "i8" | "i16" | "i32" | "i64" | "isize" => "a whole number",
        "f32" | "f64" => "a number",
        "a boolean" => "true or false",
        "a string" => "a text",
        "a sequence" => "a list",
        "a map" => "an object",
        other if other.starts_with("struct ") => "an object",
        other => other,
    }
}

/// Byte offset of a line and column as serde_json counts them: both from 1, columns in bytes.
fn offset(bytes: &[u8], line: usize, column: usize) -> usize {
    let before: usize =
        bytes.split_inclusive(|&byte| byte == b'\n').take(line.saturating_sub(1)).map(<[u8]>::len).sum();
    (before + column.saturating_sub(1)).min(bytes.len())
}

/// Error for a body that is too long, too late or incomplete.
fn body_error(rejection: BytesRejection) -> Error {
    let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(&rejection);
    while let Some(wrong) = cause {
        if wrong.is::<tower_http::timeout::TimeoutError>() {
            return Error::new(Kind::Slow, "The body did not arrive in time.");
        }
        cause = wrong.source();
    }
    if rejection.into_response().status() == StatusCode::PAYLOAD_TOO_LARGE {
        return Error::new(Kind::LongBody, "The body is longer than 64 KiB, or 256 KiB for a variants.ini file.");
    }
    Error::malformed("The body is incomplete.")
}

/// Error for a value that serde rejects, with its field if known.
fn value_error<R: std::error::Error + 'static>(rejection: &R, whole: &str) -> Error {
    let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(rejection);
    while let Some(wrong) = cause {
        if let Some(wrong) = wrong.downcast_ref::<serde_path_to_error::Error<serde::de::value::Error>>() {
            return value_in_words(&wrong.path().to_string(), &wrong.inner().to_string(), whole);
        }
        cause = wrong.source();
    }
    Error::malformed(format!("The {whole} cannot be read."))
}

/// Whether the client prefers `other` to the `usual` media type.
pub(super) fn prefers(headers: &HeaderMap, other: &MediaType<'static>, usual: &MediaType<'static>) -> bool {
    let accept = headers.typed_get::<Accept>();
    accept.is_some_and(|accept| accept.negotiate([usual, other]) == Some(other))
}
