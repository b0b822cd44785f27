//! Turn notifications without an open page, from the click on the switch to the notification. The test runs its own push service in
//! place of the browser vendor's, and delivers the message itself.

use super::{Browser, PATIENCE, Site, begin, driver::screen, program::Server};
use axum::{body::Bytes, extract::State, http::HeaderMap, routing::post};
use serde_json::{Value, json};
use std::{
    process::Command,
    time::{Duration, Instant},
};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

type Sent = (HeaderMap, Vec<u8>);

async fn take(State(desk): State<UnboundedSender<Sent>>, headers: HeaderMap, body: Bytes) {
    let _ = desk.send((headers, body.to_vec()));
}

/// Keys of the subscription, which a browser would generate: the private key and the auth secret.
const SECRET: [u8; 32] = [7; 32];
const AUTH: [u8; 16] = [9; 16];

/// A script that replaces the push service's part in the browser.
fn subscribing(endpoint: &str) -> String {
    use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
    let key = p256::SecretKey::from_slice(&SECRET).unwrap().public_key().to_sec1_bytes();
    let keys = json!({"p256dh": URL_SAFE_NO_PAD.encode(key), "auth": URL_SAFE_NO_PAD.encode(AUTH)});
    format!(
        "const made = {{ endpoint: '{endpoint}', toJSON: () => ({{ keys: {keys} }}),
             unsubscribe: async () => {{ localStorage.removeItem('made'); return true; }} }};
         PushManager.prototype.getSubscription = async () => (localStorage.getItem('made') ? made : null);
         PushManager.prototype.subscribe = async (wish) => {{ localStorage.setItem('made', wish.applicationServerKey); return made; }};"
    )
}

#[tokio::test]
async fn browser_notifies_of_a_turn_without_an_open_page() {
    let Some(screen) = screen().await else { return };
    let data = tempfile::tempdir().unwrap();
    let mut program = Command::new(env!("CARGO_BIN_EXE_zorkmid"));
    program.env("ZORKMID_PRIVATE_HOOKS", "true");
    let site = Site { server: Server::started(program, data.path(), "127.0.0.1:0"), data };
    let (desk, mut sent) = unbounded_channel();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let service = format!("http://{}/push", listener.local_addr().unwrap());
    let router = axum::Router::new().route("/push", post(take)).with_state(desk);
    tokio::spawn(async { axum::serve(listener, router).await });

    let browser = Browser::new(&screen).await;
    browser.devtools("Browser.grantPermissions", json!({"origin": &*site, "permissions": ["notifications"]})).await;
    let before = json!({"source": subscribing(&service)});
    browser.devtools("Page.addScriptToEvaluateOnNewDocument", before).await;
    let game = begin(&site, json!({"variant": "chess", "opponent": "link", "seat": "two", "name": "Ada"})).await;
    let client = reqwest::Client::new();
    let taken = json!({"code": game["invite"]["code"], "name": "Grue"});
    let taken = client.post(format!("{}/api/seats", &*site)).json(&taken).send().await.unwrap();
    let taken: Value = taken.json().await.unwrap();
    browser.open(game["seats"][0]["url"].as_str().unwrap()).await;
    let bell = "document.querySelector('[data-tool=bell]')";
    browser
        .until(&format!("{bell}.getAttribute('aria-pressed') === 'false' && !{bell}.classList.contains('unready')"))
        .await;
    browser.press("#preferences summary", "#preferences[open]").await;
    browser.press("[data-tool=bell]", "[data-tool=bell][aria-pressed=true]").await;
    // The browser got the site's public key.
    let key = reqwest::get(format!("{}/key/push", &*site)).await.unwrap().text().await.unwrap();
    assert_eq!(browser.ask("return localStorage.getItem('made')").await, json!(key));

    browser.open("about:blank").await;
    let id = game["id"].as_str().unwrap();
    let moved = client.post(format!("{}/api/games/{id}/actions", &*site)).bearer_auth(taken["token"].as_str().unwrap());
    assert_eq!(moved.json(&json!({"ply": 0, "action": "e2e4"})).send().await.unwrap().status(), 200);
    let (_, message) = sent.recv().await.unwrap();
    let secret = p256::SecretKey::from_slice(&SECRET).unwrap();
    let message = web_push_native::decrypt(message, &secret, &web_push_native::Auth::from(AUTH)).unwrap();
    let message = String::from_utf8(message).unwrap();

    // The service delivers the message, and the browser shows it although another game's page is open.
    browser.open(&format!("{}/about", &*site)).await;
    browser.devtools("ServiceWorker.enable", json!({})).await;
    let handed = json!({"origin": &*site, "registrationId": "0", "data": message});
    let shown = "return navigator.serviceWorker.getRegistration('/').then((worker) => worker.getNotifications())
        .then((all) => all.map((one) => [one.title, one.body, one.data]));";
    let began = Instant::now();
    let shown = loop {
        // A message delivered before the worker is ready is lost. A second message about a game replaces the first.
        browser.devtools("ServiceWorker.deliverPushMessage", handed.clone()).await;
        tokio::time::sleep(Duration::from_millis(200)).await;
        let shown = browser.ask(shown).await;
        if shown != json!([]) {
            break shown;
        }
        assert!(began.elapsed() < PATIENCE, "no notification appears");
    };
    assert_eq!(shown, json!([["Your turn", "Chess against Grue", format!("/games/{id}")]]));

    // The same switch turns notifications off.
    browser.open(game["seats"][0]["url"].as_str().unwrap()).await;
    browser.until(&format!("{bell}.getAttribute('aria-pressed') === 'true'")).await;
    browser.press("#preferences summary", "#preferences[open]").await;
    browser.press("[data-tool=bell]", "[data-tool=bell][aria-pressed=false]").await;
    browser.open(&format!("{}/key", &*site)).await;
    assert_eq!(
        browser.ask("return document.body.textContent.includes('Browser notifications, sent')").await,
        json!(false)
    );
}
