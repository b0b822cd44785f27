//! Expensive requests run in pools: they wait while the pools are busy, and the threads that serve requests stay free.

use std::{net::IpAddr, sync::mpsc, time::Duration};

use super::{api::begin, app, ask, get, own_form, patient, request, router};
use axum::{
    Router,
    body::Body,
    http::{Method, Request},
};
use serde_json::{Value, json};
use zorkmid::{play::on_behalf_of, web::App};

/// Keeps every thread of the pools busy until the senders are dropped.
fn occupy(app: &App) -> Vec<mpsc::Sender<()>> {
    let threads = std::thread::available_parallelism().map_or(2, |all| all.get().max(2)) as u8;
    let block = |number: u8| {
        let (release, wait) = mpsc::channel();
        let pools = app.play.pools().clone();
        // Each address runs one job at a time.
        let from = Some(IpAddr::from([192, 0, 2, number]));
        tokio::spawn(on_behalf_of(from, async move {
            let pool = if number < threads { &pools.games } else { &pools.lookups };
            pool.run(move || wait.recv()).await
        }));
        release
    };
    (0..2 * threads).map(block).collect()
}

fn posting(path: &str, body: &Value) -> Request<Body> {
    let mut question = request(Method::POST, path);
    question.headers_mut().insert("content-type", "application/json".parse().unwrap());
    *question.body_mut() = Body::from(body.to_string());
    question
}

/// Asserts that each request waits for a pool while `/healthz` answers, and is answered once the pool is free.
async fn wait_for_a_pool(app: &App, site: &Router, requests: Vec<Request<Body>>) {
    let busy = occupy(app);
    let mut waiting = Vec::new();
    for request in requests {
        let name = format!("{} {:.40}", request.method(), request.uri());
        let site = site.clone();
        waiting.push((name, tokio::spawn(async move { ask(&site, request).await.status.as_u16() })));
    }
    // Long enough for everything that does not wait for a pool, including the store's thread.
    for _ in 0..20 {
        tokio::time::sleep(Duration::from_millis(20)).await;
        assert_eq!(get(site, "/healthz").await.status, 200);
    }
    for (name, answer) in &waiting {
        assert!(!answer.is_finished(), "{name} does not wait for a pool");
    }
    drop(busy);
    for (name, answer) in waiting {
        let status = answer.await.unwrap();
        assert!([200, 202, 303, 422].contains(&status), "{name}: {status}");
    }
}

#[tokio::test]
async fn pieces_and_files_are_rendered_in_a_pool() {
    let app = app(patient());
    let site = router(app.clone());
    let mut requests: Vec<Request<Body>> = [
        "/api/betza?piece=WFfhN",
        "/betza?piece=WFfhN",
        "/betza.svg?piece=WFfhN",
        "/betza.png?piece=WFfhN",
        "/betza/embed?piece=WFfhN",
        "/oembed?url=http://zork.example/betza?piece=WFfhN",
        "/betza/set",
        "/betza/set.txt",
        "/betza/army",
        "/betza/army.txt",
        "/api/pieces?like=WFfhN",
        "/pieces?like=WFfhN",
        "/fairy?designs=WFfhN",
        "/api/fairy?designs=WFfhN",
        "/variants.ini?designs=WFfhN",
        "/api/worth?piece=WFfhN",
        "/worth?piece=WFfhN",
        "/diagram.svg?fen=8/8/8/8/8/8/8/8",
        "/new/csipgs?option-designs=WFfhN",
    ]
    .map(|path| request(Method::GET, path))
    .into();
    requests.push(posting("/api/fairy", &json!({"ini": "[mine:chess]\n"})));
    requests.push(own_form("/fairy", "ini=[mine:chess]".to_owned()));
    requests.push(posting("/api/worth", &json!({"piece": "WFfhN"})));
    requests.push(own_form("/games", "variant=chess&option-fen=1.+e4".to_owned()));
    requests.push(posting("/api/games", &json!({"variant": "chess", "options": {"fen": "x"}})));
    wait_for_a_pool(&app, &site, requests).await;
}

#[tokio::test]
async fn game_pages_and_records_are_rendered_in_a_pool() {
    let app = app(patient());
    let site = router(app.clone());
    let game = begin(&site, json!({"variant": "chess"})).await;
    for (ply, action) in ["e2e4", "e7e5"].into_iter().enumerate() {
        assert_eq!(game.act(&site, ply, ply, action).await.status, 200);
    }
    let page = |path: &str| request(Method::GET, &format!("/games/{}{path}", game.id));
    let pages =
        ["", "?about=e4", "/ply/1", "/moments", "/fen.svg", "/embed", "/image.svg", "/record.pgn", "/record.json"];
    wait_for_a_pool(&app, &site, pages.map(page).into()).await;
}
