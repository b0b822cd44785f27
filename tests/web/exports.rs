//! Monthly exports: which games they have, their files and digests, and when they are made.

use super::{
    api::{Pair, begin, post},
    ask, get, instances, patient, request, site, store,
};
use axum::{
    Router,
    body::Bytes,
    http::{HeaderMap, Method},
};
use base64::{Engine, engine::general_purpose::STANDARD};
use flate2::read::GzDecoder;
use http_body_util::BodyExt;
use rand::{SeedableRng, rngs::StdRng};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::{
    fs::{self, File},
    io::Read,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
};
use tower::ServiceExt;
use zorkmid::{
    play::Play,
    registry,
    store::Store,
    web::{App, Options, exports::export_missing, router},
};

const HOUR: i64 = 3_600_000;
/// 1 November 2026, 00:00 UTC.
const NOVEMBER: i64 = 1_793_491_200_000;

/// A process on a store, which exports to a folder.
fn process(store: &Store, clock: &Arc<AtomicI64>, folder: &Path) -> (Arc<App>, Router) {
    let clock = clock.clone();
    let play = Play::new(StdRng::seed_from_u64(3), store.clone(), move || clock.load(Ordering::SeqCst));
    let public_url = Some("https://zork.example".parse().unwrap());
    let options = Options { exports: Some(folder.to_owned()), public_url, ..patient() };
    let app = App::new(options, play, Arc::default());
    (app.clone(), router(app))
}

/// Plays a game; each action is of a seat. Returns its id.
async fn play(site: &Router, game: Value, actions: &[(usize, &str)]) -> String {
    let game = begin(site, game).await;
    act(site, &game, actions).await;
    game.id
}

async fn act(site: &Router, game: &Pair, actions: &[(usize, &str)]) {
    for (seat, action) in actions {
        let ply = game.look(site).await["ply"].as_u64().unwrap() as usize;
        let answer = game.act(site, *seat, ply, action).await;
        assert_eq!(answer.status, 200, "{action}: {}", answer.body);
    }
}

async fn download(site: &Router, path: &str) -> (HeaderMap, Bytes) {
    let (parts, body) = site.clone().oneshot(request(Method::GET, path)).await.unwrap().into_parts();
    assert_eq!(parts.status, 200, "{path}");
    (parts.headers, body.collect().await.unwrap().to_bytes())
}

fn unpacked(bytes: &[u8]) -> String {
    let mut text = String::new();
    GzDecoder::new(bytes).read_to_string(&mut text).unwrap();
    text
}

async fn listed_files(site: &Router) -> Vec<Value> {
    get(site, "/api/exports").await.json().as_array().unwrap().clone()
}

const MATE: [(usize, &str); 4] = [(0, "f2f3"), (1, "e7e5"), (0, "g2g4"), (1, "d8h4")];

#[tokio::test]
async fn month_is_exported_after_its_end_with_public_games_only() {
    let mut stores = vec![store()];
    if let Some(database) = instances::schema("exports").await {
        stores.push(Store::open(&database).await.unwrap());
    }
    for store in stores {
        let clock = Arc::new(AtomicI64::new(NOVEMBER - 5 * HOUR));
        let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let (app, site) = process(&store, &clock, folder.path());
        let open = |variant: &str, options: Value| json!({"variant": variant, "opponent": "open", "options": options});
        let mated = begin(&site, open("chess", json!({}))).await;
        act(&site, &mated, &MATE).await;
        clock.fetch_add(1_000, Ordering::SeqCst);
        act(&site, &mated, &[(0, "rematch")]).await;
        let hidden =
            play(&site, open("fog-of-war", json!({})), &[(0, "e2e4"), (1, "e7e5"), (0, "g1f3"), (1, "resign")]).await;
        clock.fetch_add(1_000, Ordering::SeqCst);
        let bids = [(0, "bid 7"), (1, "bid 3"), (1, "resign")];
        let sealed = play(&site, open("bidding", json!({"scheme": "secret"})), &bids).await;
        let private = play(&site, json!({"variant": "chess", "opponent": "link"}), &MATE).await;
        let own = post(&site, "/api/games", None, json!({"variant": "chess", "opponent": "self"})).await.json();
        let token = own["seats"][0]["token"].as_str();
        let path = format!("/api/games/{}/actions", own["id"].as_str().unwrap());
        for (ply, action) in ["e2e4", "resign"].into_iter().enumerate() {
            post(&site, &path, token, json!({"ply": ply, "action": action})).await.json();
        }
        // The chance of Bookie Chess comes before an opponent, so this game has a ply.
        let deserted = post(&site, "/api/games", None, open("bookie", json!({}))).await.json();
        let path = format!("/api/games/{}", deserted["id"].as_str().unwrap());
        let ply = get(&site, &path).await.json()["ply"].clone();
        assert_ne!(ply, 0);
        let abort = json!({"ply": ply, "action": "abort"});
        post(&site, &format!("{path}/actions"), deserted["seats"][0]["token"].as_str(), abort).await.json();

        export_missing(&app, None).await.unwrap();
        assert_eq!(listed_files(&site).await, [] as [Value; 0], "the month is in progress");
        clock.store(NOVEMBER, Ordering::SeqCst);
        play(&site, open("chess", json!({})), &MATE).await;
        export_missing(&app, None).await.unwrap();
        assert_eq!(listed_files(&site).await, [] as [Value; 0], "the month has just ended");
        clock.fetch_add(HOUR, Ordering::SeqCst);
        export_missing(&app, None).await.unwrap();
        let listed = listed_files(&site).await;
        assert_eq!(listed.len(), 2, "{listed:?}");
        for file in &listed {
            assert_eq!((&file["month"], &file["games"]), (&json!("2026-10"), &json!(3)));
        }

        // Another process makes the same files, although the game has a new line.
        act(&site, &mated, &[(1, "rematch")]).await;
        let (second, second_site) = process(&store, &clock, other.path());
        export_missing(&second, None).await.unwrap();
        assert_eq!(listed_files(&second_site).await, listed);
        let mut texts = Vec::new();
        for file in &listed {
            let path = file["url"].as_str().unwrap().strip_prefix("https://zork.example").unwrap();
            let (headers, bytes) = download(&site, path).await;
            let sum = Sha256::digest(&bytes);
            let digits: String = sum.iter().map(|byte| format!("{byte:02x}")).collect();
            assert_eq!((&file["bytes"], &file["sha256"]), (&json!(bytes.len()), &json!(digits)));
            assert_eq!(headers["repr-digest"], format!("sha-256=:{}:", STANDARD.encode(sum)));
            assert_eq!(headers["content-length"], bytes.len().to_string());
            assert_eq!(headers["content-type"], "application/octet-stream");
            assert!(!headers.contains_key("content-encoding"), "it is sent as it is");
            assert_eq!(download(&second_site, path).await.1, bytes);
            let mut again = request(Method::GET, path);
            again.headers_mut().insert("if-none-match", headers["etag"].clone());
            assert_eq!(ask(&site, again).await.status, 304);
            texts.push(unpacked(&bytes));
        }
        let [pgn, lines] = &texts[..] else { panic!("{listed:?}") };
        assert!(!pgn.contains(&private) && !lines.contains(&private));
        let lines: Vec<&str> = lines.lines().collect();
        let games: Vec<Value> = lines.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(games.iter().map(|game| &game["id"]).collect::<Vec<_>>(), [&mated.id, &hidden, &sealed]);
        for (id, game) in [(&hidden, &games[1]), (&sealed, &games[2])] {
            assert_eq!(get(&site, &format!("/api/games/{id}/record.json")).await.json(), *game);
            let alone = get(&site, &format!("/api/games/{id}/record.pgn")).await.body;
            assert!(pgn.contains(&alone), "{alone}");
        }
        assert_eq!(games[0]["lines"].as_array().unwrap().len(), 4, "the offers of a rematch are left out");
        for text in lines.into_iter().chain([pgn.as_str()]) {
            for replayed in registry::read(text).unwrap() {
                assert_eq!(replayed.wrong, None);
            }
        }
        assert_eq!(registry::read(pgn).unwrap().len(), 3);

        // A damaged list is made again, with the same files.
        fs::write(folder.path().join("2026-10.json"), "{").unwrap();
        assert_eq!(listed_files(&site).await, [] as [Value; 0]);
        export_missing(&app, None).await.unwrap();
        assert_eq!(listed_files(&site).await, listed);
        for name in ["2026-11.pgn.gz", "2026-10.json", "lock", "..%2Fgames.sqlite", "2026-10.pgn"] {
            get(&site, &format!("/api/exports/{name}")).await.problem(404);
        }
    }
}

#[tokio::test]
async fn months_with_deleted_games_are_not_exported() {
    let clock = Arc::new(AtomicI64::new(NOVEMBER - 5 * HOUR));
    let folder = tempfile::tempdir().unwrap();
    let (app, site) = process(&store(), &clock, folder.path());
    for _ in 0..2 {
        play(&site, json!({"variant": "chess", "opponent": "open"}), &MATE).await;
        clock.fetch_add(40 * 24 * HOUR, Ordering::SeqCst);
    }
    clock.store(NOVEMBER + 62 * 24 * HOUR, Ordering::SeqCst);
    let listed =
        async || listed_files(&site).await.iter().step_by(2).map(|file| file["month"].clone()).collect::<Vec<_>>();
    let other_process = File::create(folder.path().join("lock")).unwrap();
    other_process.lock().unwrap();
    export_missing(&app, None).await.unwrap();
    assert_eq!(listed().await, [] as [Value; 0], "one process at a time exports to a folder");
    drop(other_process);
    export_missing(&app, Some(33 * 24 * HOUR)).await.unwrap();
    assert_eq!(listed().await, [json!("2026-12")]);
    export_missing(&app, None).await.unwrap();
    assert_eq!(listed().await, [json!("2026-12"), json!("2026-10")], "a month without games has no export");
}

#[tokio::test]
async fn site_without_a_folder_has_no_exports() {
    let site = site();
    assert_eq!(listed_files(&site).await, [] as [Value; 0]);
    get(&site, "/api/exports/2026-10.pgn.gz").await.problem(404);
}
