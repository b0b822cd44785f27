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

#[cfg(test)]
mod tests {
    use super::*;

    async fn status(known: &[&str], tag: &str) -> StatusCode {
        let mut asked = HeaderMap::new();
        for line in known {
            asked.append(header::IF_NONE_MATCH, line.parse().unwrap());
        }
        let kept = Kept { tag: tag.parse().unwrap(), control: HeaderValue::from_static("no-cache") };
        let response = kept.answer(&asked, async { Ok("whole".into_response()) }).await.unwrap();
        assert_eq!(response.headers()["etag"], tag);
        assert_eq!(response.headers()["cache-control"], "no-cache");
        response.status()
    }

    #[tokio::test]
    async fn a_copy_is_good_if_any_of_its_tags_is_ours() {
        let (good, gone) = (StatusCode::NOT_MODIFIED, StatusCode::OK);
        for own in ["\"a\"", "W/\"a\""] {
            for known in ["*", "\"a\"", "W/\"a\"", "\"b\", \"a\"", "W/\"b\",W/\"a\"", " \"a\" "] {
                assert_eq!(status(&[known], own).await, good, "{known}");
            }
            assert_eq!(status(&["\"b\"", "W/\"c\", \"a\""], own).await, good, "on two lines");
            for known in ["\"b\"", "", "a", "\"A\"", "\"a b\"", "\"b\", W/\"c\""] {
                assert_eq!(status(&[known], own).await, gone, "{known}");
            }
            assert_eq!(status(&[], own).await, gone);
        }
    }

    #[test]
    fn tags_keep_parts_apart() {
        assert_ne!(tag(&["ab", "c"]), tag(&["a", "bc"]));
        assert_eq!(tag(&["ab", "c"]), tag(&["ab", "c"]));
    }
}
