//! Measured values of pieces: the table, and measurements in the background.

use axum::{body::Body, http::Method};
use serde_json::{Value, json};

use super::{Answer, Options, app, ask, get, own_form, patient, program::Server, request, router, site, until};

async fn worth(site: &axum::Router, piece: &str) -> Value {
    get(site, &format!("/api/worth?piece={piece}")).await.json()
}

#[tokio::test]
async fn table_has_every_atom_except_the_reference() {
    let answer = get(&site(), "/worth").await;
    let page = answer.page(200);
    for piece in ["W", "F", "D", "A", "H", "G", "L", "R", "B", "NN"] {
        assert!(page.contains(&format!("<a href=\"/worth?piece={piece}\">")), "{piece}");
        assert!(page.contains(&format!(">{piece}</text>")), "{piece} in the drawing");
    }
}

#[tokio::test]
async fn piece_is_measured_on_request() {
    let site = site();
    let before = worth(&site, "WF").await;
    assert_eq!(
        (&before["state"], &before["worth"], &before["most"]),
        (&json!("unmeasured"), &json!(null), &json!(600))
    );
    let mut question = request(Method::POST, "/api/worth");
    question.headers_mut().insert("content-type", "application/json".parse().unwrap());
    *question.body_mut() = Body::from(json!({"piece": "FW"}).to_string());
    let asked = ask(&site, question).await;
    assert_eq!((asked.status.as_u16(), &asked.parsed()["state"]), (202, &json!("measuring")));
    let page = get(&site, "/worth?piece=WF").await;
    assert!(page.page(200).contains("http-equiv=\"refresh\""), "another spelling is the same piece");
    until("some pairs are kept", async || worth(&site, "WF").await["worth"].is_number()).await;
    let now = worth(&site, "WF").await;
    let [low, worth, high] =
        [&now["interval"][0], &now["worth"], &now["interval"][1]].map(|number| number.as_f64().unwrap());
    assert!(low < worth && worth < high, "{now}");
}

#[tokio::test]
async fn unmeasurable_pieces_are_refused() {
    let site = site();
    assert_eq!(get(&site, "/api/worth?piece=WxF").await.problem(400)["at"], 1);
    for piece in ["royal-WF", "relay-N", "doublemove-W"] {
        get(&site, &format!("/api/worth?piece={piece}")).await.problem(422);
        assert!(get(&site, &format!("/worth?piece={piece}")).await.page(422).contains("aria-invalid"));
    }
    assert_eq!(ask(&site, own_form("/worth", "piece=royal-WF".to_owned())).await.status.as_u16(), 422);
    let begun = ask(&site, own_form("/worth", "piece=mWcF&with=".to_owned())).await;
    assert_eq!((begun.status.as_u16(), begun.header("location")), (303, "/worth?piece=mWcF"));
}

#[tokio::test]
async fn interrupted_measurement_resumes() {
    let data = tempfile::tempdir().unwrap();
    let server = Server::start(data.path());
    let client = reqwest::Client::new();
    for piece in ["WF", "mWcF"] {
        let asked = client.post(format!("{}/api/worth", server.address)).json(&json!({"piece": piece}));
        assert_eq!(asked.send().await.unwrap().status(), 202);
    }
    let known = async |server: &Server, piece: &str| -> (Value, u64) {
        let told = client.get(format!("{}/api/worth?piece={piece}", server.address)).send().await.unwrap();
        let told: Value = told.json().await.unwrap();
        (told["state"].clone(), told["pairs"].as_array().unwrap().iter().map(|count| count.as_u64().unwrap()).sum())
    };
    until("a pair is kept", async || known(&server, "WF").await.1 > 0).await;
    server.kill();
    let server = Server::start(data.path());
    let (state, before) = known(&server, "WF").await;
    assert!(before > 0, "stored results are loaded");
    assert_eq!([state, known(&server, "mWcF").await.0], ["measuring", "measuring"]);
    until("the measurement resumes", async || known(&server, "WF").await.1 > before).await;
}

/// Requests a measurement, behind a proxy that forwards the client's address.
async fn measure_from(site: &axum::Router, address: &str, piece: &str) -> Answer {
    let mut question = request(Method::POST, "/api/worth");
    question.headers_mut().insert("content-type", "application/json".parse().unwrap());
    question.headers_mut().insert("x-forwarded-for", address.parse().unwrap());
    *question.body_mut() = Body::from(json!({"piece": piece}).to_string());
    ask(site, question).await
}

#[tokio::test]
async fn waiting_pieces_per_address_are_limited_to_two() {
    let site = router(app(Options { trusted_proxies: vec!["127.0.0.1/32".parse().unwrap()], ..patient() }));
    let atoms = ["W", "F", "D", "A", "H", "G", "L"];
    let piece = |number: usize| -> String {
        atoms.iter().enumerate().filter(|(at, _)| number >> at & 1 == 1).map(|(_, atom)| *atom).collect()
    };
    let first = "192.0.2.1";
    for number in [1, 2] {
        assert_eq!(measure_from(&site, first, &piece(number)).await.status, 202);
    }
    let refused = measure_from(&site, first, &piece(3)).await;
    assert_eq!(refused.header("retry-after"), "60");
    assert!(refused.problem(429)["detail"].as_str().unwrap().contains("2 pieces"));
    assert_eq!(measure_from(&site, first, &piece(1)).await.status, 202, "already waiting");
    let form = "piece=WFD".to_owned();
    let mut form = own_form("/worth", form);
    form.headers_mut().insert("x-forwarded-for", first.parse().unwrap());
    assert_eq!(ask(&site, form).await.status, 429);
    // Other addresses have their own limits, until the queue is full.
    for number in 3..=64 {
        let address = format!("192.0.2.{}", number / 2 + 1);
        assert_eq!(measure_from(&site, &address, &piece(number)).await.status, 202, "{number}");
    }
    assert_eq!(measure_from(&site, "192.0.2.99", &piece(65)).await.status, 503);
}
