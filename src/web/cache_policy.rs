//! Entity tags and cache headers, with 304 for a client whose copy is current. The only module that reads `If-None-Match`.

use super::Error;
use axum::{
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use axum_extra::headers::{ETag, Header, HeaderMapExt, IfNoneMatch};
use sha2::{Digest, Sha256};
use std::{fmt::Write, iter};

/// Cache headers of a response.
#[derive(Clone, Debug)]
pub struct CachePolicy {
    /// Entity tag, which identifies this version of the resource.
    pub tag: HeaderValue,
    /// Value of `Cache-Control`.
    pub control: HeaderValue,
}

/// Builds a weak entity tag from the concatenated parts. It is weak because compressed and uncompressed responses share it.
///
/// # Errors
/// If a part holds characters that a header value cannot contain.
pub fn weak(parts: &[&str]) -> Result<HeaderValue, Error> {
    let length: usize = parts.iter().map(|part| part.len()).sum();
    let mut text = String::with_capacity(length + 4);
    text.push_str("W/\"");
    text.extend(parts.iter().copied());
    text.push('"');
    text.try_into().map_err(Error::broken)
}

/// Hashes the inputs of a response into a weak entity tag. The parts must determine the response completely.
pub fn tag(parts: &[impl AsRef<[u8]>]) -> HeaderValue {
    let mut digest = Sha256::new();
    for part in parts {
        let part = part.as_ref();
        digest.update((part.len() as u64).to_be_bytes());
        digest.update(part);
    }
    let hex = digest.finalize()[..16].iter().fold(String::with_capacity(32), |mut hex, byte| {
        // Writing to a string cannot fail.
        let _ = write!(hex, "{byte:02x}");
        hex
    });
    weak(&[&hex]).expect("hexadecimal digits are valid in a header value")
}

/// Whether the client's copy has this tag.
pub(super) fn is_known(tag: &HeaderValue, asked: &HeaderMap) -> bool {
    let Some(known) = asked.typed_get::<IfNoneMatch>() else { return false };
    ETag::decode(&mut iter::once(tag)).is_ok_and(|tag| !known.precondition_passes(&tag))
}

impl CachePolicy {
    /// Returns 304 if the client's copy is current; otherwise awaits and returns the full response. Sets both headers either way.
    pub async fn answer(
        self,
        asked: &HeaderMap,
        whole: impl Future<Output = Result<Response, Error>>,
    ) -> Result<Response, Error> {
        let whole = if is_known(&self.tag, asked) { None } else { Some(whole.await?) };
        Ok(self.respond(whole))
    }

    /// Like [`CachePolicy::answer`], for a response that is ready.
    pub fn answer_ready(self, asked: &HeaderMap, whole: impl IntoResponse) -> Response {
        let whole = (!is_known(&self.tag, asked)).then(|| whole.into_response());
        self.respond(whole)
    }

    fn respond(self, whole: Option<Response>) -> Response {
        let mut response = whole.unwrap_or_else(|| StatusCode::NOT_MODIFIED.into_response());
        response.headers_mut().insert(header::ETAG, self.tag);
        response.headers_mut().insert(header::CACHE_CONTROL, self.control);
        response
    }
}
