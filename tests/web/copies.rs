//! Copies that a client keeps, from the site's own file taken in alone: which tags are good, however they are written.

use axum::{
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::IntoResponse,
};
use zorkmid::web::cache_policy::{CachePolicy, tag};

async fn status(known: &[&str], tag: &str) -> StatusCode {
    let mut asked = HeaderMap::new();
    for line in known {
        asked.append(header::IF_NONE_MATCH, line.parse().unwrap());
    }
    let policy = CachePolicy { tag: tag.parse().unwrap(), control: HeaderValue::from_static("no-cache") };
    let at_once = policy.clone().answer_at_once(&asked, "whole");
    let response = policy.answer(&asked, async { Ok("whole".into_response()) }).await.unwrap();
    assert_eq!((at_once.status(), at_once.headers()["etag"].as_bytes()), (response.status(), tag.as_bytes()));
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
