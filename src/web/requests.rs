//! What was asked and how it was answered, in numbers: by route, method and kind of status, which are a bounded number of words of ours.

use super::assets;
use axum::{
    extract::MatchedPath,
    http::{Extensions, Method, StatusCode},
};
use prometheus_client::{
    encoding::{EncodeLabelSet, EncodeLabelValue, LabelValueEncoder},
    metrics::{family::Family, histogram::Histogram},
};
use std::{
    fmt,
    hash::{Hash, Hasher},
};

/// The upper bounds of the answers' times, in seconds.
const TIMES: [f64; 13] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0];
/// The name of a method. One that HTTP does not have is a client's word.
pub(super) fn method(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}

/// A route as the router knows it; `none` for an address that leads nowhere.
#[derive(Clone, Debug)]
pub(super) struct Route(Option<MatchedPath>);

impl Route {
    /// The route of a request.
    pub(super) fn of(extensions: &Extensions) -> Route {
        Route(extensions.get::<MatchedPath>().cloned())
    }

    /// Its pattern. All files of the site are one: their folder has another name in every release.
    pub(super) fn pattern(&self) -> &str {
        match self.0.as_ref().map(MatchedPath::as_str) {
            Some(pattern) if pattern.starts_with(assets::FOLDER) => "/static",
            Some(pattern) => pattern,
            None => "none",
        }
    }
}

impl PartialEq for Route {
    fn eq(&self, other: &Route) -> bool {
        self.pattern() == other.pattern()
    }
}

impl Eq for Route {}

impl Hash for Route {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.pattern().hash(hasher);
    }
}

impl EncodeLabelValue for Route {
    fn encode(&self, encoder: &mut LabelValueEncoder) -> fmt::Result {
        self.pattern().encode(encoder)
    }
}

/// A kind of answer.
#[derive(Clone, PartialEq, Eq, Hash, Debug, EncodeLabelSet)]
pub(super) struct Answered {
    route: Route,
    method: &'static str,
    status: &'static str,
}

/// The requests that were answered, and how fast.
pub(super) struct Requests(Family<Answered, Histogram>);

impl Default for Requests {
    fn default() -> Self {
        Requests(Family::new_with_constructor(|| Histogram::new(TIMES)))
    }
}

impl Requests {
    /// The times of all answers.
    pub(super) fn times(&self) -> Family<Answered, Histogram> {
        self.0.clone()
    }

    /// Counts an answer that was begun after so many seconds.
    pub(super) fn count(&self, route: Route, asked: &Method, status: StatusCode, seconds: f64) {
        let status = match status.as_u16() {
            100..200 => "1xx",
            200..300 => "2xx",
            300..400 => "3xx",
            400..500 => "4xx",
            _ => "5xx",
        };
        self.0.get_or_create(&Answered { route, method: method(asked), status }).observe(seconds);
    }
}
