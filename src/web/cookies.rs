//! The cookies of this site: those that a request brings, in the browser's own order, and those that an answer sets. Names and values are
//! percent-encoded on the way out and decoded on the way in, so that no value can become an attribute.

use axum::{
    http::{HeaderMap, HeaderValue, header},
    response::Response,
};
use axum_extra::extract::cookie::{Cookie, SameSite};
use time::Duration;

/// The time for which a browser keeps a cookie.
const AGE: Duration = Duration::days(365);

/// The cookies of a request.
#[derive(Clone, Debug)]
pub(super) struct Cookies {
    sent: Vec<(String, String)>,
    secure: bool,
}

impl Cookies {
    /// The cookies among some header fields, of a client that speaks to us over TLS or does not.
    pub(super) fn of(headers: &HeaderMap, secure: bool) -> Cookies {
        let lines = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
        let cookies = lines.flat_map(Cookie::split_parse_encoded).filter_map(Result::ok);
        Cookies { sent: cookies.map(|one| (one.name().to_owned(), one.value().to_owned())).collect(), secure }
    }

    /// The prefix ties a cookie to this host, but browsers drop it on plain HTTP.
    fn prefix(&self) -> &'static str {
        if self.secure { "__Host-" } else { "" }
    }

    /// The values of the cookies of a sort, with what their names end in: those that stand longest come first.
    pub(super) fn all(&self, sort: &str) -> impl Iterator<Item = (&str, &str)> {
        let prefix = format!("{}{sort}-", self.prefix());
        self.sent.iter().filter_map(move |(name, value)| Some((name.strip_prefix(&prefix)?, value.as_str())))
    }

    /// The value of one of them.
    pub(super) fn get(&self, sort: &str, id: &str) -> Option<&str> {
        self.all(sort).find(|(other, _)| *other == id).map(|(_, value)| value)
    }

    /// Lets the browser keep a value.
    pub(super) fn set(&self, response: &mut Response, sort: &str, id: &str, value: &str) {
        self.write(response, sort, id, value, AGE);
    }

    /// Takes it away again.
    pub(super) fn remove(&self, response: &mut Response, sort: &str, id: &str) {
        self.write(response, sort, id, "", Duration::ZERO);
    }

    fn write(&self, response: &mut Response, sort: &str, id: &str, value: &str, age: Duration) {
        let cookie = Cookie::build((format!("{}{sort}-{id}", self.prefix()), value))
            .path("/")
            .max_age(age)
            .http_only(true)
            .same_site(SameSite::Lax)
            .secure(self.secure)
            .build();
        if let Ok(line) = HeaderValue::from_str(&cookie.encoded().to_string()) {
            response.headers_mut().append(header::SET_COOKIE, line);
        }
    }
}
