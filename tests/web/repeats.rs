//! Repeated requests: beginning a game twice with one idempotency key makes one game.

use axum::{Router, body::Body, http::Method};
use serde_json::{Value, json};

use super::{Answer, api::post, ask, request, site};

/// Begins a game with an idempotency key.
async fn keyed(site: &Router, key: &str, body: Value) -> Answer {
    let mut request = request(Method::POST, "/api/games");
    request.headers_mut().insert("content-type", "application/json".parse().unwrap());
    request.headers_mut().insert("idempotency-key", key.parse().unwrap());
    *request.body_mut() = Body::from(body.to_string());
    ask(site, request).await
}

#[tokio::test]
async fn repeated_new_game_returns_the_same_game() {
    let site = site();
    let key = "5b0a2d1e-6d1f-4c58-9d55-1f5f3a0c7e11";
    for (number, body) in [
        json!({"variant": "chess"}),
        json!({"variant": "lrs", "options": {"random": true}, "seat": "random", "clock": {"days": 2}}),
        json!({"variant": "clairvoyant", "opponent": "self", "seat": "random"}),
        json!({"variant": "chess", "opponent": "bot:random", "seat": "two"}),
    ]
    .into_iter()
    .enumerate()
    {
        let key = format!("{key}-{number}");
        // Concurrently, and again after the game has advanced.
        let racers = (0..6).map(|_| keyed(&site, &key, body.clone()));
        let answers = futures_util::future::join_all(racers).await;
        assert!(answers.iter().all(|answer| answer.status == 201), "{body}");
        let first = answers[0].json();
        assert!(answers.iter().all(|answer| answer.json() == first), "{body}");
        let (id, token) = (first["id"].as_str().unwrap(), first["seats"][0]["token"].as_str().unwrap());
        let path = format!("/api/games/{id}/actions");
        let stale = post(&site, &path, Some(token), json!({"ply": 9, "action": "e2e4"})).await;
        assert_eq!(stale.status, 409, "the token is valid: {body}");
        assert_eq!(keyed(&site, &key, body.clone()).await.json(), first, "{body}");
        for other in [json!({"variant": "lrs"}), json!({"variant": "chess", "clock": {"days": 5}})] {
            let problem = keyed(&site, &key, other).await.problem(422);
            assert!(problem["detail"].as_str().unwrap().contains("used for another game"), "{problem}");
        }
    }
    let one = keyed(&site, &format!("{key}-a"), json!({"variant": "chess"})).await.json();
    let two = keyed(&site, &format!("{key}-b"), json!({"variant": "chess"})).await.json();
    assert_ne!(one["id"], two["id"]);
    for short in ["1", "fifteen letters"] {
        keyed(&site, short, json!({"variant": "chess"})).await.problem(422);
    }
}

/// One rule for idempotency keys: any key with a token, and one that cannot be guessed without.
#[tokio::test]
async fn short_idempotency_keys_need_a_token() {
    let site = site();
    let keyed = async |path: &str, bearer: Option<&str>, key: &str, body: Value| {
        let mut request = request(Method::POST, path);
        request.headers_mut().insert("content-type", "application/json".parse().unwrap());
        request.headers_mut().insert("idempotency-key", key.parse().unwrap());
        if let Some(bearer) = bearer {
            request.headers_mut().insert("authorization", format!("Bearer {bearer}").parse().unwrap());
        }
        *request.body_mut() = body.to_string().into();
        ask(&site, request).await
    };
    let owner = async || post(&site, "/api/keys", None, json!({})).await.json()["key"].as_str().unwrap().to_owned();
    let (one, two) = (owner().await, owner().await);
    let chess = json!({"variant": "chess"});
    let begun = keyed("/api/games", Some(&one), "my-first-move", chess.clone()).await.json();
    assert_eq!(keyed("/api/games", Some(&one), "my-first-move", chess.clone()).await.json(), begun);
    let other = keyed("/api/games", Some(&two), "my-first-move", chess.clone()).await.json();
    assert!(other["id"] != begun["id"] && other["seats"][0]["token"] != begun["seats"][0]["token"]);
    let seek = keyed("/api/lobby", Some(&one), "1", json!({"variant": "lrs"})).await.json();
    assert_eq!(keyed("/api/lobby", Some(&one), "1", json!({"variant": "lrs"})).await.json(), seek);
    let code = json!({"code": other["invite"]["code"]});
    let seat = keyed("/api/seats", Some(&one), "2", code.clone()).await.json();
    assert_eq!(keyed("/api/seats", Some(&one), "2", code.clone()).await.json(), seat);
    for (path, body) in [("/api/games", chess.clone()), ("/api/lobby", chess.clone()), ("/api/seats", code)] {
        let problem = keyed(path, None, "my-first-move", body).await.problem(422);
        assert_eq!((&problem["type"], &problem["field"]), (&json!("/docs/errors#key"), &json!("Idempotency-Key")));
        let detail = problem["detail"].as_str().unwrap();
        assert!(detail.contains("16") && detail.contains("Authorization"), "{detail}");
    }
    let long = "k".repeat(256);
    for path in ["/api/games", "/api/lobby"] {
        assert_eq!(keyed(path, Some(&one), &long, chess.clone()).await.problem(422)["field"], "Idempotency-Key");
    }
    let act = json!({"ply": 0, "action": "e2e4"});
    let path = format!("/api/games/{}/actions", begun["id"].as_str().unwrap());
    assert_eq!(keyed(&path, Some(&one), &long, act.clone()).await.problem(422)["field"], "Idempotency-Key");
    assert_eq!(
        keyed(&path, Some(&one), "1", act.clone()).await.json(),
        keyed(&path, Some(&one), "1", act).await.json()
    );
}
