//! `ETag` validation: matching of tags in every notation, and the tags of public pages.

use super::{
    api::{begin, post},
    *,
};
use axum::{
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::IntoResponse,
};
use serde_json::json;
use zorkmid::web::cache_policy::{CachePolicy, tag};

async fn status(known: &[&str], tag: &str) -> StatusCode {
    let mut asked = HeaderMap::new();
    for line in known {
        asked.append(header::IF_NONE_MATCH, line.parse().unwrap());
    }
    let policy = CachePolicy { tag: tag.parse().unwrap(), control: HeaderValue::from_static("no-cache") };
    let at_once = policy.clone().answer_ready(&asked, "whole");
    let response = policy.answer(&asked, async { Ok("whole".into_response()) }).await.unwrap();
    assert_eq!((at_once.status(), at_once.headers()["etag"].as_bytes()), (response.status(), tag.as_bytes()));
    assert_eq!(response.headers()["etag"], tag);
    assert_eq!(response.headers()["cache-control"], "no-cache");
    response.status()
}

#[tokio::test]
async fn copy_is_valid_if_any_of_its_tags_matches() {
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
fn tags_separate_their_parts() {
    assert_ne!(tag(&["ab", "c"]), tag(&["a", "bc"]));
    assert_eq!(tag(&["ab", "c"]), tag(&["ab", "c"]));
}

#[tokio::test]
async fn public_pages_are_sent_once() {
    let site = site();
    let accepting = |path: &str, cookie: &str, tag: Option<&str>| {
        let mut asked = request(Method::GET, path);
        asked.headers_mut().insert("accept-encoding", "gzip".parse().unwrap());
        asked.headers_mut().insert("cookie", cookie.parse().unwrap());
        if let Some(tag) = tag {
            asked.headers_mut().insert("if-none-match", tag.parse().unwrap());
        }
        ask(&site, asked)
    };
    for path in ["/docs", "/rules/chess", "/about", "/api/variants", "/api/openapi.json"] {
        let first = accepting(path, "a=b", None).await;
        assert_eq!((first.status.as_u16(), first.header("cache-control")), (200, "no-cache"), "{path}");
        let again = accepting(path, "a=b", Some(first.header("etag"))).await;
        assert_eq!((again.status.as_u16(), again.body.as_str()), (304, ""), "{path}");
        let whole = accepting(path, "a=b", Some("\"another\"")).await;
        assert_eq!((whole.status.as_u16(), whole.body == first.body), (200, true), "{path}");
    }
}

/// Two games with as many moves share an entity tag, which is only unique for its address.
#[tokio::test]
async fn compressed_pictures_are_not_mixed_up() {
    let site = site();
    let mut pictures = Vec::new();
    for variant in ["chess", "raumschach"] {
        let game = post(&site, "/api/games", None, json!({"variant": variant, "opponent": "self"})).await.json();
        let mut asked = request(Method::GET, &format!("/games/{}/image.svg", game["id"].as_str().unwrap()));
        asked.headers_mut().insert("accept-encoding", "gzip".parse().unwrap());
        let picture = ask(&site, asked).await;
        assert_eq!((picture.status.as_u16(), picture.header("content-encoding")), (200, "gzip"));
        pictures.push((picture.header("etag").to_owned(), picture.body));
    }
    assert_eq!(pictures[0].0, pictures[1].0);
    assert_ne!(pictures[0].1, pictures[1].1);
}

#[tokio::test]
async fn spectators_share_the_record_of_a_finished_game() {
    const PRIVATE: &str = "private, no-store, no-cache";
    let site = site();
    let game = begin(&site, json!({"variant": "chess"})).await;
    let read = |host: &'static str, token: Option<&str>| {
        let mut asked = request(Method::GET, &format!("/api/games/{}/record.pgn", game.id));
        asked.headers_mut().insert("host", host.parse().unwrap());
        if let Some(token) = token {
            asked.headers_mut().insert("authorization", format!("Bearer {token}").parse().unwrap());
        }
        ask(&site, asked)
    };
    assert_eq!(read("one.example", None).await.header("cache-control"), PRIVATE, "the game is not over");
    game.act(&site, 0, 0, "resign").await.json();
    let first = read("one.example", None).await;
    assert_eq!((first.header("cache-control"), first.header("etag").is_empty()), ("no-cache", false));
    assert!(first.body.contains("//one.example/") && first.body.contains("0-1"), "{}", first.body);
    assert!(
        read("two.example", None).await.body.contains("//two.example/"),
        "addresses have the origin of the request"
    );
    assert_eq!(read("one.example", None).await.body, first.body);
    assert_eq!(read("one.example", Some(&game.tokens[1])).await.header("cache-control"), PRIVATE);
}
