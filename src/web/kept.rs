//! Answers that a client may keep: their tags, and word that a copy is still good. The one place that reads If-None-Match.

use super::Error;
use axum::{
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use axum_extra::headers::{ETag, HeaderMapExt, IfNoneMatch};
use sha2::{Digest, Sha256};
use std::fmt::Write;

/// The way an answer may be kept.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    /// The tag that tells this answer from all others at its address.
    pub(super) tag: ETag,
    /// For how long, and by whom.
    pub(super) control: HeaderValue,
}

/// The tag of what is made from these parts alone. It is weak, because a compressed answer carries the same.
pub(super) fn tag(parts: &[&str]) -> ETag {
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
    format!("W/\"{hex}\"").parse().expect("hexadecimal digits are a tag")
}

impl Kept {
    /// The whole answer, or only word that the asker's copy of it is good.
    pub(super) async fn answer(
        self,
        asked: &HeaderMap,
        whole: impl Future<Output = Result<Response, Error>>,
    ) -> Result<Response, Error> {
        let known = asked.typed_get::<IfNoneMatch>().is_some_and(|known| !known.precondition_passes(&self.tag));
        let mut response = if known { StatusCode::NOT_MODIFIED.into_response() } else { whole.await? };
        response.headers_mut().typed_insert(self.tag);
        response.headers_mut().insert(header::CACHE_CONTROL, self.control);
        Ok(response)
    }
}
