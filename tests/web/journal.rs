//! Log: one line for every request, and no secrets of clients.

use super::*;
use axum::extract::Path;
use std::{
    io::{self, Write},
    sync::Mutex,
};
use tracing_subscriber::{Layer, filter::filter_fn, fmt::MakeWriter, layer::SubscriberExt};

#[derive(Clone, Default)]
struct Page(Arc<Mutex<Vec<u8>>>);

impl Write for Page {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Page {
    type Writer = Page;
    fn make_writer(&'a self) -> Page {
        self.clone()
    }
}

/// Captures everything that passes the site's filter at the most verbose level, until dropped.
struct Journal {
    page: Page,
    _second: tracing::Dispatch,
    _guard: tracing::subscriber::DefaultGuard,
}

impl Journal {
    fn open() -> Journal {
        let page = Page::default();
        let lines = tracing_subscriber::fmt::layer().json().flatten_event(true).with_span_list(false);
        let lines = lines.with_writer(page.clone()).with_filter(filter_fn(zorkmid::web::is_loggable));
        // With a single subscriber, a call site first reached in another test's thread would be disabled for all threads, because
        // tracing asks only that thread's subscriber about its interest.
        let second = tracing::Dispatch::new(tracing_subscriber::registry());
        let guard = tracing::subscriber::set_default(tracing_subscriber::registry().with(lines));
        Journal { page, _second: second, _guard: guard }
    }

    fn text(&self) -> String {
        String::from_utf8(self.page.0.lock().unwrap().clone()).unwrap()
    }

    /// Lines of a request, by the request id of its answer.
    fn of(&self, answer: &Answer) -> Vec<serde_json::Value> {
        let number = answer.header("x-request-id");
        assert!(!number.is_empty());
        let lines = self.text();
        let lines = lines.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        lines.filter(|line| line["span"]["id"] == number).collect()
    }
}

#[tokio::test]
async fn addresses_and_codes_are_not_logged() {
    let journal = Journal::open();
    let site = site();
    let code = get(&site, "/api/bookie").await.json()["code"].as_str().unwrap().to_owned();
    for (path, route) in [
        (format!("/bookie/{code}?first=black"), "/bookie/{code}"),
        (format!("/bookie/{code}/reveal"), "/bookie/{code}/reveal"),
        (format!("/api/bookie/{code}?reveal=1"), "/api/bookie/{code}"),
        (format!("/bookie/{}", &code[1..]), "/bookie/{code}"),
        (format!("/api/bookie/A{code}"), "/api/bookie/{code}"),
        (format!("/nowhere/{code}"), "none"),
    ] {
        // The method also comes from the client.
        let mut request = request(Method::from_bytes(if route == "none" { b"SECRET" } else { b"GET" }).unwrap(), &path);
        request.headers_mut().insert("x-request-id", code.parse().unwrap());
        request.headers_mut().insert("authorization", format!("Bearer {code}").parse().unwrap());
        let answer = ask(&site, request).await;
        let lines = journal.of(&answer);
        assert_eq!(lines.len(), 1, "{lines:?}");
        assert_eq!(lines[0]["status"], answer.status.as_u16());
        assert!(lines[0]["micros"].is_u64() && lines[0]["level"] == "INFO", "{lines:?}");
        assert_eq!(lines[0]["span"]["route"], route);
        assert_eq!(lines[0]["span"]["method"], if route == "none" { "other" } else { "GET" });
    }
    let text = journal.text();
    assert!(!text.contains(&code[1..]) && !text.contains("first=black") && !text.contains("SECRET"), "{text}");
}

#[tokio::test]
async fn log_has_the_clients_network_but_not_its_address() {
    let journal = Journal::open();
    let site = router(app(Options { trusted_proxies: vec!["127.0.0.1/32".parse().unwrap()], ..patient() }));
    for (client, network) in [("192.0.2.77", "192.0.2.0/24"), ("2001:db8:1:2:3::4", "2001:db8:1::/48")] {
        let mut request = request(Method::GET, "/healthz");
        request.headers_mut().insert("x-forwarded-for", client.parse().unwrap());
        let lines = journal.of(&ask(&site, request).await);
        assert_eq!(lines[0]["span"]["network"], network);
        assert!(!journal.text().contains(client));
    }
}

#[tokio::test]
async fn panic_is_logged_with_its_request_and_without_its_message() {
    // The hook is global: the previous hook runs after this one.
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        zorkmid::web::log_panic(panic);
        before(panic);
    }));
    let journal = Journal::open();
    let fault = async |Path(word): Path<String>| -> &'static str { panic!("cannot read {word}") };
    let pages = Router::new().route("/fault/{word}", axum::routing::get(fault));
    let site = zorkmid::web::with_layers(app(patient()), Router::new(), pages);
    let answer = get(&site, "/fault/sesame").await;
    answer.page(500);
    let lines = journal.of(&answer);
    let panic = lines.iter().find(|line| line["message"] == "panic").expect("a line for the panic");
    assert_eq!(panic["span"]["route"], "/fault/{word}");
    assert!(panic["place"].as_str().unwrap().contains("journal.rs"), "{panic}");
    assert!(lines.iter().any(|line| line["message"] == "request completed" && line["status"] == 500), "{lines:?}");
    assert!(!journal.text().contains("sesame"));
}
