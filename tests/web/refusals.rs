//! Errors: problem documents under /api, pages elsewhere, never plain text, and never a 500 for invalid input.

use super::*;
use axum::{extract::ConnectInfo, routing::get as on_get, routing::post};
use std::net::SocketAddr;
use zorkmid::web::{Error, Limits, client_address::network, extract, with_layers};

#[derive(serde::Deserialize)]
#[expect(dead_code, reason = "only read by serde")]
struct Wanted {
    ply: u32,
    action: String,
}

/// Test routes behind the site's middleware, for cases that no page of the site covers.
fn workshop(options: Options) -> Router {
    let api = Router::new()
        .route("/api/act", post(async |extract::Json(_): extract::Json<Wanted>| "done"))
        .route("/api/ask", on_get(async |extract::Query(_): extract::Query<Wanted>| "asked"))
        .route("/api/stale", on_get(async || Error::new(zorkmid::web::Kind::Stale, "Ply 3 is over.").with("ply", 4)));
    let pages = Router::new()
        .route("/act", post(async |extract::Form(_): extract::Form<Wanted>| "done"))
        .route("/panic", on_get(async || -> &'static str { panic!("a fault of the test's own") }))
        .route("/stream", on_get(async || ([("content-type", "text/event-stream")], "data: 1\n\n".repeat(99))))
        .route("/text", on_get(async || "one line\n".repeat(99)))
        .route("/slow", on_get(async || tokio::time::sleep(Duration::from_secs(60)).await));
    with_layers(app(options), api, pages)
}

fn posted(path: &str, kind: &str, body: impl Into<Body>) -> Request<Body> {
    let request = Request::builder().method(Method::POST).uri(path).header("host", "zork.example");
    request.header("content-type", kind).body(body.into()).unwrap()
}

#[tokio::test]
async fn unknown_addresses_are_not_found() {
    let site = site();
    for path in ["/nowhere", "/bookie/", "/gamesters", "/%ff", "/static/", "/../etc/passwd", "/bookie/a/b/c", "/apiary"]
    {
        let answer = get(&site, path).await;
        assert!(answer.page(404).contains("home page"), "{path}");
    }
    for path in ["/api", "/api/", "/api/nowhere", "/api/bookie/a/b", "/api/%ff"] {
        get(&site, path).await.problem(404);
    }
}

#[tokio::test]
async fn wrong_method_lists_the_allowed_ones() {
    let site = site();
    for method in [Method::POST, Method::PUT, Method::DELETE, Method::PATCH] {
        let page = ask(&site, request(method.clone(), "/bookie")).await;
        page.page(405);
        assert_eq!(page.header("allow"), "GET,HEAD");
        let problem = ask(&site, request(method, "/api/bookie")).await;
        problem.problem(405);
        assert_eq!(problem.header("allow"), "GET,HEAD");
    }
}

#[tokio::test]
async fn oversized_requests_are_refused_with_the_limit() {
    let site = site();
    get(&site, &format!("/bookie/{}", "A".repeat(9000))).await.page(414);
    get(&site, &format!("/api/bookie?x={}", "A".repeat(9000))).await.problem(414);
    let mut stuffed = request(Method::GET, "/api/bookie");
    stuffed.headers_mut().insert("x-stuff", "A".repeat(17_000).parse().unwrap());
    ask(&site, stuffed).await.problem(431);

    let shop = workshop(patient());
    let long = format!("{{\"ply\": 1, \"action\": \"{}\"}}", "e".repeat(70_000));
    ask(&shop, posted("/api/act", "application/json", long.clone())).await.problem(413);
    let pieces = long.as_bytes().chunks(1000).map(|piece| Ok::<_, std::io::Error>(piece.to_vec())).collect::<Vec<_>>();
    let streamed = Body::from_stream(futures_util::stream::iter(pieces));
    ask(&shop, posted("/api/act", "application/json", streamed)).await.problem(413);
    let form = format!("ply=1&action={}", "e".repeat(70_000));
    ask(&shop, posted("/act", "application/x-www-form-urlencoded", form)).await.page(413);
    let mut told = posted("/nowhere", "text/plain", "");
    told.headers_mut().insert("content-length", "70000".parse().unwrap());
    ask(&shop, told).await.page(413);
}

#[tokio::test]
async fn invalid_bodies_name_the_field_and_the_character() {
    let shop = workshop(patient());
    let json = async |body: &'static str| ask(&shop, posted("/api/act", "application/json", body)).await;
    assert_eq!(json(r#"{"ply": 1, "action": "e2e4"}"#).await.body, "done");
    let problem = json(r#"{"ply": "x", "action": "e2e4"}"#).await.problem(400);
    assert_eq!((&problem["field"], &problem["at"]), (&"ply".into(), &10.into()));
    assert!(problem["detail"].as_str().unwrap().contains("expected a whole number of zero or more"), "{problem}");
    assert_eq!(json("e2e4").await.problem(400)["field"], "body");
    let problem = json("{\n \"ply\": 1,\n \"action\" 3}").await.problem(400);
    assert_eq!(problem["at"], 23);
    json(r#"{"ply": 1, "action": "e2e4"} more"#).await.problem(400);
    json("").await.problem(400);
    json(r#"{"ply": 1}"#).await.problem(400);
    json(r#"{"ply": -1, "action": ""}"#).await.problem(400);
    ask(&shop, posted("/api/act", "text/plain", "{}")).await.problem(415);
    ask(&shop, posted("/api/act", "application/json", vec![0xff, 0xfe])).await.problem(400);
    let problem = get(&shop, "/api/ask?ply=x&action=e2e4").await.problem(400);
    assert_eq!(problem["field"], "ply");
    assert!(get(&shop, "/api/ask?action=a").await.problem(400)["detail"].as_str().unwrap().contains("ply"));
    let form = "application/x-www-form-urlencoded";
    assert!(ask(&shop, posted("/act", form, "ply=x&action=y")).await.page(400).contains("ply"));
    ask(&shop, posted("/act", "text/plain", "ply=1&action=y")).await.page(415);
    assert_eq!(get(&shop, "/api/stale").await.problem(409)["ply"], 4);
}

#[tokio::test]
async fn cross_site_forms_are_refused_and_the_api_allows_cors() {
    let shop = workshop(patient());
    let foreign = |path, kind, body: &'static str| {
        let mut request = posted(path, kind, body);
        request.headers_mut().insert("origin", "https://evil.example".parse().unwrap());
        request.headers_mut().insert("sec-fetch-site", "cross-site".parse().unwrap());
        request
    };
    let form = "application/x-www-form-urlencoded";
    ask(&shop, foreign("/act", form, "ply=1&action=x")).await.page(403);
    assert_eq!(ask(&shop, posted("/act", form, "ply=1&action=x")).await.status, 200);
    let open = ask(&shop, foreign("/api/act", "application/json", r#"{"ply":1,"action":"x"}"#)).await;
    assert_eq!((open.status.as_u16(), open.header("access-control-allow-origin")), (200, "*"));
    assert_eq!(open.header("access-control-allow-credentials"), "");

    let site = site();
    let mut asked = request(Method::OPTIONS, "/api/bookie");
    for (name, value) in [
        ("origin", "https://other.example"),
        ("access-control-request-method", "POST"),
        ("access-control-request-headers", "authorization,content-type,idempotency-key"),
    ] {
        asked.headers_mut().insert(name, value.parse().unwrap());
    }
    let preflight = ask(&site, asked).await;
    assert_eq!(preflight.status, 200);
    assert_eq!(preflight.header("access-control-allow-origin"), "*");
    for method in ["GET", "POST", "PUT", "DELETE"] {
        assert!(preflight.header("access-control-allow-methods").contains(method));
    }
    for name in ["authorization", "content-type", "idempotency-key", "last-event-id"] {
        assert!(preflight.header("access-control-allow-headers").contains(name), "{name}");
    }
    assert_eq!(get(&site, "/api/nowhere").await.header("access-control-allow-origin"), "*");
    assert_eq!(get(&site, "/").await.header("access-control-allow-origin"), "");
}

#[tokio::test]
async fn requests_per_address_are_limited() {
    let options = Options { rate: 2, trusted_proxies: vec![network("127.0.0.1").unwrap()], ..patient() };
    // A stopped clock: the allowance does not recover during the test.
    let play = Play::new(StdRng::seed_from_u64(7), store(), || 1_700_000_000_000);
    let site = router(App::new(options, play, Arc::default()));
    let from = async |client: &str, path: &str| {
        let mut request = request(Method::GET, path);
        request.headers_mut().insert("x-forwarded-for", client.parse().unwrap());
        request.extensions_mut().insert(ConnectInfo(SocketAddr::from(([127, 0, 0, 1], 5000))));
        ask(&site, request).await
    };
    for left in (0..20).rev() {
        let answer = from("203.0.113.1", "/api/bookie").await;
        assert_eq!((answer.status.as_u16(), answer.header("ratelimit-remaining")), (200, left.to_string().as_str()));
        assert_eq!(answer.header("ratelimit-limit"), "20");
    }
    let refused = from("203.0.113.1", "/api/bookie").await;
    refused.problem(429);
    assert!(refused.header("retry-after").parse::<u64>().unwrap() >= 1);
    assert_eq!((refused.header("ratelimit-limit"), refused.header("ratelimit-remaining")), ("20", "0"));
    assert_eq!(refused.header("access-control-allow-origin"), "*");
    let page = from("203.0.113.1", "/about").await;
    page.page(429);
    assert!(!page.header("retry-after").is_empty());
    // Entries that a client adds before those of the proxies are ignored.
    assert_eq!(from("198.51.100.9, 203.0.113.1", "/api/bookie").await.status, 429);
    // Some proxies add the port.
    assert_eq!(from("203.0.113.1:4711", "/api/bookie").await.status, 429);
    assert_eq!(from("203.0.113.2", "/api/bookie").await.status, 200);
    assert_eq!(from("[2001:db8:0:2::1]:4711", "/api/bookie").await.header("ratelimit-remaining"), "19");
    assert_eq!(from("2001:db8:0:2::2", "/api/bookie").await.header("ratelimit-remaining"), "18");
    for host in 0..20 {
        assert_eq!(from(&format!("2001:db8:0:1::{host:x}"), "/api/bookie").await.status, 200);
    }
    assert_eq!(from("2001:db8:0:1:ffff::1", "/api/bookie").await.status, 429, "one /64 is one client");
    assert_eq!(from("2001:db8:0:2::1", "/api/bookie").await.status, 200);
}

#[tokio::test]
async fn server_errors_and_timeouts_have_pages() {
    let limits = Limits { handler: Duration::from_millis(50), ..Limits::default() };
    let shop = workshop(Options { limits, ..patient() });
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let broken = get(&shop, "/panic").await;
    std::panic::set_hook(hook);
    assert!(broken.page(500).contains(broken.header("x-request-id")), "the page shows the request id");
    assert!(!broken.body.contains("the test's own") && !broken.body.contains("the test&#39;s own"));
    let late = get(&shop, "/slow").await;
    late.page(503);
    assert!(!late.header("retry-after").is_empty());
}

#[tokio::test]
async fn pages_are_compressed_and_streams_are_not() {
    let shop = workshop(patient());
    let packed = async |path| {
        let mut request = request(Method::GET, path);
        request.headers_mut().insert("accept-encoding", "gzip".parse().unwrap());
        ask(&shop, request).await.header("content-encoding").to_owned()
    };
    assert_eq!(packed("/text").await, "gzip");
    assert_eq!(packed("/stream").await, "");
}
