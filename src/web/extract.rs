//! Extractors that reject with an [`Error`] naming the wrong field, where axum's own extractors answer in plain text.

use super::error::{Error, Kind};
use axum::{
    extract::{FromRequest, FromRequestParts, Request, rejection::BytesRejection},
    http::{HeaderMap, StatusCode, header, request::Parts},
    response::IntoResponse,
};
use axum_extra::headers::HeaderMapExt;
use headers_accept::Accept;
use mediatype::MediaType;
use serde::de::DeserializeOwned;

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
        let bytes = axum::body::Bytes::from_request(request, state).await.map_err(body_error)?;
        let mut reader = serde_json::Deserializer::from_slice(&bytes);
        let value = serde_path_to_error::deserialize(&mut reader).map_err(|wrong| {
            let path = wrong.path().to_string();
            let inner = wrong.into_inner();
            let field = missing(&path, &inner.to_string());
            let at = offset(&bytes, inner.line(), inner.column());
            let why = in_words(&inner.to_string());
            Error::malformed(format!("The JSON body is invalid: {why}.")).field(field).at(at)
        })?;
        reader.end().map_err(|wrong| {
            Error::malformed("The body has more text after the JSON value.").at(offset(
                &bytes,
                wrong.line(),
                wrong.column(),
            ))
        })?;
        Ok(Json(value))
    }
}

/// Field that an error concerns: its path, plus the name of a missing field.
fn missing(path: &str, why: &str) -> String {
    let name = why.strip_prefix("missing field `").and_then(|rest| rest.split('`').next());
    match (path, name) {
        ("." | "?", Some(name)) => name.to_owned(),
        // Invalid JSON has no path.
        ("." | "?", None) => "body".to_owned(),
        (path, Some(name)) => format!("{path}.{name}"),
        (path, None) => path.to_owned(),
    }
}

/// The parser's message, with Rust's number types replaced by plain words.
fn in_words(why: &str) -> String {
    let Some((before, expected)) = why.rsplit_once("expected ") else { return why.to_owned() };
    let (kind, rest) =
        expected.split_once(' ').map_or((expected, String::new()), |(kind, rest)| (kind, format!(" {rest}")));
    let kind = match kind {
        "u8" => "a whole number from 0 to 255",
        "u16" => "a whole number from 0 to 65535",
        "u32" | "u64" | "usize" => "a whole number of zero or more",
        "i8" | "i16" | "i32" | "i64" | "isize" => "a whole number",
        "f32" | "f64" => "a number",
        other => other,
    };
    format!("{before}expected {kind}{rest}")
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
            let path = wrong.path().to_string();
            let why = wrong.inner().to_string();
            return match path.as_str() {
                "." => Error::malformed(format!("The {whole} cannot be read: {why}.")).field(missing(&path, &why)),
                _ => Error::malformed(format!("The value of “{path}” cannot be read: {why}.")).field(path),
            };
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
