//! Programs written for lichess: bots that use berserk play whole games here.

use super::{program::Server, tools, *};
use std::process::Command;

#[test]
fn bots_written_for_lichess_play_here() {
    let Some(python) = tools::named("ZORKMID_PYFFISH") else { return };
    let data = tempfile::tempdir().unwrap();
    let server = Server::start(data.path());
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/web/lichess.py");
    let output = Command::new(python).args([script, &server.address]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[tokio::test]
async fn streams_for_lichess_are_limited_per_address() {
    let site = router(app(Options { streams_per_address: 1, ..patient() }));
    let key = ask(&site, request(Method::POST, "/api/keys")).await.json()["key"].as_str().unwrap().to_owned();
    let stream = async || {
        let mut request = request(Method::GET, "/api/stream/event");
        request.headers_mut().insert("authorization", format!("Bearer {key}").parse().unwrap());
        site.clone().oneshot(request).await.unwrap()
    };
    let first = stream().await;
    assert_eq!(first.status(), 200);
    let second = stream().await;
    assert_eq!(
        (second.status(), second.headers()["content-type"].to_str().unwrap()),
        (StatusCode::TOO_MANY_REQUESTS, "application/json")
    );
    drop(first);
    assert_eq!(stream().await.status(), 200);
}
