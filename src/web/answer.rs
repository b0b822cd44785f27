//! Answers as pages, and answers that are for one reader alone.

use super::error::Error;
use askama::Template;
use axum::{
    http::{HeaderValue, header},
    response::{Html, IntoResponse, Response},
};

/// A rendered page. Its template's errors are faults of ours.
pub fn page(template: &impl Template) -> Result<Response, Error> {
    Ok(Html(template.render().map_err(Error::broken)?).into_response())
}

/// Marks an answer as being for one reader and one moment: no cache keeps it. Some browsers only know the last
/// word, and know it only there.
pub fn private(mut response: Response) -> Response {
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-store, no-cache"));
    response
}
