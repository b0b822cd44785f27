//! Turn notifications for feeds, webhooks and browsers: sent once, only to subscribers, until they unsubscribe.

use super::{
    App, Method, Options, Play, Router, SeedableRng, StdRng, app, ask,
    games::Browser,
    get,
    keys::post,
    owners::{act, key, with},
    patient, router, store, tables,
};
use axum::{
    body::Bytes,
    extract::State,
    http::{HeaderMap, StatusCode},
    routing::post as posted,
};
use base64::{
    Engine,
    engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD},
};
use p256::ecdsa::{Signature, VerifyingKey, signature::Verifier};
use serde_json::{Value, json};
use std::{
    io::Write,
    process::{Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicI64, AtomicU16, Ordering},
    },
    time::{Duration, Instant},
};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// A webhook receiver: its address, the received requests, and the status of its answers.
pub(super) struct Receiver {
    pub(super) url: String,
    pub(super) sent: UnboundedReceiver<(HeaderMap, Vec<u8>)>,
    pub(super) answer: Arc<AtomicU16>,
}

type Desk = (UnboundedSender<(HeaderMap, Vec<u8>)>, Arc<AtomicU16>);

async fn take(State((desk, answer)): State<Desk>, headers: HeaderMap, body: Bytes) -> StatusCode {
    let _ = desk.send((headers, body.to_vec()));
    StatusCode::from_u16(answer.load(Ordering::Relaxed)).unwrap()
}

impl Receiver {
    pub(super) async fn new() -> Receiver {
        let (desk, sent) = unbounded_channel();
        let answer = Arc::new(AtomicU16::new(204));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/told?by=zork", listener.local_addr().unwrap());
        let router = axum::Router::new().route("/told", posted(take)).with_state((desk, answer.clone()));
        let connections = zorkmid::web::Connections::new(patient().limits, Vec::new());
        tokio::spawn(zorkmid::web::serve(listener, router, connections, Default::default()));
        Receiver { url, sent, answer }
    }

    pub(super) async fn next(&mut self) -> (HeaderMap, Vec<u8>) {
        tokio::time::timeout(super::PATIENCE, self.sent.recv()).await.expect("a delivery").unwrap()
    }
}

/// A site that delivers notifications, also to this machine.
pub(super) fn sending() -> Router {
    let app = app(Options { private_hooks: true, ..patient() });
    tokio::spawn(zorkmid::web::deliver(app.clone()));
    router(app)
}

/// Begins a game of chess between two keys.
pub(super) async fn game(site: &Router, [white, black]: [&str; 2]) -> Value {
    let begun = post(site, "/api/games", white, json!({"variant": "chess", "name": "Ada"})).await.json();
    post(site, "/api/seats", black, json!({"code": begun["invite"]["code"], "name": "Grue"})).await.json();
    begun["id"].clone()
}

/// Waits until the list of a key's notices is as expected.
pub(super) async fn listed(site: &Router, key: &str, wanted: impl Fn(&Value) -> bool) {
    let began = Instant::now();
    while !wanted(&ask(site, with(key, Method::GET, "/api/keys/notices")).await.json()["notices"]) {
        assert!(began.elapsed() < super::PATIENCE, "the list stays different");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// HMAC of a text, computed by OpenSSL.
fn openssl_mac(key: &[u8], text: &str) -> Vec<u8> {
    let hex: String = key.iter().map(|byte| format!("{byte:02x}")).collect();
    let mut openssl = Command::new("openssl");
    openssl.args(["dgst", "-sha256", "-binary", "-mac", "HMAC", "-macopt", &format!("hexkey:{hex}")]);
    let mut running = openssl.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    running.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    running.wait_with_output().unwrap().stdout
}

#[tokio::test]
async fn webhook_is_called_and_signed_on_every_turn() {
    let site = sending();
    let mut there = Receiver::new().await;
    let (white, black) = (key(&site).await, key(&site).await);
    let hook = post(&site, "/api/keys/notices", &black, json!({"way": "hook", "url": there.url})).await;
    assert_eq!(hook.status, 201);
    let hook = hook.json();
    let id = game(&site, [&white, &black]).await;
    act(&site, &id, &white, 0, "e2e4").await.json();

    let (headers, body) = there.next().await;
    let header = |name: &str| headers[name].to_str().unwrap();
    let body = String::from_utf8(body).unwrap();
    let told: Value = serde_json::from_str(&body).unwrap();
    assert_eq!(told["type"], "turn");
    let told = &told["data"]["game"];
    assert_eq!(
        (&told["id"], &told["ply"], &told["asked"], &told["seat"]),
        (&id, &json!(1), &json!(true), &json!("two"))
    );
    assert!(told["url"].as_str().unwrap().starts_with("http://zork.example/games/"), "{told}");
    let secret = STANDARD.decode(hook["secret"].as_str().unwrap().strip_prefix("whsec_").unwrap()).unwrap();
    let signed = format!("{}.{}.{body}", header("webhook-id"), header("webhook-timestamp"));
    assert_eq!(header("webhook-signature"), format!("v1,{}", STANDARD.encode(openssl_mac(&secret, &signed))));
    assert!(!body.contains(&black) && !body.contains(&white));

    // Offers and the key's own moves send no notification. The next turn does.
    act(&site, &id, &white, 1, "draw").await.json();
    act(&site, &id, &black, 1, "e7e5").await.json();
    act(&site, &id, &white, 2, "g1f3").await.json();
    let (_, next) = there.next().await;
    assert_eq!(serde_json::from_slice::<Value>(&next).unwrap()["data"]["game"]["ply"], 3);

    // A receiver that answers 410 Gone gets no more calls.
    there.answer.store(410, Ordering::Relaxed);
    act(&site, &id, &black, 3, "b8c6").await.json();
    act(&site, &id, &white, 4, "f1b5").await.json();
    there.next().await;
    listed(&site, &black, |notices| *notices == json!([])).await;
}

#[tokio::test]
async fn failed_call_is_retried() {
    let site = sending();
    let mut there = Receiver::new().await;
    let (white, black) = (key(&site).await, key(&site).await);
    post(&site, "/api/keys/notices", &black, json!({"way": "hook", "url": there.url})).await.json();
    let id = game(&site, [&white, &black]).await;
    there.answer.store(500, Ordering::Relaxed);
    act(&site, &id, &white, 0, "e2e4").await.json();
    let (first, _) = there.next().await;
    there.answer.store(204, Ordering::Relaxed);
    let (again, _) = there.next().await;
    assert_eq!(first["webhook-id"], again["webhook-id"]);
}

#[tokio::test]
async fn push_message_is_encrypted_for_the_browser() {
    let site = sending();
    let mut service = Receiver::new().await;
    // The browser's part of the standard.
    let own = p256::SecretKey::from_slice(&[7; 32]).unwrap();
    let (p256dh, auth) = (URL_SAFE_NO_PAD.encode(own.public_key().to_sec1_bytes()), [9_u8; 16]);
    let mut browser = Browser::new(&site);
    let known = browser.get("/key/push").await;
    let known = known.body;
    let invited = browser.begin(&[("variant", "chess"), ("opponent", "link"), ("seat", "two"), ("name", "Ada")]).await;
    let mut other = Browser::new(&site);
    other.post(&format!("/invite/{}", browser.code(&invited)), &[("name", "Grue")]).await;
    let wish = [("way", "push"), ("url", &service.url), ("p256dh", &p256dh), ("auth", &URL_SAFE_NO_PAD.encode(auth))];
    assert_eq!(browser.post("/key/notices", &wish).await.status, 303);
    assert_eq!(other.post(&invited, &[("ply", "0"), ("action", "e2e4")]).await.status, 303);

    let (headers, body) = service.next().await;
    let text = |name: &str| headers[name].to_str().unwrap();
    assert_eq!((text("content-encoding"), text("ttl")), ("aes128gcm", "86400"));
    let message = web_push_native::decrypt(body.clone(), &own, &web_push_native::Auth::from(auth)).unwrap();
    let message: Value = serde_json::from_slice(&message).unwrap();
    assert_eq!((&message["title"], &message["url"]), (&json!("Your turn"), &json!(invited)));
    assert!(message["body"].as_str().unwrap().contains("Grue"), "{message}");
    assert!(!String::from_utf8_lossy(&body).contains("Grue"));
    // The push service identifies the sender by the key that the browser was given.
    let (token, given) = text("authorization").strip_prefix("vapid t=").unwrap().split_once(", k=").unwrap();
    assert_eq!(given, known);
    let (signed, signature) = token.rsplit_once('.').unwrap();
    let verifier = VerifyingKey::from_sec1_bytes(&URL_SAFE_NO_PAD.decode(given).unwrap()).unwrap();
    let signature = Signature::from_slice(&URL_SAFE_NO_PAD.decode(signature).unwrap()).unwrap();
    verifier.verify(signed.as_bytes(), &signature).unwrap();
    let claims = URL_SAFE_NO_PAD.decode(signed.split_once('.').unwrap().1).unwrap();
    let claims: Value = serde_json::from_slice(&claims).unwrap();
    assert_eq!(claims["aud"], service.url.strip_suffix("/told?by=zork").unwrap());
    assert!(claims["exp"].as_i64().unwrap() * 1_000 > super::now());

    // The subscription is listed, and the browser can end it.
    assert!(browser.get("/key").await.page(200).contains("Browser notifications, sent through"));
    assert_eq!(browser.post("/key/push/end", &[("url", &service.url)]).await.status, 204);
    assert!(!browser.get("/key").await.page(200).contains("Browser notifications, sent through"));
}

#[tokio::test]
async fn feed_lists_the_games_waiting_for_the_key() {
    let site = router(app(patient()));
    let mut browser = Browser::new(&site);
    let game = browser.begin(&[("variant", "chess"), ("opponent", "link"), ("name", "<Ada>")]).await;
    let mut other = Browser::new(&site);
    other.post(&format!("/invite/{}", browser.code(&game)), &[("name", "Grue & Co")]).await;
    browser.post("/key/notices", &[("way", "feed")]).await;
    let page = browser.get("/key").await.page(200).to_owned();
    let address = page.split("http://zork.example/feeds/").nth(1).unwrap().split('"').next().unwrap();
    let path = format!("/feeds/{address}");
    let feed = get(&site, &path).await;
    assert_eq!(feed.header("content-type"), "application/atom+xml; charset=utf-8");
    assert_eq!((feed.header("x-robots-tag"), feed.body.matches("<entry>").count()), ("noindex", 1));
    assert!(feed.body.contains("Your turn: Chess against Grue &#38; Co"), "{}", feed.body);
    // Python's XML parser accepts it.
    let mut python = Command::new("python3");
    python.args([
        "-c",
        "import sys, xml.etree.ElementTree as tree; print(len(tree.fromstring(sys.stdin.buffer.read())))",
    ]);
    let mut running = python.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    running.stdin.take().unwrap().write_all(feed.body.as_bytes()).unwrap();
    assert!(running.wait_with_output().unwrap().status.success());
    browser.post(&game, &[("ply", "0"), ("action", "e2e4")]).await;
    assert_eq!(get(&site, &path).await.body.matches("<entry>").count(), 0);
    // Its address gives no access to the games, and stops working once the key is replaced.
    assert!(get(&site, &format!("/key/{address}")).await.status.is_client_error());
    browser.post("/key/renew", &[]).await;
    get(&site, &path).await.page(404);
    assert!(browser.get(&game).await.page(200).contains("e4"));
}

#[tokio::test]
async fn feed_warns_before_a_loss_on_time_and_tells_the_end() {
    let clock = Arc::new(AtomicI64::new(1_700_000_000_000));
    let play = {
        let clock = clock.clone();
        Play::new(StdRng::seed_from_u64(7), store(), move || clock.load(Ordering::Relaxed))
    };
    let site = router(App::new(patient(), play.clone(), tables::tables()));
    let (mut browser, mut other) = (Browser::new(&site), Browser::new(&site));
    let fields = [("variant", "chess"), ("opponent", "link"), ("clock", "days"), ("days", "1")];
    let game = browser.begin(&fields).await;
    other.post(&format!("/invite/{}", browser.code(&game)), &[("name", "Grue")]).await;
    browser.post("/key/notices", &[("way", "feed")]).await;
    let page = browser.get("/key").await.page(200).to_owned();
    let address = page.split("http://zork.example/feeds/").nth(1).unwrap().split('"').next().unwrap().to_owned();
    let feed = async || get(&site, &format!("/feeds/{address}")).await.body;
    browser.post(&game, &[("ply", "0"), ("action", "e2e4")]).await;
    assert!(feed().await.contains("<updated>2023-11-14T"), "an empty feed has no date of 1970");
    other.post(&game, &[("ply", "1"), ("action", "e7e5")]).await;
    let turn = feed().await;
    assert!(turn.contains("Your time runs out at 2023-11-15T22:13:20Z.") && !turn.contains("runs out soon"), "{turn}");
    assert!(browser.get("/").await.body.contains("your turn · 1 d 0 h left"));
    clock.fetch_add(19 * 3_600_000, Ordering::Relaxed);
    let late = feed().await;
    assert!(late.contains("Your time runs out soon: Chess against Grue") && late.contains("#ply-2-late"), "{late}");
    clock.fetch_add(6 * 3_600_000, Ordering::Relaxed);
    play.check_all_clocks().await.unwrap();
    let end = feed().await;
    assert!(end.contains("You lost on time: Chess against Grue") && end.matches("<entry>").count() == 1, "{end}");
    let over = browser.get(&game).await.body;
    assert!(over.contains("White lost on time.") && over.contains("</span>0:00</span>"), "{over}");
    assert!(over.contains("<a href=\"/key\">"));
}

#[tokio::test]
async fn replaced_key_stops_working() {
    let site = router(app(patient()));
    let (white, black) = (key(&site).await, key(&site).await);
    let id = game(&site, [&white, &black]).await;
    let new = post(&site, "/api/keys/renew", &white, json!({})).await.json();
    let new = new["key"].as_str().unwrap();
    act(&site, &id, &white, 0, "e2e4").await.problem(401);
    post(&site, "/api/keys/renew", &white, json!({})).await.problem(401);
    ask(&site, with(&white, Method::GET, "/api/keys/own")).await.problem(401);
    act(&site, &id, new, 0, "e2e4").await.json();
    assert_eq!(ask(&site, with(new, Method::GET, "/api/keys/own")).await.json()["games"][0]["id"], id);
}

#[tokio::test]
async fn private_addresses_are_refused() {
    let site = router(app(patient()));
    let key = key(&site).await;
    for url in [
        "http://example.org/",
        "https://127.0.0.1/",
        "https://[::1]/",
        "https://[::ffff:10.0.0.1]/",
        "https://10.1.2.3:8443/x",
        "https://169.254.169.254/latest/meta-data",
        "https://100.64.0.1/",
        "https://[fd00::1]/",
        "https://user:pass@example.org/",
        "https:///x",
        "ftp://example.org/",
        "example.org",
        "",
    ] {
        let refused = post(&site, "/api/keys/notices", &key, json!({"way": "hook", "url": url})).await;
        assert_eq!(refused.problem(422)["field"], "url", "{url}");
    }
    post(&site, "/api/keys/notices", &key, json!({"way": "smoke"})).await.problem(422);
    post(&site, "/api/keys/notices", &key, json!({"way": "hook"})).await.problem(422);
    let wrong = json!({"way": "push", "url": "https://push.example.org/x", "p256dh": "AAAA", "auth": "AAAA"});
    assert_eq!(post(&site, "/api/keys/notices", &key, wrong).await.problem(422)["field"], "p256dh");
    // The number of notices is limited, and ending one makes room.
    let wish = |n: usize| json!({"way": "hook", "url": format!("https://example.org/{n}")});
    for n in 0..8 {
        assert_eq!(post(&site, "/api/keys/notices", &key, wish(n)).await.status, 201);
    }
    post(&site, "/api/keys/notices", &key, wish(8)).await.problem(422);
    assert_eq!(post(&site, "/api/keys/notices", &key, wish(7)).await.status, 201, "the same address replaces itself");
    let listed = ask(&site, with(&key, Method::GET, "/api/keys/notices")).await.json();
    let first = listed["notices"][0]["id"].as_str().unwrap().to_owned();
    let stranger = super::owners::key(&site).await;
    post(&site, &format!("/api/keys/notices/{first}/end"), &stranger, json!({})).await.problem(404);
    assert_eq!(post(&site, &format!("/api/keys/notices/{first}/end"), &key, json!({})).await.status, 204);
    assert_eq!(post(&site, "/api/keys/notices", &key, wish(8)).await.status, 201);
    post(&site, "/api/keys/notices", "", json!({"way": "feed"})).await.problem(401);
}

#[tokio::test]
async fn uncallable_addresses_are_refused_with_a_reason() {
    let strict = router(app(patient()));
    let private = router(app(Options { private_hooks: true, ..patient() }));
    let (key_of_strict, key_of_private) = (key(&strict).await, key(&private).await);
    let own = "use the name of a public host";
    let network = "not on the public network";
    let number = "four decimal numbers";
    let port = "from 1 to 65535";
    for (url, why, private_too) in [
        ("https://localhost/", own, false),
        ("https://LOCALHOST.:8443/", own, false),
        ("https://turns.localhost/", own, false),
        ("https://intranet/hook", "no dot", false),
        ("https://intranet./hook", "no dot", false),
        ("https://2130706433/", number, false),
        ("https://127.1/", number, false),
        ("https://0x7f.0.0.0x1/", number, false),
        ("https://127.0.0.1./", network, false),
        ("https://[::127.0.0.1]/", network, false),
        ("https://[::ffff:127.0.0.1]/", network, false),
        ("https://[fec0::1]/", network, false),
        ("https://[5f00::1]/", network, false),
        ("https://[3fff::1]/", network, false),
        ("https://example.org:99999/", port, true),
        ("https://example.org:0/", port, true),
        ("https://example.org:/", port, true),
        ("https://[::1/", "write it as https://example.org/path", true),
        ("https://[example.org]/", "write it as https://example.org/path", true),
    ] {
        let wish = json!({"way": "hook", "url": url});
        let refused = post(&strict, "/api/keys/notices", &key_of_strict, wish.clone()).await.problem(422);
        assert_eq!(refused["field"], "url", "{url}");
        assert!(refused["detail"].as_str().unwrap().contains(why), "{url}: {refused}");
        let answer = post(&private, "/api/keys/notices", &key_of_private, wish).await;
        assert_eq!(answer.status.as_u16(), if private_too { 422 } else { 201 }, "{url}: {}", answer.body);
        if !private_too {
            let end = format!("/api/keys/notices/{}/end", answer.json()["id"].as_str().unwrap());
            assert_eq!(post(&private, &end, &key_of_private, json!({})).await.status, 204);
        }
    }
    for url in [
        "https://example.org",
        "https://example.org.:8443/turn?of=me",
        "https://8.8.8.8/",
        "https://[2606:4700::1]:443/",
        "https://4chess.example/",
    ] {
        assert_eq!(
            post(&strict, "/api/keys/notices", &key_of_strict, json!({"way": "hook", "url": url})).await.status,
            201,
            "{url}"
        );
    }
}
