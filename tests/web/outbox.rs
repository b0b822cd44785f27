//! Turn notifications are fair and durable: keys never wait for another key's receivers, and every turn is sent.

use super::{
    App, Options, Router, app, instances,
    instances::said,
    keys::post,
    notices::{Receiver, game, listed, sending},
    owners::{act, key},
    patient,
    program::Server,
    router, tables,
};
use serde_json::{Value, json};
use std::{
    collections::BTreeSet,
    path::Path,
    process::Command,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

/// Registers a webhook for a key.
async fn hook(site: &Router, key: &str, url: &str) {
    assert_eq!(post(site, "/api/keys/notices", key, json!({"way": "hook", "url": url})).await.status, 201);
}

#[tokio::test]
async fn silent_receivers_delay_no_other_key() {
    let site = sending();
    // Connections to it stay in the system's backlog.
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let (white, black) = (key(&site).await, key(&site).await);
    for n in 0..8 {
        hook(&site, &black, &format!("http://{}/{n}", silent.local_addr().unwrap())).await;
    }
    for _ in 0..40 {
        let id = game(&site, [&white, &black]).await;
        act(&site, &id, &white, 0, "e2e4").await.json();
        act(&site, &id, &black, 1, "e7e5").await.json();
        act(&site, &id, &white, 2, "g1f3").await.json();
    }
    let mut there = Receiver::new().await;
    let other = key(&site).await;
    hook(&site, &other, &there.url).await;
    let id = game(&site, [&white, &other]).await;
    let moves = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5a4", "g8f6", "e1g1", "f8e7"];
    for (ply, pair) in (0..).step_by(2).zip(moves.chunks(2)) {
        act(&site, &id, &white, ply, pair[0]).await.json();
        let next = tokio::time::timeout(Duration::from_secs(20), there.sent.recv()).await;
        let (_, body) = next.expect("the turn is sent at once").unwrap();
        assert_eq!(serde_json::from_slice::<Value>(&body).unwrap()["data"]["game"]["ply"], ply + 1);
        act(&site, &id, &other, ply + 1, pair[1]).await.json();
    }
}

#[tokio::test]
async fn key_has_two_deliveries_at_a_time() {
    /// Current deliveries, their maximum so far, and their total.
    type Counts = Arc<[AtomicUsize; 3]>;
    async fn take(axum::extract::State(counts): axum::extract::State<Counts>) {
        let now = counts[0].fetch_add(1, Ordering::SeqCst) + 1;
        counts[1].fetch_max(now, Ordering::SeqCst);
        tokio::time::sleep(Duration::from_millis(100)).await;
        counts[0].fetch_sub(1, Ordering::SeqCst);
        counts[2].fetch_add(1, Ordering::SeqCst);
    }
    let site = sending();
    let counts = Counts::default();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let receiver = axum::Router::new().fallback(take).with_state(counts.clone());
    let connections = zorkmid::web::Connections::new(patient().limits, Vec::new());
    tokio::spawn(zorkmid::web::serve(listener, receiver, connections, Default::default()));
    let (white, black) = (key(&site).await, key(&site).await);
    for n in 0..8 {
        hook(&site, &black, &format!("http://{address}/{n}")).await;
    }
    for _ in 0..3 {
        let id = game(&site, [&white, &black]).await;
        act(&site, &id, &white, 0, "e2e4").await.json();
    }
    super::until("all are delivered", async || counts[2].load(Ordering::SeqCst) == 24).await;
    assert_eq!(counts[1].load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn unrecorded_turn_is_sent_after_startup() {
    let app = app(Options { private_hooks: true, ..patient() });
    let site = router(app.clone());
    let mut there = Receiver::new().await;
    let (white, black) = (key(&site).await, key(&site).await);
    hook(&site, &black, &there.url).await;
    let id = game(&site, [&white, &black]).await;
    act(&site, &id, &white, 0, "e2e4").await.json();
    let moved = game(&site, [&white, &black]).await;
    act(&site, &moved, &white, 0, "e2e4").await.json();
    act(&site, &moved, &black, 1, "e7e5").await.json();
    tokio::spawn(zorkmid::web::deliver(app));
    let (_, body) = there.next().await;
    let told = &serde_json::from_slice::<Value>(&body).unwrap()["data"]["game"];
    assert_eq!((&told["id"], &told["ply"]), (&id, &json!(1)));
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert!(there.sent.try_recv().is_err(), "in the other game it is not the key's turn");
}

#[tokio::test]
async fn outdated_notification_is_not_retried() {
    let site = sending();
    let mut there = Receiver::new().await;
    there.answer.store(500, Ordering::Relaxed);
    let (white, black) = (key(&site).await, key(&site).await);
    hook(&site, &black, &there.url).await;
    let id = game(&site, [&white, &black]).await;
    act(&site, &id, &white, 0, "e2e4").await.json();
    there.next().await;
    listed(&site, &black, |notices| !notices[0]["failing"].is_null()).await;
    act(&site, &id, &black, 1, "e7e5").await.json();
    there.answer.store(204, Ordering::Relaxed);
    // The next attempt would come after two seconds.
    assert!(tokio::time::timeout(Duration::from_secs(4), there.sent.recv()).await.is_err());
    act(&site, &id, &white, 2, "g1f3").await.json();
    let (_, body) = there.next().await;
    assert_eq!(serde_json::from_slice::<Value>(&body).unwrap()["data"]["game"]["ply"], 3);
}

/// A server that may deliver to this machine.
fn server(database: Option<&str>, folder: &Path) -> Server {
    let mut program = Command::new(env!("CARGO_BIN_EXE_zorkmid"));
    program.env("ZORKMID_PRIVATE_HOOKS", "true").envs(database.map(|database| ("DATABASE_URL", database)));
    Server::started(program, folder, "127.0.0.1:0")
}

/// Two new keys, the second with a webhook for each address.
async fn keys(server: &Server, urls: &[String]) -> [String; 2] {
    let mut keys = [String::new(), String::new()];
    for key in &mut keys {
        *key = said(server, "/api/keys", None, json!({})).await["key"].as_str().unwrap().to_owned();
    }
    for url in urls {
        said(server, "/api/keys/notices", Some(&keys[1]), json!({"way": "hook", "url": url})).await;
    }
    keys
}

/// Begins a game of chess between two keys.
async fn begin(server: &Server, [white, black]: &[String; 2]) -> String {
    let begun = said(server, "/api/games", Some(white), json!({"variant": "chess"})).await;
    said(server, "/api/seats", Some(black), json!({"code": begun["invite"]["code"]})).await;
    begun["id"].as_str().unwrap().to_owned()
}

async fn play(server: &Server, game: &str, key: &str, ply: usize, action: &str) {
    said(server, &format!("/api/games/{game}/actions"), Some(key), json!({"ply": ply, "action": action})).await;
}

#[tokio::test]
async fn retry_survives_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let mut there = Receiver::new().await;
    there.answer.store(500, Ordering::Relaxed);
    let first = server(None, folder.path());
    let keys = keys(&first, std::slice::from_ref(&there.url)).await;
    let game = begin(&first, &keys).await;
    play(&first, &game, &keys[0], 0, "e2e4").await;
    let (sent, _) = there.next().await;
    first.kill();
    while there.sent.try_recv().is_ok() {}
    there.answer.store(204, Ordering::Relaxed);
    let _again = server(None, folder.path());
    let (again, _) = there.next().await;
    assert_eq!(sent["webhook-id"], again["webhook-id"]);
}

#[tokio::test]
async fn several_servers_deliver_a_notification_once() {
    let folder = tempfile::tempdir().unwrap();
    let Some(database) = instances::schema("outbox").await else { return };
    let servers = ["one", "two"].map(|name| server(Some(&database), &folder.path().join(name)));
    let mut receivers = [Receiver::new().await, Receiver::new().await, Receiver::new().await];
    let urls: Vec<String> = receivers.iter().map(|receiver| receiver.url.clone()).collect();
    let keys = keys(&servers[0], &urls).await;
    let mut wanted = BTreeSet::new();
    for n in 0..6 {
        let game = begin(&servers[n % 2], &keys).await;
        play(&servers[(n + 1) % 2], &game, &keys[0], 0, "e2e4").await;
        wanted.insert(format!("{game}-two-1"));
    }
    for receiver in &mut receivers {
        let mut sent = BTreeSet::new();
        while sent != wanted {
            let (headers, _) = receiver.next().await;
            assert!(sent.insert(headers["webhook-id"].to_str().unwrap().to_owned()), "sent once");
        }
    }
    tokio::time::sleep(Duration::from_secs(2)).await;
    for receiver in &mut receivers {
        assert!(receiver.sent.try_recv().is_err(), "sent once");
    }
}

#[tokio::test]
async fn name_that_resolves_to_a_private_address_is_not_called() {
    // A process that allows private addresses accepts the registration. Another process refuses to call it.
    let registering = app(Options { private_hooks: true, ..patient() });
    let delivering = App::new(patient(), registering.play.clone(), tables::tables());
    tokio::spawn(zorkmid::web::deliver(delivering));
    let site = router(registering);
    let door = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    door.set_nonblocking(true).unwrap();
    let (white, black) = (key(&site).await, key(&site).await);
    hook(&site, &black, &format!("https://localhost:{}/", door.local_addr().unwrap().port())).await;
    let id = game(&site, [&white, &black]).await;
    act(&site, &id, &white, 0, "e2e4").await.json();
    listed(&site, &black, |notices| !notices[0]["failing"].is_null()).await;
    assert_eq!(door.accept().unwrap_err().kind(), std::io::ErrorKind::WouldBlock, "no connection was made");
}
