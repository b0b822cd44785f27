//! Everything that can go wrong between a request and its answer, as one type. Handlers and extractors return it; it becomes a
//! problem document or a page where the answer is dressed. It knows no route and no game.

use super::kind::Kind;
use crate::{play, rules::Refusal};
use axum::{
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde_json::{Map, Value, json};

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

    pub(super) fn of_status(status: StatusCode) -> Self {
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
