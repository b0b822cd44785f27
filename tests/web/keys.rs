//! Replaced invitations and private links: the old ones stop working.

use super::{Answer, Method, Router, ask, games::Browser, get, request, site};
use axum::{body::Body, http::Request};
use futures_util::StreamExt;
use serde_json::{Value, json};
use tower::ServiceExt;

pub(super) async fn post(site: &Router, path: &str, token: &str, body: Value) -> Answer {
    let mut request = request(Method::POST, path);
    request.headers_mut().insert("content-type", "application/json".parse().unwrap());
    if !token.is_empty() {
        request.headers_mut().insert("authorization", format!("Bearer {token}").parse().unwrap());
    }
    *request.body_mut() = Body::from(body.to_string());
    ask(site, request).await
}

#[tokio::test]
async fn unused_invitation_can_be_replaced() {
    let site = site();
    let begun = post(&site, "/api/games", "", json!({"variant": "chess"})).await.json();
    let (id, token) = (begun["id"].as_str().unwrap(), begun["seats"][0]["token"].as_str().unwrap());
    let path = format!("/api/games/{id}/invite");
    post(&site, &path, "", json!({})).await.problem(401);
    let old = begun["invite"]["code"].as_str().unwrap();
    let new = post(&site, &path, token, json!({})).await.json();
    let code = new["code"].as_str().unwrap();
    assert!(code != old && new["url"].as_str().unwrap().ends_with(&format!("/invite/{code}")));
    assert_eq!(get(&site, &format!("/invite/{old}")).await.status, 404);
    post(&site, "/api/seats", "", json!({"code": old})).await.problem(404);
    let sat = post(&site, "/api/seats", "", json!({"code": code})).await.json();
    assert_eq!(sat["seat"], "two");
    // Both seats are taken now.
    post(&site, &path, token, json!({})).await.problem(422);
    assert_eq!(get(&site, &format!("/invite/{code}")).await.status, 200, "a used invitation still shows its game");
}

#[tokio::test]
async fn private_link_is_replaced_by_its_player() {
    let site = site();
    let begun = post(
        &site,
        "/api/games",
        "",
        json!({"variant": "bidding", "options": {"scheme": "secret"}, "opponent": "self"}),
    )
    .await
    .json();
    let id = begun["id"].as_str().unwrap();
    let [old, other] = [0, 1].map(|seat| begun["seats"][seat]["token"].as_str().unwrap().to_owned());
    let listen = |token: &str| {
        let events = Request::builder().uri(format!("/api/games/{id}/events")).header("host", "zork.example");
        site.clone().oneshot(events.header("authorization", format!("Bearer {token}")).body(Body::empty()).unwrap())
    };
    let mut stream = listen(&old).await.unwrap().into_body().into_data_stream();
    stream.next().await.unwrap().unwrap();
    let path = format!("/api/games/{id}/seat");
    post(&site, &path, "", json!({})).await.problem(401);
    let new = post(&site, &path, &old, json!({})).await.json();
    assert_eq!((&new["seat"], &new["id"]), (&json!("one"), &json!(id)));
    let token = new["token"].as_str().unwrap();
    let bid = json!({"ply": 0, "action": "bid 40"});
    post(&site, &format!("/api/games/{id}/actions"), &old, bid.clone()).await.problem(401);
    assert_eq!(get(&site, &format!("/seat/{old}")).await.status, 404);
    post(&site, &format!("/api/games/{id}/actions"), token, bid).await.json();
    // A stream opened with the old token gets no further events and ends.
    while let Some(bytes) = stream.next().await {
        assert!(!String::from_utf8_lossy(&bytes.unwrap()).contains("bid 40"));
    }
    // The other seat is unaffected.
    post(&site, &format!("/api/games/{id}/actions"), &other, json!({"ply": 0, "action": "bid 10"})).await.json();
}

#[tokio::test]
async fn forms_replace_links_in_the_browser_that_holds_them() {
    let site = site();
    let mut host = Browser::new(&site);
    let game = host.begin(&[("variant", "chess"), ("opponent", "link")]).await;
    let code = |page: &Answer| page.page(200).split("/invite/").nth(1).unwrap()[..10].to_owned();
    let old = code(&host.get(&game).await);
    assert_eq!(host.post(&format!("{game}/invite"), &[]).await.status, 303);
    let new = code(&host.get(&game).await);
    assert_ne!(old, new);
    let before = host.tokens(&game);
    assert_eq!(host.post(&format!("{game}/link"), &[("seat", "one")]).await.status, 303);
    let after = host.tokens(&game);
    assert!(before != after && after.len() == 1);
    assert!(host.get(&game).await.page(200).contains(&after[0]));
    // Other browsers cannot.
    let mut stranger = Browser::new(&site);
    for path in ["invite", "link"] {
        assert_eq!(stranger.post(&format!("{game}/{path}"), &[("seat", "one")]).await.status, 422, "{path}");
    }
    assert_eq!(host.post(&format!("{game}/link"), &[("seat", "two")]).await.status, 422);
}
