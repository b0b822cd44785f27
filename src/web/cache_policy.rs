//! Answers that a client may keep: their tags, and word that a copy is still good. The one place that reads If-None-Match.

use super::Error;
use axum::{
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use axum_extra::headers::{ETag, Header, HeaderMapExt, IfNoneMatch};
use sha2::{Digest, Sha256};
use std::{fmt::Write, iter};

/// The way an answer may be kept.
#[derive(Clone, Debug)]
pub struct CachePolicy {
    /// The tag that tells this answer from all others at its address.
    pub tag: HeaderValue,
    /// For how long, and by whom.
    pub control: HeaderValue,
}

/// The tag that holds these letters. It is weak, because a compressed answer carries the same.
pub fn weak(parts: &[&str]) -> Result<HeaderValue, Error> {
    let length: usize = parts.iter().map(|part| part.len()).sum();
    let mut text = String::with_capacity(length + 4);
    text.push_str("W/\"");
    text.extend(parts.iter().copied());
    text.push('"');
    text.try_into().map_err(Error::broken)
}

/// The tag of what is made from these parts alone.
pub fn tag(parts: &[&str]) -> HeaderValue {
    let mut digest = Sha256::new();
    for part in parts {
        digest.update((part.len() as u64).to_be_bytes());
        digest.update(part);
    }
    let hex = digest.finalize()[..16].iter().fold(String::with_capacity(32), |mut hex, byte| {
        // Writing to a string does not fail.
        let _ = write!(hex, "{byte:02x}");
        hex
    });
    weak(&[&hex]).expect("hexadecimal digits are a tag")
}

impl CachePolicy {
    /// Tells whether whoever asks has what bears the tag.
    fn is_known(&self, asked: &HeaderMap) -> bool {
        let Some(known) = asked.typed_get::<IfNoneMatch>() else { return false };
        ETag::decode(&mut iter::once(&self.tag)).is_ok_and(|tag| !known.precondition_passes(&tag))
    }

    /// The whole answer, or only word that the asker's copy of it is good.
    pub async fn answer(
        self,
        asked: &HeaderMap,
        whole: impl Future<Output = Result<Response, Error>>,
    ) -> Result<Response, Error> {
        let whole = if self.is_known(asked) { None } else { Some(whole.await?) };
        Ok(self.tell(whole))
    }

    /// The same about an answer that is there already.
    pub fn answer_at_once(self, asked: &HeaderMap, whole: impl IntoResponse) -> Response {
        let whole = (!self.is_known(asked)).then(|| whole.into_response());
        self.tell(whole)
    }

    fn tell(self, whole: Option<Response>) -> Response {
        let mut response = whole.unwrap_or_else(|| StatusCode::NOT_MODIFIED.into_response());
        response.headers_mut().insert(header::ETAG, self.tag);
        response.headers_mut().insert(header::CACHE_CONTROL, self.control);
        response
    }
}
